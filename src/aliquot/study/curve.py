"""Curve: precision at every rank of one system, with a band that holds at all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.core.order import Order, order
from aliquot.core.sample import Sample
from aliquot.core.scale import Scale
from aliquot.curves.cells import Judged, gathered
from aliquot.curves.limits import limits
from aliquot.curves.points import Curve
from aliquot.curves.sandwich import curve as banded
from aliquot.errors import EstimateError, UsageError
from aliquot.estimators.registry import plain
from aliquot.intervals.base import check_level
from aliquot.study.book import Book
from aliquot.study.reach import Chances
from aliquot.study.sampling import sample

METHODS = ("band",)
FEW = 20  # judged units along the ranking below which a band says little


@final
@dataclass(frozen=True, eq=False)
class Along:
    """A curve, and the order that it runs along."""

    curve: Curve
    order: Order


def curve(
    book: Book,
    system: str,
    *,
    level: float = 0.95,
    method: str = "band",
    rel: float | None = None,
) -> Along:
    """Return the curve of a system from all labels of the study, whatever they were drawn for.

    `rel` is the least grade, or number, that counts as positive.
    """
    check_level(level)
    if method not in METHODS:
        raise UsageError(
            f"'{method}' is not a method for curves", do=f"Methods are {', '.join(METHODS)}"
        )
    along = order(book.frame, system)
    drawn = sample(book)
    y = drawn.averaged(positive(book.scale, drawn.labels, rel)[None, :])[0]
    share = len(drawn) / len(book.ledger.draws()[-1].units.unit)
    seen = Chances(book, share).pi[along.rows] > 0
    return Along(measured(along, drawn, y, seen, level=level), along)


def measured(
    along: Order, drawn: Sample, y: Floats, seen: NDArray[np.bool_], *, level: float
) -> Curve:
    """Return the curve along an order; y is how positive each judged unit is.

    `seen` says, place by place, which units a draw could have chosen.
    """
    judged = _judged(along, drawn, y)
    found = limits(gathered(judged, seen.astype(np.int64), len(along)), level)
    known = len(judged.rank) == len(along) and bool(np.all(judged.chance >= 1.0))
    made = banded(
        found,
        len(judged.rank),
        system=along.system,
        level=level,
        guarantee="exact" if known else "approximate",
    )
    return replace(made, warnings=_warnings(along, drawn, len(judged.rank), seen))


def positive(scale: Scale, labels: Floats, rel: float | None) -> Floats:
    """Return how positive each label is, from 0 to 1.

    >>> positive(Scale("grades", (), 0.0, 3.0), np.array([0.0, 2.0]), None).tolist()
    [0.0, 1.0]
    """
    if rel is not None and not scale.low < rel <= scale.high:
        raise UsageError(
            f"no label of {scale} begins to count at {rel:g}",
            do=f"Use a number above {scale.low:g}, up to {scale.high:g}",
        )
    if scale.kind == "classes":
        raise EstimateError(
            "classes are neither positive nor negative, so there is no precision",
            do="Use a study with labels such as no,yes",
        )
    if rel is None and scale.kind == "number" and not 0.0 <= scale.low < scale.high <= 1.0:
        raise UsageError(
            f"it is not said which numbers of {scale} are positive", do="Give the least: --rel"
        )
    if rel is None and scale.kind != "grades":
        return labels
    least = max(scale.low, 0.0) + 1.0 if rel is None else rel
    found: Floats = (labels >= least).astype(np.float64)
    return found


def _judged(along: Order, drawn: Sample, y: Floats) -> Judged:
    """Return the judged units in the order of the ranking."""
    place = along.place[drawn.rows]
    mine = np.flatnonzero(place > 0)
    mine = mine[np.argsort(place[mine])]
    if not len(mine):
        raise EstimateError(
            f"no judged unit is ranked by {along.system}",
            do=f"Draw for it: aliquot draw STUDY --budget N --goal curve:{along.system}",
        )
    chance = np.zeros(len(y)) if drawn.kind == "replacement" else drawn.pi
    return Judged(place[mine], y[mine], plain(drawn).weights(drawn)[mine], chance[mine])


def _warnings(along: Order, drawn: Sample, judged: int, seen: NDArray[np.bool_]) -> tuple[str, ...]:
    found = list(drawn.warnings)
    if judged < FEW and judged < len(along):
        found.append(f"only {judged} judged units lie along the ranking: draw more")
    unseen = len(along) - int(seen.sum())
    if unseen:
        found.append(
            f"no draw could have chosen {unseen} of the units that it ranks; the band allows for "
            "any labels there; draw again to narrow it"
        )
    if along.tied:
        found.append(
            f"{along.tied} units have a score that another one has too; among them the order is "
            "that of a hash of their ids, fixed before anything was drawn"
        )
    return tuple(found)

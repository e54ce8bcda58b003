"""Curve: precision at every rank of one system, with a band that holds at all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.core.order import Order, order
from aliquot.core.sample import Sample
from aliquot.core.spelling import parse
from aliquot.curves.base import Strategy
from aliquot.curves.cells import Judged, gathered
from aliquot.curves.limits import limits
from aliquot.curves.points import Curve
from aliquot.curves.registry import strategy
from aliquot.curves.sandwich import curve as banded
from aliquot.errors import EstimateError, UsageError
from aliquot.estimators.registry import plain
from aliquot.intervals.base import check_level
from aliquot.study.book import Book
from aliquot.study.positive import positive
from aliquot.study.reach import Chances
from aliquot.study.sampling import sample
from aliquot.study.spelled import STRATEGIES
from aliquot.study.staged import curve as strategic

METHODS = ("band", *(name for name in STRATEGIES if name != "band"))
USUAL = 0.95
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
    level: float = USUAL,
    method: str = "band",
    rel: float | None = None,
) -> Along:
    """Return the curve of a system from all labels of the study, whatever they were drawn for.

    `rel` is the least grade, or number, that counts as positive. `method` can be a strategy, if
    its labels are there: its curve then, from those that it asked for.
    """
    check_level(level)
    if parse(method).name not in METHODS:
        raise UsageError(
            f"'{method}' is not a method for curves", do=f"Methods are {', '.join(METHODS)}"
        )
    if method != "band":
        return _strategic(book, system, strategy(method), level=level, rel=rel)
    along = order(book.frame, system)
    drawn = sample(book)
    y = drawn.averaged(positive(book.scale, drawn.labels, rel)[None, :])[0]
    share = len(drawn) / len(book.ledger.draws()[-1].units.unit)
    seen = Chances(book, share).pi[along.rows] > 0
    return Along(measured(along, drawn, y, seen, level=level), along)


def _strategic(book: Book, system: str, how: Strategy, *, level: float, rel: float | None) -> Along:
    sure = 1.0 - how.delta
    if level not in (USUAL, sure):
        raise UsageError(
            f"the labels that {how} asked for are enough for level {sure:.4g}, not for {level:g}",
            do="Leave out the level; another one is spelled, and drawn, like delta=0.1",
        )
    found, along = strategic(book, system, how, rel)
    ties = _tied(along)
    return Along(replace(found, warnings=(*found.warnings, *ties)), along)


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
    return (*found, *_tied(along))


def _tied(along: Order) -> tuple[str, ...]:
    text = (
        f"{along.tied} units have a score that another one has too; among them the order is "
        "that of a hash of their ids, fixed before anything was drawn"
    )
    return (text,) if along.tied else ()

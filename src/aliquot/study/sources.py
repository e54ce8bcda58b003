"""The draws of a study with replacement as sources: one for each design, goal and frame."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.columns import Rows
from aliquot.core.frame import Floats
from aliquot.core.records import DrawRow
from aliquot.core.sources import Sources
from aliquot.errors import EstimateError
from aliquot.study.book import Book
from aliquot.study.pools import layers

WIDEST = 1 << 27  # sources times units that are held in memory: 1 GB
Name = tuple[str, str, str]


@final
@dataclass(frozen=True, eq=False)
class Origins:
    """What the draws of a study came from; `sources` is over the units of the frame.

    `goals` says what each source was drawn for, `judged` which rows of the frame have a label.
    """

    sources: Sources
    goals: tuple[str, ...]
    judged: Rows

    def of(self, rows: Rows) -> Sources:
        """Return the sources over some rows."""
        all_ = self.sources
        return Sources(all_.names, all_.draws, all_.chance[:, rows], all_.count[:, rows])


def named(draw: DrawRow) -> Name:
    """Name the source of a draw."""
    return draw.design, draw.goal, draw.frame_hash


def origins(book: Book) -> Origins:
    """Tell the draws of a study apart; what is not judged yet does not count as drawn.

    A batch is judged at the rate of its new units; of its draws that hit units with a label from
    before, as large a share counts.
    """
    draws = book.ledger.draws()
    _check(draws)
    labelled = {j.unit for j in book.ledger.judgments() if j.state == "label"}
    units = draws[-1].units
    judged = np.array([unit in labelled for unit in units.unit], dtype=np.bool_)
    hits, first = _hits(draws)
    rate = np.array([_rate(judged[first == b]) for b in range(len(draws))])
    own = np.where(judged, rate[first], 1.0)
    names = list(dict.fromkeys(named(draw) for draw in draws))
    if len(names) * len(book.frame) > WIDEST:
        raise EstimateError(
            f"{len(names)} sources over {len(book.frame)} units are too many for this estimator",
            do="Use estimator hh",
        )
    chance, count = np.zeros((2, len(names), len(book.frame)))
    made, rows = np.zeros(len(names)), book.frame.locate(units.key)
    for b, (draw, p) in enumerate(zip(draws, _chances(book, draws), strict=True)):
        j = names.index(named(draw))
        chance[j] = p
        count[j, rows] += np.where(judged, hits[b] * rate[b] / own, 0.0)
        made[j] += rate[b] * draw.budget
    texts = tuple(f"{design} for {goal}" for design, goal, _ in names)
    goals = tuple(goal for _, goal, _ in names)
    return Origins(Sources(texts, made, chance, count), goals, rows[judged])


def _check(draws: Sequence[DrawRow]) -> None:
    if not draws:
        raise EstimateError("nothing was drawn yet", do="Draw first: aliquot draw STUDY --budget N")
    if not json.loads(draws[-1].params)["replacement"]:
        raise EstimateError(
            "joint and simple estimates are of draws with replacement, and these are without",
            do="Use the default, which re-uses every label too; or draw with ubis or wr",
        )


def _rate(judged: NDArray[np.bool_]) -> float:
    """Return the judged share of a batch's new units; a batch without any is judged in full."""
    return float(judged.mean()) if len(judged) else 1.0


def _hits(draws: Sequence[DrawRow]) -> tuple[Floats, NDArray[np.int64]]:
    """Return how often each draw hit each unit, shape (draws, units), and whose each is first."""
    units = draws[-1].units
    place = {unit: i for i, unit in enumerate(units.unit)}
    hits, first = np.zeros((len(draws), len(units.unit))), np.zeros(len(units.unit), dtype=np.int64)
    held = np.zeros(len(units.unit))
    for b, draw in enumerate(draws):
        at = np.array([place[unit] for unit in draw.units.unit], dtype=np.int64)
        now = np.zeros(len(held))
        now[at] = draw.units.count
        hits[b], held = now - held, now
        first[at[draw.units.new]] = b
    return hits, first


def _chances(book: Book, draws: Sequence[DrawRow]) -> Iterator[Floats]:
    """Yield what each draw drew from, over the frame."""
    for layer in layers(book, draws):
        expected = [layer.chances(chunk, alone=True) for chunk in layer.chunks()]
        yield np.concatenate(expected) / layer.params["draws"]

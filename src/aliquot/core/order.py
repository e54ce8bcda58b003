"""The order in which a system puts the units of a frame: where a precision curve runs along.

A score orders units from the highest down. Runs order them by rank, topic by topic: every topic's
first unit, then every second one, so that the first units of the order are those that a cut at a
depth keeps. Equal scores, and equal ranks of several topics, are ordered by a hash of the unit's
id: fixed before any draw, the same in every study, and with no regard to labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.columns import Rows
from aliquot.core.frame import KEY, Floats, Frame, System
from aliquot.errors import FrameError


@final
@dataclass(frozen=True, eq=False)
class Order:
    """Units from the first to the last. `at` is the score of each, or its rank in its topic."""

    system: str
    rows: Rows
    at: Floats
    scored: bool
    units: int  # of the frame

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def place(self) -> NDArray[np.int64]:
        """The place of each row of the frame, from 1; 0 where the system does not order it."""
        found = np.zeros(self.units, dtype=np.int64)
        found[self.rows] = np.arange(1, len(self.rows) + 1)
        return found

    @property
    def cuts(self) -> NDArray[np.int64]:
        """The places after which a threshold on the score, or on the depth, can cut."""
        return np.flatnonzero(np.append(self.at[1:] != self.at[:-1], True)) + 1

    @property
    def tied(self) -> int:
        """How many units share their score with another one; 0 for a ranking."""
        return len(self) - len(self.cuts) if self.scored else 0

    def kept(self, threshold: float) -> int:
        """Return how many units a threshold keeps: score at least so high, or rank so low."""
        within = self.at >= threshold if self.scored else self.at <= threshold
        return int(within.sum())


def order(frame: Frame, name: str, *, units: int | None = None) -> Order:
    """Return the order of a system; `units` leaves out those that came to the frame later."""
    system = frame.system(name)
    if system.kind not in ("ranking", "scored"):
        gives = "labels" if system.kind == "predicted" else "a set"
        raise FrameError(
            f"{name} gives {gives}, no scores, so there is no curve along it",
            do=_advice(frame),
        )
    count = len(frame) if units is None else units
    keys, value, rows = _values(frame, system, count)
    tie = prn.mix(keys, "ties")
    falling = -value if system.kind == "scored" else value
    found = np.lexsort((keys, tie, falling))
    return Order(name, rows[found], value[found], system.kind == "scored", len(frame))


def _values(frame: Frame, system: System, count: int) -> tuple[NDArray[np.uint64], Floats, Rows]:
    keys = frame.columns.whole(KEY)
    if system.kind == "ranking":
        rows = system.rows[system.rows < count]
        ranks = system.ranks[: len(rows)].astype(np.float64)
        return keys[rows], ranks, rows
    score = frame.columns.whole(system.column)[:count].astype(np.float64)
    return keys[:count], score, np.arange(count)


def _advice(frame: Frame) -> str:
    names = [system.name for system in frame.systems if system.kind in ("ranking", "scored")]
    if not names:
        return "Add a system with scores: aliquot add-system STUDY --score NAME=COLUMN"
    return f"Systems with scores or ranks: {', '.join(names[:8])}{', ...' if names[8:] else ''}"

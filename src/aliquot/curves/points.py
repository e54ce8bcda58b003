"""A precision function at every rank, kept as a few points.

Between two neighbouring points the *number of positives* `rank * precision` is linear in the rank,
and so are `rank * low` and `rank * high`. That is the one rule by which every rank is filled in:
precision itself runs along a hyperbola (Davis and Goadrich 2006), recall along a line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aliquot.core.frame import Floats
from aliquot.errors import UsageError

Ranks = NDArray[np.int64]

Guarantee = Literal[
    "exact",
    "weak-monotone",
    "strong-monotone",
    "any-curve",
    "approximate",
    "approximate-monotone",
    "none",
]
"""What the ends promise, at every rank at once, with the curve's level.

`exact`: every label was seen. `weak-monotone` and `strong-monotone`: if precision, or the local
share of positives, falls as the strategy assumes. `any-curve`: whatever the curve looks like.
`approximate`: whatever the curve, if the labels are enough for a normal or bootstrap limit;
`approximate-monotone`: the same, if precision falls as assumed.
`none`: the labels refute what the strategy assumes, and the ends bound nothing.
"""


class Point(NamedTuple):
    """Precision at one rank and its two ends."""

    rank: int
    precision: float
    low: float
    high: float


class Values(NamedTuple):
    """Precision at many ranks and its two ends."""

    precision: Floats
    low: Floats
    high: Floats


@final
@dataclass(frozen=True, eq=False)
class Curve:
    """Precision at every rank from 1 to n, from the points at `ranks`.

    `queried` are the ranks where precision was estimated itself; `factor` is the largest ratio of
    truth and curve that was asked for, and `level` the confidence in it.

    >>> made = np.array([1.0, 0.5]), np.array([1.0, 0.4]), np.array([1.0, 0.6])
    >>> curve = Curve("", 4, 2, 4, np.array([1, 4]), *made, guarantee="any-curve")
    >>> curve.at(2)
    Point(rank=2, precision=0.6666666666666666, low=0.6, high=0.7333333333333333)
    """

    system: str
    n: int
    queries: int
    annotations: int
    ranks: Ranks
    precisions: Floats
    lows: Floats
    highs: Floats
    guarantee: Guarantee
    level: float = 0.95
    factor: float | None = None
    method: str = ""
    queried: Ranks = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        ranks = self.ranks
        if not len(ranks) or ranks[0] != 1 or ranks[-1] != self.n or np.any(np.diff(ranks) <= 0):
            raise UsageError(
                f"the points of a curve must go up from rank 1 to rank {self.n}",
                do="Give each rank once, the first and the last among them",
            )

    @property
    def points(self) -> tuple[Point, ...]:
        """The points, from the top of the ranking on."""
        columns = (self.ranks, self.precisions, self.lows, self.highs)
        return tuple(Point(*row) for row in zip(*(c.tolist() for c in columns), strict=True))

    def values(self, ranks: ArrayLike) -> Values:
        """Return precision and its ends at many ranks."""
        given = np.asarray(ranks)
        if given.dtype.kind not in "iu" and np.any(given != np.floor(given)):
            raise UsageError("a rank is no whole number", do=f"Ask for ranks from 1 to {self.n}")
        asked = given.astype(np.int64)
        if asked.size and (asked.min() < 1 or asked.max() > self.n):
            raise UsageError(
                "a rank lies outside the curve", do=f"Ask for ranks from 1 to {self.n}"
            )
        right = np.searchsorted(self.ranks, asked)
        left = np.maximum(right - (self.ranks[right] != asked), 0)
        gap = np.maximum(self.ranks[right] - self.ranks[left], 1)
        share = (asked - self.ranks[left]) / gap

        def fill(column: Floats) -> Floats:
            counts = self.ranks * column
            filled: Floats = (counts[left] + share * (counts[right] - counts[left])) / asked
            return np.where(left == right, column[left], filled)

        return Values(fill(self.precisions), fill(self.lows), fill(self.highs))

    def at(self, rank: int) -> Point:
        """Return precision and its ends at one rank."""
        precision, low, high = self.values([rank])
        return Point(int(rank), float(precision[0]), float(low[0]), float(high[0]))

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as JSON has it."""
        return {
            "system": self.system,
            "n": self.n,
            "queries": self.queries,
            "annotations": self.annotations,
            "points": [point._asdict() for point in self.points],
            "guarantee": self.guarantee,
            "level": self.level,
            "factor": self.factor,
            "method": self.method,
            "queried": self.queried.tolist(),
            "warnings": list(self.warnings),
        }

    def __repr__(self) -> str:
        head = f"{self.system}: " if self.system else ""
        return (
            f"<Curve {head}{self.n} ranks, {self.queries} queries, "
            f"{self.annotations} labels, {len(self.ranks)} points, {self.guarantee}>"
        )

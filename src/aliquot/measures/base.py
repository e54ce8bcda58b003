"""What a measure is: totals over the frame, and a smooth map from totals to one number.

`theta = g(L, K)` with unknown totals `L_j = sum_u c_j(u, y(u))` and known ones
`K_k = sum_u b_k(u)`. The influence of a unit is `psi(u, y) = sum_j dg/dL_j c_j(u, y)`: designs are
sized by it and variances are taken of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Output
from aliquot.measures.weighing import ALIKE, By

Floats = NDArray[np.float64]
Needs = Literal["nothing", "rank", "retrieved", "predicted"]


@final
@dataclass(frozen=True, eq=False)
class Items:
    """Some units as a measure sees them: one system's output, their topics, and the label range."""

    output: Output
    topics: NDArray[np.int64]
    topic_count: int
    high: float  # the label that a two-label scale calls 1, or the highest grade
    weight: Floats | None = None  # how much each unit counts, where they don't count alike

    def weighed(self, values: Floats) -> Floats:
        """Return values, shape (J, n), each times how much its unit counts."""
        return values if self.weight is None else values * self.weight

    def __len__(self) -> int:
        return len(self.topics)


class Measure(ABC):
    """A measure; its `str` parses back. Subclasses are final and frozen."""

    name: ClassVar[str]
    needs: ClassVar[Needs] = "nothing"
    linear: ClassVar[bool] = False
    counts: ClassVar[bool] = False  # whether it has known totals
    by_topic: ClassVar[bool] = False  # totals are kept topic by topic: L has shape (J, topics)
    pairs: ClassVar[bool] = False  # the first total is over pairs of units: see measures.pairs
    classes: ClassVar[bool] = False  # whether labels may be classes

    @property
    def weighing(self) -> By:
        """By which column units count; most measures let all of them count alike."""
        return ALIKE

    @abstractmethod
    def __str__(self) -> str:
        """Return the spelling."""

    @property
    def depth(self) -> int:
        """The deepest rank that it looks at; 0 if it looks at none."""
        return 0

    @abstractmethod
    def contributions(self, items: Items, y: Floats) -> Floats:
        """Return c, shape (J, n): what each unit adds to each total if its label is y."""

    def constants(self, items: Items) -> Floats:
        """Return b, shape (K, n): what each unit adds to each known total."""
        return np.empty((0, len(items)))

    @abstractmethod
    def value(self, totals: Floats, known: Floats) -> float:
        """Return theta = g(L, K); nan where it is not defined."""

    @abstractmethod
    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """Return dg/dL, in the shape of the totals."""

    def summed(self, items: Items, y: Floats) -> Floats:
        """Return the totals when the label of every unit is known."""
        return accumulate(self, items, self.contributions(items, y))

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """Return the range of the measure, given the lowest and the highest label."""
        return (0.0, 1.0)


def accumulate(measure: Measure, items: Items, weighted: Floats) -> Floats:
    """Sum contributions (J, n) into totals: shape (J,), or (J, topics) if kept by topic."""
    if not measure.by_topic:
        total: Floats = weighted.sum(axis=1)
        return total
    rows = [np.bincount(items.topics, weights=row, minlength=items.topic_count) for row in weighted]
    return np.stack(rows)


def influence(measure: Measure, items: Items, gradient: Floats, contributions: Floats) -> Floats:
    """Return psi(u, y) = sum_j dg/dL_j c_j(u, y), shape (n,)."""
    if measure.by_topic:
        found: Floats = (gradient[:, items.topics] * contributions).sum(axis=0)
        return found
    return gradient @ contributions


def discount(rank: NDArray[np.int32], base: float) -> Floats:
    """Return 1 / log_base(1 + rank), and 0 where the rank is 0.

    >>> discount(np.array([1, 3, 0], dtype=np.int32), 2.0)
    array([1. , 0.5, 0. ])
    """
    out = np.zeros(len(rank))
    ranked = rank > 0
    out[ranked] = np.log(base) / np.log1p(rank[ranked])
    return out

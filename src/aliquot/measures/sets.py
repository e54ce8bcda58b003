"""Precision, recall and F of a retrieved set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.core.spelling import Spelling
from aliquot.measures.base import Floats, Items, Measure, Needs
from aliquot.measures.weighing import ALIKE, By


def relevant(y: Floats, rel: int, items: Items) -> Floats:
    """Return 1 where a label counts as relevant (y >= rel), else 0, for each unit."""
    return np.broadcast_to(y >= rel, (len(items),)).astype(np.float64)


def retrieved(items: Items) -> Floats:
    """Return 1 where the system retrieves the unit, else 0."""
    if items.output.retrieved is None:
        return np.zeros(len(items))
    return items.output.retrieved.astype(np.float64)


def spelled(name: str, rel: int, by: By, more: tuple[tuple[str, float], ...] = ()) -> str:
    """Spell a measure of a set; options at their defaults stay unsaid."""
    options: tuple[tuple[str, int | float | str], ...] = tuple(o for o in more if o[1] != 1.0)
    options += (("rel", rel),) if rel != 1 else ()
    return str(Spelling(name, (), (*options, *by.options)))


@final
@dataclass(frozen=True)
class Precision(Measure):
    """The relevant share of what is retrieved: `L / K`, K the known number retrieved.

    6 relevant of 8 retrieved:

    >>> Precision().value(np.array([6.0]), np.array([8.0]))
    0.75
    """

    rel: int = 1
    by: By = ALIKE
    name: ClassVar[str] = "Precision"
    needs: ClassVar[Needs] = "retrieved"
    linear: ClassVar[bool] = True
    counts: ClassVar[bool] = True

    def __str__(self) -> str:
        return spelled("Precision", self.rel, self.by)

    @property
    def weighing(self) -> By:
        """By which column units count."""
        return self.by

    def contributions(self, items: Items, y: Floats) -> Floats:
        """A retrieved unit adds 1 where it is relevant."""
        return items.weighed((retrieved(items) * relevant(y, self.rel, items))[None, :])

    def constants(self, items: Items) -> Floats:
        """The number retrieved."""
        return items.weighed(retrieved(items)[None, :])

    def value(self, totals: Floats, known: Floats) -> float:
        """L / K."""
        return float(totals[0] / known[0]) if known[0] else float("nan")

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """1 / K."""
        return np.array([1.0 / known[0] if known[0] else 0.0])


@final
@dataclass(frozen=True)
class Recall(Measure):
    """The retrieved share of what is relevant: `L_1 / L_2`; influence `(1(ret) - R) y / L_2`.

    With `pool`, the frame holds this share of what is relevant, and L_2 is divided by it: recall is
    `theta nu` (Chaganty et al. 2017, Theorem 3).

    **A ratio of two estimated totals: consistent, with a bias of order 1/n.**

    6 relevant retrieved of 10 relevant:

    >>> Recall().value(np.array([6.0, 10.0]), np.array([]))
    0.6
    """

    rel: int = 1
    by: By = ALIKE
    pool: float = 1.0
    name: ClassVar[str] = "Recall"
    needs: ClassVar[Needs] = "retrieved"

    def __str__(self) -> str:
        return spelled("Recall", self.rel, self.by, (("pool", self.pool),))

    @property
    def weighing(self) -> By:
        """By which column units count."""
        return self.by

    def contributions(self, items: Items, y: Floats) -> Floats:
        """A relevant unit adds 1 to all, and 1 to the found if it is retrieved."""
        hit = relevant(y, self.rel, items)
        return items.weighed(np.stack([retrieved(items) * hit, hit / self.pool]))

    def value(self, totals: Floats, known: Floats) -> float:
        """L_1 / L_2."""
        return float(totals[0] / totals[1]) if totals[1] > 0 else float("nan")

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """(1, -R) / L_2."""
        if totals[1] <= 0:
            return np.zeros(2)
        found: Floats = np.array([1.0, -totals[0] / totals[1]]) / totals[1]
        return found


@final
@dataclass(frozen=True)
class F(Measure):
    """F-beta: `(1 + b^2) L_1 / (K + b^2 L_2)`, K the number retrieved; F1 is b = 1.

    **A ratio with an estimated denominator: consistent, with a bias of order 1/n.**

    6 relevant among 8 retrieved, 10 relevant in all: 2 * 6 / (8 + 10).

    >>> round(F().value(np.array([6.0, 10.0]), np.array([8.0])), 4)
    0.6667
    """

    beta: float = 1.0
    rel: int = 1
    by: By = ALIKE
    pool: float = 1.0
    name: ClassVar[str] = "F"
    needs: ClassVar[Needs] = "retrieved"
    counts: ClassVar[bool] = True

    def __str__(self) -> str:
        more = (("beta", self.beta), ("pool", self.pool))
        return spelled("F1" if self.beta == 1.0 else "F", self.rel, self.by, more)

    @property
    def weighing(self) -> By:
        """By which column units count."""
        return self.by

    def contributions(self, items: Items, y: Floats) -> Floats:
        """As for recall."""
        hit = relevant(y, self.rel, items)
        return items.weighed(np.stack([retrieved(items) * hit, hit / self.pool]))

    def constants(self, items: Items) -> Floats:
        """The number retrieved."""
        return items.weighed(retrieved(items)[None, :])

    def value(self, totals: Floats, known: Floats) -> float:
        """(1 + b^2) L_1 / (K + b^2 L_2)."""
        square = self.beta**2
        below = known[0] + square * totals[1]
        return float((1 + square) * totals[0] / below) if below > 0 else float("nan")

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """((1 + b^2), -b^2 F) / (K + b^2 L_2)."""
        square = self.beta**2
        below = known[0] + square * totals[1]
        if below <= 0:
            return np.zeros(2)
        value = (1 + square) * totals[0] / below
        found: Floats = np.array([1 + square, -square * value]) / below
        return found

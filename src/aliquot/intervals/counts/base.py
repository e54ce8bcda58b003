"""What is asked of counts, and what every method answers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.errors import UsageError
from aliquot.intervals.base import check_level
from aliquot.intervals.betabin import Strata, Value
from aliquot.intervals.posterior import SIDES, Side

Ends = tuple[float, float]
NONE = Strata.of([], [], [])
MEASURES = ("recall", "precision", "f1", "elusion", "proportion", "prevalence", "yield")


@final
@dataclass(frozen=True, eq=False)
class Question:
    """A measure of what is retrieved and what is not, at a level, on one side or both.

    `proportion`, `prevalence` and `yield` are of all strata; `precision` of the retrieved ones,
    `elusion` of the others. `weight` is the beta of F.

    >>> Question("recall", Strata.of(2_000, 100, 50), Strata.of(100_000, 100, 3)).estimate
    0.25
    """

    measure: str
    retrieved: Strata = field(default_factory=lambda: NONE)
    unretrieved: Strata = field(default_factory=lambda: NONE)
    weight: float = 1.0
    level: float = 0.95
    side: Side = "two"

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            names = ", ".join(MEASURES)
            raise UsageError(f"'{self.measure}' is not a measure", do=f"Measures are {names}")
        if self.side not in SIDES:
            raise UsageError(f"'{self.side}' is not a side", do=f"Sides are {', '.join(SIDES)}")
        if not (self.weight > 0 and math.isfinite(self.weight)):
            raise UsageError(f"beta {self.weight:g} is not above 0", do="Use one such as 1 or 2")
        check_level(self.level)

    @property
    def ratio(self) -> bool:
        """Whether the denominator is estimated too."""
        return self.measure in ("recall", "f1")

    @cached_property
    def strata(self) -> Strata:
        """The strata in which positives are counted; for a ratio, all of them."""
        one_side = {"precision": self.retrieved, "elusion": self.unretrieved}
        if self.measure in one_side:
            return one_side[self.measure]
        return self.retrieved.joined(self.unretrieved)

    @property
    def top(self) -> float:
        """The greatest value that the measure can have."""
        return self.strata.size if self.measure == "yield" else 1.0

    @property
    def unknown(self) -> bool:
        """Whether the counts say nothing: no positive was sampled, and recall is not defined."""
        return self.measure == "recall" and self.strata.found == 0

    @cached_property
    def estimate(self) -> float:
        """The point estimate, from `N r / n` in each stratum; nan where it is not defined."""
        A, B = self.retrieved.estimate, self.unretrieved.estimate
        return self.value(A, B)

    def value(self, A: float, B: float) -> float:
        """Return the measure if A positives are retrieved and B are not."""
        if self.measure == "recall":
            return A / (A + B) if A + B > 0 else math.nan
        if self.measure == "f1":
            square = self.weight**2
            under = self.retrieved.size + square * (A + B)
            return (1.0 + square) * A / under if under > 0 else math.nan
        many = {"precision": A, "elusion": B}.get(self.measure, A + B)
        if self.measure == "yield":
            return many
        return many / self.strata.size if self.strata.size else math.nan

    @property
    def z(self) -> float:
        """The normal quantile of the level and side."""
        return NormalDist().inv_cdf(1.0 - self.tail)

    @property
    def tail(self) -> float:
        """How often each end that is given may miss."""
        return (1.0 - self.level) / (2.0 if self.side == "two" else 1.0)

    def around(self, low: float, high: float) -> Ends:
        """Return the ends that the side asks for; the other one says nothing."""
        return (
            0.0 if self.side == "upper" else low,
            self.top if self.side == "lower" else high,
        )


class Counted(ABC):
    """A way from counts to an interval. Subclasses are final and stateless."""

    name: ClassVar[str]
    summary: ClassVar[str]  # what it assumes or promises, in a few words

    def __str__(self) -> str:
        return self.name

    def fits(self, question: Question) -> bool:
        """Whether the method says anything about this measure of these strata."""
        return True

    @abstractmethod
    def ends(self, question: Question) -> Ends:
        """Return both ends as the formula gives them, even beyond what is possible."""

    def interval(self, question: Question) -> Ends:
        """Return both ends, within what is possible."""
        if question.unknown:
            return 0.0, question.top
        low, high = self.ends(question)
        low, high = (min(max(end, 0.0), question.top) for end in (low, high))
        return low, max(high, low)


def yields(strata: Strata, added: float = 0.0) -> tuple[float, float]:
    """Return the positives in all strata and the variance of their number."""
    keep = strata.n > 0
    many, spread = each_yield((strata.N[keep], strata.n[keep], strata.r[keep]), added)
    return float(many.sum()), float(spread.sum())


def each_yield(counts: tuple[Value, Value, Floats], added: float) -> tuple[Floats, Floats]:
    """Return the positives of each segment and their variance, with `added` to both its counts.

    `N p` and `N^2 (1 - n/N) p (1 - p) / n`: Webber (2013), Eqs. 4, 11 and 26, with the finite
    population correction that his tables have and his equations lack.
    """
    N, n, r = counts
    seen = n + 2.0 * added
    p = (r + added) / seen
    spread = np.maximum(N**2 * (1.0 - n / N) * p * (1.0 - p) / seen, 0.0)
    return np.asarray(N * p), np.asarray(spread)

"""Calibrated coverage: whether an interval covers as often as it says.

Both error rates of the test are known beforehand. For 95 % claimed and 92 % to be caught, at least
3,826 of 4,101 replicates must cover: a good interval then fails in 7 of ten million such tests, and
a bad one passes in 1 of a thousand. Seeds are fixed, so a test that passes once passes for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from aliquot.core.estimate import Interval
from aliquot.errors import UsageError


@final
@dataclass(frozen=True)
class Plan:
    """A test of coverage: pass with at least `hits` of `replicates`.

    >>> Plan().false_alarm < 7.5e-7, Plan().miss < 1.1e-3
    (True, True)
    """

    claimed: float = 0.95
    caught: float = 0.92
    replicates: int = 4_101
    hits: int = 3_826

    def __post_init__(self) -> None:
        if not 0.0 < self.caught < self.claimed < 1.0:
            raise UsageError(
                f"a coverage of {self.caught:g} can't be told from {self.claimed:g}",
                do="Catch a coverage below the one claimed, both between 0 and 1",
            )
        if not 0 < self.hits <= self.replicates:
            raise UsageError(
                f"{self.hits} hits of {self.replicates} replicates can't be asked for",
                do="Ask for at least 1 hit and at most one a replicate",
            )

    @property
    def false_alarm(self) -> float:
        """P(fewer hits) if the interval covers exactly as claimed: binomial, exact."""
        return _at_most(self.hits - 1, self.replicates, self.claimed)

    @property
    def miss(self) -> float:
        """P(enough hits) if it covers only as often as is to be caught: binomial, exact."""
        return 1.0 - _at_most(self.hits - 1, self.replicates, self.caught)


@final
@dataclass(frozen=True)
class Covered:
    """What a test of coverage found."""

    plan: Plan
    hits: int
    width: float  # the mean

    @property
    def passed(self) -> bool:
        """Whether enough intervals covered."""
        return self.hits >= self.plan.hits

    @property
    def coverage(self) -> float:
        """The share of intervals that covered."""
        return self.hits / self.plan.replicates


def cover(plan: Plan, interval: Callable[[int], Interval], truth: float) -> Covered:
    """Make one interval for each seed from 0 on, and count those that hold the truth."""
    hits, width = 0, 0.0
    for seed in range(plan.replicates):
        one = interval(seed)
        hits += one.low <= truth <= one.high
        width += one.width
    return Covered(plan, hits, width / plan.replicates)


def _at_most(hits: int, replicates: int, chance: float) -> float:
    """Return P(X <= hits), X binomial."""
    from scipy.special import bdtr

    return float(bdtr(hits, replicates, chance))

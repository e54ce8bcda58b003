"""Confidence intervals from an estimate and its standard error."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from statistics import NormalDist
from typing import ClassVar

from aliquot.core.estimate import Estimate, Interval
from aliquot.errors import SpellingError


def z(level: float) -> float:
    """Return the two-sided normal quantile.

    >>> round(z(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf(0.5 + level / 2.0)


def two_sided_p(difference: float, stderr: float) -> float:
    """Return the two-sided normal p-value of a difference.

    >>> round(two_sided_p(1.96, 1.0), 3)
    0.05
    """
    if math.isnan(difference):
        return math.nan
    if stderr <= 0:
        return 1.0 if difference == 0 else 0.0
    return math.erfc(abs(difference) / stderr / math.sqrt(2.0))


def check_level(level: float) -> float:
    """Refuse a level that is not between 0 and 1."""
    if not 0.0 < level < 1.0 or 0.5 + level / 2.0 == 1.0:  # no quantile belongs to the latter
        raise SpellingError(f"level {level:g} is not between 0 and 1", do="Use one such as 0.95")
    return level


class Method(ABC):
    """A way to turn an estimate into an interval. Subclasses are final and stateless."""

    name: ClassVar[str]
    bounded: ClassVar[bool] = False  # whether it needs every draw, `Estimate.terms`
    counts: ClassVar[bool] = False  # whether it needs counts in strata, `Estimate.cells`

    def __str__(self) -> str:
        return self.name

    @abstractmethod
    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """Return the two ends, before they are kept within the measure's bounds."""

    def interval(self, estimate: Estimate, level: float) -> Interval:
        """Return the interval: within the bounds, and widened by what the draws could not see."""
        check_level(level)
        if estimate.guarantee == "exact":
            return Interval(estimate.estimate, estimate.estimate, level, "exact")
        alone, (bottom, top) = (estimate.estimate, estimate.estimate), estimate.bounds
        if math.isinf(estimate.stderr):  # one group says nothing of others
            return Interval(bottom, top, level, "none")
        low, high = alone if estimate.shape == "known" else self.ends(estimate, level)
        if estimate.cells is not None and estimate.slack == (0.0, 0.0):  # cells hold all units
            low, high = estimate.cells.within(low, high, estimate.estimate)
        low, high = low - estimate.slack[0], high + estimate.slack[1]
        low, high = min(max(low, bottom), top), max(min(high, top), bottom)
        return Interval(low, high, level, self.name)

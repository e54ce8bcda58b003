"""Wilson's interval, and what to say when every label seen was the same."""

from __future__ import annotations

import math
from typing import ClassVar, final

from aliquot.core.estimate import Estimate
from aliquot.intervals.base import Method, z


@final
class Wilson(Method):
    """Wilson (1927) with the effective sample size: never empty, never of zero width.

    30 of 30 right is at least 0.886 (95 %):

    >>> e = Estimate("", "Mean", 1.0, 0.0, 30, 30.0, "ht", "design-unbiased")
    >>> round(Wilson().ends(e, 0.95)[0], 3)
    0.886
    """

    name: ClassVar[str] = "wilson"

    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """The score interval of a proportion."""
        bottom, top = estimate.bounds
        x = min(max((estimate.estimate - bottom) / (top - bottom), 0.0), 1.0)
        n, square = max(_size(estimate, x), 1e-9), z(level) ** 2
        centre = (x + square / (2 * n)) / (1 + square / n)
        inside = max(x * (1 - x) / n + square / (4 * n * n), 0.0)
        half = z(level) / (1 + square / n) * math.sqrt(inside)
        low, high = min(centre - half, x), max(centre + half, x)  # rounding moves an end past x
        return bottom + low * (top - bottom), bottom + high * (top - bottom)


def _size(estimate: Estimate, x: float) -> float:
    """Return the effective sample size: that of the variance, if it is larger than the count.

    The variance knows what stratification and a sampled share of the frame have gained.
    """
    width = estimate.bounds[1] - estimate.bounds[0]
    if estimate.stderr <= 1e-9 * width or not 1e-9 < x < 1.0 - 1e-9:
        return estimate.effective_n
    return max(estimate.effective_n, x * (1.0 - x) * (width / estimate.stderr) ** 2)


@final
class Unseen(Method):
    """For a sample in which nothing was found: from 0 to `-ln(1 - level) reach`.

    If what is missed had the weight x in the estimate, a sample without any of it would have a
    chance of at most exp(-x / reach). One-sided at the full level: the rule of three.
    """

    name: ClassVar[str] = "unseen"

    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """Zero, and the rule of three."""
        return estimate.estimate, estimate.estimate - math.log1p(-level) * estimate.reach

"""Gamma intervals for weighted totals."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import ClassVar, final

from aliquot.core.estimate import Estimate
from aliquot.intervals.base import Method


@final
class Gamma(Method):
    """For totals of units of unequal weight: Fay and Feuer's (1997) gamma interval, on both sides.

    Above, the estimate x and its variance V are those of a gamma distribution after one more
    relevant unit was seen, of weight w: `mean x + w, variance V + w^2`. Below, they are those of x
    and V alone; and, since an unseen unit may as well lack what the seen ones have, no more than
    the top of the scale less the upper limit of what is missing. A linearised interval ignores the
    unit that was not drawn, and covers too little where weights are heavy; this one does not. w is
    the mean weight of a unit, each taken as often as it counts: `sum a^2 / pi / sum a`.

    Nothing found, one unit stands for 0.1: at most 0.369 (the rule of three, two-sided).

    >>> e = Estimate("", "P@10", 0.0, 0.0, 9, 9.0, "ht", "design-unbiased", weight=0.1)
    >>> [round(end, 2) for end in Gamma().ends(e, 0.95)]
    [0.0, 0.37]
    """

    name: ClassVar[str] = "gamma"

    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """Both limits, each allowing for one more unit."""
        bottom, top = estimate.bounds
        x = min(max(estimate.estimate - bottom, 0.0), top - bottom)
        variance, w, tail = estimate.stderr**2, estimate.weight, (1.0 - level) / 2.0
        low = quantile(x, variance, tail)
        high = quantile(x + w, variance + w * w, 1.0 - tail)
        if math.isfinite(top):
            missing = quantile(top - bottom - x + w, variance + w * w, 1.0 - tail)
            low = max(0.0, min(low, top - bottom - missing))
        return bottom + low, bottom + high


def quantile(mean: float, variance: float, p: float) -> float:
    """Return a quantile of the gamma distribution with a mean and a variance.

    By the cube-root approximation (Wilson and Hilferty 1931), which needs no table. Upper limits
    are right to 1 %; a lower limit that rests on one or two units is too low: the safe side.
    """
    if mean <= 0.0 or variance <= 0.0:
        return max(mean, 0.0)
    ninth = variance / (9.0 * mean * mean)
    root = 1.0 - ninth + NormalDist().inv_cdf(p) * math.sqrt(ninth)
    return mean * max(root, 0.0) ** 3

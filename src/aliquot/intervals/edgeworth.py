"""Normal intervals corrected for skewness, by Edgeworth's expansion."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import ClassVar, final

import numpy as np

from aliquot.core.estimate import Estimate
from aliquot.intervals.base import Method, z
from aliquot.intervals.bounded import terms


def distribution(x: float, skewness: float, n: int) -> float:
    """Return P((estimate - truth) / stderr <= x) with the first term of the studentised expansion.

    `Phi(x) + g (2 x^2 + 1) phi(x) / (6 sqrt n)`; Schnabel et al. (2016, section 6.1) print the term
    of a known sigma, `g (1 - x^2)`.

    >>> round(distribution(-1.96, 2.15, 200), 4)
    0.0379
    """
    normal = NormalDist()
    more = skewness * (2.0 * x * x + 1.0) * normal.pdf(x) / (6.0 * math.sqrt(n))
    return normal.cdf(x) + more


@final
class Edgeworth(Method):
    """`estimate - stderr T(+-z)`, T the quantile of the studentised mean of skewed draws.

    `T(z) = z - g (2 z^2 + 1) / (6 sqrt n) + O(1/n)`, by Hall's (1992) cubic transformation, which
    never falls. **Approximate, and better than `normal` where draws are skewed and many.**
    """

    name: ClassVar[str] = "edgeworth"
    bounded: ClassVar[bool] = True

    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """Longer on the side of the tail."""
        draws = terms(self.name, estimate).values
        spread = float(draws.std())
        skewness = float(np.mean((draws - draws.mean()) ** 3)) / spread**3 if spread > 0 else 0.0
        short, long = (_studentised(side * z(level), skewness, len(draws)) for side in (1.0, -1.0))
        low, high = (estimate.estimate - t * estimate.stderr for t in (short, long))
        return min(low, estimate.estimate), max(high, estimate.estimate)


def _studentised(x: float, skewness: float, n: int) -> float:
    """Return the quantile of the studentised mean that belongs to a normal one."""
    g = skewness / math.sqrt(n)
    if abs(g) < 1e-6:
        return x
    return 3.0 / g * (float(np.cbrt(1.0 + g * (x - g / 6.0))) - 1.0)

"""How far the largest of many correlated errors goes: quantiles of max |Z| over a whole curve.

The estimated number of positives down to rank r is a sum of independent parts, so its error,
divided by its standard deviation, is a stationary Gaussian chain with correlation
`sqrt(V_j / V_k)` between two ranks: an Ornstein-Uhlenbeck process in the time `ln(V) / 2`. The
chance that it stays within +-u is found by carrying its density from rank to rank (Gauss-Legendre
nodes); no simulation, and no union bound, which would ask for u = 3.9 where 3.3 is enough.

**The errors are taken to be normal.** `curves.limits` adds what skewness does to that.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from aliquot.core.frame import Floats

NODES = 80
CLOSE = 0.01  # the shortest time between two ranks that the nodes resolve
SHIFT = 0.5826 * math.sqrt(2.0)  # a chain seen at every dt goes this * sqrt(dt) less far (Siegmund)


def critical(length: float, steps: int, level: float) -> float:
    """Return u with P(all |Z| <= u) = level, for `steps` steps over a time `length`.

    Rounded up to three digits, and the length to twentieths.

    >>> critical(0.0, 0, 0.95)  # one rank: the usual quantile
    1.96
    >>> critical(7.0, 700, 0.95)
    3.34
    """
    return _critical(math.ceil(length * 20.0 - 1e-9) / 20.0, steps, level)


@lru_cache(maxsize=4096)
def _critical(length: float, steps: int, level: float) -> float:
    resolved = max(1, min(steps, int(length / CLOSE)))
    closer = 0.0
    if steps > resolved:
        closer = SHIFT * (math.sqrt(length / resolved) - math.sqrt(length / steps))
    low, high = 0.0, 8.0
    while high - low > 1e-4:
        middle = (low + high) / 2.0
        if stays(middle, length, resolved if steps else 0) < level:
            low = middle
        else:
            high = middle
    return math.ceil((high + closer) * 1000.0 - 0.11) / 1000.0


def stays(limit: float, length: float, steps: int) -> float:
    """Return P(|Z| <= limit at every step) for a stationary chain of evenly spaced times.

    >>> round(stays(1.96, 0.0, 0), 4)
    0.95
    """
    node, weight = _nodes()
    x, w = node * limit, weight * limit
    still: Floats = np.ones(NODES)
    if steps and length > 0:
        rho = math.exp(-length / steps)
        spread = math.sqrt(1.0 - rho * rho)
        power = _normal((x[None, :] - rho * x[:, None]) / spread) / spread * w[None, :]
        left = steps
        while left:  # the kernel to the power `steps`, by squaring
            if left & 1:
                still = power @ still
            left >>= 1
            power = power @ power if left else power
    return float((_normal(x) * w) @ still)


@lru_cache(maxsize=1)
def _nodes() -> tuple[Floats, Floats]:
    node, weight = np.polynomial.legendre.leggauss(NODES)
    return node, weight


def _normal(x: Floats) -> Floats:
    found: Floats = np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return found

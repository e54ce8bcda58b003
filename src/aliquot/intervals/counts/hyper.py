"""The hypergeometric distribution: what a sample shows of a stratum of known content."""

from __future__ import annotations

import math

import numpy as np

from aliquot.core.frame import Floats


def span(N: int, R: int, n: int) -> tuple[int, int]:
    """Return between which counts nearly all of the distribution lies: all but 1e-13 of it."""
    low, high = max(0, n - (N - R)), min(n, R)
    p = R / N if N else 0.0
    sd = math.sqrt(max(n * p * (1.0 - p) * (N - n) / max(N - 1, 1), 0.0))
    wide = 8.0 * sd + 14.0
    return max(low, math.floor(n * p - wide)), min(high, math.ceil(n * p + wide))


def pmf(N: int, R: int, n: int) -> tuple[int, Floats]:
    """Return the first count of the span, and the probability of each count from there on.

    Webber (2013), Eq. 6.

    >>> first, p = pmf(10, 4, 3)
    >>> first, p.round(4).tolist()
    (0, [0.1667, 0.5, 0.3, 0.0333])
    """
    from scipy.special import gammaln

    first, last = span(N, R, n)
    r = np.arange(first, last + 1.0)
    k, rest = float(R), float(N - R)
    logs = -gammaln(r + 1) - gammaln(k - r + 1) - gammaln(n - r + 1) - gammaln(rest - n + r + 1)
    p: Floats = np.exp(logs - logs.max())
    return first, p / p.sum()


def at_most(r: int, N: int, R: int, n: int) -> float:
    """Return P(count <= r)."""
    first, p = pmf(N, R, n)
    return float(p[: max(r - first + 1, 0)].sum())


def least(N: int, n: int, r: int, tail: float) -> int:
    """Return the lower limit of the positives: the fewest that show r or more with P > tail.

    >>> least(100, 10, 3, 0.025)
    8
    """
    low, high = r, N - n + r  # P(count >= r) grows with R, and is 1 at the top
    while low < high:
        middle = (low + high) // 2
        if 1.0 - at_most(r - 1, N, middle, n) > tail:
            high = middle
        else:
            low = middle + 1
    return low


def most(N: int, n: int, r: int, tail: float) -> int:
    """Return the upper limit of the positives.

    >>> most(1_000, 100, 0, 0.025)
    34
    """
    return N - least(N, n, n - r, tail)

"""Does precision fall as weak monotonicity says? What the labels so far can tell.

Two looks. Among the ranks that were all labelled, exactly: no p(j) above p(i) with i >= r~ and
j >= i + m. And among the query points: whether any precision function at all fits between their
ends, and whether two estimates rise by more than three standard errors.
"""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.base import Monotone
from aliquot.curves.known import Known


def first_rise(labels: Floats, start: int, m: int) -> tuple[int, int] | None:
    """Return the first rank i >= start and the highest later one, m or more below, that exceeds it.

    >>> first_rise(np.array([1.0, 0.0, 0.0, 1.0, 1.0]), 1, 2)
    (2, 5)
    >>> first_rise(np.array([1.0, 1.0, 0.0, 1.0, 0.0]), 1, 2) is None
    True
    """
    n = len(labels)
    if start + m > n:
        return None
    ranks = np.arange(1, n + 1)
    precision = np.cumsum(labels) / ranks
    highest = np.maximum.accumulate(precision[::-1])[::-1]  # from each rank on
    rising = highest[start - 1 + m :] > precision[start - 1 : n - m] + 1e-12
    if not rising.any():
        return None
    i = start + int(np.argmax(rising))
    return i, i + m + int(np.argmax(precision[i + m - 1 :]))


def steepest_rise(known: Known, spread: Floats, asked: Monotone) -> tuple[int, int] | None:
    """Return two query points, m or more apart, of which the lower is the better by far.

    Better by more than the factor 1 + epsilon, and than three standard errors. `spread` is
    sum_j w_j^2 / n_j; the variance of an estimate is at most p (1 - p) times that, or nearly, for
    strata only lower it.
    """
    queried = slice(known.tops, known.tops + len(spread))
    p, ranks = known.precision[queried], known.ranks[queried]
    variance = p * (1.0 - p) * spread
    rise = p[None, :] - p[:, None] * (1.0 + asked.epsilon)
    apart = ranks[None, :] - ranks[:, None] >= asked.m
    chance = 3.0 * np.sqrt(variance[None, :] + variance[:, None])
    score = np.where(apart, np.minimum(rise, p[None, :] - p[:, None] - chance), -1.0)
    if not score.size or score.max() <= 0.0:
        return None
    i, j = divmod(int(np.argmax(score)), len(p))
    return int(ranks[i]), int(ranks[j])

"""Where AdaStrat asks next: bisection in log rank, Algorithm 1's function PR."""

from __future__ import annotations

import math

import numpy as np

from aliquot.curves.base import Monotone
from aliquot.curves.known import Known


def next_query(known: Known, asked: Monotone, start: int) -> int | None:
    """Return the middle of the first interval whose envelope is too high, None if none is.

    "First" is from the left: on exact precisions these are the queries of the recursion, in its
    order, for an interval that is low enough stays so.
    """
    wide = (1.0 + asked.epsilon) ** 2
    ranks = known.ranks
    heights = known.envelope(asked.m, start).heights()
    far = ranks[1:] > wide * ranks[:-1]
    far[: known.tops - 1] = False
    split = np.flatnonzero(far & (heights > wide * (1.0 + 1e-12)))
    if not len(split):
        return None
    return middle(int(ranks[split[0]]), int(ranks[split[0] + 1]))


def middle(left: int, right: int) -> int:
    """Return round(sqrt(l r)), exactly.

    >>> middle(4, 16), middle(2, 3), middle(10**15, 4 * 10**15)
    (8, 2, 2000000000000000)
    """
    product = left * right
    root = math.isqrt(product)
    return root + (product - root * root > root)


def nodes(left: int, right: int, epsilon: float) -> int:
    """Return how many query points there can be: the whole tree of bisections, and N.

    >>> nodes(3492, 35_615_000, 0.03)
    256
    """
    wide, count, open_ = (1.0 + epsilon) ** 2, 1, [(left, right)]
    while open_:
        low, high = open_.pop()
        if high > wide * low:
            split = middle(low, high)
            count += 1
            open_ += [(low, split), (split, high)]
    return count

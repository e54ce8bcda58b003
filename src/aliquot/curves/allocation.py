"""How many labels each stratum of a ranking should get, so that no rank is worse than asked.

The relative variance of the number of positives must stay below a bound at every rank, and what is
drawn in a stratum counts for all ranks below it:

    minimise sum n_h  such that  sum_{h <= k} a_h / n_h <= b_k  for every k.

With A_k the cumulated sqrt(a_h), the smallest sum has `sqrt(a_h) / n_h` = the slope, at h, of the
greatest convex minorant of the points (A_k, b_k) (the Lagrange multipliers of the bounds are its
kinks; Neyman's allocation is the case of one bound). A curve of constant precision gets a density
of labels proportional to 1 / rank.
"""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats


def least(a: Floats, b: Floats) -> Floats:
    """Return the n_h of the smallest sum; a bound may be infinite.

    >>> least(np.array([4.0, 4.0]), np.array([np.inf, 4.0])).tolist()  # (2 + 2) / 4 * sqrt(a)
    [2.0, 2.0]
    >>> least(np.array([4.0, 4.0]), np.array([1.0, 4.0])).tolist()
    [4.0, 1.3333333333333333]
    """
    roots = np.sqrt(a)
    x = np.concatenate([[0.0], np.cumsum(roots)])
    y = np.concatenate([[0.0], b])
    hull = [0]
    for i in np.flatnonzero(np.isfinite(y[1:]) & (roots > 0)) + 1:
        while len(hull) > 1 and _above(x, y, hull[-2:], int(i)):
            hull.pop()
        hull.append(int(i))
    corner = np.array(hull)
    slope = np.diff(y[corner]) / np.diff(x[corner])
    place = np.clip(np.searchsorted(x[corner], x[1:], side="left") - 1, 0, len(slope) - 1)
    found: Floats = roots / np.maximum(slope[place], 1e-300)
    return found


def _above(x: Floats, y: Floats, last: list[int], i: int) -> bool:
    """Say whether the last corner lies on or above the line from the one before it to point i."""
    j, k = last
    return bool((y[k] - y[j]) * (x[i] - x[j]) >= (y[i] - y[j]) * (x[k] - x[j]))

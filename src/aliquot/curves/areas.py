"""One number from a curve: average precision, and the area under ROC, with their ends.

Average precision is the mean of i / r_i over the P positives, the i-th of which stands at rank r_i:
no higher than where the curve's high end reaches i positives, no lower than where its low end does.
On a stretch where C is linear, r_i = a + i / s, and the sum of i / r_i from i = b to c is
s (c - b + 1 - a s (psi(a s + c + 1) - psi(a s + b))): no array over ranks is made.

The area is the share of pairs of a positive and a negative that are in the right order:
1 - (N P - S - P (P + 1) / 2) / (P (N - P)), with S the sum of C(j) over the ranks j < N.

Both rise with C, so each end is that of the curve's own, for every P between the ends at N, with
what P itself says of the ranks above: C(j) <= P and C(j) >= P - (N - j). They hold with the
curve's confidence, for all of its functions at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.points import Curve

TOTALS = 33  # numbers of positives that are tried between the two ends
ROUNDING = 1e-6  # rank * precision is a whole number but for this

Area = Callable[[Floats, Floats, float], float]


def average_precision(curve: Curve) -> tuple[float, float, float]:
    """Return average precision and its two ends.

    >>> from aliquot.curves.assemble import census
    >>> found = census(np.array([1.0, 0.0, 1.0, 0.0]))
    >>> curve = Curve("", 4, 0, 4, *vars(found).values(), guarantee="exact")
    >>> [round(one, 4) for one in average_precision(curve)]
    [0.8333, 0.8333, 0.8333]
    """
    return _ends(curve, _precision)


def roc_area(curve: Curve) -> tuple[float, float, float]:
    """Return the area under the ROC curve and its two ends."""
    return _ends(curve, _order)


def _ends(curve: Curve, area: Area) -> tuple[float, float, float]:
    ranks, n, whole = curve.ranks.astype(float), curve.n, curve.at(curve.n)
    estimate = area(*_started(ranks, ranks * curve.precisions), 0.0)
    if whole.low == whole.high and np.array_equal(curve.lows, curve.highs):
        return estimate, estimate, estimate
    low, high = [], []
    least, most = np.ceil(n * whole.low - ROUNDING), np.floor(n * whole.high + ROUNDING)
    for total in np.unique(np.round(np.linspace(least, max(least, most), TOTALS))):
        at, counts = _started(ranks, ranks * curve.lows)
        at, counts = _with(at, counts, counts - (total - (n - at)))
        low.append(area(at, np.clip(counts, total - (n - at), total), 1.0))
        at, counts = _started(ranks, ranks * curve.highs)
        at, counts = _with(at, counts, counts - total)
        high.append(area(at, np.minimum(counts, total), 0.0))
    return estimate, max(0.0, min(low)), min(1.0, max(high))


def _started(ranks: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return a path of counts from rank 0 that never falls."""
    return np.append(0.0, ranks), np.maximum.accumulate(np.append(0.0, counts))


def _with(ranks: Floats, counts: Floats, over: Floats) -> tuple[Floats, Floats]:
    """Return a path with the ranks added at which `over`, linear between its points, is 0."""
    left, right = over[:-1], over[1:]
    change = np.flatnonzero(left * right < 0.0)
    share = left[change] / (left[change] - right[change])
    crossing = ranks[change] + share * (ranks[change + 1] - ranks[change])
    at = np.union1d(ranks, crossing)
    return at, np.interp(at, ranks, counts)


def _precision(ranks: Floats, counts: Floats, late: float) -> float:
    """Return AP of a path, with each positive `late` ranks later unless all there are positive."""
    from scipy.special import psi

    first, last = np.floor(counts[:-1] + ROUNDING) + 1.0, np.floor(counts[1:] + ROUNDING)
    some = last >= first
    first, last, low = first[some], last[some], counts[:-1][some]
    slope = (np.diff(counts) / np.diff(ranks))[some]
    begin = ranks[:-1][some] + np.where(np.abs(slope - 1.0) < 1e-9, 0.0, late)
    shift = begin * slope - low  # a s
    inside = psi(np.maximum(shift + last, 0.0) + 1.0) - psi(shift + first)
    total = np.sum(slope * (last - first + 1.0 - shift * inside))
    positives = np.floor(counts[-1] + ROUNDING)
    return float(total / positives) if positives >= 1.0 else 0.0


def _order(ranks: Floats, counts: Floats, _: float) -> float:
    """Return the area under ROC of a path."""
    n, total = ranks[-1], counts[-1]
    if not 0.0 < total < n:
        return 0.5
    width, low, high = np.diff(ranks), counts[:-1], counts[1:]
    # Sum of a line over whole ranks, both ends half: exact where all ends are whole ranks.
    below = np.sum(width * (low + high) / 2.0) - total / 2.0
    wrong = n * total - below - total * (total + 1.0) / 2.0
    return float(1.0 - wrong / (total * (n - total)))

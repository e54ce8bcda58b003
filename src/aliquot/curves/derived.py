"""What follows from precision at every rank: recall, F, ROC, accuracy, lift, AP and area.

With C(k) = k p(k) positives among the first k of N, and P = C(N) in all:

    recall = C(k) / P (Sabharwal and Xue print p(k) / p(N) and forget the ranks)
    F_b = (1 + b^2) C(k) / (k + b^2 P)          false positive rate = (k - C(k)) / (N - P)
    accuracy = (2 C(k) + N - k - P) / N         lift = p(k) / p(N)

A curve's ends hold at all ranks at once, so each of these lies between what the worst C(k) and P
within them give, with the curve's own confidence and at all ranks at once too; P is at least C(k)
and at most C(k) + N - k. **Only what the list holds is counted: positives outside it are unknown.**
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from aliquot.core.frame import Floats
from aliquot.curves.points import Curve


class Ends(NamedTuple):
    """A measure at some ranks, and its two ends."""

    estimate: Floats
    low: Floats
    high: Floats


class Given(NamedTuple):
    """The rank k, C(k), P and N that a measure is a function of."""

    rank: Floats
    hits: Floats
    total: Floats
    n: int


Formula = Callable[[Given], Floats]


def recall(curve: Curve, ranks: ArrayLike) -> Ends:
    """Return the share of the list's positives that the first k hold.

    >>> from aliquot.curves.assemble import census
    >>> found = census(np.array([1.0, 0.0, 1.0, 0.0]))
    >>> curve = Curve("", 4, 0, 4, *vars(found).values(), guarantee="exact")
    >>> recall(curve, [1, 4]).estimate.tolist()
    [0.5, 1.0]
    """
    return _rising(curve, ranks, lambda given: _over(given.hits, given.total))


def f(curve: Curve, ranks: ArrayLike, beta: float = 1.0) -> Ends:
    """Return F_beta of taking the first k for positive."""
    b = beta**2
    return _rising(curve, ranks, lambda g: _over((1.0 + b) * g.hits, g.rank + b * g.total))


def accuracy(curve: Curve, ranks: ArrayLike) -> Ends:
    """Return the share of items that taking the first k for positive gets right."""
    return _rising(curve, ranks, lambda g: (2.0 * g.hits + g.n - g.rank - g.total) / g.n)


def lift(curve: Curve, ranks: ArrayLike) -> Ends:
    """Return how many times more often the first k are positive than the list is."""
    return _rising(curve, ranks, lambda g: _over(g.hits * g.n, g.rank * g.total))


def false_positive_rate(curve: Curve, ranks: ArrayLike) -> Ends:
    """Return the share of the list's negatives that the first k hold; recall against it is ROC."""
    missed = _rising(curve, ranks, lambda g: -_over(g.rank - g.hits, g.n - g.total))
    return Ends(-missed.estimate, -missed.high, -missed.low)


def gain(curve: Curve, ranks: ArrayLike) -> Ends:
    """Return the number of positives among the first k."""
    return _rising(curve, ranks, lambda g: g.hits)


def _rising(curve: Curve, ranks: ArrayLike, formula: Formula) -> Ends:
    """Return a measure that rises with C(k) and falls with P, at its estimate and two ends."""
    k = np.asarray(ranks, dtype=np.int64)
    values, whole, n = curve.values(k), curve.at(curve.n), curve.n
    at = k.astype(float)
    hits, least, most = (at * one for one in values)
    total = np.clip(np.full(len(k), n * whole.precision), hits, hits + n - at)
    return Ends(
        formula(Given(at, hits, total, n)),
        formula(Given(at, least, np.minimum(n * whole.high, least + n - at), n)),
        formula(Given(at, most, np.maximum(n * whole.low, most), n)),
    )


def _over(above: Floats, below: Floats) -> Floats:
    """Return a ratio, 0 where nothing is divided by nothing."""
    found: Floats = np.divide(above, below, out=np.zeros(len(above)), where=below > 0.0)
    return found

"""From a judged sample to a measure of several systems at once: totals, value, influence, variance.

`L = sum_i w_i c_i`, `theta = g(L, K)`, `e_i = sum_j dg/dL_j c_ij`, and the variance of theta is
that of the estimated total of e (linearisation). **The linearisation wants a denominator far from
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sample import Sample
from aliquot.estimators.base import Estimator
from aliquot.estimators.regression import Regression
from aliquot.measures.base import Items, Measure, accumulate, influence


@final
@dataclass(frozen=True, eq=False)
class Given:
    """What is known of one system: its judged items, their contributions, the known totals.

    `predicted` and `predicted_total` are what a regression estimator knows of every unit: the
    contributions that a prior expects, or the most that is possible, of the judged units and of the
    whole frame. None where nothing is known. `shares` is what each unit adds to totals where that
    is not its contribution: of a pair, either unit adds half.
    """

    items: Items
    contributions: Floats
    known: Floats
    predicted: Floats | None = None
    predicted_total: Floats | None = None
    shares: Floats | None = None


@final
@dataclass(frozen=True, eq=False)
class Solved:
    """Values of S systems, the influences e (S, n) of the judged units, and the covariance.

    `weights` are those of all systems (n,), or one row a system (S, n).
    """

    values: Floats
    influences: Floats
    weights: Floats
    covariance: Floats
    totals: tuple[Floats, ...]
    gradients: tuple[Floats, ...]


def solve(sample: Sample, how: Estimator, measure: Measure, given: list[Given]) -> Solved:
    """Estimate one measure of every system given."""
    how.check(sample)
    w = how.weights(sample)
    each = w if w.ndim > 1 else [w] * len(given)
    parts = [_one(sample, how, measure, one, mine) for one, mine in zip(given, each, strict=True)]
    totals, gradients, e = (tuple(column) for column in zip(*parts, strict=True))
    stacked = np.stack(e)
    values = [measure.value(t, one.known) for t, one in zip(totals, given, strict=True)]
    covariance = how.covariance(sample, stacked)
    return Solved(np.array(values), stacked, w, covariance, totals, gradients)


def _one(
    sample: Sample, how: Estimator, measure: Measure, one: Given, w: Floats
) -> tuple[Floats, Floats, Floats]:
    added = one.contributions if one.shares is None else one.shares
    totals = accumulate(measure, one.items, added * w)
    gradient = measure.gradient(totals, one.known)
    e = influence(measure, one.items, gradient, one.contributions)
    if not isinstance(how, Regression) or one.predicted is None or one.predicted_total is None:
        return totals, gradient, e
    guess = influence(measure, one.items, gradient, one.predicted)
    power = how.power(sample, e, guess)
    totals = totals + power * (
        one.predicted_total - accumulate(measure, one.items, one.predicted * w)
    )
    gradient = measure.gradient(totals, one.known)
    left = one.contributions - power * one.predicted
    return totals, gradient, influence(measure, one.items, gradient, left)


def known_slope(measure: Measure, totals: Floats, known: Floats) -> Floats:
    """Return dg/dK by a central difference: how theta moves with the known totals.

    Inference to the population that the units came from needs it: there K varies too.
    """
    slope = np.zeros(len(known))
    for k in range(len(known)):
        step = np.zeros(len(known))
        step[k] = 1e-6 * max(abs(float(known[k])), 1.0)
        up, down = measure.value(totals, known + step), measure.value(totals, known - step)
        slope[k] = (up - down) / (2.0 * step[k])
    return slope


def effective(influences: Floats, weights: Floats) -> float:
    """Return the effective number of units: `(sum |x|)^2 / sum x^2`, x the weighted influences.

    >>> effective(np.array([1.0, 1.0, 0.0]), np.ones(3))
    2.0
    """
    x = np.abs(influences * weights)
    square = float((x * x).sum())
    return float(x.sum()) ** 2 / square if square > 0 else 0.0


def freedom(influences: Floats, weights: Floats, pi: Floats) -> float:
    """Return effective degrees of freedom: `(sum v)^2 / sum v^2`, v the terms of the variance."""
    x = influences * weights
    v = (1.0 - np.minimum(pi, 1.0)) * (x - x.mean()) ** 2 if len(x) else x
    square = float((v * v).sum())
    return float(v.sum()) ** 2 / square if square > 0 else float("inf")

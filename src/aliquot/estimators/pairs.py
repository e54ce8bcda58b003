"""Totals over pairs of units, from a sample of units: pairwise Horvitz-Thompson.

`Q = sum_u w_u b_uu + sum_{u<v} w_u w_v f_uv b_uv` over the sample: on the diagonal a unit has its
own weight, not its square, and `w_u w_v f_uv = 1 / pi_uv`. A sample judges each unit once, whatever
the number of pairs that it is part of. **Unbiased where the weights are, and every pair could be
drawn.** f_uv is
- 1 for Poisson samples (independent), and for order samples weighed by conditional chances: given
  the other units' numbers the two are independent, with the same threshold as each alone;
- `n_h (N_h - 1) / ((n_h - 1) N_h)` within a stratum of a simple random sample, 1 across strata;
- `n / (n - 1)` for n draws with replacement;
and `m (n - 1) / ((m - 1) n)` more where m of n drawn units, a random part, are judged.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.core.sample import Sample
from aliquot.errors import EstimateError
from aliquot.estimators.base import Estimator
from aliquot.estimators.solve import Given
from aliquot.measures.base import Items
from aliquot.measures.pairs import PairMeasure

Places = NDArray[np.int64]


def factor(sample: Sample) -> Callable[[Places], Floats | float]:
    """Return f_uv of some places in the sample, shape (m, m) or one number for all.

    3 units of 6, each in with 1/2, every two with 1/5:

    >>> whole, half = np.zeros(3, dtype=np.int64), np.full(3, 0.5)
    >>> three = Sample("simple", whole, half, half, whole + 1, whole, half, whole, 6, 3.0)
    >>> f = np.asarray(factor(three)(np.arange(2)))
    >>> round(float(f[0, 1]) * 2 * 2, 9)
    5.0
    """
    if sample.kind in ("simple", "strata"):
        return _within(sample)
    found = _both(int(sample.drawn or len(sample)), len(sample))
    if sample.kind == "replacement":
        draws = int(sample.count.sum())
        found *= draws / (draws - 1.0) if draws > 1 else 1.0
    return lambda _: found


def _both(drawn: int, judged: int) -> float:
    """Return the chance of two drawn units to be judged apart, over that to be judged together."""
    if judged < 2 or drawn < 2:
        return 1.0
    return judged * (drawn - 1.0) / ((judged - 1.0) * drawn)


def _within(sample: Sample) -> Callable[[Places], Floats]:
    codes, place, n = np.unique(sample.stratum, return_inverse=True, return_counts=True)
    rate = np.array([sample.pi[sample.stratum == h][0] for h in codes])
    size, many = n / rate, np.maximum(n - 1.0, 1.0)
    same = np.where(n > 1, n * (size - 1.0) / (many * size), 1.0)[place]

    def of(at: Places) -> Floats:
        here = place[at]
        return np.where(here[:, None] == here, same[at], 1.0)

    return of


def paired(
    sample: Sample, how: Estimator, measure: PairMeasure, both: tuple[Items, Items], known: Floats
) -> Given:
    """Return what is known of one system; `both` are its items, and again one row a label."""
    items, answers = both
    how.check(sample)
    if how.assisted:
        raise EstimateError(
            f"estimator {how} has no prediction of pairs, and {measure} needs one",
            do="Leave the estimator out, or use ht or priority",
        )
    seen = sample.averaged(measure.seen(sample.labels, answers)[None, :])[0]
    pull, share = measure.pulls(items, seen, how.weights(sample), factor(sample))
    return Given(items, pull, known, shares=share)


def unbiased(sample: Sample, how: Estimator) -> bool:
    """Whether a total over pairs is estimated without bias."""
    if not how.unbiased(sample):
        return False
    if sample.kind in ("simple", "strata"):
        codes, n = np.unique(sample.stratum, return_counts=True)
        rate = np.array([sample.pi[sample.stratum == h][0] for h in codes])
        return bool(np.all((n > 1) | (n / rate < 1.5)))
    if sample.kind == "poisson":
        return True
    return int(sample.count.sum()) > 1 and "+" not in sample.design

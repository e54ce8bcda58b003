"""Exact limits in every stratum at once: a rectangle of yields, valid for several strata."""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.intervals.betabin import Strata
from aliquot.intervals.counts import hyper
from aliquot.intervals.counts.base import Ends, Question


def ends(question: Question) -> Ends:
    """Return the least and greatest value of the measure within the rectangle.

    The chance to miss is shared among the strata in proportion to `N / sqrt(n)`, which is known
    before the labels are (Bonferroni): **valid for every population, and wide**. One stratum takes
    all of it: the limits of Clopper and Pearson (1934), without replacement.
    """
    one, other = question.retrieved, question.unretrieved
    if not question.ratio:
        one, other = question.strata.with_prior(0.5, 0.5), Strata.of([], [], [])
        low, high = limits(one, other, question.tail)
        scale = one.size if question.measure != "yield" else 1.0
        return question.around(low[0].sum() / scale, high[0].sum() / scale)
    low, high = limits(one.with_prior(0.5, 0.5), other.with_prior(0.5, 0.5), question.tail)
    below = question.value(float(low[0].sum()), float(high[1].sum()))
    above = question.value(float(high[0].sum()), float(low[1].sum()))
    return question.around(float(np.nan_to_num(below)), float(np.nan_to_num(above, nan=1.0)))


def limits(
    one: Strata, other: Strata, tail: float
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Return lower limits and upper limits of the positives, of both groups of strata."""
    both = one.joined(other)
    size = np.where(both.left > 0, both.N / np.sqrt(np.maximum(both.n, 1.0)), 0.0)
    share = tail * size / size.sum() if size.sum() else size
    low, high = both.r.copy(), both.N - both.n + both.r
    for i in np.flatnonzero(both.left > 0):
        N, n, r = int(both.N[i]), int(both.n[i]), int(both.r[i])
        low[i], high[i] = hyper.least(N, n, r, share[i]), hyper.most(N, n, r, share[i])
    cut = one.N.size
    return (low[:cut], low[cut:]), (high[:cut], high[cut:])

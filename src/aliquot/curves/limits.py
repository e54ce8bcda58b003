"""Limits for the number of positives down to every cell of a ranking, all of them at once.

`T_k = sum of size * share` has variance `V_k` and third moment `M_k`, both sums over the cells so
far. The limits are `T_k +- u sqrt(V_k)`, u the quantile of the largest of all errors
(`curves.critical`), moved outwards by `(2 u^2 + 1) M_k / (6 V_k)` on the side where a skewed
estimate errs further: where few negatives or few positives were seen, their number is uncertain
itself (Hall 1992, the studentised expansion; for a Poisson count it adds u^2 / 3).

**The labels are enough for an expansion around the normal.** Positives and negatives seen bound
the truth in any case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.cells import Cells
from aliquot.curves.critical import critical
from aliquot.curves.points import Ranks


@final
@dataclass(frozen=True, eq=False)
class Limits:
    """The number of positives down to some ranks, between two limits that hold at once."""

    edges: Ranks
    total: Floats
    low: Floats
    high: Floats
    u: Floats  # how many standard deviations


def limits(
    cells: Cells, level: float, *, first: int = 0, pad: float = 1.0, ends: float = 0.0
) -> Limits:
    """Return the limits at the ends of the cells from number `first` on.

    `pad` widens u; a strategy that stops when the limits are narrow enough needs 3 %. `ends` is the
    share of all errors that the first and the last of them may make alone: they are nearer then,
    and the others further.
    """
    q = cells.local()
    each = cells.spread * q * (1.0 - q)
    variance = np.cumsum(each)[first:]
    third = np.cumsum(cells.skew * q * (1.0 - q) * (1.0 - 2.0 * q))[first:]
    u = pad * _critical(variance, level, ends)
    some = variance > 0
    shift = (2.0 * u * u + 1.0) / 6.0 * third / np.where(some, variance, 1.0)
    half = u * np.sqrt(variance)
    total = cells.total[first:]
    seen = np.cumsum(cells.positives)[first:]
    negatives = np.cumsum(cells.judged - cells.positives)[first:]
    unseen = np.cumsum(cells.unseen)[first:]
    edges = cells.edges[first:]
    low = np.maximum(total - half + np.minimum(shift, 0.0), seen)
    high = np.minimum(total + half + np.maximum(shift, 0.0) + unseen, edges - negatives)
    low = np.clip(np.minimum(low, total), 0.0, edges)
    high = np.clip(np.maximum(high, np.minimum(total, edges - negatives)), low, edges)
    return Limits(edges, np.clip(total, low, high), low, high, u)


def _critical(variance: Floats, level: float, ends: float) -> Floats:
    some = variance[variance > 0]
    if not len(some):
        return np.zeros(len(variance))
    length = 0.5 * float(np.log(some[-1] / some[0]))
    every = critical(length, len(some) - 1, 1.0 - (1.0 - ends) * (1.0 - level))
    found = np.full(len(variance), every)
    if ends:
        found[[0, -1]] = critical(length, 1, 1.0 - ends * (1.0 - level))
    return found

"""LogStrat: Sabharwal and Sedghi (2017), as Theorem 1 of Sabharwal and Xue (2018) restates it.

Precision is queried at the ranks (1 + epsilon)^i for i = l + 1, ..., L, with L = floor(log_{1 +
epsilon} N) and (1 + epsilon)^l the first that reaches r~ and m <= epsilon (1 + epsilon)^l - 1. All
ranks up to there are labelled; each interval then takes epsilon / (1 + epsilon) s new labels, with
K = L - l in s. Between two query points the curve is that of the upper one.

**Assumes (r~, m)-weak monotonicity.** The curve is then within a factor beta (1 + epsilon) at every
rank, with confidence 1 - delta. The query points don't depend on the labels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.base import Monotone
from aliquot.curves.finish import End, finish, trusted, whole
from aliquot.curves.known import Known, read
from aliquot.curves.least import adaptive
from aliquot.curves.luck import Luck
from aliquot.curves.points import Ranks
from aliquot.curves.sheet import Sheet
from aliquot.curves.steps import Steps


def grid(first: int, n: int, epsilon: float) -> Ranks:
    """Return the ranks round((1 + epsilon)^i) from the one that reaches `first` to the last <= n.

    >>> len(grid(3492, 35_615_000, 0.03)) - 1
    312
    """
    step = math.log1p(epsilon)
    at = max(math.floor(math.log(first) / step) - 1, 0)
    powers = np.arange(at, math.ceil(math.log(n) / step) + 2)
    ranks = np.round(np.exp(powers * step)).astype(np.int64)
    return np.unique(ranks[(ranks >= first) & (ranks <= n)])


@final
@dataclass(frozen=True)
class Logstrat(Monotone):
    """Query on a geometric grid."""

    name: ClassVar[str] = "logstrat"

    def steps(self, n: int, rng: Luck) -> Steps:
        """Label the top, then a sample of each interval of the grid."""
        first = max(self.start, math.ceil((self.m + 1) / self.epsilon))
        ends = grid(first, n, self.epsilon)
        sheet = Sheet(n, int(ends[0]) if len(ends) else n, rng)
        yield from sheet.census()
        if len(ends) < 2:
            yield from sheet.census(n)
            return whole(self, sheet)
        ends = ends[1:]
        sheet.start = trusted(self, sheet)
        p_min = self.p_min or (yield from adaptive(sheet, self))
        s = self.labels(len(ends), p_min)
        sizes = np.diff(np.append(sheet.top, ends))
        yield from sheet.fill(ends, np.minimum(1.0, s / ends) * sizes)
        noisy = self.eta > 0.0
        reading = sheet.thinned(ends, s, noisy=noisy)
        known = read(self, sheet, ends, reading, len(ends))
        return finish(self, End(sheet, ends, reading, beyond(known, n)), upper)


def upper(known: Known, ranks: Ranks) -> Floats:
    """Return at each rank the precision of the last query point that is not below it."""
    return known.precision[np.searchsorted(known.ranks, ranks, side="right") - 1]


def beyond(known: Known, n: int) -> Known:
    """Return what is known with rank n added, from the last query point alone."""
    last = int(known.ranks[-1])
    if last == n:
        return known
    count = last * np.array([known.low[-1], known.high[-1]])
    return Known(
        np.append(known.ranks, n),
        np.append(known.precision, known.precision[-1]),
        np.append(known.low, count[0] / n),
        np.append(known.high, min(1.0, (count[1] + n - last) / n)),
        known.tops,
    )

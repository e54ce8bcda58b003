"""p_min, when nobody knows it: a lower bound on p(N) from a sample that grows until it is enough.

Looks are taken at sizes z_k fixed beforehand (each 1.25 times the last). Look k spends delta / (k
(k + 1)) of the confidence, and its bound is Chernoff's, in the form that Hoeffding (1963) proves
for draws without replacement too: the p below the share seen with z KL(share, p) = ln(k (k + 1) /
delta). It is relative: where precision is small it needs some 10 / p labels, where an additive
bound such as the paper's (Zhao et al. 2016) needs 10 / p^2. The labels count for all queries.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.base import Sampled
from aliquot.curves.sheet import Sheet
from aliquot.curves.steps import Ask

FIRST, GROWTH = 250, 1.25


def lower(share: float, z: float, chance: float) -> float:
    """Return the p < share at which a sample of z shows so much with at most that chance.

    >>> round(lower(0.5, 1000, 0.01), 4)
    0.4521
    """
    if share <= 0.0:
        return 0.0
    low, high = 0.0, share
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if z * _kl(share, middle) > -math.log(chance) else (low, middle)
    return low


def adaptive(sheet: Sheet, asked: Sampled) -> Generator[Ask, Floats, float]:
    """Label until QUERY(N) has what it needs for the bound that the same labels give.

    **Assumes that no query point has a precision below p(N)**, as weak monotonicity says.
    """
    below, ends = sheet.n - sheet.top, np.array([sheet.n])
    k, z = 1, float(FIRST)
    while True:
        z = min(math.ceil(z), below)
        yield from sheet.fill(ends, np.array([z]))
        _, held, positive = sheet.densities(ends)
        share, chance = float(positive[0] / held[0]), 0.1 * asked.delta / (k * (k + 1))
        bound = share if z >= below and not asked.eta else lower(share, held[0], chance)
        first = sheet.first.sum()
        p_min = ((first + below * bound) / sheet.n - asked.eta) / (1.0 - 2.0 * asked.eta)
        if z >= below or (p_min > 0.0 and z >= asked.labels(1, p_min) * below / sheet.n):
            return float(max(p_min, 1.0 / sheet.n))
        k, z = k + 1, z * GROWTH


def _kl(share: float, p: float) -> float:
    if p <= 0.0:
        return math.inf
    rest = (1.0 - share) * math.log((1.0 - share) / (1.0 - p)) if share < 1.0 else 0.0
    return share * math.log(share / p) + rest

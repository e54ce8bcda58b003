"""The betting interval of Waudby-Smith and Ramdas (2024) for the mean of bounded draws."""

from __future__ import annotations

import math
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.estimate import Estimate, Terms
from aliquot.intervals.base import Method
from aliquot.intervals.bounded import terms

Floats = NDArray[np.float64]
TRUNCATED = 0.95  # the share of the capital that may be lost in one bet at most
TUNED = math.log(2.0 / 0.05)  # bets are those of 95 % at every level, so that intervals nest
STEPS = 60


@final
class Betting(Method):
    """The means m that nobody gets rich by betting against, once in the order of the draws.

    `K_t(m) = prod_i (1 + l_i (x_i - m))`, `l_i = min(sqrt(2 ln(2 / .05) / (n v_{i-1})), .95 / m)`,
    v the running variance; m is out when K or its mirror image reached `2 / alpha`. Without
    replacement m is the mean of what is left at each step. **Valid for every n and every law of
    bounded draws**, by Ville's inequality; nearly as narrow as the normal interval for large n.
    """

    name: ClassVar[str] = "betting"
    bounded: ClassVar[bool] = True

    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """The lower end, and the lower end of the mirror image; they hold the estimate."""
        draws = terms(self.name, estimate)
        if draws.span <= 0:
            return draws.low, draws.high
        x = np.clip((draws.values - draws.low) / draws.span, 0.0, 1.0)
        goal = math.log(2.0 / (1.0 - level))
        low = draws.low + draws.span * _lower(x, draws, goal)
        high = draws.high - draws.span * _lower(1.0 - x, draws, goal)
        return min(low, estimate.estimate), max(high, estimate.estimate)


def _lower(x: Floats, draws: Terms, goal: float) -> float:
    """Find where the capital of betting on a larger mean reaches exp(goal): it falls with m."""
    bets, n = _bets(x), len(x)
    before = np.concatenate([[0.0], np.cumsum(x)[:-1]])
    left = draws.population - np.arange(n) if draws.population else np.ones(n)
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        m = (low + high) / 2.0
        mean = (draws.population * m - before) / left if draws.population else np.full(n, m)
        if mean.min() < 0.0 or _capital(x, bets, mean) >= goal:  # below 0: m can't be the mean
            low = m
        else:
            high = m
    return low


def _bets(x: Floats) -> Floats:
    """Return l, each from the draws before it."""
    t = np.arange(1, len(x) + 1)
    mean = (0.5 + np.cumsum(x)) / (t + 1)
    variance = (0.25 + np.cumsum((x - mean) ** 2)) / (t + 1)
    earlier = np.concatenate([[0.25], variance[:-1]])
    found: Floats = np.sqrt(2.0 * TUNED / (len(x) * earlier))
    return found


def _capital(x: Floats, bets: Floats, mean: Floats) -> float:
    """Return the largest ln K_t over t."""
    stakes = np.minimum(bets, TRUNCATED / np.maximum(mean, 1e-300))
    return float(np.cumsum(np.log1p(stakes * (x - mean))).max())

"""The most conservative prior: the one from which a sample is expected to tell most."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from aliquot.core.frame import Floats
from aliquot.intervals.betabin import log_pmf

LARGEST, SAMPLED, REST = 1_000, 800, 200  # the paper's caps
TINY = 0.01  # where the prior collapses


@lru_cache(maxsize=65_536)
def prior(N: int, n: int) -> float:
    """Return alpha = beta that maximise Webber (2013), Eq. 20.

    For more than 1,000 units by the paper's caps: its values settle as N grows. A sample of one
    unit, or of all, has no such prior; then a tiny one is taken.

    >>> round(prior(100, 20), 3)
    0.297
    """
    if N > LARGEST:
        n = LARGEST - (N - n) if N - n < REST else min(n, SAMPLED)
        N = LARGEST
    if n <= 1 or n >= N:
        return TINY
    noise = given(N, n)
    grid = np.geomspace(TINY, 2.0, 60)
    best = int(np.argmax([gain(alpha, n, noise) for alpha in grid]))
    low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, grid.size - 1)])
    golden = (np.sqrt(5.0) - 1.0) / 2.0
    while high - low > 1e-5:
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if gain(a, n, noise) > gain(b, n, noise) else (a, high)
    return float(low + high) / 2.0


def gain(alpha: float, n: int, noise: Floats) -> float:
    """Return what a sample of n is expected to tell, in nats: Eq. 20 as a mutual information.

    `H(x) - sum_k P(k) H(x | k)`: x the positives in the sample, k in the population. `noise` are
    the `H(x | k)`, which no prior moves.
    """
    sample, whole = _prior(alpha, n), _prior(alpha, noise.size - 1)
    return _entropy(sample) - float(whole @ noise)


def given(N: int, n: int) -> Floats:
    """Return the entropy of the hypergeometric count in a sample, for each k from 0 to N."""
    from scipy.special import gammaln

    logs = gammaln(np.arange(N + 2.0) + 1.0)
    k, x = np.arange(N // 2 + 1)[:, None], np.arange(n + 1)[None, :]
    inside = (x <= k) & (n - x <= N - k)
    first, rest = np.where(inside, k - x, 0), np.where(inside, N - n - k + x, 0)
    p = logs[n] - logs[x] - logs[n - x] + logs[N - n] - logs[first] - logs[rest]
    log_p = np.where(inside, p - (logs[N] - logs[k] - logs[N - k]), -np.inf)
    half: Floats = -np.where(inside, np.exp(log_p) * np.where(inside, log_p, 0.0), 0.0).sum(1)
    return np.concatenate([half, half[::-1][(N + 1) % 2 :]])


def _prior(alpha: float, size: int) -> Floats:
    one = np.float64(alpha)
    found: Floats = np.exp(log_pmf(np.arange(size + 1.0), np.float64(size), one, one))
    return found


def _entropy(p: Floats) -> float:
    return -float((p * np.log(np.maximum(p, 1e-300))).sum())

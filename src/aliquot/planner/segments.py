"""The width to expect of two segments, before anything is sampled.

A guess, or a prior, says how many positives each segment holds; a sample of each gives counts, and
these an interval from beta-binomial posteriors (Webber 2013, sections 2.8 and 4.6). The mean is
taken over points that fill the square, or the cube, evenly: nothing is drawn, and the answer is the
same every time. **As good as the guess.**
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.intervals import batch
from aliquot.intervals.betabin import Strata
from aliquot.intervals.posterior import Side

POINTS = 256
EXACT = 20.0  # standard deviations of a count from which on its quantiles are a smooth formula


@final
@dataclass(frozen=True, eq=False)
class Guess:
    """Two segments and the positives that each may hold: a point a row, all as likely.

    >>> Guess.of((7_391, 3_400), (992_609, 1_600)).recall[:1].tolist()
    [0.68]
    """

    N1: int
    R1: Floats
    N0: int
    R0: Floats
    u1: Floats  # where in its distribution the count of each sample lies
    u0: Floats

    @classmethod
    def of(
        cls, retrieved: tuple[int, float], unretrieved: tuple[int, float], *, points: int = POINTS
    ) -> Guess:
        """Guess one number of positives in each segment: `(N, R)`."""
        u = spread(points, 2)
        R1, R0 = (np.full(points, float(one[1])) for one in (retrieved, unretrieved))
        return cls(retrieved[0], R1, unretrieved[0], R0, u[0], u[1])

    @property
    def recall(self) -> Floats:
        """What recall is at each point."""
        return self.R1 / np.maximum(self.R1 + self.R0, 1e-300)

    def thinned(self, points: int) -> Guess:
        """Return the first points: they fill the square too, only less densely."""
        few = slice(0, points)
        R1, R0, u1, u0 = (one[few] for one in (self.R1, self.R0, self.u1, self.u0))
        return Guess(self.N1, R1, self.N0, R0, u1, u0)

    def counts(self, n1: int, n0: int) -> tuple[Floats, Floats]:
        """Return the positives in samples of n1 and n0 at each point."""
        one = quantile(self.u1, (self.N1, self.R1, n1))
        return one, quantile(self.u0, (self.N0, self.R0, n0))


def spread(points: int, dimensions: int) -> Floats:
    """Return points that fill a cube evenly: multiples of the powers of a root (Roberts 2018).

    >>> spread(2, 2).round(3).tolist()
    [[0.255, 0.01], [0.07, 0.64]]
    """
    root: float = 2.0
    for _ in range(40):  # the root of x^(d + 1) = x + 1
        root = (1.0 + root) ** (1.0 / (dimensions + 1.0))
    powers = np.array([root**-k for k in range(1, dimensions + 1)], float)
    found: Floats = (0.5 + powers[:, None] * np.arange(1.0, points + 1.0)) % 1.0
    return found


def quantile(u: Floats, content: tuple[int, Floats, int]) -> Floats:
    """Return the u-quantiles of the positives in samples of n from N units with R positives.

    >>> quantile(np.array([0.1, 0.5, 0.9]), (10, np.array([4.0]), 3)).tolist()
    [0.0, 1.0, 2.0]
    """
    from scipy.special import ndtri

    N, R, n = content
    R = np.asarray(np.round(np.broadcast_to(R, u.shape)), float)
    p = R / max(N, 1)
    left = (N - n) / max(N - 1, 1)
    sd = np.sqrt(n * p * (1.0 - p) * left)
    z = ndtri(u)
    skew = (1.0 - 2.0 * p) * (1.0 - 2.0 * n / max(N, 1)) * (z * z - 1.0) / 6.0
    about = np.round(n * p + sd * z + skew)
    found: Floats = np.clip(about, np.maximum(n - (N - R), 0), np.minimum(n, R))
    rows = np.flatnonzero((sd < EXACT) & (sd > 0))
    if rows.size:
        found[rows] = _counted(u[rows], (N, R[rows], n), sd[rows])
    return found


def _counted(u: Floats, content: tuple[int, Floats, int], sd: Floats) -> Floats:
    """Return quantiles by summing probabilities, each from the one before it."""
    from scipy.special import gammaln

    N, R, n = content
    wide = 8.0 * sd + 14.0
    low = np.maximum(np.floor(n * R / N - wide), np.maximum(n - (N - R), 0.0))
    x = low[:, None] + np.arange(float((2.0 * wide).max()) + 2.0)
    K = R[:, None]
    inside = x <= np.minimum(n, K)
    x = np.where(inside, x, low[:, None])
    logs = -gammaln(x + 1) - gammaln(K - x + 1) - gammaln(n - x + 1) - gammaln(N - K - n + x + 1)
    p = np.exp(logs - logs.max(1, keepdims=True)) * inside
    below = np.cumsum(p, 1) / p.sum(1, keepdims=True)
    found: Floats = low + (below < u[:, None] - 1e-12).sum(1)
    return found


@final
@dataclass(frozen=True)
class Claim:
    """What the interval is of, at which level, on which side; `weight` is the beta of F."""

    measure: str
    level: float = 0.95
    side: Side = "two"
    weight: float = 1.0


def ends(claim: Claim, guess: Guess, n: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return the interval by betabin-half of each point, n sampled of each segment."""
    r1, r0 = guess.counts(*n)
    one = Strata.of(np.full(r1.size, float(guess.N1)), n[0], r1)
    other = Strata.of(np.full(r0.size, float(guess.N0)), n[1], r0)
    if claim.measure == "f1":
        return batch.fbeta(one, other, weight=claim.weight, level=claim.level, side=claim.side)
    return batch.recall(one, other, level=claim.level, side=claim.side)

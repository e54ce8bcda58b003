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

POINTS = 256
PRIMES = (2, 3, 5, 7)
EXACT = 20.0  # standard deviations of a count from which on its quantiles are a smooth formula


@final
@dataclass(frozen=True)
class Part:
    """A segment: N units, of which n were sampled already and r of these are positive."""

    N: int
    n: int = 0
    r: int = 0


@final
@dataclass(frozen=True, eq=False)
class Guess:
    """Two segments and the positives that each may hold: a point a row, all as likely.

    >>> Guess.of((7_391, 3_400), (992_609, 1_600)).R1[:1].tolist()
    [3400.0]
    """

    one: Part
    other: Part
    R1: Floats
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
        return cls(Part(retrieved[0]), Part(unretrieved[0]), R1, R0, u[0], u[1])

    def thinned(self, points: int) -> Guess:
        """Return the first points: they fill the square too, only less densely."""
        few = slice(0, points)
        kept = (one[few] for one in (self.R1, self.R0, self.u1, self.u0))
        return Guess(self.one, self.other, *kept)

    def counts(self, n1: int, n0: int) -> tuple[Floats, Floats]:
        """Return the positives in samples of n1 and n0 at each point, those known among them."""
        parts = ((self.one, self.R1, self.u1, n1), (self.other, self.R0, self.u0, n0))
        one, other = (
            had.r + quantile(u, (had.N - had.n, R - had.r, n - had.n)) for had, R, u, n in parts
        )
        return one, other


def spread(points: int, dimensions: int) -> Floats:
    """Return points that fill a cube evenly: digits turned round (Halton 1960), cells centred.

    >>> spread(4, 2).round(3).tolist()
    [[0.125, 0.625, 0.375, 0.875], [0.056, 0.389, 0.722, 0.167]]
    """
    found: Floats = np.zeros((dimensions, points))
    for place, base in enumerate(PRIMES[:dimensions]):
        rest, cell = np.arange(points), 1.0
        while cell * points > 1.0:
            cell /= base
            found[place] += cell * (rest % base)
            rest = rest // base
        found[place] += cell / 2.0
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
    """What the interval is of, and at which level; `weight` is the beta of F."""

    measure: str
    level: float = 0.95
    weight: float = 1.0


ALONE = {"precision": 0, "proportion": 0, "elusion": 1}  # the segment that alone tells
MEASURES = ("recall", "precision", "f1", "elusion", "proportion")


def ends(claim: Claim, guess: Guess, n: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return the interval by betabin-half of each point, n sampled of each segment."""
    r1, r0 = guess.counts(*n)
    one = Strata.of(np.full(r1.size, float(guess.one.N)), n[0], r1)
    other = Strata.of(np.full(r0.size, float(guess.other.N)), n[1], r0)
    if claim.measure == "f1":
        return batch.fbeta(one, other, weight=claim.weight, level=claim.level)
    if claim.measure in ALONE:
        return batch.share((one, other)[ALONE[claim.measure]], level=claim.level)
    return batch.recall(one, other, level=claim.level)

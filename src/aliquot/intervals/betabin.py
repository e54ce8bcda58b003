"""Beta-binomial posteriors: what a sample says of the positives in what was not sampled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.errors import UsageError

Numbers = float | Sequence[float] | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]
Value = Floats | np.float64
REACH = 8.0  # standard deviations; beyond them lies less than 1e-9


@final
@dataclass(frozen=True, eq=False)
class Strata:
    """One or many strata: N units, n of them sampled at random, r of these positive.

    The prior of each is Beta(alpha, beta) on the share of positives. **Each stratum is a simple
    random sample without replacement, independent of the others.**

    >>> Strata.of(2_000, 100, 50).left
    array([1900.])
    """

    N: Floats
    n: Floats
    r: Floats
    alpha: Floats
    beta: Floats
    smooth: bool = False  # r + M theta, theta ~ Beta: a share for a count (Webber's Beta Jeffreys)

    @classmethod
    def of(
        cls, N: Numbers, n: Numbers, r: Numbers, *, alpha: Numbers = 0.5, beta: Numbers = 0.5
    ) -> Strata:
        """Make strata from numbers or columns; one number stands for every stratum."""
        columns = (np.atleast_1d(np.asarray(x, float)) for x in (N, n, r, alpha, beta))
        N_, n_, r_, alpha_, beta_ = np.broadcast_arrays(*columns)
        fits = (r_ >= 0) & (r_ <= n_) & (n_ <= N_) & np.isfinite(N_)
        if not fits.all():
            at = int(np.argmin(fits))
            raise UsageError(
                f"stratum {at + 1} has N = {N_[at]:g}, n = {n_[at]:g}, r = {r_[at]:g}",
                do="Counts must be such that 0 <= r <= n <= N",
            )
        if not ((alpha_ > 0) & (beta_ > 0)).all():
            raise UsageError("a prior has no mass", do="alpha and beta must be above 0")
        return cls(N_, n_, r_, alpha_, beta_)

    @property
    def left(self) -> Floats:
        """How many units were not sampled."""
        return self.N - self.n

    @property
    def a(self) -> Floats:
        """First parameter of the posterior."""
        return self.alpha + self.r

    @property
    def b(self) -> Floats:
        """Second parameter of the posterior."""
        return self.beta + self.n - self.r

    @property
    def found(self) -> float:
        """How many positives were sampled."""
        return float(self.r.sum())

    @property
    def size(self) -> float:
        """How many units there are."""
        return float(self.N.sum())

    @property
    def estimate(self) -> float:
        """`sum N r / n`: the positives, estimated; a stratum without a sample adds its prior mean.

        >>> Strata.of([100, 400], [10, 40], [5, 2]).estimate
        70.0
        """
        mean = self.alpha / (self.alpha + self.beta)
        share = np.divide(self.r, self.n, out=mean.copy(), where=self.n > 0)
        return float((self.N * share).sum())

    def flipped(self) -> Strata:
        """Return the same strata with negatives counted instead."""
        return Strata(self.N, self.n, self.n - self.r, self.beta, self.alpha, self.smooth)

    def take(self, rows: slice | NDArray[np.int64]) -> Strata:
        """Return some strata."""
        N, n, r, alpha, beta = (column[rows] for column in self.columns())
        return Strata(N, n, r, alpha, beta, self.smooth)

    def with_prior(self, alpha: Numbers, beta: Numbers, *, smooth: bool = False) -> Strata:
        """Return whole numbers of units with another prior."""
        made = Strata.of(np.round(self.N), self.n, self.r, alpha=alpha, beta=beta)
        return replace(made, smooth=smooth)

    def joined(self, other: Strata) -> Strata:
        """Return these strata and the other ones, as one list."""
        pairs = zip(self.columns(), other.columns(), strict=True)
        N, n, r, alpha, beta = (np.concatenate(pair) for pair in pairs)
        return Strata(N, n, r, alpha, beta, self.smooth)

    def draw(self, draws: int, rng: np.random.Generator) -> Floats:
        """Draw the number of positives in all strata together from its posterior."""
        total = np.full(draws, self.found)
        for left, a, b in zip(self.left, self.a, self.b, strict=True):
            theta = rng.beta(a, b, draws)
            total += left * theta if self.smooth else rng.binomial(int(left), theta)
        return total

    def columns(self) -> tuple[Floats, ...]:
        """Return N, n, r, alpha and beta."""
        return self.N, self.n, self.r, self.alpha, self.beta


def mean(left: Value, a: Value, b: Value) -> Floats:
    """Return the mean of the positives not sampled: `M a / (a + b)`."""
    return np.asarray(left * a / (a + b))


def variance(left: Value, a: Value, b: Value) -> Floats:
    """Return their variance: `M a b (a + b + M) / ((a + b)^2 (a + b + 1))`."""
    s = a + b
    return np.asarray(left * (a / s) * (b / s) * (s + left) / (s + 1.0))


def window(left: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return whole numbers between which nearly all of each posterior lies.

    On the scale `asin sqrt(share)` it is nearly normal with variance `(1/(a + b) + 1/M) / 4`.
    """
    wide = REACH / 2.0 * np.sqrt(1.0 / (a + b) + 1.0 / np.maximum(left, 1.0))
    centre = np.arcsin(np.sqrt(a / (a + b)))
    low = np.sin(np.clip(centre - wide, 0.0, math.pi / 2)) ** 2
    high = np.sin(np.clip(centre + wide, 0.0, math.pi / 2)) ** 2
    return np.maximum(np.floor(left * low) - 2.0, 0.0), np.minimum(np.ceil(left * high) + 2.0, left)


def log_pmf(x: Floats, left: Value, a: Value, b: Value) -> Floats:
    """Return log P(x positives among the M units not sampled). Webber (2013), Eqs. 16 and 17.

    `C(M, x) B(x + a, M - x + b) / B(a, b)`, without differences of large logarithms.

    >>> float(np.exp(log_pmf(np.array(0.0), np.array(1.0), np.array(1.5), np.array(0.5))).round(9))
    0.25
    """
    from scipy.special import betaln

    found: Floats = log_rise(x, a) + log_rise(left - x, b) - log_rise(left, a + b) - betaln(a, b)
    return found


def log_rise(x: Value, a: Value) -> Floats:
    """Return log(Gamma(x + a) / Gamma(x + 1)), by Stirling's series where both are large."""
    from scipy.special import gammaln

    y = x + 1.0
    z = x + a
    small = np.minimum(y, z) < 12.0
    safe_y, safe_z = np.where(small, 12.0, y), np.where(small, 12.0, z)
    gap = safe_z - safe_y
    found: Floats = np.asarray(
        (safe_y - 0.5) * np.log1p(gap / safe_y)
        + gap * (np.log(safe_z) - 1.0)
        + (_tail(safe_z) - _tail(safe_y))
    )
    if small.any():
        exact = gammaln(np.where(small, z, 1.0)) - gammaln(np.where(small, y, 1.0))
        found = np.where(small, exact, found)
    return found


def _tail(z: Value) -> Value:
    square = z * z
    found: Floats = np.asarray(1.0 - (1.0 / 30.0 - 1.0 / (105.0 * square)) / square) / (12.0 * z)
    return found

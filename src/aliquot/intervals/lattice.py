"""The distribution of the positives in many strata together, without draws.

Independent beta-binomials are added by convolution on a lattice. Where the sum is small its lattice
has step one; further out it is coarser, by levels of a factor 8, so that low counts stay exact
whatever the size of the strata. Strata that vary little enter together, by their cumulants.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.intervals.betabin import Strata, log_pmf, mean, variance, window

POINTS = 4_096  # a level
EXACT = 16_384  # a sum that takes no more values than this has step one throughout
RATIO = 8
ALONE = 24  # strata that are convolved one by one before the others are lumped
EMPTY: Floats = np.empty(0)


@final
@dataclass(frozen=True, eq=False)
class Table:
    """A distribution function at cell edges. A cell of width one holds the whole number inside."""

    edges: Floats
    F: Floats
    start: float  # one of the values that can be taken; the others are whole steps away

    def below(self, x: Floats) -> Floats:
        """Return P(X <= x)."""
        whole = np.floor(x - self.start + 1e-9) + (self.start + 0.5)
        found: Floats = np.interp(whole, self.edges, self.F, left=0.0, right=1.0)
        return found

    def least(self, x: Floats) -> Floats:
        """Return P(X >= x)."""
        whole = np.ceil(x - self.start - 1e-9) + (self.start - 0.5)
        found: Floats = 1.0 - np.interp(whole, self.edges, self.F, left=0.0, right=1.0)
        return found

    def nodes(self) -> tuple[Floats, Floats]:
        """Return points and weights: each single value, and two Gauss points of each wider cell."""
        width, mass = np.diff(self.edges), np.diff(self.F)
        middle = self.edges[:-1] + width / 2.0
        one = width <= 1.0
        off = np.where(one, 0.0, width / (2.0 * math.sqrt(3.0)))[~one]
        x = np.concatenate([middle[one], middle[~one] - off, middle[~one] + off])
        w = np.concatenate([mass[one], mass[~one] / 2.0, mass[~one] / 2.0])
        return x[w > 0], w[w > 0]

    @property
    def coarseness(self) -> float:
        """The mass of the heaviest single value."""
        single = np.diff(self.edges) <= 1.0
        return float(np.diff(self.F)[single].max(initial=0.0))


@final
@dataclass(frozen=True, eq=False)
class _Part:
    """One stratum, or the lump of those that vary little."""

    low: float
    high: float
    mean: float
    shape: tuple[float, ...]  # M, a, b; or variance and its two standardised cumulants

    def density(self, x: Floats) -> Floats:
        """Return the probability of each whole number, as a smooth function of x."""
        first, second, third = (np.float64(one) for one in self.shape[:3])
        if len(self.shape) == 3:
            found: Floats = np.exp(log_pmf(np.clip(x, 0.0, first), first, second, third))
            return found
        return _edgeworth(x, self.mean, self.shape)

    def masses(self, step: int, count: int, finer: Floats) -> Floats:
        """Return the probability of each cell of `step` whole numbers, from `low` on."""
        count = min(count, int((self.high - self.low) // step) + 1)
        if step == 1:
            return self.density(self.low + np.arange(float(count)))
        head = finer[: finer.size // RATIO * RATIO].reshape(-1, RATIO).sum(1)[:count]
        head = head if finer.size >= POINTS or finer.size == 0 else head[:-1]
        left = self.low - 0.5 + step * np.arange(head.size, count)
        right = np.minimum(left + step, self.high + 0.5)
        found = np.concatenate([head, self.integral(left, right)])
        if self.low + step * count > self.high == self.shape[0] and found.size > head.size:
            found[-1] = self.density(np.arange(math.ceil(left[-1]), self.high + 1.0)).sum()
        return found

    def integral(self, left: Floats, right: Floats) -> Floats:
        """Return the probability between edges, by two Gauss points.

        On the scale `u = sqrt(top + 1/2 - x)` also a posterior with its pole at the top is smooth.
        """
        top = self.high + 0.5
        high, low = np.sqrt(top - left), np.sqrt(np.maximum(top - right, 0.0))
        middle, off = (high + low) / 2.0, (high - low) / (2.0 * math.sqrt(3.0))
        found: Floats = np.zeros(left.size)
        for u in (middle - off, middle + off):
            found += self.density(top - u * u) * u * (high - low)
        return found


def table(strata: Strata, *, scale: int = 1) -> Table:
    """Return the distribution of the positives in all strata together.

    With a scale it is that of `scale (r + M theta)`, theta the share itself: a share has no steps,
    and is nearly the count among scale M units.
    """
    keep = strata.left > 0
    start = strata.found * scale
    if not keep.any():
        return Table(np.array([start - 0.5, start + 0.5]), np.array([0.0, 1.0]), start)
    parts = _parts(strata.left[keep] * scale, strata.a[keep], strata.b[keep])
    steps, low, high = _steps(parts)
    if steps == [1] and high - low <= EXACT:
        edges, F = _whole(parts, 1, [EMPTY] * len(parts), (low, high))
    else:
        edges, F = _thinned(*_levels(parts, steps, (low, high)))
    return Table(edges + start, F, start)


def _parts(M: Floats, a: Floats, b: Floats) -> list[_Part]:
    low, high = window(M, a, b)
    many, spread = mean(M, a, b), variance(M, a, b)
    order = np.argsort(-spread)
    rest = spread[order][::-1].cumsum()[::-1]  # of this stratum and all after it
    alone = M.size
    if M.size > 2 * ALONE:
        fits = (spread[order] <= rest / 64.0) & (rest >= 30.0)
        fits[:ALONE] = False
        alone = int(np.argmax(fits)) if fits.any() else M.size
    parts = [
        _Part(
            float(low[i]), float(high[i]), float(many[i]), (float(M[i]), float(a[i]), float(b[i]))
        )
        for i in order[:alone]
    ]
    if alone < M.size:
        parts.append(_lump(M[order[alone:]], a[order[alone:]], b[order[alone:]]))
    return parts


def _lump(M: Floats, a: Floats, b: Floats) -> _Part:
    """Many strata as one part with their mean, variance, skewness and kurtosis."""
    s = a + b
    p = a / s
    var = variance(M, a, b)
    third = var * (1 - 2 * p) * (s + 2 * M) / (s + 2)
    ratio = s * s * (1 + s) / (M * a * b * (s + 2) * (s + 3) * (s + M))
    inner = s * (s - 1 + 6 * M) + 3 * a * b * (M - 2) + 6 * M * M
    inner = inner - 3 * p * b * M * (6 - M) - 18 * p * (1 - p) * M * M
    fourth = var * var * (ratio * inner - 3.0)
    centre, total = float((M * p).sum()), float(var.sum())
    sd = math.sqrt(total)
    shape = (total, float(third.sum()) / sd**3, float(fourth.sum()) / total**2, 0.0)
    low = max(math.floor(centre - 9 * sd), 0.0)
    return _Part(low, min(math.ceil(centre + 9 * sd), float(M.sum())), centre, shape)


def _edgeworth(x: Floats, centre: float, shape: tuple[float, ...]) -> Floats:
    sd = math.sqrt(shape[0])
    z = (x - centre) / sd
    he3, he4 = z**3 - 3 * z, z**4 - 6 * z**2 + 3
    he6 = z**6 - 15 * z**4 + 45 * z**2 - 15
    bend = 1 + shape[1] / 6 * he3 + shape[2] / 24 * he4 + shape[1] ** 2 / 72 * he6
    found: Floats = np.exp(-z * z / 2) / (sd * math.sqrt(2 * math.pi)) * np.maximum(bend, 0.0)
    return found


def _steps(parts: list[_Part]) -> tuple[list[int], float, float]:
    """Return the steps of the levels, and between which values nearly all of the sum lies.

    The finest step must show where the sum has a probability of 1e-6 only. Near its lowest value
    it behaves as a gamma distribution of shape mean^2 / variance.
    """
    centre = sum(part.mean for part in parts)
    var = sum(_variance(part) for part in parts)
    sd = math.sqrt(var)
    below = max(part.mean - part.low for part in parts) + 6 * sd
    above = max(part.high - part.mean for part in parts) + 6 * sd
    low = max(sum(part.low for part in parts), math.floor(centre - below))
    high = min(sum(part.high for part in parts), math.ceil(centre + above))
    if high - low <= EXACT:
        return [1], low, high
    above = centre - sum(part.low for part in parts)
    shape = above * above / max(var, 1e-12)
    least = above / shape * math.exp((math.log(1e-6) + math.lgamma(shape + 1)) / shape)
    last = 1
    while (high - low) / last > 2 * POINTS:
        last *= RATIO
    first = 1
    while first * RATIO <= least / 64 and first < last:
        first *= RATIO
    steps = [first]
    while steps[-1] < last:
        steps.append(steps[-1] * RATIO)
    return steps, low, high


def _variance(part: _Part) -> float:
    if len(part.shape) == 4:
        return part.shape[0]
    return float(variance(*(np.float64(one) for one in part.shape)))


def _levels(
    parts: list[_Part], steps: list[int], ends: tuple[float, float]
) -> tuple[Floats, Floats]:
    edges, F = np.empty(0), np.empty(0)
    finer = [EMPTY] * len(parts)
    for step in steps[:-1]:
        finer = [part.masses(step, POINTS, old) for part, old in zip(parts, finer, strict=True)]
        total = reduce(_added, finer)
        new, cumulated = _edges(parts, step, total)
        edges, F = _appended((edges, F), (new, cumulated))
    return _appended((edges, F), _whole(parts, steps[-1], finer, ends))


def _added(one: Floats, other: Floats) -> Floats:
    """Convolve, and keep what the first POINTS cells of both can tell."""
    size = 1 << (one.size + other.size - 2).bit_length()
    both = np.fft.irfft(np.fft.rfft(one, size) * np.fft.rfft(other, size), size)
    return np.maximum(both[: min(POINTS, one.size + other.size - 1)], 0.0)


def _edges(parts: list[_Part], step: int, total: Floats, first: int = 0) -> tuple[Floats, Floats]:
    low = sum(p.low for p in parts) - 0.5 + (len(parts) - 1) * (step - 1) / 2 + first * step
    edges = np.minimum(low + step * np.arange(total.size + 1), sum(p.high for p in parts) + 0.5)
    return edges, np.concatenate([[0.0], total.cumsum()])


def _whole(
    parts: list[_Part], step: int, finer: list[Floats], ends: tuple[float, float]
) -> tuple[Floats, Floats]:
    """The last level, over all of the range: one product of transforms, around a circle."""
    size = 1 << (int((ends[1] - ends[0]) / step) + len(parts) + 2).bit_length()
    product = np.ones(size // 2 + 1, complex)
    for part, old in zip(parts, finer, strict=True):
        cells = part.masses(step, 2 * size, old)
        folded = np.zeros(-(-cells.size // size) * size)
        folded[: cells.size] = cells
        product *= np.fft.rfft(folded.reshape(-1, size).sum(0))
    total = np.maximum(np.fft.irfft(product, size), 0.0)
    base = sum(part.low for part in parts)
    first = max(int((ends[0] - base) / step) - 1, 0)
    total = np.roll(total, -first)  # what lies before `first` cells was carried round
    edges, F = _edges(parts, step, total, first)
    return edges, F / F[-1]


def _appended(old: tuple[Floats, Floats], new: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    if old[0].size == 0:
        return new
    beyond = new[0] > old[0][-1]
    F = np.concatenate([old[1], new[1][beyond]])
    return np.concatenate([old[0], new[0][beyond]]), np.minimum(np.maximum.accumulate(F), 1.0)


def _thinned(edges: Floats, F: Floats) -> tuple[Floats, Floats]:
    """Drop edges where 64 cells a unit of log F / (1 - F), and 64 a doubling of x, are left."""
    share = np.clip(F, 1e-11, 1.0 - 1e-11)
    key = np.floor(64.0 * np.log(share / (1.0 - share)))
    place = np.floor(64.0 * np.log2(1.0 + edges - edges[0]))
    keep = np.ones(F.size, bool)
    keep[1:-1] = ((key[1:] != key[:-1]) | (place[1:] != place[:-1]))[:-1]
    inside = (F > 1e-12) & (F < 1.0 - 1e-12)
    keep[1:-1] &= inside[1:-1] | inside[:-2] | inside[2:]
    return edges[keep], F[keep]

"""Posteriors of many strata at once: single values where there are few, a grid elsewhere.

A row is a stratum. Behind the first values where positives are rare the grid is uniform in `log x`,
otherwise in `asin sqrt(x / M)`, where a posterior is nearly normal. The density is integrated to
sixth order and interpolated by cubics. Where positives are common, negatives are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.intervals.betabin import log_pmf, window

FEW = 256  # values, all of them kept
ATOMS = 32  # values kept where positives are rare
RARE = 8.0  # below this the first parameter of a posterior calls for them
RARE_CELLS, COMMON_CELLS = 96, 80
SIXTH = np.array([11.0, -93.0, 802.0, 802.0, -93.0, 11.0]) / 1440.0


@final
@dataclass(frozen=True, eq=False)
class Shapes:
    """Posteriors, a row each: M not sampled, Beta(a, b), r sampled; flipped if negatives count."""

    M: Floats
    a: Floats
    b: Floats
    r: Floats
    flipped: NDArray[np.bool_]

    @classmethod
    def of(cls, M: Floats, a: Floats, b: Floats, r: Floats) -> Shapes:
        """Count the rarer of positives and negatives."""
        flipped = a > b
        return cls(M, np.where(flipped, b, a), np.where(flipped, a, b), r, flipped)

    def take(self, rows: NDArray[np.int64]) -> Shapes:
        """Return some rows."""
        return Shapes(self.M[rows], self.a[rows], self.b[rows], self.r[rows], self.flipped[rows])

    def moments(self) -> tuple[Floats, Floats]:
        """Return the mean of all positives, and their variance."""
        s = self.a + self.b
        var = self.M * (self.a / s) * (self.b / s) * (s + self.M) / (s + 1.0)
        many = self.M * np.where(self.flipped, self.b, self.a) / s
        return np.maximum(self.r + many, 1e-9), var

    def varied(self, known: Floats | float = 0.0) -> Floats:
        """Return how much the positives, and what is known beside them, vary in proportion."""
        mean, var = self.moments()
        found: Floats = var / (mean + known) ** 2
        return found

    def kinds(self) -> NDArray[np.int8]:
        """Return 0 where values are few, 1 where positives are rare, 2 otherwise; 3 for neither."""
        low, high = window(self.M, self.a, self.b)
        few = high - low < FEW
        rare = self.a < RARE
        both = rare & (self.b < RARE)
        return np.where(few, 0, np.where(both, 3, np.where(rare, 1, 2))).astype(np.int8)


@final
@dataclass(frozen=True, eq=False)
class Grid:
    """The distribution of the counted units in each row, on the scale of its kind."""

    kind: int
    shapes: Shapes
    start: Floats  # of single values, or of the grid in its coordinate
    step: Floats
    atoms: Floats  # probabilities of single values
    cumulated: Floats
    head: Floats  # what they sum to
    F: Floats  # at the edges of cells
    g: Floats  # density in the coordinate, times step
    weights: Floats  # of the edges as nodes

    def take(self, rows: NDArray[np.int64]) -> Grid:
        """Return some rows."""
        kept = (self.atoms[rows], self.cumulated[rows], self.head[rows])
        smooth = (self.F[rows], self.g[rows], self.weights[rows])
        shapes = self.shapes.take(rows)
        return Grid(self.kind, shapes, self.start[rows], self.step[rows], *kept, *smooth)

    def values(self) -> Floats:
        """Return the positives that each single value stands for."""
        count = np.arange(float(self.atoms.shape[1]))[None, :]
        base = self.start[:, None] if self.kind == 0 else 0.0
        return self._positives(base + count)

    def nodes(self) -> tuple[Floats, Floats]:
        """Return points and weights: values, then grid."""
        if self.kind == 0:
            return self.values(), self.atoms
        t = self.start[:, None] + self.step[:, None] * np.arange(float(self.F.shape[1]))
        x = self._positives(_points(self.kind, self.shapes.M[:, None], t)[0])
        if self.kind == 2:
            return x, self.weights
        return np.concatenate([self.values(), x], 1), np.concatenate([self.atoms, self.weights], 1)

    def at_most(self, x: Floats) -> Floats:
        """Return P(positives <= x)."""
        M, flip = self.shapes.M[:, None], self.shapes.flipped[:, None]
        here = x - self.shapes.r[:, None]
        whole = np.floor(here + 1e-9)
        below = self._below(np.where(flip, np.ceil(M - here - 1e-9) - 1.0, whole))
        found: Floats = np.where(flip, 1.0 - below, below)
        return found

    def rest(self, y: Floats) -> Floats:
        """Return P(positives >= y and not one of the single values), smooth in y."""
        M, flip = self.shapes.M[:, None], self.shapes.flipped[:, None]
        here = y - self.shapes.r[:, None]
        below = self._smooth(np.where(flip, M - here, here))
        head = self.head[:, None]
        found: Floats = np.where(flip, np.maximum(below - head, 0.0), 1.0 - np.maximum(below, head))
        return found

    def _positives(self, count: Floats) -> Floats:
        M, r = self.shapes.M[:, None], self.shapes.r[:, None]
        return r + np.where(self.shapes.flipped[:, None], M - count, count)

    def _below(self, k: Floats) -> Floats:
        """Return P(counted <= k), k whole."""
        if self.kind == 0:
            at = (k - self.start[:, None]).astype(np.int64)
            inside = np.take_along_axis(self.cumulated, np.clip(at, 0, self.atoms.shape[1] - 1), 1)
            return np.where(at < 0, 0.0, inside)
        found = self._smooth(k + 0.5)
        if self.kind == 1 and (k < ATOMS).any():
            at = np.clip(k, 0, ATOMS - 1).astype(np.int64)
            low = np.take_along_axis(self.cumulated, at, 1)
            found = np.where(k < ATOMS, np.where(k < 0, 0.0, low), found)
        return found

    def _smooth(self, x: Floats) -> Floats:
        """Return the distribution function of the grid at x, by cubics in its coordinate."""
        if self.kind == 1:
            t = np.log(np.maximum(x, 1.0))
        else:
            M = self.shapes.M[:, None]
            t = np.arcsin(np.sqrt(np.clip((x + 0.5) / (M + 1.0), 0.0, 1.0)))
        cells = self.F.shape[1] - 1
        place = np.clip((t - self.start[:, None]) / self.step[:, None], 0.0, cells)
        j = np.minimum(place.astype(np.int64), cells - 1)
        u = place - j
        flat = j + (np.arange(j.shape[0]) * (cells + 1))[:, None]
        F0, F1 = self.F.ravel()[flat], self.F.ravel()[flat + 1]
        g0, g1 = self.g.ravel()[flat], self.g.ravel()[flat + 1]
        rise = F1 - F0
        bend, twist = 3.0 * rise - 2.0 * g0 - g1, g0 + g1 - 2.0 * rise
        found: Floats = F0 + u * (g0 + u * (bend + u * twist))
        return found


def grid(kind: int, shapes: Shapes) -> Grid:
    """Return the distributions of strata of one kind."""
    if kind == 0:
        return _values(shapes)
    M, a, b = (one[:, None] for one in (shapes.M, shapes.a, shapes.b))
    atoms = np.zeros((shapes.M.size, 0))
    if kind == 1:
        atoms = np.exp(log_pmf(np.arange(float(ATOMS))[None, :], M, a, b))
    start, step, cells = _coordinate(kind, shapes)
    x, slope = _points(kind, M, start[:, None] + step[:, None] * np.arange(-2.0, cells + 3.0))
    p = np.exp(log_pmf(np.clip(x, 0.0, M), M, a, b)) * ((x >= 0) & (x <= M))
    g = p * slope * step[:, None]
    head, none = atoms.sum(1), np.zeros((shapes.M.size, 1))
    mass = sum(c * g[:, i : i + cells] for i, c in enumerate(SIXTH))
    raw = np.concatenate([none, np.cumsum(mass, 1)], 1)
    scale = ((1.0 - head) / raw[:, -1])[:, None]
    F = head[:, None] + raw * scale
    if kind == 2:  # a sum over whole numbers is an integral less p'/24
        width = np.maximum(slope * step[:, None], 1e-300)
        F = np.clip(F - (np.gradient(p, axis=1) / width)[:, 2:-2] / 24.0, 0.0, 1.0)
    inner = g[:, 2:-2] * scale
    kept = (atoms, np.cumsum(atoms, 1), head)
    return Grid(kind, shapes, start, step, *kept, F, inner, _weights(kind, inner))


def _coordinate(kind: int, shapes: Shapes) -> tuple[Floats, Floats, int]:
    low, high = window(shapes.M, shapes.a, shapes.b)
    if kind == 1:
        start, cells = np.full(high.size, np.log(ATOMS - 0.5)), RARE_CELLS
        stop = np.log(high + 0.5)
    else:
        start, stop = (np.arcsin(np.sqrt((e + 0.5) / (shapes.M + 1.0))) for e in (low, high))
        cells = COMMON_CELLS
    return start, (stop - start) / cells, cells


def _points(kind: int, M: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Return what the coordinate stands for, and its slope."""
    if kind == 1:
        x = np.exp(t)
        return x, x
    t = np.clip(t, 0.0, np.pi / 2)
    return (M + 1.0) * np.sin(t) ** 2 - 0.5, (M + 1.0) * np.sin(2.0 * t)


def _weights(kind: int, g: Floats) -> Floats:
    """Return the weights of edges as nodes: every other of a bell, Gregory's at a cut."""
    w = g.copy()
    if kind == 2:
        w[:, 1::2] = 0.0
        w *= 2.0
        return w
    first = np.array([3.0 / 8.0, 7.0 / 6.0, 23.0 / 24.0])
    w[:, :3] *= first
    w[:, -3:] *= first[::-1]
    return w


def _values(shapes: Shapes) -> Grid:
    low, high = window(shapes.M, shapes.a, shapes.b)
    M, a, b = (one[:, None] for one in (shapes.M, shapes.a, shapes.b))
    k = low[:, None] + np.arange(float((high - low).max(initial=0.0)) + 1.0)
    inside = k <= high[:, None]
    atoms = np.exp(log_pmf(np.where(inside, k, 0.0), M, a, b)) * inside
    atoms /= atoms.sum(1, keepdims=True)
    none = np.zeros((low.size, 0))
    kept = (atoms, np.cumsum(atoms, 1), np.ones(low.size))
    return Grid(0, shapes, low, np.ones(low.size), *kept, none, none, none)

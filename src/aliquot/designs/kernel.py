"""Blocked, mergeable kernels: a frame of any size is drawn from in one pass and flat memory.

`Smallest` keeps the n units with the smallest sort values; `level` finds the constant c with
`sum max(before, min(1, c size)) = target`, which is what the capped probabilities come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, every, nothing

CERTAIN = 1.0 - 1e-9  # a capped probability of so much is 1: c is known to about 1e-12
Value = Callable[[Chunk], Floats]


@final
@dataclass
class Smallest:
    """The n units with the smallest (value, key), gathered block by block."""

    n: int
    values: Floats = field(default_factory=lambda: np.empty(0))
    chunk: Chunk = field(default_factory=nothing)
    bound: float = np.inf  # nothing above it can be among the n smallest

    def add(self, chunk: Chunk, values: Floats) -> None:
        """Take in a block; units whose value is not finite can't be drawn."""
        keep = np.isfinite(values) & (values <= self.bound)
        if not keep.any():
            return
        self.values = np.concatenate([self.values, values[keep]])
        self.chunk = every(iter([self.chunk, pick(chunk, keep)]))
        if len(self.values) > 4 * self.n + 65_536:
            self._shrink()

    def merge(self, other: Smallest) -> None:
        """Take in what another state gathered."""
        self.add(other.chunk, other.values)

    def finish(self) -> tuple[Chunk, Floats]:
        """Return the units kept, in order of (value, key)."""
        self._shrink()
        order = np.lexsort((self.chunk.keys, self.values))[: self.n]
        return pick(self.chunk, order), self.values[order]

    def _shrink(self) -> None:
        if len(self.values) <= self.n:
            return
        self.bound = float(np.partition(self.values, max(self.n - 1, 0))[max(self.n - 1, 0)])
        keep = self.values <= self.bound
        self.chunk, self.values = pick(self.chunk, keep), self.values[keep]


def pick(chunk: Chunk, which: NDArray[np.bool_] | NDArray[np.int64]) -> Chunk:
    """Return some units of a chunk."""
    return Chunk(
        chunk.rows[which],
        chunk.keys[which],
        chunk.size[which],
        chunk.before[which],
        chunk.stratum[which],
    )


def smallest(chunks: Iterator[Chunk], n: int, value: Value) -> tuple[Chunk, Floats]:
    """Return the n units with the smallest values in one pass."""
    state = Smallest(n)
    for chunk in chunks:
        state.add(chunk, value(chunk))
    return state.finish()


def first_level(chunks: Iterator[Chunk], n: int) -> float:
    """Find the c of a first draw, `sum min(1, c size) = n`, in one pass.

    The certain units are the largest: with k of them, c = (n - k) / (the sizes of the rest).
    """
    largest, total, count, least = Smallest(n), 0.0, 0, np.inf
    for chunk in chunks:
        some = chunk.size > 0
        if some.any():
            largest.add(chunk, np.where(some, -chunk.size, np.inf))
            total += float(np.cumsum(chunk.size)[-1])
            count += int(some.sum())
            least = min(least, float(chunk.size[some].min()))
    if n >= count:
        return 2.0 / least  # 1 / least * least may be just below 1
    return certainty(-largest.finish()[1], total, n)


def certainty(top: Floats, total: float, n: int) -> float:
    """Return c from the n largest sizes, in falling order, and the sum of all.

    >>> certainty(np.array([3.0, 1.0]), 6.0, 2)  # the first is certain: 1 / (1 + 1 + 1)
    0.3333333333333333
    """
    above = np.concatenate([[0.0], np.cumsum(top)[:-1]])
    c = (n - np.arange(len(top))) / (total - above)
    certain = np.flatnonzero(c * top < 1.0)
    return float(c[certain[0]]) if len(certain) else float(c[-1])


def level(chunks: Callable[[], Iterator[Chunk]], extra: int) -> float:
    """Find c with `sum max(before, min(1, c size)) = sum before + extra`.

    The sum grows with c and is piecewise linear: bracket, then regula falsi with halving (Illinois)
    until the bracket is as narrow as floats allow. Each look is one pass.
    """
    total, least, ceiling = 0.0, np.inf, 0.0
    for chunk in chunks():
        some = chunk.size > 0
        total += float(np.cumsum(chunk.size)[-1]) if len(some) else 0.0
        least = min(least, float(chunk.size[some].min())) if some.any() else least
        ceiling += float(some.sum() + chunk.before[~some].sum())
    target = _mass(chunks, 0.0) + extra
    if target >= ceiling:  # everything that can be drawn is drawn
        return 2.0 / least  # 1 / least * least may be just below 1
    low, low_gap = 0.0, -float(extra)
    high = 2.0 * max(target, 1.0) / total
    high_gap = _mass(chunks, high) - target
    while high_gap < 0:
        low, low_gap, high = high, high_gap, high * 4.0
        high_gap = _mass(chunks, high) - target
    return _close(chunks, target, (low, low_gap), (high, high_gap))


def _close(
    chunks: Callable[[], Iterator[Chunk]],
    target: float,
    low: tuple[float, float],
    high: tuple[float, float],
) -> float:
    (a, f), (b, g), side = low, high, 0
    over = g  # the true gap at b: g is halved on the way, and must not end the search
    for step in range(200):
        if over <= 1e-12 * target or b - a <= 1e-15 * b:
            break
        slow = step > 8 and step % 2  # lopsided brackets: halve them
        c = (a + b) / 2 if slow else b - g * (b - a) / (g - f)
        gap = _mass(chunks, c) - target
        if abs(gap) <= 1e-12 * target:
            return c
        if gap > 0:
            b, g, over, f, side = c, gap, gap, f / 2 if side == 1 else f, 1
        else:
            a, f, g, side = c, gap, g / 2 if side == -1 else g, -1
    return b


def _mass(chunks: Callable[[], Iterator[Chunk]], c: float) -> float:
    mass = 0.0
    for chunk in chunks():
        if len(chunk.size):
            mass += float(np.cumsum(capped(chunk, c))[-1])
    return mass


def capped(chunk: Chunk, c: float) -> Floats:
    """Return max(before, min(1, c size))."""
    found: Floats = np.maximum(chunk.before, np.minimum(1.0, c * chunk.size))
    return found

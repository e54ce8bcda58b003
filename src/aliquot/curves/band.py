"""Strata by rank, as many labels as the width asks for, and a band that assumes nothing.

The ranking is cut into strata of ranks that are one per cent apart. A first ask takes a few ranks
of each; what they say of precision tells how many more each stratum needs (`curves.allocation`);
and so on until the band (`curves.limits`, `curves.sandwich`) has its width at every rank.

The curve is between truth / factor and truth * factor, `factor = beta (1 + epsilon)`, at every rank
from `start` on at once, with confidence 1 - delta: what AdaStrat promises (Sabharwal and Xue 2018,
Theorem 3), for a fraction of its labels, and **without assuming that precision falls**. A list no
longer than `start` is labelled whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves import allocation, sandwich
from aliquot.curves.base import Strategy, count
from aliquot.curves.cells import Cells, counted, ladder
from aliquot.curves.limits import Limits, limits
from aliquot.curves.luck import Luck, Permanent
from aliquot.curves.points import Curve, Ranks
from aliquot.curves.steps import Ask, Steps

RATIO, TOP = 1.01, 1.5  # of neighbouring ranks: from `start` on, and above it
PILOT, HEAD = 2, 100  # labels of the first ask: in each stratum, and above `start`
PAD = 1.03  # stopping once the band is narrow enough costs some coverage, which this gives back
MORE = 1.02  # the least that another ask adds, as a factor


@final
@dataclass(frozen=True)
class Band(Strategy):
    """A band at every rank from `start` on, with no assumption on the curve.

    >>> Band(epsilon=0.1).factor
    1.1550000000000002
    """

    start: int = 3492
    name: ClassVar[str] = "band"

    def __post_init__(self) -> None:
        super().__post_init__()
        count("start", self.start)

    def steps(self, n: int, rng: Luck) -> Steps:
        """Ask for a few ranks of each stratum, then for as many as the width needs."""
        held = Strata(*_edges(n, min(self.start, n)))
        wanted = held.pilot() if n > self.start else held.size
        goal = np.full(len(held.edges) - held.first, 1.0)
        while True:
            ask = held.choose(wanted, rng)
            held.take((yield ask))
            cells = held.cells()
            found = limits(cells, 1.0 - self.delta, first=held.first, pad=PAD)
            high = np.log(sandwich.heights(sandwich.tightened(found)))
            width = 2.0 * math.log(self.factor)
            if high.max() <= width or held.judged.sum() == n:
                return self._curve(found, held)
            if held.asked > 1:
                goal = goal * np.minimum(1.0, 0.997 * width / np.maximum(high, 1e-12))
            wanted = self._more(cells, found, goal, held)

    def _more(self, cells: Cells, found: Limits, goal: Floats, held: Strata) -> Floats:
        """Return how many labels each stratum should have, at least some more than now."""
        q = np.clip(cells.local(), 0.01, 0.99)
        precision = np.clip(cells.total / cells.edges, 0.5 / cells.edges, 1.0)[held.first :]
        local = q[held.first :]
        between = np.minimum(local, 1.0 - local) / precision * math.log(RATIO) / 2.0
        half = math.log(self.factor) * goal
        half = np.maximum(half - between, 0.3 * half)
        bound = np.full(len(cells), np.inf)
        bound[held.first :] = (half / found.u * precision * cells.edges[held.first :]) ** 2
        a = cells.size**2 * q * (1.0 - q)
        least = allocation.least(a, bound + np.cumsum(a / cells.size))
        wanted = np.minimum(cells.size, np.maximum(np.ceil(least), held.judged))
        if wanted.sum() < held.judged.sum() * MORE:
            more = np.maximum(np.ceil(held.judged * MORE), held.judged + 1)
            wanted = np.minimum(cells.size, np.maximum(wanted, more))
        return wanted

    def _curve(self, found: Limits, held: Strata) -> Curve:
        """Put the curve in the middle of the band, on a log scale."""
        whole = bool(held.judged.sum() == held.edges[-1])
        if whole:
            found = limits(held.every(), 1.0 - self.delta)
        made = sandwich.curve(
            found,
            int(held.judged.sum()),
            system="",
            level=1.0 - self.delta,
            guarantee="exact" if whole else "approximate",
        )
        middle = np.sqrt(made.lows * made.highs)
        below = made.ranks < found.edges[0]
        return replace(
            made,
            precisions=np.where(below, made.precisions, middle),
            factor=self.factor,
            method=str(self),
        )


@final
class Strata:
    """The strata of a ranking, and the ranks that were labelled in each."""

    def __init__(self, edges: Ranks, first: int) -> None:
        self.edges, self.first, self.asked = edges, first, 0
        self.size = np.diff(edges, prepend=0).astype(np.float64)
        self.judged = np.zeros(len(edges))
        self.positives = np.zeros(len(edges))
        self._held: list[Ranks] = [np.empty(0, dtype=np.int64) for _ in edges]
        self._last = np.empty(0, dtype=np.int64)
        self._labels: list[tuple[Ranks, Floats]] = []

    def pilot(self) -> Floats:
        """Return the labels of the first ask."""
        wanted = np.full(len(self.edges), float(PILOT))
        wanted[: self.first + 1] = math.ceil(HEAD / (self.first + 1))
        found: Floats = np.minimum(wanted, self.size)
        return found

    def cells(self) -> Cells:
        """Return what the labels say."""
        return counted(self.edges, self.judged, self.positives)

    def choose(self, wanted: Floats, rng: Luck) -> Ask:
        """Choose ranks that were not labelled yet, all those of a stratum alike."""
        more = (wanted - self.judged).astype(np.int64)
        chosen, chances = [], []
        for h in np.flatnonzero(more > 0):
            start = int(self.edges[h - 1]) if h else 0
            fresh = distinct(start, int(self.edges[h]), int(more[h]), self._held[h], rng)
            chosen.append(fresh)
            chances.append(np.full(len(fresh), more[h] / (self.size[h] - self.judged[h])))
            self._held[h] = np.union1d(self._held[h], fresh)
        self._last = np.concatenate(chosen)
        return Ask(self._last, np.concatenate(chances), cuts=self.edges)

    def take(self, labels: Floats) -> None:
        """Count the labels of the last ask."""
        cell = np.searchsorted(self.edges, self._last)
        self.judged += np.bincount(cell, minlength=len(self.edges))
        self.positives += np.bincount(cell, weights=labels, minlength=len(self.edges))
        self._labels.append((self._last, labels))
        self.asked += 1

    def every(self) -> Cells:
        """Return a cell for each rank, once all are labelled."""
        ranks, labels = (np.concatenate(side) for side in zip(*self._labels, strict=True))
        return counted(np.arange(1, len(ranks) + 1), np.ones(len(ranks)), labels[np.argsort(ranks)])


def distinct(start: int, end: int, count: int, held: Ranks, rng: Luck) -> Ranks:
    """Choose `count` ranks of start + 1 .. end that are not held, every such set alike."""
    size = end - start
    if isinstance(rng, Permanent):
        return rng.smallest(start, end, count, held)
    if size <= 4 * (count + len(held)):
        free = np.setdiff1d(np.arange(start + 1, end + 1), held, assume_unique=True)
        return np.sort(rng.permutation(free)[:count])
    found = np.empty(0, dtype=np.int64)
    while len(found) < count:  # one at a time would do the same: the first to come are kept
        more = rng.integers(start + 1, end + 1, 2 * count + 8)
        more = more[~np.isin(more, held)]
        found = np.concatenate([found, more])
        found = found[np.sort(np.unique(found, return_index=True)[1])]
    return np.sort(found[:count])


def _edges(n: int, start: int) -> tuple[Ranks, int]:
    """Return the ends of the strata, and which of them ends at `start`."""
    top = ladder(min(16, start), start, TOP)
    below = ladder(start, n, RATIO)
    return np.concatenate([top, below[1:]]), len(top) - 1

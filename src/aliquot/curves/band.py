"""Strata by rank, as many labels as the width asks for, and a band that assumes nothing.

The ranking is cut into strata of ranks that are one per cent apart. A first ask takes a few ranks
of each; what they say of precision tells how many more each stratum needs (`curves.allocation`);
and so on until the band (`curves.limits`, `curves.sandwich`) has its width at every rank.

The curve is between truth / factor and truth * factor, `factor = beta (1 + epsilon)`, at every rank
from `start` on at once, with confidence 1 - delta: what AdaStrat promises (Sabharwal and Xue 2018,
Theorem 3), for a fraction of its labels, and **without assuming that precision falls**. A list no
longer than `start` is labelled whole.

`assume=monotone` **assumes weak monotonicity**, and needs fewer labels where precision hardly falls
(`curves.falling`). If the labels refute it, the strategy goes on as if nothing had been assumed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves import allocation, falling, sandwich
from aliquot.curves.base import Strategy, among, count
from aliquot.curves.cells import Cells, counted, ladder
from aliquot.curves.falling import Falling
from aliquot.curves.limits import Limits, limits
from aliquot.curves.luck import Luck, Permanent
from aliquot.curves.points import Curve, Ranks
from aliquot.curves.steps import Ask, Steps

RATIO, TOP = 1.01, 1.5  # of neighbouring ranks: from `start` on, and above it
PILOT, HEAD = 2, 100  # labels of the first ask: in each stratum, and above `start`
PAD = 1.03  # stopping once the band is narrow enough costs some coverage, which this gives back
MORE = 1.02  # the least that another ask adds, as a factor
STEP, ENDS = 1.03, 0.6  # with monotonicity: the ratio, and the errors that the end points may make
MOST, GROWN = 1.4, 1.2  # and the most that an ask multiplies; below the other the plan is too tame
REFUTED = "no precision function that falls over {0} ranks fits the labels: the ends assume nothing"


@final
@dataclass(frozen=True)
class Band(Strategy):
    """A band at every rank from `start` on, with no assumption on the curve.

    >>> Band(epsilon=0.1).factor
    1.1550000000000002
    """

    start: int = 3492
    assume: str = "nothing"
    m: int = 100
    name: ClassVar[str] = "band"

    def __post_init__(self) -> None:
        super().__post_init__()
        count("start", self.start)
        count("m", self.m)
        among("assume", self.assume, ("nothing", "monotone"))

    @property
    def _falls(self) -> bool:
        return self.assume == "monotone"

    def steps(self, n: int, rng: Luck) -> Steps:
        """Ask for a few ranks of each stratum, then for as many as the width needs."""
        held = Strata(*_edges(n, min(self.start, n), STEP if self._falls else RATIO))
        wanted = held.pilot(1 if self._falls else PILOT) if n > self.start else held.size
        goal, width = np.ones(len(held.edges) - held.first), 2.0 * math.log(self.factor)
        falls, ends = self._falls and n > self.start, ENDS if self._falls else 0.0
        while True:
            if np.any(wanted > held.judged):
                held.take((yield held.choose(wanted, rng)))
            cells = held.cells()
            found = limits(cells, 1.0 - self.delta, first=held.first, pad=PAD, ends=ends)
            tight = sandwich.tightened(found)
            fallen = Falling(tight, self.m)
            high = np.log(fallen.heights() if falls else sandwich.heights(tight))
            done = bool(high.max() <= width or held.judged.sum() == n)
            if falls and (fallen.refuted or (done and fallen.rises)):
                falls, held = False, held.split(*_edges(n, self.start, RATIO))
                wanted, goal = held.pilot(PILOT), np.ones(len(held.edges) - held.first)
                continue
            if done:
                return self._curve(found, held, falls=falls)
            if held.asked > 1 and (held.grown < GROWN or not falls):
                worst = np.maximum(high.max() if falls else high, 1e-12)
                goal = goal * np.clip(0.997 * width / worst, 0.9 if falls else 0.0, 1.0)
            wanted = self._more(cells, found, goal, held, falls=falls)

    def _more(
        self, cells: Cells, found: Limits, goal: Floats, held: Strata, *, falls: bool
    ) -> Floats:
        """Return how many labels each stratum should have, at least some more than now."""
        q = np.clip(cells.local(), 0.01, 0.99)
        precision = np.clip(cells.total / cells.edges, 0.5 / cells.edges, 1.0)[held.first :]
        local = q[held.first :]
        ratio = STEP if falls else RATIO
        between = np.minimum(local, 1.0 - local) / precision * math.log(ratio) / 2.0
        half = math.log(self.factor) * goal
        near = np.maximum(half - between, 0.3 * half)
        below = [(near / found.u * precision * found.edges) ** 2]
        if falls:
            below += falling.plans(found, precision, float(half.min()))
        a = cells.size**2 * q * (1.0 - q)
        top = np.full(held.first, np.inf)
        tried = [
            allocation.least(a, np.append(top, one) + np.cumsum(a / cells.size)) for one in below
        ]
        each = [np.minimum(cells.size, np.maximum(np.ceil(one), held.judged)) for one in tried]
        wanted = min(each, key=lambda labels: float(labels.sum()))
        if falls and wanted.sum() > held.judged.sum() * MOST:  # so few labels know little
            part = (MOST - 1.0) * held.judged.sum() / (wanted - held.judged).sum()
            wanted = np.ceil(held.judged + part * (wanted - held.judged))
        if wanted.sum() < held.judged.sum() * MORE:
            more = np.maximum(np.ceil(held.judged * MORE), held.judged + 1)
            wanted = np.minimum(cells.size, np.maximum(wanted, more))
        return wanted

    def _curve(self, found: Limits, held: Strata, *, falls: bool) -> Curve:
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
        told = () if whole or falls or not self._falls else (REFUTED.format(self.m),)
        made = replace(made, factor=self.factor, method=str(self), warnings=told)
        if falls and not whole:
            return self._fallen(made, Falling(sandwich.tightened(found), self.m))
        middle = np.sqrt(made.lows * made.highs)
        below = made.ranks < found.edges[0]
        return replace(made, precisions=np.where(below, made.precisions, middle))

    def _fallen(self, made: Curve, ends: Falling) -> Curve:
        """Put the ends of a curve that falls in place of those that assume nothing."""
        ranks, low, high = ends.limits(RATIO)
        above = made.ranks < ranks[0]
        return replace(
            made,
            ranks=np.append(made.ranks[above], ranks),
            precisions=np.append(made.precisions[above], np.sqrt(low * high) / ranks),
            lows=np.append(made.lows[above], low / ranks),
            highs=np.append(made.highs[above], high / ranks),
            guarantee="approximate-monotone",
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

    def pilot(self, each: int) -> Floats:
        """Return the least that each stratum needs: so many, and some more at the top."""
        wanted = np.full(len(self.edges), float(each))
        wanted[: self.first + 1] = math.ceil(HEAD / (self.first + 1))
        found: Floats = np.maximum(np.minimum(wanted, self.size), self.judged)
        return found

    def split(self, edges: Ranks, first: int) -> Strata:
        """Return finer strata with the same labels: in each part they are a random sample too."""
        found = Strata(edges, first)
        for found._last, labels in self._labels:
            found.take(labels)
        found.asked = 0
        held = np.sort(np.concatenate(self._held))
        found._held = np.split(held, np.searchsorted(held, edges[:-1], side="right"))
        return found

    def cells(self) -> Cells:
        """Return what the labels say."""
        return counted(self.edges, self.judged, self.positives)

    @property
    def grown(self) -> float:
        """By how much the last ask multiplied the labels."""
        count = float(self.judged.sum())
        return count / max(count - len(self._last), 1.0)

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


def _edges(n: int, start: int, ratio: float) -> tuple[Ranks, int]:
    """Return the ends of the strata, and which of them ends at `start`."""
    top = ladder(min(16, start), start, TOP)
    below = ladder(start, n, ratio)
    return np.concatenate([top, below[1:]]), len(top) - 1

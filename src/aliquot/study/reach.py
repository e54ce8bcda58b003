"""Reach: what each unit of the frame could weigh in an estimate, and which units no draw could see.

One pass over the frame gathers, for each system, the potential a(u) = max over labels of |psi(u)|:
its total, how much of it no draw could have chosen, and the weight that a drawn unit stands for. A
system that joined late may return units that were not in the frame when labels were drawn. The
sample says nothing about them. Their labels can be anything on the scale, so every interval is
widened by the worst they could do (Manski bounds), and the estimate says how much of its weight
they carry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.columns import BLOCK, Rows
from aliquot.core.frame import Block, Floats
from aliquot.measures.base import Items
from aliquot.measures.bearing import Bearing, bearing
from aliquot.measures.pairs import PairMeasure
from aliquot.measures.targets import Family, levels
from aliquot.study.book import Book
from aliquot.study.pools import combined, layers
from aliquot.study.whole import ENTRIES

Gradients = tuple[Floats, ...]
SHARE = 1.01  # the heaviest weight over the mean weight, up to which all weigh alike


@final
@dataclass(frozen=True, eq=False)
class Reach:
    """What a family's systems rest on, one entry a system.

    `total` is the sum of the potential, `missed` what no draw could see of it, `left` what was
    neither certain nor impossible to be judged. Over the units that
    were neither, `weight` is the mean weight of a unit, each
    taken as often as it counts, and `most` the heaviest. `peak` is the heaviest of all units.
    """

    total: Floats
    missed: Floats
    left: Floats
    weight: Floats
    most: Floats
    peak: Floats

    @property
    def share(self) -> Floats:
        """The share of the weight that no draw could see."""
        return np.divide(
            self.missed, self.total, out=np.zeros(len(self.total)), where=self.total > 0
        )

    def even(self, s: int) -> bool:
        """Whether all units of a system weigh alike."""
        return bool(self.most[s] <= SHARE * self.weight[s])


def most(family: Family, items: Items) -> Floats:
    """Return the most that each unit can contribute, whatever its label."""
    parts = [family.measure.contributions(items, y) for y in family.labels(items)]
    found: Floats = np.max(parts, axis=0)
    return found


def potential(family: Family, block: Block, gradients: Gradients) -> Floats:
    """Return a(u) = max over labels of |psi(u)|, shape (S, n)."""
    labels = [*levels(family.scale), *([None] if family.inner else [])]
    at = [np.abs(family.influences(block, list(gradients), y)) for y in labels]
    found: Floats = np.max(at, axis=0)
    return found


def bearings(book: Book, family: Family) -> Iterable[Bearing]:
    """Go through the frame: which units bear on a family."""
    frame, measure = book.frame, family.measure
    sparse = measure.linear and measure.needs == "rank"
    pairs = [len(s.rows) if sparse else len(frame) for s in family.systems] or [len(frame)]
    entries = 2 * (len(levels(family.scale)) + family.inner) * sum(pairs)

    def fresh() -> Iterator[Bearing]:
        size = max(len(frame), 1) if entries <= ENTRIES else BLOCK
        for block in frame.blocks(family.systems, size=size):
            yield bearing(family, block)

    return book.whole.parts(fresh, "bearing", str(measure), entries=entries)


@final
@dataclass(frozen=True, eq=False)
class Chances:
    """The chance of every unit of the frame to be judged under all draws together.

    `judged` is the share of the drawn units that is judged by now.
    """

    book: Book
    judged: float

    @cached_property
    def pi(self) -> Floats:
        """The chances, one a row of the frame."""
        before = layers(self.book, self.book.ledger.draws())
        alone = len(before) == 1
        blocks = zip(*(layer.chunks() for layer in before), strict=True)
        parts = [combined(before, chunks, alone=alone) for chunks in blocks]
        found: Floats = self.judged * np.concatenate(parts)
        return found

    @cached_property
    def unseen(self) -> Rows:
        """The rows that no draw could have chosen."""
        return np.flatnonzero(self.pi <= 0)

    def reach(self, family: Family, gradients: Gradients) -> Reach:
        """Gather the reach of each system of a family in one pass."""
        count = len(family.names)
        total, missed, left, square, most, sure = (np.zeros(count) for _ in range(6))
        for some in bearings(self.book, family):
            pi = self.pi[some.rows]
            open_ = (pi > 0) & (pi < 1)
            a = some.potential(gradients)
            weight = np.divide(a, pi, out=np.zeros(len(a)), where=open_)
            total += some.sums(a)
            missed += some.sums(a * (pi <= 0))
            left += some.sums(a * open_)
            square += some.sums(a * weight)
            most = np.maximum(most, some.largest(weight))
            if (pi >= 1).any():
                sure = np.maximum(sure, some.largest(np.where(pi >= 1, a, 0.0) / np.maximum(pi, 1)))
        mean = np.divide(square, left, out=np.zeros(count), where=left > 0)
        return Reach(total, missed, left, mean, most, np.maximum(most, sure))

    def between(self, family: Family, gradients: Gradients, systems: NDArray[np.int64]) -> Floats:
        """Return the mean weight of a unit in the difference of every two systems, shape (S, S).

        `sum d^2 / pi / sum |d|` with d = a_i - a_j; `|d|` sums to `a_i + a_j - 2 min(a_i, a_j)`.
        Only the pairs of the `systems` named (their places) are filled in.
        """
        if family.measure.needs == "predicted":
            return self._between_predicted(family, gradients, systems)
        count = len(family.names)
        products, least = np.zeros((count, count)), np.zeros((count, count))
        for some in bearings(self.book, family):
            a, pi = self._open(some, gradients, systems)
            products += (a / pi[:, None]).T @ a
            for s in systems:
                mine = a[a[:, s] > 0]
                least[s] += np.minimum(mine, mine[:, [s]]).sum(axis=0)
        whole, square = np.diag(least), np.diag(products)
        size = whole[:, None] + whole - 2.0 * least
        square = square[:, None] + square - 2.0 * products
        apart = size > 1e-12 * (whole[:, None] + whole)
        return np.divide(square, size, out=np.zeros((count, count)), where=apart)

    def _between_predicted(
        self, family: Family, gradients: Gradients, systems: NDArray[np.int64]
    ) -> Floats:
        """The same where no label is best for all: `d = max over labels of |psi_i - psi_j|`.

        Two predictions that differ can both weigh the same, each at a label of its own.
        """
        count = len(family.names)
        square, size = np.zeros((count, count)), np.zeros((count, count))
        for block in self.book.frame.blocks(family.systems):
            pi = self.pi[block.rows]
            open_ = (pi > 0) & (pi < 1)
            each = [family.influences(block, list(gradients), y) for y in levels(family.scale)]
            psi = np.stack(each)[:, :, open_]
            own = np.abs(family.influences(block, list(gradients), None))[:, open_]
            said = np.stack(
                [
                    np.zeros(0) if i.output.predicted is None else i.output.predicted
                    for i in family.items(block)
                ]
            )[:, open_]
            for s in systems:
                apart = np.where(said != said[s], np.maximum(own, own[s]), 0.0)
                d = np.maximum(np.abs(psi - psi[:, [s]]).max(axis=0), apart)
                square[:, s] += (d * d / pi[open_]).sum(axis=1)
                size[:, s] += d.sum(axis=1)
        return np.divide(square, size, out=np.zeros((count, count)), where=size > 0)

    def _open(
        self, some: Bearing, gradients: Gradients, systems: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """Return the potential, shape (units, S), and the chance of the units not yet certain."""
        pi = self.pi[some.rows]
        wanted = (pi > 0) & (pi < 1) & np.isin(some.owner, systems)
        units, column = np.unique(some.rows[wanted], return_inverse=True)
        a = np.zeros((len(units), len(some.family.names)))
        a[column, some.owner[wanted]] = some.potential(gradients)[wanted]
        return a, self.pi[units]

    def apart(
        self, family: Family, gradients: Gradients, systems: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """Return how low and how high the unseen units could move each difference, shape (S, S).

        Each unit takes the label that is worst, or best, for the difference `psi_i - psi_j`. Only
        the pairs of the `systems` named (their places) are filled in.
        """
        count = len(family.names)
        low, high = np.zeros((count, count)), np.zeros((count, count))
        for some in bearings(self.book, family):
            wanted = (self.pi[some.rows] <= 0) & np.isin(some.owner, systems)
            units, column = np.unique(some.rows[wanted], return_inverse=True)
            psi = np.zeros((len(some.c), count, len(units)))
            psi[:, some.owner[wanted], column] = some.influences(gradients)[:, wanted]
            for s in systems:
                d = psi - psi[:, [s]]
                low[:, s] += d.min(axis=0).sum(axis=1)
                high[:, s] += d.max(axis=0).sum(axis=1)
        return low, high

    def most(self, family: Family) -> Floats:
        """Sum up the most that each unit a draw could see can contribute, shape (S, J)."""
        total: Floats = np.zeros(1)
        for some in bearings(self.book, family):
            seen = self.pi[some.rows] > 0
            total = total + np.stack([some.sums(c * seen) for c in some.c.max(axis=0)], axis=1)
        return total

    def slack(
        self, family: Family, totals: Gradients, known: Floats, gradients: Gradients
    ) -> list[tuple[float, float]]:
        """Give the unseen units the labels that lower, and that raise, each estimate most."""
        if not len(self.unseen):
            return [(0.0, 0.0) for _ in family.names]
        if isinstance(family.measure, PairMeasure):
            items = family.items(self.book.frame.block(self.unseen, family.systems))
            return [family.measure.unseen(i, t) for i, t in zip(items, totals, strict=True)]
        lowest, highest = (np.zeros((len(totals), *totals[0].shape)) for _ in range(2))
        for some in bearings(self.book, family):
            out = np.flatnonzero(self.pi[some.rows] <= 0)
            psi = some.influences(gradients)[:, out]
            for more, choice in ((lowest, psi.argmin(axis=0)), (highest, psi.argmax(axis=0))):
                at = (some.owner[out], some.topics[out])[: more.ndim - 1]
                for j, added in enumerate(some.c[choice, :, out].T):
                    np.add.at(more[:, j], at, added)
        found = []
        for s in range(len(totals)):
            value = family.measure.value
            base = value(totals[s], known[s])
            low, high = (value(totals[s] + more[s], known[s]) for more in (lowest, highest))
            found.append((max(0.0, base - low), max(0.0, high - base)))
        return found

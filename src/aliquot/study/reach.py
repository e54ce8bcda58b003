"""Reach: what each unit of the frame could weigh in an estimate, and which units no draw could see.

One pass over the frame gathers, for each system, the potential a(u) = max over labels of |psi(u)|:
its total, how much of it no draw could have chosen, and the weight that a drawn unit stands for. A
system that joined late may return units that were not in the frame when labels were drawn. The
sample says nothing about them. Their labels can be anything on the scale, so every interval is
widened by the worst they could do (Manski bounds), and the estimate says how much of its weight
they carry.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from aliquot.core.columns import Rows
from aliquot.core.frame import Block, Floats
from aliquot.measures.base import accumulate, influence
from aliquot.measures.targets import Family, levels
from aliquot.study.book import Book
from aliquot.study.pools import columns, combined, layers

Gradients = tuple[Floats, ...]
SHARE = 1.01  # the heaviest weight over the mean weight, up to which all weigh alike


@final
@dataclass(frozen=True, eq=False)
class Reach:
    """What a family's systems rest on, one entry a system.

    `total` is the sum of the potential, `missed` what no draw could see of it, `left` what was
    neither certain nor impossible to be judged. Over the units that
    were neither, `weight` is the mean weight of a unit, each
    taken as often as it counts, and `most` the heaviest.
    """

    total: Floats
    missed: Floats
    left: Floats
    weight: Floats
    most: Floats

    @property
    def share(self) -> Floats:
        """The share of the weight that no draw could see."""
        return np.divide(
            self.missed, self.total, out=np.zeros(len(self.total)), where=self.total > 0
        )

    def even(self, s: int) -> bool:
        """Whether all units of a system weigh alike."""
        return bool(self.most[s] <= SHARE * self.weight[s])


def potential(family: Family, block: Block, gradients: Gradients) -> Floats:
    """Return a(u) = max over labels of |psi(u)|, shape (S, n)."""
    at = [
        np.abs(family.influences(block, list(gradients), np.array(y))) for y in levels(family.scale)
    ]
    found: Floats = np.max(at, axis=0)
    return found


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
        book, frame = self.book, self.book.frame
        before = layers(book, book.ledger.draws())
        blocks = frame.blocks(frame.systems, columns(frame))
        alone = len(before) == 1
        parts = [combined(before, block, frame, alone=alone) for block in blocks]
        found: Floats = self.judged * np.concatenate(parts)
        return found

    @cached_property
    def unseen(self) -> Rows:
        """The rows that no draw could have chosen."""
        return np.flatnonzero(self.pi <= 0)

    def reach(self, family: Family, gradients: Gradients) -> Reach:
        """Gather the reach of each system of a family in one pass."""
        count = len(family.names)
        total, missed, left, square, most = (np.zeros(count) for _ in range(5))
        for block in self.book.frame.blocks(family.systems):
            pi = self.pi[block.rows]
            open_ = (pi > 0) & (pi < 1)
            a = potential(family, block, gradients)
            weight = a[:, open_] / pi[open_]
            total += a.sum(axis=1)
            missed += a[:, pi <= 0].sum(axis=1)
            left += a[:, open_].sum(axis=1)
            square += (a[:, open_] * weight).sum(axis=1)
            most = np.maximum(most, weight.max(axis=1, initial=0.0))
        mean = np.divide(square, left, out=np.zeros(count), where=left > 0)
        return Reach(total, missed, left, mean, most)

    def between(self, family: Family, gradients: Gradients) -> Floats:
        """Return the mean weight of a unit in the difference of every two systems, shape (S, S).

        `sum d^2 / pi / sum |d|` with d = a_i - a_j; `|d|` sums to `a_i + a_j - 2 min(a_i, a_j)`.
        """
        count = len(family.names)
        products, least = np.zeros((count, count)), np.zeros((count, count))
        for block in self.book.frame.blocks(family.systems):
            pi = self.pi[block.rows]
            open_ = (pi > 0) & (pi < 1)
            a = potential(family, block, gradients)[:, open_]
            products += (a / pi[open_]) @ a.T
            for s in range(count):
                mine = np.flatnonzero(a[s])
                least[s] += np.minimum(a[:, mine], a[s, mine]).sum(axis=1)
        whole, square = np.diag(least), np.diag(products)
        size = whole[:, None] + whole - 2.0 * least
        square = square[:, None] + square - 2.0 * products
        some = size > 1e-12 * (whole[:, None] + whole)
        return np.divide(square, size, out=np.zeros((count, count)), where=some)

    def slack(
        self, family: Family, totals: Gradients, known: Floats, gradients: Gradients
    ) -> list[tuple[float, float]]:
        """Give the unseen units the labels that lower, and that raise, each estimate most."""
        if not len(self.unseen):
            return [(0.0, 0.0) for _ in family.names]
        block = self.book.frame.block(self.unseen, family.systems)
        found = []
        for s, items in enumerate(family.items(block)):
            c = [family.measure.contributions(items, np.array(y)) for y in levels(family.scale)]
            psi = np.stack([influence(family.measure, items, gradients[s], one) for one in c])
            base = family.measure.value(totals[s], known[s])
            ends = []
            for choice in (psi.argmin(axis=0), psi.argmax(axis=0)):
                chosen = np.stack(c)[choice, :, np.arange(len(items))].T
                more = accumulate(family.measure, items, chosen)
                ends.append(family.measure.value(totals[s] + more, known[s]))
            found.append((max(0.0, base - ends[0]), max(0.0, ends[1] - base)))
        return found

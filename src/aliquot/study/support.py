"""Support: which units no draw could have chosen, and what they could do to an estimate.

A system that joined late may return units that were not in the frame when labels were drawn. The
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
from aliquot.core.frame import Floats
from aliquot.measures.base import accumulate, influence
from aliquot.measures.targets import Family, levels
from aliquot.study.book import Book
from aliquot.study.pools import columns, combined, layers


@final
@dataclass(frozen=True)
class Support:
    """The share of a system's weight that no draw could see, and what it could change."""

    share: float = 0.0
    slack: tuple[float, float] = (0.0, 0.0)


@final
@dataclass(frozen=True, eq=False)
class Unseen:
    """The units that no draw could have chosen."""

    book: Book

    @cached_property
    def rows(self) -> Rows:
        """Their rows in the frame."""
        book, frame = self.book, self.book.frame
        before = layers(book, book.ledger.draws())
        found = [
            block.rows[combined(before, block, frame) <= 0]
            for block in frame.blocks(frame.systems, columns(frame))
        ]
        return np.concatenate(found) if found else np.empty(0, dtype=np.int64)

    def of(
        self,
        family: Family,
        totals: tuple[Floats, ...],
        known: Floats,
        gradients: tuple[Floats, ...],
    ) -> list[Support]:
        """Return the support of each system of a family."""
        if not len(self.rows):
            return [Support() for _ in family.names]
        missed = self._weight(family, gradients, self.rows)
        if not missed.any():
            return [Support() for _ in family.names]
        whole = self._weight(family, gradients, None)
        slack = self._slack(family, totals, known, gradients)
        return [
            Support(float(m / w) if w > 0 else 0.0, s)
            for m, w, s in zip(missed, whole, slack, strict=True)
        ]

    def _weight(self, family: Family, gradients: tuple[Floats, ...], rows: Rows | None) -> Floats:
        frame = self.book.frame
        blocks = (
            frame.blocks(family.systems) if rows is None else [frame.block(rows, family.systems)]
        )
        total = np.zeros(len(family.names))
        for block in blocks:
            at = [
                np.abs(family.influences(block, list(gradients), np.array(y)))
                for y in levels(family.scale)
            ]
            total += np.max(at, axis=0).sum(axis=1)
        return total

    def _slack(
        self,
        family: Family,
        totals: tuple[Floats, ...],
        known: Floats,
        gradients: tuple[Floats, ...],
    ) -> list[tuple[float, float]]:
        """Give the unseen units the labels that lower, and that raise, the estimate most."""
        block = self.book.frame.block(self.rows, family.systems)
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

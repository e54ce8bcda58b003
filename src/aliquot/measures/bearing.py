"""Bearing: which units of a block bear on which system's measure, and what each could add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.columns import Rows
from aliquot.core.frame import Block
from aliquot.measures.base import Floats
from aliquot.measures.targets import Family


@final
@dataclass(frozen=True, eq=False)
class Bearing:
    """Pairs of a system and a unit that bears on it, in order of system and row.

    `owner` is the system's place in the family. `c`, shape (labels, J, pairs), is what the unit
    adds to each total at the lowest and the highest label, or at each class; where a system
    predicts a label between the ends, at that label too.
    """

    family: Family
    owner: NDArray[np.int64]
    rows: Rows
    topics: NDArray[np.int64]
    c: Floats

    @cached_property
    def some(self) -> Floats:
        """What is added at the labels that add anything at all: often one of the two."""
        found: Floats = self.c[self.c.any(axis=(1, 2))]
        return found

    def influences(self, gradients: Sequence[Floats]) -> Floats:
        """Return psi at each label, shape (labels, pairs)."""
        return self._psi(self.c, gradients)

    def _psi(self, c: Floats, gradients: Sequence[Floats]) -> Floats:
        stacked = np.stack(gradients)
        chosen = (
            stacked[self.owner, :, self.topics]
            if self.family.measure.by_topic
            else stacked[self.owner]
        )
        found: Floats = sum(
            (chosen[:, j] * c[:, j] for j in range(c.shape[1])), start=np.zeros(len(self.rows))
        )
        return found

    def potential(self, gradients: Sequence[Floats]) -> Floats:
        """Return max over labels of |psi|, one entry a pair."""
        found: Floats = np.abs(self._psi(self.some, gradients)).max(axis=0, initial=0.0)
        return found

    def sums(self, values: Floats) -> Floats:
        """Add up one value a pair, system by system."""
        found: Floats = np.bincount(
            self.owner, weights=values, minlength=len(self.family.names)
        ).astype(np.float64)
        return found

    def largest(self, values: Floats) -> Floats:
        """Return the largest of some non-negative values, system by system."""
        found = np.zeros(len(self.family.names))
        starts = np.flatnonzero(np.diff(self.owner, prepend=-1))
        if len(starts):
            found[self.owner[starts]] = np.maximum.reduceat(values, starts)
        return found


def bearing(family: Family, block: Block) -> Bearing:
    """Find what bears on a family in a block."""
    owners, places, parts = [], [], []
    for s, items in enumerate(family.items(block)):
        at = [family.measure.contributions(items, y) for y in family.labels(items)]
        c = np.stack(at)
        some = np.flatnonzero(c.any(axis=(0, 1)))
        owners.append(np.full(len(some), s))
        places.append(some)
        parts.append(c[:, :, some])
    place = np.concatenate(places)
    return Bearing(
        family,
        np.concatenate(owners),
        block.rows[place],
        block.topics[place],
        np.concatenate(parts, axis=2),
    )

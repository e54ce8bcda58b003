"""Stratified simple random sampling: by a column, or by strata of equal cumulated size.

Within a stratum every unit is as likely as the next: pi = n_h / N_h, exactly. Cutting the frame,
sorted by size, into strata of equal cumulated size (Dalenius and Hodges 1959) and sampling each
alike is the best all-round design for recall and F.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.spelling import Spelling
from aliquot.designs.base import Chunk
from aliquot.designs.strata import Codes, Cuts, Strata, by_size, equal_cuts


@final
@dataclass(frozen=True)
class Stratified(Strata):
    """Strata by a column (`by=stratum`, `by=topic`) or by cumulated size (`by=size`).

    The budget goes to strata equally (`allocation=equal`), by their number of units
    (`proportional`) or by their cumulated size (`size`), at least two units each where it lasts.

    >>> str(Stratified(strata=4))
    'stratified(by=size, strata=4, allocation=equal, size=influence, floor=0.1)'
    """

    by: str = "size"
    strata: int = 10
    allocation: str = "equal"
    size: str = "influence"
    floor: float = 0.1
    name: ClassVar[str] = "stratified"

    def __str__(self) -> str:
        options: tuple[tuple[str, str | int | float], ...] = (("by", self.by),)
        options += (("strata", self.strata),) if self.by == "size" else ()
        options += (("allocation", self.allocation),)
        options += (("size", self.size), ("floor", self.floor)) if self.uses_size else ()
        return str(Spelling("stratified", (), options))

    @property
    def uses_size(self) -> bool:
        """Whether sizes matter to it."""
        return self.by == "size" or self.allocation == "size"

    @property
    def sized(self) -> tuple[str, float]:
        """Which size, and its floor."""
        return (self.size, self.floor) if self.uses_size else ("uniform", 0.0)

    def cut(self, chunk: Chunk, total: int) -> Cuts:
        """Cut strata of equal cumulated size, of two units or more; a column needs no cuts."""
        if self.by != "size":
            return []
        return equal_cuts(chunk.size, chunk.keys, max(1, min(self.strata, total // 2)))

    def place(self, chunk: Chunk, cuts: Cuts) -> Codes:
        """By size, or by the column."""
        return by_size(chunk.size, cuts) if self.by == "size" else chunk.stratum

    def wanted(self, chunk: Chunk, codes: Codes, old: Codes, budget: int) -> Codes:
        """Share the budget as the allocation says."""
        counts = np.bincount(codes)
        return allocate(self._shares(chunk, codes, counts), counts, old, budget)

    def _shares(self, chunk: Chunk, codes: Codes, counts: Codes) -> Floats:
        if self.allocation == "proportional":
            return counts.astype(np.float64)
        if self.allocation == "size":
            shares = np.bincount(codes, weights=chunk.size, minlength=len(counts))
            return shares.astype(np.float64)
        return (counts > 0).astype(np.float64)


def allocate(shares: Floats, counts: Codes, old: Codes, budget: int) -> Codes:
    """Return how many units each stratum holds after the draw: at least two, and what it held.

    >>> allocate(np.ones(3), np.array([2, 50, 50]), np.zeros(3, dtype=int), 12)
    array([2, 5, 5])
    """
    total = int(old.sum()) + budget
    wanted = np.maximum(old, np.minimum(counts, 2))
    if wanted.sum() > total:  # too few for two each: one each, the largest shares first
        wanted = old.copy()
    while (left := total - int(wanted.sum())) > 0:
        room = wanted < counts
        ideal = np.where(room, shares, 0.0)
        if ideal.sum() <= 0:
            ideal = room.astype(np.float64)
        gap = total * ideal / ideal.sum() - np.where(room, wanted, 0)
        gap = np.where(room, np.maximum(gap, 0.0), 0.0)
        if gap.sum() <= 0:
            gap = room.astype(np.float64)
        step = np.minimum(np.floor(left * gap / gap.sum()).astype(np.int64), counts - wanted)
        if step.sum() == 0:
            step = np.zeros_like(wanted)
            step[np.argmax(gap)] = 1
        wanted = wanted + step
    return wanted

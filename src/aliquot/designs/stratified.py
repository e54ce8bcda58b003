"""Stratified simple random sampling: by a column, or by strata of equal cumulated size.

Within a stratum every unit is as likely as the next: pi = n_h / N_h, exactly. Cutting the frame,
sorted by size, into strata of equal cumulated size (Dalenius and Hodges 1959) and sampling each
alike is the best all-round design for recall and F.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.core.spelling import Spelling
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible, check_budget, every
from aliquot.designs.kernel import pick
from aliquot.errors import DesignError

Codes = NDArray[np.int64]


@final
@dataclass(frozen=True)
class Stratified(Design):
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
    kind: ClassVar[str] = "strata"

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

    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Take the smallest r of each stratum; a second draw goes on in each."""
        if not pool.same:
            raise DesignError(
                f"{self} can't follow a draw of another design in one study",
                do="Draw with the design of the first batch, or with pps, pareto or poisson",
            )
        whole = every(pool.chunks())
        whole = pick(whole, whole.size > 0)
        codes, cuts = self._codes(whole, pool, len(pool.taken) + budget)
        held = pool.among(whole.keys)[0]
        counts = np.bincount(codes, minlength=len(cuts) + 1 if cuts else 0)
        old = np.bincount(codes[held], minlength=len(counts))
        check_budget(budget, int(counts.sum() - old.sum()))
        wanted = allocate(self._shares(whole, codes, counts), counts, old, budget)
        self._reach(counts, wanted)
        r = prn.uniform(whole.keys, pool.seed)
        chosen, last, after = _first(r, whole.keys, codes, wanted)
        union, codes, old_units = pick(whole, chosen), codes[chosen], held[chosen]
        pi = (wanted / np.maximum(counts, 1))[codes]
        params = {
            "sizes": counts.tolist(),
            "taken": wanted.tolist(),
            "cuts": cuts,
            "last": last.tolist(),
        }
        one = np.ones(len(codes), dtype=np.int64)
        return Drawn(
            union.rows, union.keys, pi, after[codes], union.before, codes, one, ~old_units, params
        )

    def _reach(self, counts: Codes, wanted: Codes) -> None:
        """Refuse a budget that leaves a stratum without a unit: nothing could be said of it."""
        missed = int(((counts > 0) & (wanted == 0)).sum())
        if missed:
            raise DesignError(
                f"the budget leaves {missed} of {int((counts > 0).sum())} strata without a unit",
                do="Raise the budget to two units a stratum, or use fewer strata",
            )

    def _codes(self, chunk: Chunk, pool: Pool | None, total: int) -> tuple[Codes, list[float]]:
        """Cut the strata; a second draw keeps the cuts of the first."""
        if self.by != "size":
            return chunk.stratum, []
        if pool is not None and pool.last:
            cuts = list(pool.last["cuts"])
            return _by_size(chunk.size, cuts), cuts
        strata = max(1, min(self.strata, total // 2))
        order = np.lexsort((chunk.keys, -chunk.size))
        cumulated = np.cumsum(chunk.size[order])
        ends = cumulated[-1] * np.arange(1, strata) / strata
        first = np.unique(np.searchsorted(cumulated, ends, side="left") + 1)
        cuts = [float(chunk.size[order[i]]) for i in first if i < len(order)]
        return _by_size(chunk.size, cuts), cuts

    def _shares(self, chunk: Chunk, codes: Codes, counts: Codes) -> Floats:
        if self.allocation == "proportional":
            return counts.astype(np.float64)
        if self.allocation == "size":
            shares = np.bincount(codes, weights=chunk.size, minlength=len(counts))
            return shares.astype(np.float64)
        return (counts > 0).astype(np.float64)

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """n_h / N_h."""
        sizes = np.array(params["sizes"], dtype=np.float64)
        return self._each(chunk, params, np.array(params["taken"]) / np.maximum(sizes, 1.0))

    def threshold(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """The random number of the last unit taken in the stratum: small strata scatter widely."""
        return self._each(chunk, params, np.array(params["last"], dtype=np.float64))

    def _each(self, chunk: Chunk, params: dict[str, Any], value: Floats) -> Floats:
        """Give every unit the value of its stratum; 0 to a unit without one."""
        codes = _by_size(chunk.size, params["cuts"]) if self.by == "size" else chunk.stratum
        known = codes < len(value)
        return np.where(known & (chunk.size > 0), value[np.where(known, codes, 0)], 0.0)

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """Every combination of one subset a stratum; `by=stratum` halves the toy frame."""
        count = len(size)
        half = (np.arange(count) >= count // 2).astype(np.int64)
        zero = np.zeros(count)
        chunk = Chunk(np.arange(count), np.arange(count).astype(np.uint64), size, zero, half)
        codes, _ = self._codes(chunk, None, n)
        counts = np.bincount(codes)
        shares = self._shares(chunk, codes, counts)
        wanted = allocate(shares, counts, np.zeros_like(counts), n)
        ways = [
            list(combinations(np.flatnonzero(codes == h).tolist(), int(wanted[h])))
            for h in range(len(counts))
        ]
        chance = 1.0 / np.prod([comb(int(c), int(w)) for c, w in zip(counts, wanted, strict=True)])
        for parts in product(*ways):
            rows = np.array(sorted(sum(parts, ())), dtype=np.int64)
            pi = (wanted / np.maximum(counts, 1))[codes[rows]]
            ones = np.ones(len(rows), dtype=np.int64)
            yield Possible(float(chance), rows, pi, pi, ones, codes[rows])


def _by_size(size: Floats, cuts: list[float]) -> Codes:
    """Return the stratum of each size: 0 holds the largest. Equal sizes share a stratum."""
    lower = np.array(sorted(set(cuts)))  # ascending
    found: Codes = len(lower) - np.searchsorted(lower, size, side="left")
    return found


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


def _first(
    r: Floats, keys: NDArray[np.uint64], codes: Codes, wanted: Codes
) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Say which units are among the `wanted` smallest r of their stratum.

    Beside it, a stratum: the r of the last unit taken, and of the one after; 1 if all are taken.
    """
    order = np.lexsort((keys, r, codes))
    counts = np.bincount(codes, minlength=len(wanted))
    starts = np.cumsum(counts) - counts
    place = np.arange(len(order)) - np.repeat(starts, counts)
    chosen = np.zeros(len(order), dtype=np.bool_)
    chosen[order] = place < wanted[codes[order]]
    ranked = np.append(r[order], 1.0)
    last = np.where(wanted > 0, ranked[np.maximum(starts + wanted - 1, 0)], 0.0)
    after = np.where(wanted < counts, ranked[np.minimum(starts + wanted, len(order))], 1.0)
    return chosen, np.where(wanted < counts, last, 1.0), after

"""What designs of simple random samples in strata share: within a stratum every unit is alike.

A stratum of N_h units holds the n_h with the smallest permanent random numbers, so pi = n_h / N_h,
exactly. A second draw keeps the cuts of the first, and goes on in each stratum.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible, check_budget, every
from aliquot.designs.kernel import pick
from aliquot.designs.pps import toy
from aliquot.errors import DesignError

Codes = NDArray[np.int64]
Cuts = list[Any]


class Strata(Design):
    """Simple random samples in strata; a subclass says where the strata are, and how large n_h."""

    kind: ClassVar[str] = "strata"

    @abstractmethod
    def cut(self, chunk: Chunk, total: int) -> Cuts:
        """Return where the strata of a first draw of `total` units are cut."""

    @abstractmethod
    def place(self, chunk: Chunk, cuts: Cuts) -> Codes:
        """Return the stratum of each unit, also of one that came later."""

    @abstractmethod
    def wanted(self, chunk: Chunk, codes: Codes, old: Codes, budget: int) -> Codes:
        """Return how many units each stratum holds after a draw; `old` is what it held."""

    @property
    def noted(self) -> dict[str, Any]:
        """What a design writes down of a draw besides what each does."""
        return {}

    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Take the smallest r of each stratum; a second draw goes on in each."""
        if not pool.same:
            raise DesignError(
                f"{self} can't follow a draw of another design, goal or set of systems",
                do="Draw with pps, pareto or poisson: labels count there as well",
            )
        whole = every(pool.chunks())
        whole = pick(whole, whole.size > 0)
        cuts = pool.last["cuts"] if pool.last else self.cut(whole, len(pool.taken) + budget)
        codes = self.place(whole, cuts)
        held = pool.among(whole.keys)[0]
        counts = np.bincount(codes)
        old = np.bincount(codes[held], minlength=len(counts))
        check_budget(budget, int(counts.sum() - old.sum()))
        wanted = self.wanted(whole, codes, old, budget)
        _reach(counts, wanted)
        r = prn.uniform(whole.keys, pool.seed)
        chosen, last, after = _first(r, whole.keys, codes, wanted)
        union, codes, old_units = pick(whole, chosen), codes[chosen], held[chosen]
        pi = (wanted / np.maximum(counts, 1))[codes]
        params = {
            "sizes": counts.tolist(),
            "taken": wanted.tolist(),
            "cuts": cuts,
            "last": last.tolist(),
        } | self.noted
        one = np.ones(len(codes), dtype=np.int64)
        return Drawn(
            union.rows, union.keys, pi, after[codes], union.before, codes, one, ~old_units, params
        )

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """n_h / N_h."""
        sizes = np.array(params["sizes"], dtype=np.float64)
        return self._each(chunk, params, np.array(params["taken"]) / np.maximum(sizes, 1.0))

    def threshold(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """The random number of the last unit taken in the stratum: small strata scatter widely."""
        return self._each(chunk, params, np.array(params["last"], dtype=np.float64))

    def _each(self, chunk: Chunk, params: dict[str, Any], value: Floats) -> Floats:
        """Give every unit the value of its stratum; 0 to a unit without one."""
        codes = self.place(chunk, params["cuts"])
        known = codes < len(value)
        return np.where(known & (chunk.size > 0), value[np.where(known, codes, 0)], 0.0)

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """As `listed`; a column halves the toy frame."""
        whole = toy(size)
        half = (np.arange(len(size)) >= len(size) // 2).astype(np.int64)
        return self.listed(replace(whole, stratum=half), n)

    def listed(self, chunk: Chunk, n: int) -> Iterator[Possible]:
        """Every combination of one subset a stratum."""
        codes = self.place(chunk, self.cut(chunk, n))
        counts = np.bincount(codes)
        wanted = self.wanted(chunk, codes, np.zeros_like(counts), n)
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


def by_size(size: Floats, cuts: list[float]) -> Codes:
    """Return the stratum of each size: 0 holds the largest. Equal sizes share a stratum.

    >>> by_size(np.array([5.0, 2.0, 1.0]), [2.0])
    array([0, 1, 1])
    """
    lower = np.array(sorted(set(cuts)))  # ascending
    found: Codes = len(lower) - np.searchsorted(lower, size, side="left")
    return found


def equal_cuts(size: Floats, keys: NDArray[np.uint64], strata: int) -> list[float]:
    """Cut sizes into strata of equal cumulated size (Dalenius and Hodges 1959).

    >>> equal_cuts(np.array([4.0, 3.0, 1.0]), np.arange(3, dtype=np.uint64), 2)
    [3.0]
    """
    if strata < 2 or not len(size):
        return []
    order = np.lexsort((keys, -size))
    cumulated = np.cumsum(size[order])
    ends = cumulated[-1] * np.arange(1, strata) / strata
    first = np.unique(np.searchsorted(cumulated, ends, side="left") + 1)
    return [float(size[order[i]]) for i in first if i < len(order)]


def _reach(counts: Codes, wanted: Codes) -> None:
    """Refuse a budget that leaves a stratum without a unit: nothing could be said of it."""
    missed = int(((counts > 0) & (wanted == 0)).sum())
    if missed:
        raise DesignError(
            f"the budget leaves {missed} of {int((counts > 0).sum())} strata without a unit",
            do="Raise the budget to two units a stratum, or use fewer strata",
        )


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

"""Poisson sampling: each unit on its own, with exactly its probability. The sample size varies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, final

import numpy as np

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible, check_budget
from aliquot.designs.kernel import level, pick
from aliquot.designs.pps import gather, report, spelled, toy
from aliquot.errors import DesignError


@final
@dataclass(frozen=True)
class Poisson(Design):
    """Take u if r(u) < pi(u). The budget is the expected number of new units.

    >>> str(Poisson(size="shape", floor=0.0))
    'poisson(size=shape, floor=0.0)'
    """

    size: str = "influence"
    floor: float = 0.1
    name: ClassVar[str] = "poisson"
    kind: ClassVar[str] = "poisson"

    def __str__(self) -> str:
        return spelled("poisson", self.size, self.floor)

    @property
    def sized(self) -> tuple[str, float]:
        """Which size, and its floor."""
        return (self.size, self.floor)

    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Take every unit whose number is below its probability."""
        left = sum(int((c.size > 0).sum()) for c in pool.chunks()) - len(pool.taken)
        check_budget(budget, left)
        c = level(pool.chunks, budget)
        found = []
        for chunk in pool.chunks():
            below = prn.uniform(chunk.keys, pool.seed) < np.minimum(1.0, c * chunk.size)
            found.append(pick(chunk, below & ~pool.among(chunk.keys)[0]).keys)
        keys = np.concatenate(found)
        if not len(keys) and not len(pool.taken):
            raise DesignError(
                "this Poisson draw came out empty",
                do="Raise the budget, or use a design of fixed size such as pps",
            )
        union = gather(pool, keys)
        return report(pool, union, np.minimum(1.0, c * union.size), {"c": c})

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """min(1, c size), exactly."""
        found: Floats = np.minimum(1.0, params["c"] * chunk.size)
        return found

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """Every subset, the units independent."""
        pi = np.minimum(1.0, level(lambda: iter([toy(size)]), n) * size)
        for taken in product((False, True), repeat=len(size)):
            keep = np.array(taken)
            rows = np.flatnonzero(keep)
            ones, zero = np.ones(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
            chance = float(np.where(keep, pi, 1.0 - pi).prod())
            if chance > 0:
                yield Possible(chance, rows, pi[rows], pi[rows], ones, zero)

"""Simple random sampling: the n units with the smallest permanent random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible
from aliquot.designs.pps import draw_smallest


@final
@dataclass(frozen=True)
class Uniform(Design):
    """Every unit is as likely as the next: pi = n / N, exactly.

    >>> [p.rows.tolist() for p in Uniform().enumerate(np.ones(3), 2)]
    [[0, 1], [0, 2], [1, 2]]
    """

    name: ClassVar[str] = "uniform"
    kind: ClassVar[str] = "simple"

    def __str__(self) -> str:
        return "uniform"

    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Take the smallest r; a second draw goes on where the first ended."""
        drawn = draw_smallest(pool, budget)
        if not pool.same:
            return drawn
        return Drawn(
            drawn.rows,
            drawn.keys,
            drawn.pi,
            drawn.pi,
            drawn.before,
            drawn.stratum,
            drawn.count,
            drawn.new,
            drawn.params,
        )

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """n / N."""
        found: Floats = np.minimum(1.0, params["c"] * chunk.size)
        return found

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """Every subset of n units is equally likely."""
        count = len(size)
        pi, ones, zero = np.full(n, n / count), np.ones(n, int), np.zeros(n, int)
        for rows in combinations(range(count), n):
            yield Possible(1 / comb(count, n), np.array(rows, dtype=int), pi, pi, ones, zero)

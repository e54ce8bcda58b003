"""Drawing with replacement, i.i.d. from q = size / sum: the papers' way (001 Eq. 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, Design, Drawn, Keys, Pool, Possible, check_budget
from aliquot.designs.pps import gather, spelled


@final
@dataclass(frozen=True)
class Replacement(Design):
    """Draw one unit after the other from q; a unit drawn twice is judged once and counts twice.

    `pi` is the expected number of draws, n q. A later draw goes on with the same stream of draws.

    >>> str(Replacement())
    'wr(size=influence, floor=0.1)'
    """

    size: str = "influence"
    floor: float = 0.1
    name: ClassVar[str] = "wr"
    kind: ClassVar[str] = "replacement"
    replacement: ClassVar[bool] = True

    def __str__(self) -> str:
        return spelled("wr", self.size, self.floor)

    @property
    def sized(self) -> tuple[str, float]:
        """Which size, and its floor."""
        return (self.size, self.floor)

    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Make `budget` more draws by inverting the cumulated sizes."""
        sums = np.array([_sum(chunk.size) for chunk in pool.chunks()])
        total = float(np.cumsum(sums)[-1])
        check_budget(budget, budget if total > 0 else 0)
        first = int(pool.counts.sum())
        stream = np.arange(first, first + budget, dtype=np.uint64)
        r = prn.uniform(stream ^ np.uint64(1 << 63), pool.seed)  # far from small unit keys
        keys, times = _invert(pool, np.sort(r) * total)
        union = gather(pool, np.setdiff1d(keys, pool.taken))
        old, place = pool.among(union.keys)
        count = np.where(old, pool.counts[place] if len(pool.counts) else 0, 0)
        order = np.argsort(union.keys)
        np.add.at(count, order[np.searchsorted(union.keys, keys, sorter=order)], times)
        pi = union.before + budget * union.size / total
        return Drawn(
            union.rows,
            union.keys,
            pi,
            (-np.expm1(-pi)).clip(1e-300, 1.0),
            union.before,
            union.stratum,
            count,
            ~old,
            {"total": total, "draws": budget, "replacement": True},
        )

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """n q."""
        found: Floats = params["draws"] * chunk.size / params["total"]
        return found

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """Every multiset of n draws, with its multinomial probability."""
        q = size / size.sum()
        for draws in combinations_with_replacement(np.flatnonzero(size > 0).tolist(), n):
            rows, count = np.unique(np.array(draws), return_counts=True)
            ways = factorial(n) / np.prod([factorial(int(c)) for c in count])
            pi = n * q[rows]
            zero = np.zeros(len(rows), dtype=np.int64)
            yield Possible(float(ways * (q[rows] ** count).prod()), rows, pi, pi, count, zero)


def _sum(size: Floats) -> float:
    return float(np.cumsum(size)[-1]) if len(size) else 0.0


def _invert(pool: Pool, points: Floats) -> tuple[Keys, NDArray[np.int64]]:
    """Return the units that hold sorted points of the cumulated size, and how many each holds."""
    keys: list[Keys] = []
    times: list[NDArray[np.int64]] = []
    passed, at = 0.0, 0
    for chunk in pool.chunks():
        if not len(chunk.size):
            continue
        edges = passed + np.cumsum(chunk.size)
        passed = float(edges[-1])
        end = int(np.searchsorted(points, passed, side="left"))
        hit = np.searchsorted(edges, points[at:end], side="right")
        places, number = np.unique(np.minimum(hit, len(edges) - 1), return_counts=True)
        keys.append(chunk.keys[places])
        times.append(number)
        at = end
    return np.concatenate(keys), np.concatenate(times)

"""Order sampling with probability proportional to size: sequential Poisson (Ohlsson 1998).

Units whose share of the size is a whole draw or more are certain. The rest of the sample is the
units with the smallest `r / size`: its size is fixed, and a longer draw contains a shorter one.
With tau the (n+1)-th smallest value, `min(1, size tau)` is the conditional
inclusion probability that makes it priority sampling: Horvitz-Thompson with it is exactly unbiased.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, final

import numpy as np

from aliquot.core import prn
from aliquot.core.columns import Rows
from aliquot.core.frame import Floats
from aliquot.core.spelling import Spelling
from aliquot.designs.base import Chunk, Design, Drawn, Keys, Pool, Possible, check_budget, every
from aliquot.designs.kernel import CERTAIN, capped, first_level, level, pick, smallest

Rank = Callable[[Chunk], Floats]


def spelled(name: str, size: str, floor: float) -> str:
    """Spell a design that has a size and a floor."""
    return str(Spelling(name, (), (("size", size), ("floor", floor))))


def ratio(seed: int, c: float) -> Rank:
    """Return the sort value of sequential Poisson sampling: r / size, certain units first."""

    def value(chunk: Chunk) -> Floats:
        return np.where(c * chunk.size >= CERTAIN, -1.0, quotient(chunk.keys, chunk.size, seed))

    return value


def quotient(keys: Keys, size: Floats, seed: int) -> Floats:
    """Return r / size, infinite where the size is 0."""
    out = np.full(len(keys), np.inf)
    np.divide(prn.uniform(keys, seed), size, out=out, where=size > 0)
    return out


def draw_smallest(pool: Pool, budget: int) -> Drawn:
    """Take the `budget` smallest values among the units not drawn before, and report the union."""
    c = level(pool.chunks, budget) if len(pool.taken) else first_level(pool.chunks(), budget)
    value = ratio(pool.seed, c)
    chunk, values = smallest(pool.chunks(), budget + len(pool.taken) + 1, value)
    fresh = np.flatnonzero(~pool.among(chunk.keys)[0])
    check_budget(budget, len(fresh))
    tau = float(values[fresh[budget]]) if len(fresh) > budget else np.inf
    chosen = pick(chunk, fresh[:budget])
    first = pick(chosen, np.argsort(chosen.rows))  # a first draw needs no further pass
    union = gather(pool, chosen.keys) if len(pool.taken) else first
    own = np.minimum(1.0, tau * union.size) if np.isfinite(tau) else np.ones(len(union.keys))
    own = np.where(c * union.size >= CERTAIN, 1.0, own)
    params = {"c": c, "tau": tau if np.isfinite(tau) else None}
    return report(pool, union, np.where(union.size > 0, own, 0.0), params)


def gather(pool: Pool, new: Keys) -> Chunk:
    """Collect the units drawn before and the new ones from the pool, in order of row."""
    wanted = np.sort(np.concatenate([pool.taken, new]))
    return every(
        pick(chunk, np.isin(chunk.keys, wanted, assume_unique=True)) for chunk in pool.chunks()
    )


def report(pool: Pool, union: Chunk, own: Floats, params: dict[str, Any]) -> Drawn:
    """Put the union of old and new units together with its probabilities."""
    old, place = pool.among(union.keys)
    held = np.zeros(len(union.keys))
    held[old] = pool.held[place[old]]
    count = np.ones(len(union.keys), dtype=np.int64)
    conditional = np.maximum(held, own)
    return Drawn(
        union.rows,
        union.keys,
        capped(union, params["c"]),
        conditional,
        union.before,
        union.stratum,
        count,
        ~old,
        params,
    )


@final
@dataclass(frozen=True)
class Pps(Design):
    """A fixed number of units, each with a chance in proportion to its size. The default.

    >>> str(Pps())
    'pps(size=influence, floor=0.1)'
    """

    size: str = "influence"
    floor: float = 0.1
    name: ClassVar[str] = "pps"
    kind: ClassVar[str] = "order"

    def __str__(self) -> str:
        return spelled("pps", self.size, self.floor)

    @property
    def sized(self) -> tuple[str, float]:
        """Which size, and its floor."""
        return (self.size, self.floor)

    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Take the smallest r / size."""
        return draw_smallest(pool, budget)

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """min(1, c size): within O(1/n) of the chance of inclusion."""
        found: Floats = np.minimum(1.0, params["c"] * chunk.size)
        return found

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """Integrate over tau, piece by piece between the points where a unit becomes certain."""
        c = level(lambda: iter([toy(size)]), n)
        nominal = np.minimum(1.0, c * size)
        certain = c * size >= CERTAIN
        rest = np.flatnonzero(~certain)
        t, weight = _nodes(np.concatenate([[0.0], np.sort(1.0 / size[rest])]))
        left = n - int(certain.sum())
        drawn = integrate(left, nominal[rest], weight, _sequential(t, size[rest]))
        yield from (_with(np.flatnonzero(certain), rest, one) for one in drawn)


def _with(certain: Rows, rest: Rows, one: Possible) -> Possible:
    """Put the units that are always drawn back into a sample of the rest."""
    rows = np.concatenate([certain, rest[one.rows]])
    order, sure = np.argsort(rows), np.ones(len(certain))
    whole = np.ones(len(rows), dtype=np.int64)
    return Possible(
        one.probability,
        rows[order],
        np.concatenate([sure, one.pi])[order],
        np.concatenate([sure, one.conditional])[order],
        whole,
        0 * whole,
    )


def toy(size: Floats) -> Chunk:
    """Return a toy frame with these sizes as one chunk."""
    count = len(size)
    zero = np.zeros(count, dtype=np.int64)
    return Chunk(np.arange(count), np.arange(count).astype(np.uint64), size, np.zeros(count), zero)


def _nodes(knots: Floats) -> tuple[Floats, Floats]:
    """Return Gauss-Legendre nodes and weights on each piece: exact for its polynomials."""
    x, w = np.polynomial.legendre.leggauss(12)
    low, high = knots[:-1, None], knots[1:, None]
    return ((high - low) / 2 * x + (high + low) / 2).ravel(), ((high - low) / 2 * w).ravel()


def _sequential(t: Floats, size: Floats) -> tuple[Floats, Floats]:
    """Return P(r/size < t) and its density, shape (nodes, units)."""
    below = np.minimum(1.0, t[:, None] * size)
    return below, np.where(t[:, None] * size < 1.0, size, 0.0)


def integrate(
    n: int, nominal: Floats, weight: Floats, law: tuple[Floats, Floats]
) -> Iterator[Possible]:
    """Yield every (sample, tau): tau is the value of the unit that just missed the sample.

    `law` holds P(value < tau) and the density of each unit's value, at every node of tau.
    """
    below, density = law
    count = len(nominal)
    ones, zero = np.ones(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for chosen in combinations(range(count), n):
        rows = np.array(chosen)
        others = [u for u in range(count) if u not in chosen]
        inside = below[:, rows].prod(axis=1)
        if not others:
            yield Possible(1.0, rows, nominal[rows], np.ones(n), ones, zero)
            continue
        above = 1.0 - below[:, others]
        missed = sum(
            density[:, u] * np.delete(above, i, axis=1).prod(axis=1) for i, u in enumerate(others)
        )
        for node, probability in enumerate(weight * inside * missed):
            if probability > 0:
                yield Possible(
                    float(probability), rows, nominal[rows], below[node, rows], ones, zero
                )

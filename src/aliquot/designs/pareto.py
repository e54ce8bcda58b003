"""Pareto sampling (Rosen 1997): order sampling whose chances are closer to the declared ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible, check_budget
from aliquot.designs.kernel import level, smallest
from aliquot.designs.pps import gather, integrate, report, spelled, toy


@final
@dataclass(frozen=True)
class Pareto(Design):
    """The n units with the smallest `(r / (1 - r)) / (lam / (1 - lam))`, lam the capped n size/sum.

    >>> str(Pareto(floor=0.2))
    'pareto(size=influence, floor=0.2)'
    """

    size: str = "influence"
    floor: float = 0.1
    name: ClassVar[str] = "pareto"
    kind: ClassVar[str] = "order"

    def __str__(self) -> str:
        return spelled("pareto", self.size, self.floor)

    @property
    def sized(self) -> tuple[str, float]:
        """Which size, and its floor."""
        return (self.size, self.floor)

    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Take the smallest values among the units not drawn before."""
        check_budget(budget, budget)  # no level belongs to less than one unit
        c = level(pool.chunks, budget)

        def value(chunk: Chunk) -> Floats:
            r = prn.uniform(chunk.keys, pool.seed)
            lam = np.minimum(1.0, c * chunk.size)
            out = np.full(len(r), np.inf)
            np.divide(r * (1.0 - lam), (1.0 - r) * lam, out=out, where=lam > 0)
            return out

        chunk, values = smallest(pool.chunks(), budget + len(pool.taken) + 1, value)
        fresh = np.flatnonzero(~pool.among(chunk.keys)[0])
        check_budget(budget, len(fresh))
        tau = float(values[fresh[budget]]) if len(fresh) > budget else np.inf
        union = gather(pool, chunk.keys[fresh[:budget]])
        own = _below(np.array([tau]), np.minimum(1.0, c * union.size))[0][0]
        return report(pool, union, own, {"c": c, "tau": tau if np.isfinite(tau) else None})

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """lam: within O(1/n) of the chance of inclusion."""
        found: Floats = np.minimum(1.0, params["c"] * chunk.size)
        return found

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """Integrate over tau in (0, inf), mapped to (0, 1); all integrands are rational."""
        c = level(lambda: iter([toy(size)]), n)
        lam = np.minimum(1.0, c * size)
        x, w = np.polynomial.legendre.leggauss(120)
        x, w = (x + 1) / 2, w / 2
        yield from integrate(n, lam, w / (1 - x) ** 2, _below(x / (1 - x), lam))


def _below(t: Floats, lam: Floats) -> tuple[Floats, Floats]:
    """Return P(value < t) = t lam / (1 - lam + t lam) and its density, shape (nodes, units)."""
    if np.isinf(t).any():
        return np.where(lam > 0, 1.0, 0.0)[None, :], np.zeros((1, len(lam)))
    below = 1.0 - lam + t[:, None] * lam
    below[below <= 0.0] = np.inf  # a certain unit at t = 0: all that were taken are certain
    chance = np.where(np.isinf(below), 1.0, t[:, None] * lam / below)
    return chance, lam * (1.0 - lam) / below**2

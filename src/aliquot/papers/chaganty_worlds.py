"""Made populations of systems' outputs, and draws from them: Chaganty et al. (2017)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sources import Sources
from aliquot.estimators.mixture import over

CHUNK = 1_000


@final
@dataclass(frozen=True, eq=False)
class World:
    """Units that systems return: p_j(u), uniform over each output, and whether u is correct."""

    chance: Floats  # (S, N)
    truth: Floats  # (N,)

    def __len__(self) -> int:
        return len(self.chance)

    @cached_property
    def member(self) -> Floats:
        """1 where a system returns a unit, shape (S, N)."""
        return np.where(self.chance > 0, 1.0, 0.0)

    @cached_property
    def precision(self) -> Floats:
        """The truth of each system."""
        found: Floats = self.chance @ self.truth
        return found

    def sources(self, draws: Floats) -> Sources:
        """Return the sources of a world, before a draw."""
        names = tuple(str(s) for s in range(len(self)))
        return Sources(names, draws, self.chance, np.zeros(self.chance.shape))

    def drawn(self, draws: Floats, rng: np.random.Generator) -> Sources:
        """Draw once from each system."""
        both = zip(draws, self.chance, strict=True)
        counts = [rng.multinomial(int(n), p / p.sum()) for n, p in both]
        return replace(self.sources(draws), count=np.array(counts, dtype=np.float64))


def overlapping(
    rng: np.random.Generator, systems: int, units: int, outputs: tuple[int, int], noise: float
) -> World:
    """Make systems that each return the units that look best through noise of their own.

    A unit is correct with a chance that grows with how good it looks, logistic.
    """
    quality = rng.normal(size=units)
    truth = (rng.random(units) < 1.0 / (1.0 + np.exp(-quality))).astype(np.float64)
    member = np.zeros((systems, units))
    for s in range(systems):
        seen = quality + noise * rng.normal(size=units)
        member[s, np.argsort(-seen)[: rng.integers(outputs[0], outputs[1] + 1)]] = 1.0
    return world(member, truth)


def world(member: Floats, truth: Floats) -> World:
    """Return the world of these outputs, without the units that nobody returns."""
    pooled = member.any(axis=0)
    chance = member[:, pooled] / member.sum(axis=1, keepdims=True)
    return World(chance, truth[pooled])


def sums(
    found: World, draws: Floats, mixes: Floats, values: Floats, asked: tuple[int, int, int]
) -> Iterator[Floats]:
    """Yield, for `reps` repetitions, `sum_j (w_tj / n_j) sum_draws values_t / q_t`: (reps, T).

    `asked` is (repetitions, seed, path of the seed); chunks have Generators of their own.
    """
    from aliquot.wiring.rng import generator

    reps, seed, path = asked
    sources = found.sources(draws)
    z = over(values, sources.mixture(mixes))
    share = sources.per_draw(mixes)
    for start in range(0, reps, CHUNK):
        rng, many = generator(seed, path, start), min(CHUNK, reps - start)
        total = np.zeros((many, len(mixes)))
        for j, (n, p) in enumerate(zip(draws, found.chance, strict=True)):
            here = np.flatnonzero(p)
            counts = rng.multinomial(int(n), p[here] / p[here].sum(), size=many)
            total += counts @ (z[:, here] * share[:, [j]]).T
        yield total


def moments(values: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return mean, variance, and the standard errors of both, over repetitions."""
    n = len(values)
    mean, variance = values.mean(axis=0), values.var(axis=0, ddof=1)
    fourth = ((values - mean) ** 4).mean(axis=0)
    error = np.sqrt(np.maximum(fourth - variance**2, 0.0) / n)
    return mean, variance, np.sqrt(variance / n), error

"""Several systems at a time in Schnabel et al. (2016): their weights on one pool of units.

Variances are exact, as in the paper's Tables 6 and 8: `n Var = sum E[y^2] c^2 / q - (sum E[y] c)^2`
for a contrast c of weights, where E goes over the queries that share a unit (on SYNTH every system
orders the items of all queries alike, so an item at its place stands for 6,000 units).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.papers import synth, trec8
from aliquot.papers.base import Settings
from aliquot.papers.schnabel import discount
from aliquot.wiring.rng import generator

Statistic = Callable[["Pool"], float]
GROUPS = 20


@final
@dataclass(frozen=True, eq=False)
class Pool:
    """Weights and guesses of each system, shape (systems, units); mean labels and mean squares."""

    names: tuple[str, ...]
    weights: Floats
    guesses: Floats
    first: Floats
    second: Floats
    queries: int

    def only(self, keep: NDArray[np.int64]) -> Pool:
        """Return the pool with some of its systems."""
        names = tuple(self.names[i] for i in keep)
        return Pool(
            names, self.weights[keep], self.guesses[keep], self.first, self.second, self.queries
        )

    @property
    def values(self) -> Floats:
        """U of each system."""
        found: Floats = self.weights @ self.first
        return found

    @property
    def centred(self) -> Floats:
        """Weights less their mean over systems."""
        found: Floats = self.weights - self.weights.mean(axis=0)
        return found

    def variances(self, contrasts: Floats, q: Floats) -> Floats:
        """Return n Var of each contrast when units are drawn from q."""
        share = q / q.sum()
        over = np.divide(self.second, share, out=np.zeros(len(share)), where=share > 0)
        found: Floats = contrasts**2 @ over - (contrasts @ self.first) ** 2
        return found

    def ideal(self, contrasts: Floats, together: Floats) -> Floats:
        """Return n Var when every label is known: q = y times the weights put together."""
        some = np.divide(self.first, together, out=np.zeros(len(together)), where=together > 0)
        known = float(self.first @ together)
        found: Floats = known * (contrasts**2 @ some) - (contrasts @ self.first) ** 2
        return found


def root(weights: Floats) -> Floats:
    """Return the root of the sum of squares over systems."""
    found: Floats = np.sqrt((weights**2).sum(axis=0))
    return found


def synthetic(settings: Settings) -> list[Pool]:
    """Return SYNTH as one pool, and then as some with a share of its rankings each."""
    count = synth.RANKINGS // 10 if settings.fast else synth.RANKINGS
    labels = synth.labels(generator(settings.seed), rankings=count).astype(np.float64)
    ranks = np.stack([synth.ranks(name) for name in synth.SYSTEMS])
    weights = discount(synth.ITEMS)[ranks - 1]
    guesses = 4.0 * (1.0 - ranks / synth.ITEMS)
    parts = [labels, *np.array_split(labels, GROUPS)]
    return [
        Pool(synth.SYSTEMS, weights, guesses, p.mean(axis=0), (p**2).mean(axis=0), synth.RANKINGS)
        for p in parts
    ]


def trec(settings: Settings, weigh: Floats | None = None) -> Pool | None:
    """Return the judged systems of TREC-8 as a pool; None without data."""
    if settings.data is None:
        return None
    found = trec8.read(settings)
    rank = np.arange(1.0, trec8.DEPTH + 1.0)
    topics = found.units.shape[1]
    weights = found.weights(discount(trec8.DEPTH) if weigh is None else weigh)
    guesses = found.weights(16.0 / (rank + 34.0)) * topics
    return Pool(found.names, weights, guesses, found.truth, found.truth, topics)


def noise(statistic: Statistic, parts: list[Pool]) -> float:
    """Return the standard error of a statistic of SYNTH, from its parts."""
    values = np.array([statistic(part) for part in parts[1:]])
    return float(values.std(ddof=1)) / math.sqrt(len(values))

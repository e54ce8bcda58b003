"""What the tables of Schnabel et al. (2016) share: rankings, importance distributions, repetitions.

A ranking is known by the labels that it shows at each rank. Queries are alike to every distribution
of the paper, so a draw is a rank from q and a query at random. What n draws see is a multinomial
count of (rank, label), and the estimator (Eq. 4) is the mean of `label lambda / q` over the draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.papers import synth, trec8
from aliquot.papers.base import Cell, Settings
from aliquot.wiring.rng import generator

PRINTED = 100  # the paper's repetitions
SIGMAS = 3.0  # how many standard errors a printed number may lie away
ROUNDING = 0.005
FLOOR = 0.05
TREC = ("mds08a3", "nttd8ale", "weaver2")
WITHOUT = "Without --data DIR there are no TREC rows. "


@final
@dataclass(frozen=True, eq=False)
class Ranking:
    """One system: its labels, shape (queries, depth), in the order that it ranks them."""

    name: str
    labels: NDArray[np.generic]
    high: int  # the highest label
    guess: Floats  # the paper's u at each rank

    @property
    def discount(self) -> Floats:
        """lambda: 1 / ln(1 + rank)."""
        return discount(self.labels.shape[1])

    @property
    def each(self) -> Floats:
        """The DCG of each query."""
        found: Floats = self.labels.astype(np.float64) @ self.discount
        return found

    @property
    def shares(self) -> Floats:
        """How often each label stands at each rank, shape (depth, labels)."""
        at = [(self.labels == label).mean(axis=0) for label in range(self.high + 1)]
        return np.stack(at, axis=1)

    def q(self, prior: str, floor: float = FLOOR) -> Floats:
        """Return the chance of each rank: u P, P or 1, mixed with a share of uniform."""
        base: Floats = {
            "uP": self.guess * self.discount,
            "P": self.discount,
            "1": np.ones(len(self.guess)),
        }[prior]
        found: Floats = (1.0 - floor) * base / base.sum() + floor / len(base)
        return found

    @property
    def budget(self) -> int:
        """Five judgments a query, the paper's budget."""
        return 5 * len(self.labels)

    def distinct(self, q: Floats, draws: int) -> float:
        """Return how many different units `draws` draws are expected to hold."""
        queries = len(self.labels)
        return float(-np.expm1(draws * np.log1p(-q / queries)).sum() * queries)


@final
@dataclass(frozen=True, eq=False)
class Repeated:
    """Estimates and their estimated standard errors, one entry a repetition."""

    values: Floats
    stderrs: Floats


@final
@dataclass(frozen=True, eq=False)
class Task:
    """Repeat one estimator: a system, a distribution over its ranks, draws, repetitions, a path."""

    ranking: Ranking
    q: Floats
    draws: int
    repetitions: int
    path: tuple[int, ...] = field(default=(0,))


def repeat(task: Task) -> Repeated:
    """Run Eq. 4 again and again, with the standard error of Eq. 16 (its root put back)."""
    one, n = task.ranking, task.draws
    chance = (task.q[:, None] * one.shares).ravel()
    seen = np.flatnonzero(chance > 0)
    values = np.outer(one.discount / task.q, np.arange(one.high + 1)).ravel()[seen]
    rng = generator(*task.path)
    means, stderrs = np.empty(task.repetitions), np.empty(task.repetitions)
    for i in range(task.repetitions):
        counts = rng.multinomial(n, chance[seen] / chance[seen].sum())
        means[i] = counts @ values / n
        stderrs[i] = math.sqrt(counts @ (values - means[i]) ** 2 / (n - 1) / n)
    return Repeated(means, stderrs)


def discount(depth: int) -> Floats:
    """Return 1 / ln(1 + rank) for the ranks 1 to depth; print forgets the 1.

    >>> discount(3).round(3).tolist()
    [1.443, 0.91, 0.721]
    """
    found: Floats = 1.0 / np.log1p(np.arange(1.0, depth + 1.0))
    return found


def synthetic(settings: Settings) -> list[Ranking]:
    """Return the five systems of SYNTH; a fast run has a tenth of the rankings."""
    count = synth.RANKINGS // 10 if settings.fast else synth.RANKINGS
    labels = synth.labels(generator(settings.seed), rankings=count)
    rank = np.arange(1.0, synth.ITEMS + 1.0)
    guess = 4.0 * (1.0 - rank / synth.ITEMS)
    return [Ranking(name, labels[:, synth.order(name)], 4, guess) for name in synth.SYSTEMS]


def trec(settings: Settings) -> list[Ranking]:
    """Return the three systems of TREC-8 that the paper names; none without data."""
    if settings.data is None:
        return []
    found = trec8.read(settings)
    rank = np.arange(1.0, trec8.DEPTH + 1.0)
    guess = 16.0 / (rank + 34.0)
    return [Ranking(name, found.labels[found.names.index(name)], 1, guess) for name in TREC]


def mean_cell(row: str, column: str, printed: float | None, runs: Floats, world: float) -> Cell:
    """Set a mean over repetitions beside print; `world` is the error of having another SYNTH."""
    spread = float(np.std(runs, ddof=1)) if len(runs) > 1 else 0.0
    error = math.sqrt(spread**2 * (1 / PRINTED + 1 / len(runs)) + 2.0 * world**2)
    return Cell(row, column, printed, float(np.mean(runs)), SIGMAS * error + ROUNDING)


def spread_cell(row: str, column: str, printed: float | None, runs: Floats) -> Cell:
    """Set a standard deviation over repetitions beside print; heavy tails make it less certain."""
    spread = float(np.std(runs, ddof=1))
    tails = float(np.mean((runs - runs.mean()) ** 4)) / spread**4
    error = spread * math.sqrt(max(tails - 1.0, 0.5) / 4.0 * (1 / PRINTED + 1 / len(runs)))
    return Cell(row, column, printed, spread, SIGMAS * error + ROUNDING)

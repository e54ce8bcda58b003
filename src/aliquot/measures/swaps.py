"""Swapped pairs of a ranking: Swaps@k and wSwaps@k."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, final

import numpy as np

from aliquot.core.spelling import Spelling
from aliquot.measures.base import Floats, Items
from aliquot.measures.pairs import PairMeasure, at_ranks, guess


class Swapped(PairMeasure):
    """The weight of pairs whose lower unit has the higher label, a mean over topics.

    A total over pairs of known weight: **unbiased where every pair has a known chance to be in the
    sample.** A ranking shorter than k counts as if filled up with the lowest label.
    """

    weighted: ClassVar[bool]

    def __str__(self) -> str:
        return str(Spelling(self.name, (), (), self.k))

    def seen(self, y: Floats, items: Items) -> Floats:
        """The label itself."""
        return np.broadcast_to(y, (len(items),)).astype(np.float64)

    def _worth(self, rank: Floats) -> Floats:
        return 1.0 / rank if self.weighted else np.ones(len(rank))

    def together(self, rank: Floats, value: Floats) -> Floats:
        """`2 / (k (k - 1))` a swapped pair, over both ranks if weighted."""
        worth = self._worth(rank)
        below = rank[:, None] < rank
        swapped = np.where(below, value > value[:, None], value[:, None] > value)
        scale = 2.0 / (self.k * (self.k - 1))
        found: Floats = scale * worth[:, None] * worth * (swapped & (rank[:, None] != rank))
        return found

    def stacked(self, pairs: Floats, value: Floats, items: Items) -> Floats:
        """One total, over the number of topics."""
        return (pairs / items.topic_count)[None, :]

    def contributions(self, items: Items, y: Floats) -> Floats:
        """Guess D: a high label swaps with lower ones above, a low label with higher ones below."""
        above, below, _ = _tables(self.k, weighted=self.weighted)
        high = np.clip(y / items.high, 0.0, 1.0)
        swaps = high * at_ranks(items, above) + (1.0 - high) * at_ranks(items, below)
        return self.stacked(swaps, np.zeros(len(items)), items)

    def value(self, totals: Floats, known: Floats) -> float:
        """Q."""
        return float(totals[0])

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """1."""
        return np.ones(1)

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """Up to every pair swapped."""
        return (0.0, float(_tables(self.k, weighted=self.weighted)[2].sum()) / 2.0)

    def unseen(self, items: Items, totals: Floats) -> tuple[float, float]:
        """Each pair of theirs may be swapped; an estimate counts it as not swapped."""
        most = at_ranks(items, _tables(self.k, weighted=self.weighted)[2])
        return (0.0, float(most.sum()) / items.topic_count)


@cache
def _tables(k: int, *, weighted: bool) -> tuple[Floats, Floats, Floats]:
    """Return, rank by rank, the guessed weight above and below, and that of all pairs."""
    ranks, p = np.arange(1.0, k + 1.0), guess(k)
    worth = 1.0 / ranks if weighted else np.ones(k)
    scale = 2.0 / (k * (k - 1)) * worth
    above = scale * (np.cumsum(worth * (1.0 - p)) - worth * (1.0 - p))
    below = scale * ((worth * p).sum() - np.cumsum(worth * p))
    return above, below, scale * (worth.sum() - worth)


@final
@dataclass(frozen=True)
class Swaps(Swapped):
    """The share of pairs among the first k that stand in the wrong order, a mean over topics.

    `sum over swapped pairs of 2 / (k (k - 1) T)`: a pair is swapped if the lower unit has the
    higher label. Labels 0, 1, 0 at ranks 1 to 3 hold one swapped pair of three:

    >>> b = Swaps(3).together(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.0]))
    >>> round(float(np.triu(b).sum()), 4)
    0.3333
    """

    k: int
    name: ClassVar[str] = "Swaps"
    weighted: ClassVar[bool] = False


@final
@dataclass(frozen=True)
class WSwaps(Swapped):
    """The same, each pair weighed by one over both of its ranks: errors at the top count more.

    Labels 0, 1, 0 at ranks 1 to 3: the swapped pair weighs 1 / (3 * 1 * 2).

    >>> b = WSwaps(3).together(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.0]))
    >>> round(float(np.triu(b).sum()), 4)
    0.1667
    """

    k: int
    name: ClassVar[str] = "wSwaps"
    weighted: ClassVar[bool] = True

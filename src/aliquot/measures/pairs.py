"""Measures over pairs of a ranking's units: what they share (Schnabel et al. 2016, Table 2).

`Q = sum_u b_uu + sum_{u<v} b_uv`, b_uv from the ranks and the labels of two units of one topic. A
sample judges units, each once, and sees a pair when it holds both. Unit u pulls on Q with
`D(u) = b_uu + sum_{v != u} b_uv`: its influence, as a label counts in every pair that it is part
of. Before any label is known, D is guessed from ranks alone: designs are sized by that guess, and
no estimate rests on it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from aliquot.measures.base import Floats, Items, Measure, Needs, accumulate

Places = NDArray[np.int64]
Factor = Callable[[Places], Floats | float]


def guess(k: int) -> Floats:
    """Return the guessed chance of a positive at ranks 1 to k; it sizes designs, no more."""
    found: Floats = 0.6 / (1.0 + np.arange(1, k + 1) / 20.0)
    return found


class PairMeasure(Measure):
    """A measure with a total over pairs; its other totals, if any, are sums over units."""

    k: int
    needs: ClassVar[Needs] = "rank"
    pairs: ClassVar[bool] = True

    @property
    def depth(self) -> int:
        """k."""
        return self.k

    @abstractmethod
    def seen(self, y: Floats, items: Items) -> Floats:
        """Return what a label counts as in pairs; several labels of a unit are averaged."""

    @abstractmethod
    def together(self, rank: Floats, value: Floats) -> Floats:
        """Return b, shape (m, m), symmetric, of m units of one topic; b_uu on the diagonal."""

    @abstractmethod
    def stacked(self, pairs: Floats, value: Floats, items: Items) -> Floats:
        """Put what units add to the pair total on top of what they add to the others, (J, n)."""

    @abstractmethod
    def unseen(self, items: Items, totals: Floats) -> tuple[float, float]:
        """Return how far units that no draw could see may lower and raise the value."""

    def pulls(
        self, items: Items, value: Floats, weights: Floats, factor: Factor
    ) -> tuple[Floats, Floats]:
        """Return D and each unit's share of the totals, both shape (J, n), from weighed units.

        A pair weighs `w_u w_v f_uv`, f from `factor`; half of it is either unit's share.
        """
        pull, share = np.zeros(len(items)), np.zeros(len(items))
        for at, rank in lists(items, self.k):
            b = self.together(rank, value[at])
            own = np.diag(b).copy()
            np.fill_diagonal(b, 0.0)
            met = (b * factor(at)) @ weights[at]
            pull[at], share[at] = own + met, own + met / 2.0
        return self.stacked(pull, value, items), self.stacked(share, value, items)

    def summed(self, items: Items, y: Floats) -> Floats:
        """Return the totals when the label of every unit is known."""
        return accumulate(self, items, self.shares(items, y))

    def shares(self, items: Items, y: Floats) -> Floats:
        """Return each unit's share of the totals when the label of every unit is known."""
        return self.pulls(items, self.seen(y, items), np.ones(len(items)), _one)[1]


def _one(_: Places) -> float:
    return 1.0


def lists(items: Items, k: int) -> Iterator[tuple[Places, Floats]]:
    """Yield the units that one topic's ranking holds by rank k, with their ranks."""
    rank = items.output.rank
    if rank is None:
        return
    inside = np.flatnonzero((rank > 0) & (rank <= k))
    order = inside[np.lexsort((rank[inside], items.topics[inside]))]
    cuts = np.flatnonzero(np.diff(items.topics[order])) + 1
    for at in np.split(order, cuts):
        if len(at):
            yield at, rank[at].astype(np.float64)


def at_ranks(items: Items, table: Floats) -> Floats:
    """Look up a table by rank, from rank 1 on; 0 where a unit is not ranked so high."""
    out, rank = np.zeros(len(items)), items.output.rank
    if rank is not None:
        inside = (rank > 0) & (rank <= len(table))
        out[inside] = table[rank[inside] - 1]
    return out

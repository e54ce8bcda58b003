"""Head and tail: strata where a score says that positives are, and one that it says has none."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.spelling import Spelling
from aliquot.designs.base import Chunk
from aliquot.designs.kernel import pick
from aliquot.designs.robust import NAME
from aliquot.designs.strata import Codes, Cuts, Strata, by_size, equal_cuts

TOP = 0.4  # the share of the strata that are among the retrieved
TAIL = 0.05  # the share of the positives that a score expects in the tail
LEAST = 2  # units a stratum, where they last
KEPT = 0.5  # of the share that the prior gave a stratum, whatever labels say


@final
@dataclass(frozen=True)
class HeadTail(Strata):
    """Simple random samples of the tail, and of `strata` strata above it and among the retrieved.

    The retrieved are cut into two fifths of `strata` strata of equal cumulated size. Of the others,
    those with the lowest scores that hold 5 % of the positives that the score expects are the tail,
    nearly all of a frame: one stratum, so that its sample speaks for all of it. The rest is cut
    into three fifths of `strata` strata. Labels are shared by cumulated size (Neyman 1934), a
    size that takes a share `hidden` of the positives to be anywhere, whatever their score.
    **It needs no score to be right: pi = n_h / N_h, exactly.** With `learn=yes` a later draw shares
    its labels by what those of before say of each stratum, and pi is what it is given them.

    >>> str(HeadTail())
    'headtail(strata=5, hidden=0.1)'
    """

    strata: int = 5
    hidden: float = 0.1
    learn: str = "no"
    factors: tuple[float, ...] = field(default=(), compare=False)
    name: ClassVar[str] = "headtail"

    def __str__(self) -> str:
        options = (("strata", self.strata), ("hidden", self.hidden))
        more = (("learn", self.learn),) if self.learn == "yes" else ()
        return str(Spelling("headtail", (), (*options, *more)))

    @property
    def sized(self) -> tuple[str, float]:
        """The size that allows for hidden positives, and their share."""
        return (NAME, self.hidden)

    @property
    def led(self) -> bool:
        """Whether labels lead the later draws."""
        return self.learn == "yes"

    def after(self, factors: Floats) -> HeadTail:
        """Return the design once labels said how far off the size of each stratum is."""
        return replace(self, factors=tuple(factors.tolist()))

    @property
    def noted(self) -> dict[str, Any]:
        """The factors, where there are some."""
        return {"factors": list(self.factors)} if self.factors else {}

    def cut(self, chunk: Chunk, total: int) -> Cuts:
        """Cut the retrieved, and above the tail the others; few labels allow few strata."""
        top, rest = (pick(chunk, mine) for mine in (chunk.stratum == 0, chunk.stratum != 0))
        strata = min(self.strata, total // LEAST - 1)
        share = max(1, round(TOP * strata))
        end = tail(rest.size)
        head = pick(rest, rest.size > end)
        cuts = [*equal_cuts(head.size, head.keys, max(strata - share, 1)), end]
        return [
            equal_cuts(top.size, top.keys, share),
            cuts if len(head.rows) and strata > 1 else [],
        ]

    def place(self, chunk: Chunk, cuts: Cuts) -> Codes:
        """The strata of the retrieved come first, the tail comes last."""
        first = by_size(chunk.size, cuts[0])
        then = len(set(cuts[0])) + 1 + by_size(chunk.size, cuts[1])
        found: Codes = np.where(chunk.stratum == 0, first, then)
        return found

    def wanted(self, chunk: Chunk, codes: Codes, old: Codes, budget: int) -> Codes:
        """Share the budget by cumulated size; what was drawn stays drawn."""
        shares = np.bincount(codes, weights=chunk.size).astype(np.float64)
        if self.factors:
            shares = learned(shares, np.array(self.factors))
        return divided(shares, np.bincount(codes), int(old.sum()) + budget, old)


def tail(size: Floats) -> float:
    """Return the largest size in the tail: those below hold 5 % of what is expected of a score.

    A size is the root of an expectation that is linear in the chance of a positive, and smallest
    where that chance is about 0.

    >>> tail(np.sqrt(np.array([0.1, 0.2, 0.3, 9.0]))).__round__(3)
    0.548
    """
    if not len(size):
        return 0.0
    ascending = np.sort(size)
    expected = ascending**2 - ascending[0] ** 2
    within = np.cumsum(expected) <= TAIL * expected.sum()
    return float(ascending[max(int(within.sum()) - 1, 0)])


def learned(shares: Floats, factors: Floats) -> Floats:
    """Return the mean of shares and of shares times their factors: no stratum loses over half.

    A first sample is small, and says least of the strata where it found nothing.

    >>> learned(np.array([0.5, 0.5]), np.array([0.1, 1.9]))
    array([0.275, 0.725])
    """
    told = shares * factors
    told *= shares.sum() / max(float(told.sum()), 1e-300)
    return KEPT * shares + (1.0 - KEPT) * told


def divided(shares: Floats, counts: Codes, total: int, old: Codes | None = None) -> Codes:
    """Give units away until there are `total`, each to the stratum furthest below its share.

    The method of Sainte-Lague: who asks for more units keeps all that fewer would have given, and
    the `old` ones. The first two units of each stratum go before any others.

    >>> divided(np.array([8.0, 1.0]), np.array([50, 50]), 12)
    array([10,  2])
    """
    weights = np.maximum(shares, 1e-12 * max(float(shares.sum()), 1e-300))
    found = np.zeros(len(counts), dtype=np.int64) if old is None else old.copy()

    def turn(h: int) -> tuple[int, float, int]:
        n = int(found[h])
        return min(n, LEAST), -float(weights[h] if n < LEAST else weights[h] / (n + 0.5)), h

    heap = [turn(int(h)) for h in np.flatnonzero(found < counts)]
    heapq.heapify(heap)
    for _ in range(min(total, int(counts.sum())) - int(found.sum())):
        _, _, h = heapq.heappop(heap)
        found[h] += 1
        if found[h] < counts[h]:
            heapq.heappush(heap, turn(h))
    return found

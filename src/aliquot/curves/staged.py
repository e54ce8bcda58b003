"""A strategy for curves as the design of a study: each draw is what it asks for next.

What it asks depends on the labels of before, so whoever draws with it hands in all that it asked so
far. In each stratum of ranks that is the units with the smallest permanent random numbers: a simple
random sample, of which units drawn for anything else may be part. Strata are only ever split, and
each part of a simple random sample is one again, given its size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.curves.base import Strategy
from aliquot.curves.points import Ranks
from aliquot.curves.steps import Ask
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible, every
from aliquot.designs.kernel import pick
from aliquot.errors import DesignError

Codes = NDArray[np.int64]


@final
@dataclass(frozen=True)
class Staged(Design):
    """A strategy, and what it asked so far. The stratum of a unit is its place in the ranking.

    **What a strategy asks next depends on labels, so its chances are those given what it knew.**
    """

    strategy: Strategy
    asked: Ranks = field(default_factory=lambda: np.empty(0, dtype=np.int64), compare=False)
    cuts: Ranks = field(default_factory=lambda: np.empty(0, dtype=np.int64), compare=False)
    last: dict[str, Any] = field(default_factory=dict, compare=False)
    name: ClassVar[str] = "staged"
    kind: ClassVar[str] = "strata"

    def __str__(self) -> str:
        return str(self.strategy)

    @property
    def led(self) -> bool:
        """Every strategy goes by labels."""
        return True

    def after(self, asks: tuple[Ask, ...], last: dict[str, Any]) -> Staged:
        """Return the design once it has asked all this; `last` is what its last draw recorded."""
        ranks = np.unique(np.concatenate([ask.ranks for ask in asks]))
        cuts = np.unique(np.concatenate([ask.cuts for ask in asks]))
        return replace(self, asked=ranks, cuts=cuts, last=last)

    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Take what was asked and is not drawn yet: no more than the budget."""
        whole = every(pool.chunks())
        held, at = pool.among(whole.keys)
        mine = whole.stratum > 0
        cuts = self._cuts(int(whole.stratum.max()))
        codes = np.searchsorted(cuts, whole.stratum)
        r = prn.uniform(whole.keys, pool.seed)
        reached = self._reached(r, whole.stratum, cuts)
        taken = mine & (r <= reached[codes])
        self._affordable(int((taken & ~held).sum()), budget)
        sizes, counts = _counted(codes[mine], len(cuts)), _counted(codes[taken], len(cuts))
        missed = np.ones(len(cuts))
        np.minimum.at(missed, codes[mine & ~taken], r[mine & ~taken])
        chosen = taken | held
        union, code, own = pick(whole, chosen), codes[chosen], mine[chosen]
        before = np.where(held, pool.held[at] if len(pool.held) else 0.0, 0.0)[chosen]
        conditional = np.maximum(before, np.where(own, missed[code], 0.0))
        share = np.where(own, (counts / np.maximum(sizes, 1))[code], 0.0)
        params = {
            "cuts": cuts.tolist(),
            "sizes": sizes.tolist(),
            "taken": counts.tolist(),
            "last": reached.tolist(),
        }
        return Drawn(
            union.rows,
            union.keys,
            share if pool.same else conditional,
            conditional,
            union.before,
            np.where(own, code, len(cuts)),
            np.ones(len(code), dtype=np.int64),
            ~held[chosen],
            params,
        )

    def _cuts(self, n: int) -> Ranks:
        """Return the last ranks of all strata, those of earlier draws too."""
        old = np.array(self.last.get("cuts", []), dtype=np.int64)
        found = np.unique(np.concatenate([self.cuts, old, [n]]))
        return found[(found > 0) & (found <= n)]

    def _reached(self, r: Floats, place: Codes, cuts: Ranks) -> Floats:
        """Return, a stratum, the number of the last unit taken: 1 where all are, 0 where none is.

        What earlier draws took stays taken, also where a label that was corrected since sends the
        strategy elsewhere.
        """
        found = np.zeros(len(cuts))
        asked = np.isin(place, self.asked) & (place > 0)
        codes = np.searchsorted(cuts, place)
        np.maximum.at(found, codes[asked], r[asked])
        if self.last:
            old = np.searchsorted(np.array(self.last["cuts"]), cuts)
            found = np.maximum(found, np.array(self.last["last"])[old])
        left = (place > 0) & (r > found[codes])
        some = np.bincount(codes[left], minlength=len(cuts)) > 0
        return np.where(some, found, 1.0)

    def _affordable(self, new: int, budget: int) -> None:
        if new > budget:
            raise DesignError(
                f"{self} asks for {new} labels next, more than the budget of {budget}",
                do=f"Give --budget {new}, or options that ask for less, such as a smaller start",
            )

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """n_h / N_h."""
        share = np.array(params["taken"]) / np.maximum(np.array(params["sizes"]), 1)
        return _each(chunk, params, share)

    def threshold(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """The random number of the last unit taken in the stratum."""
        return _each(chunk, params, np.array(params["last"], dtype=np.float64))

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """Refuse: what a strategy draws depends on labels."""
        raise DesignError(
            f"the samples of {self} can't be listed: what it draws depends on labels",
            do="List those of stratified, which it is within a draw",
        )


def _counted(codes: Codes, length: int) -> Codes:
    found: Codes = np.bincount(codes, minlength=length)
    return found


def _each(chunk: Chunk, params: dict[str, Any], value: Floats) -> Floats:
    """Give every unit of the ranking the value of its stratum."""
    codes = np.searchsorted(np.array(params["cuts"]), chunk.stratum)
    known = (chunk.stratum > 0) & (codes < len(value))
    return np.where(known, value[np.where(known, codes, 0)], 0.0)

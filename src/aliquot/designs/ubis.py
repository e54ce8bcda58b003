"""Unbiased importance sampling, UBIS: Schnabel et al. (2016), Eq. 4 to 15."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, final

from aliquot.core.frame import Floats
from aliquot.core.spelling import Spelling
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible
from aliquot.designs.importance import NAME, Importance
from aliquot.designs.replacement import Replacement


@final
@dataclass(frozen=True)
class Ubis(Design):
    """Draw i.i.d. from Q, with replacement; the budget counts draws, a unit is judged once.

    `prior` is `one` (uniform), `P` (the systems' weights) or `uP` (weights times a guess u of the
    label: that of the study, or `linear` in the rank). With several systems the weights are put
    together by `sqrt` (Eq. 11) or by `mean` (Yilmaz et al. 2008). The goal says whose weights:
    `each`, one system (Eq. 6), `pair:A,B` (Eq. 13) or `relative` (Eq. 15). The estimator is `hh`
    (Eq. 4): **unbiased wherever Q > 0, which a floor above 0 ensures.**

    >>> str(Ubis())
    'ubis(prior=uP, systems=sqrt, u=study, floor=0.05)'
    """

    prior: str = "uP"
    systems: str = "sqrt"
    u: str = "study"
    floor: float = 0.05
    name: ClassVar[str] = NAME
    kind: ClassVar[str] = "replacement"
    replacement: ClassVar[bool] = True

    def __str__(self) -> str:
        inner = (("prior", self.prior), ("systems", self.systems), ("u", self.u))
        return str(Spelling(NAME, (), (*inner, ("floor", self.floor))))

    @property
    def sized(self) -> tuple[str, float]:
        """Q, and its floor."""
        return (str(Importance(self.prior, self.systems, self.u)), self.floor)

    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Make `budget` more draws."""
        return Replacement().draw(pool, budget)

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """n Q."""
        return Replacement().level(chunk, params)

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """Every multiset of n draws, with its multinomial probability."""
        return Replacement().enumerate(size, n)

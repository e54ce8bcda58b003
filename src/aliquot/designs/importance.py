"""Importance distributions over units: Schnabel et al. (2016), Eq. 5 to 15.

`Q = (1 - floor) u A / sum(u A) + floor * uniform`, A being the weights of the systems put together
and u a guess of the label; the uniform part lies on the units that bear on the goal. The goal says
which weights: one system's (Eq. 6), those of all (Eq. 11), the difference of two (Eq. 13) or the
deviations from the mean (Eq. 15, with S' inside the mean, where print has S).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Block, Floats, System
from aliquot.core.spelling import Spelling, parse

NAME = "ubis"
PRIORS = ("one", "P", "uP")
TOGETHER = ("sqrt", "mean")
GUESSES = ("study", "linear")


@final
@dataclass(frozen=True)
class Importance:
    """Which distribution: prior `one`, `P` or `uP`; weights together by `sqrt` or `mean`; which u.

    >>> str(Importance("P"))
    'ubis(prior=P, systems=sqrt, u=study)'
    >>> importance(str(Importance("P"))) == Importance("P")
    True
    """

    prior: str = "uP"
    systems: str = "sqrt"
    u: str = "study"

    def __str__(self) -> str:
        options = (("prior", self.prior), ("systems", self.systems), ("u", self.u))
        return str(Spelling(NAME, (), options))

    def parts(self, weights: Floats, guess: Floats) -> tuple[Floats, Floats]:
        """Return u A, and 1 for the units that bear on the goal; `weights` has shape (targets, n).

        >>> a, floor = Importance("P").parts(np.array([[3.0, 0.0], [4.0, 0.0]]), np.ones(2))
        >>> a.tolist(), floor.tolist()
        ([5.0, 0.0], [1.0, 0.0])
        """
        together = np.sqrt((weights**2).sum(axis=0))
        bears = (together > 0).astype(np.float64)
        if self.prior == "one":
            return bears, bears
        if self.systems == "mean":
            together = weights.mean(axis=0)
        return (together * guess if self.prior == "uP" else together), bears


def importance(kind: str) -> Importance | None:
    """Read the kind of a size; None if it is another kind."""
    if not kind.startswith(f"{NAME}("):
        return None
    return Importance(**{name: str(value) for name, value in parse(kind).options})


def linear(block: Block, systems: tuple[System, ...]) -> Floats:
    """Return the mean over systems of `1 - rank / depth`, the paper's guess; 0 where unranked."""
    guesses = []
    for system in systems:
        rank, depth = system.output(block).rank, float(system.ranks.max(initial=1))
        if rank is not None:
            guesses.append(np.where(rank > 0, 1.0 - rank / depth, 0.0))
    found: Floats = np.mean(guesses, axis=0) if guesses else np.ones(len(block.rows))
    return found

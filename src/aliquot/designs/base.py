"""What a design is: a rule that draws units with known probabilities.

Every design but `wr` takes a unit when its permanent random number is below a threshold, so that
draws nest and overlap. Two probabilities are kept for each unit drawn. `pi` is the first-order
inclusion probability. `conditional` is the chance of inclusion given the other units' numbers: for
order samples it makes Horvitz-Thompson exactly unbiased (priority sampling; Duffield, Lund and
Thorup 2007), where `pi` is right to O(1/n).

A later draw adds units to the earlier ones. The probability of a unit is then that of being in the
union: the largest of its thresholds. **That is exact only where no design depends on a label.**
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.columns import Rows
from aliquot.core.frame import Floats
from aliquot.errors import DesignError

Keys = NDArray[np.uint64]


@final
@dataclass(frozen=True, eq=False)
class Chunk:
    """Some units as a design sees them. `before` is their inclusion probability so far."""

    rows: Rows
    keys: Keys
    size: Floats
    before: Floats
    stratum: NDArray[np.int64]


@final
@dataclass(frozen=True, eq=False)
class Pool:
    """What a design draws from: chunks that can be read more than once, and what was drawn before.

    `taken` holds the keys drawn before, sorted; `held` their conditional probabilities; `counts`
    how often they were drawn. `same` says that every earlier draw was of this very design, and
    `last` holds what the latest of them recorded.
    """

    chunks: Callable[[], Iterator[Chunk]]
    seed: int
    taken: Keys = field(default_factory=lambda: np.empty(0, dtype=np.uint64))
    held: Floats = field(default_factory=lambda: np.empty(0))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    same: bool = True
    last: dict[str, Any] = field(default_factory=dict)

    def among(self, keys: Keys) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Say which keys were drawn before, and where they stand in `taken`."""
        if not len(self.taken):
            return np.zeros(len(keys), dtype=np.bool_), np.zeros(len(keys), dtype=np.int64)
        place = np.minimum(np.searchsorted(self.taken, keys), len(self.taken) - 1)
        return self.taken[place] == keys, place


@final
@dataclass(frozen=True, eq=False)
class Drawn:
    """The units that a study holds after a draw: those drawn before, and the new ones."""

    rows: Rows
    keys: Keys
    pi: Floats
    conditional: Floats
    before: Floats
    stratum: NDArray[np.int64]
    count: NDArray[np.int64]
    new: NDArray[np.bool_]
    params: dict[str, Any]


@final
@dataclass(frozen=True, eq=False)
class Possible:
    """One sample that a design can draw from a toy frame, with its probability (or density)."""

    probability: float
    rows: Rows
    pi: Floats
    conditional: Floats
    count: NDArray[np.int64]
    stratum: NDArray[np.int64]


class Design(ABC):
    """A way to choose units; its `str` parses back. Subclasses are final and frozen."""

    name: ClassVar[str]
    kind: ClassVar[str]  # which variance formula belongs to its samples
    replacement: ClassVar[bool] = False

    @abstractmethod
    def __str__(self) -> str:
        """Return the spelling."""

    @property
    def sized(self) -> tuple[str, float]:
        """Which size the design wants, and its floor."""
        return ("uniform", 0.0)

    @property
    def led(self) -> bool:
        """Whether labels of before say where it draws next."""
        return False

    @abstractmethod
    def draw(self, pool: Pool, budget: int) -> Drawn:
        """Draw `budget` units that no earlier draw holds."""

    @abstractmethod
    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """Return the inclusion probabilities that a draw gave to the units of a chunk."""

    def threshold(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        """Return what a unit's random number had to be below, as far as another design cares."""
        return self.level(chunk, params)

    @abstractmethod
    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        """List every sample of a first draw from a toy frame with these sizes."""

    def listed(self, chunk: Chunk, n: int) -> Iterator[Possible]:
        """List them for units that may have strata."""
        return self.enumerate(chunk.size, n)


def check_budget(budget: int, left: int) -> None:
    """Refuse a budget that is no positive number, or more than what is left to draw."""
    if budget < 1:
        raise DesignError(f"a budget of {budget} buys nothing", do="Ask for at least 1")
    if budget > left:
        raise DesignError(
            f"a budget of {budget} is more than the {left} units that can still be drawn",
            do=f"Ask for at most {left}" if left else "Nothing is left to draw for this goal",
        )


def nothing() -> Chunk:
    """Return a chunk without units."""
    floats, whole = np.empty(0), np.empty(0, dtype=np.int64)
    return Chunk(whole, np.empty(0, dtype=np.uint64), floats, floats, whole)


def every(chunks: Iterator[Chunk]) -> Chunk:
    """Put all chunks into one."""
    parts = list(chunks) or [nothing()]
    return Chunk(
        np.concatenate([c.rows for c in parts]),
        np.concatenate([c.keys for c in parts]),
        np.concatenate([c.size for c in parts]),
        np.concatenate([c.before for c in parts]),
        np.concatenate([c.stratum for c in parts]),
    )

"""The frame: every unit that could be judged, and what each system says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.columns import BLOCK, Array, Columns, Rows
from aliquot.errors import FrameError

Kind = Literal["ranking", "scored", "predicted", "retrieved"]
UNIT, KEY, TOPIC = "@unit", "@key", "@topic"
COST, CLUSTER, STRATUM = "@cost", "@cluster", "@stratum"
WEIGHT, GROUP = "@weight:", "@group:"  # and the name of the user's column
Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class Output:
    """What one system says of some units. A rank of 0 means that it does not rank the unit."""

    rank: NDArray[np.int32] | None = None
    score: Floats | None = None
    retrieved: NDArray[np.bool_] | None = None
    predicted: Floats | None = None


@final
@dataclass(frozen=True, eq=False)
class System:
    """A system under evaluation: a ranking, a score, a predicted label or a retrieved set.

    A ranking holds its rows and ranks itself, sorted by row. The other kinds name a column.
    """

    name: str
    kind: Kind
    column: str = ""
    threshold: float | None = None
    rows: Rows = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    ranks: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    cut: int = 0  # the rank after which the ranking was cut; 0: it is whole

    @property
    def retrieves(self) -> bool:
        """Whether it says which units it returns."""
        return self.kind in ("ranking", "retrieved") or self.threshold is not None

    @property
    def columns(self) -> tuple[str, ...]:
        """The frame's columns that it reads."""
        return (self.column,) if self.column else ()

    def output(self, block: Block) -> Output:
        """Return what it says of the units of a block; each block is asked once."""
        found = block.outputs.get(self.name)
        if found is None:
            found = block.outputs[self.name] = self._output(block)
        return found

    def _output(self, block: Block) -> Output:
        if self.kind == "ranking":
            rank = self._rank(block.rows)
            return Output(rank=rank, retrieved=rank > 0)
        values = block.data[self.column].astype(np.float64)
        if self.kind == "predicted":
            return Output(predicted=values)
        if self.kind == "retrieved":
            retrieved = values > 0
            return Output(retrieved=retrieved, predicted=retrieved.astype(np.float64))
        if self.threshold is None:
            return Output(score=values)
        retrieved = values >= self.threshold
        return Output(score=values, retrieved=retrieved, predicted=retrieved.astype(np.float64))

    def _rank(self, rows: Rows) -> NDArray[np.int32]:
        rank = np.zeros(len(rows), dtype=np.int32)
        if len(rows) and rows[-1] - rows[0] + 1 == len(rows):  # a stretch of the frame
            start, end = np.searchsorted(self.rows, (rows[0], rows[-1] + 1))
            rank[self.rows[start:end] - rows[0]] = self.ranks[start:end]
        elif len(self.rows):
            place = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
            hit = self.rows[place] == rows
            rank[hit] = self.ranks[place[hit]]
        return rank


@final
@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of a frame, with the columns that were asked for."""

    rows: Rows
    data: dict[str, Array]
    outputs: dict[str, Output] = field(default_factory=dict)

    @property
    def keys(self) -> NDArray[np.uint64]:
        """The 64-bit number of each unit."""
        found: NDArray[np.uint64] = self.data[KEY]
        return found

    @property
    def topics(self) -> NDArray[np.int64]:
        """The topic of each unit; all zero in a frame without topics."""
        if TOPIC in self.data:
            return self.data[TOPIC].astype(np.int64)
        return np.zeros(len(self.rows), dtype=np.int64)


@final
@dataclass(frozen=True, eq=False)
class Frame:
    """Units, systems' outputs, judges' labels, costs, clusters and strata.

    `columns` has at least `@unit` (text) and `@key` (its 64-bit number). In a frame made of runs a
    unit is a topic and a document, and `@topic` (a place in `topics`) is there as well. Names with
    an @ are ours, so that none of the user's is taken. `cost`, `cluster` and `stratum` name a
    column, or are empty. `known` keeps what a pass over the frame has counted.
    """

    columns: Columns
    systems: tuple[System, ...] = ()
    judges: tuple[tuple[str, str], ...] = ()  # (name, column)
    topics: tuple[str, ...] = ()
    cost: str = ""
    cluster: str = ""
    stratum: str = ""
    payload: tuple[str, ...] = ()
    hash: str = ""
    known: dict[tuple[str, ...], Floats] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        names = [system.name for system in self.systems]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise FrameError(f"two systems are both called {twice[0]}", do="Rename one of them")

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        names = ", ".join(system.name for system in self.systems[:3])
        more = ", ..." if len(self.systems) > 3 else ""
        return f"<Frame {len(self)} units, {len(self.systems)} systems: {names}{more}>"

    def system(self, name: str) -> System:
        """Return a system by its name."""
        for system in self.systems:
            if system.name == name:
                return system
        names = [system.name for system in self.systems]
        known = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "") if names else "none"
        raise FrameError(f"there is no system called {name}", do=f"Systems here: {known}")

    @cached_property
    def topic_count(self) -> int:
        """How many topics the measures average over; 1 in a frame without topics."""
        return max(1, len(self.topics))

    def _names(self, systems: tuple[System, ...], more: tuple[str, ...]) -> tuple[str, ...]:
        names = [KEY, *(column for system in systems for column in system.columns), *more]
        names += [n for n in self.columns.names if n == TOPIC or n.startswith((WEIGHT, GROUP))]
        return tuple(dict.fromkeys(names))

    def blocks(
        self, systems: tuple[System, ...] = (), more: tuple[str, ...] = (), *, size: int = BLOCK
    ) -> Iterator[Block]:
        """Yield the frame block by block, with what the systems and `more` read."""
        start = 0
        for data in self.columns.blocks(self._names(systems, more), size):
            count = len(data[KEY])
            yield Block(np.arange(start, start + count), data)
            start += count

    def block(
        self, rows: Rows, systems: tuple[System, ...] = (), more: tuple[str, ...] = ()
    ) -> Block:
        """Return some rows as one block."""
        names = self._names(systems, more)
        return Block(rows, {name: self.columns.take(name, rows) for name in names})

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.uint64], Rows]:
        keys = self.columns.whole(KEY)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def find(self, units: tuple[str, ...]) -> Rows:
        """Return the row of each unit, -1 where the frame does not hold it."""
        return self.locate(prn.keys(units))

    def locate(self, keys: NDArray[np.uint64]) -> Rows:
        """Return the row of each key, -1 where the frame does not hold it."""
        known, order = self._sorted
        if not len(known):
            return np.full(len(keys), -1, dtype=np.int64)
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[place] == keys, order[place], -1)

    def names(self, rows: Rows) -> tuple[str, ...]:
        """Return the unit ids of some rows."""
        return tuple(str(unit) for unit in self.columns.take(UNIT, rows))

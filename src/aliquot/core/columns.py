"""Columns of a table that may be larger than memory, read in blocks of rows.

The statistical rooms see nothing but this protocol and numpy. `engine` has the columns that are
held as Arrow tables or Parquet files; `ArrayColumns` is the one for arrays at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

from aliquot.errors import FrameError

Array = NDArray[Any]
Rows = NDArray[np.int64]
BLOCK = 16_384  # rows a kernel reads at once: a few arrays of it stay in the cache


class Columns(Protocol):
    """Named columns of equal length."""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns there are."""

    def __len__(self) -> int: ...

    def take(self, name: str, rows: Rows) -> Array:
        """Return one column at some rows."""

    def whole(self, name: str) -> Array:
        """Return one column whole."""

    def blocks(self, names: tuple[str, ...], size: int = BLOCK) -> Iterator[dict[str, Array]]:
        """Yield consecutive blocks of rows of some columns."""


@final
@dataclass(frozen=True, eq=False)
class ArrayColumns:
    """Columns held as numpy arrays."""

    arrays: Mapping[str, Array]

    def __post_init__(self) -> None:
        lengths = {name: len(array) for name, array in self.arrays.items()}
        if len(set(lengths.values())) > 1:
            raise FrameError(f"columns differ in length: {lengths}", do="Give each unit one row")

    @property
    def names(self) -> tuple[str, ...]:
        """The columns there are."""
        return tuple(self.arrays)

    def __len__(self) -> int:
        return len(next(iter(self.arrays.values()), ()))

    def take(self, name: str, rows: Rows) -> Array:
        """Return one column at some rows."""
        found: Array = self.arrays[name][rows]
        return found

    def whole(self, name: str) -> Array:
        """Return one column whole."""
        return self.arrays[name]

    def blocks(self, names: tuple[str, ...], size: int = BLOCK) -> Iterator[dict[str, Array]]:
        """Yield consecutive blocks of rows of some columns."""
        for start in range(0, len(self), size):
            yield {name: self.arrays[name][start : start + size] for name in names}

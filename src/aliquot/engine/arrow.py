"""Columns held by Arrow: a table in memory, a Parquet file, and two ways to put them together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from aliquot.core.columns import BLOCK, Array, Columns, Rows

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

NUMBERS = ("float64", "float32", "int64", "int32", "uint64", "uint32", "int16", "int8", "uint8")
READ = 16  # blocks read from a file at once
IN_MEMORY = 4_194_304  # rows up to which a column is kept once it was read


@final
@dataclass(frozen=True, eq=False)
class ArrowColumns:
    """Columns of an Arrow table. Numbers are handed on without copying where Arrow can."""

    table: pa.Table

    @property
    def names(self) -> tuple[str, ...]:
        """The columns there are."""
        return tuple(self.table.column_names)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def take(self, name: str, rows: Rows) -> Array:
        """Return one column at some rows."""
        return _array(self.table.column(name).take(_indices(rows)))

    def whole(self, name: str) -> Array:
        """Return one column whole."""
        return _array(self.table.column(name))

    def blocks(self, names: tuple[str, ...], size: int = BLOCK) -> Iterator[dict[str, Array]]:
        """Yield consecutive blocks of rows of some columns."""
        table = self.table.select(list(names))
        for start in range(0, len(self), size):
            part = table.slice(start, size)
            yield {name: _array(part.column(name)) for name in names}


@final
@dataclass(frozen=True, eq=False)
class ParquetColumns:
    """Columns of a Parquet file, read when they are asked for.

    Up to `IN_MEMORY` rows a column is read once and kept; a longer file is streamed block by block,
    so that memory stays flat whatever its length.
    """

    path: Path
    _kept: dict[str, Array] = field(default_factory=dict)

    @cached_property
    def _file(self) -> ParquetFile:
        from pyarrow.parquet import ParquetFile

        return ParquetFile(self.path)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns there are."""
        return tuple(self._file.schema_arrow.names)

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    def whole(self, name: str) -> Array:
        """Return one column whole."""
        if name in self._kept:
            return self._kept[name]
        found = _array(self._file.read(columns=[name]).column(name))
        if len(self) <= IN_MEMORY:
            self._kept[name] = found
        return found

    def take(self, name: str, rows: Rows) -> Array:
        """Return one column at some rows."""
        if len(self) <= IN_MEMORY:
            found: Array = self.whole(name)[rows]
            return found
        table = self._file.read(columns=[name])
        return _array(table.column(name).take(_indices(rows)))

    def blocks(self, names: tuple[str, ...], size: int = BLOCK) -> Iterator[dict[str, Array]]:
        """Yield consecutive blocks of rows of some columns."""
        if len(self) <= IN_MEMORY:
            kept = {name: self.whole(name) for name in names}
            for start in range(0, len(self), size):
                yield {name: column[start : start + size] for name, column in kept.items()}
            return
        for batch in self._file.iter_batches(batch_size=READ * size, columns=list(names)):
            whole = {name: _chunk(batch.column(name)) for name in names}
            for start in range(0, batch.num_rows, size):
                yield {name: column[start : start + size] for name, column in whole.items()}


@final
@dataclass(frozen=True, eq=False)
class Stacked:
    """Rows of one table below those of another: units that joined the frame later."""

    first: Columns
    second: Columns

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that both have."""
        return tuple(name for name in self.first.names if name in self.second.names)

    def __len__(self) -> int:
        return len(self.first) + len(self.second)

    def whole(self, name: str) -> Array:
        """Return one column whole."""
        return np.concatenate([self.first.whole(name), self.second.whole(name)])

    def take(self, name: str, rows: Rows) -> Array:
        """Return one column at some rows."""
        early = rows < len(self.first)
        above = self.first.take(name, rows[early])
        below = self.second.take(name, rows[~early] - len(self.first))
        found = np.empty(len(rows), dtype=np.result_type(above, below))
        found[early], found[~early] = above, below
        return found

    def blocks(self, names: tuple[str, ...], size: int = BLOCK) -> Iterator[dict[str, Array]]:
        """Yield consecutive blocks of rows of some columns."""
        yield from self.first.blocks(names, size)
        yield from self.second.blocks(names, size)


@final
@dataclass(frozen=True, eq=False)
class Beside:
    """Columns of one table beside those of another, row by row: systems that joined later."""

    left: Columns
    right: Columns

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of both."""
        return self.left.names + self.right.names

    def __len__(self) -> int:
        return len(self.left)

    def _side(self, name: str) -> Columns:
        return self.right if name in self.right.names else self.left

    def whole(self, name: str) -> Array:
        """Return one column whole."""
        return self._side(name).whole(name)

    def take(self, name: str, rows: Rows) -> Array:
        """Return one column at some rows."""
        return self._side(name).take(name, rows)

    def blocks(self, names: tuple[str, ...], size: int = BLOCK) -> Iterator[dict[str, Array]]:
        """Yield consecutive blocks of rows of some columns."""
        right = tuple(name for name in names if name in self.right.names)
        left = tuple(name for name in names if name not in right)
        if not right or not left:
            yield from (self.right if right else self.left).blocks(names, size)
            return
        for one, other in zip(
            self.left.blocks(left, size), self.right.blocks(right, size), strict=True
        ):
            yield one | other


def _array(column: pa.ChunkedArray) -> Array:
    """Turn a column into numpy; Arrow's own way would import pandas wherever it is installed."""
    parts = [_chunk(chunk) for chunk in column.chunks]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0)


def _chunk(values: pa.Array) -> Array:
    """Share the memory of numbers without nulls; anything else becomes Python objects."""
    name = {"double": "float64", "float": "float32"}.get(str(values.type), str(values.type))
    if name in NUMBERS and not values.null_count:
        dtype = np.dtype(name)
        start = values.offset * dtype.itemsize
        return np.frombuffer(values.buffers()[1], dtype, count=len(values), offset=start)
    found = np.empty(len(values), dtype=object)
    found[:] = values.to_pylist()
    return found


def _indices(rows: Rows) -> pa.Array:
    import pyarrow as pa

    whole = np.ascontiguousarray(rows, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(whole), [None, pa.py_buffer(whole)])

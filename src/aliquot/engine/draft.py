"""A frame in the making: its tables, before they are hashed and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from aliquot.core.scale import Scale
from aliquot.engine.manifest import Manifest, Part, Role, SystemRow

if TYPE_CHECKING:
    import pyarrow as pa


def counted(row: int) -> str:
    """Name a row of a table as a person counts.

    >>> counted(0)
    'row 1'
    """
    return f"row {row + 1}"


@final
@dataclass(frozen=True)
class TableSpec:
    """How to read a table: what each named column is, and how an error names a row."""

    id: str
    systems: tuple[SystemRow, ...] = ()
    judges: tuple[tuple[str, str], ...] = ()
    payload: tuple[str, ...] = ()
    cluster: str = ""
    cost: str = ""
    stratum: str = ""
    scale: Scale = field(default_factory=lambda: Scale("labels", ("no", "yes")))
    where: str = ""
    named: Callable[[int], str] = counted
    weights: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that it names, each once."""
        named = [self.id, *(s.column for s in self.systems), *(c for _, c in self.judges)]
        named += [*self.payload, self.cluster, self.cost, self.stratum]
        named += [*self.weights, *self.groups]
        return tuple(dict.fromkeys(name for name in named if name))

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns that stay as they are written: "007" is no 7, and "1.10" no 1.1."""
        named = [self.id, *self.payload, self.cluster, self.stratum, *self.groups]
        if self.scale.kind == "classes":
            named += [s.column for s in self.systems if s.kind == "predicted"]
            named += [column for _, column in self.judges]
        return tuple(name for name in named if name)


@final
@dataclass(frozen=True, eq=False)
class Draft:
    """New parts of a frame and the systems in them."""

    tables: tuple[tuple[Role, pa.Table], ...]
    systems: tuple[SystemRow, ...]
    judges: tuple[tuple[str, str], ...] = ()
    topics: tuple[str, ...] = ()
    cost: str = ""
    cluster: str = ""
    stratum: str = ""
    payload: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def files(self, version: int, mark: str = "") -> dict[str, pa.Table]:
        """Name a file for each table; a mark tells its name from one that is taken."""
        return {
            f"frame-{version:04d}-{role.replace(' ', '-')}{mark}.parquet": table
            for role, table in self.tables
        }

    def manifest(self, hashes: Mapping[str, str], old: Manifest | None) -> Manifest:
        """Return the manifest of the frame with these parts, given each file's name and hash."""
        named = zip(hashes.items(), self.tables, strict=True)
        parts = tuple(
            Part(role, file, hash_, table.num_rows) for (file, hash_), (role, table) in named
        )
        if old is not None:
            return old.grown(parts, self.systems)
        return Manifest(
            parts,
            self.systems,
            self.judges,
            self.topics,
            self.cost,
            self.cluster,
            self.stratum,
            self.payload,
        )

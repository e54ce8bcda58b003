"""A frame in the making: its tables, before they are hashed and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from aliquot.core.scale import Scale
from aliquot.engine.manifest import Manifest, Part, Role, SystemRow

if TYPE_CHECKING:
    import pyarrow as pa


@final
@dataclass(frozen=True)
class TableSpec:
    """How to read a table: what each named column is."""

    id: str
    systems: tuple[SystemRow, ...] = ()
    judges: tuple[tuple[str, str], ...] = ()
    payload: tuple[str, ...] = ()
    cluster: str = ""
    cost: str = ""
    stratum: str = ""
    scale: Scale = field(default_factory=lambda: Scale("labels", ("no", "yes")))
    where: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that it names, each once."""
        named = [self.id, *(s.column for s in self.systems), *(c for _, c in self.judges)]
        named += [*self.payload, self.cluster, self.cost, self.stratum]
        return tuple(dict.fromkeys(name for name in named if name))


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

    def files(self, version: int) -> dict[str, pa.Table]:
        """Name a file for each table."""
        return {
            f"frame-{version:04d}-{role.replace(' ', '-')}.parquet": table
            for role, table in self.tables
        }

    def manifest(self, version: int, hashes: Mapping[str, str], old: Manifest | None) -> Manifest:
        """Return the manifest of the frame with these parts, given the files' hashes."""
        named = zip(self.files(version), self.tables, strict=True)
        parts = tuple(
            Part(role, file, hashes[file], table.num_rows) for file, (role, table) in named
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

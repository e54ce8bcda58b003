"""From the parts of a frame to the frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from aliquot.core.columns import Columns
from aliquot.core.frame import Frame, System
from aliquot.engine.arrow import Beside, Stacked
from aliquot.engine.manifest import Manifest

if TYPE_CHECKING:
    from numpy.typing import NDArray


def assemble(manifest: Manifest, parts: Mapping[str, Columns]) -> Frame:
    """Put the parts together; `parts` holds the columns of each file."""
    units: Columns | None = None
    rankings: dict[str, System] = {}
    for part in manifest.parts:
        columns = parts[part.file]
        if part.role == "rankings":
            rankings |= _rankings(columns)
        elif units is None:
            units = columns
        else:
            units = Stacked(units, columns) if part.role == "more units" else Beside(units, columns)
    if units is None:
        msg = "a manifest without units"
        raise ValueError(msg)
    systems = tuple(
        replace(rankings[row.name], cut=row.cut)
        if row.kind == "ranking"
        else System(row.name, row.kind, row.column, row.threshold)
        for row in manifest.systems
    )
    return Frame(
        units,
        systems,
        manifest.judges,
        manifest.topics,
        manifest.cost,
        manifest.cluster,
        manifest.stratum,
        manifest.payload,
        manifest.hash,
    )


def _rankings(columns: Columns) -> dict[str, System]:
    names = columns.whole("system")
    rows: NDArray[np.int64] = columns.whole("row")
    ranks: NDArray[np.int32] = columns.whole("rank")
    change = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]]))
    ends = [*change[1:].tolist(), len(names)]
    return {
        str(names[start]): System(
            str(names[start]), "ranking", rows=rows[start:end], ranks=ranks[start:end]
        )
        for start, end in zip(change.tolist(), ends, strict=True)
    }

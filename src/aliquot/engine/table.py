"""A table becomes a frame: every column checked, and turned into the numbers that are needed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.frame import CLUSTER, COST, GROUP, KEY, STRATUM, UNIT, WEIGHT, Frame
from aliquot.core.scale import LARGEST, Scale
from aliquot.engine.draft import Draft, TableSpec
from aliquot.engine.manifest import SystemRow
from aliquot.errors import AliquotError, FrameError

if TYPE_CHECKING:
    import pyarrow as pa

Floats = NDArray[np.float64]
_TRUTH = dict.fromkeys(("1", "true", "yes", "1.0"), 1.0)
_TRUTH |= dict.fromkeys(("0", "false", "no", "0.0"), 0.0)
SHEET = ("unit", "label", "annotator", "at", "note")  # what a sheet of judgments is read by


def draft(table: pa.Table, spec: TableSpec) -> Draft:
    """Read a table of units into the first version of a frame."""
    import pyarrow as pa

    check_columns(table, spec)
    ids, keys = _units(table, spec)
    columns: dict[str, Any] = {UNIT: ids, KEY: keys}
    columns |= _systems(table, spec)
    for name, column in spec.judges:
        columns[f"@judge:{name}"] = _each(table, column, spec, partial(_opinion, spec.scale))
    if spec.cost:
        columns[COST] = _cost(table, spec)
    columns |= {f"{WEIGHT}{name}": _weights(table, name, spec) for name in spec.weights}
    columns |= {f"{GROUP}{name}": _codes(table, name, spec) for name in spec.groups}
    for role, column in ((CLUSTER, spec.cluster), (STRATUM, spec.stratum)):
        if column:
            columns[role] = _codes(table, column, spec)
    columns |= {name: table.column(name) for name in spec.payload}
    return Draft(
        (("units", pa.table(columns)),),
        tuple(_row(system) for system in spec.systems),
        tuple((name, f"@judge:{name}") for name, _ in spec.judges),
        cost=COST if spec.cost else "",
        cluster=CLUSTER if spec.cluster else "",
        stratum=STRATUM if spec.stratum else "",
        payload=spec.payload,
    )


def more(frame: Frame, table: pa.Table, spec: TableSpec) -> Draft:
    """Add systems' outputs for the units that the frame has; every unit needs a row."""
    import pyarrow as pa

    check_columns(table, spec)
    ids, keys = _units(table, spec)
    rows = frame.locate(keys)
    missing = np.ones(len(frame), dtype=np.bool_)
    missing[rows[rows >= 0]] = False
    if missing.any():
        first = frame.names(np.flatnonzero(missing)[:1])[0]
        raise FrameError(
            f"{int(missing.sum())} of {len(frame)} units have no row, such as '{first}'",
            where=spec.where,
            do="Give the system's output for every unit",
        )
    if (rows < 0).any():
        i = int(np.flatnonzero(rows < 0)[0])
        raise FrameError(
            f"unit '{ids[i].as_py()}' is not in this study",
            where=_at(spec, i, spec.id),
            do="Leave it out, or start a study with all units",
        )
    order = pa.array(np.argsort(rows, kind="stable"))
    columns = {name: pa.array(values).take(order) for name, values in _systems(table, spec).items()}
    return Draft((("outputs", pa.table(columns)),), tuple(_row(system) for system in spec.systems))


def check_columns(table: pa.Table, spec: TableSpec) -> None:
    """Refuse a spec that names a column which is not there."""
    for column in spec.columns:
        if column not in table.column_names:
            found = ", ".join(name for name in table.column_names[:12])
            raise FrameError(
                f"there is no column '{column}'", where=spec.where, do=f"Columns here: {found}"
            )
    if table.num_rows == 0:
        raise FrameError("there are no rows", where=spec.where, do="Give at least one unit")
    for column in spec.payload:
        if column in SHEET and column != spec.id:
            raise FrameError(
                f"column '{column}' can't be shown to judges under this name",
                where=spec.where,
                do=f"Rename it: their sheet has columns {', '.join(SHEET)} of its own",
            )


def _row(system: SystemRow) -> SystemRow:
    return SystemRow(system.name, system.kind, _column(system), system.threshold)


def _column(system: SystemRow) -> str:
    return f"@{system.kind}:{system.name}"


def _at(spec: TableSpec, row: int, column: str) -> str:
    head = f"{spec.where}, " if spec.where else ""
    return f"{head}{spec.named(row)}, column {column}"


def _each(table: pa.Table, column: str, spec: TableSpec, read: Callable[[object], float]) -> Floats:
    """Read a column cell by cell; what a cell can't be read as is an error that says where."""
    found = []
    for i, value in enumerate(table.column(column).to_pylist()):
        try:
            found.append(read(value))
        except AliquotError as error:
            raise FrameError(error.what, where=_at(spec, i, column), do=error.do) from None
    return np.array(found)


def _units(table: pa.Table, spec: TableSpec) -> tuple[pa.Array, NDArray[np.uint64]]:
    """Return the ids as text, and their keys; every unit has one id, and no two share one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table.column(spec.id)
    whole = pa.types.is_integer(column.type) and not column.null_count
    if whole and pc.min(column).as_py() >= 0:  # a whole number is its own key: no need to look
        keys, ids = column.cast("uint64").to_numpy(), column.cast("string")
    else:
        texts = _ids(column, spec)
        keys, ids = prn.keys(texts), pa.array(texts, pa.string())
    pair = prn.clash(keys)
    if pair is not None:
        raise _twice(ids[pair[0]].as_py(), ids[pair[1]].as_py(), pair, spec)
    return ids, keys


def _ids(column: pa.ChunkedArray, spec: TableSpec) -> list[str]:
    values = column.to_pylist()
    for i, value in enumerate(values):
        if value is None or value == "":
            raise FrameError(
                "a unit has no id", where=_at(spec, i, spec.id), do="Give each unit an id"
            )
        if not isinstance(value, int | str) or isinstance(value, bool):
            raise FrameError(
                f"the id {value} is neither text nor of a column of whole numbers",
                where=_at(spec, i, spec.id),
                do="Name another id column, or write the ids as text",
            )
    return [str(value) for value in values]


def _twice(first: str, second: str, rows: tuple[int, int], spec: TableSpec) -> FrameError:
    where = _at(spec, rows[1], spec.id)
    if first == second:
        return FrameError(
            f"unit '{first}' stands twice, first in {spec.named(rows[0])}",
            where=where,
            do="Give each unit one row, or name another id column",
        )
    return FrameError(
        f"units '{first}' and '{second}' share one 64-bit number",
        where=where,
        do="Rename one of them, for example with a prefix",
    )


def _systems(table: pa.Table, spec: TableSpec) -> dict[str, Floats]:
    read: dict[str, Callable[[str], Floats]] = {
        "scored": lambda column: _numbers(table, column, spec),
        "retrieved": lambda column: _each(table, column, spec, _flag),
        "predicted": lambda column: _each(table, column, spec, _labels(spec.scale)),
    }
    return {_column(system): read[system.kind](system.column) for system in spec.systems}


def _numbers(table: pa.Table, column: str, spec: TableSpec) -> Floats:
    values = table.column(column)
    try:
        found: Floats = np.array(values.cast("float64").to_numpy(), dtype=np.float64)
    except (ValueError, NotImplementedError):  # the slow way, which finds the row
        found = _each(table, column, spec, _number)
    bad = np.flatnonzero(~np.isfinite(found))
    if len(bad):
        raise FrameError(
            f"{_seen(values[int(bad[0])].as_py(), ' or NaN')} is not a finite number",
            where=_at(spec, int(bad[0]), column),
            do="Give every unit a number in this column",
        )
    huge = np.flatnonzero(np.abs(found) > LARGEST)
    if len(huge):
        raise FrameError(
            f"{found[huge[0]]:g} is too large to calculate with",
            where=_at(spec, int(huge[0]), column),
            do="Give numbers between -1e100 and 1e100",
        )
    return found


def _number(text: object) -> float:
    with suppress(ValueError):
        if "_" not in str(text):  # Python would read 1_0 as 10
            return float(str(text))
    raise FrameError(f"{_seen(text)} is not a number", do="Give every unit a number in this column")


def _flag(value: object) -> float:
    found = _TRUTH.get(str(value).strip().lower())
    if found is None:
        raise FrameError(
            f"{_seen(value)} does not say whether the unit is retrieved",
            do="Use 1 or 0, yes or no, true or false",
        )
    return found


def _seen(value: object, more: str = "") -> str:
    """Quote a cell as an error shows it; `more` says what else is read as empty."""
    return f"an empty cell{more}" if value is None or value == "" else f"'{value}'"


def _labels(scale: Scale) -> Callable[[object], float]:
    """Return what reads labels, each different one once."""
    known: dict[str, float] = {}

    def read(value: object) -> float:
        text = str(value)
        if text not in known:
            known[text] = _label(scale, value)
        return known[text]

    return read


def _label(scale: Scale, value: object) -> float:
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    do = f"Give every unit a label of the scale {scale}"
    if value is None or value == "":
        raise FrameError("the label is missing", do=do)
    try:
        return scale.value(text)
    except AliquotError as error:
        raise FrameError(error.what, do=do) from None


def _opinion(scale: Scale, value: object) -> float:
    """Read a judge's label or probability as a number; nan where it gave none."""
    if value is None or value == "":
        return float("nan")
    if isinstance(value, float) and 0.0 <= value <= 1.0 and scale.kind == "labels":
        return value
    return _label(scale, value)


def _cost(table: pa.Table, spec: TableSpec) -> Floats:
    found = _numbers(table, spec.cost, spec)
    bad = np.flatnonzero(found <= 0)
    if len(bad):
        raise FrameError(
            f"a cost of {found[bad[0]]:g} is not above 0",
            where=_at(spec, int(bad[0]), spec.cost),
            do="Give every unit a cost above 0",
        )
    return found


def _weights(table: pa.Table, column: str, spec: TableSpec) -> Floats:
    found = _numbers(table, column, spec)
    bad = np.flatnonzero(found < 0)
    if len(bad) or not found.any():
        raise FrameError(
            f"a weight of {found[bad[0]]:g} is below 0" if len(bad) else "every weight is 0",
            where=_at(spec, int(bad[0]) if len(bad) else 0, column),
            do="Give weights from 0 on, and some above",
        )
    return found


def _codes(table: pa.Table, column: str, spec: TableSpec) -> NDArray[np.int64]:
    values = ["" if v is None else str(v) for v in table.column(column).to_pylist()]
    for i, value in enumerate(values):
        if not value:
            raise FrameError(
                f"a unit has no {column}",
                where=_at(spec, i, column),
                do="Fill it in for every unit",
            )
    found: NDArray[np.int64] = np.unique(np.array(values, dtype=str), return_inverse=True)[1]
    return found.astype(np.int64)

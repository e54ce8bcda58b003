"""Labels that people made, from files and from Python objects."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, final

from aliquot.errors import InputError, UsageError
from aliquot.io.cells import DOC_NAMES, TOPIC_NAMES, cell_text, unshielded
from aliquot.io.csv_rows import read_records
from aliquot.io.jsonl import iter_objects
from aliquot.io.place import Noun, Place, listed, same
from aliquot.io.qrels import read_qrels
from aliquot.io.tables import DELIMITERS, format_of, read_table, table_from
from aliquot.io.text import AnyPath, open_bytes

if TYPE_CHECKING:
    import pyarrow as pa

LabelFormat = Literal["csv", "tsv", "jsonl", "parquet", "qrels"]
FORMATS: tuple[LabelFormat, ...] = ("csv", "tsv", "jsonl", "parquet", "qrels")

_OPTIONAL = ("annotator", "at", "note")
_OURS = ("label", *_OPTIONAL, "state", "value", "pi", "batch", "order")  # of sheets and exports


@final
@dataclass(frozen=True)
class LabelRows:
    """Labels in the order of their file; `line` is where each one stands, counted from 1.

    `named_by` is the column, or columns, that name the unit. A row without a label is not judged
    yet: it is left out and counted in `unjudged`. `complete` says that the source holds judgments
    of many other units too, as qrels do.
    """

    path: str
    unit: list[str] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    annotator: list[str] = field(default_factory=list)
    at: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    noun: Noun = "line"
    named_by: str = "unit"
    complete: bool = False
    unjudged: int = 0

    def __len__(self) -> int:
        return len(self.unit)


def read_labels(path: AnyPath, *, fmt: str | None = None, id_name: str = "unit") -> LabelRows:
    """Read labels from CSV, TSV, JSON lines, Parquet or qrels.

    The unit stands in a column called as `id_name` says, or `unit`, or in the two columns topic and
    doc. Without `fmt` the name of the file tells its format.
    """
    kind = _format(path, fmt)
    where = os.fspath(path)
    if kind == "qrels":
        return _from_qrels(path)
    if kind == "jsonl":
        return _from_jsonl(path, id_name)
    if kind == "parquet":
        return _from_table(read_table(path), where, id_name)
    delimiter = "\t" if format_of(path) == "tsv" else DELIMITERS[kind]
    return _from_csv(path, delimiter, id_name)


def labels_from(obj: object, *, id_name: str = "unit") -> LabelRows:
    """Take labels from a mapping of units to labels, from anything tabular, or from a file."""
    if isinstance(obj, str | os.PathLike):
        return read_labels(obj, id_name=id_name)
    if isinstance(obj, Mapping) and not _has_columns(obj):
        table: Mapping[str, Sequence[object]] = {"unit": list(obj), "label": list(obj.values())}
        return _from_columns(table, Place("labels", "row"), id_name)
    return _from_table(table_from(obj, name="labels"), "labels", id_name)


def _has_columns(obj: Mapping[object, object]) -> bool:
    """Whether this is a mapping of columns: a label itself is never a sequence."""
    values = list(obj.values())
    return bool(values) and not any(
        isinstance(value, str | bytes) or not hasattr(value, "__len__") for value in values
    )


def _format(path: AnyPath, fmt: str | None) -> LabelFormat:
    if fmt is not None:
        found = next((known for known in FORMATS if known == fmt), None)
        if found is None:
            raise UsageError(
                f"there is no label format '{fmt}'", do=f"Use one of {', '.join(FORMATS)}"
            )
        return found
    if "qrels" in PurePath(path).name.lower() and format_of(path) is None:
        return "qrels"
    told = format_of(path)
    if told is None:
        raise InputError(
            "the name does not tell the format of this file",
            where=os.fspath(path),
            do="Say which it is with --as csv, --as jsonl or --as qrels",
        )
    return told


def _from_qrels(path: AnyPath) -> LabelRows:
    found = read_qrels(path)
    blank = [""] * len(found.rel)
    return LabelRows(
        os.fspath(path),
        [f"{topic} {doc}" for topic, doc in zip(found.topic, found.doc, strict=True)],
        found.rel,
        *(blank, blank, blank),
        found.lines,
        complete=True,
        unjudged=found.unjudged,
    )


def _from_csv(path: AnyPath, delimiter: str, id_name: str) -> LabelRows:
    where = os.fspath(path)
    header, records = read_records(open_bytes(path), where, delimiter)
    # Spreadsheets save the empty rows below a table too.
    filled = [(line, cells) for line, cells in records if any(cells)]
    lines = [line for line, _ in filled]
    place = Place(where, "line", lines.__getitem__)
    columns = {
        name: [unshielded(cells[at]) for _, cells in filled] for at, name in enumerate(header)
    }
    return _from_columns(columns, place, id_name)


def _from_jsonl(path: AnyPath, id_name: str) -> LabelRows:
    found = list(iter_objects(path))
    lines = [line for line, _ in found]
    place = Place(os.fspath(path), "line", lines.__getitem__)
    names = dict.fromkeys(name for _, row in found for name in row)
    columns = {name: [row.get(name) for _, row in found] for name in names}
    return _from_columns(columns, place, id_name)


def _from_table(table: pa.Table, where: str, id_name: str) -> LabelRows:
    wanted = {id_name, "unit", *TOPIC_NAMES, *DOC_NAMES, "label", *_OPTIONAL}
    columns = {
        name: table[name].to_pylist() if name in wanted else [] for name in table.column_names
    }
    return _from_columns(columns, Place(where, "row", same), id_name)


def _from_columns(columns: Mapping[str, Sequence[object]], place: Place, id_name: str) -> LabelRows:
    """Keep the judged rows, as text; unused columns are ignored."""
    names = list(columns)
    units = _unit_columns(names, id_name)
    if not units or "label" not in columns:
        raise _no_column("label" if units else id_name, names, place, id_name)

    def text(name: str, row: int) -> str:
        if name not in columns:
            return ""
        return cell_text(columns[name][row], place, row, name)

    rows = LabelRows(place.name, noun=place.noun, named_by=" and ".join(units))
    unjudged = 0
    for row in range(len(columns["label"])):
        unit = _unit(units, row, text, place)
        label = text("label", row)
        if not label.strip():
            unjudged += 1
            continue
        rows.unit.append(unit)
        rows.label.append(label)
        for name, kept in zip(_OPTIONAL, (rows.annotator, rows.at, rows.note), strict=True):
            kept.append(text(name, row))
        rows.line.append(place.number(row))
    if not rows.unit and not unjudged:
        raise InputError("there are no rows", where=place.name, do="Add a row for each judgment")
    return replace(rows, unjudged=unjudged)


def _unit_columns(names: Sequence[str], id_name: str) -> tuple[str, ...]:
    """Return the column that names the unit, or the two that do so for runs."""
    for name in ("unit", id_name) if id_name in _OURS else (id_name, "unit"):
        if name in names and name != "label":
            return (name,)
    topic = next((name for name in TOPIC_NAMES if name in names), None)
    doc = next((name for name in DOC_NAMES if name in names), None)
    return (topic, doc) if topic and doc else ()


def _unit(units: Sequence[str], row: int, text: Callable[[str, int], str], place: Place) -> str:
    parts = [text(name, row) for name in units]
    for name, part in zip(units, parts, strict=True):
        if not part:
            raise InputError(
                f"the {name} is missing",
                where=place.at(row, column=name),
                do="Fill it in, or remove the row",
            )
    return " ".join(parts)


def _no_column(name: str, names: list[str], place: Place, id_name: str) -> InputError:
    do = f"Name the columns {id_name} and label"
    if id_name == "unit":
        do += " (for runs: topic, doc and label)"
    if len(names) == 1 and ";" in names[0]:
        do = "Separate the columns with commas, not semicolons"
    return InputError(
        f"there is no column {name}; the columns are {listed(names)}", where=place.name, do=do
    )

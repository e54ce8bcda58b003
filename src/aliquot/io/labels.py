"""Labels that people made, from files and from Python objects."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from aliquot.errors import InputError, UsageError
from aliquot.io import asreview, label_studio, splink
from aliquot.io.cells import DOC_NAMES, TOPIC_NAMES
from aliquot.io.jsonl import iter_objects
from aliquot.io.label_rows import OPTIONAL, Columns, LabelRows, csv_columns, from_columns
from aliquot.io.place import Place, same
from aliquot.io.qrels import read_qrels
from aliquot.io.tables import DELIMITERS, format_of, read_table, table_from
from aliquot.io.text import AnyPath, refuse_missing

if TYPE_CHECKING:
    import pyarrow as pa

LabelFormat = Literal[
    "csv", "tsv", "jsonl", "parquet", "qrels", "label-studio", "asreview", "splink"
]
FORMATS: tuple[LabelFormat, ...] = (
    "csv",
    "tsv",
    "jsonl",
    "parquet",
    "qrels",
    "label-studio",
    "asreview",
    "splink",
)


def read_labels(path: AnyPath, *, fmt: str | None = None, id_name: str = "unit") -> LabelRows:
    """Read labels from CSV, TSV, JSON lines, Parquet or qrels, or as another tool writes them.

    The unit stands in a column called as `id_name` says, or `unit`, or in the two columns topic and
    doc. Without `fmt` the name of the file tells its format.
    """
    kind = _format(path, fmt)
    if kind == "qrels":
        return _from_qrels(path)
    if kind == "label-studio":
        return label_studio.read(path, id_name)
    if kind == "asreview" and os.fspath(path).lower().endswith((".ris", ".ris.gz")):
        return asreview.read_ris(path, id_name)
    columns, place = _columns(path, kind, id_name)
    if kind == "asreview":
        columns = asreview.columns(columns, place)
    if kind == "splink":
        columns = splink.columns(columns, place, id_name)
    return from_columns(columns, place, id_name)


def _columns(path: AnyPath, kind: LabelFormat, id_name: str) -> tuple[Columns, Place]:
    """Read the columns of a table; another tool's kind is told by the name of the file."""
    told = format_of(path)
    table = kind if kind in ("csv", "tsv", "jsonl", "parquet") else told or "csv"
    if table == "jsonl":
        return _of_jsonl(path)
    if table == "parquet":
        return _of_table(read_table(path), os.fspath(path), id_name)
    return csv_columns(path, "\t" if told == "tsv" else DELIMITERS[table])


def labels_from(obj: object, *, id_name: str = "unit") -> LabelRows:
    """Take labels from a mapping of units to labels, from anything tabular, or from a file."""
    if isinstance(obj, str | os.PathLike):
        return read_labels(obj, id_name=id_name)
    if isinstance(obj, Mapping) and not _has_columns(obj):
        table: Mapping[str, Sequence[object]] = {"unit": list(obj), "label": list(obj.values())}
        return from_columns(table, Place("labels", "row"), id_name)
    columns, place = _of_table(table_from(obj, name="labels"), "labels", id_name)
    return from_columns(columns, place, id_name)


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
    refuse_missing(path)
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


def _of_jsonl(path: AnyPath) -> tuple[Columns, Place]:
    found = list(iter_objects(path))
    lines = [line for line, _ in found]
    place = Place(os.fspath(path), "line", lines.__getitem__)
    names = dict.fromkeys(name for _, row in found for name in row)
    return {name: [row.get(name) for _, row in found] for name in names}, place


def _of_table(table: pa.Table, where: str, id_name: str) -> tuple[Columns, Place]:
    wanted = {id_name, "unit", *TOPIC_NAMES, *DOC_NAMES, "label", *OPTIONAL}
    wanted |= {*asreview.LABELS, *asreview.MORE}
    wanted |= {splink.SCORE, *splink.IDS, *splink.SOURCES}
    columns = {
        name: table[name].to_pylist() if name in wanted else [] for name in table.column_names
    }
    return columns, Place(where, "row", same)

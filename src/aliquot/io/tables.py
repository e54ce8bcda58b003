"""Tables from files of any kind, and from the objects that Python users hold."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from aliquot.errors import InputError
from aliquot.io import csv_rows
from aliquot.io.cells import cell_text
from aliquot.io.jsonl import iter_objects
from aliquot.io.parquet import check_names, read_parquet
from aliquot.io.place import Place
from aliquot.io.text import AnyPath, open_bytes, refuse_missing

if TYPE_CHECKING:
    import pyarrow as pa

Format = Literal["csv", "tsv", "jsonl", "parquet"]

_SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
DELIMITERS = {"csv": ",", "tsv": "\t"}
_LARGEST = (1 << 31) - 1  # bytes that Arrow can parse at once
_ANYTHING = (
    "Pass a pandas or polars frame, an Arrow table, a DuckDB relation, a mapping of columns, "
    "a list of dicts, or the path of a file"
)


def format_of(path: AnyPath) -> Format | None:
    """Return the format that a file's name tells, or None."""
    name = PurePath(path).name.lower()
    suffix = PurePath(name.removesuffix(".gz")).suffix
    found = _SUFFIXES.get(suffix)
    return None if found == "parquet" and name.endswith(".gz") else found


def read_table(path: AnyPath, *, text_columns: Collection[str] = ()) -> pa.Table:
    """Read a table from CSV, TSV, JSON lines (plain or gzip) or Parquet.

    Types of CSV columns are inferred, but `text_columns` stay text, so that "007" stays "007".
    """
    where = str(path)
    refuse_missing(path)
    kind = format_of(path)
    if kind is None:
        raise InputError(
            "the name does not tell the format of this file",
            where=where,
            do="Name it .csv, .tsv, .jsonl, .ndjson or .parquet (text may be gzip: .csv.gz)",
        )
    if kind == "parquet":
        table = read_parquet(path)
    elif kind == "jsonl":
        table = _read_jsonl(path, text_columns)
    else:
        table = read_csv(open_bytes(path), where, DELIMITERS[kind], text_columns=text_columns)
    return _with_rows(tidy(table), where)


def row_of(path: AnyPath, row: int) -> str:
    """Name a row of a file for an error; a text is read again to find the row's line."""
    kind = format_of(path)
    if kind == "jsonl":
        return f"line {next(islice(iter_objects(path), row, None))[0]}"
    if kind in DELIMITERS:
        records = csv_rows.read_records(open_bytes(path), str(path), DELIMITERS[kind])[1]
        return f"line {records[row][0]}"
    return f"row {row + 1}"


def read_csv(
    data: bytes, where: str, delimiter: str, *, text_columns: Collection[str] = ()
) -> pa.Table:
    """Parse CSV. Empty fields are null, and dates stay the text that they were written as."""
    import pyarrow as pa

    names = csv_rows.read_header(data, where, delimiter)
    if b'"' in data:  # Arrow swallows the rest of the file after an open quote, and says nothing
        csv_rows.check_records(data, where, delimiter)
    texts = [name for name in names if name in text_columns]
    try:
        table = _parsed(data, delimiter, texts)
    except pa.ArrowInvalid as error:
        csv_rows.check_records(data, where, delimiter)
        raise _unparsed(error, where) from error
    # A date is text to us, and so is a column that holds nothing but words for "missing".
    odd = [f.name for f in table.schema if pa.types.is_temporal(f.type) or pa.types.is_null(f.type)]
    if odd:
        again = _parsed(data, delimiter, odd, only=odd)
        for name in odd:
            table = table.set_column(names.index(name), name, again[name])
    return _without_empty_text(table)


def _parsed(
    data: bytes, delimiter: str, texts: Sequence[str], *, only: Sequence[str] = ()
) -> pa.Table:
    """Parse with Arrow, as one block: a row may be longer than any smaller one."""
    import pyarrow as pa
    from pyarrow import csv

    return csv.read_csv(
        pa.BufferReader(data),
        read_options=csv.ReadOptions(block_size=min(len(data), _LARGEST)),
        parse_options=csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            column_types=dict.fromkeys(texts, pa.string()),
            include_columns=list(only),
        ),
    )


def _unparsed(error: Exception, where: str) -> InputError:
    reason = str(error).splitlines()[0]
    return InputError(
        f"the rows can't be parsed ({reason})",
        where=where,
        do="Write the table as Parquet, which says the type of each column",
    )


def _read_jsonl(path: AnyPath, text_columns: Collection[str]) -> pa.Table:
    lines: list[int] = []
    objects: list[Mapping[str, object]] = []
    for line, found in iter_objects(path):
        lines.append(line)
        objects.append(found)
    place = Place(str(path), "line", lines.__getitem__)
    return _from_objects(objects, place, text_columns)


def _from_objects(
    objects: Sequence[Mapping[str, object]], place: Place, text_columns: Collection[str] = ()
) -> pa.Table:
    import pyarrow as pa

    names = dict.fromkeys(name for found in objects for name in found)
    columns = {}
    for name in names:
        cells = [found.get(name) for found in objects]
        columns[str(name)] = column_of(cells, str(name), place, mixed=name in text_columns)
    return pa.table(columns)


def column_of(
    cells: Sequence[object], name: str, place: Place, *, mixed: bool = False
) -> pa.Array | pa.ChunkedArray:
    """Make an Arrow column of cells of one kind; where `mixed`, of several kinds, as text."""
    import pyarrow as pa

    try:
        return pa.array(cells)
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        if not mixed:
            raise _odd_cell(cells, name, place) from error
    texts = (cell_text(cell, place, row, name) for row, cell in enumerate(cells))
    return pa.array([text or None for text in texts], pa.string())


def _odd_cell(cells: Sequence[object], name: str, place: Place) -> InputError:
    """Name the first cell that does not fit with those before it."""
    import pyarrow as pa

    present = [(row, cell) for row, cell in enumerate(cells) if cell is not None]
    for row, cell in present:
        try:
            pa.array([present[0][1], cell])
        except (pa.ArrowException, OverflowError, TypeError, ValueError):
            what = f"{_described(cell)} does not fit in a column that begins with "
            what += _described(present[0][1])
            do = "Write the same kind of value in each row"
            return InputError(what, where=place.at(row, column=name), do=do)
    return InputError(
        "the values are of several kinds",
        where=f"{place.name}, column {name}",
        do="Write the same kind of value in each row",
    )


def _described(cell: object) -> str:
    text = repr(cell)
    return text if len(text) <= 40 else f"{text[:40]}…"


def table_from(obj: object, *, name: str = "table") -> pa.Table:
    """Return anything tabular as an Arrow table; the index of a pandas frame is dropped."""
    import pyarrow as pa

    if isinstance(obj, str | os.PathLike):
        return read_table(obj)
    try:
        table = _converted(obj, name)
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        reason = str(error.args[0]).splitlines()[0] if error.args else type(error).__name__
        raise InputError(
            f"this {type(obj).__name__} can't be read as a table ({reason.rstrip('.')})",
            where=name,
            do="Give each column one kind of value and all columns one length",
        ) from error
    check_names(table.column_names, name)
    return _with_rows(tidy(table), name)


def _converted(obj: object, name: str) -> pa.Table:
    import pyarrow as pa

    home = type(obj).__module__.partition(".")[0]
    if home == "pandas" and hasattr(obj, "columns"):
        return pa.Table.from_pandas(obj, preserve_index=False)
    if home != "pandas" and hasattr(obj, "__arrow_c_stream__"):
        return pa.table(obj)
    if hasattr(obj, "to_arrow_table"):
        return obj.to_arrow_table()
    if isinstance(obj, pa.RecordBatch):
        return pa.Table.from_batches([obj])
    if isinstance(obj, Mapping) and all(_is_column(value) for value in obj.values()):
        return pa.table({str(key): pa.array(value) for key, value in obj.items()})
    if isinstance(obj, Sequence) and not isinstance(obj, str | bytes):
        if obj and all(isinstance(row, Mapping) for row in obj):
            return _from_objects(obj, Place(name, "row"))
        if obj and all(isinstance(row, pa.RecordBatch) for row in obj):
            return pa.Table.from_batches(obj)
    raise InputError(f"a {type(obj).__name__} is not a table", where=name, do=_ANYTHING)


def _is_column(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def tidy(table: pa.Table) -> pa.Table:
    """Return the table with plain types: one kind of text, no dictionaries, no all-null type."""
    import pyarrow as pa

    columns = {field.name: _plain(table[field.name]) for field in table.schema}
    return pa.table(columns) if columns else table.replace_schema_metadata(None)


def _plain(column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        # Cast the values first: Arrow can't unpack dictionaries of every kind of text.
        chunks = [_plain(chunk.dictionary).take(chunk.indices) for chunk in column.chunks]
        return pa.chunked_array(chunks, chunks[0].type) if chunks else column.cast(pa.string())
    if str(column.type) in ("large_string", "string_view", "null"):
        return column.cast(pa.string())
    return column


def _without_empty_text(table: pa.Table) -> pa.Table:
    """Make empty fields null in text columns too, where Arrow keeps them as empty texts."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            column = table[field.name]
            filled = pc.if_else(pc.equal(column, ""), None, column)
            table = table.set_column(place, field.name, filled)
    return table


def _with_rows(table: pa.Table, where: str) -> pa.Table:
    """Refuse a table without rows, and one whose texts are not UTF-8, which Arrow lets pass."""
    import pyarrow as pa

    if table.num_rows == 0:
        raise InputError("there are no rows", where=where, do="Check that it was written in full")
    try:
        table.validate(full=True)
    except pa.ArrowException as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"the table is damaged ({reason})", where=where, do="Write it again, with text as UTF-8"
        ) from error
    return table

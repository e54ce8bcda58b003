"""Rows to CSV, JSON lines or Parquet, in a file or on standard output."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, TextIO, cast

import numpy as np

from aliquot.errors import InputError, UsageError
from aliquot.io.atomic import Sink, refuse_existing, replacing, text_sink
from aliquot.io.cells import cell_text, shielded
from aliquot.io.parquet import dump
from aliquot.io.place import Place
from aliquot.io.tables import column_of, tidy

FORMATS = ("csv", "jsonl", "parquet")
Row = Mapping[str, object]

_PLACE = Place("export", "row")
_QUOTED = re.compile(r'[",\r\n]|^\s|\s$')


def write_rows(  # noqa: PLR0913  (two positional; the rest is named by every caller)
    rows: Sequence[Row],
    columns: Sequence[str],
    *,
    fmt: str,
    out: Path | None,
    stdout: TextIO,
    overwrite: bool = False,
) -> None:
    """Write some columns of rows to a new file, or to `stdout` where `out` is None.

    A cell that a row does not have is empty. CSV is safe to open in a spreadsheet: a text that one
    would run as a formula gets an apostrophe before it.
    """
    if fmt not in FORMATS:
        raise UsageError(f"there is no format '{fmt}'", do=f"Use one of {', '.join(FORMATS)}")
    if fmt == "parquet":
        _write_parquet(rows, columns, _binary(stdout) if out is None else out, overwrite=overwrite)
        return
    with text_sink(stdout if out is None else out, overwrite=overwrite) as sink:
        (_write_csv if fmt == "csv" else _write_jsonl)(rows, columns, sink)


def _write_csv(rows: Sequence[Row], columns: Sequence[str], sink: Sink) -> None:
    sink.write(_line([shielded(name) for name in columns]))
    for number, row in enumerate(rows):
        sink.write(_line([_cell(row.get(name), number, name) for name in columns]))


def _line(cells: Sequence[str]) -> str:
    """Return a line of CSV. The csv module of Python 3.11 leaves a carriage return unquoted."""
    quoted = [
        '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell for cell in cells
    ]
    return (",".join(quoted) or '""') + "\n"  # a blank line would not count as a row


def _cell(value: object, row: int, column: str) -> str:
    if isinstance(value, str):
        return shielded(value)
    if isinstance(value, list | tuple | dict):
        return _json(value, row, column)
    return cell_text(value, _PLACE, row, column)


def _write_jsonl(rows: Sequence[Row], columns: Sequence[str], sink: Sink) -> None:
    for number, row in enumerate(rows):
        cells = (f"{_json(name)}: {_json(row.get(name), number, name)}" for name in columns)
        sink.write(f"{{{', '.join(cells)}}}\n")


def _json(value: object, row: int = 0, column: str = "") -> str:
    """Return a value as JSON; NaN is null, as a missing number is."""
    plain = _plain(value)
    if isinstance(plain, float) and math.isnan(plain):
        plain = None
    try:
        return json.dumps(
            plain,
            ensure_ascii=False,
            allow_nan=False,
            default=lambda odd: cell_text(odd, _PLACE, row, column),
        )
    except ValueError as error:
        raise InputError(
            f"{plain!r} can't be written as JSON",
            where=_PLACE.at(row, column=column),
            do="Export as csv or parquet",
        ) from error


def _write_parquet(
    rows: Sequence[Row], columns: Sequence[str], target: Path | BinaryIO, *, overwrite: bool
) -> None:
    import pyarrow as pa

    cells = {name: [_plain(row.get(name)) for row in rows] for name in columns}
    table = tidy(pa.table({name: column_of(cells[name], name, _PLACE) for name in columns}))
    if not isinstance(target, Path):
        dump(table, target)
        return
    if not overwrite:
        refuse_existing(target)
    with replacing(target) as (stream, _):
        dump(table, stream)


def _plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value


def _binary(stdout: TextIO) -> BinaryIO:
    """Return the bytes side of standard output, unless a person would see them."""
    buffer = getattr(stdout, "buffer", None)
    if buffer is None or stdout.isatty():
        raise UsageError("Parquet is not text", where="standard output", do="Name a file to write")
    stdout.flush()
    return cast("BinaryIO", buffer)

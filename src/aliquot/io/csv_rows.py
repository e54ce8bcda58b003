"""CSV with the line of every record, also where quoted cells hold line breaks."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from aliquot.errors import InputError

Record = tuple[int, list[str]]  # the line that it begins on, and its cells

_LIMIT = Lock()
_LONGEST = (1 << 31) - 1  # characters in a cell: what fits in a C long everywhere


def read_records(data: bytes, where: str, delimiter: str = ",") -> tuple[list[str], list[Record]]:
    """Return the header and all records of a CSV file; blank lines are no records."""
    with _long_cells():
        records = list(_records(data, where, delimiter))
    return records[0][1], records[1:]


def read_header(data: bytes, where: str, delimiter: str = ",") -> list[str]:
    """Return the names in the first record; an error if one stands twice."""
    with _long_cells():
        return next(_records(data, where, delimiter))[1]


def check_records(data: bytes, where: str, delimiter: str = ",") -> None:
    """Raise the error of the first record that is broken, if there is one."""
    with _long_cells():
        deque(_records(data, where, delimiter), maxlen=0)


@contextmanager
def _long_cells() -> Iterator[None]:
    """Lift the csv module's limit of 131,072 characters a cell, which documents exceed.

    The limit belongs to the process: it is put back, and one thread at a time may lift it.
    """
    with _LIMIT:
        before = csv.field_size_limit(_LONGEST)
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _records(data: bytes, where: str, delimiter: str) -> Iterator[Record]:
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    header: list[str] = []
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _bad_quotes(error, f"{where}, line {line}") from error
        if cells is None:
            return
        if not cells:
            continue
        if not header:
            header = cells
            _check_header(header, f"{where}, line {line}")
        elif len(cells) != len(header):
            raise _ragged(header, cells, f"{where}, line {line}")
        yield line, cells


def _ragged(header: list[str], cells: list[str], where: str) -> InputError:
    fields = "1 field" if len(header) == 1 else f"{len(header)} fields"
    do = "Give each row one field a column, and put quotes around a field with commas"
    if len(header) == 1 and ";" in header[0]:
        do = "Separate the fields with commas, not semicolons"
    return InputError(f"the header has {fields}, but this row has {len(cells)}", where=where, do=do)


def _check_header(header: list[str], where: str) -> None:
    for place, name in enumerate(header):
        if name in header[:place]:
            raise InputError(
                "the header names this column twice",
                where=f"{where}, column {name or '(no name)'}",
                do="Rename or remove one of the two",
            )


def _bad_quotes(error: Exception, where: str) -> InputError:
    return InputError(
        f"the quotes of this row are broken ({error})",
        where=where,
        do='Write a quote inside a quoted field twice, as in "5"" disk"',
    )

"""Parquet files: written whole or not at all, the same bytes for the same table."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from aliquot.errors import InputError, StudyError
from aliquot.io.atomic import replacing
from aliquot.io.place import listed
from aliquot.io.text import AnyPath, unreadable

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 1 << 20  # rows in a row group: one block of reading


def write_parquet(table: pa.Table, path: AnyPath) -> str:
    """Write a table and return the SHA-256 of the file."""
    with replacing(path, error=StudyError) as (stream, temporary):
        dump(table, stream)
        stream.flush()
        return file_hash(temporary)


def dump(table: pa.Table, stream: BinaryIO) -> None:
    """Write a table to an open stream; how it is cut into chunks does not change the bytes."""
    import pyarrow.parquet as pq

    # The version and the codec are named so that another default changes no hash.
    whole = table.combine_chunks()
    pq.write_table(whole, stream, row_group_size=_ROWS, compression="zstd", version="2.6")


def read_parquet(path: AnyPath, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a Parquet file, or some of its columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    where = str(path)
    try:
        # Not pq.read_table: that one also makes columns out of directory names like "day=1".
        with Path(path).open("rb") as stream, pq.ParquetFile(stream) as file:
            names = file.schema_arrow.names
            check_names(names, where)
            missing = [name for name in columns or () if name not in names]
            if missing:
                raise InputError(
                    f"there is no column {listed(missing)}; the columns are {listed(names)}",
                    where=where,
                    do="Name one of its columns",
                )
            return file.read(columns=None if columns is None else list(columns))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise bad_parquet(error, where) from error


def bad_parquet(error: Exception, where: str) -> InputError:
    """Say why a Parquet file could not be read."""
    import pyarrow as pa

    if not isinstance(error, pa.ArrowException) and getattr(error, "errno", None) is not None:
        return unreadable(error, where)
    return InputError(
        "this is not a Parquet file, or it is damaged",
        where=where,
        do="Copy or write the file again",
    )


def check_names(names: Sequence[str], where: str) -> None:
    """Refuse a table with two columns of one name."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(
                "two columns have this name",
                where=f"{where}, column {name or '(no name)'}",
                do="Rename or remove one of the two",
            )


def file_hash(path: AnyPath) -> str:
    """Return the SHA-256 of a file's content, in hexadecimal."""
    where = str(path)
    try:
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(error, where) from error

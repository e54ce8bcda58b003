"""What people read while they judge: the texts of queries and documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from operator import add
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from aliquot.errors import InputError
from aliquot.io.cells import DOC_NAMES, cell_text
from aliquot.io.jsonl import iter_objects
from aliquot.io.parquet import bad_parquet, check_names
from aliquot.io.place import Place, listed
from aliquot.io.tables import format_of, read_table, tidy
from aliquot.io.text import AnyPath, iter_lines, refuse_missing, unreadable

if TYPE_CHECKING:
    import pyarrow as pa

ID_NAMES = (*DOC_NAMES, "id", "_id")
_BATCH = 1 << 14  # rows of Parquet held at once

_DO_ID = f"Name the column of ids one of {', '.join(ID_NAMES)}"


def read_queries(path: AnyPath) -> dict[str, str]:
    """Read `topic<TAB>text` lines."""
    queries: dict[str, str] = {}
    lines: dict[str, int] = {}
    for line, raw in iter_lines(path):
        if not raw.strip():
            continue
        topic, tab, text = raw.partition("\t")
        topic = topic.strip()
        if not tab or not topic:
            raise InputError(
                "there is no tab between a topic and its text" if topic else "the topic is missing",
                where=f"{path}, line {line}",
                do="Write each line as topic, tab, text",
            )
        if topic in queries:
            where = f"{path}, lines {lines[topic]} and {line}"
            raise InputError(f"topic {topic} appears twice", where=where, do="Keep one of the two")
        queries[topic], lines[topic] = text, line
    if not queries:
        raise InputError("there are no queries", where=str(path), do="Write topic, tab, text")
    return queries


def read_documents(path: AnyPath, wanted: AbstractSet[str]) -> pa.Table:
    """Read the wanted documents: a column `doc`, and each further column that holds text.

    From JSON lines, Parquet, CSV or TSV, or from a directory of text files whose names, with or
    without an extension, are the ids. A wanted document that is not there is not in the table.
    """
    if Path(path).is_dir():
        return _from_directory(Path(path), wanted)
    refuse_missing(path)
    kind = format_of(path)
    if kind == "jsonl":
        return _from_jsonl(path, wanted)
    if kind == "parquet":
        return _kept(_pieces(path), str(path), wanted)
    table = read_table(path, text_columns=ID_NAMES)
    return _kept([table], str(path), wanted)


def _from_jsonl(path: AnyPath, wanted: AbstractSet[str]) -> pa.Table:
    import pyarrow as pa

    kept: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    place = Place(str(path))
    for line, found in iter_objects(path):
        name = next((name for name in ID_NAMES if name in found), None)
        if name is None:
            raise _no_id(list(found), place.at(line - 1))
        doc = cell_text(found.pop(name), place, line - 1, name)
        if doc not in wanted:
            continue
        if doc in kept:
            raise _twice(doc, place.at(lines[doc] - 1, line - 1))
        kept[doc] = {key: value for key, value in found.items() if isinstance(value, str)}
        lines[doc] = line
    names = dict.fromkeys(name for texts in kept.values() for name in texts)
    columns = {name: [texts.get(name) for texts in kept.values()] for name in names}
    return pa.table({"doc": list(kept), **columns}, _schema(names))


def _schema(names: Iterable[str]) -> pa.Schema:
    import pyarrow as pa

    return pa.schema([(name, pa.string()) for name in ("doc", *names)])


def _pieces(path: AnyPath) -> Iterator[pa.Table]:
    """Yield the ids and texts of a Parquet file in pieces that fit in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    where = str(path)
    try:
        with Path(path).open("rb") as stream, pq.ParquetFile(stream) as file:
            check_names(file.schema_arrow.names, where)
            for batch in file.iter_batches(_BATCH, columns=_columns(file.schema_arrow, where)):
                batch.validate(full=True)
                yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise bad_parquet(error, where) from error


def _columns(schema: pa.Schema, where: str) -> list[str]:
    """Return the name of the id column, then those of the columns that hold text."""
    import pyarrow as pa

    name = next((name for name in ID_NAMES if name in schema.names), None)
    if name is None:
        raise _no_id(schema.names, where)
    texts = []
    for field in schema:
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if str(kind) in ("string", "large_string", "string_view") and field.name != name:
            texts.append(field.name)
    return [name, *texts]


def _kept(tables: Iterable[pa.Table], where: str, wanted: AbstractSet[str]) -> pa.Table:
    """Return the wanted rows of consecutive pieces of a table, the id column called `doc`."""
    import pyarrow as pa

    pieces = [_schema([]).empty_table()]
    seen: dict[str, int] = {}
    offset = 0
    for table in map(tidy, tables):
        name, *texts = _columns(table.schema, where)
        place = Place(where, "row", partial(add, offset + 1))
        rows = []
        for row, cell in enumerate(table[name].to_pylist()):
            doc = cell_text(cell, place, row, name)
            if doc in wanted:
                if seen.setdefault(doc, offset + row) != offset + row:
                    raise _twice(doc, place.at(seen[doc] - offset, row))
                rows.append(row)
        found = pa.array(rows, pa.int64())
        columns = {"doc": list(seen)[len(seen) - len(rows) :]}
        columns.update((name, table[name].take(found)) for name in texts)
        pieces.append(pa.table(columns, _schema(texts)))
        offset += table.num_rows
    return pa.concat_tables(pieces[1:] or pieces)


def _from_directory(directory: Path, wanted: AbstractSet[str]) -> pa.Table:
    """Read the files that are called as a wanted document is; names are never built from ids."""
    import pyarrow as pa

    files: dict[str, Path] = {}
    try:
        for path in sorted(directory.iterdir()):
            doc = next((name for name in _names(path) if name in wanted), None)
            if doc is None or not (path.is_file() or (path.is_symlink() and not path.is_dir())):
                continue
            if doc in files:
                raise _twice(doc, f"{directory}, files {files[doc].name} and {path.name}")
            files[doc] = path
    except OSError as error:
        raise unreadable(error, str(directory)) from error
    texts = [_text(path, directory) for path in files.values()]
    return pa.table({"doc": list(files), "text": texts}, _schema(["text"]))


def _names(path: Path) -> list[str]:
    """Return what ids a file may stand for: a.txt.gz for itself, a.txt and a."""
    plain = path.name.removesuffix(".gz")
    return list(dict.fromkeys([path.name, plain, PurePath(plain).stem]))


def _text(path: Path, directory: Path) -> str:
    try:
        inside = path.resolve().is_relative_to(directory.resolve())
        blank = path.stat().st_size == 0
    except (OSError, RuntimeError) as error:  # a broken link, or links in a circle
        raise unreadable(error, str(path)) from error
    if not inside:
        raise InputError(
            "this link leads out of the directory of documents",
            where=str(path),
            do="Put the file itself into the directory",
        )
    return "" if blank else "\n".join(line for _, line in iter_lines(path))


def _no_id(names: Sequence[str], where: str) -> InputError:
    return InputError(
        f"there is no column of ids; the columns are {listed(list(names))}", where=where, do=_DO_ID
    )


def _twice(doc: str, where: str) -> InputError:
    return InputError(f"document {doc} appears twice", where=where, do="Keep one of the two")

"""TREC runs: `topic Q0 doc rank score tag`, a line a document."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aliquot.errors import InputError
from aliquot.io.cells import DOC_NAMES, TOPIC_NAMES, cell_text
from aliquot.io.place import Place, listed
from aliquot.io.run_order import Ints, Order, Rows, Run, arrange, check_options
from aliquot.io.text import AnyPath, open_bytes

if TYPE_CHECKING:
    import pyarrow as pa

_LINE = "Write each line as topic Q0 doc rank score tag"


def read_runs(
    paths: Iterable[AnyPath], *, order: Order = "check", depth: int | None = None
) -> list[Run]:
    """Read several runs, which must have different names."""
    runs: list[Run] = []
    places: dict[str, str] = {}
    for path in paths:
        run = read_run(path, order=order, depth=depth)
        if run.name in places:
            _, bare = split_name(path)
            raise InputError(
                f"two runs are both called {run.name}: {places[run.name]} and {path}",
                do=f"Rename the tag in one of them, or pass other={bare} to rename it",
            )
        places[run.name] = str(path)
        runs.append(run)
    return runs


def read_run(path: AnyPath, *, order: Order = "check", depth: int | None = None) -> Run:
    """Read a run. It is called by its tag, or by the name in a path written `name=path`.

    `order` says what decides: "check" takes the rank column and refuses a file where rank and score
    contradict each other; "score" takes the score alone, as trec_eval does; "column" takes the rank
    column alone.
    """
    check_options(order, depth)
    name, path = split_name(path)
    rows, tag = _parsed(open_bytes(path), os.fspath(path), order)
    return arrange(rows, name or tag, order, depth)


def split_name(path: AnyPath) -> tuple[str, AnyPath]:
    """Split `name=path`, unless there is such a file or a slash before the =."""
    name, equals, rest = os.fspath(path).partition("=")
    if not (equals and name and rest) or "/" in name or os.sep in name or Path(path).exists():
        return "", path
    return name, rest


def _parsed(data: bytes, where: str, order: Order) -> tuple[Rows, str]:
    lines = [line.split() for line in data.split(b"\n")]
    place = Place(where, "line", lambda row: _line_of(lines, row))
    rows = [fields for fields in lines if fields]
    if set(map(len, rows)) != {6}:
        raise _odd_line(lines, where)
    topic, _, doc, rank, score, tag = (list(column) for column in zip(*rows, strict=True))
    if len(set(tag)) > 1:
        raise _other_tag(tag, place)
    names, codes = _coded(_texts(topic))
    return (
        Rows(
            place,
            names,
            codes,
            np.array(_texts(doc), dtype=object),
            None if order == "score" else _ranks(rank, place),
            _scores(score, place),
        ),
        tag[0].decode(),
    )


def _line_of(lines: Sequence[Sequence[bytes]], row: int) -> int:
    """Return the number of the line that holds a row; blank lines hold none."""
    filled = (number for number, fields in enumerate(lines, 1) if fields)
    return next(islice(filled, row, None))


def _odd_line(lines: Sequence[Sequence[bytes]], where: str) -> InputError:
    odd = ((n, len(fields)) for n, fields in enumerate(lines, 1) if fields and len(fields) != 6)
    number, fields = next(odd)
    return InputError(
        f"a row of a run has 6 fields, not {fields}", where=f"{where}, line {number}", do=_LINE
    )


def _other_tag(tag: Sequence[bytes], place: Place) -> InputError:
    row = next(row for row, found in enumerate(tag) if found != tag[0])
    return InputError(
        f"the tag changes from {tag[0].decode()} to {tag[row].decode()}",
        where=place.at(row),
        do="Keep one run a file, with one tag",
    )


def _texts(fields: Sequence[bytes]) -> list[str]:
    """Decode a column at once, which is much faster than field by field."""
    return b"\n".join(fields).decode().split("\n")


def _coded(texts: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Number the distinct texts in the order in which they first appear."""
    codes = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    return tuple(codes), np.fromiter(map(codes.__getitem__, texts), np.int32, len(texts))


def _ranks(fields: Sequence[bytes], place: Place) -> Ints:
    found = _numbers(fields, int)
    if found is None or (np.abs(found) >= 1 << 31).any():
        raise _not_number(fields, int, place, "rank {} is not a whole number")
    return found


def _scores(fields: Sequence[bytes], place: Place) -> NDArray[np.float64]:
    found = _numbers(fields, float)
    if found is None or not np.isfinite(found).all():
        raise _not_number(fields, float, place, "score {} is not a finite number")
    return found


def _numbers(fields: Sequence[bytes], kind: type[int | float]) -> NDArray[Any] | None:
    if b"_" in b"".join(fields):  # Python reads 1_0 as 10, nobody else does
        return None
    try:
        return np.array(list(map(kind, fields)), dtype=np.int64 if kind is int else np.float64)
    except (ValueError, OverflowError):
        return None


def _not_number(
    fields: Sequence[bytes], kind: type[int | float], place: Place, what: str
) -> InputError:
    def bad(field: bytes) -> bool:
        found = _numbers([field], kind)
        return found is None or not abs(float(found[0])) < (1 << 31 if kind is int else np.inf)

    row = next(row for row, field in enumerate(fields) if bad(field))
    return InputError(what.format(fields[row].decode()), where=place.at(row), do=_LINE)


def run_from_table(
    table: pa.Table, name: str, *, order: Order = "check", depth: int | None = None
) -> Run:
    """Make a run of a table with a topic, a document, and a score or a rank or both.

    The topic's column may also be called query, qid or query_id, and the document's docno, docid
    or doc_id. Where one of score and rank is missing, the other decides.
    """
    check_options(order, depth)
    place = Place(f"run {name}", "row")
    if table.num_rows == 0:
        raise InputError("there are no rows", where=place.name, do="Give each document a row")
    topic = _ids(table, TOPIC_NAMES, place)
    doc = _ids(table, DOC_NAMES, place)
    rank = _column(table, "rank", place) if order != "score" else None
    score = _column(table, "score", place)
    if "rank" not in table.column_names and "score" not in table.column_names:
        raise _no_column(table, ("score", "rank"), place)
    names, codes = _coded(topic)
    rows = Rows(
        place,
        names,
        codes,
        np.array(doc, dtype=object),
        None if rank is None else _whole(rank, place),
        score,
    )
    return arrange(rows, name, order, depth)


def _ids(table: pa.Table, names: Sequence[str], place: Place) -> list[str]:
    """Return the column of ids that has one of these names, as text."""
    column = next((name for name in names if name in table.column_names), None)
    if column is None:
        raise _no_column(table, names, place)
    texts = [
        cell_text(cell, place, row, column) for row, cell in enumerate(table[column].to_pylist())
    ]
    for row, text in enumerate(texts):
        if len(text.split()) != 1:
            raise InputError(
                f"'{text}' is not an id" if text else "the id is missing",
                where=place.at(row, column=column),
                do="Give each row an id without spaces",
            )
    return texts


def _no_column(table: pa.Table, names: Sequence[str], place: Place) -> InputError:
    return InputError(
        f"there is no column {' or '.join(names)}; the columns are {listed(table.column_names)}",
        where=place.name,
        do="Name the columns topic, doc, and score or rank",
    )


def _column(table: pa.Table, name: str, place: Place) -> NDArray[np.float64] | None:
    """Return a column of numbers, or None if there is none."""
    import pyarrow as pa

    if name not in table.column_names:
        return None
    try:
        found = table[name].cast(pa.float64()).to_numpy()
    except pa.ArrowException as error:
        raise InputError(
            "the column does not hold numbers",
            where=f"{place.name}, column {name}",
            do="Convert it to numbers",
        ) from error
    if not np.isfinite(found).all():
        row = int(np.argmin(np.isfinite(found)))
        raise InputError(
            f"the {name} is missing or not finite",
            where=place.at(row, column=name),
            do="Fill it in, or drop the row",
        )
    return np.asarray(found, dtype=np.float64)


def _whole(rank: NDArray[np.float64], place: Place) -> Ints:
    odd = (rank != np.floor(rank)) | (np.abs(rank) >= 1 << 31)
    if odd.any():
        row = int(np.argmax(odd))
        raise InputError(
            f"rank {rank[row]} is not a whole number",
            where=place.at(row, column="rank"),
            do="Number the documents of a topic 1, 2, 3 and so on",
        )
    return rank.astype(np.int64)

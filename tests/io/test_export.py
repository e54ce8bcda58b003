"""Exports: safe in a spreadsheet, whole or not at all, and never over an existing file."""

from __future__ import annotations

import csv
import datetime
import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.errors import UsageError
from aliquot.io.cells import unshielded
from aliquot.io.export import FORMATS, write_rows
from aliquot.io.parquet import read_parquet
from tests.io.refusal import left, put, refusal

COLUMNS = ["unit", "pi", "n", "ok", "note"]
ROWS = [
    {"unit": "=1+1", "pi": 0.1, "n": -3, "ok": True, "note": 'a, "b"\r\nc', "secret": 1},
    {"unit": "-7", "pi": np.float64(1), "n": np.int64(2), "ok": np.False_},
    {"unit": "é", "pi": float("nan"), "n": None, "ok": None, "note": " a"},
]


def written(fmt: str, rows: list[dict[str, object]] | None = None) -> str:
    out = io.StringIO()
    rows = ROWS if rows is None else rows
    write_rows(rows, COLUMNS if rows is ROWS else list(rows[0]), fmt=fmt, out=None, stdout=out)
    return out.getvalue()


def test_csv() -> None:
    assert written("csv") == (
        'unit,pi,n,ok,note\n\'=1+1,0.1,-3,true,"a, ""b""\r\nc"\n-7,1,2,false,\né,,,," a"\n'
    )


def test_json_lines() -> None:
    assert [json.loads(line) for line in written("jsonl").splitlines()] == [
        {"unit": "=1+1", "pi": 0.1, "n": -3, "ok": True, "note": 'a, "b"\r\nc'},
        {"unit": "-7", "pi": 1.0, "n": 2, "ok": False, "note": None},
        {"unit": "é", "pi": None, "n": None, "ok": None, "note": " a"},
    ]
    assert "é" in written("jsonl")


def test_parquet() -> None:
    write_rows(ROWS, COLUMNS, fmt="parquet", out=Path("a.parquet"), stdout=io.StringIO())
    table = read_parquet("a.parquet")
    assert table.column_names == COLUMNS
    assert table["n"].to_pylist() == [-3, 2, None]
    assert table["ok"].to_pylist() == [True, False, None]
    write_rows(ROWS[1:2], COLUMNS, fmt="parquet", out=Path("b.parquet"), stdout=io.StringIO())
    assert read_parquet("b.parquet").schema.field("note").type == pa.string()


def test_parquet_to_standard_output_is_bytes() -> None:
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    write_rows(ROWS, COLUMNS, fmt="parquet", out=None, stdout=stdout)
    assert isinstance(stdout.buffer, io.BytesIO)
    put("a.parquet", stdout.buffer.getvalue())
    assert read_parquet("a.parquet").num_rows == 3
    assert refusal(lambda: written("parquet"), UsageError) == (
        "standard output: Parquet is not text. Name a file to write."
    )


@pytest.mark.parametrize("fmt", FORMATS)
def test_no_rows_leave_the_header(fmt: str) -> None:
    path = Path(f"a.{fmt}")
    write_rows([], COLUMNS, fmt=fmt, out=path, stdout=io.StringIO())
    if fmt == "parquet":
        assert read_parquet(path).column_names == COLUMNS
    else:
        assert path.read_text("utf-8") == ("unit,pi,n,ok,note\n" if fmt == "csv" else "")


def test_values_of_other_kinds_become_text() -> None:
    day = datetime.date(2024, 2, 29)
    row = {"=day": day, "list": ["=1", 2], "map": {"a": None}, "whole": 1e20}
    assert written("csv", [row]) == (
        '\'=day,list,map,whole\n2024-02-29,"[""=1"", 2]","{""a"": null}",1e+20\n'
    )
    assert json.loads(written("jsonl", [row])) == {**row, "=day": "2024-02-29"}


@pytest.mark.parametrize("fmt", FORMATS)
def test_an_existing_file_is_kept_unless_it_may_go(fmt: str) -> None:
    path = put("a.out", "before")
    out = io.StringIO()
    assert refusal(lambda: write_rows(ROWS, COLUMNS, fmt=fmt, out=path, stdout=out)) == (
        "a.out: there is a file already. Remove it, or name another file."
    )
    assert path.read_bytes() == b"before"
    write_rows(ROWS, COLUMNS, fmt=fmt, out=path, stdout=out, overwrite=True)
    assert path.read_bytes() != b"before"
    assert out.getvalue() == ""


@pytest.mark.parametrize(
    ("fmt", "value", "said"),
    [
        (
            "jsonl",
            float("inf"),
            "export, row 2, column x: inf can't be written as JSON. Export as csv or parquet.",
        ),
        (
            "jsonl",
            b"a",
            "export, row 2, column x: a bytes is not text. Write one text or number there.",
        ),
        (
            "csv",
            b"a",
            "export, row 2, column x: a bytes is not text. Write one text or number there.",
        ),
        (
            "parquet",
            "a",
            (
                "export, row 2, column x: 'a' does not fit in a column that begins with 1. "
                "Write the same kind of value in each row."
            ),
        ),
        (
            "csv",
            "\ud800",
            (
                "a.out: '\\ud800' is half a character, which no file can hold. "
                "Correct it where it comes from."
            ),
        ),
    ],
)
def test_a_value_that_can_not_be_written_leaves_no_file(fmt: str, value: object, said: str) -> None:
    rows: list[dict[str, object]] = [{"x": 1}, {"x": value}]
    path = Path("a.out")
    out = io.StringIO()
    assert refusal(lambda: write_rows(rows, ["x"], fmt=fmt, out=path, stdout=out)) == said
    assert left() == []


def test_a_directory_that_is_not_there_and_a_format_that_is_none_are_refused() -> None:
    out = io.StringIO()
    path = Path("no/a.csv")
    assert refusal(lambda: write_rows(ROWS, COLUMNS, fmt="csv", out=path, stdout=out)) == (
        "no/a.csv: there is no such directory. Make the directory first."
    )
    path = Path("a.xlsx")
    assert refusal(
        lambda: write_rows(ROWS, COLUMNS, fmt="xlsx", out=path, stdout=out), UsageError
    ) == ("there is no format 'xlsx'. Use one of csv, jsonl, parquet.")


CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


@given(cells=st.lists(CELL | st.text("'=+-@\t\r\n1,\" ", max_size=4), min_size=1, max_size=5))
def test_each_text_comes_back_and_none_is_a_formula(cells: list[str]) -> None:
    for width in (1, len(cells)):
        names = [f"c{n}" for n in range(width)]
        rows: list[dict[str, object]] = [dict(zip(names, cells, strict=False))]
        text = written("csv", rows)
        found = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        assert [unshielded(cell) for cell in found[1]] == cells[:width]
        assert json.loads(written("jsonl", rows)) == rows[0]
        for cell in found[1]:
            if cell[:1] in {"=", "+", "-", "@", "\t", "\r"}:
                float(cell)  # only a number may begin so

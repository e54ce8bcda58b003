"""Tables from CSV, TSV, JSON lines and Parquet, and from Python objects."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.io.tables import format_of, read_table, table_from
from tests.io.refusal import put, refusal

IN_FULL = "Check that it was written in full."
FORMATS = "Name it .csv, .tsv, .jsonl, .ndjson or .parquet (text may be gzip: .csv.gz)."
OBJECT = 'Write one object a line, such as {"unit": "d7", "label": "yes"}.'
SAME = "Write the same kind of value in each row."
ONE = "Rename or remove one of the two."


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a.csv", "csv"),
        ("A.CSV.GZ", "csv"),
        ("a.b/a.tsv", "tsv"),
        ("a.jsonl", "jsonl"),
        ("a.ndjson.gz", "jsonl"),
        ("a.parquet", "parquet"),
        ("a.pq", "parquet"),
        ("a.parquet.gz", None),
        ("a.json", None),
        ("a", None),
        ("csv", None),
    ],
)
def test_the_name_tells_the_format(name: str, found: str | None) -> None:
    assert format_of(name) == found


@pytest.mark.parametrize(
    ("name", "gap"), [("a.csv", ","), ("a.csv.gz", ","), ("a.tsv", "\t"), ("a.tsv.gz", "\t")]
)
def test_types_are_inferred_but_ids_stay_text(name: str, gap: str) -> None:
    lines = ["id,n,score,ok,day,zip", "007,1,.5,true,2024-02-29,01", "8,,NaN,false,,"]
    text = "\r\n".join(lines).replace(",", gap)
    table = read_table(put(name, "\ufeff" + text), text_columns=["id", "no such column"])
    assert table.to_pylist() == [
        {"id": "007", "n": 1, "score": 0.5, "ok": True, "day": "2024-02-29", "zip": 1},
        {"id": "8", "n": None, "score": None, "ok": False, "day": None, "zip": None},
    ]


def test_an_empty_field_is_null_and_na_is_a_text() -> None:
    table = read_table(put("a.csv", 'id,text,none\n1,NA,\n2,,\n3,"",\n4,null,\n'))
    assert table["text"].to_pylist() == ["NA", None, None, "null"]
    assert table["none"].to_pylist() == [None] * 4
    assert table.schema.field("none").type == pa.string()


def test_a_quoted_field_may_hold_lines_and_quotes() -> None:
    path = put("a.csv", 'id,text\n1,"one\r\n""two"", three"\n\n2,x\n')
    texts = read_table(path)["text"].to_pylist()
    assert texts == ['one\r\n"two", three', "x"]


def test_the_type_of_a_column_comes_from_all_its_rows() -> None:
    lines = ["n,x", *[f"{n},{'y' * 200}" for n in range(100_000)], "0.5,z"]
    column = read_table(put("a.csv", "\n".join(lines)))["n"]
    assert column.type == pa.float64()
    assert len(column) == 100_001


def test_a_row_may_be_longer_than_a_block() -> None:
    text = "x" * (1 << 25)
    table = read_table(put("a.csv", f'id,text\n1,"{text}"\n2,b\n'))
    assert [len(found) for found in table["text"].to_pylist()] == [1 << 25, 1]


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson.gz"])
def test_json_lines_keep_their_types(name: str) -> None:
    path = put(name, '{"id": 7, "s": "2024-01-01"}\n\n{"s": null, "x": 0.5, "l": [1]}\r\n')
    table = read_table(path, text_columns=["id"])
    assert table.to_pylist() == [
        {"id": 7, "s": "2024-01-01", "x": None, "l": None},
        {"id": None, "s": None, "x": 0.5, "l": [1]},
    ]


def test_json_ids_of_two_kinds_become_text() -> None:
    path = put("a.jsonl", '{"id": 7}\n{"id": "007"}\n{"id": null}\n{"id": 1.0}\n')
    assert read_table(path, text_columns=["id"])["id"].to_pylist() == ["7", "007", None, "1"]
    assert refusal(lambda: read_table(path)) == (
        f"a.jsonl, line 2, column id: '007' does not fit in a column that begins with 7. {SAME}"
    )


def test_parquet_keeps_its_types_but_not_its_dictionaries() -> None:
    table = pa.table({"id": [1, 2], "c": pa.array(["x", "y"]).dictionary_encode()})
    pq.write_table(table.cast(pa.schema([("id", pa.int64()), ("c", table["c"].type)])), "a.parquet")
    found = read_table("a.parquet", text_columns=["id"])
    assert found.schema == pa.schema([("id", pa.int64()), ("c", pa.string())])


BROKEN = [
    ("a.json", "[]", f"a.json: the name does not tell the format of this file. {FORMATS}"),
    ("a.csv", "a,b\n", f"a.csv: there are no rows. {IN_FULL}"),
    ("a.csv", "", f"a.csv: the file is empty. {IN_FULL}"),
    (
        "a.csv",
        "a,b,a\n1,2,3\n",
        f"a.csv, line 1, column a: the header names this column twice. {ONE}",
    ),
    (
        "a.csv",
        'a,b\n1,"x\ny"\n2\n',
        (
            "a.csv, line 4: the header has 2 fields, but this row has 1. "
            "Give each row one field a column, and put quotes around a field with commas."
        ),
    ),
    (
        "a.csv",
        "a,b\n1,2\n1,2,3\n",
        (
            "a.csv, line 3: the header has 2 fields, but this row has 3. "
            "Give each row one field a column, and put quotes around a field with commas."
        ),
    ),
    (
        "a.csv",
        'a,b\n1,"x\n2,y\n',
        (
            "a.csv, line 2: the quotes of this row are broken (unexpected end of data). "
            'Write a quote inside a quoted field twice, as in "5"" disk".'
        ),
    ),
    ("a.jsonl", "\n\n{}\n", f"a.jsonl: there are no rows. {IN_FULL}"),
    (
        "a.jsonl",
        '{"a": 1}\n{"a": 1\n',
        f"a.jsonl, line 2: this is not JSON (Expecting ',' delimiter). {OBJECT}",
    ),
    ("a.jsonl", "[1]\n", f"a.jsonl, line 1: this is JSON, but not an object. {OBJECT}"),
    (
        "a.jsonl",
        "[" * 100_000,
        f"a.jsonl, line 1: this is not JSON (nested too deeply or too long a number). {OBJECT}",
    ),
    (
        "a.jsonl",
        '{"a": ' + "9" * 5000 + "}",
        f"a.jsonl, line 1: this is not JSON (nested too deeply or too long a number). {OBJECT}",
    ),
    (
        "a.jsonl",
        '{"a": 1, "b": 1, "a": 2}',
        f"a.jsonl, line 1, column a: the object names this column twice. {ONE}",
    ),
    (
        "a.jsonl",
        '{"a": "\\ud800"}',
        f"a.jsonl, line 1: an escape stands for half a character. {OBJECT}",
    ),
    (
        "a.jsonl",
        '{"a": 1}\n\n{"a": true}\n',
        f"a.jsonl, line 3, column a: True does not fit in a column that begins with 1. {SAME}",
    ),
    (
        "a.jsonl",
        '{"a": 1}\n{"a": 99999999999999999999}\n',
        (
            "a.jsonl, line 2, column a: 99999999999999999999 does not fit in a column that begins "
            f"with 1. {SAME}"
        ),
    ),
    (
        "a.jsonl",
        json.dumps({"a": "x" * 50}) + '\n{"a": 1}',
        (
            f"a.jsonl, line 2, column a: 1 does not fit in a column that begins with '{'x' * 39}…. "
            f"{SAME}"
        ),
    ),
    (
        "a.parquet",
        "id\n1\n",
        "a.parquet: this is not a Parquet file, or it is damaged. Copy or write the file again.",
    ),
]


@pytest.mark.parametrize(("name", "text", "said"), BROKEN)
def test_a_file_that_is_no_table_is_refused(name: str, text: str, said: str) -> None:
    path = put(name, text)
    assert refusal(lambda: read_table(path)) == said


def test_an_empty_parquet_table_is_refused() -> None:
    pq.write_table(pa.table({"a": pa.array([], pa.int64())}), "a.parquet")
    assert refusal(lambda: read_table("a.parquet")) == f"a.parquet: there are no rows. {IN_FULL}"


def test_text_that_is_not_utf8_is_refused_in_parquet_too() -> None:
    latin = pa.array([b"a", b"caf\xe9"]).view(pa.string())
    pq.write_table(pa.table({"a": latin}), "a.parquet")
    assert refusal(lambda: read_table("a.parquet")) == (
        "a.parquet: the table is damaged (Column 0: In chunk 0: Invalid: Invalid UTF8 sequence at "
        "string index 1). Write it again, with text as UTF-8."
    )


COLUMNS = {"id": ["a", "b"], "n": [1, 2]}
WANTED = pa.schema([("id", pa.string()), ("n", pa.int64())])

OBJECTS: dict[str, Callable[[], object]] = {
    "pandas": lambda: pd.DataFrame(COLUMNS, index=["x", "y"]),
    "pandas categories": lambda: pd.DataFrame(COLUMNS).astype({"id": "category"}),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars categories": lambda: pl.DataFrame(COLUMNS).with_columns(
        pl.col("id").cast(pl.Categorical)
    ),
    "arrow table": lambda: pa.table(COLUMNS),
    "arrow batch": lambda: pa.RecordBatch.from_pydict(COLUMNS),
    "arrow batches": lambda: pa.table(COLUMNS).to_batches(),
    "arrow reader": lambda: pa.table(COLUMNS).to_reader(),
    "duckdb": lambda: duckdb.sql("select * from (values ('a', 1::bigint), ('b', 2)) t(id, n)"),
    "columns": lambda: COLUMNS,
    "arrays": lambda: {"id": np.array(["a", "b"]), "n": np.array([1, 2])},
    "dicts": lambda: [{"id": "a", "n": 1}, {"n": 2, "id": "b"}],
    "path": lambda: put("a.csv", "id,n\na,1\nb,2\n"),
    "text path": lambda: str(put("a.tsv", "id\tn\na\t1\nb\t2\n")),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_anything_tabular_is_a_table(name: str) -> None:
    table = table_from(OBJECTS[name]())
    assert table.schema.equals(WANTED, check_metadata=True)
    assert table.to_pydict() == COLUMNS


GIVE = (
    "Pass a pandas or polars frame, an Arrow table, a DuckDB relation, a mapping of columns, "
    "a list of dicts, or the path of a file."
)
SHAPE = "Give each column one kind of value and all columns one length."
NO_TABLES: list[tuple[Callable[[], object], str]] = [
    (lambda: 3, f"table: a int is not a table. {GIVE}"),
    (lambda: None, f"table: a NoneType is not a table. {GIVE}"),
    (lambda: b"abc", f"table: a bytes is not a table. {GIVE}"),
    (list, f"table: a list is not a table. {GIVE}"),
    (lambda: [1, 2], f"table: a list is not a table. {GIVE}"),
    (lambda: {"a": 1}, f"table: a dict is not a table. {GIVE}"),
    (lambda: pd.Series([1]), f"table: a Series is not a table. {GIVE}"),
    (lambda: pl.LazyFrame({"a": [1]}), f"table: a LazyFrame is not a table. {GIVE}"),
    (lambda: np.zeros((2, 2)), f"table: a ndarray is not a table. {GIVE}"),
    (dict, f"table: there are no rows. {IN_FULL}"),
    (lambda: {"a": []}, f"table: there are no rows. {IN_FULL}"),
    (pd.DataFrame, f"table: there are no rows. {IN_FULL}"),
    (
        lambda: {"a": [1], "b": [1, 2]},
        (
            "table: this dict can't be read as a table (Column 1 named b expected length 1 but got "
            f"length 2). {SHAPE}"
        ),
    ),
    (
        lambda: pa.table([[1], [2]], names=["a", "a"]),
        f"table, column a: two columns have this name. {ONE}",
    ),
    (
        lambda: [{"a": 1}, {"a": "x"}],
        f"table, row 2, column a: 'x' does not fit in a column that begins with 1. {SAME}",
    ),
    (
        lambda: pd.DataFrame({"a": [1, "x"]}, dtype=object),
        (
            "table: this DataFrame can't be read as a table (Could not convert 'x' with type str: "
            f"tried to convert to int64). {SHAPE}"
        ),
    ),
]


@pytest.mark.parametrize(("make", "said"), NO_TABLES)
def test_what_is_no_table_is_refused(make: Callable[[], object], said: str) -> None:
    assert refusal(lambda: table_from(make())) == said


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@given(texts=st.lists(TEXT, min_size=1, max_size=5))
def test_ids_read_back_from_each_format(
    texts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.getbasetemp()
    table = pa.table({"id": texts, "n": list(range(len(texts)))})
    with Path(base / "a.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([("id", "n"), *zip(texts, count())])
    lines = [json.dumps(row) + "\n" for row in table.to_pylist()]
    Path(base / "a.jsonl").write_text("".join(lines), "utf-8")
    pq.write_table(table, base / "a.parquet")
    for name in ("a.csv", "a.jsonl", "a.parquet"):
        assert read_table(base / name, text_columns=["id"]).to_pydict() == table.to_pydict()

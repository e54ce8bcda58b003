"""Labels from files and objects: text as it stands, and the line where it stands."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.errors import UsageError
from aliquot.io.export import write_rows
from aliquot.io.label_rows import LabelRows
from aliquot.io.labels import labels_from, read_labels
from tests.io.refusal import put, refusal

SHEET = '''\
unit,text,label,annotator,at,note
007,"one
two",yes,ann,2024-02-29,
d2,three,,bob,,later

d3,four, no ,bob,2024,"a ""note"""
,,,,,
d4,five,1.0,,,
'''


def test_a_sheet_that_came_back_is_read() -> None:
    assert read_labels(put("a.csv", SHEET)) == LabelRows(
        path="a.csv",
        unit=["007", "d3", "d4"],
        label=["yes", " no ", "1.0"],
        annotator=["ann", "bob", ""],
        at=["2024-02-29", "2024", ""],
        note=["", 'a "note"', ""],
        line=[2, 6, 8],
        unjudged=1,
    )


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.csv", "unit,label\na,1\nb,0\n", [2, 3]),
        ("a.csv.gz", "\ufefflabel,unit\r\n1,a\r\n0,b", [2, 3]),
        ("a.tsv", "unit\tlabel\na\t1\nb\t0\n", [2, 3]),
        ("a.jsonl", '{"unit": "a", "label": 1}\n{"unit": "b", "label": 0.0}\n', [1, 2]),
        ("a.ndjson.gz", '\n{"unit": "a", "label": "1"}\n{"label": "0", "unit": "b"}\n', [2, 3]),
    ],
)
def test_each_format_is_told_by_its_name(name: str, text: str, lines: list[int]) -> None:
    rows = read_labels(put(name, text))
    assert (rows.path, rows.unit, rows.label, rows.line) == (name, ["a", "b"], ["1", "0"], lines)
    assert (rows.noun, rows.complete, rows.unjudged, len(rows)) == ("line", False, 0, 2)


@pytest.mark.parametrize("fmt", ["csv", "tsv"])
def test_a_format_may_be_said(fmt: str) -> None:
    gap = "," if fmt == "csv" else "\t"
    assert read_labels(put("sheet", f"unit{gap}label\na{gap}1\n"), fmt=fmt).unit == ["a"]
    assert read_labels(put("sheet.tsv", "unit\tlabel\na\t1\n"), fmt=fmt).unit == ["a"]


def test_parquet_has_rows_and_its_numbers_become_text() -> None:
    table = pa.table(
        {
            "id": [7, 8, 9, 10],
            "label": [1.0, 0.5, None, float("nan")],
            "at": pa.array([0, None, 0, 0], pa.timestamp("s")),
        }
    )
    pq.write_table(table, "a.parquet")
    rows = read_labels("a.parquet", id_name="id")
    assert (rows.unit, rows.label, rows.line) == (["7", "8"], ["1", "0.5"], [1, 2])
    assert (rows.at, rows.noun, rows.unjudged) == (["1970-01-01T00:00:00", ""], "row", 2)


def test_booleans_become_true_and_false() -> None:
    text = '{"unit": 1, "label": true}\n{"unit": 2.0, "label": false}\n{"unit": 3, "label": null}\n'
    rows = read_labels(put("a.jsonl", text))
    assert (rows.unit, rows.label, rows.unjudged) == (["1", "2"], ["true", "false"], 1)


@pytest.mark.parametrize("name", ["qrels.txt", "a.qrels", "a.qrels.gz", "qrels.trec8"])
def test_qrels_are_complete_judgments(name: str) -> None:
    rows = read_labels(put(name, "401 0 d1 1\n401 0 d2 -1\n402 0 d1 0\n"))
    assert (rows.unit, rows.label, rows.line) == (["401 d1", "402 d1"], ["1", "0"], [1, 3])
    assert rows.annotator == rows.at == rows.note == ["", ""]
    assert (rows.complete, rows.unjudged, rows.noun) == (True, 1, "line")


def test_qrels_may_be_said() -> None:
    assert read_labels(put("a.txt", "401 0 d1 1\n"), fmt="qrels").complete


@pytest.mark.parametrize(
    ("header", "id_name", "unit"),
    [
        ("unit,x,y", "unit", "a"),
        ("unit,x,y", "id", "a"),
        ("id,unit,y", "id", "a"),
        ("unit,id,y", "id", "b"),
        ("topic,doc,y", "unit", "a b"),
        ("y,docno,qid", "unit", "c b"),
        ("topic,doc,unit", "unit", "c"),
    ],
)
def test_the_unit_is_found_by_its_column(header: str, id_name: str, unit: str) -> None:
    path = put("a.csv", f"{header},label\na,b,c,1\n")
    assert read_labels(path, id_name=id_name).unit == [unit]


NAMES = "Name the columns unit and label (for runs: topic, doc and label)."
BROKEN: list[tuple[str, str, str]] = [
    (
        "a.csv",
        "id,label\n1,2\n",
        f"a.csv: there is no column unit; the columns are id, label. {NAMES}",
    ),
    (
        "a.csv",
        "topic,label\n1,2\n",
        f"a.csv: there is no column unit; the columns are topic, label. {NAMES}",
    ),
    (
        "a.csv",
        ",unit,verdict\n1,2,3\n",
        f'a.csv: there is no column label; the columns are "", unit, verdict. {NAMES}',
    ),
    (
        "a.csv",
        "unit;label\n1;2\n",
        (
            "a.csv: there is no column unit; the columns are unit;label. "
            "Separate the columns with commas, not semicolons."
        ),
    ),
    (
        "a.jsonl",
        '{"unit": 1}\n',
        f"a.jsonl: there is no column label; the columns are unit. {NAMES}",
    ),
    ("a.csv", "unit,label\n", "a.csv: there are no rows. Add a row for each judgment."),
    ("a.csv", "unit,label\n,\n", "a.csv: there are no rows. Add a row for each judgment."),
    (
        "a.csv",
        'unit,note,label\n1,"a\nb",yes\n,,no\n',
        "a.csv, line 4, column unit: the unit is missing. Fill it in, or remove the row.",
    ),
    (
        "a.csv",
        "topic,doc,label\n1,,yes\n",
        "a.csv, line 2, column doc: the doc is missing. Fill it in, or remove the row.",
    ),
    (
        "a.jsonl",
        '\n{"unit": 1, "label": ["yes"]}\n',
        "a.jsonl, line 2, column label: a list is not text. Write one text or number there.",
    ),
    (
        "a.csv",
        "unit,label,label\n1,2,3\n",
        (
            "a.csv, line 1, column label: the header names this column twice. "
            "Rename or remove one of the two."
        ),
    ),
    (
        "a.csv",
        "unit,label\na,yes\nb,no,1\n",
        (
            "a.csv, line 3: the header has 2 fields, but this row has 3. "
            "Give each row one field a column, and put quotes around a field with commas."
        ),
    ),
    (
        "a.xlsx",
        "x",
        (
            "a.xlsx: the name does not tell the format of this file. "
            "Say which it is with --as csv, --as jsonl or --as qrels."
        ),
    ),
    ("a.csv", "", "a.csv: the file is empty. Check that it was written in full."),
]


@pytest.mark.parametrize(("name", "text", "said"), BROKEN)
def test_what_holds_no_labels_is_refused(name: str, text: str, said: str) -> None:
    path = put(name, text)
    assert refusal(lambda: read_labels(path)) == said


def test_a_missing_id_column_is_named_as_the_study_names_it() -> None:
    path = put("a.csv", "x,label\n1,2\n")
    assert refusal(lambda: read_labels(path, id_name="pmid")) == (
        "a.csv: there is no column pmid; the columns are x, label. Name the columns pmid and label."
    )


def test_a_format_that_there_is_not_is_refused() -> None:
    assert refusal(lambda: read_labels("a.csv", fmt="xml"), UsageError) == (
        "there is no label format 'xml'. Use one of csv, tsv, jsonl, parquet, qrels, "
        "label-studio, asreview, splink."
    )


OBJECTS: dict[str, Callable[[], object]] = {
    "dict": lambda: {"a": 1, "b": 0, "c": None},
    "numpy": lambda: {"a": np.float64(1), "b": np.int8(0), "c": float("nan")},
    "columns": lambda: {"unit": ["a", "b", "c"], "label": ["1", "0", ""]},
    "pandas": lambda: pd.DataFrame({"unit": ["a", "b", "c"], "label": [1, 0, None]}),
    "polars": lambda: pl.DataFrame({"unit": ["a", "b", "c"], "label": [1, 0, None]}),
    "dicts": lambda: [{"unit": "a", "label": 1}, {"unit": "b", "label": 0}, {"unit": "c"}],
}


@pytest.mark.parametrize("name", OBJECTS)
def test_labels_come_from_objects_too(name: str) -> None:
    blank = ["", ""]
    assert labels_from(OBJECTS[name]()) == LabelRows(
        "labels", ["a", "b"], ["1", "0"], blank, blank, blank, [1, 2], "row", unjudged=1
    )


def test_labels_come_from_a_path_too() -> None:
    path = put("a.csv", "id,label\na,1\n")
    assert labels_from(path, id_name="id") == read_labels(path, id_name="id")
    assert labels_from(str(path), id_name="id") == read_labels(path, id_name="id")


def test_a_mapping_of_units_needs_no_id_name() -> None:
    assert labels_from({7: True, 8.0: "no"}, id_name="pmid").unit == ["7", "8"]


@pytest.mark.parametrize(
    ("obj", "said"),
    [
        ({}, "labels: there are no rows. Add a row for each judgment."),
        (
            {"a": 1, "b": object()},
            "labels, row 2, column label: a object is not text. Write one text or number there.",
        ),
        (
            [{"id": 1, "label": 2}],
            f"labels: there is no column unit; the columns are id, label. {NAMES}",
        ),
    ],
)
def test_an_object_without_labels_is_refused(obj: object, said: str) -> None:
    assert refusal(lambda: labels_from(obj)) == said


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
ROW = st.fixed_dictionaries(
    {
        "unit": TEXT.filter(bool),
        "label": TEXT.filter(str.strip) | st.text("'=+-@1", min_size=1),
        "annotator": TEXT,
        "at": TEXT,
        "note": TEXT,
    }
)


@given(rows=st.lists(ROW, min_size=1, max_size=4), fmt=st.sampled_from(["csv", "jsonl", "parquet"]))
def test_written_labels_read_back(
    rows: list[dict[str, str]], fmt: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"a.{fmt}"
    write_rows(rows, list(rows[0]), fmt=fmt, out=path, stdout=io.StringIO(), overwrite=True)
    found = read_labels(path)
    for name in rows[0]:
        assert getattr(found, name) == [row[name] for row in rows]
    assert found.unjudged == 0


@given(notes=st.lists(TEXT, min_size=1, max_size=4))
def test_each_line_is_where_its_unit_stands(
    notes: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "a.csv"
    with Path(path).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerow(["unit", "label", "note"])
        writer.writerows([f"unit-{at}", "yes", note] for at, note in enumerate(notes))
    found = read_labels(path)
    with Path(path).open(encoding="utf-8", newline=None) as stream:
        lines = stream.read().split("\n")  # every kind of line end has become this one
    for at, line in enumerate(found.line):
        assert lines[line - 1].startswith(f'"unit-{at}"')


def test_json_text_of_a_number_stays_as_it_is() -> None:
    text = json.dumps({"unit": "1.0", "label": "1.0"})
    rows = read_labels(put("a.jsonl", text))
    assert (rows.unit, rows.label) == (["1.0"], ["1.0"])

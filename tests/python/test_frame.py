"""Frames from anything tabular: what they hold, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aliquot as aq
from tests.python.shelf import columns, framed, run_columns


def test_a_frame_says_what_it_holds() -> None:
    frame = framed(columns())
    assert repr(frame) == "<Frame 40 units, 4 systems: svm, raw, nb, ...>"
    assert (len(frame), frame.systems) == (40, ("svm", "raw", "nb", "tar"))


def test_runs_are_pooled_to_a_depth() -> None:
    runs = {"bm25": run_columns("12345"), "dense": run_columns("56789")}
    assert repr(aq.Frame.from_runs(runs)) == "<Frame 18 units, 2 systems: bm25, dense>"
    assert len(aq.Frame.from_runs(runs, depth=2)) == 8


def test_texts_of_topics_and_documents_are_what_a_judge_sees() -> None:
    frame = aq.Frame.from_runs(
        {"bm25": run_columns("12")},
        queries={"q1": "bears"},
        documents={"doc": ["d1"], "title": ["A bear"]},
    )
    with aq.Study.in_memory(frame) as study:
        study.draw(4)
        shown = {row.unit: (row.query, row.title) for row in study.queue()}
    assert shown == {
        "q1 d1": ("bears", "A bear"),
        "q1 d2": ("bears", None),
        "q2 d1": (None, "A bear"),
        "q2 d2": (None, None),
    }


def test_a_run_from_a_file_takes_the_name_it_is_given() -> None:
    Path("a.run").write_text("q1 Q0 d1 1 9 tag\n")
    assert aq.Frame.from_runs({"mine": "a.run"}).systems == ("mine",)


def test_what_a_judge_sees_stands_as_it_was_written() -> None:
    Path("a.csv").write_text("id,version,code\n1,1.10,007\n2,2,1e5\n")
    frame = aq.Frame.from_table("a.csv", id="id", text=["version", "code"])
    with aq.Study.in_memory(frame) as study:
        study.draw(2)
        shown = {row.unit: (row.version, row.code) for row in study.queue()}
    assert shown == {"1": ("1.10", "007"), "2": ("2", "1e5")}


def test_two_long_numbers_are_two_clusters() -> None:
    patients = ["12345678901234567890", "12345678901234567891", "7", "07"]
    lines = [f"{i},{patient}" for i, patient in enumerate(patients)]
    Path("a.csv").write_text("\n".join(["id,patient", *lines]))
    frame = aq.Frame.from_table("a.csv", id="id", cluster="patient")
    assert len(set(frame.value.columns.whole(frame.value.cluster).tolist())) == 4


def test_a_class_may_be_called_by_a_number() -> None:
    Path("a.csv").write_text("id,said\na,01\nb,1\n")
    frame = aq.Frame.from_table("a.csv", id="id", predicted={"nb": "said"}, classes="1,01")
    system = frame.value.system("nb")
    assert frame.value.columns.whole(system.column).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("options", "scale"),
    [
        ({}, "labels(no, yes)"),
        ({"labels": ("ham", "spam")}, "labels(ham, spam)"),
        ({"labels": "ham,spam"}, "labels(ham, spam)"),
        ({"classes": ["a", "b", "c"]}, "classes(a, b, c)"),
        ({"grades": "0..4"}, "grades(0..4)"),
        ({"number": "0..1"}, "number(0..1)"),
    ],
)
def test_the_scale_is_spelled_in_words_or_lists(options: dict[str, Any], scale: str) -> None:
    frame = aq.Frame.from_table({"id": ["a"]}, id="id", **options)
    assert str(frame.scale) == scale


def table(**options: Any) -> Callable[[], object]:
    return lambda: aq.Frame.from_table({"id": ["a", "b"], "x": [1.0, 2.0]}, id="id", **options)


def on_disk(text: str) -> Path:
    Path("shelf.csv").write_text(text)
    return Path("shelf.csv")


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "not a table": (
        lambda: aq.Frame.from_table([1, 2], id="id"),
        (
            "table: a list is not a table. Pass a pandas or polars frame, an Arrow table, a DuckDB "
            "relation, a mapping of columns, a list of dicts, or the path of a file."
        ),
    ),
    "no rows": (
        lambda: aq.Frame.from_table({"id": []}, id="id"),
        "table: there are no rows. Check that it was written in full.",
    ),
    "columns of two lengths": (
        lambda: aq.Frame.from_table({"id": [1, 2], "x": [1]}, id="id"),
        (
            "table: this dict can't be read as a table (Column 1 named x expected length 2 but got "
            "length 1). Give each column one kind of value and all columns one length."
        ),
    ),
    "no such column": (
        table(scored={"m": "y"}),
        "there is no column 'y'. Columns here: id, x.",
    ),
    "a unit twice": (
        lambda: aq.Frame.from_table({"id": [1, 2, 1]}, id="id"),
        (
            "row 3, column id: unit '1' stands twice, first in row 1. Give each unit one row, or "
            "name another id column."
        ),
    ),
    "a cell of a file at a path": (
        lambda: aq.Frame.from_table(on_disk("id,x\n1,2\n2,high\n"), id="id", scored={"m": "x"}),
        (
            "shelf.csv, line 3, column x: 'high' is not a number. Give every unit a number in this "
            "column."
        ),
    ),
    "a threshold of words": (
        table(scored={"m": ("x", "high")}),
        "the threshold 'high' of m is not a number. Use one such as 0.5.",
    ),
    "a threshold that is NaN": (
        table(scored={"m": ("x", float("nan"))}),
        "the threshold nan of m is not a number. Use one such as 0.5.",
    ),
    "one name for two systems": (
        table(scored={"m": "x"}, retrieved={"m": "x"}),
        "two systems are both called m. Rename one of them.",
    ),
    "two scales": (
        table(grades="0..3", number="0..1"),
        "a study has one scale, not grades and number. Choose one.",
    ),
    "flags that are none": (
        table(retrieved={"m": "x"}),
        (
            "row 2, column x: '2.0' does not say whether the unit is retrieved. Use 1 or 0, yes or "
            "no, true or false."
        ),
    ),
    "too large": (
        lambda: aq.Frame.from_table({"id": [1], "x": [1e200]}, id="id", scored={"m": "x"}),
        (
            "row 1, column x: 1e+200 is too large to calculate with. Give numbers between -1e100 "
            "and 1e100."
        ),
    ),
    "no runs": (lambda: aq.Frame.from_runs({}), "there are no runs. Give at least one run."),
    "a run that is none": (
        lambda: aq.Frame.from_runs({"a": 5}),
        (
            "table: a int is not a table. Pass a pandas or polars frame, an Arrow table, a DuckDB "
            "relation, a mapping of columns, a list of dicts, or the path of a file."
        ),
    ),
    "a run without documents": (
        lambda: aq.Frame.from_runs({"a": {"topic": [1], "score": [1.0]}}),
        (
            "run a: there is no column doc or docno or docid or doc_id; the columns are topic, "
            "score. Name the columns topic, doc, and score or rank."
        ),
    ),
    "a measure that looks deeper": (
        lambda: aq.Study.in_memory(
            aq.Frame.from_runs({"a": run_columns("123")}, depth=2), measures="P@3"
        ),
        (
            "P@3 looks at 3 ranks, and the run of a was cut after 2. Read the run with a depth of "
            "3, or look less deep."
        ),
    ),
    "depth 0": (
        lambda: aq.Frame.from_runs({"a": run_columns("12")}, depth=0),
        "depth 0 is not at least 1. Use one such as 100.",
    ),
}


@pytest.mark.parametrize(("call", "text"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_said_in_full(call: Callable[[], object], text: str) -> None:
    with pytest.raises(aq.AliquotError) as caught:
        call()
    assert str(caught.value) == text

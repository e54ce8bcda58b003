"""The verbs of a study in Python, from the first draw to the claim."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import aliquot as aq
from aliquot.engine.draft import TableSpec
from aliquot.engine.manifest import SystemRow
from tests.python.shelf import COUNT, LABELS, columns, framed, run_columns, study

# Of the forty units twelve have a label yes: 21, 22, 23, 25, ... without each fourth, up to 39.
RELEVANT = [unit for unit, label in LABELS.items() if label == "yes"]


def as_csv(found: dict[str, list[str]]) -> object:
    pd.DataFrame(found).to_csv("labels.csv", index=False)
    return Path("labels.csv")


Give = Callable[[dict[str, list[str]]], object]
GIVEN: dict[str, Give] = {
    "a dict of labels": lambda found: dict(zip(found["unit"], found["label"], strict=True)),
    "a dict of columns": lambda found: found,
    "rows": lambda found: [
        {"unit": unit, "label": label} for unit, label in zip(*found.values(), strict=True)
    ],
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "Arrow": pa.table,
    "DuckDB": lambda found: duckdb.connect().from_arrow(pa.table(found)),
    "a path": as_csv,
    "a path as text": lambda found: str(as_csv(found)),
    "numbers": lambda found: {
        int(u): int(x == "yes") for u, x in zip(*found.values(), strict=True)
    },
    "truths": lambda found: {u: x == "yes" for u, x in zip(*found.values(), strict=True)},
    "floats of pandas": lambda found: pd.DataFrame(
        {"unit": found["unit"], "label": [float(x == "yes") for x in found["label"]]}
    ),
}


@pytest.mark.parametrize("kind", GIVEN)
def test_labels_come_in_any_kind(kind: str) -> None:
    with study() as made:
        made.draw(10)
        done = made.record(GIVEN[kind]({"unit": list(LABELS), "label": list(LABELS.values())}))
        assert (done.added, done.not_drawn, done.waiting) == (10, 30, 0)
        first = made.estimate().to_dicts()
    with study() as other:
        other.draw(10)
        other.record(LABELS)
        assert other.estimate().to_dicts() == first


def test_a_census_gives_the_truth() -> None:
    assert len(RELEVANT) == 15
    with study(measures=("Precision", "Recall", "F1", "Accuracy", "Mean")) as made:
        made.draw(COUNT)
        made.record(LABELS)
        found = {(row.system, row.measure): row for row in made.estimate()}
    # svm returns 20 to 40, tar 26 to 40; nb says yes to each third
    truth = {
        ("svm", "Precision"): 15 / 21,
        ("tar", "Precision"): 11 / 15,
        ("svm", "Recall"): 1.0,
        ("tar", "Recall"): 11 / 15,
        ("", "Mean"): 15 / 40,
    }
    for key, value in truth.items():
        row = found[key]
        assert row.estimate == pytest.approx(value, abs=1e-12)
        assert row.confidence_interval(0.999) == (row.estimate, row.estimate)
        assert row.stderr == 0


def test_a_study_is_made_on_the_disk_and_opened_again() -> None:
    with aq.Study.create("s", framed(columns()), measures=["Precision"], rng=7) as made:
        made.draw(10)
        made.record(LABELS)
        assert repr(made) == "<Study 's': 40 units, 4 systems, 10 of 10 judged>"
        first = made.estimate().to_dicts()
    with aq.Study.open(Path("s")) as again:
        assert again.estimate().to_dicts() == first
        assert again.draw(3).to_dict()["batch"] == 2
    assert sorted(path.name for path in Path("s").iterdir()) == [
        "frame-0001-units.parquet",
        "study.db",
    ]


def test_a_study_in_memory_leaves_nothing(here: Path) -> None:
    with study() as made:
        made.draw(5)
        made.record(LABELS)
        assert repr(made) == "<Study in memory: 40 units, 4 systems, 5 of 5 judged>"
    assert list(here.iterdir()) == []


def test_a_batch_lists_its_new_units_in_order() -> None:
    with study() as made:
        first, second = made.draw(4), made.draw(3, goal="svm")
        assert len(first.new) == len(first) == 4
        assert repr(second).startswith("<Batch 2: 3 new units of 7 drawn by pps(")
        assert [row.unit for row in made.queue()] == [*first.new, *second.new]
        data = second.to_dict()
        assert (data["goal"], data["reused"], data["budget"]) == ("svm", 4, 3)


def test_the_queue_shrinks_as_labels_come_in() -> None:
    with study() as made:
        batch = made.draw(4)
        first = batch.new[0]
        made.record({first: "unsure"})
        assert [row.unit for row in made.queue()] == list(batch.new[1:])
        assert (made.progress.skipped, made.progress.waiting) == (1, 3)


def test_units_judged_out_of_order_are_said_of_every_batch() -> None:
    text = "{} units were judged ahead of the queue's order; that is harmless only if the choice "
    text += "had nothing to do with their labels"
    with study(measures=("Mean",)) as made:
        first = made.draw(8, design="uniform").new
        made.record(dict.fromkeys(first[:3], "no"))
        assert made.estimate()[0].warnings[:-1] == ()
        made.record({first[5]: "no"})
        one = text.replace("{} units were", "1 unit was")
        assert made.estimate()[0].warnings[0] == one
        made.record({first[6]: "no"})
        assert made.estimate()[0].warnings[0] == text.format(2)
        second = made.draw(4, design="uniform").new
        assert made.estimate()[0].warnings[0] == text.format(2)
        made.record({second[3]: "unsure"})
        assert text.format(3) in made.estimate()[0].warnings


def test_who_judged_is_kept() -> None:
    with study() as made:
        unit = made.draw(1).new[0]
        made.record({unit: "yes"}, annotator="ann")
        made.record({unit: "no"}, annotator="bob")
        made.record({unit: "yes"}, annotator="bob")
        standing = {one.annotator: one.label for one in made.book.ledger.judgments()}
        assert standing == {"ann": "yes", "bob": "yes"}
        assert len(made.book.ledger.history()) == 3


def test_a_file_of_qrels_is_recorded() -> None:
    Path("x.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\nq9 0 d1 1\n")
    frame = aq.Frame.from_runs({"bm25": run_columns("12")})
    with aq.Study.in_memory(frame, measures="P@1") as made:
        made.draw(2)
        done = made.record("x.qrels")
        assert done.unknown == 1
        assert done.added + done.not_drawn == 2


def test_systems_are_compared() -> None:
    with study(measures=("Precision", "Recall")) as made:
        made.draw(COUNT)
        made.record(LABELS)
        every = made.compare()
        assert [(row.a, row.b, row.measure) for row in every.rows] == [
            ("svm", "tar", "Precision"),
            ("svm", "tar", "Recall"),
        ]
        assert every.rows[1].difference == pytest.approx(4 / 15)
        assert every.tiers == (
            ("Precision", (("tar",), ("svm",))),
            ("Recall", (("svm",), ("tar",))),
        )
        (one,) = made.compare("tar", "svm", measure="Recall").rows
        assert one.difference == pytest.approx(-4 / 15)
        assert every.to_dict()["tiers"][0]["tiers"] == [["tar"], ["svm"]]


def test_a_new_run_and_a_new_system_join_later() -> None:
    frame = aq.Frame.from_runs({"bm25": run_columns("123")})
    with aq.Study.in_memory(frame, measures=["P@2"]) as made:
        made.draw(4)
        made.record({row.unit: "yes" for row in made.queue()})
        made.add_runs({"dense": pd.DataFrame(run_columns("14"))})
        found = {row.system: row for row in made.estimate()}
        assert found["bm25"].estimate == 1.0
        assert found["dense"].interval.low <= 0.5 <= found["dense"].interval.high
        assert found["dense"].value.warnings
    with study() as other:
        other.draw(COUNT)
        other.record(LABELS)
        spec = TableSpec("id", (SystemRow("new", "retrieved", "flag"),))
        other.add_systems(pl.DataFrame(columns()), spec)
        precision = {row.system: row.estimate for row in other.estimate(measure="Precision")}
        assert precision["new"] == precision["tar"]


def test_of_two_who_add_a_system_at_once_one_is_told_to_try_again() -> None:
    def spec(name: str, column: str) -> TableSpec:
        return TableSpec("id", (SystemRow(name, "retrieved", column),))

    aq.Study.create("s", framed(columns())).close()
    with aq.Study.open("s") as first, aq.Study.open("s") as second:
        first.add_systems(columns(), spec("new", "flag"))
        with pytest.raises(aq.errors.StudyError, match="another process has added to this study"):
            second.add_systems(columns(), spec("other", "flag"))
    with aq.Study.open("s") as again:
        assert [f.text for f in again.doctor() if f.grade == "problem"] == []
        again.add_systems(columns(), spec("other", "flag"))
        assert again.book.frame.systems[-1].name == "other"
    assert sorted(path.name for path in Path("s").iterdir()) == [
        "frame-0001-units.parquet",
        "frame-0002-outputs.parquet",
        "frame-0003-outputs.parquet",
        "study.db",
    ]


def test_a_file_that_a_killed_process_left_is_in_nobody_s_way() -> None:
    aq.Study.create("s", framed(columns())).close()
    Path("s/frame-0002-outputs.parquet").touch()
    spec = TableSpec("id", (SystemRow("new", "retrieved", "flag"),))
    with aq.Study.open("s") as made:
        made.add_systems(columns(), spec)
    with aq.Study.open("s") as again:
        assert again.book.frame.systems[-1].name == "new"


def test_the_doctor_looks_the_study_over() -> None:
    with study() as made:
        made.draw(5)
        made.record(LABELS)
        findings = {one.topic: one.grade for one in made.doctor()}
        assert (findings["record"], findings["batch 1"], findings["labels"]) == ("fine",) * 3


Do = Callable[[aq.Study], object]
REFUSED: dict[str, tuple[Do, str]] = {
    "a budget of words": (
        lambda made: made.draw("many"),  # type: ignore[arg-type]  # as a caller may
        "budget='many' is not a whole number. Use one such as 7.",
    ),
    "half a unit": (
        lambda made: made.draw(2.5),  # type: ignore[arg-type]
        "budget=2.5 is not a whole number. Use one such as 7.",
    ),
    "a seed of words": (
        lambda _: aq.Study.in_memory(framed(columns()), rng="lucky"),  # type: ignore[arg-type]
        "rng='lucky' is not a whole number. Use one such as 7.",
    ),
    "labels that are none": (
        lambda made: made.record(5),
        (
            "labels: a int is not a table. Pass a pandas or polars frame, an Arrow table, a DuckDB "
            "relation, a mapping of columns, a list of dicts, or the path of a file."
        ),
    ),
    "an unknown unit": (
        lambda made: made.record({"99": "yes"}),
        (
            "labels, row 1, column unit: unit '99' is not in this study. Check the id; nothing of "
            "the file was recorded."
        ),
    ),
    "a label outside the scale": (
        lambda made: made.record(dict.fromkeys(LABELS, "maybe")),
        "label 'maybe' is not on the scale labels(no, yes). Use no, yes, skip or unsure.",
    ),
    "over what": (
        lambda made: made.estimate(over="all"),
        "over 'all' is not known. Use these or like-these.",
    ),
    "a level": (
        lambda made: made.estimate(level=1),
        "level 1 is not between 0 and 1. Use one such as 0.95.",
    ),
    "one system alone": (
        lambda made: made.compare("svm"),
        "a comparison needs two systems or none. Name both, or neither.",
    ),
    "a system again": (
        lambda made: made.add_systems(
            columns(), TableSpec("id", (SystemRow("svm", "scored", "score"),))
        ),
        "this study has a system called svm already. Give it another name.",
    ),
    "no study": (
        lambda _: aq.Study.open("nowhere"),
        "nowhere: there is no such study. Check the path, or make a study: init.",
    ),
}


@pytest.mark.parametrize(("call", "text"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_said_in_full_and_changes_nothing(call: Do, text: str) -> None:
    with study() as made:
        made.draw(5)
        before = made.book.ledger.history()
        with pytest.raises(aq.AliquotError) as caught:
            call(made)
        assert str(caught.value).endswith(text)
        assert made.book.ledger.history() == before


def test_numbers_of_numpy_are_whole_numbers() -> None:
    import numpy as np

    seed: Any = np.int64(7)
    budget: Any = np.int32(3)
    with aq.Study.in_memory(framed(columns()), measures="Recall", rng=seed) as made:
        assert made.draw(budget).to_dict()["seed"] == 7


def test_a_study_that_was_closed_says_so() -> None:
    with study() as made:
        made.draw(3)
    with pytest.raises(aq.AliquotError) as caught:
        made.estimate()
    assert str(caught.value) == "the study in memory: the study was closed. Open it again."


def test_an_error_survives_pickling() -> None:
    import pickle

    with pytest.raises(aq.AliquotError) as caught:
        aq.Study.open("nowhere")
    again: Any = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  (our own bytes)
    assert (type(again), str(again)) == (type(caught.value), str(caught.value))


def test_a_stratum_without_a_label_is_named() -> None:
    score = [i / 400 for i in range(400)]
    table = {"id": [str(i) for i in range(400)], "score": score}
    frame = aq.Frame.from_table(table, id="id", scored={"m": ("score", 0.9)})
    with aq.Study.in_memory(frame, measures=["Recall", "Precision"]) as made:
        batch = made.draw(80)
        made.record({u: "skip" if int(u) >= 360 else "no" for u in batch.new})
        blank, said = made.estimate().rows, "nothing was judged in strata of 40 units"
        assert all(any(w.startswith(said) for w in row.warnings) for row in blank)
        made.record({u: "yes" for u in batch.new if int(u) >= 360})
        assert not any(said in w for row in made.estimate().rows for w in row.warnings)

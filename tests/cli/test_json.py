"""The JSON of each verb, field by field: its names, its types, and null where others say NaN."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.door import MORE, ask, call, do, news, put, run_text, spam, table

TEXT, WHOLE, REAL, FLAG = (str,), (int,), (float,), (bool,)
MAYBE, REAL_MAYBE, WHOLE_MAYBE = (str, type(None)), (float, type(None)), (int, type(None))
UNIT = {"unit": TEXT, "pi": REAL, "order": WHOLE_MAYBE}
PROGRESS = {"drawn": WHOLE, "judged": WHOLE, "skipped": WHOLE, "waiting": WHOLE}
ESTIMATE = {
    "system": MAYBE,
    "measure": TEXT,
    "estimate": REAL_MAYBE,
    "stderr": REAL_MAYBE,
    "low": REAL,
    "high": REAL,
    "level": REAL,
    "judged": WHOLE,
    "effective_n": REAL,
    "estimator": TEXT,
    "interval": TEXT,
    "assisted": FLAG,
    "guarantee": TEXT,
    "sampling_variance": REAL_MAYBE,
    "judging_variance": REAL_MAYBE,
    "warnings": [TEXT],
}
DIFFERENCE = {
    "a": TEXT,
    "b": TEXT,
    "measure": TEXT,
    "difference": REAL_MAYBE,
    "stderr": REAL_MAYBE,
    "low": REAL_MAYBE,
    "high": REAL_MAYBE,
    "p_value": REAL_MAYBE,
    "p_adjusted": REAL_MAYBE,
    "assisted": FLAG,
}
EXPORTED = {
    "unit": TEXT,
    "label": TEXT,
    "state": TEXT,
    "value": REAL_MAYBE,
    "annotator": TEXT,
    "at": TEXT,
    "note": TEXT,
    "pi": REAL,
    "batch": WHOLE,
    "order": WHOLE,
}
SHAPES: dict[str, dict[str, Any]] = {
    "init": {
        "study": TEXT,
        "units": WHOLE,
        "systems": [TEXT],
        "topics": WHOLE,
        "measures": [TEXT],
        "scale": TEXT,
        "seed": WHOLE,
        "frame_hash": TEXT,
    },
    "draw": {
        "batch": WHOLE,
        "drawn": WHOLE,
        "new": WHOLE,
        "reused": WHOLE,
        "draws": WHOLE,
        "design": TEXT,
        "goal": TEXT,
        "seed": WHOLE,
        "budget": WHOLE,
        "units": [UNIT],
    },
    "queue": {"waiting": WHOLE, "units": [{"unit": TEXT, "subject": TEXT}]},
    "record": {
        "added": WHOLE,
        "unchanged": WHOLE,
        "not_drawn": WHOLE,
        "unknown": WHOLE,
        "waiting": WHOLE,
        "notes": [TEXT],
        "progress": PROGRESS,
    },
    "estimate": {"rows": [ESTIMATE]},
    "compare": {
        "rows": [DIFFERENCE],
        "tiers": [{"measure": TEXT, "tiers": [[TEXT]]}],
    },
    "export": {"rows": [EXPORTED]},
    "add-system": {
        "added": [TEXT],
        "systems": WHOLE,
        "new_units": WHOLE,
        "carried": [{"system": TEXT, "measure": TEXT, "carried": WHOLE, "unseen": REAL}],
    },
    "doctor": {"findings": [{"grade": TEXT, "topic": TEXT, "text": TEXT}]},
}
GUARANTEES = {"exact", "design-unbiased", "design-consistent", "anytime", "model-based"}


def faults(shape: Any, value: Any, place: str = "") -> list[str]:
    """Say where a value is not of a shape: a mapping, a list of one kind, or some types."""
    if isinstance(shape, Mapping):
        if not isinstance(value, dict) or list(value) != list(shape):
            return [f"{place} is {value!r:.80}, not an object of {', '.join(shape)}"]
        return [f for k in shape for f in faults(shape[k], value[k], f"{place}.{k}")]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{place} is {value!r:.80}, not a list"]
        return [f for i, one in enumerate(value) for f in faults(shape[0], one, f"{place}[{i}]")]
    return [] if type(value) in shape else [f"{place} is {value!r}, of another type"]


def valid(line: str) -> dict[str, Any]:
    """Run a command and check its JSON against the shape of its verb."""
    verb = line.partition(" ")[0]
    found = do(f"{line} --json").json
    assert found.pop("schema") == f"aliquot.{verb}/1"
    assert faults(SHAPES[verb], found) == []
    return found


@pytest.fixture
def judged() -> None:
    """A study of units that has a bit of everything: two batches, skips, an assistant."""
    spam(budget=4, more=MORE)
    do("draw spam --budget 4")
    put("skip.csv", "unit,label\n012,skip\n")
    do("record spam truth.csv --annotator ann")
    do("record spam skip.csv")


def test_init() -> None:
    table()
    found = valid("init s --units items.csv --id id --score 'svm=svm>=0.5' --judge g=gpt --seed 5")
    assert found["measures"] == ["Precision", "Recall", "F1"]
    assert len(found["frame_hash"]) == 64
    rest = {k: v for k, v in found.items() if k not in ("measures", "frame_hash")}
    assert rest == {
        "study": "s",
        "units": 12,
        "systems": ["svm"],
        "topics": 0,
        "scale": "labels(no, yes)",
        "seed": 5,
    }


def test_draw() -> None:
    spam()
    first = valid("draw spam --budget 4 --goal svm --design uniform")
    assert {k: v for k, v in first.items() if k != "units"} == {
        "batch": 1,
        "drawn": 4,
        "new": 4,
        "reused": 0,
        "draws": 4,
        "design": "uniform",
        "goal": "svm",
        "seed": 7,
        "budget": 4,
    }
    assert [unit["order"] for unit in first["units"]] == [1, 2, 3, 4]
    assert {unit["pi"] for unit in first["units"]} == {4 / 12}
    second = valid("draw spam --budget 3 --goal svm --design uniform")
    assert (second["batch"], second["drawn"], second["new"], second["reused"]) == (2, 7, 3, 4)
    assert [unit["order"] for unit in second["units"]] == [1, 2, 3, None, None, None, None]
    assert {unit["unit"] for unit in second["units"][3:]} == {u["unit"] for u in first["units"]}
    assert [unit["pi"] for unit in second["units"]] == pytest.approx([7 / 12] * 7)


def test_draw_with_replacement_gives_expected_draws() -> None:
    spam()
    found = valid("draw spam --budget 24 --design 'wr(size=uniform)'")
    assert [unit["pi"] for unit in found["units"]] == pytest.approx([24 / 12] * found["drawn"])
    assert found["draws"] == 24


def test_queue(judged: None) -> None:
    do("draw spam --budget 3")
    found = valid("queue spam")
    assert found["waiting"] == 3 == len(found["units"])
    limited = valid("queue spam --limit 2")
    assert limited == {"waiting": 3, "units": found["units"][:2]}


def test_record(judged: None) -> None:
    found = valid("record spam truth.csv --annotator ann")
    assert (found["added"], found["unchanged"], found["not_drawn"]) == (0, 8, 4)


def test_estimate(judged: None) -> None:
    rows = valid("estimate spam --level 0.9")["rows"]
    assert {row["guarantee"] for row in rows} <= GUARANTEES
    assert {row["level"] for row in rows} == {0.9}
    assert {row["system"] for row in rows} == {"svm", "nb", "tar", None}
    assert [row["system"] for row in rows if row["measure"] == "Mean"] == [None, None]
    assert {row["assisted"] for row in rows} == {True, False}
    for row in rows:
        assert row["low"] <= row["high"]


def test_what_is_not_defined_is_null_everywhere() -> None:
    spam(budget=6)
    put("no.csv", "unit,label\n" + "".join(f"{n:03d},no\n" for n in range(1, 13)))
    do("record spam no.csv")
    recall = [row for row in valid("estimate spam")["rows"] if row["measure"] == "Recall"]
    assert [(r["estimate"], r["stderr"], r["low"], r["high"], r["interval"]) for r in recall] == [
        (None, None, 0.0, 1.0, "none")
    ] * 2
    compared = valid("compare spam --measure Recall")["rows"]
    assert compared == [
        {"a": "svm", "b": "tar", "measure": "Recall"}
        | dict.fromkeys(["difference", "stderr", "low", "high", "p_value", "p_adjusted"])
        | {"assisted": False}
    ]
    assert "nan" not in do("compare spam svm tar --measure Recall").out
    assert do("compare spam svm tar --measure Recall").out.endswith(
        "Recall: it can't be estimated yet; judge more units.\n"
    )


def test_compare(judged: None) -> None:
    found = valid("compare spam")
    for row in found["rows"]:
        assert row["p_value"] <= row["p_adjusted"]
        assert row["low"] <= row["difference"] <= row["high"]
    for assisted in (False, True):  # the human-only comparison stands beside the assisted one
        pairs = [
            (row["a"], row["b"])
            for row in found["rows"]
            if row["measure"] == "Accuracy" and row["assisted"] is assisted
        ]
        assert pairs == [("svm", "nb"), ("svm", "tar"), ("nb", "tar")]
    for tiers in found["tiers"]:
        names = [name for tier in tiers["tiers"] for name in tier]
        assert len(names) == len(set(names)) == (3 if tiers["measure"] == "Accuracy" else 2)
    pair = valid("compare spam tar svm")
    assert {(row["a"], row["b"]) for row in pair["rows"]} == {("tar", "svm")}
    assert pair["tiers"] == []


def test_export(judged: None) -> None:
    rows = valid("export spam")["rows"]
    assert {row["batch"] for row in rows} == {1, 2}
    assert {row["value"] for row in rows} == {0.0, 1.0} | (
        {None} if any(row["state"] == "skip" for row in rows) else set()
    )
    do("export spam --out labels.csv")
    assert Path("labels.csv").read_text() == do("export spam").out
    assert do("export spam --json --out again.csv").json == {
        "schema": "aliquot.export/1",
        "file": "again.csv",
        "judgments": len(rows),
    }


def test_export_of_a_study_without_judgments() -> None:
    spam()
    assert valid("export spam") == {"rows": []}


def test_add_system() -> None:
    news(budget=3)
    put("c.run", run_text("C", "123789"))
    found = valid("add-system news --runs c.run")
    assert (found["added"], found["systems"], found["new_units"]) == (["C"], 3, 6)
    assert {(row["system"], row["carried"]) for row in found["carried"]} == {("C", 0)}


def test_doctor(judged: None) -> None:
    found = valid("doctor spam")["findings"]
    assert {one["grade"] for one in found} <= {"fine", "note", "problem"}
    assert valid("doctor items.csv")["findings"][0] == {
        "grade": "fine",
        "topic": "table",
        "text": "12 rows, 9 columns",
    }


def test_a_payload_of_any_kind_is_json() -> None:
    import datetime
    from decimal import Decimal

    import pyarrow as pa
    from pyarrow.parquet import write_table

    day = datetime.datetime(2026, 5, 4, 3, 2, 1, tzinfo=datetime.UTC).replace(tzinfo=None)
    columns = {
        "id": ["a", "b"],
        "when": pa.array([day, None], pa.timestamp("ns")),
        "day": pa.array([day.date(), None], pa.date32()),
        "cost": pa.array([Decimal("1.50"), None]),
        "age": pa.array([7, None]),
        "ok": pa.array([True, None]),
        "many": pa.array([["x", "y"], None]),
        "ratio": pa.array([float("nan"), 0.5]),
    }
    write_table(pa.table(columns), "units.parquet")
    shown = " ".join(name for name in columns if name != "id")
    do(f"init s --units units.parquet --id id --text {shown}")
    do("draw s --budget 2")
    by_unit = {row["unit"]: row for row in do("queue s --json").json["units"]}
    assert by_unit["a"] == {
        "unit": "a",
        "when": "2026-05-04T03:02:01",
        "day": "2026-05-04",
        "cost": "1.50",
        "age": 7.0,
        "ok": True,
        "many": ["x", "y"],
        "ratio": None,
    }
    assert by_unit["b"] == {"unit": "b", "ratio": 0.5} | dict.fromkeys(
        ["when", "day", "cost", "age", "ok", "many"]
    )
    sheet = do("queue s").out.splitlines()
    assert 'a,2026-05-04T03:02:01,2026-05-04,1.50,7,true,"[""x"", ""y""]",,' in sheet
    assert "b,,,,,,,0.5," in sheet
    assert [line.count('"unit"') for line in do("queue s --to jsonl").out.splitlines()] == [1, 1]


def test_an_error_leaves_stdout_empty_with_json_too() -> None:
    answer = ask("estimate nowhere --json")
    assert (answer.code, answer.out) == (1, "")


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"drawn": 1, "judged": 1, "skipped": 1}, "an object of drawn, judged, skipped, waiting"),
        ({"drawn": True, "judged": 1, "skipped": 1, "waiting": 1}, ".drawn is True"),
        ({"drawn": 1.0, "judged": 1, "skipped": 1, "waiting": 1}, ".drawn is 1.0"),
        ([], " is [], not an object"),
    ],
)
def test_a_wrong_shape_is_found(value: object, fault: str) -> None:
    (found,) = faults(PROGRESS, value)
    assert fault in found


def test_nan_is_found() -> None:
    from tests.cli.door import Answer

    with pytest.raises(AssertionError, match="NaN is not JSON"):
        _ = Answer(0, '{"rows": [NaN]}\n', "").json
    assert call("--version").out.startswith("aliquot ")

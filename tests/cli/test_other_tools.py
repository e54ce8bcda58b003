"""Units go to other tools, are labelled there, and the labels come back."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.door import TRUTH, Answer, ask, do, everything, news, put, spam, waiting

BLIND = ("svm", "nb", "tar", "gpt", "0.9")


def labelled(task: dict[str, Any], label: str) -> dict[str, Any]:
    """A task as Label Studio exports it: skipped, or with one choice."""
    value = {"from_name": "label", "type": "choices", "value": {"choices": [label]}}
    said = {"was_cancelled": True, "result": []} if label == "skip" else {"result": [value]}
    return task | {"annotations": [said | {"completed_by": {"email": "ann@lab"}}], "meta": {}}


def test_units_go_to_label_studio_and_come_back() -> None:
    spam(budget=6, more="--text subject")
    order = waiting("spam")
    assert do("export spam --to label-studio --out tasks.json").out == (
        "6 units written to tasks.json\n"
    )
    tasks = json.loads(Path("tasks.json").read_text())
    assert [task["data"]["unit"] for task in tasks] == order
    assert tasks[0] == {"data": {"unit": order[0], "subject": f"=text {order[0]}, of it"}}
    assert not any(word in Path("tasks.json").read_text() for word in BLIND)
    labels = {unit: TRUTH[unit] for unit in order} | {order[0]: "skip"}
    put("back.json", json.dumps([labelled(t, labels[t["data"]["unit"]]) for t in tasks]))
    found = do("record spam back.json --as label-studio --json").json
    assert (found["added"], found["waiting"], found["progress"]["skipped"]) == (6, 0, 1)
    rows = do("export spam --json").rows
    assert {row["unit"]: row["label"] for row in rows} == labels
    assert {row["annotator"] for row in rows} == {"ann@lab"}
    assert do("export spam --to label-studio").out == "[\n]\n"


def test_a_short_export_of_label_studio_is_recorded_with_a_note() -> None:
    spam(budget=2)
    put("back.json", json.dumps([{"unit": unit, "label": "no"} for unit in waiting("spam")]))
    found = do("record spam back.json --as label-studio")
    assert found.err.startswith("note: this short export of Label Studio leaves skipped tasks out")
    assert "2 judgments recorded" in found.out


def test_a_bad_task_is_named_and_nothing_is_recorded() -> None:
    spam(budget=2)
    first, second = waiting("spam")
    tasks = [{"data": {"unit": unit}} for unit in (first, second)]
    put("back.json", json.dumps([labelled(tasks[0], "no"), labelled(tasks[1], "perhaps")]))
    before = everything()
    assert ask("record spam back.json --as label-studio") == Answer(
        1,
        "",
        "aliquot: back.json, task 2, column label: label 'perhaps' is not on the scale "
        "labels(no, yes). Use no, yes, skip or unsure.\n",
    )
    assert everything() == before


def test_rankings_go_to_label_studio_too() -> None:
    news(budget=3)
    tasks = json.loads(do("export news --to label-studio").out)
    assert list(tasks[0]["data"]) == ["unit", "topic", "doc"]
    put("back.json", json.dumps([labelled(task, "1") for task in tasks]))
    assert do("record news back.json --as label-studio --json").json["added"] == 3


def test_records_go_to_asreview_and_come_back() -> None:
    spam(budget=6, more="--text subject")
    order = waiting("spam")
    put("some.csv", f"unit,label\n{order[0]},yes\n{order[1]},no\n{order[2]},skip\n")
    do("record spam some.csv")
    put("two.csv", f"unit,label,annotator\n{order[0]},no,bob\n")
    do("record spam two.csv")
    do("draw spam --budget 2")
    assert do("export spam --to asreview --out screen.csv").out == "8 units written to screen.csv\n"
    with Path("screen.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["unit", "subject", "included"]
    assert [row["unit"] for row in rows] == [*order, *waiting("spam")[-2:]]
    assert [row["included"] for row in rows] == ["", "0", *[""] * 6]  # two judges differ; a skip
    text = Path("screen.csv").read_text().replace(",\n", ",1\n")
    put("back.csv", text.replace("included", "asreview_label"))
    assert do("record spam back.csv --as asreview --annotator cat --json").json["waiting"] == 0


def test_asreview_has_two_labels() -> None:
    news(budget=3)
    assert ask("export news --to asreview") == Answer(
        64,
        "",
        "aliquot: asreview has records that are included or not, and this study has grades(0..3). "
        "Use csv or jsonl.\n",
    )


def test_an_empty_study_has_nothing_to_screen() -> None:
    spam()
    assert do("export spam --to asreview").out == "unit,included\n"
    assert do("export spam --to label-studio").out == "[\n]\n"


def test_pairs_come_back_from_splink() -> None:
    put("pairs.csv", "pair,p\n" + "".join(f"a{n} b{n},0.{n}\n" for n in range(1, 9)))
    do("init pairs --units pairs.csv --id pair --score 'match=p>=0.5' --measure Precision")
    do("draw pairs --budget 4")
    ids = [unit.split(" ") for unit in waiting("pairs")]
    lines = [f"{left},{right},{n % 2}" for n, (left, right) in enumerate(ids)]
    put("clerical.csv", "unique_id_l,unique_id_r,clerical_match_score\n" + "\n".join(lines))
    assert do("record pairs clerical.csv --as splink --json").json["added"] == 4


@pytest.mark.parametrize("kind", ["label-studio", "asreview", "splink"])
def test_no_format_is_recorded_by_half(kind: str) -> None:
    spam(budget=3)
    before = everything()
    for content in ("", "[1", "a,b\n1,2\n", "\x00"):
        put("odd.csv", content)
        put("odd.json", content)
        for name in ("odd.csv", "odd.json"):
            answer = ask(f"record spam {name} --as {kind}")
            assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)
            Path(name).unlink()
    assert everything() == before

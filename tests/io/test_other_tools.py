"""Labels as other tools write them: Label Studio, ASReview and Splink."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from aliquot.io.asreview import LABELS
from aliquot.io.label_rows import LabelRows
from aliquot.io.label_studio import SHORT
from aliquot.io.labels import read_labels
from tests.io.refusal import put, refusal

FULL = "Export it from Label Studio as JSON."


def choice(text: str, name: str = "label") -> dict[str, Any]:
    return {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": [text]}}


def annotation(*parts: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"id": 1, "completed_by": 3, "result": list(parts), "lead_time": 2.5} | more


def tasks(*found: list[dict[str, Any]], name: str = "export.json") -> Path:
    """An export with one task for each list of annotations."""
    units = [{"data": {"unit": f"d{n}", "text": "x"}} for n in range(len(found))]
    whole = [unit | {"id": n, "annotations": found[n]} for n, unit in enumerate(units)]
    return put(name, json.dumps(whole))


def case(found: Any, said: str) -> tuple[Any, str]:
    """What a file holds, and the error that it ends with."""
    return found, said


def studio(path: Path, id_name: str = "unit") -> LabelRows:
    return read_labels(path, fmt="label-studio", id_name=id_name)


def test_label_studio_gives_each_annotation_of_each_task() -> None:
    note = {"from_name": "why", "type": "textarea", "value": {"text": ["blurred", "twice"]}}
    path = tasks(
        [annotation(choice("yes"), note, created_at="2026-01-02", updated_at="2026-01-03")],
        [annotation(was_cancelled=True), annotation(choice("no"), completed_by={"email": "a@b"})],
        [],
        [annotation()],
        [annotation({"value": {"rating": 3}}), annotation({"value": {"number": 0.5}})],
    )
    assert studio(path) == LabelRows(
        path="export.json",
        unit=["d0", "d1", "d1", "d4", "d4"],
        label=["yes", "skip", "no", "3", "0.5"],
        annotator=["3", "3", "a@b", "3", "3"],
        at=["2026-01-03", "", "", "", ""],
        note=["blurred twice", "", "", "", ""],
        line=[1, 2, 2, 5, 5],
        noun="task",
        unjudged=2,
    )


def test_a_prediction_is_no_label() -> None:
    whole = [{"data": {"unit": "a"}, "annotations": [], "predictions": [annotation(choice("yes"))]}]
    found = studio(put("a.json", json.dumps(whole)))
    assert (found.unit, found.unjudged) == ([], 1)


@pytest.mark.parametrize("place", ["data", "meta"])
def test_the_unit_stands_in_the_data_or_beside_it(place: str) -> None:
    for names, unit in (
        ({"pmid": 7}, "7"),
        ({"unit": "x"}, "x"),
        ({"topic": 1, "doc": "d"}, "1 d"),
    ):
        task = {"data": {"text": "t"}, "annotations": [annotation(choice("yes"))]}
        path = put("a.json", json.dumps([task | {place: names | {"text": "t"}}]))
        assert studio(path, "pmid").unit == [unit]


def test_of_several_questions_the_one_called_label_counts() -> None:
    both = annotation(choice("red", "colour"), choice("yes"))
    assert studio(tasks([both])).label == ["yes"]


@pytest.mark.parametrize("name", ["a.json", "a.csv"])
def test_a_short_export_is_read_with_a_note(name: str) -> None:
    row = {"unit": "d0", "label": "yes", "annotator": 3, "updated_at": "2026-01-03", "id": 9}
    cells = [",".join(row), ",".join(map(str, row.values()))]
    path = put(name, json.dumps([row]) if name == "a.json" else "\n".join(cells))
    found = studio(path)
    assert (found.unit, found.label, found.annotator) == (["d0"], ["yes"], ["3"])
    assert (found.at, found.notes) == (["2026-01-03"], (SHORT,))
    assert studio(tasks([])).notes == ()


TWO = {"from_name": "label", "value": {"choices": ["yes", "no"]}}
STUDIO = {
    "two ticked": case(
        [annotation(TWO)],
        "export.json, task 1: 2 choices are ticked: yes, no. Let judges tick one: "
        'choice="single" in the labelling interface.',
    ),
    "two questions": case(
        [annotation(choice("red", "colour"), choice("big", "size"))],
        "export.json, task 1: an annotation answers several questions: colour, size. Call the one "
        'that counts name="label" in the labelling interface.',
    ),
}


@pytest.mark.parametrize("name", STUDIO)
def test_what_is_not_one_label_is_refused(name: str) -> None:
    found, said = STUDIO[name]
    assert refusal(lambda: studio(tasks(found))) == said


BROKEN = {
    "not JSON": case(
        "[{",
        f"a.json: this is not JSON (Expecting property name enclosed in double quotes). {FULL}",
    ),
    "no list": case('{"data": {}}', f"a.json: this is JSON, but not a list of tasks. {FULL}"),
    "no tasks": case("[1]", f"a.json: this is JSON, but not a list of tasks. {FULL}"),
    "empty": case(
        "[]",
        "a.json: there is no column unit; the columns are label, annotator, at, note. "
        "Name the columns unit and label (for runs: topic, doc and label).",
    ),
    "no label": case(
        '[{"unit": "a"}]',
        "a.json, task 1: there is no label, nor a list of annotations. "
        'Export it from Label Studio as JSON, or call the question name="label".',
    ),
    "no unit": case(
        '[{"data": {"text": "x"}, "annotations": []}]',
        "a.json: there is no column unit; "
        "the columns are label, annotator, at, note. Name the columns unit and label (for "
        "runs: topic, doc and label).",
    ),
    "a list as unit": case(
        '[{"data": {"unit": [1]}, "annotations": []}]',
        "a.json, task 1, column unit: a list is not text. Write one text or number there.",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_export_of_label_studio_is_refused(name: str) -> None:
    text, said = BROKEN[name]
    assert refusal(lambda: studio(put("a.json", text))) == said


@pytest.mark.parametrize("name", LABELS)
def test_asreview_has_many_names_for_its_labels(name: str) -> None:
    path = put("a.csv", f"pmid,{name},asreview_note\n7,1,good\n8,0,\n9,,\n10,-1,\n")
    found = read_labels(path, fmt="asreview", id_name="pmid")
    assert (found.unit, found.label, found.note) == (["7", "8"], ["1", "0"], ["good", ""])
    assert (found.line, found.unjudged) == ([2, 3], 2)


def test_asreview_is_read_from_a_spreadsheet_s_tsv_and_from_parquet() -> None:
    put("a.tsv", "unit\tincluded\nx\t1\n")
    pq.write_table(pa.table({"unit": ["x", "y"], "included": [1.0, -1.0]}), "a.parquet")
    for name in ("a.tsv", "a.parquet"):
        found = read_labels(name, fmt="asreview")
        assert (found.unit, found.label) == (["x"], ["1"])


def test_an_own_label_of_asreview_goes_before_one_that_was_imported() -> None:
    path = put("a.csv", "unit,included,asreview_label\nx,0,1\n")
    assert read_labels(path, fmt="asreview").label == ["1"]


RIS = """\
TY  - JOUR
ID  - d1
TI  - One
N1  - seen in print
N1  - ASReview_relevant
ER  -

TY  - JOUR
ID  - d2
N1  - ASReview_irrelevant
AB  - a long text
that goes on
ER  -
TY  - JOUR
ID  - d3
N1  - ASReview_not_seen
ER  -
"""


def test_asreview_is_read_from_ris() -> None:
    found = read_labels(put("a.ris", RIS), fmt="asreview", id_name="key")
    assert (found.unit, found.label, found.line) == (["d1", "d2"], ["1", "0"], [1, 8])
    assert (found.unjudged, found.named_by) == (1, "ID")
    other = put("b.ris", RIS.replace("ID  -", "AN  -"))
    assert read_labels(other, fmt="asreview", id_name="AN").unit == ["d1", "d2"]


ASREVIEW = {
    "a.csv": case(
        "unit,x\na,1\n",
        "a.csv: there is no label column of ASReview; the columns are unit, "
        "x. Name it asreview_label or included.",
    ),
    "a.ris": case(
        RIS.replace("ID  -", "AN  -"),
        "a.ris: no record has a tag unit or ID. Write each "
        "unit's id there, or give a CSV file with a column for it.",
    ),
    "b.ris": case(
        "a,b\n", "b.ris: there is no record of RIS in this file. Check that it was exported as RIS."
    ),
    "c.ris": case(
        RIS.replace("ID  - d2\n", ""),
        "c.ris, line 8, column ID: the ID is missing. Fill it in, or remove the row.",
    ),
}


@pytest.mark.parametrize("name", ASREVIEW)
def test_what_asreview_did_not_write_is_refused(name: str) -> None:
    text, said = ASREVIEW[name]
    assert refusal(lambda: read_labels(put(name, text), fmt="asreview")) == said


SPLINK = "unique_id_l,unique_id_r,clerical_match_score"


def test_splink_names_a_pair_by_both_ids() -> None:
    found = read_labels(put("a.csv", f"{SPLINK}\n1,2,1.0\n3,4,0.0\n5,6,\n"), fmt="splink")
    assert (found.unit, found.label, found.unjudged) == (["1 2", "3 4"], ["1.0", "0.0"], 1)


def test_splink_s_datasets_are_part_of_the_ids() -> None:
    text = f"source_dataset_l,source_dataset_r,{SPLINK}\npeople,firms,1,2,1\n"
    found = read_labels(put("a.csv", text), fmt="splink")
    assert (found.unit, found.label) == (["people-__-1 firms-__-2"], ["1"])


def test_a_pair_of_splink_may_have_an_id_of_its_own() -> None:
    table = {"pair": [7], "clerical_match_score": [1.0], "unique_id_l": ["a"]}
    pq.write_table(pa.table(table), "a.parquet")
    found = read_labels("a.parquet", fmt="splink", id_name="pair")
    assert (found.unit, found.label) == (["7"], ["1"])


SPLINKS = {
    "no score": case(
        "unique_id_l,unique_id_r\n1,2\n",
        "a.csv: there is no column "
        "clerical_match_score; the columns are unique_id_l, unique_id_r. Give "
        "unique_id_l, unique_id_r, clerical_match_score, as Splink does.",
    ),
    "no id": case(
        "unique_id_l,clerical_match_score\n1,1\n",
        "a.csv: there is no column unique_id_r; "
        "the columns are unique_id_l, clerical_match_score. Give unique_id_l, unique_id_r, "
        "clerical_match_score, as Splink does.",
    ),
    "empty id": case(
        f"{SPLINK}\n1,2,1\n,2,1\n",
        "a.csv, line 3, column unique_id_l: the id is missing. Fill it in, or remove the row.",
    ),
}


@pytest.mark.parametrize("name", SPLINKS)
def test_what_splink_did_not_write_is_refused(name: str) -> None:
    text, said = SPLINKS[name]
    assert refusal(lambda: read_labels(put("a.csv", text), fmt="splink")) == said

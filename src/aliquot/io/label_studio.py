"""Label Studio: tasks for it to import, and its labels back.

What is read is its full export (JSON). The short ones (JSON_MIN, CSV) leave skipped tasks out, and
a skip is data; they are read too, and a note says so. Predictions are never read as labels.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from aliquot.errors import InputError
from aliquot.io.atomic import text_sink
from aliquot.io.cells import DOC_NAMES, TOPIC_NAMES
from aliquot.io.jsonl import parsed
from aliquot.io.label_rows import LabelRows, csv_columns, from_columns
from aliquot.io.place import Place
from aliquot.io.text import AnyPath, read_text

SHORT = (
    "this short export of Label Studio leaves skipped tasks out, so that they look as if they "
    "waited; export JSON, not JSON_MIN or CSV"
)
FULL = "Export it from Label Studio as JSON"

Object = Mapping[str, Any]


def read(path: AnyPath, id_name: str) -> LabelRows:
    """Read labels from an export of Label Studio: JSON, or with a note JSON_MIN or CSV."""
    if os.fspath(path).lower().endswith((".csv", ".csv.gz")):
        columns, place = csv_columns(path)
        return from_columns(_renamed(columns), place, id_name, notes=(SHORT,))
    where = os.fspath(path)
    tasks = parsed(read_text(path), where, FULL)
    if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
        raise InputError("this is JSON, but not a list of tasks", where=where, do=FULL)
    names = (id_name, "unit", *TOPIC_NAMES, *DOC_NAMES)
    rows, numbers = [], []
    for number, task in enumerate(tasks, 1):
        for row in _rows(task, f"{where}, task {number}"):
            rows.append(_unit(task, names) | row)
            numbers.append(number)
    place = Place(where, "task", numbers.__getitem__)
    kept = [name for name in names if any(name in row for row in rows)]
    columns_ = {name: [row.get(name, "") for row in rows] for name in kept}
    for name in ("label", "annotator", "at", "note"):
        columns_[name] = [row.get(name, "") for row in rows]
    short = any("annotations" not in task for task in tasks)
    return from_columns(columns_, place, id_name, notes=(SHORT,) if short else ())


def write_tasks(rows: Sequence[Object], target: Path | TextIO, *, overwrite: bool = False) -> None:
    """Write units as tasks, in order, without predictions: `data` is what the judge is shown."""
    with text_sink(target, overwrite=overwrite) as sink:
        sink.write("[")
        for number, row in enumerate(rows):
            task = json.dumps({"data": dict(row)}, ensure_ascii=False, default=str)
            sink.write(f"{',' if number else ''}\n  {task}")
        sink.write("\n]\n")


def _renamed(columns: Object) -> dict[str, Any]:
    found = dict(columns)
    for name, theirs in (("at", "updated_at"), ("at", "created_at")):
        if theirs in found:
            found.setdefault(name, found[theirs])
    return found


def _unit(task: Object, names: Sequence[str]) -> dict[str, Any]:
    """Return what names the unit: in `data`, in `meta`, or in a short task itself."""
    places = (task.get("data"), task.get("meta"), task if "data" not in task else None)
    found: dict[str, Any] = {}
    for place in places:
        if isinstance(place, dict):
            found = {name: place[name] for name in names if name in place} | found
    return found


def _rows(task: Object, where: str) -> Iterator[dict[str, Any]]:
    """Yield a row for each annotation; a task without one waits still."""
    if "annotations" not in task:
        found = _renamed(task)
        yield {"label": _short(found.get("label"), where)} | {
            name: found[name] for name in ("annotator", "at") if name in found
        }
        return
    annotations = [one for one in task["annotations"] or () if isinstance(one, dict)]
    for one in annotations:
        yield {
            "label": "skip" if one.get("was_cancelled") else _label(one, where),
            "annotator": _person(one.get("completed_by")),
            "at": one.get("updated_at") or one.get("created_at") or "",
            "note": " ".join(_texts(one)),
        }
    if not annotations:
        yield {"label": ""}


def _label(annotation: Object, where: str) -> object:
    """Return the one choice, rating or number of an annotation; of several that called `label`."""
    found = [
        (part.get("from_name"), value)
        for part in _parts(annotation)
        if (value := _answer(part["value"], where)) is not None
    ]
    named = [value for name, value in found if name == "label"]
    answers = named or [value for _, value in found]
    if len(answers) > 1:
        names = ", ".join(str(name) for name, _ in found)
        raise InputError(
            f"an annotation answers several questions: {names}",
            where=where,
            do='Call the one that counts name="label" in the labelling interface',
        )
    return answers[0] if answers else ""


def _parts(annotation: Object) -> list[Object]:
    parts = annotation.get("result") or ()
    return [p for p in parts if isinstance(p, dict) and isinstance(p.get("value"), dict)]


def _answer(value: Object, where: str) -> object:
    if "choices" in value:
        return _one(value["choices"], where)
    return next((value[name] for name in ("rating", "number") if name in value), None)


def _one(choices: object, where: str) -> object:
    if not isinstance(choices, list):
        return choices
    if len(choices) > 1:
        raise InputError(
            f"{len(choices)} choices are ticked: {', '.join(map(str, choices))}",
            where=where,
            do='Let judges tick one: choice="single" in the labelling interface',
        )
    return choices[0] if choices else ""


def _short(label: object, where: str) -> object:
    if label is None:
        raise InputError(
            "there is no label, nor a list of annotations",
            where=where,
            do=f'{FULL}, or call the question name="label"',
        )
    return _one(label["choices"], where) if isinstance(label, dict) and label else label


def _person(who: object) -> object:
    """Name who judged: the address where the export has it, else the number."""
    if isinstance(who, dict):
        return who.get("email") or who.get("username") or who.get("id")
    return who


def _texts(annotation: Object) -> list[str]:
    found = [part["value"].get("text") for part in _parts(annotation)]
    return [str(t) for one in found if one for t in (one if isinstance(one, list) else [one])]

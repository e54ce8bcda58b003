"""Labels from ASReview: a table with one of its label columns, or a RIS file with its notes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from aliquot.errors import InputError
from aliquot.io.label_rows import Columns, LabelRows, from_columns
from aliquot.io.place import Place, listed
from aliquot.io.text import AnyPath, iter_lines

LABELS = (
    "asreview_label",
    "included",
    "label",
    "final_included",
    "label_included",
    "included_label",
    "included_final",
    "included_flag",
    "include",
)
MORE = {"asreview_time": "at", "asreview_note": "note"}
NOT_SEEN = ("", "-1", "-1.0")

_TAG = re.compile(r"([A-Z][A-Z0-9])  -(?: (.*))?")
_NOTES = {"ASReview_relevant": "1", "ASReview_irrelevant": "0", "ASReview_not_seen": ""}


def columns(found: Columns, place: Place) -> dict[str, Sequence[object]]:
    """Give the columns of ASReview the names of a sheet; what was not seen has no label."""
    name = next((one for one in LABELS if one in found), None)
    if name is None:
        raise InputError(
            f"there is no label column of ASReview; the columns are {listed(list(found))}",
            where=place.name,
            do=f"Name it {LABELS[0]} or {LABELS[1]}",
        )
    kept = {MORE.get(one, one): values for one, values in found.items() if one not in LABELS}
    return kept | {"label": ["" if str(value) in NOT_SEEN else value for value in found[name]]}


def read_ris(path: AnyPath, id_name: str) -> LabelRows:
    """Read a RIS file: the unit stands in the tag that the id column is called, or in ID."""
    records = _records(path)
    lines = [line for line, _ in records]
    place = Place(os.fspath(path), "line", lines.__getitem__)
    tag = next((one for one in (id_name, "ID") if any(one in r for _, r in records)), None)
    if tag is None:
        raise InputError(
            f"no record has a tag {id_name} or ID",
            where=place.name,
            do="Write each unit's id there, or give a CSV file with a column for it",
        )
    units = [record.get(tag, [""])[0] for _, record in records]
    found = {tag: units, "label": [_label(record) for _, record in records]}
    return from_columns(found, place, tag)


def _records(path: AnyPath) -> list[tuple[int, dict[str, list[str]]]]:
    """Return each record with the line that it begins on: its values by tag."""
    found: list[tuple[int, dict[str, list[str]]]] = []
    open_ = False
    for number, line in iter_lines(path):
        match = _TAG.fullmatch(line.rstrip())
        if not match:
            continue  # the second line of a long value
        tag, value = match[1], (match[2] or "").strip()
        if tag == "ER":
            open_ = False
            continue
        if not open_:
            found.append((number, {}))
            open_ = True
        found[-1][1].setdefault(tag, []).append(value)
    if not found:
        raise InputError(
            "there is no record of RIS in this file",
            where=os.fspath(path),
            do="Check that it was exported as RIS",
        )
    return found


def _label(record: Mapping[str, list[str]]) -> str:
    """Read the note that ASReview writes; a record without one was not seen."""
    return next((_NOTES[note] for note in record.get("N1", []) if note in _NOTES), "")

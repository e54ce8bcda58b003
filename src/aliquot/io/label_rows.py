"""Rows of labels, from columns of anything: text as it stands, and the line where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from aliquot.errors import InputError
from aliquot.io.cells import DOC_NAMES, TOPIC_NAMES, cell_text, unshielded
from aliquot.io.csv_rows import read_records
from aliquot.io.place import Noun, Place, listed
from aliquot.io.text import AnyPath, open_bytes

OPTIONAL = ("annotator", "at", "note")
_OURS = ("label", *OPTIONAL, "state", "value", "pi", "batch", "order")  # of sheets and exports

Columns = Mapping[str, Sequence[object]]


@final
@dataclass(frozen=True)
class LabelRows:
    """Labels in the order of their file; `line` is where each one stands, counted from 1.

    `named_by` is the column, or columns, that name the unit. A row without a label is not judged
    yet: it is left out and counted in `unjudged`. `complete` says that the source holds judgments
    of many other units too, as qrels do. `notes` say what the file can't.
    """

    path: str
    unit: list[str] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    annotator: list[str] = field(default_factory=list)
    at: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    noun: Noun = "line"
    named_by: str = "unit"
    complete: bool = False
    unjudged: int = 0
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.unit)


def csv_columns(path: AnyPath, delimiter: str = ",") -> tuple[dict[str, list[str]], Place]:
    """Read the columns of a CSV file, without the apostrophes that keep spreadsheets safe."""
    where = str(path)
    header, records = read_records(open_bytes(path), where, delimiter)
    # Spreadsheets save the empty rows below a table too.
    filled = [(line, cells) for line, cells in records if any(cells)]
    lines = [line for line, _ in filled]
    place = Place(where, "line", lines.__getitem__)
    return {
        name: [unshielded(cells[at]) for _, cells in filled] for at, name in enumerate(header)
    }, place


def from_columns(
    columns: Columns, place: Place, id_name: str, *, notes: tuple[str, ...] = ()
) -> LabelRows:
    """Keep the judged rows, as text; unused columns are ignored."""
    names = list(columns)
    units = _unit_columns(names, id_name)
    if not units or "label" not in columns:
        raise _no_column("label" if units else id_name, names, place, id_name)

    def text(name: str, row: int) -> str:
        if name not in columns:
            return ""
        return cell_text(columns[name][row], place, row, name)

    rows = LabelRows(place.name, noun=place.noun, named_by=" and ".join(units))
    unjudged = 0
    for row in range(len(columns["label"])):
        unit = _unit(units, row, text, place)
        label = text("label", row)
        if not label.strip():
            unjudged += 1
            continue
        rows.unit.append(unit)
        rows.label.append(label)
        for name, kept in zip(OPTIONAL, (rows.annotator, rows.at, rows.note), strict=True):
            kept.append(text(name, row))
        rows.line.append(place.number(row))
    if not rows.unit and not unjudged:
        raise InputError("there are no rows", where=place.name, do="Add a row for each judgment")
    return replace(rows, unjudged=unjudged, notes=notes)


def _unit_columns(names: Sequence[str], id_name: str) -> tuple[str, ...]:
    """Return the column that names the unit, or the two that do so for runs."""
    for name in ("unit", id_name) if id_name in _OURS else (id_name, "unit"):
        if name in names and name != "label":
            return (name,)
    topic = next((name for name in TOPIC_NAMES if name in names), None)
    doc = next((name for name in DOC_NAMES if name in names), None)
    return (topic, doc) if topic and doc else ()


def _unit(units: Sequence[str], row: int, text: Callable[[str, int], str], place: Place) -> str:
    parts = [text(name, row) for name in units]
    for name, part in zip(units, parts, strict=True):
        if not part:
            raise InputError(
                f"the {name} is missing",
                where=place.at(row, column=name),
                do="Fill it in, or remove the row",
            )
    return " ".join(parts)


def _no_column(name: str, names: list[str], place: Place, id_name: str) -> InputError:
    do = f"Name the columns {id_name} and label"
    if id_name == "unit":
        do += " (for runs: topic, doc and label)"
    if len(names) == 1 and ";" in names[0]:
        do = "Separate the columns with commas, not semicolons"
    if len(names) == 1 and "\t" in names[0]:
        do = "Separate the columns with commas, or read the file with --as tsv"
    return InputError(
        f"there is no column {name}; the columns are {listed(names)}", where=place.name, do=do
    )

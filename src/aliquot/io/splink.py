"""Labels of record pairs, in the table of clerical labels that Splink has."""

from __future__ import annotations

from collections.abc import Sequence

from aliquot.errors import InputError
from aliquot.io.cells import cell_text
from aliquot.io.label_rows import Columns
from aliquot.io.place import Place, listed

SCORE = "clerical_match_score"
IDS = ("unique_id_l", "unique_id_r")
SOURCES = ("source_dataset_l", "source_dataset_r")


def columns(found: Columns, place: Place, id_name: str) -> dict[str, Sequence[object]]:
    """Give the columns of Splink the names of a sheet.

    A pair is called by the id column where there is one, else by both ids with a blank between;
    with datasets each id is written as Splink writes it, `people-__-17`.
    """
    own = [name for name in (id_name, "unit") if name in found]
    lost = [name for name in (SCORE, *(() if own else IDS)) if name not in found]
    if lost:
        raise InputError(
            f"there is no column {lost[0]}; the columns are {listed(list(found))}",
            where=place.name,
            do=f"Give {', '.join((*IDS, SCORE))}, as Splink does",
        )
    kept: dict[str, Sequence[object]] = {name: found[name] for name in own}
    if not own:
        both = zip(_names(found, place, 0), _names(found, place, 1), strict=True)
        kept["unit"] = [f"{left} {right}" for left, right in both]
    return kept | {"label": found[SCORE]}


def _names(found: Columns, place: Place, side: int) -> list[str]:
    """Name the records of one side of every pair."""
    names = []
    for row, value in enumerate(found[IDS[side]]):
        text = cell_text(value, place, row, IDS[side])
        if not text:
            where = place.at(row, column=IDS[side])
            raise InputError("the id is missing", where=where, do="Fill it in, or remove the row")
        source = found[SOURCES[side]][row] if SOURCES[side] in found else ""
        dataset = cell_text(source, place, row, SOURCES[side])
        names.append(f"{dataset}-__-{text}" if dataset else text)
    return names

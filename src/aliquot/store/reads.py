"""What the ledger holds, as the values that were written."""

from __future__ import annotations

import json
import sqlite3
from itertools import groupby
from operator import itemgetter
from typing import Any

from aliquot.core.records import DrawRow, FrameRow, Header, Judgment
from aliquot.errors import StudyDamagedError, StudyMissingError
from aliquot.store.drawn import UnitRow, units_of

_DRAWS = """
SELECT batch, design, goal, seed, frame, frame_hash, budget, params, created, units
FROM draws ORDER BY batch
"""

_DRAW_UNITS = """
SELECT batch, unit, key, pi, conditional, before, stratum, count, ord, new
FROM draw_units ORDER BY id
"""

_HISTORY = """
SELECT u.unit, j.label, j.value, j.state, j.annotator, j.at, j.note
FROM judgments AS j JOIN draw_units AS u ON u.id = j.draw_unit
ORDER BY j.id
"""

_STANDING = """
SELECT u.unit, j.label, j.value, j.state, j.annotator, j.at, j.note
FROM judgments AS j JOIN draw_units AS u ON u.id = j.draw_unit
WHERE j.id IN (SELECT max(id) FROM judgments GROUP BY draw_unit, annotator)
ORDER BY j.id
"""


def has_header(db: sqlite3.Connection) -> bool:
    """Say whether `create` was called."""
    return db.execute("SELECT 1 FROM header").fetchone() is not None


def header(db: sqlite3.Connection, where: str) -> Header:
    """Read what `create` wrote."""
    row = db.execute("SELECT seed, kind, scale, measures, id_name, created FROM header").fetchone()
    if row is None:
        raise study_missing(where)
    seed, kind, scale, measures, id_name, created = row
    return Header(int(seed), kind, scale, tuple(json.loads(measures)), id_name, created)


def frames(db: sqlite3.Connection) -> list[FrameRow]:
    """Every version of the frame, oldest first."""
    rows = db.execute("SELECT version, hash, units, manifest, created FROM frames ORDER BY version")
    return [FrameRow(*row) for row in rows]


def draws(db: sqlite3.Connection, where: str) -> list[DrawRow]:
    """Every draw with its units, oldest first."""
    # Draws are written one after the other, so the rows of each are neighbours.
    units: dict[int, list[UnitRow]] = {
        batch: [row[1:] for row in rows]
        for batch, rows in groupby(db.execute(_DRAW_UNITS), itemgetter(0))
    }
    return [_draw(row, units.get(row[0], []), where) for row in db.execute(_DRAWS)]


def judgments(db: sqlite3.Connection) -> list[Judgment]:
    """The last judgment of each unit and annotator, in the order recorded."""
    return [Judgment(*row) for row in db.execute(_STANDING)]


def history(db: sqlite3.Connection) -> list[Judgment]:
    """Every judgment, in the order recorded."""
    return [Judgment(*row) for row in db.execute(_HISTORY)]


def study_missing(where: str) -> StudyMissingError:
    """A file in which no study was ever completed."""
    return StudyMissingError(
        "there is no study in this file: it is empty, or its creation was cut short",
        where=where,
        do="Create the study again",
    )


def _draw(row: tuple[Any, ...], units: list[UnitRow], where: str) -> DrawRow:
    batch, design, goal, seed, frame, frame_hash, budget, params, created, count = row
    if len(units) != count:
        raise StudyDamagedError(
            f"batch {batch} has {len(units)} of its {count} units",
            where=where,
            do="Bring the study back from a copy",
        )
    return DrawRow(
        batch=batch,
        design=design,
        goal=goal,
        seed=int(seed),
        frame=frame,
        frame_hash=frame_hash,
        budget=budget,
        params=params,
        created=created,
        units=units_of(units),
    )

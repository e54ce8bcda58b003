"""The jobs of the writing thread: each appends rows, or raises and leaves none.

They run under SQLite's write lock, so what they look up first is still so when they write.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Sequence
from typing import get_args

from aliquot.core.records import DrawRow, FrameRow, Header, Judgment, State
from aliquot.errors import LabelError, StudyError, StudyExistsError
from aliquot.store.drawn import UnitRow

_NEW_ROW_OF_UNIT = "SELECT batch FROM draw_units WHERE unit = ? AND new = 1 AND batch <> ?"

_STANDING = """
SELECT u.id, j.label, j.state, j.note
FROM draw_units AS u
LEFT JOIN judgments AS j ON j.id = (
    SELECT max(id) FROM judgments WHERE draw_unit = u.id AND annotator = ?
)
WHERE u.unit = ? AND u.new = 1
"""

_STATES = get_args(State)

Said = tuple[str, str, str]  # label, state, note


def create(db: sqlite3.Connection, header: Header, frame: FrameRow, where: str) -> None:
    """Write the header and the first frame."""
    if db.execute("SELECT 1 FROM header").fetchone():
        raise study_exists(where)
    measures = json.dumps(list(header.measures), ensure_ascii=False)
    db.execute(
        "INSERT INTO header (id, seed, kind, scale, measures, id_name, created) "
        "VALUES (1, ?, ?, ?, ?, ?, ?)",
        (str(header.seed), header.kind, header.scale, measures, header.id_name, header.created),
    )
    add_frame(db, frame, where)


def add_frame(db: sqlite3.Connection, frame: FrameRow, where: str) -> None:
    """Append a version of the frame."""
    (last,) = db.execute("SELECT max(version) FROM frames").fetchone()
    if last is not None and frame.version <= last:
        raise StudyError(
            f"frame version {frame.version} can't follow version {last}",
            where=where,
            do="Another process may have added one: open the study again, then add the next",
        )
    db.execute(
        "INSERT INTO frames (version, hash, units, manifest, created) VALUES (?, ?, ?, ?, ?)",
        (int(frame.version), frame.hash, int(frame.units), frame.manifest, frame.created),
    )


def add_draw(
    db: sqlite3.Connection, draw: DrawRow, kind: str, rows: list[UnitRow], where: str
) -> None:
    """Append a draw and its units."""
    _check_place(db, draw, where)
    db.execute(
        "INSERT INTO draws (batch, design, goal, seed, frame, frame_hash, budget, params, kind, "
        "units, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(int(draw.batch), draw.design, draw.goal, str(draw.seed)),
            *(int(draw.frame), draw.frame_hash, int(draw.budget), draw.params),
            *(kind, len(rows), draw.created),
        ),
    )
    try:
        db.executemany(
            "INSERT INTO draw_units (batch, unit, key, pi, conditional, before, stratum, count, "
            "ord, new) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((int(draw.batch), *row) for row in rows),
        )
    except sqlite3.IntegrityError:
        _check_new(db, draw, rows, where)
        raise


def record(db: sqlite3.Connection, judgments: Sequence[Judgment], where: str) -> tuple[int, int]:
    """Append the judgments that say something new; return how many, and how many did not."""
    points: dict[str, int] = {}
    standing: dict[tuple[str, str], Said | None] = {}
    added: list[tuple[int, str, str, str, float | None, str, str]] = []
    unknown: dict[str, None] = {}
    for judgment in judgments:
        who = (judgment.annotator, judgment.unit)
        said: Said = (judgment.label, judgment.state, judgment.note)
        if who not in standing:
            row = db.execute(_STANDING, who).fetchone()
            if row is None:
                unknown[judgment.unit] = None
                continue
            points[judgment.unit] = row[0]
            standing[who] = None if row[2] is None else row[1:]
        if standing[who] != said:
            standing[who] = said
            value = None if judgment.value is None else float(judgment.value)
            told = (judgment.state, judgment.label, value, judgment.at, judgment.note)
            added.append((points[judgment.unit], judgment.annotator, *told))
    if unknown:
        raise _never_drawn(list(unknown), where)
    db.executemany(
        "INSERT INTO judgments (draw_unit, annotator, state, label, value, at, note) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        added,
    )
    return len(added), len(judgments) - len(added)


def check_judgments(judgments: Sequence[Judgment], where: str) -> None:
    """Refuse a state that there is none of, and a value where there is no label."""
    for judgment in judgments:
        if judgment.state not in _STATES:
            raise LabelError(
                f"the state of unit {judgment.unit!r} is {judgment.state!r}",
                where=where,
                do="Use label, skip or unsure; nothing was recorded",
            )
        if (judgment.value is None) == (judgment.state == "label") or (
            judgment.value is not None and math.isnan(judgment.value)
        ):
            raise LabelError(
                f"the value of unit {judgment.unit!r} is {judgment.value!r}, and its state is "
                f"{judgment.state}",
                where=where,
                do="Give a number to a label, and none to skip or unsure; nothing was recorded",
            )


def study_exists(where: str) -> StudyExistsError:
    """A second study where there is one."""
    return StudyExistsError(
        "there is a study already", where=where, do="Open it, or choose another place"
    )


def _never_drawn(units: list[str], where: str) -> LabelError:
    others = len(units) - 1
    more = f" and {others} other{'s' * (others > 1)}" if others else ""
    verb = "were" if others else "was"
    return LabelError(
        f"unit {units[0]!r}{more} {verb} never drawn",
        where=where,
        do="Record units that are in the queue; nothing was recorded",
    )


def _check_place(db: sqlite3.Connection, draw: DrawRow, where: str) -> None:
    """Refuse a draw that does not come next, or whose frame the study does not hold."""
    (last,) = db.execute("SELECT max(batch) FROM draws").fetchone()
    if last is not None and draw.batch <= last:
        raise StudyError(
            f"batch {draw.batch} can't follow batch {last}",
            where=where,
            do="Another process may have drawn meanwhile: open the study again, then draw",
        )
    frame = (int(draw.frame), draw.frame_hash)
    if not db.execute("SELECT 1 FROM frames WHERE version = ? AND hash = ?", frame).fetchone():
        raise StudyError(
            f"batch {draw.batch} was drawn from frame {draw.frame} with hash "
            f"{draw.frame_hash!r}, which the study does not hold",
            where=where,
            do="Add the frame first, or draw from one that the study holds",
        )


def _check_new(db: sqlite3.Connection, draw: DrawRow, rows: list[UnitRow], where: str) -> None:
    """Name the unit whose `new` the earlier draws speak against."""
    for unit, *_, new in rows:
        earlier = db.execute(_NEW_ROW_OF_UNIT, (unit, int(draw.batch))).fetchone()
        if bool(new) == (earlier is not None):
            says = "new" if new else "not new"
            holds = f"batch {earlier[0]} holds it" if earlier else "no earlier draw holds it"
            raise StudyError(
                f"unit {unit!r} is {says} in batch {draw.batch}, but {holds}",
                where=where,
                do="Another process may have drawn meanwhile: open the study again, then draw",
            )

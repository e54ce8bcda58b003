"""The tables refuse what can't be, whichever program writes it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from aliquot.store.connections import Options, connect
from tests.store.samples import make

FRAME = {"version": 2, "hash": "bb", "units": 3, "manifest": "{}", "created": ""}
# fmt: off
DRAW = {
    "batch": 2, "design": "d", "goal": "g", "seed": "1", "frame": 1, "frame_hash": "aa11",
    "budget": 3, "params": "{}", "kind": "probability", "units": 1, "created": "",
}
UNIT = {
    "batch": 1, "unit": "x", "key": -1, "pi": 0.5, "conditional": 0.5, "before": 0.0,
    "stratum": 0, "count": 1, "ord": 1, "new": 1,
}
JUDGMENT = {
    "draw_unit": 1, "annotator": "", "state": "label", "label": "yes", "value": 1.0,
    "at": "", "note": "",
}
# fmt: on
ROWS = {"frames": FRAME, "draws": DRAW, "draw_units": UNIT, "judgments": JUDGMENT}

INSERT = "INSERT INTO {} ({}) VALUES ({})"
INFINITE = float("inf")
NAN = float("nan")

ONCE = "draw_units: a unit is new in exactly one draw, the first that holds it"
ABOVE = "draw_units: pi is above 1 in a draw without replacement"
BOUNDS = "CHECK constraint failed: pi > 0 AND pi <= 1.7976931348623157e308"
VALUE = "CHECK constraint failed: (value IS NULL) = (state <> 'label')"
STATE = "CHECK constraint failed: state IN ('label', 'skip', 'unsure')"

WRONG: list[tuple[str, dict[str, object], str]] = [
    ("frames", {"version": -1}, "frames: rows are only added"),
    ("frames", {"units": -1}, "CHECK constraint failed: units >= 0"),
    ("frames", {"hash": None}, "NOT NULL constraint failed: frames.hash"),
    ("draws", {"batch": -1}, "draws: rows are only added"),
    ("draws", {"frame": 9}, "FOREIGN KEY constraint failed"),
    ("draws", {"frame_hash": "other"}, "FOREIGN KEY constraint failed"),
    ("draws", {"frame_hash": None}, "NOT NULL constraint failed: draws.frame_hash"),
    ("draws", {"budget": -1}, "CHECK constraint failed: budget >= 0"),
    ("draws", {"seed": "x"}, "CHECK constraint failed: seed GLOB '[0-9]*' OR seed GLOB '-[0-9]*'"),
    (
        "draws",
        {"kind": "both"},
        "CHECK constraint failed: kind IN ('probability', 'expected_draws')",
    ),
    ("draw_units", {"batch": 9}, "FOREIGN KEY constraint failed"),
    ("draw_units", {"unit": None}, "NOT NULL constraint failed: draw_units.unit"),
    ("draw_units", {"unit": "u1"}, ONCE),
    ("draw_units", {"new": 0}, ONCE),
    ("draw_units", {"pi": 0.0}, BOUNDS),
    ("draw_units", {"pi": -0.1}, BOUNDS),
    ("draw_units", {"pi": 1.1}, ABOVE),
    ("draw_units", {"pi": INFINITE}, ABOVE),
    ("draw_units", {"pi": NAN}, "NOT NULL constraint failed: draw_units.pi"),
    ("draw_units", {"pi": "half"}, "cannot store TEXT value in REAL column draw_units.pi"),
    ("draw_units", {"conditional": 1.1}, ABOVE),
    ("draw_units", {"conditional": NAN}, "NOT NULL constraint failed: draw_units.conditional"),
    ("draw_units", {"before": NAN}, "NOT NULL constraint failed: draw_units.before"),
    ("draw_units", {"count": 0}, "CHECK constraint failed: count >= 1"),
    ("draw_units", {"count": 1.5}, "cannot store REAL value in INTEGER column draw_units.count"),
    ("draw_units", {"ord": -1}, "CHECK constraint failed: ord >= 0"),
    ("draw_units", {"new": 2}, "CHECK constraint failed: new IN (0, 1)"),
    ("draw_units", {"new": None}, ONCE),
    ("judgments", {"draw_unit": None}, "NOT NULL constraint failed: judgments.draw_unit"),
    ("judgments", {"draw_unit": 999}, "FOREIGN KEY constraint failed"),
    ("judgments", {"state": "maybe"}, STATE),
    ("judgments", {"state": "skip"}, VALUE),
    ("judgments", {"value": None}, VALUE),
    ("judgments", {"value": NAN}, VALUE),
    ("judgments", {"note": None}, "NOT NULL constraint failed: judgments.note"),
]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect(make(tmp_path / "study.db"), "mode=rw", Options())) as made:
        yield made


def insert(db: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    marks = ", ".join("?" * len(row))
    db.execute(INSERT.format(table, ", ".join(row), marks), list(row.values()))


@pytest.mark.parametrize("table", ROWS)
def test_a_row_that_keeps_the_rules_is_taken(table: str, db: sqlite3.Connection) -> None:
    insert(db, table, ROWS[table])


@pytest.mark.parametrize(("table", "change", "says"), WRONG)
def test_a_row_that_breaks_a_rule_is_refused(
    table: str, change: dict[str, object], says: str, db: sqlite3.Connection
) -> None:
    with pytest.raises(sqlite3.IntegrityError) as caught:
        insert(db, table, {**ROWS[table], **change})
    assert str(caught.value) == says


def test_expected_draws_are_positive_and_finite(db: sqlite3.Connection) -> None:
    insert(db, "draws", {**DRAW, "kind": "expected_draws"})
    insert(db, "draw_units", {**UNIT, "batch": 2, "pi": 7.5, "conditional": 7.5})
    for number in (0.0, INFINITE):
        with pytest.raises(sqlite3.IntegrityError, match="CHECK constraint failed: pi > 0"):
            insert(db, "draw_units", {**UNIT, "batch": 2, "unit": "y", "pi": number})


def test_a_judgment_points_to_the_draw_that_its_unit_was_new_in(db: sqlite3.Connection) -> None:
    insert(db, "draws", DRAW)
    insert(db, "draw_units", {**UNIT, "batch": 2, "unit": "u1", "new": 0})
    (last,) = db.execute("SELECT max(id) FROM draw_units").fetchone()
    with pytest.raises(sqlite3.IntegrityError) as caught:
        insert(db, "judgments", {**JUDGMENT, "draw_unit": last})
    assert str(caught.value) == (
        "judgments: a judgment points to the draw that its unit was new in"
    )


def test_a_unit_is_not_both_new_and_drawn_before_in_one_draw(db: sqlite3.Connection) -> None:
    for new in (0, 1):
        with pytest.raises(sqlite3.IntegrityError) as caught:
            insert(db, "draw_units", {**UNIT, "unit": "u1", "new": new})
        assert str(caught.value) == ONCE


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("recursive_triggers", 1),
        ("trusted_schema", 0),
        ("busy_timeout", 10_000),
    ],
)
def test_the_settings_are_the_safe_ones(
    setting: str, value: object, db: sqlite3.Connection
) -> None:
    assert db.execute(f"PRAGMA {setting}").fetchone()[0] == value


def test_every_table_is_strict(db: sqlite3.Connection) -> None:
    rows = db.execute("PRAGMA table_list").fetchall()
    strict = {row[1]: row[5] for row in rows if not row[1].startswith("sqlite_")}
    assert set(strict.values()) == {1}
    assert len(strict) == 6

"""`verify` finds what should not be, and nothing where all is well."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from aliquot.errors import StudyDamagedError
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import label, make

Damage = Callable[[sqlite3.Connection], object]


def drop(name: str) -> Damage:
    return lambda db: db.execute(f"DROP {name}")


def lose_a_unit(db: sqlite3.Connection) -> None:
    (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'draw_units_delete'").fetchone()
    db.execute("DROP TRIGGER draw_units_delete")
    db.execute("DELETE FROM draw_units WHERE unit = 'u1'")
    db.execute(sql)


def allow_change(db: sqlite3.Connection) -> None:
    db.execute("DROP TRIGGER judgments_update")
    db.execute(
        "CREATE TRIGGER judgments_update BEFORE UPDATE ON judgments BEGIN SELECT 'fine'; END"
    )


def lose_an_index_entry(db: sqlite3.Connection) -> None:
    """Point the table at an index that knows nothing of its rows."""
    db.execute("PRAGMA writable_schema = ON")
    db.execute("CREATE TABLE other (unit TEXT)")
    db.execute("CREATE UNIQUE INDEX other_unit ON other (unit)")
    db.execute(
        "UPDATE sqlite_master SET rootpage = "
        "(SELECT rootpage FROM sqlite_master WHERE name = 'other_unit') "
        "WHERE name = 'draw_units_new'"
    )
    db.execute("DELETE FROM sqlite_master WHERE name IN ('other_unit', 'other')")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda db: None, []),
        (drop("TRIGGER draws_delete"), ["The trigger draws_delete is missing."]),
        (drop("INDEX judgments_standing"), ["The index judgments_standing is missing."]),
        (allow_change, ["The trigger judgments_update was changed."]),
        (
            lambda db: db.execute("CREATE TABLE extra (a)"),
            ["The table extra is not aliquot's."],
        ),
        (
            lose_a_unit,
            [
                "Row 1 of judgments points to a row of draw_units that is not there.",
                "Batch 1 has 4 of its 5 units.",
            ],
        ),
    ],
)
def test_each_problem_is_one_sentence(damage: Damage, says: list[str], tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    with SqliteLedger.open_at(path) as ledger:
        ledger.record([label("u1")])
    with closing(sqlite3.connect(path)) as db:
        damage(db)
        db.commit()
    with SqliteLedger.open_at(path) as ledger:
        assert ledger.verify() == says


def test_an_index_that_lost_its_rows_is_found(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    with closing(sqlite3.connect(path)) as db:
        lose_an_index_entry(db)
        db.commit()
    with SqliteLedger.open_at(path) as ledger:
        found = ledger.verify()
    assert "The database is damaged: row 1 missing from index draw_units_new." in found


def test_a_draw_that_lost_a_unit_is_not_read(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    with closing(sqlite3.connect(path)) as db:
        lose_a_unit(db)
        db.commit()
    with SqliteLedger.open_at(path) as ledger, pytest.raises(StudyDamagedError) as caught:
        ledger.draws()
    assert str(caught.value) == (
        f"{path}: batch 1 has 4 of its 5 units. Bring the study back from a copy."
    )


def test_noise_is_a_problem_and_no_traceback(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db", 2_000)
    whole = path.read_bytes()
    path.write_bytes(whole[: 20 * 4096] + bytes(len(whole) - 20 * 4096))
    with SqliteLedger.open_at(path) as ledger:
        found = ledger.verify()
        with pytest.raises(StudyDamagedError) as caught:
            ledger.draws()
    assert found == ["The database can't be read to its end: database disk image is malformed."]
    assert str(caught.value) == (
        f"{path}: the database is damaged (database disk image is malformed). "
        "Bring it back from a copy."
    )


def test_a_study_in_memory_is_verified_too() -> None:
    with SqliteLedger.in_memory() as ledger:
        assert ledger.verify() == []

"""A row is only added: the file itself refuses to change, remove or replace one.

Each statement is tried through a plain connection too, as another program would open the file, and
on a copy of the table without the triggers, where it succeeds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from aliquot.store.connections import Options, connect
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import draw, fill, label, units

KEYS = {
    "migrations": "version",
    "header": "id",
    "frames": "version",
    "draws": "batch",
    "draw_units": "id",
    "judgments": "id",
}
ALL = "SELECT * FROM {table} ORDER BY 1"
REPLACE = "REPLACE INTO draw_units VALUES {row}"
CHANGES = {
    "update": "UPDATE {table} SET {key} = {key}",
    "update or replace": "UPDATE OR REPLACE {table} SET {key} = {key}",
    "delete": "DELETE FROM {table}",
    "replace": "REPLACE INTO {table} SELECT * FROM {table}",
    "insert or replace": "INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1",
    "upsert": "INSERT INTO {table} SELECT * FROM {table} WHERE true "
    "ON CONFLICT ({key}) DO UPDATE SET {key} = {key}",
}


@pytest.fixture(params=["ours", "another program's"])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to a study that has a row in each table."""
    path = tmp_path / "study.db"
    with SqliteLedger.create_at(path) as ledger:
        fill(ledger)
        ledger.add_draw(draw(2, units(["u1", "u2"], new=False)))
        ledger.record([label("u1"), label("u2")])
    ours = request.param == "ours"
    made = connect(path, "mode=rw", Options()) if ours else sqlite3.connect(path)
    with closing(made):
        yield made


def tables(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def rows(db: sqlite3.Connection, table: str) -> list[object]:
    return db.execute(ALL.format(table=table)).fetchall()


def refused(db: sqlite3.Connection, statement: str) -> str:
    with pytest.raises(sqlite3.IntegrityError) as caught:
        db.execute(statement)
    return str(caught.value)


def without_triggers(db: sqlite3.Connection) -> None:
    """Remove the triggers from the open transaction's view of the file."""
    found = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for (name,) in found:
        db.execute(f"DROP TRIGGER {name}")


def test_every_table_is_tested(db: sqlite3.Connection) -> None:
    assert tables(db) == set(KEYS)
    assert all(rows(db, table) for table in KEYS)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", KEYS)
def test_no_row_is_changed_removed_or_replaced(
    table: str, change: str, db: sqlite3.Connection
) -> None:
    before = rows(db, table)
    statement = CHANGES[change].format(table=table, key=KEYS[table])
    assert refused(db, statement) == f"{table}: rows are only added"
    assert rows(db, table) == before


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", KEYS)
def test_without_the_triggers_it_would_be(table: str, change: str, db: sqlite3.Connection) -> None:
    db.execute("PRAGMA foreign_keys = OFF")
    without_triggers(db)
    assert db.execute(CHANGES[change].format(table=table, key=KEYS[table])).rowcount > 0


@pytest.mark.parametrize(
    "row",
    [
        "(90, 1, 'u1', 1, 0.5, 0.5, 0, 0, 1, 1, 1)",  # an old batch, its new unit
        "(90, 2, 'u1', 1, 0.5, 0.5, 0, 0, 1, 0, 0)",  # the last batch, its old unit
        "(90, 2, 'u1', 1, 0.5, 0.5, 0, 0, 1, 1, 1)",  # the last batch, a unit new before
        "(6, 2, 'x', 1, 0.5, 0.5, 0, 0, 1, 1, 1)",  # the last batch, another unit's id
        "(90, 1, 'x', 1, 0.5, 0.5, 0, 0, 1, 1, 1)",  # an old batch, another unit
    ],
)
def test_no_unit_of_a_draw_is_replaced_by_another_key(row: str, db: sqlite3.Connection) -> None:
    before = rows(db, "draw_units")
    assert refused(db, REPLACE.format(row=row)).startswith("draw_units: ")
    assert rows(db, "draw_units") == before


def test_a_draw_is_not_slipped_in_before_another(db: sqlite3.Connection) -> None:
    statement = (
        "INSERT INTO draws VALUES (0, 'd', 'g', '1', 1, 'aa11', 1, '{}', 'probability', 0, '')"
    )
    assert refused(db, statement) == "draws: rows are only added"
    db.execute(statement.replace("(0", "(3"))

"""Look for what should not be: damage, rows that point nowhere, rules that were removed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from aliquot.store.migrations import Migration

_HALF_DRAWS = """
SELECT d.batch, count(u.id), d.units
FROM draws AS d LEFT JOIN draw_units AS u ON u.batch = d.batch
GROUP BY d.batch HAVING count(u.id) <> d.units
"""


def problems(db: sqlite3.Connection, migrations: Sequence[Migration]) -> list[str]:
    """Return one plain sentence a problem; none where all is well."""
    found: list[str] = []
    for look in (_integrity, _foreign_keys, _half_draws):
        try:
            found += look(db)
        except sqlite3.DatabaseError as error:
            found.append(f"The database can't be read to its end: {error}.")
    return list(dict.fromkeys(found + _schema(db, migrations)))


def _integrity(db: sqlite3.Connection) -> list[str]:
    answers = [str(row[0]) for row in db.execute("PRAGMA integrity_check")]
    return [f"The database is damaged: {answer}." for answer in answers if answer != "ok"]


def _foreign_keys(db: sqlite3.Connection) -> list[str]:
    return [
        f"Row {row} of {table} points to a row of {parent} that is not there."
        for table, row, parent, _ in db.execute("PRAGMA foreign_key_check")
    ]


def _half_draws(db: sqlite3.Connection) -> list[str]:
    return [
        f"Batch {batch} has {held} of its {units} units."
        for batch, held, units in db.execute(_HALF_DRAWS)
    ]


def _schema(db: sqlite3.Connection, migrations: Sequence[Migration]) -> list[str]:
    """Compare the tables, indexes and triggers with those of a new file."""
    expected = _expected(migrations)
    held = _objects(db)
    missing = [f"The {name} is missing." for name in expected if name not in held]
    changed = [
        f"The {name} was changed."
        for name, sql in expected.items()
        if name in held and held[name] != sql
    ]
    foreign = [f"The {name} is not aliquot's." for name in held if name not in expected]
    return missing + changed + foreign


def _expected(migrations: Sequence[Migration]) -> dict[str, str | None]:
    new = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for step in migrations:
            step.apply(new)
        return _objects(new)
    finally:
        new.close()


def _objects(db: sqlite3.Connection) -> dict[str, str | None]:
    rows = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")
    return {f"{kind} {name}": sql for kind, name, sql in rows}

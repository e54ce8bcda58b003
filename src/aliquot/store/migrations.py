"""Bring a study file from any earlier version to the present one.

A migration is a numbered function. It runs in one transaction together with its own record, so
that a file is always at exactly one version, whatever happens in between. The number of the last
one is also the file's `user_version`; `application_id` says that the file is a study's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

from aliquot.errors import StudyError, StudyVersionError
from aliquot.store.faults import fault

APPLICATION_ID = 0x616C6971  # "aliq"

Apply = Callable[[sqlite3.Connection], None]


@final
@dataclass(frozen=True)
class Migration:
    """One step from the version before to this one."""

    version: int
    name: str
    apply: Apply


def migration(registry: list[Migration], version: int) -> Callable[[Apply], Apply]:
    """Register the decorated function as the step to `version`."""
    if version != len(registry) + 1:
        raise ValueError(f"migration {version} can't follow {len(registry)} others")

    def register(apply: Apply) -> Apply:
        registry.append(Migration(version, apply.__name__, apply))
        return apply

    return register


def read_version(db: sqlite3.Connection, latest: int, where: str) -> int:
    """Return the version of the file, 0 where it is empty; refuse what this aliquot can't read."""
    application, version, objects = _said(db)
    if application == version == objects == 0:
        return 0
    if application != APPLICATION_ID:
        raise StudyError(
            "this is an SQLite database, but not a study's",
            where=where,
            do="Give the path of a study, or another path for a new one",
        )
    if version > latest:
        raise StudyVersionError(
            f"a newer aliquot wrote this study (store version {version}, and this aliquot knows "
            f"versions up to {latest})",
            where=where,
            do="Update aliquot with pip install -U aliquot, then open it again",
        )
    return version


def migrate(db: sqlite3.Connection, migrations: Sequence[Migration], where: str) -> None:
    """Run the migrations that the file has not seen, each in a transaction of its own."""
    # Foreign keys are off so that a migration may rebuild a table; each one is checked before it
    # is committed.
    db.execute("PRAGMA foreign_keys = OFF")
    try:
        while (version := read_version(db, len(migrations), where)) < len(migrations):
            _step(db, migrations, version, where)
    finally:
        db.execute("PRAGMA foreign_keys = ON")


def run_script(db: sqlite3.Connection, script: str) -> None:
    """Run the statements of `script` in the open transaction (`executescript` would commit it)."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""
    if statement.strip():
        raise ValueError(f"this statement has no end: {statement}")


def _step(
    db: sqlite3.Connection, migrations: Sequence[Migration], version: int, where: str
) -> None:
    step = migrations[version]
    try:
        db.execute("BEGIN IMMEDIATE")
        # Another process may have run it while this one waited for the lock.
        if read_version(db, len(migrations), where) == version:
            _apply(db, step, where)
        db.execute("COMMIT")
    except BaseException as error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            known = fault(error, where)
            raise _failed(step, known.what, where=where, do=known.do) from error
        raise


def _apply(db: sqlite3.Connection, step: Migration, where: str) -> None:
    step.apply(db)
    broken = db.execute("PRAGMA foreign_key_check").fetchall()
    if broken:
        says = f"{len(broken)} rows would point to rows that are not there"
        raise _failed(step, says, where=where, do="Run aliquot doctor on the study")
    db.execute("INSERT INTO migrations (version, name) VALUES (?, ?)", (step.version, step.name))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {step.version}")


def _failed(step: Migration, says: str, *, where: str, do: str) -> StudyError:
    return StudyError(
        f"bringing the study to store version {step.version} failed, and left it as it was: {says}",
        where=where,
        do=do,
    )


def _said(db: sqlite3.Connection) -> list[int]:
    """What the file says of itself, all at one moment: another process may be making it."""
    queries = (
        "PRAGMA application_id",
        "PRAGMA user_version",
        "SELECT count(*) FROM sqlite_master",
    )
    alone = not db.in_transaction
    if alone:
        db.execute("BEGIN")
    try:
        return [int(db.execute(query).fetchone()[0]) for query in queries]
    finally:
        if alone and db.in_transaction:  # a full disk has ended it already
            db.execute("ROLLBACK")

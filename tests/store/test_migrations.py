"""A file of every earlier version is brought up to date, or left as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from aliquot.core.records import Judgment
from aliquot.errors import StudyError
from aliquot.store.connections import Options, connect
from aliquot.store.ledger import SqliteLedger
from aliquot.store.migrations import APPLICATION_ID, Migration, migrate, migration, run_script
from aliquot.store.versions import MIGRATIONS

HERE = Path(__file__).parent
ALL = "SELECT * FROM {} ORDER BY 1"
SCHEMA = (HERE / "version_1.sql").read_text("utf-8")
ROWS = (HERE / "version_1_rows.sql").read_text("utf-8")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of version 1 with rows."""
    made = tmp_path / "study.db"
    with closing(sqlite3.connect(made)) as db:
        db.executescript(SCHEMA + ROWS)
    return made


@pytest.fixture
def db(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect(path, "mode=rw", Options())) as made:
        yield made


def everything(db: sqlite3.Connection) -> dict[str, object]:
    """All that is in a file: what it says of itself, its objects and its rows."""
    objects = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
    tables = [name for kind, name, _ in objects if kind == "table"]
    rows = {name: db.execute(ALL.format(name)).fetchall() for name in tables}
    said = [
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    ]
    return {"said": said, "objects": objects, **rows}


def add_place(db: sqlite3.Connection) -> None:
    """Stand for a second version: rebuild a table that others point to."""
    run_script(
        db,
        """
        DROP TRIGGER frames_delete;
        DROP TRIGGER frames_insert;
        CREATE TABLE frames_2 (
            version INTEGER PRIMARY KEY, hash TEXT NOT NULL, units INTEGER NOT NULL,
            manifest TEXT NOT NULL, created TEXT NOT NULL, place TEXT NOT NULL DEFAULT '',
            UNIQUE (version, hash)
        ) STRICT;
        INSERT INTO frames_2 SELECT *, 'here' FROM frames;
        DROP TABLE frames;
        ALTER TABLE frames_2 RENAME TO frames;
        """,
    )


SECOND = Migration(2, "m002_place", add_place)


def fails_in_sql(db: sqlite3.Connection) -> None:
    add_place(db)
    db.execute("INSERT INTO nowhere VALUES (1)")


def fails_in_python(db: sqlite3.Connection) -> None:
    add_place(db)
    raise RuntimeError("wrong")


def leaves_rows_that_point_nowhere(db: sqlite3.Connection) -> None:
    db.execute("DROP TRIGGER frames_delete")
    db.execute("DELETE FROM frames")


def test_there_is_one_version() -> None:
    assert [(step.version, step.name) for step in MIGRATIONS] == [(1, "m001_initial")]


def test_the_first_version_is_what_it_was(path: Path, tmp_path: Path) -> None:
    SqliteLedger.create_at(tmp_path / "new.db").close()
    with closing(sqlite3.connect(":memory:")) as old:
        old.executescript(SCHEMA)
        with closing(sqlite3.connect(tmp_path / "new.db")) as new:
            assert everything(new) == everything(old)


def test_a_file_of_the_first_version_is_read(path: Path) -> None:
    with SqliteLedger.open_at(path) as ledger:
        assert ledger.header().measures == ("Recall", "P@10")
        first, second = ledger.draws()
        assert first.units.key.tolist() == [2**64 - 1, 5]
        assert second.seed == 2**128 + 1
        assert second.units.pi.tolist() == [2.5, 0.125]
        assert ledger.judgments() == [
            Judgment("u0", "skip", None, "skip", "ann", "2025-01-04", "unreadable"),
            Judgment("u1", "yes", 1.0, "label", "ann", "2025-01-05", ""),
        ]
        assert len(ledger.history()) == 3
        assert ledger.verify() == []


def test_a_migration_runs_once_with_its_record(db: sqlite3.Connection) -> None:
    before = everything(db)
    for _ in range(2):
        migrate(db, [*MIGRATIONS, SECOND], "here.db")
    after = everything(db)
    assert after["said"] == [APPLICATION_ID, 2]
    assert after["migrations"] == [(1, "m001_initial"), (2, "m002_place")]
    assert after["frames"] == [(1, "aa11", 9, '{"parts": []}', "2025-01-02", "here")]
    for table in ("header", "draws", "draw_units", "judgments"):
        assert after[table] == before[table]
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_file_without_rows_is_migrated_too(tmp_path: Path) -> None:
    with closing(connect(tmp_path / "study.db", "mode=rwc", Options())) as db:
        db.executescript(SCHEMA)
        migrate(db, [*MIGRATIONS, SECOND], "here.db")
        assert everything(db)["said"] == [APPLICATION_ID, 2]
        assert everything(db)["frames"] == []


def test_an_empty_file_takes_all_migrations() -> None:
    with closing(connect(None, "", Options())) as db:
        migrate(db, [*MIGRATIONS, SECOND], "here.db")
        assert everything(db)["migrations"] == [(1, "m001_initial"), (2, "m002_place")]


@pytest.mark.parametrize(
    ("apply", "says"),
    [
        (
            fails_in_sql,
            (
                "the database is not what aliquot wrote (no such table: nowhere). Run aliquot "
                "doctor on the study, or bring it back from a copy"
            ),
        ),
        (
            leaves_rows_that_point_nowhere,
            "2 rows would point to rows that are not there. Run aliquot doctor on the study",
        ),
    ],
)
def test_a_migration_that_fails_leaves_the_file_as_it_was(
    apply: object, says: str, db: sqlite3.Connection
) -> None:
    before = everything(db)
    third = Migration(3, "m003_fails", apply)  # type: ignore[arg-type]
    with pytest.raises(StudyError) as caught:
        migrate(db, [*MIGRATIONS, Migration(2, "m002_fails", apply), third], "here.db")  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"here.db: bringing the study to store version 2 failed, and left it as it was: {says}."
    )
    assert everything(db) == before
    assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_bug_in_a_migration_leaves_the_file_as_it_was(db: sqlite3.Connection) -> None:
    before = everything(db)
    with pytest.raises(RuntimeError, match="wrong"):
        migrate(db, [*MIGRATIONS, Migration(2, "m002", fails_in_python)], "here.db")
    assert everything(db) == before


def test_the_migrations_before_the_one_that_fails_stay(db: sqlite3.Connection) -> None:
    steps = [*MIGRATIONS, SECOND, Migration(3, "m003", fails_in_sql)]
    with pytest.raises(StudyError, match="store version 3 failed"):
        migrate(db, steps, "here.db")
    assert everything(db)["said"] == [APPLICATION_ID, 2]


def test_a_change_that_stayed_would_be_seen(db: sqlite3.Connection) -> None:
    before = everything(db)
    db.execute("PRAGMA foreign_keys = OFF")
    add_place(db)
    assert everything(db) != before


def test_migrations_are_numbered_without_a_gap() -> None:
    registry: list[Migration] = []
    migration(registry, 1)(add_place)
    assert [step.name for step in registry] == ["add_place"]
    for number in (1, 3):
        with pytest.raises(ValueError, match=f"^migration {number} can't follow 1 others$"):
            migration(registry, number)


def test_a_statement_without_an_end_is_a_bug() -> None:
    says = "this statement has no end: SELECT 1"
    with closing(sqlite3.connect(":memory:")) as db, pytest.raises(ValueError, match=says):
        run_script(db, "CREATE TABLE a (b);\nSELECT 1")

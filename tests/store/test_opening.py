"""A file that is no study, or not one that can be read here, is refused in words."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from aliquot.errors import (
    AliquotError,
    StudyDamagedError,
    StudyError,
    StudyExistsError,
    StudyMissingError,
    StudyVersionError,
)
from aliquot.store.connections import refuse_old_sqlite
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import FRAME, HEADER, content, fill, label, make, python

NO_STUDY = "there is no study. Create one, or give the path of one that exists."
NOT_OPENED = (
    "the database can't be opened. Check that its directory is there and that you may read and "
    "write it."
)
OPENERS = [SqliteLedger.open_at, SqliteLedger.create_at]


def refusal(kind: type[AliquotError], call: Callable[[], object]) -> str:
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)
        db.commit()


def test_what_was_written_is_there_after_closing(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    with SqliteLedger.create_at(path) as ledger:
        fill(ledger)
        ledger.record([label("u1")])
        before = content(ledger)
    assert [file.name for file in tmp_path.iterdir()] == ["study.db"]
    with SqliteLedger.open_at(str(path)) as ledger:
        assert content(ledger) == before
        assert ledger.verify() == []


def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    folder = tmp_path / "a?b#c%20d é"
    folder.mkdir()
    path = make(folder / "study.db")
    assert [file.name for file in folder.iterdir()] == ["study.db"]
    with SqliteLedger.open_at(path) as ledger:
        assert ledger.header() == HEADER


def test_a_relative_path_is_named_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with SqliteLedger.create_at("study.db") as ledger:
        assert repr(ledger) == "<SqliteLedger study.db>"
    assert refusal(StudyMissingError, lambda: SqliteLedger.open_at("study.db")) == (
        "study.db: there is no study in this file: it is empty, or its creation was cut short. "
        "Create the study again."
    )


def test_a_missing_file_is_not_made_by_opening_it(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    assert refusal(StudyMissingError, lambda: SqliteLedger.open_at(path)) == (f"{path}: {NO_STUDY}")
    assert list(tmp_path.iterdir()) == []


def test_a_second_study_is_not_made_over_the_first(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    before = path.read_bytes()
    assert refusal(StudyExistsError, lambda: SqliteLedger.create_at(path)) == (
        f"{path}: there is a study already. Open it, or choose another place."
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("left", ["nothing", "an empty file", "tables without a header"])
def test_a_creation_that_was_cut_short_is_completed(left: str, tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    if left == "an empty file":
        path.touch()
    elif left == "tables without a header":
        SqliteLedger.create_at(path).close()
    if left != "nothing":
        assert refusal(StudyMissingError, lambda: SqliteLedger.open_at(path)) == (
            f"{path}: there is no study in this file: it is empty, or its creation was cut short. "
            "Create the study again."
        )
    with SqliteLedger.create_at(path) as ledger:
        ledger.create(HEADER, FRAME)
        assert ledger.verify() == []


@pytest.mark.parametrize("opener", OPENERS)
def test_a_directory_is_not_a_database(
    opener: Callable[[Path], SqliteLedger], tmp_path: Path
) -> None:
    assert refusal(StudyError, lambda: opener(tmp_path)) == (
        f"{tmp_path}: this is a directory, not a database. Give the path of the database."
    )


def test_a_study_is_made_in_a_directory_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "none" / "study.db"
    assert refusal(StudyError, lambda: SqliteLedger.create_at(path)) == (
        f"{path}: its directory is not there. Make the directory first."
    )


@pytest.mark.parametrize("opener", OPENERS)
def test_another_kind_of_file_is_refused_and_left_alone(
    opener: Callable[[Path], SqliteLedger], tmp_path: Path
) -> None:
    path = tmp_path / "study.db"
    path.write_text("unit,label\n" * 1000, "utf-8")
    assert refusal(StudyDamagedError, lambda: opener(path)) == (
        f"{path}: this file is not an SQLite database. Give the path of a study, or bring this "
        "file back from a copy."
    )
    assert path.read_text("utf-8") == "unit,label\n" * 1000


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE songs (name)", "PRAGMA user_version = 1", "PRAGMA application_id = 3"],
)
def test_another_programs_database_is_refused_and_left_alone(
    statement: str, opener: Callable[[Path], SqliteLedger], tmp_path: Path
) -> None:
    path = tmp_path / "study.db"
    change(path, statement)
    before = path.read_bytes()
    assert refusal(StudyError, lambda: opener(path)) == (
        f"{path}: this is an SQLite database, but not a study's. Give the path of a study, or "
        "another path for a new one."
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("opener", OPENERS)
def test_a_study_of_a_newer_aliquot_is_refused_and_left_alone(
    opener: Callable[[Path], SqliteLedger], tmp_path: Path
) -> None:
    path = make(tmp_path / "study.db")
    change(path, "PRAGMA user_version = 2")
    before = path.read_bytes()
    assert refusal(StudyVersionError, lambda: opener(path)) == (
        f"{path}: a newer aliquot wrote this study (store version 2, and this aliquot knows "
        "versions up to 1). Update aliquot with pip install -U aliquot, then open it again."
    )
    assert path.read_bytes() == before


def test_a_file_that_was_cut_off_is_damaged(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db", 2_000)
    path.write_bytes(path.read_bytes()[:50_000])
    assert refusal(StudyDamagedError, lambda: SqliteLedger.open_at(path)) == (
        f"{path}: the database is damaged (database disk image is malformed). "
        "Bring it back from a copy."
    )


def test_a_study_without_its_tables_is_damaged(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    change(path, "DROP TABLE header")
    assert refusal(StudyDamagedError, lambda: SqliteLedger.open_at(path)) == (
        f"{path}: the database is not what aliquot wrote (no such table: header). "
        "Run aliquot doctor on the study, or bring it back from a copy."
    )


def test_an_sqlite_that_is_too_old_is_refused() -> None:
    refuse_old_sqlite((3, 37, 0))
    assert refusal(StudyError, lambda: refuse_old_sqlite((3, 36, 9))) == (
        "this Python has SQLite 3.36.9, and a study needs 3.37.0. "
        "Use a Python that was built with a newer SQLite."
    )


@pytest.mark.parametrize("fate", ["deleted", "moved", "replaced"])
def test_a_file_that_is_gone_takes_no_more_rows(fate: str, tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    other = make(tmp_path / "other.db")
    with SqliteLedger.open_at(path) as ledger:
        ledger.record([label("u1")])
        if fate == "deleted":
            path.unlink()
        elif fate == "moved":
            path.rename(tmp_path / "moved.db")
        else:
            other.replace(path)
        says = refusal(StudyError, lambda: ledger.record([label("u2")]))
    assert says == (
        f"{path}: the study was moved, deleted or replaced while it was open. "
        "Open it again where it is now."
    )


# --- where nothing can be written ----------------------------------------------------------------
# Root may write anywhere, so these run in a process of their own that gives that up. Python 3.13
# imports urllib when it first writes a path as a URI, when Python itself may be out of reach.

READER = """
import os, sys, urllib.parse
from aliquot.errors import AliquotError
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import HEADER, FRAME, label
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
path = sys.argv[1]
def attempt(call):
    try:
        print(call())
    except AliquotError as error:
        print(type(error).__name__, error)
def use():
    with SqliteLedger.open_at(path) as ledger:
        attempt(lambda: [one.note for one in ledger.judgments()])
        attempt(lambda: len(ledger.draws()[0].units.unit))
        attempt(lambda: ledger.verify())
        attempt(lambda: ledger.record([label("u3")]))
    return "closed"
attempt(use)
attempt(lambda: SqliteLedger.create_at(path).create(HEADER, FRAME))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A directory that another user may enter."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def lock(folder: Path) -> None:
    """Let nothing in the directory be written, nor anything be added to it."""
    for path in folder.iterdir():
        path.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
    folder.chmod(0o555)


def read_elsewhere(path: Path) -> list[str]:
    with python("-c", READER, str(path)) as process:
        out, err = process.communicate()
    assert err == ""
    return out.splitlines()


READ_ONLY = (
    "the study can't be written to. Make it and its directory writable, or copy the study to "
    "where you may write."
)


def test_a_study_is_read_where_nothing_can_be_written(folder: Path) -> None:
    path = make(folder / "study.db")
    with SqliteLedger.open_at(path) as ledger:
        ledger.record([label("u1", note="kept")])
    lock(folder)
    assert read_elsewhere(path) == [
        "['kept']",
        "5",
        "[]",
        f"StudyError {path}: {READ_ONLY}",
        "closed",
        f"StudyError {path}: {READ_ONLY}",
    ]
    assert [file.name for file in folder.iterdir()] == ["study.db"]


def test_what_another_process_writes_is_read_there_too(folder: Path) -> None:
    path = make(folder / "study.db")
    with SqliteLedger.open_at(path) as ledger:
        ledger.record([label("u1", note="only in the journal")])
        lock(folder)
        assert read_elsewhere(path)[:4] == [
            "['only in the journal']",
            "5",
            "[]",
            f"StudyError {path}: {READ_ONLY}",
        ]


def test_the_last_writes_are_never_silently_left_out(folder: Path, tmp_path: Path) -> None:
    source = make(tmp_path / "study.db")
    with SqliteLedger.open_at(source) as ledger:
        ledger.record([label("u1", note="only in the journal")])
        for name in ("study.db", "study.db-wal"):
            shutil.copy(tmp_path / name, folder / name)
    lock(folder)
    path = folder / "study.db"
    assert read_elsewhere(path)[0] == (
        f"StudyError {path}: its last writes are in study.db-wal, which can't be read where "
        "nothing can be written. Copy the whole directory to where you may write, and open the "
        "copy."
    )
    folder.chmod(0o755)
    (folder / "study.db-wal").chmod(0o644)
    path.chmod(0o644)
    with SqliteLedger.open_at(path) as ledger:
        assert [one.note for one in ledger.judgments()] == ["only in the journal"]


def test_a_study_is_not_made_where_nothing_can_be_written(folder: Path) -> None:
    lock(folder)
    path = folder / "study.db"
    assert read_elsewhere(path) == [
        f"StudyMissingError {path}: {NO_STUDY}",
        f"StudyError {path}: {NOT_OPENED}",
    ]


def test_a_file_without_a_study_holds_none_there_either(folder: Path) -> None:
    path = folder / "study.db"
    SqliteLedger.create_at(path).close()
    lock(folder)
    assert read_elsewhere(path)[0] == (
        f"StudyMissingError {path}: there is no study in this file: it is empty, or its creation "
        "was cut short. Create the study again."
    )


def test_a_file_that_may_not_be_read_says_so(folder: Path) -> None:
    path = make(folder / "study.db")
    path.chmod(0)
    assert read_elsewhere(path)[0] == (f"StudyError {path}: {NOT_OPENED}")

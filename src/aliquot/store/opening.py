"""Create, open and close the file of a study."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

from aliquot.errors import StudyError, StudyMissingError
from aliquot.store import connections, reads
from aliquot.store.connections import Options, connect
from aliquot.store.faults import translated
from aliquot.store.migrations import migrate, read_version
from aliquot.store.reader import Reader
from aliquot.store.versions import MIGRATIONS
from aliquot.store.writer import Writer
from aliquot.store.writes import study_exists

IN_MEMORY = "the study in memory"


@final
@dataclass(frozen=True)
class Opened:
    """A study that is open. Without a writer it can only be read."""

    where: str
    reader: Reader
    writer: Writer | None

    def shut(self) -> None:
        """Close the connections; the one that writes is last, because it tidies the file."""
        self.reader.stop()
        if self.writer is not None:
            self.writer.stop()


def create(path: Path, options: Options) -> Opened:
    """Make the file and its tables. What a creation that was cut short left is completed."""
    where = str(path)
    if not path.absolute().parent.is_dir():
        raise StudyError("its directory is not there", where=where, do="Make the directory first")
    _refuse_directory(path, where)
    with translated(where):
        db = connect(path, "mode=rwc", options)
        with _closed_on_error(db):
            if read_version(db, len(MIGRATIONS), where) and reads.has_header(db):
                raise study_exists(where)
            _prepare(db, where)
            return _to_write(db, path, options)


def open_(path: Path, options: Options) -> Opened:
    """Open a study: to read and write, or only to read where nothing can be written."""
    where = str(path)
    if not path.exists():
        raise StudyMissingError(
            "there is no study", where=where, do="Create one, or give the path of one that exists"
        )
    _refuse_directory(path, where)
    with translated(where):
        if not connections.writable(path):
            return _to_read(path, options)
        db = connect(path, "mode=rw", options)
        with _closed_on_error(db):
            if not read_version(db, len(MIGRATIONS), where):
                raise reads.study_missing(where)
            _prepare(db, where)
            if not reads.has_header(db):
                raise reads.study_missing(where)
            return _to_write(db, path, options)


def in_memory(options: Options) -> Opened:
    """Make a study that lasts as long as it is open. Its reader and its writer take turns."""
    db = connect(None, "", options)
    migrate(db, MIGRATIONS, IN_MEMORY)
    guard = threading.Lock()
    return Opened(
        IN_MEMORY,
        Reader(db, guard=guard, where=IN_MEMORY, owner=False),
        Writer(db, guard=guard, where=IN_MEMORY, check=lambda: None),
    )


def _to_write(db: sqlite3.Connection, path: Path, options: Options) -> Opened:
    where = str(path)
    reading = connect(path, "mode=rw", replace(options, on_statement=None))
    reading.execute("PRAGMA query_only = ON")
    check = connections.same_file(path, where)
    return Opened(
        where,
        Reader(reading, guard=threading.Lock(), where=where, owner=True),
        Writer(db, guard=threading.Lock(), where=where, check=check),
    )


def _to_read(path: Path, options: Options) -> Opened:
    where = str(path)
    db = connections.connect_to_read(path, options)
    with _closed_on_error(db):
        version = read_version(db, len(MIGRATIONS), where)
        if 0 < version < len(MIGRATIONS):
            raise StudyError(
                f"an older aliquot wrote this study (store version {version}), and it can't be "
                "brought up to date where nothing can be written",
                where=where,
                do="Make it writable, or copy the study to where you may write, and open it there",
            )
        if not version or not reads.has_header(db):
            raise reads.study_missing(where)
    return Opened(where, Reader(db, guard=threading.Lock(), where=where, owner=True), None)


def _prepare(db: sqlite3.Connection, where: str) -> None:
    connections.use_wal(db)
    migrate(db, MIGRATIONS, where)


def _refuse_directory(path: Path, where: str) -> None:
    if path.is_dir():
        raise StudyError(
            "this is a directory, not a database", where=where, do="Give the path of the database"
        )


@contextmanager
def _closed_on_error(db: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        db.close()
        raise

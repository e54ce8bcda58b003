"""Open the connections to a study file: to write, to read, or to read where nothing can be written.

Every connection waits for other processes, checks foreign keys, and trusts nothing that a file
from elsewhere may bring along.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import final

from aliquot.errors import StudyError

# synchronous FULL: an acknowledged write is on the disk, not only in the system's memory.
# recursive_triggers: the row that INSERT OR REPLACE removes fires the trigger against removal.
_SETTINGS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA cache_size = -65536",
)


_OLDEST = (3, 37, 0)  # the first with STRICT tables


@final
@dataclass(frozen=True)
class Options:
    """How to connect."""

    busy_timeout: float = 10.0  # seconds
    on_statement: Callable[[str], None] | None = None


def connect(path: Path | None, mode: str, options: Options) -> sqlite3.Connection:
    """Connect to `path` (None: a new database in memory) with the settings of this room.

    `mode` is a query of an SQLite address: `mode=rw`, `mode=rwc`, `mode=ro` or `immutable=1`.
    """
    refuse_old_sqlite(sqlite3.sqlite_version_info)
    target = ":memory:" if path is None else f"{path.absolute().as_uri()}?{mode}"
    db = sqlite3.connect(
        target,
        uri=True,
        timeout=options.busy_timeout,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        if options.on_statement is not None:
            db.set_trace_callback(options.on_statement)
        for setting in _SETTINGS:
            db.execute(setting)
    except BaseException:
        db.close()
        raise
    return db


def refuse_old_sqlite(version: tuple[int, ...]) -> None:
    """Refuse an SQLite that can't keep the types of the tables."""
    if version < _OLDEST:
        raise StudyError(
            f"this Python has SQLite {_dotted(version)}, and a study needs {_dotted(_OLDEST)}",
            do="Use a Python that was built with a newer SQLite",
        )


def insist(db: sqlite3.Connection, statement: str, milliseconds: int) -> None:
    """Run the statement, again and again while another process holds the lock that it needs.

    SQLite itself waits longer and longer between its tries, so that a process that writes without
    a pause would starve the others; and for some statements it does not wait at all.
    """
    for left in range(milliseconds, -1, -1):
        try:
            db.execute(statement)
        except sqlite3.OperationalError as error:
            if not left or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(0.001)
        else:
            return


def patience(db: sqlite3.Connection) -> int:
    """How many milliseconds a statement waits for other processes."""
    return int(db.execute("PRAGMA busy_timeout").fetchone()[0])


def use_wal(db: sqlite3.Connection) -> None:
    """Let readers and the writer work side by side.

    A file system that can't share memory keeps the older journal: slower, and as safe.
    """
    if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        insist(db, "PRAGMA journal_mode = WAL", patience(db))


def connect_to_read(path: Path, options: Options) -> sqlite3.Connection:
    """Connect to a file that can't be written to, or lies where no file can be made.

    SQLite reads a file in WAL mode only with its two companions beside it. Where they are missing
    and can't be made, every commit is in the file itself, and it is read as one that never
    changes. **Nobody else may write to it meanwhile.**
    """
    try:
        return _connect_beside_others(path, options)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    for companion in (path.with_name(path.name + end) for end in ("-wal", "-journal")):
        if companion.exists() and companion.stat().st_size:
            raise StudyError(
                f"its last writes are in {companion.name}, which can't be read where nothing can "
                "be written",
                where=str(path),
                do="Copy the whole directory to where you may write, and open the copy",
            )
    return connect(path, "immutable=1", options)


def writable(path: Path) -> bool:
    """Say whether the file, and others beside it, can be written."""
    return os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)


def same_file(path: Path, where: str) -> Callable[[], None]:
    """Return a check that `path` is still the file that it is now.

    SQLite would go on writing to a file that was deleted, and answer that all is well.
    """
    opened = path.stat()

    def check() -> None:
        try:
            now = path.stat()
        except OSError:
            now = None
        if now is None or (now.st_ino, now.st_dev) != (opened.st_ino, opened.st_dev):
            raise StudyError(
                "the study was moved, deleted or replaced while it was open",
                where=where,
                do="Open it again where it is now",
            )

    return check


def _connect_beside_others(path: Path, options: Options) -> sqlite3.Connection:
    db = connect(path, "mode=ro", options)
    try:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))

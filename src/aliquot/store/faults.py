"""Say what SQLite's errors mean for a study, and what to do about each.

SQLite names an error by a number whose low eight bits are its family; the families below are the
ones that a user can meet.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from aliquot.errors import AliquotError, InputError, StudyDamagedError, StudyError

_READ_ONLY = "Make it and its directory writable, or copy the study to where you may write"

_FAMILIES: dict[int, tuple[type[StudyError], str, str]] = {
    sqlite3.SQLITE_BUSY: (
        StudyError,
        "another process is busy with the study and did not finish in time",
        "Wait until it is done or stop it, then try again",
    ),
    sqlite3.SQLITE_LOCKED: (
        StudyError,
        "the study is locked by another part of this process",
        "Finish what is under way, then try again",
    ),
    sqlite3.SQLITE_FULL: (
        StudyError,
        "the disk is full, so nothing of this was written",
        "Free some space, then try again",
    ),
    sqlite3.SQLITE_READONLY: (StudyError, "the study can't be written to", _READ_ONLY),
    sqlite3.SQLITE_IOERR: (
        StudyError,
        "the disk failed or is full ({error})",
        "Free some space or check the disk, then run aliquot doctor on the study",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        StudyError,
        "the database can't be opened",
        "Check that its directory is there and that you may read and write it",
    ),
    sqlite3.SQLITE_PERM: (
        StudyError,
        "the database can't be opened",
        "Check that its directory is there and that you may read and write it",
    ),
    sqlite3.SQLITE_NOMEM: (StudyError, "there is not enough memory", "Close other programs"),
    sqlite3.SQLITE_TOOBIG: (
        StudyError,
        "a text is longer than the database can hold",
        "Shorten it, then try again",
    ),
    sqlite3.SQLITE_CONSTRAINT: (
        StudyError,
        "the ledger refused a row ({error})",
        "Open the study again, then try again with rows that fit it",
    ),
    sqlite3.SQLITE_NOTADB: (
        StudyDamagedError,
        "this file is not an SQLite database",
        "Give the path of a study, or bring this file back from a copy",
    ),
    sqlite3.SQLITE_CORRUPT: (
        StudyDamagedError,
        "the database is damaged ({error})",
        "Bring it back from a copy",
    ),
}


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Raise the errors of SQLite in the body as errors of aliquot."""
    try:
        yield
    except (sqlite3.Error, UnicodeEncodeError, OverflowError) as error:
        raise fault(error, where) from error


def fault(error: Exception, where: str) -> AliquotError:
    """Return what to raise in the place of `error`."""
    if isinstance(error, UnicodeEncodeError):
        return InputError(
            f"the text {error.object!a} holds a character that UTF-8 can't write",
            where=where,
            do="Save the file that it comes from as UTF-8, then read it again",
        )
    if isinstance(error, OverflowError):
        return InputError(
            "a whole number does not fit in 64 bits", where=where, do="Use a smaller number"
        )
    if isinstance(error, sqlite3.InterfaceError | sqlite3.ProgrammingError):
        return InputError(
            f"a value can't be stored ({error})", where=where, do="Give texts and numbers"
        )
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    kind, what, do = _FAMILIES.get(code, _unknown())
    return kind(what.format(error=error), where=where, do=do)


def read_only(where: str) -> StudyError:
    """A write to a study that was opened for reading."""
    _, what, do = _FAMILIES[sqlite3.SQLITE_READONLY]
    return StudyError(what, where=where, do=do)


def _unknown() -> tuple[type[StudyError], str, str]:
    return (
        StudyDamagedError,
        "the database is not what aliquot wrote ({error})",
        "Run aliquot doctor on the study, or bring it back from a copy",
    )

"""The ledger of a study in one SQLite file.

Rows are only added. One thread writes, and answers after the commit; reads see whole transactions
and never wait for the writer. Several threads may share a ledger, and several processes a file.
"""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TypeVar, final

from aliquot.core.records import DrawRow, FrameRow, Header, Judgment
from aliquot.errors import StudyError
from aliquot.store import drawn, opening, reads, verify, writes
from aliquot.store.connections import Options
from aliquot.store.faults import read_only
from aliquot.store.opening import Opened
from aliquot.store.versions import MIGRATIONS
from aliquot.store.writer import Job

T = TypeVar("T")
OnStatement = Callable[[str], None]


@final
class SqliteLedger:
    """The append-only record of one study. Close it, or use it in a `with` block.

    `busy_timeout` is how many seconds a write waits for another process. `on_statement` is called
    with the text of each statement that writes, before it runs: the tests stop the process there.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._pid = os.getpid()
        # Closes the files of a ledger that nobody closed, at the latest when Python ends.
        self._shut = weakref.finalize(self, _shut, opened, self._pid)

    @classmethod
    def create_at(
        cls,
        path: str | os.PathLike[str],
        *,
        busy_timeout: float = 10.0,
        on_statement: OnStatement | None = None,
    ) -> SqliteLedger:
        """Make the file at `path`, ready for `create`."""
        return cls(opening.create(Path(path), Options(busy_timeout, on_statement)))

    @classmethod
    def open_at(
        cls,
        path: str | os.PathLike[str],
        *,
        busy_timeout: float = 10.0,
        on_statement: OnStatement | None = None,
    ) -> SqliteLedger:
        """Open the study at `path`; only to read where the file or its directory can't be written.

        In that last case nobody else may write to it meanwhile.
        """
        return cls(opening.open_(Path(path), Options(busy_timeout, on_statement)))

    @classmethod
    def in_memory(cls, *, on_statement: OnStatement | None = None) -> SqliteLedger:
        """Make a study that is gone when it is closed."""
        return cls(opening.in_memory(Options(on_statement=on_statement)))

    def __enter__(self) -> SqliteLedger:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<SqliteLedger {self._opened.where}>"

    def close(self) -> None:
        """Finish what is being written, stop the writing thread, close the file."""
        self._shut()

    def create(self, header: Header, frame: FrameRow) -> None:
        """Write the header and the first frame in one transaction."""
        where = self._opened.where
        self._write(lambda db: writes.create(db, header, frame, where))

    def header(self) -> Header:
        """Read what `create` wrote."""
        with self._read() as db:
            return reads.header(db, self._opened.where)

    def add_frame(self, frame: FrameRow) -> None:
        """Append a version of the frame."""
        where = self._opened.where
        self._write(lambda db: writes.add_frame(db, frame, where))

    def frames(self) -> list[FrameRow]:
        """Every version of the frame, oldest first."""
        with self._read() as db:
            return reads.frames(db)

    def add_draw(self, draw: DrawRow) -> None:
        """Append one draw with all its units, in one transaction."""
        where = self._opened.where
        kind = drawn.kind_of(draw)
        rows = drawn.unit_rows(draw)
        self._write(lambda db: writes.add_draw(db, draw, kind, rows, where))

    def draws(self) -> list[DrawRow]:
        """Every draw with its units, oldest first."""
        with self._read() as db:
            return reads.draws(db, self._opened.where)

    def record(self, judgments: Sequence[Judgment]) -> tuple[int, int]:
        """Append judgments of drawn units, all or none; return (added, unchanged)."""
        where = self._opened.where
        writes.check_judgments(judgments, where)
        return self._write(lambda db: writes.record(db, judgments, where))

    def judgments(self) -> list[Judgment]:
        """The standing judgment of each unit and annotator, in the order recorded."""
        with self._read() as db:
            return reads.judgments(db)

    def history(self) -> list[Judgment]:
        """Every judgment ever recorded, in order, corrected ones included."""
        with self._read() as db:
            return reads.history(db)

    def verify(self) -> list[str]:
        """One sentence for each thing that is wrong with the file; none where all is well."""
        with self._read() as db:
            return verify.problems(db, MIGRATIONS)

    def _write(self, job: Job[T]) -> T:
        self._refuse_fork()
        if self._opened.writer is None:
            raise read_only(self._opened.where)
        return self._opened.writer.submit(job)

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        self._refuse_fork()
        with self._opened.reader.snapshot() as db:
            yield db

    def _refuse_fork(self) -> None:
        """A forked process has the files but not the thread, and SQLite forbids to use them."""
        if os.getpid() != self._pid:
            raise StudyError(
                "the study was opened before this process was forked",
                where=self._opened.where,
                do="Open it again in this process",
            )


def _shut(opened: Opened, pid: int) -> None:
    if os.getpid() == pid:
        opened.shut()

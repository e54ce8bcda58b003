"""The connection that reads, used by one thread at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import final

from aliquot.store.faults import translated
from aliquot.store.writer import closed


@final
class Reader:
    """Owns a connection to read from, or borrows the writer's (a database in memory has one)."""

    def __init__(
        self, db: sqlite3.Connection, *, guard: threading.Lock, where: str, owner: bool
    ) -> None:
        self._db = db
        self._guard = guard
        self._where = where
        self._owner = owner
        self._stopped = False

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection; all that is read in the body is of one moment."""
        with self._guard, translated(self._where):
            if self._stopped:
                raise closed(self._where)
            self._db.execute("BEGIN")
            try:
                yield self._db
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def stop(self) -> None:
        """Wait for the read that is under way, then close."""
        with self._guard:
            self._stopped = True
            if self._owner:
                self._db.close()

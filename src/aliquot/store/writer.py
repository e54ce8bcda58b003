"""One thread that writes, and one commit for all who wait.

A durable commit costs one wait for the disk, however much is in it. So callers hand their jobs to
one thread; what queues up while it commits shares the next transaction. Each job runs inside a
savepoint of its own, so that a job that fails takes nothing else with it. A caller is answered
only after the commit.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Generic, TypeVar, cast, final

from aliquot.errors import StudyError
from aliquot.store.connections import insist, patience
from aliquot.store.faults import translated

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], T]

# A group ends here so that the first callers in it are not kept waiting for the last.
_MOST_JOBS = 512


@final
class Writer:
    """Owns the connection that writes. Its thread starts with the first job."""

    def __init__(
        self,
        db: sqlite3.Connection,
        *,
        guard: threading.Lock,
        where: str,
        check: Callable[[], None],
    ) -> None:
        self._db = db
        self._guard = guard  # held during a transaction, so that a reader may share `db`
        self._where = where
        self._patience = patience(db)
        self._check = check  # raises where the file is no longer the one that was opened
        self._queue: SimpleQueue[_Waiting[Any] | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = False

    def submit(self, job: Job[T]) -> T:
        """Run `job` in the writing thread; return its result once that is committed.

        A job may be run more than once before it is committed, so it must do nothing but write to
        the connection that it is given.
        """
        waiting = _Waiting(job)
        with self._gate:
            if self._stopped:
                raise closed(self._where)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._loop, name="aliquot-writer", daemon=True
                )
                self._thread.start()
            self._queue.put(waiting)
        waiting.done.acquire()
        if waiting.error is not None:
            with translated(self._where):
                raise waiting.error
        return cast(T, waiting.result)

    def stop(self) -> None:
        """Finish the jobs that wait, end the thread and close the connection."""
        with self._gate:
            thread = self._thread
            if self._stopped:
                return
            self._stopped = True
        if thread is None:
            self._db.close()
            return
        self._queue.put(None)
        # The garbage collector may call this from the writing thread itself.
        if thread is not threading.current_thread():
            thread.join()

    def _loop(self) -> None:
        running = True
        while running:
            group, running = self._take()
            try:
                with self._guard:
                    self._write(group)
            except Exception as error:  # noqa: BLE001  it is the callers' to meet, not the thread's
                for waiting in group:
                    waiting.error = waiting.error or error
            for waiting in group:
                waiting.done.release()
        self._db.close()

    def _take(self) -> tuple[list[_Waiting[Any]], bool]:
        """Wait for a job; return it with those behind it, and whether more may come."""
        group: list[_Waiting[Any]] = []
        item = self._queue.get()
        while item is not None:
            group.append(item)
            if self._queue.empty() or len(group) == _MOST_JOBS:
                return group, True
            item = self._queue.get()
        return group, False

    def _write(self, group: list[_Waiting[Any]]) -> None:
        """Write the group in one transaction; where that can't be, each job in its own."""
        if not group:
            return
        self._check()
        self._rollback()
        self._begin()
        try:
            for waiting in group:
                self._run(waiting)
            self._db.execute("COMMIT")
        except Exception:
            self._rollback()
            if len(group) == 1:
                raise
            # One job may be what fills the disk: find out which, and let the others through.
            for waiting in group:
                self._alone(waiting)

    def _begin(self) -> None:
        """Take the write lock, which another process may hold."""
        self._db.execute("PRAGMA busy_timeout = 0")
        try:
            insist(self._db, "BEGIN IMMEDIATE", self._patience)
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {self._patience}")

    def _alone(self, waiting: _Waiting[Any]) -> None:
        try:
            self._write([waiting])
        except Exception as error:  # noqa: BLE001  as above
            waiting.error = error

    def _run(self, waiting: _Waiting[Any]) -> None:
        """Run one job in a savepoint; raise only when the whole transaction is lost."""
        waiting.error = None
        self._db.execute("SAVEPOINT job")
        try:
            waiting.result = waiting.job(self._db)
        except Exception as error:
            if not self._db.in_transaction:
                raise
            self._db.execute("ROLLBACK TO job")
            waiting.error = error
        self._db.execute("RELEASE job")

    def _rollback(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")


@final
class _Waiting(Generic[T]):
    """A job, and the caller who waits for it."""

    __slots__ = ("done", "error", "job", "result")

    def __init__(self, job: Job[T]) -> None:
        self.job = job
        self.done = threading.Lock()  # released when there is an answer
        self.done.acquire()
        self.result: T | None = None
        self.error: Exception | None = None


def closed(where: str) -> StudyError:
    """A call on a ledger that was closed."""
    return StudyError("the study was closed", where=where, do="Open it again")

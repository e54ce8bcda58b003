"""Who waits together is written together, and who fails fails alone."""

from __future__ import annotations

import gc
import resource
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from aliquot.errors import AliquotError, InputError, LabelError, StudyDamagedError, StudyError
from aliquot.store import faults
from aliquot.store.ledger import SqliteLedger
from aliquot.store.writer import Writer
from tests.store.samples import content, draw, label, make, names, python, units


def writer_of(ledger: SqliteLedger) -> Writer:
    found = ledger._opened.writer
    assert found is not None
    return found


@contextmanager
def held(ledger: SqliteLedger) -> Iterator[None]:
    """Keep the writing thread busy, so that what is sent in the body waits together."""
    entered, leave = threading.Event(), threading.Event()

    def job(db: sqlite3.Connection) -> None:
        entered.set()
        leave.wait()

    thread = threading.Thread(target=writer_of(ledger).submit, args=(job,))
    thread.start()
    entered.wait()
    yield
    leave.set()
    thread.join()


def together(ledger: SqliteLedger, calls: Sequence[Callable[[], object]]) -> list[object]:
    """Make the calls from one thread each, while the writer is busy; return results or errors."""
    answers: list[object] = [None] * len(calls)

    def work(number: int) -> None:
        try:
            answers[number] = calls[number]()
        except AliquotError as error:
            answers[number] = error

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(calls))]
    with held(ledger):
        for number, thread in enumerate(threads):
            thread.start()
            while writer_of(ledger)._queue.qsize() <= number:
                pass
    for thread in threads:
        thread.join()
    return answers


def test_jobs_that_wait_share_one_transaction(tmp_path: Path) -> None:
    statements: list[str] = []
    path = make(tmp_path / "study.db")
    with SqliteLedger.open_at(path, on_statement=statements.append) as ledger:
        calls = [partial(ledger.record, [label(unit)]) for unit in names(5)]
        together(ledger, calls)
        commits = statements.count("COMMIT")
        for call in calls:
            call()
    assert commits == 2  # the job that kept the writer busy, and the five
    assert statements.count("COMMIT") == commits + 5  # the control: one by one


def test_a_job_that_fails_fails_alone(tmp_path: Path) -> None:
    with SqliteLedger.open_at(make(tmp_path / "study.db")) as ledger:
        answers = together(
            ledger,
            [
                lambda: ledger.record([label("u1")]),
                lambda: ledger.record([label("u2"), label("x")]),
                lambda: ledger.add_draw(draw(2, units(["y", "u3"]))),
                lambda: ledger.record([label("u4")]),
            ],
        )
        assert answers[0] == answers[3] == (1, 0)
        assert [type(answer) for answer in answers[1:3]] == [LabelError, StudyError]
        assert ledger.history() == [label("u1"), label("u4")]
        assert len(ledger.draws()) == 1
        assert ledger.verify() == []


def test_a_job_that_loses_the_transaction_fails_alone(tmp_path: Path) -> None:
    """Some errors make SQLite roll back everything: the others are then written one by one."""

    def lose(db: sqlite3.Connection) -> None:
        db.execute("ROLLBACK")
        raise sqlite3.OperationalError("lost")

    with SqliteLedger.open_at(make(tmp_path / "study.db")) as ledger:
        answers = together(
            ledger,
            [
                lambda: ledger.record([label("u1")]),
                lambda: writer_of(ledger).submit(lose),
                lambda: ledger.record([label("u2")]),
            ],
        )
        assert answers[0] == answers[2] == (1, 0)
        assert str(answers[1]) == (
            f"{tmp_path / 'study.db'}: the database is not what aliquot wrote (lost). Run aliquot "
            "doctor on the study, or bring it back from a copy."
        )
        assert ledger.history() == [label("u1"), label("u2")]


def test_a_bug_in_a_job_is_raised_where_it_was_called(tmp_path: Path) -> None:
    def bug(db: sqlite3.Connection) -> None:
        raise ZeroDivisionError("bug")

    with SqliteLedger.open_at(make(tmp_path / "study.db")) as ledger:
        with pytest.raises(ZeroDivisionError, match="bug"):
            writer_of(ledger).submit(bug)
        assert ledger.record([label("u1")]) == (1, 0)


def test_a_reader_sees_nothing_of_what_is_not_committed(tmp_path: Path) -> None:
    with SqliteLedger.open_at(make(tmp_path / "study.db")) as ledger:
        seen: list[int] = []

        def half(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO frames VALUES (2, 'bb', 1, '{}', '')")
            seen.append(len(ledger.frames()))

        writer_of(ledger).submit(half)
        assert seen == [1]
        assert len(ledger.frames()) == 2


def test_all_that_is_read_together_is_of_one_moment(tmp_path: Path) -> None:
    with SqliteLedger.open_at(make(tmp_path / "study.db")) as ledger:
        with ledger._read() as db:
            before = db.execute("SELECT count(*) FROM judgments").fetchone()
            ledger.record([label("u1")])
            assert db.execute("SELECT count(*) FROM judgments").fetchone() == before == (0,)
        with ledger._read() as db:
            assert db.execute("SELECT count(*) FROM judgments").fetchone() == (1,)


# --- the thread ----------------------------------------------------------------------------------


def writing_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "aliquot-writer"]


def test_the_thread_starts_with_the_first_write_and_stops_on_close(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    assert writing_threads() == []
    with SqliteLedger.open_at(path) as ledger:
        ledger.judgments()
        assert writing_threads() == []
        ledger.record([label("u1")])
        assert len(writing_threads()) == 1
    assert writing_threads() == []


def test_close_finishes_what_waits(tmp_path: Path) -> None:
    ledger = SqliteLedger.open_at(make(tmp_path / "study.db"))
    answers: list[object] = []
    threads = [
        threading.Thread(target=lambda unit=unit: answers.append(ledger.record([label(unit)])))
        for unit in names(3)
    ]
    closer = threading.Thread(target=ledger.close)
    with held(ledger):
        for number, thread in enumerate(threads, 1):
            thread.start()
            while writer_of(ledger)._queue.qsize() < number:
                pass
        closer.start()
        while writer_of(ledger)._queue.qsize() < 4:
            pass
        with pytest.raises(StudyError, match="the study was closed"):
            ledger.record([label("u4")])
    for thread in (*threads, closer):
        thread.join()
    assert answers == [(1, 0)] * 3


def test_a_ledger_that_nobody_closed_is_closed_with_its_last_name(tmp_path: Path) -> None:
    ledger = SqliteLedger.open_at(make(tmp_path / "study.db"))
    ledger.record([label("u1")])
    gone = weakref.ref(ledger)
    del ledger
    gc.collect()
    assert gone() is None
    assert writing_threads() == []
    assert [file.name for file in tmp_path.iterdir()] == ["study.db"]


FORGETS = """
import sys
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import label
ledger = SqliteLedger.open_at(sys.argv[1])
print(ledger.record([label("u1")]))
"""


def test_a_ledger_that_nobody_closed_lets_python_end(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    with python("-W", "error", "-X", "dev", "-c", FORGETS, str(path)) as process:
        out, err = process.communicate(timeout=20)
    assert (out, err, process.returncode) == ("(1, 0)\n", "", 0)
    assert [file.name for file in tmp_path.iterdir()] == ["study.db"]


FORKS = """
import os, sys
from aliquot.errors import StudyError
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import label
with SqliteLedger.open_at(sys.argv[1]) as ledger:
    ledger.judgments()
    child = os.fork()
    if not child:
        for call in (ledger.history, lambda: ledger.record([label("u1")])):
            try:
                call()
            except StudyError as error:
                print(error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    print(ledger.record([label("u1")]))
"""


def test_a_forked_process_is_told_to_open_its_own(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    with python("-c", FORKS, str(path)) as process:
        out, err = process.communicate(timeout=20)
    says = (
        f"{path}: the study was opened before this process was forked. "
        "Open it again in this process."
    )
    assert (out.splitlines(), err) == ([says, says, "(1, 0)"], "")


# --- what can go wrong with the disk and with others ---------------------------------------------


def refusal(kind: type[AliquotError], call: Callable[[], object]) -> str:
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)


def limit_pages(ledger: SqliteLedger, pages: int | None) -> None:
    """Let the file grow by so many pages, or as it likes."""

    def job(db: sqlite3.Connection) -> None:
        (held,) = db.execute("PRAGMA page_count").fetchone()
        most = 2**30 if pages is None else held + pages
        db.execute(f"PRAGMA max_page_count = {most}")

    writer_of(ledger).submit(job)


BUSY = (
    "another process is busy with the study and did not finish in time. Wait until it is done or "
    "stop it, then try again."
)
LOCKED = (
    "the study is locked by another part of this process. Finish what is under way, then try again."
)
READ_ONLY = (
    "the study can't be written to. Make it and its directory writable, or copy the study to "
    "where you may write."
)
FAILED = (
    "the disk failed or is full ({}). Free some space or check the disk, then run aliquot doctor "
    "on the study."
)
NOT_OPENED = (
    "the database can't be opened. Check that its directory is there and that you may read and "
    "write it."
)
LONG = "a text is longer than the database can hold. Shorten it, then try again."
REFUSED = (
    "the ledger refused a row (why). Open the study again, then try again with rows that fit it."
)
FOREIGN = (
    "this file is not an SQLite database. Give the path of a study, or bring this file back from a "
    "copy."
)
UNKNOWN = (
    "the database is not what aliquot wrote (why). Run aliquot doctor on the study, or bring it "
    "back from a copy."
)
FULL = "the disk is full, so nothing of this was written. Free some space, then try again."


def test_a_full_disk_is_said_and_nothing_is_half_written(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db", 4_000)
    with SqliteLedger.open_at(path) as ledger:
        before = content(ledger)
        limit_pages(ledger, 10)
        big = draw(2, units([f"v{number}" for number in range(4_000)]))
        said = [label(unit) for unit in names(4_000)]
        for call in (lambda: ledger.add_draw(big), lambda: ledger.record(said)):
            assert refusal(StudyError, call) == f"{path}: {FULL}"
            assert content(ledger) == before
        assert ledger.record(said[:10]) == (10, 0)  # what has room is taken
        limit_pages(ledger, None)
        ledger.add_draw(big)
        assert ledger.record(said) == (3_990, 10)
        assert ledger.verify() == []


def test_what_fills_the_disk_fails_alone(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db", 4_000)
    with SqliteLedger.open_at(path) as ledger:
        limit_pages(ledger, 10)
        answers = together(
            ledger,
            [
                lambda: ledger.record([label("u1")]),
                lambda: ledger.record([label(unit) for unit in names(4_000)]),
                lambda: ledger.record([label("u2")]),
            ],
        )
        assert answers[0] == answers[2] == (1, 0)
        assert str(answers[1]) == f"{path}: {FULL}"
        assert ledger.history() == [label("u1"), label("u2")]


@contextmanager
def no_file_grows_beyond(size: int) -> Iterator[None]:
    """Make the system refuse each write behind this place, as a failing disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_write_that_the_system_refuses_is_said_and_undone(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db", 4_000)
    with SqliteLedger.open_at(path) as ledger:
        ledger.record([label("u1")])
        said = [label(unit) for unit in names(4_000)]
        with no_file_grows_beyond((tmp_path / "study.db-wal").stat().st_size + 5_000):
            text = refusal(StudyError, lambda: ledger.record(said))
            assert ledger.history() == [label("u1")]
        assert text == f"{path}: {FAILED.format('disk I/O error')}"
        assert ledger.record(said) == (3_999, 1)
        assert ledger.verify() == []


def test_a_process_that_does_not_finish_is_said(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    busy = f"{path}: {BUSY}"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        with SqliteLedger.open_at(path, busy_timeout=0.05) as ledger:
            other.execute("BEGIN IMMEDIATE")
            assert refusal(StudyError, lambda: ledger.record([label("u1")])) == busy
            assert ledger.history() == []  # reading goes on
            other.execute("COMMIT")
            assert ledger.record([label("u1")]) == (1, 0)
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        assert refusal(StudyError, lambda: SqliteLedger.open_at(path, busy_timeout=0.05)) == busy


def test_a_process_that_finishes_in_time_is_waited_for(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    with (
        closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other,
        SqliteLedger.open_at(path) as ledger,
    ):
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.1, lambda: other.execute("COMMIT")).start()
        assert ledger.record([label("u1")]) == (1, 0)


def failing(code: int, text: str = "why") -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [
        (sqlite3.SQLITE_BUSY, StudyError, BUSY),
        (sqlite3.SQLITE_BUSY_RECOVERY, StudyError, BUSY),
        (sqlite3.SQLITE_LOCKED, StudyError, LOCKED),
        (sqlite3.SQLITE_FULL, StudyError, FULL),
        (sqlite3.SQLITE_READONLY_DBMOVED, StudyError, READ_ONLY),
        (sqlite3.SQLITE_IOERR_FSYNC, StudyError, FAILED.format("why")),
        (sqlite3.SQLITE_CANTOPEN, StudyError, NOT_OPENED),
        (sqlite3.SQLITE_PERM, StudyError, NOT_OPENED),
        (sqlite3.SQLITE_NOMEM, StudyError, "there is not enough memory. Close other programs."),
        (sqlite3.SQLITE_TOOBIG, StudyError, LONG),
        (sqlite3.SQLITE_CONSTRAINT_CHECK, StudyError, REFUSED),
        (sqlite3.SQLITE_NOTADB, StudyDamagedError, FOREIGN),
        (
            sqlite3.SQLITE_CORRUPT_INDEX,
            StudyDamagedError,
            "the database is damaged (why). Bring it back from a copy.",
        ),
        (sqlite3.SQLITE_ERROR, StudyDamagedError, UNKNOWN),
    ],
)
def test_each_error_of_sqlite_says_what_to_do(code: int, kind: type[StudyError], says: str) -> None:
    found = faults.fault(failing(code), "here.db")
    assert (type(found), str(found)) == (kind, f"here.db: {says}")


def test_every_family_of_errors_is_tested() -> None:
    assert len(faults._FAMILIES) == 12


def test_braces_in_an_error_are_text() -> None:
    found = faults.fault(failing(sqlite3.SQLITE_ERROR, "near '{x}'"), "here.db")
    assert found.what == "the database is not what aliquot wrote (near '{x}')"


def test_an_error_that_is_not_sqlites_passes() -> None:
    with pytest.raises(KeyError), faults.translated("here.db"):
        raise KeyError("a")
    with pytest.raises(InputError), faults.translated("here.db"):
        "\ud800".encode()

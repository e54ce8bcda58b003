"""A study that was damaged, or a disk that gives up: said in one line, and nothing made worse."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.door import Answer, ask, do, everything, put, shell, spam, table, waiting

UNITS = Path("spam/frame-0001-units.parquet")
LEDGER = Path("spam/study.db")
CHANGED = (
    "spam: the frame's file frame-0001-units.parquet is not what was written. Bring the study back "
    "from a copy; its judgments are in study.db."
)
GONE = CHANGED.replace("is not what was written", "is missing")
MALFORMED = (
    "spam/study.db: the database is damaged (database disk image is malformed). Bring it back from "
    "a copy."
)
READING = ["estimate spam", "compare spam", "queue spam", "export spam"]
WRITING = [
    "draw spam --budget 2",
    "record spam truth.csv",
    "add-system spam --units items.csv --score 'new=svm>=0.1'",
]


def made() -> None:
    spam(budget=6)
    do("record spam truth.csv")


def flip_a_bit() -> None:
    content = bytearray(UNITS.read_bytes())
    content[len(content) // 2] ^= 1
    UNITS.write_bytes(content)


def change_a_score() -> None:
    """Write another frame that is a perfect Parquet file."""
    import pyarrow as pa
    from pyarrow.parquet import read_table, write_table

    found = read_table(UNITS)
    place = found.column_names.index("@scored:svm")
    write_table(found.set_column(place, "@scored:svm", pa.array([0.5] * 12)), UNITS)


def pragma(statement: str) -> None:
    with closing(sqlite3.connect(LEDGER)) as db:
        db.execute(statement)
        db.commit()


def scramble_pages() -> None:
    content = bytearray(LEDGER.read_bytes())
    for place in range(8192, len(content) - 4096, 7):
        content[place] ^= 0x55
    LEDGER.write_bytes(content)


Harm = Callable[[], object]
DAMAGE: list[tuple[str, Harm, str]] = [
    ("a bit of the frame", flip_a_bit, CHANGED),
    ("a score of the frame", change_a_score, CHANGED),
    ("the frame is text", lambda: UNITS.write_text("hello"), CHANGED),
    ("the frame is empty", lambda: UNITS.write_text(""), CHANGED),
    ("the frame is gone", UNITS.unlink, GONE),
    ("the ledger is cut", lambda: os.truncate(LEDGER, 3000), MALFORMED),
    ("the ledger is scrambled", scramble_pages, MALFORMED),
    (
        "the ledger is text",
        lambda: LEDGER.write_text("hello"),
        (
            "spam/study.db: this file is not an SQLite database. Give the path of a study, or "
            "bring this file back from a copy."
        ),
    ),
]
CLOSED: list[tuple[str, Harm, str]] = [
    (
        "a newer schema",
        lambda: pragma("PRAGMA user_version = 99"),
        (
            "spam/study.db: a newer aliquot wrote this study (store version 99, and this aliquot "
            "knows versions up to 1). Update aliquot with pip install -U aliquot, then open it "
            "again."
        ),
    ),
    (
        "an empty ledger",
        lambda: LEDGER.write_text(""),
        (
            "spam/study.db: there is no study in this file: it is empty, or its creation was cut "
            "short. Create the study again."
        ),
    ),
    (
        "no ledger",
        LEDGER.unlink,
        "spam: there is no study here. Check the path, or make a study: init.",
    ),
]
FOUND = [pytest.param(harm, text, id=name) for name, harm, text in DAMAGE]
REFUSED = [pytest.param(harm, text, id=name) for name, harm, text in (*DAMAGE, *CLOSED)]


@pytest.mark.parametrize(("harm", "text"), REFUSED)
def test_no_command_works_on_what_was_damaged(harm: Harm, text: str) -> None:
    made()
    harm()
    before = everything()
    for line in (*READING, *WRITING):
        assert ask(line) == Answer(1, "", f"aliquot: {text}\n")
    assert everything() == before


@pytest.mark.parametrize(("harm", "text"), FOUND)
def test_the_doctor_says_what_was_damaged(harm: Harm, text: str) -> None:
    made()
    harm()
    assert ask("doctor spam") == Answer(2, f"PROBLEM  record: {text}\n", "")
    found = ask("doctor spam --json").json["findings"]
    assert found == [{"grade": "problem", "topic": "record", "text": text}]


def test_the_doctor_finds_a_row_that_was_changed_behind_the_back() -> None:
    made()
    with closing(sqlite3.connect(LEDGER)) as db:
        (name,) = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchone()
        db.execute(f'DROP TRIGGER "{name}"')
        db.commit()
    answer = ask("doctor spam")
    assert answer.code == 2
    assert f"PROBLEM  record: The trigger {name} is missing.\n" in answer.out


def test_a_study_that_was_not_damaged_is_found_whole() -> None:
    made()
    answer = ask("doctor spam")
    assert answer.code == 0
    assert "PROBLEM" not in answer.out


def test_a_study_can_be_moved_and_copied() -> None:
    made()
    before = do("estimate spam --json").out
    shutil.copytree("spam", "copy")
    Path("spam").rename("moved")
    for name in ("copy", "moved"):
        assert do(f"estimate {name} --json").out == before
        assert ask(f"doctor {name}").code == 0


# --- places where nothing can be written ----------------------------------------------------------


def no_room(*_: object, **__: object) -> str:
    raise OSError(errno.EACCES, os.strerror(errno.EACCES))


def test_a_directory_that_may_not_be_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    table()
    before = everything()
    monkeypatch.setattr(tempfile, "mkdtemp", no_room)  # root may write anywhere
    assert ask("init spam --units items.csv --id id") == Answer(
        1,
        "",
        "aliquot: spam: the study can't be written (Permission denied). Choose a directory that "
        "you may write to and that has room.\n",
    )
    assert everything() == before


def test_a_study_that_may_only_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    made()
    before = do("estimate spam --json").out
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, how: how != os.W_OK and access(path, how))
    assert do("estimate spam --json").out == before
    put("again.csv", "unit,label\n001,skip\n")
    for line in ("draw spam --budget 2", "record spam again.csv"):
        assert ask(line) == Answer(
            1,
            "",
            "aliquot: spam/study.db: the study can't be written to. Make it and its directory "
            "writable, or copy the study to where you may write.\n",
        )


@pytest.mark.parametrize("kilobytes", [0, 1, 8, 40, 44])
def test_a_disk_that_fills_up_while_a_study_is_made(kilobytes: int) -> None:
    table()
    before = everything()
    done = shell(f"ulimit -f {kilobytes}; aliquot init spam --units items.csv --id id")
    text = done.stderr.decode()
    assert (done.returncode, done.stdout) == (1, b"")
    assert text.startswith("aliquot: spam: the study can't be written (")
    assert text.endswith("). Choose a directory that you may write to and that has room.\n")
    assert text.count("\n") == 1
    assert "not what aliquot wrote" not in text  # it is the disk, whatever SQLite stumbles over
    assert everything() == before


def test_a_disk_that_fills_up_while_judgments_are_recorded() -> None:
    spam(budget=6)
    before = do("queue spam").out
    done = shell("ulimit -f 0; aliquot record spam truth.csv")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        "aliquot: spam/study.db: the disk failed or is full (disk I/O error). Free some "
        "space or check the disk, then run aliquot doctor on the study.\n"
    )
    assert do("queue spam").out == before
    assert ask("doctor spam").code == 0
    assert len(waiting("spam")) == 6
    assert do("record spam truth.csv --json").json["added"] == 6


def test_a_full_disk_under_the_output() -> None:
    made()
    done = shell("aliquot export spam > /dev/full")
    assert (done.returncode, done.stderr.decode()) == (
        1,
        "aliquot: No space left on device. Check the path and the disk.\n",
    )

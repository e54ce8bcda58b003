"""Several processes on one file: none loses a row, none starves, one creates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aliquot.errors import StudyError
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import label, make, names, python

RECORDS = """
import sys, threading
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import label, names
path, process = sys.argv[1:]
with SqliteLedger.open_at(path) as ledger:
    def work(thread):
        for unit in names(40):
            assert ledger.record([label(unit, by=f"{process}-{thread}")]) == (1, 0)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""

HOGS = """
import sys, threading
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import label
with SqliteLedger.open_at(sys.argv[1]) as ledger:
    def work(thread):
        number = 0
        while True:
            number += 1
            ledger.record([label("u1", by=f"hog{thread}", note=str(number))])
            if number == 1 and not thread:
                print("writing", flush=True)
    for thread in range(4):
        threading.Thread(target=work, args=(thread,), daemon=True).start()
    sys.stdin.read()
"""

CREATES = """
import sys
from aliquot.errors import AliquotError
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import FRAME, HEADER
print("ready", flush=True)
sys.stdin.readline()
try:
    with SqliteLedger.create_at(sys.argv[1]) as ledger:
        ledger.create(HEADER, FRAME)
    print("created")
except AliquotError as error:
    print(type(error).__name__)
"""

DRAWS = """
import sys
from aliquot.errors import StudyError
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import draw, units
path, process = sys.argv[1:]
with SqliteLedger.open_at(path) as ledger:
    drawn = 0
    while drawn < 10:
        batch = len(ledger.draws()) + 1
        try:
            ledger.add_draw(draw(batch, units([f"{process}-{drawn}", f"{process}+{drawn}"])))
        except StudyError as error:
            assert "Another process may have drawn meanwhile" in str(error), error
        else:
            drawn += 1
"""


def together(script: str, path: Path, count: int) -> list[str]:
    """Run the script in several processes at once; return what each printed."""
    processes = [python("-c", script, str(path), str(number)) for number in range(count)]
    answers = [process.communicate(timeout=60) for process in processes]
    assert [err for _, err in answers] == [""] * count
    return [out for out, _ in answers]


def test_what_each_process_records_is_there(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db", 40)
    together(RECORDS, path, 3)
    with SqliteLedger.open_at(path) as ledger:
        held = Counter(one.annotator for one in ledger.history())
        assert held == {f"{process}-{thread}": 40 for process in range(3) for thread in range(3)}
        assert {one.unit for one in ledger.history()} == set(names(40))
        assert ledger.verify() == []
    assert [file.name for file in tmp_path.iterdir()] == ["study.db"]


def test_processes_that_draw_at_once_each_get_their_batches(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    together(DRAWS, path, 2)
    with SqliteLedger.open_at(path) as ledger:
        draws = ledger.draws()
        assert [row.batch for row in draws] == list(range(1, 22))
        assert len({unit for row in draws for unit in row.units.unit}) == 5 + 2 * 20
        assert ledger.verify() == []


@contextmanager
def hog(path: Path) -> Iterator[None]:
    """Let a process write to the file without a pause."""
    with python("-c", HOGS, str(path)) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "writing\n"
            yield
        finally:
            process.kill()


def test_a_process_that_never_pauses_starves_no_other(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    with hog(path), SqliteLedger.open_at(path, busy_timeout=2.0) as ledger:
        for number in range(200):
            assert ledger.record([label("u2", note=str(number))]) == (1, 0)
        mine = [one for one in ledger.history() if one.annotator == "ann"]
        theirs = len(ledger.history()) - len(mine)
    assert (len(mine), theirs > 0) == (200, True)


def test_without_patience_it_would(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    with hog(path), SqliteLedger.open_at(path, busy_timeout=0.0) as ledger:
        notes = [[label("u2", note=str(number))] for number in range(10_000)]
        with pytest.raises(StudyError, match="another process is busy with the study"):
            list(map(ledger.record, notes))


def test_one_of_many_creates_the_study(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    processes = [python("-c", CREATES, str(path)) for _ in range(4)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=60)[0] for process in processes]
    assert sorted(answers) == ["StudyExistsError\n"] * 3 + ["created\n"]
    with SqliteLedger.open_at(path) as ledger:
        assert ledger.verify() == []

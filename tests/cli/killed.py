"""Commands that are killed. Run as `python -m tests.cli.killed MODE WRONG` in a prepared folder.

The command of a mode runs again and again, each time in a child of its own and in a folder of its
own, and each time the child kills itself one step later: before it touches a file, or before a
statement that writes. One JSON object a child is printed.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from aliquot.cli.main import main
from aliquot.core.records import Judgment
from aliquot.store.ledger import SqliteLedger
from aliquot.wiring import folder

STEPS = frozenset(
    ["open", "os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "sqlite3.connect"]
)
INIT = ("init", "spam", "--units", "../items.csv", "--id", "id", "--score", "svm=svm>=0.5")
RECORD = ("record", "spam", "../truth.csv")


def run(mode: str, wrong: str) -> None:
    """Kill a child at its first step, another at its second, and so on until one ends."""
    quiet(RECORD if mode == "record" else INIT, Path("warm"), mode)  # import everything once
    for number in itertools.count(1):
        place = Path(str(number))
        child = os.fork()
        if not child:
            die_at(number, place, mode, wrong)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        line = {"place": str(place), "killed": killed, "code": os.waitstatus_to_exitcode(status)}
        sys.stdout.write(json.dumps(line) + "\n")
        if not killed:
            break


def quiet(argv: Sequence[str], place: Path, mode: str) -> int:
    """Run a command in a folder of its own, and let it say nothing."""
    place.mkdir()
    if mode == "record":
        shutil.copytree("spam", place / "spam")
    os.chdir(place)
    with redirect_stdout(io.StringIO()):
        code = main(argv)
    os.chdir("..")
    return code


def die_at(number: int, place: Path, mode: str, wrong: str) -> None:
    """Run the command, and kill this process when its step `number` is about to be taken."""
    left = itertools.count(number - 1, -1)
    armed: list[bool] = []

    def step(*_: object) -> None:
        if armed and not next(left):
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(lambda event, _: step() if event in STEPS else None)
    watch(step)
    spoil(wrong)
    place.mkdir()
    if mode == "record":
        shutil.copytree("spam", place / "spam")
    os.chdir(place)
    sys.stdout = io.StringIO()
    armed.append(True)
    os._exit(main(RECORD if mode == "record" else INIT))


def watch(step: Callable[..., None]) -> None:
    """Let a ledger that was opened tell of each statement that writes, before it runs."""
    made = SqliteLedger.open_at

    def watched(path: Path, **_: Any) -> SqliteLedger:
        return made(path, on_statement=step)

    setattr(SqliteLedger, "open_at", staticmethod(watched))  # noqa: B010


def spoil(wrong: str) -> None:
    """Make one of the mistakes that the tests must find."""
    if wrong == "in place":
        setattr(folder, "_beside", in_place)  # noqa: B010
    if wrong == "halves":
        record = SqliteLedger.record

        def halves(ledger: SqliteLedger, judgments: Sequence[Judgment]) -> tuple[int, int]:
            first = record(ledger, judgments[:3])
            second = record(ledger, judgments[3:])
            return first[0] + second[0], first[1] + second[1]

        setattr(SqliteLedger, "record", halves)  # noqa: B010


@contextmanager
def in_place(path: Path) -> Iterator[Path]:
    path.mkdir()
    yield path


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2])

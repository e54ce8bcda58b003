"""Scenarios that a process is killed in. Run as `python -m tests.store.killed MODE FOLDER`.

What is printed was acknowledged before. `stream` records until it is killed from outside.
`statements` runs the scenario again and again, each time in a child that kills itself before one
more statement than the last, and prints one JSON object a child.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from aliquot.errors import StudyMissingError
from aliquot.store.ledger import SqliteLedger
from tests.store.samples import FRAME, HEADER, draw, label, names, units

UNITS = names(5)
SAID = [label(unit) for unit in UNITS]
STEPS = ("create", "draw", "record")

Acknowledge = Callable[[str], None]
OnStatement = Callable[[str], None]


def open_or_create(path: Path, on_statement: OnStatement | None = None) -> SqliteLedger:
    """Open the study, or make what a creation that was cut short did not."""
    try:
        return SqliteLedger.open_at(path, on_statement=on_statement)
    except StudyMissingError:
        return SqliteLedger.create_at(path, on_statement=on_statement)


def take_steps(
    ledger: SqliteLedger, done: int, acknowledge: Acknowledge, *, wrong: str = ""
) -> None:
    """Take the steps that are not done; `wrong` names a mistake that the tests must find."""
    calls: list[Callable[[], object]] = [
        lambda: ledger.create(HEADER, FRAME),
        lambda: ledger.add_draw(draw(1, units(UNITS))),
        lambda: ledger.record(SAID),
    ]
    if wrong == "halves":
        calls[2] = lambda: (ledger.record(SAID[:3]), ledger.record(SAID[3:]))
    for step, call in list(zip(STEPS, calls, strict=True))[done:]:
        if wrong == "early":
            acknowledge(step)
        call()
        acknowledge(step)


def statements(folder: Path, wrong: str) -> None:
    """Kill a child before its first statement, another before its second, and so on."""
    for number in itertools.count(1):
        path = folder / f"{number}.db"
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            die_before(number, path, wrong, writing)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            acknowledged = pipe.read().split()
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        line = {"path": str(path), "acknowledged": acknowledged, "killed": killed}
        sys.stdout.write(json.dumps(line) + "\n")
        if not killed:
            break


def die_before(number: int, path: Path, wrong: str, pipe: int) -> None:
    """Run the scenario; kill this process when its statement `number` is about to run."""
    left = itertools.count(number - 1, -1)

    def on_statement(_: str) -> None:
        if not next(left):
            os.kill(os.getpid(), signal.SIGKILL)

    def acknowledge(step: str) -> None:
        os.write(pipe, f"{step}\n".encode())

    with SqliteLedger.create_at(path, on_statement=on_statement) as ledger:
        take_steps(ledger, 0, acknowledge, wrong=wrong)
    os._exit(0)


def stream(path: Path, life: str, wrong: str) -> None:
    """Record single judgments in four threads, and draw in a fifth, until killed."""
    printing = threading.Lock()

    def acknowledge(text: str) -> None:
        with printing:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    ledger = SqliteLedger.open_at(path)

    def record(thread: int) -> None:
        for number in itertools.count():
            note = f"{life}:{thread}:{number}"
            judgment = label(UNITS[number % 5], by=str(thread), note=note)
            if wrong == "early":
                acknowledge(note)
                time.sleep(0.05)
            ledger.record([judgment])
            acknowledge(note)

    for thread in range(4):
        threading.Thread(target=record, args=(thread,), daemon=True).start()
    last = len(ledger.draws())
    for batch in itertools.count(last + 1):
        fresh = units([f"{batch}-{number}" for number in range(200)])
        ledger.add_draw(draw(batch, fresh))
        acknowledge(f"draw:{batch}")


def main() -> None:
    mode, place, *rest = sys.argv[1:]
    if mode == "statements":
        statements(Path(place), *rest)
    else:
        stream(Path(place), *rest)


if __name__ == "__main__":
    main()

"""Killed at any moment, the file holds all that was acknowledged, and no half of anything.

These tests kill real processes with SIGKILL. They say nothing of a loss of power, which only the
setting synchronous = FULL and the disk's own honesty stand against.
"""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

import pytest

from aliquot.errors import StudyMissingError
from aliquot.store.ledger import SqliteLedger
from tests.store.killed import SAID, STEPS, UNITS, open_or_create, take_steps
from tests.store.samples import FRAME, HEADER, bits, content, draw, make, python, units

KILLS = 24


@dataclass(frozen=True)
class Fate:
    """What one killed process printed, and where its file is."""

    path: Path
    acknowledged: tuple[str, ...]
    killed: bool


def fates(folder: Path, wrong: str) -> list[Fate]:
    with python("-m", "tests.store.killed", "statements", str(folder), wrong) as process:
        out, err = process.communicate(timeout=120)
    assert err == ""
    found = [json.loads(line) for line in out.splitlines()]
    return [Fate(Path(one["path"]), tuple(one["acknowledged"]), one["killed"]) for one in found]


def steps_done(ledger: SqliteLedger) -> int:
    """How many steps of the scenario the file shows; -1 where it shows a half of one."""
    try:
        whole = [ledger.header() == HEADER, ledger.frames() == [FRAME]]
    except StudyMissingError:
        return 0 if (ledger.frames(), ledger.draws(), ledger.history()) == ([], [], []) else -1
    draws, history = ledger.draws(), ledger.history()
    if draws:
        whole += [draws == [draw(1, units(UNITS))], bits(draws[0].units) == bits(units(UNITS))]
    if history:
        whole += [history == SAID, bool(draws)]
    return 1 + bool(draws) + bool(history) if all(whole) else -1


def fault(fate: Fate) -> str:
    """Say what is wrong with the file that a killed process left."""
    with open_or_create(fate.path) as ledger:
        done = steps_done(ledger)
        problems = ledger.verify()
        if done >= 0 and not problems:
            take_steps(ledger, done, lambda _: None)  # go on where it was killed
        end = steps_done(ledger)
    acknowledged = len(set(fate.acknowledged))
    if problems:
        return problems[0]
    if done < 0:
        return "half a step is there"
    if done < acknowledged:
        return f"{STEPS[done]} was acknowledged and is not there"
    if done > acknowledged + 1 or end != len(STEPS):
        return f"{done} steps are there, {acknowledged} were acknowledged, and going on gave {end}"
    return ""


def test_a_kill_between_any_two_statements_leaves_whole_steps(tmp_path: Path) -> None:
    found = fates(tmp_path, "")
    assert [fate.killed for fate in found] == [True] * (len(found) - 1) + [False]
    assert found[-1].acknowledged == STEPS
    assert {len(fate.acknowledged) for fate in found} == {0, 1, 2, 3}
    assert len(found) > 60  # pragmas, tables, triggers, savepoints and rows, each one statement
    assert [fault(fate) for fate in found] == [""] * len(found)


def test_what_goes_on_after_a_kill_is_what_was_never_killed(tmp_path: Path) -> None:
    found = fates(tmp_path, "")
    with open_or_create(found[-1].path) as ledger:
        straight = content(ledger)
    for fate in found[::5]:
        assert fault(fate) == ""
        with open_or_create(fate.path) as ledger:
            assert content(ledger) == straight


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("early", {f"{step} was acknowledged and is not there" for step in STEPS}),
        ("halves", {"half a step is there"}),
    ],
)
def test_a_ledger_that_breaks_its_word_is_found(wrong: str, says: set[str], tmp_path: Path) -> None:
    assert {fault(fate) for fate in fates(tmp_path, wrong)} - {""} == says


# --- killed from outside -------------------------------------------------------------------------


@contextmanager
def streaming(path: Path, life: int, wrong: str) -> Iterator[Popen[str]]:
    with python("-m", "tests.store.killed", "stream", str(path), str(life), wrong) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGKILL)


def live_and_die(path: Path, life: int, lines: int, wrong: str = "") -> list[str]:
    """Let a process write, kill it soon after some lines, and return what it acknowledged whole."""
    with streaming(path, life, wrong) as process:
        assert process.stdout is not None
        first = "".join(process.stdout.readline() for _ in range(lines))
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    whole = (first + rest).rpartition("\n")[0]
    return whole.split("\n")


def missing(path: Path, acknowledged: set[str]) -> set[str]:
    """What was acknowledged and is not there; the file must be whole besides."""
    with SqliteLedger.open_at(path) as ledger:
        assert ledger.verify() == []
        draws = ledger.draws()
        held = {one.note for one in ledger.history()} | {f"draw:{row.batch}" for row in draws}
    assert {len(row.units.unit) for row in draws[1:]} <= {200}
    assert [row.batch for row in draws] == list(range(1, len(draws) + 1))
    return acknowledged - held


def test_what_was_acknowledged_survives_kills_at_random_times(tmp_path: Path) -> None:
    rng = random.Random(20)  # noqa: S311  it chooses moments, no secrets
    path = make(tmp_path / "study.db")
    acknowledged: set[str] = set()
    for life in range(KILLS):
        lines = rng.randint(5, 40)
        told = live_and_die(path, life, lines)
        assert len(told) >= lines
        assert acknowledged.isdisjoint(told)
        acknowledged.update(told)
        assert missing(path, acknowledged) == set()
    killed_while_writing = {note.split(":")[0] for note in acknowledged} - {"draw"}
    assert len(killed_while_writing) >= 20


def test_what_was_acknowledged_too_early_is_missed(tmp_path: Path) -> None:
    path = make(tmp_path / "study.db")
    lost = [missing(path, set(live_and_die(path, life, 20, "early"))) for life in range(2)]
    assert all(lost)

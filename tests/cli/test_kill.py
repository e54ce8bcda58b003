"""Killed at any step, `init` leaves a whole study or none, `record` all of a file or nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.door import ask, do, put, spam, table, waiting
from tests.cli.killed import INIT, RECORD

ROOT = Path(__file__).resolve().parents[2]

# From Python 3.12 a fork beside other threads warns; here a child runs one command and is gone.
FORKS = "ignore:This process:DeprecationWarning"


@dataclass(frozen=True)
class Fate:
    """Where a child worked, and how it ended."""

    place: str
    killed: bool
    code: int


def fates(mode: str, wrong: str = "") -> list[Fate]:
    paths = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    done = subprocess.run(
        [sys.executable, "-W", FORKS, "-m", "tests.cli.killed", mode, wrong],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        check=True,
        timeout=120,
    )
    assert done.stderr == b""
    return [Fate(**json.loads(line)) for line in done.stdout.splitlines()]


def half_made() -> str:
    """Say what is wrong with what a killed `init` left in this folder, and make it again."""
    there = Path("spam").exists()
    again = ask(" ".join(f"'{word}'" for word in INIT))
    if there and not again.err.startswith("aliquot: spam: there is a study already."):
        return "what it left is neither a study nor out of the way"
    if not there and again.code:
        return f"it can't be made again: {again.err}"
    if ask("doctor spam").code or do("draw spam --budget 12 --json").json["new"] != 12:
        return "the study is not whole"
    left = [path.name for path in Path().iterdir() if not path.name.startswith(".spam-")]
    return "" if left == ["spam"] else f"it left {left}"


def half_recorded() -> str:
    """Say what is wrong with what a killed `record` left, and record again."""
    if ask("doctor spam").code:
        return "the study is not whole"
    held = len(do("export spam --json").rows)
    if held not in (0, 6):
        return "half of the file was recorded"
    again = do(" ".join(RECORD) + " --json").json
    return "" if (again["added"], again["unchanged"]) == (6 - held, held) else "it is not the same"


def faults(found: list[Fate], mode: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    top, said = Path.cwd(), []
    for fate in found:
        monkeypatch.chdir(top / fate.place)
        said.append(half_made() if mode == "init" else half_recorded())
    monkeypatch.chdir(top)
    return said


def prepare(mode: str) -> None:
    if mode == "init":
        table()
    else:
        spam(budget=6)
        put("truth.csv", "unit,label\n" + "".join(f"{unit},no\n" for unit in waiting("spam")))


@pytest.mark.parametrize("mode", ["init", "record"])
def test_a_kill_at_any_step_leaves_all_or_nothing(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(mode)
    found = fates(mode)
    assert [fate.killed for fate in found] == [True] * (len(found) - 1) + [False]
    assert found[-1].code == 0
    assert len(found) > 12
    assert faults(found, mode, monkeypatch) == [""] * len(found)


@pytest.mark.parametrize(
    ("mode", "wrong", "says"),
    [
        ("init", "in place", "what it left is neither a study nor out of the way"),
        ("record", "halves", "half of the file was recorded"),
    ],
)
def test_what_breaks_the_word_is_found(
    mode: str, wrong: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(mode)
    assert says in faults(fates(mode, wrong), mode, monkeypatch)

"""The import contracts, the documented house and the folders are the same; and they bite."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.source import PACKAGE, ROOT

STATISTICAL = {
    "core", "measures", "designs", "estimators", "intervals", "curves", "vetting", "planner"
}  # fmt: skip
LINTER = Path(sys.executable).parent / "lint-imports"
PAGE = (ROOT / "docs" / "why" / "rooms.md").read_text("utf-8")


def contracts() -> dict[str, dict[str, Any]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = project["tool"]["importlinter"]["contracts"]
    return {contract["name"]: contract for contract in listed}


def layers() -> list[set[str]]:
    """The rooms of each layer, from the top; planned ones too."""
    listed = contracts()["Rooms only look down"]["layers"]
    return [set(re.findall(r"\w+", layer)) for layer in listed]


def rooms() -> set[str]:
    """The rooms that are there."""
    found = {path.stem for path in PACKAGE.iterdir() if path.is_dir() or path.suffix == ".py"}
    return found - {"__init__", "__main__", "__pycache__"}


def test_the_page_draws_the_layers_of_the_contract() -> None:
    [drawing] = re.findall(r"```text\n(cli.*?)```", PAGE, re.DOTALL)
    assert [set(line.split(" | ")) for line in drawing.splitlines()] == layers()


def test_the_page_has_a_row_for_each_room() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert sorted(rows) == sorted(set().union(*layers()))


def test_every_statistical_room_is_kept_from_files_and_clocks() -> None:
    contract = contracts()["The statistical rooms read no file, no clock and no environment"]
    listed = {module.removeprefix("aliquot.") for module in contract["source_modules"]}
    assert listed == STATISTICAL & rooms()


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Build the rooms of the real house, all empty, with the real contracts."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for room in rooms():
        folder = tmp_path / "aliquot" / room
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
    (tmp_path / "aliquot" / "__init__.py").touch()
    return tmp_path


def broken(house: Path) -> set[str]:
    """The names of the contracts that the linter finds broken in a house."""
    done = subprocess.run(
        [LINTER, "--no-cache", "--no-logo"],
        cwd=house, env={"PYTHONPATH": str(house)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return set(re.findall(r"^(.+) BROKEN$", done.stdout, re.MULTILINE))


def test_an_empty_house_breaks_no_contract(house: Path) -> None:
    assert broken(house) == set()


@pytest.mark.parametrize(
    ("file", "text", "contract"),
    [
        ("core/made.py", "from aliquot.study import ports", "Rooms only look down"),
        ("designs/made.py", "from aliquot.estimators import x", "Rooms only look down"),
        ("attic.py", "", "Rooms only look down"),
        (
            "designs/made.py",
            "def f():\n    import sqlite3",
            "The statistical rooms read no file, no clock and no environment",
        ),
        ("core/made.py", "import scipy.special", "The core is numpy only"),
        (
            "study/made.py",
            "from pathlib import Path",
            "The use cases know no database, no file and no clock",
        ),
        (
            "store/made.py",
            "from aliquot.store import other",
            "No cycles, neither between rooms nor inside them",
        ),
    ],
)
def test_each_contract_bites(file: str, text: str, contract: str, house: Path) -> None:
    (house / "aliquot" / "study" / "ports.py").touch()
    (house / "aliquot" / "store" / "other.py").write_text("from aliquot.store import made\n")
    (house / "aliquot" / file).write_text(text + "\n")
    assert contract in broken(house)

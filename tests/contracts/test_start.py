"""The command line starts at once: heavy libraries are loaded by the command that needs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"numpy", "scipy", "pyarrow", "duckdb", "pandas", "polars", "matplotlib", "tqdm"}


def loaded(*arguments: str) -> set[str]:
    """The top-level packages that a fresh interpreter has loaded when it ends."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip().split(".")[0] for line in lines}


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", "import aliquot"),
        ("-c", "import aliquot.cli.main"),
        (str(Path(sys.executable).parent / "aliquot"), "--help"),
    ],
    ids=["package", "main", "help"],
)
def test_nothing_heavy_is_loaded(arguments: tuple[str, ...]) -> None:
    found = loaded(*arguments)
    assert "aliquot" in found
    assert found & HEAVY == set()


def test_a_heavy_import_is_found() -> None:
    assert loaded("-c", "import aliquot.core.prn") & HEAVY == {"numpy"}

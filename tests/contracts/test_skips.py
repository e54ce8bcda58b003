"""A skipped test is a failed one: `conftest.py` sees to it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contracts.source import ROOT


@pytest.mark.parametrize(("body", "code"), [("pass", 0), ("pytest.skip('not today')", 1)])
def test_a_skip_fails(body: str, code: int, tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_made.py").write_text(f"import pytest\n\ndef test() -> None:\n    {body}\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout

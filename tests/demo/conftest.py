"""The demonstration, told once for all tests of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aliquot.wiring.demo import Story, tell


@pytest.fixture(scope="session")
def tour(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Story]:
    """Where the demonstration kept its files, and what it told."""
    out = tmp_path_factory.mktemp("demo") / "tour"
    return out, tell(out)

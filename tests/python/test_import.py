"""`import aliquot` costs nothing: what is heavy is imported when it is first used."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import aliquot as aq

HEAVY = ("numpy", "scipy", "pyarrow", "pandas", "polars", "duckdb", "sqlite3", "tqdm")


def loaded_after(statement: str) -> list[str]:
    """Return which heavy libraries a new Python has loaded after a statement."""
    listed = f"[name for name in {HEAVY} if name in sys.modules]"
    code = f"{statement}\nimport json, sys\nprint(json.dumps({listed}))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, timeout=60, text=True
    )
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def test_the_import_loads_nothing_heavy() -> None:
    assert loaded_after("import aliquot") == []


def test_a_name_loads_what_it_needs_and_no_optional_part() -> None:
    found = loaded_after("import aliquot; aliquot.Study")
    assert "numpy" in found
    assert not {"pandas", "polars", "duckdb"} & set(found)


def test_the_public_names_are_listed_and_there() -> None:
    assert aq.__all__ == sorted(aq.__all__)
    assert {"AliquotError", "Estimate", "Frame", "Interval", "Study"} <= set(dir(aq))
    for name in aq.__all__:
        assert getattr(aq, name).__name__.rpartition(".")[2] == name  # a class or a module


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'aliquot' has no attribute 'nothing'"):
        _ = aq.nothing

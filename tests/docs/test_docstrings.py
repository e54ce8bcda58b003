"""Every example in a docstring of the package is run as shown."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, check

SOURCE = ROOT / "src"


def dotted(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = [dotted(path) for path in sorted(SOURCE.rglob("*.py")) if path.stem != "__main__"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    for test in doctest.DocTestFinder().find(importlib.import_module(name)):
        check(test)


def test_a_wrong_docstring_is_found() -> None:
    def wrong() -> None:
        """One and one.

        >>> 1 + 1
        3
        """

    [test] = doctest.DocTestFinder().find(wrong, "wrong")
    with pytest.raises(AssertionError, match="Got:\n    2"):
        check(test)

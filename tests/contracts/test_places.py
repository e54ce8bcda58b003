"""No file of the repository says where it was made: no package host, no one's home directory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.source import ROOT

FOLDERS = ("src", "tests", "docs", "benchmarks", "scripts", ".ci")
PLACES = re.compile(
    r"index-url\s*[=\s]\s*[a-z]+:"
    r"|https?://[^\s\"'<>]+/(?:simple|packages)/"
    r"|/(?:root|work|farm)/"
    r"|/(?:home|Users)/\w+/",
    re.IGNORECASE,
)


def files() -> Iterator[Path]:
    """Every text that is committed; `.git` is a file where git made a second worktree."""
    yield from sorted(p for p in ROOT.iterdir() if p.is_file() and p.name != ".git")
    for folder in FOLDERS:
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.is_file())


def places(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return []  # a picture or a compiled file
    return [f"{path}:{n} {line}" for n, line in enumerate(lines, 1) if PLACES.search(line)]


def test_no_file_names_a_place() -> None:
    assert [place for path in files() for place in places(path)] == []


@pytest.mark.parametrize(
    "parts",
    [
        ("--index-url ", "file:///wheels"),
        ("index-url", " = https://pypi.example.org"),
        ("numpy @ https://host.example/", "packages/numpy.whl"),
        ("https://host.example/pypi/", "simple/"),
        ("/ro", "ot/.cache"),
        ("/wo", "rk/main"),
        ("/ho", "me/ann/aliquot"),
    ],
)
def test_each_kind_of_place_is_found(parts: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "made.txt"
    path.write_text("one\n" + "".join(parts) + "\n", "utf-8")
    assert places(path) == [f"{path}:2 {''.join(parts)}"]

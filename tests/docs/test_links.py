"""A link between two files of the repository leads somewhere, and the index leads to every page."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.pages import ROOT

LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)[^)]*\)")


def targets(page: Path) -> list[Path]:
    """Return the files that a page links to."""
    return [(page.parent / target).resolve() for target in LINK.findall(page.read_text("utf-8"))]


def broken(page: Path) -> list[str]:
    return [target.name for target in targets(page) if not target.exists()]


def test_every_link_leads_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), ROOT / "tests" / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert {page.name: broken(page) for page in pages if broken(page)} == {}


def test_the_index_leads_to_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    pages = {page.resolve() for page in (ROOT / "docs").rglob("*.md")} - {index.resolve()}
    assert pages - set(targets(index)) == set()


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("[a](a.md#top) [b](b.md) [c](https://example.org/c.md) [d](#d)\n", "utf-8")
    assert broken(page) == ["b.md"]

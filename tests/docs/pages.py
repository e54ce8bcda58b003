"""A page is a transcript: its Python and console blocks run in order, in one empty folder."""

from __future__ import annotations

import doctest
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.docs import console

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS


@dataclass(frozen=True)
class Block:
    """One fenced block of a page; `line` is that of its first line."""

    language: str
    text: str
    line: int


def pages() -> list[Path]:
    """Return the README and every page of the documentation."""
    return [*ROOT.glob("README.md"), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: str) -> Iterator[Block]:
    for match in FENCE.finditer(page):
        yield Block(match[1], match[2], page.count("\n", 0, match.start(2)) + 1)


def play(page: str, folder: Path, *, name: str = "page") -> int:
    """Run every block of a page, which must be in `folder` already; return how many there are."""
    names: dict[str, Any] = {"__name__": "__page__"}
    count = 0
    for block in blocks(page):
        count += 1
        if block.language == "console":
            console.run(block.text, folder)
        elif block.text.lstrip().startswith(">>>"):
            session(block, names, name)
        else:
            # Empty lines in front, so that a traceback names the line of the page.
            code = compile("\n" * (block.line - 1) + block.text, name, "exec")
            exec(code, names)  # noqa: S102 - the pages are ours
    return count


def session(block: Block, names: dict[str, Any], name: str) -> None:
    """Run a block that shows a Python session, and compare the answers."""
    test = doctest.DocTestParser().get_doctest(block.text, {}, name, name, block.line - 1)
    test.globs = names
    check(test)


def check(test: doctest.DocTest) -> None:
    """Raise with the differences if one of a test's answers is another."""
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    if runner.run(test, out=report.write, clear_globs=False).failed:
        raise AssertionError(report.getvalue())

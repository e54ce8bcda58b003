"""The Markdown report says the same, and shows every text as text."""

from __future__ import annotations

import re
from pathlib import Path

from aliquot.wiring.study import Study
from tests.report.conftest import HOSTILE

LIVE = re.compile(r"(?<!\\)(?:\\\\)*[<`\[]")  # what would start a tag, code or a link


def report(study: Study, tmp_path: Path) -> str:
    path = tmp_path / "report.md"
    study.report(path)
    return path.read_text("utf-8")


def commands(page: str) -> str:
    """What is set as code, by four blanks, and shown as it is anyway."""
    return "\n".join(line for line in page.splitlines() if line.startswith("    "))


def test_it_has_every_section(plain: Study, tmp_path: Path) -> None:
    page = report(plain, tmp_path)
    assert re.findall(r"^## (.*)", page, re.MULTILINE) == [
        "Warnings",
        "What was asked",
        "Estimates",
        "Comparison",
        "Thresholds",
        "Labels",
        "What this assumes",
        "Methods, to paste",
        "How to check this",
    ]
    assert "aliquot doctor plain" in commands(page)
    assert "| seed | 7 |" in page


def test_hostile_texts_are_no_markup(hostile: Study, tmp_path: Path) -> None:
    page = report(hostile, tmp_path)
    prose = "\n".join(line for line in page.splitlines() if not line.startswith("    "))
    assert LIVE.findall(prose) == []
    assert r"\<script\>alert(1)\</script\>" in prose


def test_hostile_texts_break_no_table(hostile: Study, tmp_path: Path) -> None:
    page = report(hostile, tmp_path)
    tables = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    assert len(tables) >= 4
    for table in tables:
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(cells) == 1


def test_live_markup_is_found() -> None:
    assert LIVE.findall("a <b> [c](d)") == ["<", "["]
    assert LIVE.findall(r"a \<b\> \[c\](d)") == []
    assert HOSTILE != ""

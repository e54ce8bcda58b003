"""CHANGELOG.md keeps one grammar, so that a reader finds a change without learning ours."""

from __future__ import annotations

import re

from tests.contracts.source import ROOT

RELEASE = re.compile(r"## (\[Unreleased\]|\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2})")
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def faults(text: str) -> list[str]:
    """Headings of another kind, and entries that are not sentences."""
    found = []
    for line in text.splitlines():
        if line.startswith("## ") and not RELEASE.fullmatch(line):
            found.append(f"no release: {line}")
        if line.startswith("### ") and line[4:] not in KINDS:
            found.append(f"no kind of change: {line}")
    found += [f"no sentence: {entry}" for entry in entries(text) if not is_sentence(entry)]
    return found


def entries(text: str) -> list[str]:
    """The entries of all releases, each on one line."""
    body = text[text.index("\n## ") :]
    found = re.findall(r"^- (.*(?:\n  .*)*)", body, re.MULTILINE)
    return [re.sub(r"\s+", " ", entry) for entry in found]


def is_sentence(entry: str) -> bool:
    return entry.endswith(".") and (entry[0].isupper() or entry[0] == "`")


def test_the_changelog_keeps_its_grammar() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert faults(text) == []
    assert re.findall(r"^## .*", text, re.MULTILINE)[0] == "## [Unreleased]"


def test_each_fault_is_found() -> None:
    text = "# Changelog\n\n## 1.0\n### New\n- added a thing\n- `draw` now\n  is faster.\n"
    assert faults(text) == [
        "no release: ## 1.0",
        "no kind of change: ### New",
        "no sentence: added a thing",
    ]

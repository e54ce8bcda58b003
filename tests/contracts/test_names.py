"""One word a concept: the glossary resolves, and every public name is documented."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from functools import cache

import pytest

import aliquot
from tests.contracts.source import ROOT, documentation

ROOMS = ("measures", "designs", "estimators", "intervals", "curves")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
HEAD = ["symbol", "word", "Python name", "column", "sentence"]


@dataclass(frozen=True)
class Term:
    """One row of the glossary."""

    symbol: str
    word: str
    python: str
    column: str
    sentence: str


def terms(text: str) -> list[Term]:
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip().strip("`") for cell in row] for row in rows]
    assert cells[0] == HEAD
    return [Term(*row) for row in cells[2:]]


def resolves(name: str) -> bool:
    """Whether a dotted name leads to a module, something in it, or a field of a class in it."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        return has(found, parts[cut:])
    return False


def has(owner: object, names: list[str]) -> bool:
    if not names:
        return True
    first, *rest = names
    if first in getattr(owner, "__dataclass_fields__", {}):
        return not rest
    return hasattr(owner, first) and has(getattr(owner, first), rest)


def spellings() -> list[str]:
    """Every measure, design, estimator and interval there is, as a user types it."""
    found = []
    for room in ROOMS:
        registry = importlib.import_module(f"aliquot.{room}.registry")
        found += [str(entry.name) for entry in getattr(registry, room.upper())]
    return found


def is_documented(name: str) -> bool:
    """Whether a page shows the name as code, alone or inside a longer piece of code."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", code()) is not None


@cache
def code() -> str:
    """What the pages set as code: fenced blocks and `inline`."""
    text = documentation()
    blocks = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`[^`\n]+`", text)])


@pytest.mark.parametrize("term", terms(GLOSSARY), ids=lambda term: term.word)
def test_each_term_has_its_python_name(term: Term) -> None:
    assert resolves(term.python), f"{term.word}: there is no {term.python}"
    assert term.sentence.endswith(".")


def test_no_term_stands_twice() -> None:
    words = [term.word for term in terms(GLOSSARY)]
    assert len(words) == len(set(words)) > 0


def test_a_name_that_leads_nowhere_is_found() -> None:
    assert resolves("aliquot.core.records.DrawUnits.pi")
    assert not resolves("aliquot.core.records.DrawUnits.p")
    assert not resolves("aliquot.core.record.DrawUnits")


def test_the_public_names_are_sorted_and_there() -> None:
    assert list(aliquot.__all__) == sorted(set(aliquot.__all__))
    assert [name for name in aliquot.__all__ if not hasattr(aliquot, name)] == []


def test_every_public_name_is_documented() -> None:
    assert [name for name in aliquot.__all__ if not is_documented(name)] == []


def test_every_spelling_is_documented() -> None:
    assert [name for name in spellings() if not is_documented(name)] == []


def test_an_undocumented_name_is_found() -> None:
    assert is_documented("aliquot.core.records.DrawUnits")
    assert not is_documented("no_such_design")
    assert not is_documented("liquot.core")

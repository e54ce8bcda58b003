"""Every command that a page names in running text is one that the command line takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from aliquot.cli.main import COMMANDS, load, parser
from aliquot.errors import UsageError
from tests.docs.pages import ROOT, pages

NAMED = re.compile(r"`aliquot\s([a-z][^`]*)`")


def commands(page: str) -> list[list[str]]:
    """The inline commands of a page, cut into words."""
    return [shlex.split(text.replace("\n", " ")) for text in NAMED.findall(page)]


def accept(words: list[str]) -> None:
    """Parse a command; a bare name or a pattern with brackets stands for itself."""
    name, *rest = words
    assert name in COMMANDS, name
    made = parser(name, load(name))
    given = ["1" if word in ("n", "N") else word for word in rest]  # a budget of n
    if len(given) > 1 and "[" not in " ".join(given):
        made.parse_args(given)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_is_taken(page: Path) -> None:
    for words in commands(page.read_text("utf-8")):
        accept(words)


def test_every_command_is_on_the_page_of_commands() -> None:
    page = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
    named = {words[0] for words in commands(page)}
    assert set(COMMANDS) - named == set()


@pytest.mark.parametrize(
    "text", ["`aliquot estimate S --levels 0.9`", "`aliquot draw S --budget x`"]
)
def test_a_wrong_command_is_found(text: str) -> None:
    with pytest.raises(UsageError):
        accept(commands(text)[0])


def test_an_unknown_command_is_found() -> None:
    with pytest.raises(AssertionError):
        accept(["guess", "S"])

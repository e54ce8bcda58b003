"""The tree of exceptions that `aliquot.errors` draws is the one that it defines."""

from __future__ import annotations

import inspect
import re

import pytest

from aliquot import errors
from tests.contracts.source import documentation

LINE = re.compile(r"^(?P<branch>[│├└─ ]*)(?P<name>\w+Error)\s", re.MULTILINE)
KINDS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, BaseException)
]


def drawn(text: str) -> dict[str, str]:
    """The parent of each name in a drawn tree; the root has none."""
    parents: dict[str, str] = {}
    path: list[str] = []
    for match in LINE.finditer(text):
        depth = len(match["branch"]) // 4
        path[depth:] = [match["name"]]
        parents[match["name"]] = path[depth - 1] if depth else ""
    return parents


def test_the_drawn_tree_is_the_real_one() -> None:
    real = {kind.__name__: kind.__bases__[0].__name__ for kind in KINDS}
    assert drawn(errors.__doc__ or "") == real | {"AliquotError": ""}


def test_a_wrong_branch_is_found() -> None:
    text = "AError  a\n├── BError  b\n│   └── CError  c\n└── DError  d\n"
    assert drawn(text) == {"AError": "", "BError": "AError", "CError": "BError", "DError": "AError"}


@pytest.mark.parametrize("kind", KINDS)
def test_each_error_says_what_it_means(kind: type[Exception]) -> None:
    assert (kind.__doc__ or "").endswith(".")
    assert f"`{kind.__name__}`" in documentation()

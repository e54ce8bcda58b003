"""A library does not own the process: what the source may not call, and where it may.

Only `wiring` reads the clock and the environment and makes a random Generator, so that everything
else gives the same answer to the same question.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.contracts.source import Module, modules

NEVER: tuple[str, ...] = ()
WIRING = ("wiring",)
ALLOWED = {
    "print": NEVER,  # the caller's standard output is not ours; the doors write to the stream
    "warnings.simplefilter": NEVER,
    "warnings.filterwarnings": NEVER,
    "warnings.catch_warnings": NEVER,
    "logging.basicConfig": NEVER,
    "numpy.random.seed": NEVER,
    "numpy.random.default_rng": WIRING,
    "os.environ": WIRING,
    "os.getenv": WIRING,
    "time.time": WIRING,
    "time.time_ns": WIRING,
    "time.localtime": WIRING,
    "time.gmtime": WIRING,
    "datetime.datetime.now": WIRING,
    "datetime.datetime.today": WIRING,
    "datetime.datetime.utcnow": WIRING,
    "datetime.date.today": WIRING,
}


def imported(tree: ast.Module) -> dict[str, str]:
    """What each imported name stands for: {"np": "numpy"}."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                found[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def dotted(node: ast.AST) -> str:
    """The text of a plain chain of names, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        left = dotted(node.value)
        return f"{left}.{node.attr}" if left else ""
    return ""


def sins(module: Module) -> Iterator[str]:
    tree = module.tree
    names = imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield f"{module.name}:{node.lineno} assert"
        elif isinstance(node, ast.Name | ast.Attribute):
            first, _, rest = dotted(node).partition(".")
            full = ".".join(filter(None, (names.get(first, first), rest)))
            if module.room not in ALLOWED.get(full, (module.room,)):
                yield f"{module.name}:{node.lineno} {full}"


def test_the_source_behaves() -> None:
    assert [sin for module in modules() for sin in sins(module)] == []


@pytest.mark.parametrize(
    ("text", "sin"),
    [
        ("print(1)", "print"),
        ("assert True", "assert"),
        ("import warnings\nwarnings.simplefilter('ignore')", "warnings.simplefilter"),
        ("from warnings import filterwarnings as f\nf('ignore')", "warnings.filterwarnings"),
        ("import logging as log\nlog.basicConfig()", "logging.basicConfig"),
        ("import numpy as np\nnp.random.seed(1)", "numpy.random.seed"),
        ("import numpy as np\nnp.random.default_rng(1)", "numpy.random.default_rng"),
        ("from numpy.random import default_rng\ndefault_rng(1)", "numpy.random.default_rng"),
        ("from datetime import datetime\ndatetime.now()", "datetime.datetime.now"),
        ("import datetime as dt\ndt.date.today()", "datetime.date.today"),
        ("import time\ntime.time()", "time.time"),
        ("import os\nos.environ.get('HOME')", "os.environ"),
    ],
)
def test_each_sin_is_found(text: str, sin: str) -> None:
    found = list(sins(Module("designs/made.py", text)))
    assert [line.split(" ")[1] for line in found] == [sin]


def test_wiring_may_read_the_clock_and_make_a_generator() -> None:
    text = "import time\nimport numpy as np\ntime.time()\nnp.random.default_rng(1)"
    assert list(sins(Module("wiring/made.py", text))) == []

"""The registries are lists that tests iterate; their count is asserted, so that none is lost."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import pytest

COUNT = {"measures": 14, "designs": 8, "estimators": 9, "intervals": 14, "curves": 5}


def registry(room: str) -> Sequence[Any]:
    found: Sequence[Any] = getattr(
        importlib.import_module(f"aliquot.{room}.registry"), room.upper()
    )
    return found


def names(room: str) -> list[str]:
    return [str(entry.name) for entry in registry(room)]


def faults(found: list[str], count: int) -> list[str]:
    """Say what is wrong with the names of a registry."""
    twice = sorted({name for name in found if found.count(name) > 1})
    wrong = [f"{name} stands twice" for name in twice]
    if len(found) != count:
        wrong.append(f"{len(found)} entries, not {count}: {', '.join(found)}")
    return wrong


@pytest.mark.parametrize("room", COUNT)
def test_the_registry_is_complete(room: str) -> None:
    assert faults(names(room), COUNT[room]) == []


def test_a_lost_or_doubled_entry_is_found() -> None:
    assert faults(["a", "b"], 2) == []
    assert faults(["a"], 2) == ["1 entries, not 2: a"]
    assert faults(["a", "a"], 2) == ["a stands twice"]

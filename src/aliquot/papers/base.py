"""A reproduction: what a paper prints, what we get, and how far apart the two may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, final

from aliquot.errors import UsageError

Progress = Callable[[str, int, int], None]


@final
@dataclass(frozen=True)
class Cell:
    """One number: printed, ours, and the difference that chance and rounding explain.

    `printed` is None where the paper shows a picture, or a number that it does not print.
    `tolerance` is derived, from the rounding in print and the Monte Carlo error of both sides.

    >>> Cell("recall", "mean", 0.31, 0.314, 0.005).agrees
    True
    """

    row: str
    column: str
    printed: float | None
    ours: float
    tolerance: float

    @property
    def agrees(self) -> bool:
        """Whether ours is within the tolerance of print; true where nothing is printed."""
        return self.printed is None or abs(self.ours - self.printed) <= self.tolerance


@final
@dataclass(frozen=True)
class Reproduction:
    """A table or figure, run again. `note` says in which settings, and why a cell disagrees."""

    cells: tuple[Cell, ...]
    note: str

    @property
    def agrees(self) -> bool:
        """Whether every printed number comes out."""
        return all(cell.agrees for cell in self.cells)

    def to_dict(self) -> dict[str, Any]:
        """Return published, ours and tolerance, each a mapping row -> column -> number."""
        return {
            "published": self._table("printed"),
            "ours": self._table("ours"),
            "tolerance": self._table("tolerance"),
            "agrees": self.agrees,
            "note": self.note,
            "cells": [asdict(cell) | {"agrees": cell.agrees} for cell in self.cells],
        }

    def _table(self, what: str) -> dict[str, dict[str, float | None]]:
        table: dict[str, dict[str, float | None]] = {}
        for cell in self.cells:
            table.setdefault(cell.row, {})[cell.column] = getattr(cell, what)
        return table


@final
@dataclass(frozen=True)
class Settings:
    """How a reproduction is run: `fast` asks for fewer repetitions, `data` is where data lies."""

    fast: bool = False
    data: Path | None = None
    seed: int = 1
    progress: Progress | None = None

    def folder(self, name: str) -> Path:
        """Return the folder of one data set, or say how to name it."""
        if self.data is None:
            raise UsageError("this table needs real data", do="Name its folder: --data DIR")
        found = self.data / name
        if not found.is_dir():
            raise UsageError("there is no such folder", where=str(found), do="Check --data DIR")
        return found


Run = Callable[[Settings], Reproduction]

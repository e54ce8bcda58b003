"""Where a row came from, so that an error can name it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, final

Noun = Literal["line", "row", "task"]


def same(row: int) -> int:
    """Count rows of a table from 1, as a person does."""
    return row + 1


@final
@dataclass(frozen=True)
class Place:
    """A file or a table, and how its rows are counted: lines of a text, rows of anything else."""

    name: str
    noun: Noun = "line"
    number: Callable[[int], int] = same  # from a row, counted from 0, to the number a person sees

    def at(self, *rows: int, column: str = "") -> str:
        """Return `a.csv, line 7, column label` or `a.run, lines 3 and 9`."""
        numbers = " and ".join(str(self.number(row)) for row in rows)
        where = f"{self.name}, {self.noun}{'s' if len(rows) > 1 else ''} {numbers}"
        return f"{where}, column {column}" if column else where


def listed(names: list[str]) -> str:
    """Return the names of columns as an error lists them."""
    return ", ".join(name or '""' for name in names)

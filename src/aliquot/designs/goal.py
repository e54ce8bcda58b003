"""Goals: what a draw is for, as contrasts between the systems of a measure.

`each`: every system's own value. `pair:A,B`: the difference of two. `relative`: each system
against their mean. A system's name: that system alone. `curve:S`: the precision of S at every
rank, which is no contrast: see `designs.along`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aliquot.errors import DesignError


def check(goal: str, names: tuple[str, ...]) -> None:
    """Refuse a goal that the systems can't serve."""
    if goal in ("each", "relative") or goal in names:
        return
    if goal.startswith("pair:"):
        pair(goal, names)
        return
    if curved(goal) in names:
        return
    known = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "") if names else "none"
    raise DesignError(
        f"'{goal}' is not a goal",
        do=f"Use each, relative, pair:A,B, curve:A or the name of a system. Systems here: {known}",
    )


def curved(goal: str) -> str:
    """Return the system whose curve is the goal; nothing for another goal.

    >>> curved("curve:svm"), curved("each")
    ('svm', '')
    """
    return goal.removeprefix("curve:") if goal.startswith("curve:") else ""


def pair(goal: str, names: tuple[str, ...]) -> tuple[str, str]:
    """Split `pair:A,B`; names may hold commas, so every comma is tried."""
    text = goal.removeprefix("pair:")
    for at, letter in enumerate(text):
        first, second = text[:at].strip(), text[at + 1 :].strip()
        if letter == "," and first in names and second in names and first != second:
            return first, second
    raise DesignError(
        f"'{goal}' does not name two systems of this study",
        do=f"Use pair:A,B with two of {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}",
    )


def contrasts(goal: str, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the contrast matrix, shape (targets, systems); no rows where none applies.

    >>> contrasts("pair:a,b", ("a", "b", "c"))
    array([[ 1., -1.,  0.]])
    >>> contrasts("relative", ("a", "b"))
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    count = len(names)
    if names == ("",) or goal == "each":
        return np.eye(count)
    if goal == "relative":
        centred: NDArray[np.float64] = np.eye(count) - 1.0 / count
        return centred
    if goal.startswith("pair:"):
        parts = goal.removeprefix("pair:")
        found = [n for n in names if n]
        try:
            first, second = pair(f"pair:{parts}", tuple(found))
        except DesignError:
            return np.empty((0, count))
        row = np.zeros((1, count))
        row[0, names.index(first)], row[0, names.index(second)] = 1.0, -1.0
        return row
    return np.eye(count)[[names.index(goal)]] if goal in names else np.empty((0, count))

"""SYNTH of Schnabel et al. (2016, section 3.1), made from the text.

6,000 rankings of 2,000 items, labels 0 to 4, and five systems that put the same items in different
orders. Two readings make the printed numbers come out: labels are drawn i.i.d. from the categorical
distribution alpha itself (with Dirichlet(alpha) for each ranking the truth scatters 30 times as
much as print), and the system printed as SHIFT-5 shifts by 3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ALPHA = (0.54, 0.25, 0.175, 0.03, 0.005)
SYSTEMS = ("OPT", "REVERSE-75", "REVERSE-150", "SHIFT-5", "SHIFT-7")
RANKINGS, ITEMS = 6_000, 2_000
Whole = NDArray[np.int64]
Labels = NDArray[np.uint8]


def labels(rng: np.random.Generator, *, rankings: int = RANKINGS, items: int = ITEMS) -> Labels:
    """Return labels, best first, shape (rankings, items): the order in which OPT ranks them.

    >>> labels(np.random.Generator(np.random.PCG64(1)), rankings=2, items=5).tolist()
    [[2, 2, 0, 0, 0], [2, 1, 1, 1, 0]]
    """
    counts = rng.multinomial(items, ALPHA, size=rankings)
    grades = np.tile(np.arange(len(ALPHA), dtype=np.uint8)[::-1], rankings)
    found: Labels = np.repeat(grades, counts[:, ::-1].ravel()).reshape(rankings, items)
    return found


def order(system: str, items: int = ITEMS) -> Whole:
    """Return which item a system puts at each rank; items are numbered as OPT ranks them.

    >>> order("SHIFT-7", 9).tolist()
    [2, 3, 4, 5, 6, 7, 8, 0, 1]
    >>> order("REVERSE-75", 150)[:2].tolist(), order("REVERSE-75", 150)[75:77].tolist()
    ([74, 73], [75, 76])
    """
    kind, _, number = system.partition("-")
    found = np.arange(items)
    if kind == "SHIFT":
        return np.roll(found, {"5": 3}.get(number, int(number)))
    if kind == "REVERSE":
        top = min(int(number), items)
        found[:top] = found[:top][::-1]
    return found


def ranks(system: str, items: int = ITEMS) -> Whole:
    """Return the rank that a system gives to each item, from 1."""
    return np.argsort(order(system, items)) + 1

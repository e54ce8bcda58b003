"""The width of an interval from counts, at the counts that scores lead one to expect.

Of a stratum a design draws n_h of N_h units; a cell, what a system retrieves of it or does not,
gets its share of them, and of these the share positive that scores expect there.
**A guess about labels goes in, so a guess comes out: it helps to choose, and proves nothing.**
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.estimate import Cells, Estimate
from aliquot.core.frame import Floats
from aliquot.core.plan import Plan
from aliquot.designs.base import Chunk, Design
from aliquot.designs.strata import Codes, Strata
from aliquot.intervals.cells import BetaBin

START = 64  # labels that a search begins with
PLACES = 8  # samples that stand for all: counts are whole numbers, and expectations are not
GOLDEN = 0.6180339887498949


@final
@dataclass(frozen=True, eq=False)
class Counted:
    """What is known before a draw: what systems retrieve, and what scores expect of each unit."""

    chunk: Chunk
    held: list[NDArray[np.bool_]]
    expected: Floats
    beta: float

    def width(self, made: Design, n: int) -> float:
        """Return the mean width over the systems of 95 % intervals, with n labels."""
        codes, taken = allotted(made, self.chunk, n)
        widths = [self._width(codes, taken, one) for one in self.held]
        return float(np.mean(widths))

    def _width(self, codes: Codes, taken: Codes, held: NDArray[np.bool_]) -> float:
        cell = 2 * codes + held
        size = np.bincount(cell, minlength=2 * len(taken)).astype(np.float64)
        some = size > 0
        mean = np.bincount(cell, weights=self.expected, minlength=len(size))[some] / size[some]
        of_all = size / np.maximum(np.repeat(size.reshape(-1, 2).sum(axis=1), 2), 1.0)
        n = np.minimum(np.round(np.repeat(taken, 2) * of_all), size)[some]
        odd = (np.arange(len(size)) % 2 == 1)[some]

        def cells(r: Floats) -> Cells:
            return Cells(odd, size[some], n, r, mean, self.beta)

        return float(np.mean([_between(cells(r)) for r in counts(n, mean)]))


def planned(
    design: tuple[Design, str], known: Counted, *, budget: int = 0, width: float = 0.0
) -> Plan:
    """Say what a budget buys, or what a width costs, of one measure by a design."""
    (made, measure), most = design, len(known.chunk.rows)
    found = cache(partial(known.width, made))
    high = min(budget or START, most)
    if not budget:
        while high < most and found(high) > width:
            high = min(2 * high, most)
        high = _least(found, width, high)
    return Plan(str(made), measure, "default", "default", high, found(high))


def _least(at: Callable[[int], float], width: float, high: int) -> int:
    """Find the smallest n whose width is small enough: the width falls as n grows, nearly."""
    low = 0
    while high - low > max(1, high // 500):
        middle = (low + high) // 2
        low, high = (low, middle) if at(middle) <= width else (middle, high)
    return high


def allotted(made: Design, chunk: Chunk, n: int) -> tuple[Codes, Codes]:
    """Return the stratum of each unit, and how many units of each stratum a first draw takes."""
    if isinstance(made, Strata):
        codes = made.place(chunk, made.cut(chunk, n))
        return codes, made.wanted(chunk, codes, np.zeros_like(np.bincount(codes)), n)
    return np.zeros(len(chunk.rows), dtype=np.int64), np.array([n])


def counts(n: Floats, mean: Floats) -> list[Floats]:
    """Return samples that stand for all: binomial quantiles, the same ones every time.

    >>> [one.tolist() for one in counts(np.array([4.0, 9.0]), np.array([0.25, 0.0]))][:3]
    [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """
    places = (np.arange(PLACES) + 0.5) / PLACES
    found = [
        quantiles(int(size), share, (places + GOLDEN * cell) % 1.0)
        for cell, (size, share) in enumerate(zip(n, mean, strict=True))
    ]
    return list(np.array(found).T)


def quantiles(n: int, p: float, at: Floats) -> Floats:
    """Return binomial quantiles.

    >>> quantiles(10, 0.5, np.array([0.01, 0.5, 0.99])).tolist()
    [1.0, 5.0, 9.0]
    """
    if n == 0 or not 0.0 < p < 1.0:
        return np.full(len(at), float(n) if p >= 1.0 else 0.0)
    k = np.arange(n, dtype=np.float64)
    logs = np.concatenate([[0.0], np.cumsum(np.log((n - k) / (k + 1.0)) + np.log(p / (1.0 - p)))])
    mass = np.cumsum(np.exp(logs - logs.max()))
    found: Floats = np.searchsorted(mass, at * mass[-1], side="left").astype(np.float64)
    return found


def _between(cells: Cells) -> float:
    low, high = BetaBin().ends(_row(cells), 0.95)
    return high - low


def _row(cells: Cells) -> Estimate:
    """Return the estimate that counts make."""
    found = cells.N * cells.r / np.maximum(cells.n, 1.0)
    A, whole, K = found[cells.retrieved].sum(), found.sum(), cells.N[cells.retrieved].sum()
    if np.isinf(cells.beta):
        value = A / whole if whole > 0 else 0.5
    elif cells.beta > 0:
        square = cells.beta**2
        value = (1.0 + square) * A / max(K + square * whole, 1.0)
    else:
        value = A / K if K > 0 else whole / cells.N.sum()
    return Estimate("", "", float(value), 0.0, 0, 0.0, "", "design-consistent", cells=cells)

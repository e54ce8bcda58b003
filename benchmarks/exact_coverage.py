"""Coverage of the exact interval over every population of a grid of up to 20 units, or 60.

For each size of both segments and both samples: the interval of each sample that can be drawn, and
from these the coverage of every population, by enumeration. Prints the least coverage of all, how
many populations were tried, and the mean width beside that of betabin-half.

    python benchmarks/exact_coverage.py [--measure recall] [--all]
"""

from __future__ import annotations

import sys
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aliquot.intervals.betabin import Strata
from aliquot.intervals.counts import hyper
from aliquot.intervals.counts.base import Question
from aliquot.intervals.counts.registry import method
from aliquot.wiring.workers import spread

SIZES = (8, 12, 20, 30, 45, 60)
PARTS = (0.1, 0.25, 0.5, 0.75)  # retrieved
SAMPLED = (0.1, 0.25, 0.5, 0.9)  # of each segment
METHODS = ("exact", "betabin-half")


class Case(NamedTuple):
    """Two segments, and what is sampled of each."""

    measure: str
    N1: int
    n1: int
    N0: int
    n0: int


class Found(NamedTuple):
    """The least coverage, the number of populations, and the sums of widths."""

    least: float
    populations: int
    widths: tuple[float, ...]


def matrix(N: int, n: int) -> NDArray[np.float64]:
    """P(r | R), a row for each R."""
    found = np.zeros((N + 1, n + 1))
    for R in range(N + 1):
        first, p = hyper.pmf(N, R, n)
        found[R, first : first + p.size] = p
    return found


def run(case: Case) -> Found:
    """Enumerate one case."""
    measure, N1, n1, N0, n0 = case
    ends = np.zeros((len(METHODS), n1 + 1, n0 + 1, 2))
    for r1, r0 in product(range(n1 + 1), range(n0 + 1)):
        asked = Question(measure, Strata.of(N1, n1, r1), Strata.of(N0, n0, r0))
        ends[:, r1, r0] = [method(name).interval(asked) for name in METHODS]
    P1, P0 = matrix(N1, n1), matrix(N0, n0)
    least, populations = 1.0, 0
    for R1, R0 in product(range(N1 + 1), range(N0 + 1)):
        asked = Question(measure, Strata.of(N1, N1, R1), Strata.of(N0, N0, R0))
        if np.isnan(asked.estimate):
            continue
        low, high = ends[0, ..., 0], ends[0, ..., 1]
        hit = (low <= asked.estimate + 1e-9) & (asked.estimate <= high + 1e-9)
        least = min(least, float(P1[R1] @ hit @ P0[R0]))
        populations += 1
    weight = P1.sum(0)[:, None] * P0.sum(0)[None, :]  # of each sample, all populations alike
    widths = ((ends[..., 1] - ends[..., 0]) * weight / weight.sum()).sum((1, 2))
    return Found(least, populations, tuple(float(w) * populations for w in widths))


def cases(measure: str, *, few: bool) -> list[Case]:
    """Every combination of the grid, each once."""
    made = []
    for N, part, one, other in product(SIZES[:3] if few else SIZES, PARTS, SAMPLED, SAMPLED):
        N1 = max(round(N * part), 1)
        N0 = N - N1
        made.append(Case(measure, N1, max(round(N1 * one), 1), N0, max(round(N0 * other), 1)))
    return sorted(set(made))


if __name__ == "__main__":
    asked = sys.argv[sys.argv.index("--measure") + 1] if "--measure" in sys.argv else "recall"
    all_cases = cases(asked, few="--all" not in sys.argv)
    found = list(spread(run, all_cases))
    populations = sum(one.populations for one in found)
    exact, half = (sum(one.widths[i] for one in found) / populations for i in (0, 1))
    worst = min(range(len(found)), key=lambda i: found[i].least)
    print(f"{asked}: {populations} populations in {len(found)} cases")
    print(f"least coverage {found[worst].least:.4f}, in {all_cases[worst]}")
    print(f"mean width {exact:.4f}, betabin-half {half:.4f}: {exact / half:.3f} times")

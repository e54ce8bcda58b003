"""Schnabel et al. (2016), Table 7 and Figure 1: the difference of two systems."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.papers.base import Cell, Reproduction, Settings
from aliquot.papers.schnabel import PRINTED, ROUNDING, SIGMAS, WITHOUT
from aliquot.papers.schnabel_pool import Pool, noise, synthetic, trec
from aliquot.wiring.rng import generator

SYSTEMS = 5  # the paper picks five, and takes their ten pairs
BUDGETS = (1, 2, 5, 10, 20)  # draws a query
READING = (
    "Exact deviations, without the floor. SINGLE draws half of the budget for each system and "
    "evaluates both on all draws, whose distribution is the mean of the two; u is the mean of the "
    "two systems' guesses. "
)


@final
@dataclass(frozen=True)
class Pair:
    """The difference of two systems: its value, and n Var by each way to draw for it."""

    difference: float
    single: float  # half of the draws for each, all draws used for both
    pairwise: float  # Eq. 13
    separate: float  # half of the draws for each, used for that one alone


def pair(pool: Pool, a: int, b: int) -> Pair:
    """Return what two systems' difference costs."""
    some = pool.only(np.array([a, b]))
    P, u = some.weights, some.guesses.mean(axis=0)
    contrast = (P[0] - P[1])[None, :]
    own = [some.guesses[i] * P[i] for i in (0, 1)]
    mixed = sum((q / q.sum() for q in own), start=np.zeros(P.shape[1]))
    alone = [float(some.variances(P[i : i + 1], own[i])[0]) for i in (0, 1)]
    return Pair(
        float(some.values[0] - some.values[1]),
        float(some.variances(contrast, mixed)[0]),
        float(some.variances(contrast, u * np.abs(contrast[0]))[0]),
        2.0 * sum(alone),
    )


def pairs(pool: Pool, systems: NDArray[np.int64]) -> list[Pair]:
    """Return every pair of some systems, the earlier one first."""
    return [pair(pool, int(a), int(b)) for a, b in combinations(systems, 2)]


def deviation(found: list[Pair], way: str, draws: int) -> float:
    """Return the mean over pairs of the standard deviation."""
    return float(np.mean([math.sqrt(max(getattr(one, way), 0.0) / draws) for one in found]))


def fives(pool: Pool, settings: Settings) -> Iterator[list[Pair]]:
    """Yield the pairs of five systems at random, again and again: print does not name its five."""
    rng = generator(settings.seed, 7)
    for _ in range(6 if settings.fast else 60):
        yield pairs(pool, np.sort(rng.choice(len(pool.names), SYSTEMS, replace=False)))


def table7(settings: Settings) -> Reproduction:
    """Ten pairs of five systems, five draws a query."""
    parts = synthetic(settings)
    draws = 5 * parts[0].queries
    every = pairs(parts[0], np.arange(SYSTEMS))

    def signed(pool: Pool) -> float:
        return float(np.mean([one.difference for one in pairs(pool, np.arange(SYSTEMS))]))

    error = SIGMAS * noise(signed, parts) * math.sqrt(1.1 if settings.fast else 2.0)
    cells = [Cell("TRUE", "SYNTH", 6.35, signed(parts[0]), error + ROUNDING)]
    for way, row, mean, spread in (
        ("single", "SINGLE", 6.34, 0.53),
        ("pairwise", "PW", 6.34, 0.18),
    ):
        ours = deviation(every, way, draws)
        lies = SIGMAS * math.sqrt((error / SIGMAS) ** 2 + ours**2 / PRINTED) + ROUNDING
        cells.append(Cell(row, "SYNTH, mean", mean, signed(parts[0]), lies))
        most = SIGMAS * ours / math.sqrt(2.0 * (PRINTED - 1)) + ROUNDING
        cells.append(Cell(row, "SYNTH, s.d.", spread, ours, most))
    cells.append(Cell("two samples", "SYNTH, s.d.", None, deviation(every, "separate", draws), 0.0))
    pool = trec(settings)
    if pool is None:
        return Reproduction(tuple(cells), READING + WITHOUT)
    sets = list(fives(pool, settings))
    for row, way, printed in (("SINGLE", "single", 1.20), ("PW", "pairwise", 1.07)):
        cells.append(
            _over_sets(sets, way, 5 * pool.queries, Cell(row, "TREC, s.d.", printed, 0, 0))
        )
    note = (
        "The five TREC systems are not named: ours is the mean over five at random, the tolerance "
        "three standard deviations between such sets, and so their mean difference can't be set "
        "beside print. "
    )
    return Reproduction(tuple(cells), READING + note)


def _over_sets(sets: list[list[Pair]], way: str, draws: int, cell: Cell) -> Cell:
    values = np.array([deviation(one, way, draws) for one in sets])
    wide = SIGMAS * float(values.std(ddof=1)) + ROUNDING
    return Cell(cell.row, cell.column, cell.printed, float(values.mean()), wide)


def figure1(settings: Settings) -> Reproduction:
    """Deviation of SINGLE and PW on TREC over budgets, and how much more SINGLE has to draw."""
    settings.folder("trec8")
    pool = trec(settings)
    cells: list[Cell] = []
    if pool is None:
        return Reproduction((), WITHOUT)
    sets = list(fives(pool, settings))
    for budget in BUDGETS:
        for row, way in (("SINGLE", "single"), ("PW", "pairwise")):
            values = [deviation(one, way, budget * pool.queries) for one in sets]
            cells.append(Cell(row, f"s.d. at {budget} a query", None, float(np.mean(values)), 0.0))
    more = np.array(
        [(deviation(one, "single", 1) / deviation(one, "pairwise", 1)) ** 2 for one in sets]
    )
    wide = SIGMAS * float(more.std(ddof=1)) + 0.05
    cells.append(Cell("SINGLE / PW", "budget for the same s.d.", 1.5, float(more.mean()), wide))
    note = (
        "The figure has no numbers; the text says that SINGLE needs roughly 50 % more. Ours is the "
        "mean over random sets of five systems, the tolerance three standard deviations between "
        "sets. "
    )
    return Reproduction(tuple(cells), READING + note)


def ratios(found: list[Pair]) -> Floats:
    """Return how many times the draws of PW two separate samples need for the same deviation."""
    return np.array([one.separate / one.pairwise for one in found])

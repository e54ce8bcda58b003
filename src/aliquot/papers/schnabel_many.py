"""Schnabel et al. (2016), Tables 6 and 8: what k systems share, in exact variances."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from aliquot.core.frame import Floats
from aliquot.papers.base import Cell, Reproduction, Settings
from aliquot.papers.schnabel import ROUNDING, SIGMAS, WITHOUT
from aliquot.papers.schnabel_pool import Pool, Statistic, noise, root, synthetic, trec

Together = Callable[[Floats], Floats]
Printed = dict[tuple[str, str], tuple[float, float]]  # (row, prior): SYNTH, TREC

TABLE6: Printed = {
    ("SQRT", "guess"): (6.11, 38.29),
    ("SQRT", "truth"): (0.42, 1.74),
    ("MEAN", "guess"): (6.43, 16.56),
    ("MEAN", "truth"): (0.46, 2.80),
}
TABLE8: Printed = {
    ("SQRT", "guess"): (0.74, 35.32),
    ("SQRT", "truth"): (0.40, 1.56),
    ("KREL", "guess"): (0.11, 25.21),
    ("KREL", "truth"): (0.09, 1.46),
}
READING = (
    "Exact variances with one draw a query, the mean over systems, without the floor. The "
    "tolerance is three standard errors of SYNTH on both sides; on TREC it is the most that "
    "leaving out one of our 65 systems changes, as the paper has 64 and does not name them. "
)


def _mean(weights: Floats) -> Floats:
    found: Floats = weights.mean(axis=0)
    return found


def _relative(weights: Floats) -> Floats:
    return root(weights - weights.mean(axis=0))


TOGETHER: dict[str, Together] = {"SQRT": root, "MEAN": _mean, "KREL": _relative}


def limit(row: str, prior: str, *, centred: bool) -> Statistic:
    """Return the statistic of one cell: mean n Var over systems, at one draw a query."""

    def statistic(pool: Pool) -> float:
        contrasts = pool.centred if centred else pool.weights
        together = TOGETHER[row](pool.weights)
        if prior == "truth":
            found = pool.ideal(contrasts, together)
        else:
            found = pool.variances(contrasts, pool.guesses.mean(axis=0) * together)
        return float(found.mean()) / pool.queries

    return statistic


def by_product(pool: Pool) -> float:
    """Return MEAN with u P averaged over systems, where the text averages u and P apart."""
    q = (pool.guesses * pool.weights).mean(axis=0)
    return float(pool.variances(pool.weights, q).mean()) / pool.queries


def _cells(settings: Settings, printed: Printed, *, centred: bool) -> list[Cell]:
    parts, pool = synthetic(settings), trec(settings)
    cells = []
    for (row, prior), (first, second) in printed.items():
        statistic = limit(row, prior, centred=centred)
        ours = statistic(parts[0])
        error = noise(statistic, parts) * math.sqrt(1.1 if settings.fast else 2.0)
        cells.append(Cell(row, f"SYNTH, {prior}", first, ours, SIGMAS * error + ROUNDING))
        if pool is not None:
            cell = Cell(row, f"TREC, {prior}", second, 0.0, 0.0)
            cells.append(_left_out(pool, statistic, cell, 8 if settings.fast else 1))
    return cells


def _left_out(pool: Pool, statistic: Statistic, cell: Cell, step: int) -> Cell:
    """Fill a cell of TREC; the tolerance is the largest change by leaving out one system."""
    count = len(pool.names)
    ours = statistic(pool)
    others = [statistic(pool.only(np.delete(np.arange(count), i))) for i in range(0, count, step)]
    most = max(abs(other - ours) for other in others)
    return Cell(cell.row, cell.column, cell.printed, ours, most + ROUNDING)


def table6(settings: Settings) -> Reproduction:
    """Absolute values of all systems at once: root of squares against mean."""
    cells = _cells(settings, TABLE6, centred=False)
    synth = (
        "On SYNTH print lies within 2 % of ours, but SQRT and the truth further off than another "
        "SYNTH would: something of theirs is not in the text. "
    )
    if settings.data is None:
        return Reproduction(tuple(cells), READING + synth + WITHOUT)
    pool = trec(settings)
    if pool is not None:
        cell = Cell("MEAN of u P", "TREC, guess", 16.56, 0.0, 0.0)
        cells.append(_left_out(pool, by_product, cell, 8 if settings.fast else 1))
    note = (
        "Print's MEAN on TREC with the guess is not what averaging u and P apart gives, as the "
        "text has it; averaging their product u P, the last row, gives it. "
    )
    return Reproduction(tuple(cells), READING + synth + note)


def table8(settings: Settings) -> Reproduction:
    """Each system against the mean of all: the distribution for that, and the one for Table 6."""
    cells = _cells(settings, TABLE8, centred=True)
    return Reproduction(tuple(cells), READING + ("" if settings.data else WITHOUT))

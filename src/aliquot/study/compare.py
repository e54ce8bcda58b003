"""Compare: differences between systems, with p-values that allow for how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.estimate import Estimate
from aliquot.core.frame import Floats
from aliquot.errors import EstimateError
from aliquot.intervals.base import check_level, two_sided_p, z
from aliquot.study.book import Book
from aliquot.study.estimate import EVERYTHING, Question, estimate
from aliquot.study.reach import Chances
from aliquot.study.work import Estimated


@final
@dataclass(frozen=True)
class Difference:
    """The difference of two systems on one measure."""

    a: str
    b: str
    measure: str
    difference: float
    stderr: float
    low: float
    high: float
    p_value: float
    p_adjusted: float
    assisted: bool = False


@final
@dataclass(frozen=True)
class Comparison:
    """All differences, and the tiers of systems that can't be told apart from their best."""

    rows: tuple[Difference, ...]
    tiers: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]


def compare(
    book: Book,
    asked: Question = EVERYTHING,
    *,
    pair: tuple[str, str] | None = None,
    level: float = 0.95,
) -> Comparison:
    """Compare two systems, or every two; p-values are adjusted within a measure (Holm 1979)."""
    check_level(level)
    for name in pair or ():
        book.frame.system(name)
    if len(book.frame.systems) < 2:
        raise EstimateError("there are not two systems to compare", do="Add one: add-system")
    rows: list[Difference] = []
    tiers: list[tuple[str, tuple[tuple[str, ...], ...]]] = []
    for found in estimate(book, asked):
        if found.rows[0].estimator == "count" or len(found.rows) < 2:
            continue
        told = differences(found, pair, level)
        rows += told
        if pair is None and not found.rows[0].assisted:  # tiers are the human-only ones
            tiers.append((found.rows[0].measure, _tiers(found.rows, told, 1.0 - level)))
    if not rows:
        raise EstimateError("no measure of this study compares systems", do="Name one: --measure")
    return Comparison(tuple(rows), tuple(tiers))


def differences(found: Estimated, pair: tuple[str, str] | None, level: float) -> list[Difference]:
    """Return the difference of two systems of one estimate, or of every two."""
    names = [row.system for row in found.rows]
    if pair is not None and not set(pair) <= set(names):
        return []
    places = (
        [(names.index(pair[0]), names.index(pair[1]))]
        if pair is not None
        else list(combinations(range(len(names)), 2))
    )
    i, j = np.array(places).T
    values = np.array([row.estimate for row in found.rows])
    spread = np.diag(found.covariance)
    both = spread[i] + spread[j]
    variance = both - 2.0 * found.covariance[i, j]
    variance = np.where(variance > 1e-14 * both, variance, 0.0)  # equal systems: exactly 0
    less = more = np.zeros(len(i))
    if found.chances is not None:  # one more unit might have been drawn: see intervals.gamma
        weight = found.chances.between(found.family, found.gradients, np.unique((i, j)))
        variance = variance + weight[i, j] ** 2
        less, more = _slack(found, found.chances, i, j)
    difference = values[i] - values[j]
    stderr = np.where(np.isnan(difference), np.nan, np.sqrt(variance))
    sure = np.maximum(np.abs(difference) - np.where(difference > 0, less, more), 0.0)
    p = np.array([two_sided_p(float(d), float(s)) for d, s in zip(sure, stderr, strict=True)])
    low, high = difference - z(level) * stderr - less, difference + z(level) * stderr + more
    bottom, top = np.array([row.bounds for row in found.rows]).T
    low, high = np.clip([low, high], bottom[i] - top[j], top[i] - bottom[j])  # no more can differ
    columns = np.stack([difference, stderr, low, high, p, holm(p)], axis=1)
    measure, helped = found.rows[0].measure, found.rows[0].assisted
    return [
        Difference(names[a], names[b], measure, d, s, down, up, p1, p2, helped)
        for (a, b), (d, s, down, up, p1, p2) in zip(places, columns.tolist(), strict=True)
    ]


def _slack(
    found: Estimated, chances: Chances, i: NDArray[np.int64], j: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return what units without support could take from a difference, and add to it.

    A unit has one label, so where both systems weigh it alike it changes nothing. Ratios take the
    worst of each system.
    """
    alone = np.array(found.slack)
    if found.family.measure.linear and alone.any() and not found.family.inner:
        low, high = chances.apart(found.family, found.gradients, np.unique((i, j)))
        return np.maximum(-low[i, j], 0.0), np.maximum(high[i, j], 0.0)
    return alone[i, 0] + alone[j, 1], alone[i, 1] + alone[j, 0]


def holm(p: Floats) -> Floats:
    """Adjust p-values so that the chance of any false one is kept (Holm 1979).

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    steps = (len(p) - np.arange(len(p))) * p[order]
    out = np.empty(len(p))
    out[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return out


def _tiers(
    rows: Sequence[Estimate], differences: Sequence[Difference], alpha: float
) -> tuple[tuple[str, ...], ...]:
    """Start a tier at the best system left; whoever can't be told from it shares the tier."""
    apart = {frozenset((d.a, d.b)) for d in differences if d.p_adjusted < alpha}
    ranked = sorted(rows, key=lambda row: (bool(np.isnan(row.estimate)), -row.estimate))
    left = [row.system for row in ranked]
    tiers: list[tuple[str, ...]] = []
    while left:
        best = left[0]
        tier = [best]
        for name in left[1:]:
            if frozenset((best, name)) in apart:
                break
            tier.append(name)
        tiers.append(tuple(tier))
        left = left[len(tier) :]
    return tuple(tiers)

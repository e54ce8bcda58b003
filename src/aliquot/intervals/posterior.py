"""Quantiles of recall, F and totals under beta-binomial posteriors: computed, not drawn.

Webber (2013), sections 2.8 to 3.6, takes them from 10,000 draws. Here `A` positives retrieved and
`B` not retrieved are two distributions on a lattice, and `P(A <= c B + d)` a sum over one of them.
**Each stratum is a simple random sample, and its prior is what one would bet on without the data.**
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from aliquot.errors import UsageError
from aliquot.intervals.base import check_level
from aliquot.intervals.betabin import Strata
from aliquot.intervals.lattice import Table, table

Side = Literal["two", "lower", "upper"]
Ends = tuple[float, float]
SIDES = ("two", "lower", "upper")


def recall(
    retrieved: Strata, unretrieved: Strata, *, level: float = 0.95, side: Side = "two"
) -> Ends:
    """Return the interval of `A / (A + B)`. Where neither holds a positive it is 0 and 1 at once.

    >>> low, high = recall(Strata.of(2_000, 100, 50), Strata.of(100_000, 100, 3))
    >>> round(low, 3), round(high, 3)
    (0.111, 0.542)
    """
    scale = _scale(retrieved, unretrieved)
    A, B = table(retrieved, scale=scale), table(unretrieved, scale=scale)
    nothing = float(A.below(np.zeros(1))[0] * B.below(np.zeros(1))[0])

    def line(x: float) -> tuple[float, float]:
        return x / (1.0 - x), 0.0

    return ends((level, side), lambda p, undefined: _solve(A, B, line, p + undefined * nothing))


def fbeta(
    retrieved: Strata,
    unretrieved: Strata,
    *,
    weight: float = 1.0,
    level: float = 0.95,
    side: Side = "two",
) -> Ends:
    """Return the interval of `(1 + w^2) A / (K + w^2 (A + B))`, K the size of what is retrieved.

    >>> low, high = fbeta(Strata.of(2_000, 100, 50), Strata.of(100_000, 100, 3))
    >>> round(low, 3), round(high, 3)
    (0.18, 0.529)
    """
    scale = _scale(retrieved, unretrieved)
    A, B = table(retrieved, scale=scale), table(unretrieved, scale=scale)
    K, square = retrieved.size * scale, weight * weight
    if K == 0:
        return 0.0, 0.0

    def line(x: float) -> tuple[float, float]:
        slope = 1.0 + square * (1.0 - x)
        return x * square / slope, x * K / slope

    return ends((level, side), lambda p, _: _solve(A, B, line, p))


def total(strata: Strata, *, level: float = 0.95, side: Side = "two") -> Ends:
    """Return the interval of the number of positives in all strata.

    >>> total(Strata.of(1_000, 100, 0))
    (0.0, 23.0)
    """
    many, size = strata.estimate > strata.size / 2, strata.size
    scale = _scale(strata)
    found = table(strata.flipped() if many else strata, scale=scale)

    def quantile(p: float, _: int) -> float:
        if many:
            return size - _quantile(found, 1.0 - p, upper=True) / scale
        return _quantile(found, p) / scale

    return ends((level, side), quantile, top=size)


def share(strata: Strata, *, level: float = 0.95, side: Side = "two") -> Ends:
    """Return the interval of the share of positives: precision, elusion, prevalence.

    >>> share(Strata.of(1_000, 100, 0))
    (0.0, 0.023)
    """
    low, high = total(strata, level=level, side=side)
    return (low / strata.size, high / strata.size) if strata.size else (0.0, 1.0)


def _scale(*parts: Strata) -> int:
    """Return 1, or for a share so large a scale that its steps are not seen."""
    if not any(part.smooth for part in parts):
        return 1
    ratio = max(float(((p.a + p.b) / np.maximum(p.left, 1)).max(initial=0.0)) for p in parts)
    return min(max(int(ratio * 1e4), 1), 100_000)


def ends(
    asked: tuple[float, Side], quantile: Callable[[float, int], float], *, top: float = 1.0
) -> Ends:
    """Return the two quantiles that a level and a side ask for; the second argument is 1 above."""
    level, side = check_level(asked[0]), asked[1]
    if side not in SIDES:
        raise UsageError(f"'{side}' is not a side", do=f"Sides are {', '.join(SIDES)}")
    tail = (1.0 - level) / 2.0 if side == "two" else 1.0 - level
    low = 0.0 if side == "upper" else quantile(tail, 0)
    return low, top if side == "lower" else quantile(1.0 - tail, 1)


def at_most(A: Table, B: Table, slope: float, shift: float) -> float:
    """Return `P(A <= slope B + shift)`, A and B independent."""
    if _outer(A, B):
        x, w = A.nodes()
        return float(w @ B.least((x - shift) / slope)) if slope > 0 else float(w @ (x <= shift))
    x, w = B.nodes()
    return float(w @ A.below(slope * x + shift))


def _outer(A: Table, B: Table) -> bool:
    """Whether to sum over A: the one with the heavier values, which a sum takes as they are."""
    return A.coarseness >= B.coarseness


def _solve(A: Table, B: Table, line: Callable[[float], tuple[float, float]], p: float) -> float:
    """Return the least x in [0, 1] with `P(A <= slope(x) B + shift(x)) >= p`."""
    found = root(lambda x: at_most(A, B, *line(x)) - p, 1.0 - 1e-12)
    return 1.0 if found > 1.0 - 1e-8 else found


def _quantile(found: Table, p: float, *, upper: bool = False) -> float:
    """Return the least value with P(X <= value) >= p; upper: the greatest with P(X >= value)."""
    if upper:
        at = int(np.searchsorted(found.F, p + 1e-13, side="right"))
    else:
        at = int(np.searchsorted(found.F, p - 1e-13, side="left"))
    at = min(max(at, 1), found.F.size - 1)
    left, right = found.edges[at - 1], found.edges[at]
    if right - left <= 1.0:
        return float(left + right) / 2.0
    inside = float(np.interp(p, found.F[at - 1 : at + 1], found.edges[at - 1 : at + 1]))
    return float(np.floor(inside - found.start + 0.5) + found.start)


def root(f: Callable[[float], float], top: float, *, tolerance: float = 1e-10) -> float:
    """Return the least x in [0, top] with f(x) >= 0, f never decreasing (Chandrupatla 1997).

    It may jump: then the halves are halved until the jump is found.
    """
    if f(0.0) >= 0:
        return 0.0
    if f(top) < 0:
        return 1.0
    a, b, c = top, 0.0, 0.0
    fa, fb, fc = f(top), f(0.0), 0.0
    t = 0.5
    while abs(a - b) > tolerance:
        x = a + t * (b - a)
        fx = f(x)
        c, fc = (a, fa) if (fx >= 0) == (fa >= 0) else (b, fb)
        if (fx >= 0) != (fa >= 0):
            b, fb = a, fa
        a, fa = x, fx
        t = _next(((a, fa), (b, fb), (c, fc)), tolerance)
    return a if fa >= 0 else b


def _next(points: tuple[tuple[float, float], ...], tolerance: float) -> float:
    (a, fa), (b, fb), (c, fc) = points
    xi = (a - b) / (c - b) if c != b else 0.0
    phi = (fa - fb) / (fc - fb) if fc != fb else 0.0
    t = 0.5
    if phi**2 < xi and (1.0 - phi) ** 2 < 1.0 - xi and fb != fa and fc not in (fa, fb):
        t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    least = 0.5 * tolerance / max(abs(b - a), 1e-300)
    return min(1.0 - least, max(least, t)) if least < 0.5 else 0.5

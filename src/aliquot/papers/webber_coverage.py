"""Coverage, gaps and width of nine intervals on realisations of a scenario (section 4.2)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.intervals.batch import Segments, pairs, quantiles
from aliquot.intervals.counts import mcp
from aliquot.intervals.counts.base import each_yield
from aliquot.intervals.counts.koopman import chi_square, limits
from aliquot.intervals.counts.linear import variance
from aliquot.intervals.grids import Shapes
from aliquot.papers.webber_worlds import World, world
from aliquot.wiring.rng import generator

LEVEL, TAIL = 0.95, 0.025
Z = NormalDist().inv_cdf(1.0 - TAIL)
ADDED = {"normal": 0.0, "laplace": 1.0, "agresti-coull": 2.0}
PRIORS = {"betabin-uniform": 1.0, "betabin-half": 0.5, "beta-jeffreys": 0.5}
METHODS = (
    "naive-binomial",
    "normal",
    "laplace",
    "agresti-coull",
    "koopman",
    "beta-jeffreys",
    "betabin-uniform",
    "betabin-mcp",
    "betabin-half",
)
WIDTHS = 12  # samples of a realisation of which a posterior interval is worked out in full
Rows = NDArray[np.int64]


class Task(NamedTuple):
    """Some realisations of a scenario, each with its own random numbers."""

    scenario: str
    first: int
    many: int
    samples: int
    seed: int


class Samples(NamedTuple):
    """The distinct samples of one realisation, and how often each was drawn."""

    r1: Floats
    r0: Floats
    times: Floats
    few: Rows  # some of them, as they were drawn


class Row(NamedTuple):
    """What one method did on one realisation."""

    coverage: float
    above: float  # the share of intervals that lie above the truth
    below: float
    width: float


def run(task: Task) -> list[dict[str, Row]]:
    """Try every method on some realisations."""
    return [_realisation(task, task.first + i) for i in range(task.many)]


def _realisation(task: Task, index: int) -> dict[str, Row]:
    rng = generator(task.seed, index)
    made = world(task.scenario, rng)
    r1 = rng.hypergeometric(made.R1, made.N1 - made.R1, made.n1, task.samples)
    r0 = rng.hypergeometric(made.R0, made.N0 - made.R0, made.n0, task.samples)
    drawn = np.stack([r1, r0], 1)
    found, at, times = np.unique(drawn, axis=0, return_inverse=True, return_counts=True)
    few = at.ravel()[:WIDTHS].astype(np.int64)
    r1, r0 = found.T.astype(float)
    samples = Samples(r1, r0, times.astype(float), few)
    return dict(_methods(made, samples))


def _methods(made: World, samples: Samples) -> Iterator[tuple[str, Row]]:
    yield "naive-binomial", _from_ends(made, samples, _naive(made, samples))
    for name, added in ADDED.items():
        yield name, _from_ends(made, samples, _linear(made, samples, added))
    yield "koopman", _koopman(made, samples)
    for name, prior in PRIORS.items():
        yield name, _posterior(made, samples, (prior, prior), smooth=name == "beta-jeffreys")
    priors = mcp.prior(made.N1, made.n1), mcp.prior(made.N0, made.n0)
    yield "betabin-mcp", _posterior(made, samples, priors)


def _linear(made: World, samples: Samples, added: float) -> tuple[Floats, Floats]:
    A = each_yield((np.float64(made.N1), np.float64(made.n1), samples.r1), added)
    B = each_yield((np.float64(made.N0), np.float64(made.n0), samples.r0), added)
    some = A[0] + B[0] > 0
    total = np.where(some, A[0] + B[0], 1.0)
    spread = variance(A, B, 1.0 / total, A[0] / total**2, careless=False)
    half = Z * np.sqrt(np.where(some, spread, np.inf))
    centre = A[0] / total
    return centre - half, centre + half


def _naive(made: World, samples: Samples) -> tuple[Floats, Floats]:
    A, B = samples.r1 * made.N1 / made.n1, samples.r0 * made.N0 / made.n0
    x = A / np.maximum(A + B, 1e-300)
    n = samples.r1 + samples.r0
    half = np.where(n > 0, Z * np.sqrt(x * (1 - x) / np.maximum(n, 1.0)), np.inf)
    return x - half, x + half


def _from_ends(made: World, samples: Samples, ends: tuple[Floats, Floats]) -> Row:
    """Count; the width is that within 0 and 1."""
    low, high = ends
    share = samples.times / samples.times.sum()
    above, below = low > made.recall + 1e-12, high < made.recall - 1e-12
    width = np.clip(high, 0.0, 1.0) - np.clip(low, 0.0, 1.0)
    return _row(share, (above, below), float(share @ width))


def _row(share: Floats, missed: tuple[NDArray[np.bool_], NDArray[np.bool_]], width: float) -> Row:
    above, below = (float(share @ one) for one in missed)
    return Row(max(1.0 - above - below, 0.0), above, below, width)


def _koopman(made: World, samples: Samples) -> Row:
    """A ratio is covered if chi-square at the truth is no more than the limit."""
    truth = made.recall
    theta = (1.0 / truth - 1.0) * made.N1 / made.N0
    above = np.zeros(samples.r1.size, bool)
    below = above.copy()
    for i, (y, x) in enumerate(zip(samples.r1, samples.r0, strict=True)):
        if x + y == 0 or (theta == 0.0 and x == 0):
            continue
        out = theta == 0.0 or chi_square(theta, (x, made.n0), (y, made.n1)) > Z * Z
        high = x * made.n1 > theta * y * made.n0  # a ratio too high: recall too low
        above[i], below[i] = out and not high, out and high
    widths = [_koopman_width(made, samples, int(i)) for i in samples.few]
    return _row(samples.times / samples.times.sum(), (above, below), float(np.mean(widths)))


def _koopman_width(made: World, samples: Samples, i: int) -> float:
    x, y = float(samples.r0[i]), float(samples.r1[i])
    if x + y == 0:
        return 1.0
    low, high = limits((x, made.n0), (y, made.n1), Z)
    scale = made.N0 / made.N1
    return 1.0 / (1.0 + low * scale) - (1.0 / (1.0 + high * scale) if math.isfinite(high) else 0.0)


def _posterior(
    made: World, samples: Samples, priors: tuple[float, float], *, smooth: bool = False
) -> Row:
    """The truth is covered if the posterior has no less than 2.5 % on either side of it."""
    scale = 1.0
    if smooth:  # a share for a count: a count among so many units that its steps are not seen
        ratio = max(
            (made.n1 + 1) / max(made.N1 - made.n1, 1), (made.n0 + 1) / max(made.N0 - made.n0, 1)
        )
        scale = float(min(max(math.ceil(ratio * 1e4), 1), 100_000))
    distinct = [np.unique(r, return_inverse=True) for r in (samples.r1, samples.r0)]
    one = _segments((made.N1, made.n1, priors[0]), distinct[0][0], scale)
    other = _segments((made.N0, made.n0, priors[1]), distinct[1][0], scale)
    i, j = (found[1].ravel().astype(np.int64) for found in distinct)
    above, below = np.zeros(i.size, bool), np.zeros(i.size, bool)
    odds = made.R1 / made.R0 if made.R0 else 1e12
    for at, pair in pairs(one, other, (i, j)):
        slope = np.full(at.size, odds)
        above[at] = pair.chance(slope * (1.0 + 1e-10)) < TAIL
        below[at] = pair.chance(slope * (1.0 - 1e-10)) > 1.0 - TAIL
    none = samples.r1 + samples.r0 == 0
    above, below = above & ~none, below & ~none
    width = np.ones(samples.few.size)
    for at, pair in pairs(one, other, (i[samples.few], j[samples.few])):
        low, high = quantiles(pair, TAIL), quantiles(pair, 1.0 - TAIL)
        width[at] = high - low
    width = np.where(none[samples.few], 1.0, width)
    return _row(samples.times / samples.times.sum(), (above, below), float(width.mean()))


def _segments(segment: tuple[int, int, float], r: Floats, scale: float) -> Segments:
    N, n, prior = segment
    rest = np.full(r.size, float(N - n) * scale)
    return Segments.of(Shapes.of(rest, prior + r, prior + n - r, r * scale))

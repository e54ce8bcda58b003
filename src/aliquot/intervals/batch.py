"""Recall and F of two segments for many cases at once: the same posterior quantiles, in arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.intervals import posterior
from aliquot.intervals.betabin import Strata
from aliquot.intervals.grids import Grid, Shapes, grid
from aliquot.intervals.posterior import Ends, Side

BLOCK = 256  # cases in the cache at once
CHUNK = 8_192  # cases in memory at once
ROUNDS = 90
SMOOTH = 30.0  # beside K, A has to vary so much less for its values to be the better nodes
TINY = 3  # the kind of a sample too small for a grid to be as exact as the others
LEAST, MOST = -36.0, 21.0  # log odds of recall


@final
@dataclass(frozen=True, eq=False)
class Pair:
    """Cases of one kind; wide: A varies more than B, in proportion. `K` is 0 for recall."""

    A: Grid
    B: Grid
    wide: bool
    K: Floats

    def take(self, rows: NDArray[np.int64]) -> Pair:
        """Return some cases."""
        return Pair(self.A.take(rows), self.B.take(rows), self.wide, self.K[rows])

    def chance(self, slope: Floats) -> Floats:
        """Return `P(A <= slope (B + K))` in each row, by the values of the one with fewer."""
        A, B = self.A, self.B
        few = A.kind == B.kind == 0 and A.atoms.shape[1] < B.atoms.shape[1]
        if few or A.kind < B.kind:  # P(A <= c (B + K)) = 1 - P(B < A/c - K)
            return 1.0 - _joint(B, A, (1.0 / slope, -self.K), wide=not self.wide, strict=True)
        return _joint(A, B, (slope, slope * self.K), wide=self.wide, strict=False)


def _joint(P: Grid, Q: Grid, line: tuple[Floats, Floats], *, wide: bool, strict: bool) -> Floats:
    """Return `P(P <= slope Q + shift)`.

    A sum over Q's single values, and otherwise over what varies less.
    """
    slope, shift = (one[:, None] for one in line)
    if wide or Q.kind == 0:
        nodes, weights = Q.nodes()
    else:
        nodes, weights = Q.values(), Q.atoms
    x = slope * nodes + shift
    x = x * (1.0 - 1e-12) - 2e-9 if strict else x * (1.0 + 1e-12)
    total: Floats = (weights * P.at_most(x)).sum(1) if nodes.shape[1] else np.zeros(slope.size)
    if not wide and Q.kind:
        nodes, weights = P.nodes()
        total = total + (weights * Q.rest((nodes - shift) / slope)).sum(1)
    return total


@final
@dataclass(frozen=True, eq=False)
class Segments:
    """Posteriors of many segments, from which pairs are made: each is worked out once."""

    shapes: Shapes
    kinds: NDArray[np.int8]
    grids: dict[int, Grid]
    place: NDArray[np.int64]  # of each segment within the grid of its kind

    @classmethod
    def of(cls, shapes: Shapes) -> Segments:
        """Sort segments by kind, and work each kind out."""
        kinds, place, grids = shapes.kinds(), np.zeros(shapes.M.size, np.int64), {}
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind)
            grids[int(kind)] = grid(int(kind), shapes.take(rows))
            place[rows] = np.arange(rows.size)
        return cls(shapes, kinds, grids, place)

    @classmethod
    def strata(cls, strata: Strata) -> Segments:
        """Each stratum a segment."""
        return cls.of(Shapes.of(strata.left, strata.a, strata.b, strata.r))


def pairs(
    one: Segments,
    other: Segments,
    rows: tuple[NDArray[np.int64], NDArray[np.int64]],
    K: Floats | None = None,
) -> Iterator[tuple[NDArray[np.int64], Pair]]:
    """Yield cases of one kind together, and which they are."""
    i, j = rows
    K = np.zeros(i.size) if K is None else K
    plain = np.where(K > 0, SMOOTH, 1.0) * one.shapes.varied()[i]
    wide = plain > other.shapes.take(j).varied(K)
    key = one.kinds[i].astype(np.int64) * 8 + other.kinds[j] * 2 + wide
    for value in np.unique(key):
        found = np.flatnonzero(key == value)
        for at in np.split(found, range(BLOCK, found.size, BLOCK)):
            A = one.grids[int(one.kinds[i[at[0]]])].take(one.place[i[at]])
            B = other.grids[int(other.kinds[j[at[0]]])].take(other.place[j[at]])
            yield at, Pair(A, B, bool(value % 2), K[at])


def recall(
    retrieved: Strata, unretrieved: Strata, *, level: float = 0.95, side: Side = "two"
) -> tuple[Floats, Floats]:
    """Return both ends for each case: case i is stratum i of both, each a segment of its own.

    >>> one, other = Strata.of([2_000] * 2, 100, [50, 9]), Strata.of([100_000] * 2, 100, [3, 0])
    >>> [end.round(3).tolist() for end in recall(one, other)]
    [[0.111, 0.062], [0.542, 1.0]]
    """
    low, high = _ends(retrieved, unretrieved, (level, side), 0.0)
    none = (retrieved.r + unretrieved.r) == 0
    return np.where(none, 0.0, low), np.where(none, 1.0, high)


def fbeta(
    retrieved: Strata,
    unretrieved: Strata,
    *,
    weight: float = 1.0,
    level: float = 0.95,
    side: Side = "two",
) -> tuple[Floats, Floats]:
    """Return both ends of F-beta for each case.

    >>> one, other = Strata.of([2_000] * 2, 100, [50, 9]), Strata.of([100_000] * 2, 100, [3, 0])
    >>> [end.round(3).tolist() for end in fbeta(one, other)]
    [[0.18, 0.062], [0.529, 0.249]]
    """
    return _ends(retrieved, unretrieved, (level, side), weight)


def share(strata: Strata, *, level: float = 0.95, side: Side = "two") -> tuple[Floats, Floats]:
    """Return both ends of the share of positives for each case: each stratum alone.

    >>> [end.tolist() for end in share(Strata.of(1_000, [100, 100], [0, 50]))]
    [[0.0, 0.408], [0.023, 0.592]]
    """
    tail = (1.0 - level) / (2.0 if side == "two" else 1.0)
    low, high = strata.r.copy(), strata.r + strata.left
    segments = Segments.strata(strata)
    for kind, found in segments.grids.items():
        at = np.flatnonzero(segments.kinds == kind)
        if kind == TINY:
            for i in at:
                low[i], high[i] = posterior.total(strata.take(slice(i, i + 1)), level=level)
            continue
        if side != "upper":
            low[at] = _whole(found, tail)
        if side != "lower":
            high[at] = _whole(found, 1.0 - tail)
    if side == "upper":
        low = np.zeros(low.size)
    size = np.maximum(strata.N, 1.0)
    return low / size, np.where(side == "lower", 1.0, high / size)


def _whole(found: Grid, p: float) -> Floats:
    """Return the least number with P(positives <= number) >= p in each row, by halves."""
    shapes = found.shapes
    low, high = shapes.r - 1.0, shapes.r + shapes.M
    while (high - low > 1.0).any():
        middle = np.floor((low + high) / 2.0)
        enough = found.at_most(middle[:, None])[:, 0] >= p - 1e-13
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high


def _ends(
    retrieved: Strata, unretrieved: Strata, asked: tuple[float, Side], weight: float
) -> tuple[Floats, Floats]:
    low, high = np.zeros(retrieved.N.size), np.ones(retrieved.N.size)
    for start in range(0, low.size, CHUNK):
        part = slice(start, start + CHUNK)
        cases = (retrieved.take(part), unretrieved.take(part))
        low[part], high[part] = _chunk(*cases, asked, weight)
    return low, high


def _chunk(
    retrieved: Strata, unretrieved: Strata, asked: tuple[float, Side], weight: float
) -> tuple[Floats, Floats]:
    low, high = np.zeros(retrieved.N.size), np.ones(retrieved.N.size)
    tail = (1.0 - asked[0]) / (2.0 if asked[1] == "two" else 1.0)
    each = np.arange(low.size)
    K = retrieved.N / weight**2 if weight else np.zeros(low.size)
    one, other = Segments.strata(retrieved), Segments.strata(unretrieved)
    usual = each[(one.kinds != TINY) & (other.kinds != TINY)]
    for at, pair in pairs(one, other, (usual, usual), K[usual]):
        rows = usual[at]
        if asked[1] != "upper":
            low[rows] = _measure(quantiles(pair, tail), weight)
        if asked[1] != "lower":
            high[rows] = _measure(quantiles(pair, 1.0 - tail), weight)
    for i in np.flatnonzero((one.kinds == TINY) | (other.kinds == TINY)):
        alone = (retrieved.take(slice(i, i + 1)), unretrieved.take(slice(i, i + 1)))
        low[i], high[i] = _alone(alone, asked, weight)
    return low, high


def _measure(rho: Floats, weight: float) -> Floats:
    """Turn `A / (A + B + K)` into F, whose K is that of the retrieved over the squared weight."""
    found: Floats = rho * (1.0 + weight**-2) if weight else rho
    return found


def _alone(parts: tuple[Strata, Strata], asked: tuple[float, Side], weight: float) -> Ends:
    level, side = asked
    if weight:
        return posterior.fbeta(*parts, weight=weight, level=level, side=side)
    return posterior.recall(*parts, level=level, side=side)


def quantiles(pair: Pair, p: float) -> Floats:
    """Return the least rho with `P(A / (A + B + K) <= rho) >= p`, for each row.

    By secants, since the odds of recall are nearly log-normal; where the distribution jumps, by
    halving until the jump is found.
    """
    from scipy.special import ndtri

    target = float(ndtri(p))
    x, slope = _start(pair, target)
    low, high = np.full(x.size, LEAST), np.full(x.size, MOST)
    open_ = np.arange(x.size)
    before, last = np.full(x.size, np.nan), np.empty(0)
    for turn in range(ROUNDS):
        here = pair.take(open_) if open_.size < x.size else pair
        share = here.chance(np.exp(x[open_]))
        f = ndtri(np.clip(share, 1e-15, 1.0 - 1e-15)) - target
        low[open_] = np.where(f < 0, x[open_], low[open_])
        high[open_] = np.where(f >= 0, x[open_], high[open_])
        done = (np.abs(share - p) < 1e-8) | (high[open_] - low[open_] < 1e-9)
        low[open_[done]] = high[open_[done]] = np.where(
            np.abs(share - p) < 1e-8, x[open_], high[open_]
        )[done]
        keep = ~done
        if not keep.any():
            break
        f, open_ = f[keep], open_[keep]
        if turn:
            with np.errstate(divide="ignore", invalid="ignore"):
                steep = (x[open_] - before[open_]) / (f - last[keep])
            slope[open_] = np.where(np.isfinite(steep) & (steep > 0), steep, slope[open_])
        before[open_], last = x[open_], f
        new = x[open_] - f * slope[open_]
        middle = (low[open_] + high[open_]) / 2.0
        inside = (new > low[open_]) & (new < high[open_])
        x[open_] = np.where(inside & (turn < 8 or turn % 3 == 0), new, middle)
    odds = np.exp(high)
    return np.where(high >= MOST, 1.0, np.where(high <= LEAST + 1e-6, 0.0, odds / (1.0 + odds)))


def _start(pair: Pair, z: float) -> tuple[Floats, Floats]:
    centre, spread = np.zeros(pair.A.shapes.M.size), np.zeros(pair.A.shapes.M.size)
    for one, sign, K in ((pair.A, 1.0, 0.0), (pair.B, -1.0, pair.K)):
        mean, var = one.shapes.moments()
        mean = mean + K
        ratio = var / np.maximum(mean, 1e-9) ** 2
        centre += sign * (np.log(np.maximum(mean, 1e-9)) - np.log1p(ratio) / 2.0)
        spread += np.log1p(ratio)
    sd = np.sqrt(spread) + 1e-9
    return np.clip(centre + z * sd, LEAST + 1.0, MOST - 1.0), sd

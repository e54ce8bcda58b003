"""Paula: Sabharwal and Sedghi (2017), restated: bounds from windows on a geometric grid.

The query points are LogStrat's; at each of them the `window` (Delta) ranks that end there are all
labelled, and nothing else: Delta log N labels, no chance, no p_min.

**Assumes strong local monotonicity: from r~ on, no Delta consecutive ranks hold more positives than
Delta consecutive ranks above them.** (The number of positives is then concave, at that grain.) With
q_i the share in the window that ends at r_i, the positives between r_i and a rank v of the next
interval are between q_{i+1} and q_i times v - r_i, each give or take Delta q (1 - q) for a block
that is not whole. The curve is the geometric mean of the two bounds. The papers at hand cite the
algorithm without its text; its query points and its number of labels are theirs, exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.assemble import Pieces, census
from aliquot.curves.base import Strategy, count
from aliquot.curves.logstrat import grid
from aliquot.curves.luck import Luck
from aliquot.curves.points import Curve, Guarantee, Ranks
from aliquot.curves.steps import Ask, Steps

REFUTED = (
    "the share of positives rises between the {0} ranks that end at {1} and those that end at {2}: "
    "local precision does not fall as assumed, and the ends are no bounds"
)


@final
@dataclass(frozen=True)
class Paula(Strategy):
    """Label a window at each point of a geometric grid."""

    name: ClassVar[str] = "paula"
    start: int = 3492
    window: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        count("start", self.start)
        count("window", self.window)

    def steps(self, n: int, rng: Luck) -> Steps:
        """Label the top and the windows."""
        first = max(self.start, math.ceil((self.window + 1) / self.epsilon))
        ends = grid(first, n, self.epsilon)
        if len(ends) < 2:
            labels = yield Ask(np.arange(1, n + 1), np.ones(n), cuts=np.array([n]))
            return self._curve(census(labels), ends[:0], n, ("exact", ()))
        labels = yield Ask(np.arange(1, ends[0] + 1), np.ones(int(ends[0])), cuts=ends[:1])
        ranks = (ends[1:, None] + np.arange(1 - self.window, 1)).ravel()
        cuts = np.union1d(ends, ends[1:] - self.window)
        found = yield Ask(ranks, np.ones(len(ranks)), cuts=cuts)
        shares = found.reshape(-1, self.window).mean(axis=1)
        shares = np.append(labels[-self.window :].mean(), shares)
        below = Stretches(ends, shares, float(labels.sum()), self.window).pieces(n)
        pieces = census(labels).then(below)
        annotated = int(ends[0]) + len(ranks)
        return self._curve(pieces, ends[1:], annotated, self._promise(ends, shares))

    def _promise(self, ends: Ranks, shares: Floats) -> tuple[Guarantee, tuple[str, ...]]:
        rising = np.flatnonzero(np.diff(shares) > 1e-12)
        if not len(rising):
            return "strong-monotone", ()
        at = rising[0]
        return "none", (REFUTED.format(self.window, ends[at], ends[at + 1]),)

    def _curve(
        self,
        pieces: Pieces,
        queried: Ranks,
        annotations: int,
        promise: tuple[Guarantee, tuple[str, ...]],
    ) -> Curve:
        found = pieces.fewer()
        return Curve(
            "",
            int(found.ranks[-1]),
            len(queried),
            annotations,
            found.ranks,
            found.precision,
            found.low,
            found.high,
            promise[0],
            level=1.0,
            factor=1.0 if promise[0] == "exact" else 1.0 + self.epsilon,
            method=str(self),
            queried=queried,
            warnings=promise[1],
        )


@final
@dataclass(frozen=True, eq=False)
class Stretches:
    """The intervals of the grid, the shares in the windows at their ends, and what came before."""

    ends: Ranks
    shares: Floats
    positives: float
    window: int

    def pieces(self, n: int) -> Pieces:
        """Return the points: the estimate runs along the mean share, the ends along each alone."""
        inside = np.diff(self.ends) - self.window  # without the window at the end
        above, below = self.shares[:-1], self.shares[1:]
        seen = self.window * below
        middle = self._sum(inside * (above + below) / 2.0 + seen)
        most = self._sum(_blocks(inside, above, self.window) + seen)
        rest = _blocks(inside, 1.0 - below, self.window)
        least = self._sum(inside - rest + seen)
        ranks = self._corners(n)
        i = np.clip(np.searchsorted(self.ends, ranks) - 1, 0, len(self.ends) - 2)
        x = (ranks - self.ends[i]).astype(float)
        free, late = np.minimum(x, inside[i]), np.maximum(x - inside[i], 0.0)
        a, b = above[i], below[i]
        estimate = middle[i] + free * (a + b) / 2.0 + late * b
        high = most[i] + np.minimum(free, free * a + self.window * a * (1.0 - a))
        high += np.minimum(late, seen[i])
        low = least[i] + np.maximum(0.0, free * b - self.window * b * (1.0 - b))
        window = np.minimum(np.maximum(inside[i] + self.window - x, 0.0), seen[i])
        low = np.where((late > 0.0) & (x <= inside[i] + self.window), least[i + 1] - window, low)
        at = np.searchsorted(ranks, self.ends)
        estimate[at], high[at], low[at] = middle, most, least
        after = ranks > self.ends[-1]  # nothing is labelled there: the last share, or no more
        x = (ranks[after] - self.ends[-1]).astype(float)
        q = self.shares[-1]
        estimate[after], low[after] = middle[-1] + x * q, least[-1]
        high[after] = most[-1] + np.minimum(x, x * q + self.window * q * (1.0 - q))
        ends = np.sort(np.stack([low, np.minimum(high, ranks)]), axis=0) / ranks
        return Pieces(ranks, np.clip(estimate / ranks, ends[0], ends[1]), ends[0], ends[1])

    def _sum(self, added: Floats) -> Floats:
        return self.positives + np.append(0.0, np.cumsum(added))

    def _corners(self, n: int) -> Ranks:
        """Return the ranks at which a bound bends, and those next to them."""
        seen = np.round(self.window * self.shares).astype(np.int64)
        left, right = self.ends[:-1], self.ends[1:]
        bends = [
            left + seen[:-1],
            left + self.window - seen[1:],
            right - self.window,
            right - self.window + seen[1:],
            right - seen[1:],
            right - 1,
        ]
        inside = [np.clip(one, left, right) for one in bends]
        last = np.array([self.ends[-1] + 1, self.ends[-1] + seen[-1], n])
        found = np.unique(np.concatenate([self.ends, *inside, np.clip(last, 1, n)]))
        return np.unique(np.concatenate([found, np.minimum(found + 1, n)]))


def _blocks(width: Ranks, share: Floats, window: int) -> Floats:
    """Return the most positives in some ranks, if each whole block holds at most its share."""
    whole, rest = np.divmod(width, window)
    found: Floats = whole * window * share + np.minimum(rest, window * share)
    return found

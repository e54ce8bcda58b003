"""The fewest draws for a new system on old draws: Chaganty et al. (2017), B.4, with a tight bound.

`V(n) = sum_j (w_j^2 / n_j) s_j^2 + (w_m^2 / n) worst`, j the old systems and s_j^2 the sample
variance of `p_m f / q` over their judged draws; the heuristic weights and q move with n. The print
bounds the new system's term by f = 1, mean left in (1,537 draws for +-.05 where 385 do). The
worst case over all f is the largest `E[r^2 f] - E[r f]^2`, r = p_m / q: r^2 / 4 for a constant r.
**That V falls with n is not proved: a bracket is searched, and the answer is checked from below.**
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sources import Sources
from aliquot.errors import DesignError

LOOKS = 64  # how many smaller numbers of draws are tried before an answer is called the least
MOST = 1 << 40
Bound = Callable[[Floats, Floats], float]


def worst(chance: Floats, r: Floats) -> float:
    """Return the largest variance of r f under the chances, over all f between 0 and 1.

    Given E[r f] the largest r are worth most, so f is 1 above a threshold, 0 below, and anything at
    it (a linear programme); each step of the scan has its best f in closed form.

    >>> worst(np.full(100, 0.01), np.full(100, 2.0))  # r^2 / 4
    1.0
    """
    order = np.argsort(-r, kind="stable")
    square, mean = (chance * r * r)[order], (chance * r)[order]
    before = np.concatenate([[0.0], np.cumsum(square)[:-1]])
    passed = np.concatenate([[0.0], np.cumsum(mean)[:-1]])
    some = mean > 0
    square, mean, before, passed = square[some], mean[some], before[some], passed[some]
    part = np.clip((square - 2.0 * passed * mean) / (2.0 * mean**2), 0.0, 1.0)
    value = before + part * square - (passed + part * mean) ** 2
    return float(value.max(initial=0.0))


def printed(chance: Floats, r: Floats) -> float:
    """Return the bound in print: E[r^2], as if every label were 1 and nothing were subtracted."""
    return float(chance @ r**2)


@final
@dataclass(frozen=True, eq=False)
class Newcomer:
    """A new system p_m, the old draws, and the labels of what they drew (others don't matter).

    Its own draws come from p_m too, unless `drawn` says from what.
    """

    own: Floats  # (N,)
    old: Sources  # over the same N units
    labels: Floats  # (N,)
    bound: Bound = worst
    drawn: Floats | None = None  # (N,)

    @cached_property
    def _fresh(self) -> Floats:
        """What its own draws come from, on its output."""
        return (self.own if self.drawn is None else self.drawn)[self.own > 0]

    @cached_property
    def _near(self) -> tuple[Floats, Sources, Floats]:
        """The same, without the units that the new system does not return."""
        mine = self.own > 0
        old = self.old
        near = Sources(old.names, old.draws, old.chance[:, mine], old.count[:, mine])
        return self.own[mine], near, np.nan_to_num(self.labels[mine])

    @cached_property
    def _overlap(self) -> tuple[Floats, float]:
        own, old, _ = self._near
        return old.draws * (old.chance @ own), float(own @ self._fresh)

    def mix(self, n: int) -> Floats:
        """Return the heuristic weights of the old systems and, last, of the new one."""
        overlap, mine = self._overlap
        both = np.append(overlap, n * mine)
        total = both.sum()
        found: Floats = both / total if total > 0 else both
        return found

    def variance(self, n: int) -> float:
        """Return V(n); infinite where part of the output can't be seen."""
        own, old, labels = self._near
        mix = self.mix(n)
        q = mix[:-1] @ old.chance + mix[-1] * self._fresh
        if not (q > 0).all():
            return np.inf
        r = own / q
        z = r * labels
        few = np.maximum(old.draws, 1.0)
        mean = old.count @ z / few
        square = np.maximum(old.count @ z**2 - few * mean**2, 0.0) / np.maximum(few - 1.0, 1.0)
        lone = old.draws < 2  # no variance of its own: the worst there is
        square[lone] = [self.bound(p, r) for p in old.chance[lone]]
        used = (mix[:-1] > 0) & (old.draws > 0)
        seen = float((mix[:-1][used] ** 2 / old.draws[used]) @ square[used])
        return seen + (mix[-1] ** 2 / n * self.bound(self._fresh, r) if n else 0.0)

    def least(self, target: float) -> int:
        """Return the smallest number of own draws that brings V down to the target."""
        if not target > 0:
            raise DesignError("a variance of 0 can't be had", do="Ask for a width such as 0.1")
        if self.variance(0) <= target:
            return 0
        high = 1
        while self.variance(high) > target:
            high *= 2
            if high > MOST:
                raise DesignError("no number of draws gives so narrow an interval", do="Widen it")
        while True:
            low = max(high // 2, 0) if self.variance(high // 2) > target else 0
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if self.variance(middle) <= target else (middle, high)
            below = [n for n in _looks(high) if self.variance(n) <= target]
            if not below:
                return high
            high = below[0]


def _looks(high: int) -> list[int]:
    """Return up to LOOKS numbers below, all of them where there are few."""
    found: list[int] = np.unique(np.linspace(1, high - 1, LOOKS).astype(np.int64)).tolist()
    return [n for n in found if 0 < n < high]

"""Every precision function through some known points: Sabharwal and Xue (2018), (3) and (4).

**Assumes (r~, m)-weak monotonicity: p(r1) >= p(r2) whenever r1 >= r~ and r2 >= r1 + m.** With the
number of positives C(v) = v p(v), each known point (y, C) bounds C(v) by lines in v (their
Definition 2, with the cases and signs of the proof in B.2):

    v >= y:  C(v) >= C,  C(v) <= C + v - y,    C(v) <= C + floor(m p),  and <= p v if v >= y + m
    v <= y:  C(v) <= C,  C(v) >= C - (y - v),  C(v) >= C - floor(m p),  and >= p v if v <= y - m

(the floors only within m of y, where p v is not yet in force, and where y + m, or y - m, is itself
a rank between r~ and the last). So v ub(v) is the least of three
lines, A, P v and S + v, and v lb(v) the largest of three, on stretches that end at y and y +- m.
The ratio ub / lb is a Moebius function of v between their crossings, hence largest at an end or
beside a crossing: no array over ranks is ever made, and N costs nothing.

`m=None` assumes nothing at all: then only C(v) between neighbouring points, and one more a rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.points import Ranks


class Lines(NamedTuple):
    """Three lines in the rank v at each of some ranks: A, P v and S + v."""

    flat: Floats
    slope: Floats
    shift: Floats


class Bounds(NamedTuple):
    """The least and the largest number of positives at each of some ranks."""

    lower: Floats
    upper: Floats


@final
@dataclass(frozen=True, eq=False)
class Envelope:
    """What is known: between `lower` and `upper` positives among the first `known` ranks.

    `known` goes up. `start` is r~; `whole` says that counts are whole numbers, as the floors need.

    >>> two = Envelope(np.array([4, 16]), np.array([4.0, 8.0]), np.array([4.0, 8.0]), m=2)
    >>> bounds = two.bounds(np.array([8]))
    >>> float(bounds.lower[0]), float(bounds.upper[0])
    (4.0, 8.0)
    """

    known: Ranks
    lower: Floats
    upper: Floats
    m: int | None
    start: int = 1
    whole: bool = True

    def bounds(self, ranks: Ranks) -> Bounds:
        """Return the bounds on the number of positives between the first and last known rank."""
        upper, lower = self._upper(ranks), self._lower(ranks)
        return Bounds(_highest(lower, ranks), _lowest(upper, ranks))

    def heights(self) -> Floats:
        """Return the largest ub / lb between each two neighbouring known ranks, at any rank."""
        starts, candidates = self._candidates()
        upper = _lowest(self._upper(starts), candidates)
        lower = _highest(self._lower(starts), candidates)
        ratio = np.where(upper > 0.0, np.inf, 1.0)
        np.divide(upper, lower, out=ratio, where=lower > 0.0)
        first = np.searchsorted(starts, self.known[:-1])
        highest = np.maximum.reduceat(ratio.max(axis=0), first)
        # The right end of a stretch between two known ranks is the next one's first.
        found: Floats = np.maximum(highest, ratio.max(axis=0)[np.append(first[1:], -1)])
        return found

    def corners(self) -> Ranks:
        """Return the ranks between which both bounds on the number of positives are linear."""
        return np.unique(self._candidates()[1])

    def _cuts(self) -> Ranks:
        """Return where other lines come into force: stretches begin at y, y +- m, and next to."""
        cuts = [self.known, self.known + 1]
        if self.m is not None:
            cuts += [self.known + shift for shift in (-self.m, 1 - self.m, self.m, self.m + 1)]
        found = np.unique(np.concatenate(cuts))
        cut: Ranks = found[(found >= self.known[0]) & (found <= self.known[-1])]
        return cut

    def _candidates(self) -> tuple[Ranks, Ranks]:
        """Return each stretch's first rank, and the ranks in it where ub / lb can be largest."""
        starts = self._cuts()
        ends = np.append(starts[1:] - 1, self.known[-1])
        ends = np.maximum(ends, starts)
        found = [starts, ends]
        for lines in (self._upper(starts), self._lower(starts)):
            for crossing in _crossings(lines):
                inside = np.clip(crossing, starts, ends)
                whole = np.floor(inside).astype(np.int64)
                found += [np.clip(whole, starts, ends), np.clip(whole + 1, starts, ends)]
        return starts, np.stack(found)

    def _upper(self, ranks: Ranks) -> Lines:
        """Return the lines of which the least bounds the number of positives from above."""
        y, C = self.known, self.upper
        before = np.searchsorted(y, ranks, side="right")  # y <= v
        flat = _from_right(np.minimum, C)[np.searchsorted(y, ranks)]
        shift = _from_left(np.minimum, C - y)[before - 1]
        if self.m is None:
            return Lines(flat, np.ones(len(ranks)), shift)
        far = np.searchsorted(y, ranks - self.m, side="right")  # y <= v - m
        slope = np.append(1.0, np.minimum(_from_left(np.minimum, C / y), 1.0))[far]
        edge = np.searchsorted(y, ranks - self.m)  # the first y >= v - m
        more = np.where(y + self.m <= y[-1], C + self._window(C), np.inf)
        for back in range(1, 1 + int((before - edge).max(initial=0))):
            near = before - back
            flat = np.where(near >= edge, np.minimum(flat, more[near]), flat)
        return Lines(flat, slope, shift)

    def _lower(self, ranks: Ranks) -> Lines:
        """Return the lines of which the largest bounds the number of positives from below."""
        y, C = self.known, self.lower
        after = np.searchsorted(y, ranks)  # the first y >= v
        flat = _from_left(np.maximum, C)[np.searchsorted(y, ranks, side="right") - 1]
        shift = _from_right(np.maximum, C - y)[after]
        if self.m is None:
            return Lines(flat, np.zeros(len(ranks)), shift)
        far = np.searchsorted(y, ranks + self.m)  # the first y >= v + m
        slope = np.append(_from_right(np.maximum, C / y), 0.0)[far]
        edge = np.searchsorted(y, ranks + self.m, side="right")  # beyond y <= v + m
        less = np.where(y - self.m >= self.start, C - self._window(C), 0.0)
        for ahead in range(int((edge - after).max(initial=0))):
            near = np.minimum(after + ahead, len(y) - 1)
            flat = np.where(after + ahead < edge, np.maximum(flat, less[near]), flat)
        return Lines(flat, slope, shift)

    def _window(self, C: Floats) -> Floats:
        """Return the most positives among the m ranks beside each known one."""
        if self.m is None:
            return np.full(len(C), np.inf)
        most = self.m * (C / self.known)
        return np.floor(most + 1e-9) if self.whole else most


def _from_left(take: np.ufunc, values: Floats) -> Floats:
    found: Floats = take.accumulate(values)
    return found


def _from_right(take: np.ufunc, values: Floats) -> Floats:
    found: Floats = take.accumulate(values[::-1])[::-1]
    return found


def _lowest(lines: Lines, ranks: Ranks) -> Floats:
    found: Floats = np.minimum(np.minimum(lines.flat, lines.slope * ranks), lines.shift + ranks)
    return np.maximum(found, 0.0)


def _highest(lines: Lines, ranks: Ranks) -> Floats:
    found: Floats = np.maximum(np.maximum(lines.flat, lines.slope * ranks), lines.shift + ranks)
    return np.maximum(found, 0.0)


def _crossings(lines: Lines) -> tuple[Floats, Floats, Floats]:
    """Return the ranks at which A = P v, A = S + v and P v = S + v; 0 where they never do."""
    flat, slope, shift = lines
    zero = np.zeros(len(flat))
    first = np.divide(flat, slope, out=zero.copy(), where=slope > 0.0)
    last = np.divide(-shift, 1.0 - slope, out=zero, where=slope < 1.0)
    return first, flat - shift, last

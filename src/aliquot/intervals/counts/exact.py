"""Intervals that cover at least as often as they say, whatever the population is."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.intervals.counts import hyper, rectangle
from aliquot.intervals.counts.base import Counted, Ends, Question
from aliquot.intervals.posterior import root

GAMMA = 0.1  # of the chance to miss, spent on where the nuisance parameter may be
GAP = 2e-4  # how much of the width may be given away to be done soon
Segment = tuple[int, int, int]  # N, n, r


@final
class Exact(Counted):
    """**Covers at least as often as it says, for every population.** Only the sampling is assumed.

    A share of one stratum: the hypergeometric limits (Clopper and Pearson 1934, without
    replacement). Recall and F of two segments: the samples are ordered by an approximate limit; a
    pair of yields is excluded if a sample as extreme as the one seen has a chance of no more than
    `alpha - gamma` there; and the limit is the least value of the measure over all pairs that are
    not excluded and lie in a set of confidence `1 - gamma` (Berger and Boos 1994), gamma =
    alpha / 10. Several strata: a combination of their limits, valid and wide.

    >>> from aliquot.intervals.betabin import Strata
    >>> asked = Question("recall", Strata.of(2_000, 100, 50), Strata.of(100_000, 100, 3))
    >>> [round(end, 2) for end in Exact().ends(asked)]
    [0.11, 0.59]
    """

    name: ClassVar[str] = "exact"
    summary: ClassVar[str] = "covers at least as often as it says, for every population"

    def ends(self, question: Question) -> Ends:
        """By inversion of tests."""
        one, other = question.retrieved, question.unretrieved
        two = one.N.size == other.N.size == 1 and one.left[0] > 0 and other.left[0] > 0
        two = two and one.n[0] > 0 and other.n[0] > 0
        if not question.ratio or not two:
            return rectangle.ends(question)
        A, B = ((round(p.N[0]), int(p.n[0]), int(p.r[0])) for p in (one, other))
        below = 0.0 if question.side == "upper" else -Search(question, A, B).limit()
        if question.side == "lower":
            return below, 1.0
        return below, Search(question, B, A, upper=True).limit()


@final
@dataclass
class Search:
    """One end, which fewer positives in the first segment and more in the second move outwards.

    Below, the first is the retrieved one; above, the other one.
    """

    question: Question
    first: Segment
    second: Segment
    upper: bool = False

    def __post_init__(self) -> None:
        self.alpha = self.question.tail * (1.0 - GAMMA)
        self.most = self._most()
        self.stars: dict[int, int] = {}
        half = self.question.tail * GAMMA / 2.0
        self.fewest = hyper.least(*self.first, half)
        self.largest = hyper.most(*self.second, half)

    def limit(self) -> float:
        """Return the end: minus the measure below, and the measure above, at its greatest.

        Between two numbers of positives in the second segment the end is at most as if both were
        at their worst; where that matters, what lies between is halved.
        """
        low, high = self.second[2], self.largest
        grid = np.unique(np.round(np.geomspace(low + 1, high + 1, 12)).astype(int) - 1)
        best = max(self.value(self.star(int(R)), int(R)) for R in grid)
        heap = [self._cell(int(a), int(b)) for a, b in pairwise(grid)]
        heapq.heapify(heap)
        while heap and -heap[0][0] > best + GAP:
            _, a, b = heapq.heappop(heap)
            middle = (a + b) // 2
            best = max(best, self.value(self.star(middle), middle))
            for cell in (self._cell(a, middle), self._cell(middle, b)):
                heapq.heappush(heap, cell)
        return max(best, -heap[0][0]) if heap else best

    def _cell(self, a: int, b: int) -> tuple[float, int, int]:
        if b - a < 2:
            return math.inf, a, b
        return -self.value(self.star(a), b - 1), a, b

    def value(self, first: int, second: int) -> float:
        """Return the measure, with the sign that makes it grow outwards."""
        if first > self.first[0] - self.first[1] + self.first[2]:
            return -math.inf  # no population is left
        if self.upper:
            return self._measure(second, first, 1.0)
        return -self._measure(first, second, 0.0)

    def _measure(self, A: int, B: int, nothing: float) -> float:
        found = self.question.value(float(A), float(B))
        return nothing if math.isnan(found) else found

    def star(self, R: int) -> int:
        """Return the fewest positives of the first segment that are not excluded beside R."""
        if R not in self.stars:
            left = max((s for at, s in self.stars.items() if at < R), default=self.fewest)
            top = self.first[0] - self.first[1] + self.first[2] + 1
            right = min((s for at, s in self.stars.items() if at > R), default=top)
            first, p = hyper.pmf(self.second[0], R, self.second[1])
            below = np.concatenate([[0.0], p.cumsum()])
            inside: Floats = below[np.clip(self.most - first + 1, 0, below.size - 1)]
            low, high = left, max(right, left)
            while low < high:
                middle = (low + high) // 2
                start, q = hyper.pmf(self.first[0], middle, self.first[1])
                chance = float(q @ inside[start : start + q.size]) + 1e-12
                low, high = (low, middle) if chance > self.alpha else (middle + 1, high)
            self.stars[R] = low
        return self.stars[R]

    def _most(self) -> NDArray[np.int64]:
        """Return, for each count in the first sample, the largest extreme one in the second.

        As extreme as the pair that was seen; -1 for none.
        """
        z = max(self.question.z, 0.2)  # the order of samples needs a distance above 0
        seen = self._statistic(np.array([self.first[2]]), np.array([self.second[2]]))
        sign = -1.0 if self.upper else 1.0
        if not self.upper and seen(0.0)[0] < z:  # all samples are as extreme as this one
            return np.full(self.first[1] + 1, self.second[1])
        far = 1.0 if self.question.measure == "recall" else 1.0 + self.question.weight**-2
        at = root(lambda x: sign * (z - float(seen(far * x)[0])), 1.0 - 1e-9, tolerance=1e-13)
        at = far * at - sign * 1e-11
        first = np.arange(self.first[1] + 1)
        low, high = np.full(first.size, -1), np.full(first.size, self.second[1])
        while (low < high).any():
            middle = (low + high + 1) // 2
            as_extreme = self._statistic(first, middle)(at) >= z
            low, high = np.where(as_extreme, middle, low), np.where(as_extreme, high, middle - 1)
        low[self.first[2]] = max(low[self.first[2]], self.second[2])
        found: NDArray[np.int64] = np.maximum.accumulate(low)
        return found

    def _statistic(
        self, first: NDArray[np.int64], second: NDArray[np.int64]
    ) -> Callable[[float], Floats]:
        """Return the distance of samples from `measure = x`, in root counts.

        `2 (sqrt(a + 3/8) - sqrt(theta (b + 3/8 + shift))) / sqrt(f1 + theta f0)`: it grows with a,
        falls with b and x, and so orders the samples whatever x is.
        """
        a, b = (first, np.maximum(second, 0))[:: -1 if self.upper else 1]
        N1, n1, _ = self.second if self.upper else self.first
        N0, n0, _ = self.first if self.upper else self.second
        square, recall = self.question.weight**2, self.question.measure == "recall"
        shift = 0.0 if recall else N1 / square * n0 / N0
        f1, f0 = max(1.0 - n1 / N1, 1e-9), max(1.0 - n0 / N0, 1e-9)

        def at(x: float) -> Floats:
            slope = x / (1.0 - x) if recall else x * square / (1.0 + square * (1.0 - x))
            theta = max(slope, 0.0) * (n1 / N1) / (n0 / N0)
            gap = np.sqrt(a + 0.375) - np.sqrt(theta * (b + 0.375 + shift))
            found: Floats = 2.0 * gap / np.sqrt(f1 + theta * f0)
            return -found if self.upper else found

        return at

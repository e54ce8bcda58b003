"""What further draws bring to a system that old draws saw in part: a variance that is conservative.

With psi = a f, a the most that a unit can add and f between `low` and 1, and odds o = (1 - pi) / pi
under all draws together, the calibrated estimator leaves
`V(lambda) = sum_seen (o / pi_old) a^2 (f - lambda)^2 + B max((1 - lambda)^2, (lambda - low)^2)`,
`B = sum_unseen a^2 o`: labels where there are some, and the worst labels where no draw could have
chosen a unit (compare Chaganty et al. 2017, B.4). The data will choose lambda; the least V counts.
**Old labels stand for the units that the old draws could see.** V falls with every further draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.columns import Rows
from aliquot.core.frame import Floats
from aliquot.errors import DesignError


@final
@dataclass(frozen=True)
class Spread:
    """A standard error, the mean and the heaviest weight of a unit, and what is out of reach."""

    stderr: float
    weight: float
    most: float
    gap: float


@final
@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of one measure of a system before further draws.

    `most` is a over the frame and `unseen` marks what no draw could have chosen; of the judged
    units, `rows` are their places, `psi` their influences and `weight` what each stands for.
    `mean` and `square` are what a prior expects of psi and its square; no bound rests on them.
    """

    most: Floats  # (N,)
    unseen: Floats  # (N,), 1 or 0
    rows: Rows
    psi: Floats
    weight: Floats
    mean: Floats
    square: Floats
    low: float = 0.0
    calibrated: bool = True

    def variance(self, pi: Floats) -> float:
        """Return V when these are the chances of all draws together.

        >>> none, ones = np.zeros(0), np.ones(2)
        >>> two = Evidence(ones, ones, np.zeros(0, int), none, none, ones / 2, ones / 2)
        >>> two.variance(np.full(2, 0.5))  # lambda 1/2: two units, each off by 1/2
        0.5
        """
        odds = _odds(pi)
        e, worst = self._seen(odds), float((self.unseen * odds) @ self.most**2)
        return min(
            e[0] - 2.0 * x * e[1] + x * x * e[2] + worst * max((1.0 - x) ** 2, (x - self.low) ** 2)
            for x in self._powers(e, worst)
        )

    def expected(self, pi: Floats) -> float:
        """Return V if the labels that no draw could see are as the prior guesses."""
        odds = _odds(pi)
        gone, e = self.unseen * odds, self._seen(odds)
        parts = (self.square, self.mean * self.most, self.most**2)
        e0, e1, e2 = (one + float(gone @ part) for one, part in zip(e, parts, strict=True))
        x = float(np.clip(e1 / e2, 0.0, 1.0)) if self.calibrated and e2 > 0 else 0.0
        return e0 - 2.0 * x * e1 + x * x * e2

    def spread(self, pi: Floats, *, likely: bool = False) -> Spread:
        """Return what an interval will rest on, at most or as expected.

        What stays out of reach may have any label.
        """
        open_ = (pi > 0) & (pi < 1)
        a, whole = self.most[open_], float(self.most[open_].sum())
        each = a / pi[open_]
        mean = float(a @ each) / whole if whole > 0 else 0.0
        variance = self.expected(pi) if likely else self.variance(pi)
        gap = float(self.most[pi <= 0].sum()) * (1.0 - self.low)
        return Spread(max(variance, 0.0) ** 0.5, mean, float(each.max(initial=0.0)), gap)

    def _seen(self, odds: Floats) -> tuple[float, float, float]:
        """Return the quadratic in lambda of what the old draws could see, from their labels."""
        own, a = self.weight * odds[self.rows], self.most[self.rows]
        return float(own @ self.psi**2), float(own @ (self.psi * a)), float(own @ a**2)

    def _powers(self, e: tuple[float, float, float], worst: float) -> list[float]:
        """Return where V may be least: it is convex, quadratic on each side of (1 + low) / 2."""
        if not self.calibrated:
            return [0.0]
        found, below = [0.0, 1.0, (1.0 + self.low) / 2.0], e[2] + worst
        if below > 0:
            found += [(e[1] + worst) / below, (e[1] + worst * self.low) / below]
        return [float(np.clip(x, 0.0, 1.0)) for x in found]


def _odds(pi: Floats) -> Floats:
    return np.divide(1.0 - pi, pi, out=np.zeros(len(pi)), where=pi > 0)


def least(at: Callable[[int], float], width: float, most: int) -> int:
    """Return the smallest n whose width is no larger than asked; the width falls as n grows.

    >>> least(lambda n: 1 / (1 + n), 0.25, 100)
    3
    """
    if not width > 0:
        raise DesignError(f"a width of {width:g} can't be had", do="Ask for one such as 0.1")
    if at(0) <= width:
        return 0
    low, high = 0, 1
    while high < most and at(high) > width:
        low, high = high, high * 2
    high = min(high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if at(middle) <= width else (middle, high)
    return high

"""The variance that a design can expect, under the prior's guess of the labels.

For a target with influence psi and inclusion probabilities pi (Hajek 1964):
`V = sum E[psi^2] (1 - pi) / pi - (sum E[psi] (1 - pi))^2 / sum pi (1 - pi)`, and the width is
`2 z sqrt(V + w^2)`, w the weight of one more unit, as the default intervals allow for it.
**A guess about labels goes in, so a guess comes out: it helps to choose, and proves nothing.**
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Frame
from aliquot.core.plan import Plan
from aliquot.designs.base import Design
from aliquot.designs.kernel import level
from aliquot.designs.pps import toy
from aliquot.designs.size import Size
from aliquot.designs.target import Target
from aliquot.errors import DesignError
from aliquot.measures.base import Floats

Z = 1.959963984540054  # the normal quantile of 95 %


@final
@dataclass(frozen=True, eq=False)
class Moments:
    """E[psi], E[psi^2] and max |psi| of each target of a measure at each unit, shape (T, n)."""

    measure: str
    mean: Floats
    square: Floats
    most: Floats
    span: float  # no interval is wider than the measure itself

    def widths(self, pi: Floats) -> Floats:
        """Return the expected width of a 95 % interval for each target."""
        open_ = (pi > 0) & (pi < 1)
        p = pi[open_]
        plain = (self.square[:, open_] * ((1.0 - p) / p)).sum(axis=1)
        below = float((p * (1.0 - p)).sum())
        gain = (self.mean[:, open_] @ (1.0 - p)) ** 2 / below if below > 0 else 0.0
        most = self.most[:, open_]
        whole = most.sum(axis=1)
        weight = np.divide(most**2 @ (1.0 / p), whole, out=np.zeros(len(most)), where=whole > 0)
        found: Floats = 2.0 * Z * np.sqrt(np.maximum(plain - gain, 0.0) + weight**2)
        return np.minimum(found, self.span)


def moments(size: Size, frame: Frame) -> list[Moments]:
    """Take the moments of every target of a fitted size, one entry a measure."""
    found: list[list[tuple[Floats, Floats, Floats]]] = [[] for _ in size.measured]
    for block in frame.blocks(size.systems, size.more):
        weighed = size.chances(block)
        for parts, target in zip(found, size.measured, strict=True):
            psi = [(chance, target.psi(block, y)) for y, chance in weighed]
            mean = sum((c * one for c, one in psi), start=np.zeros(1))
            square = sum((c * one**2 for c, one in psi), start=np.zeros(1))
            parts.append((mean, square, np.max([np.abs(one) for _, one in psi], axis=0)))
    return [
        _moments(target, size, [np.concatenate(one, axis=1) for one in zip(*parts, strict=True)])
        for parts, target in zip(found, size.measured, strict=True)
    ]


def _moments(target: Target, size: Size, columns: list[Floats]) -> Moments:
    mean, square, most = columns
    return Moments(str(target.family.measure), mean, square, most, _span(target, size))


def _span(target: Target, size: Size) -> float:
    """Return the width of the measure's range; a difference has twice that of its parts."""
    low, high = target.family.measure.bounds(size.scale.low, size.scale.high)
    alone = np.allclose(target.contrast.sum(axis=1), 1.0)
    return (high - low) * (1.0 if alone else 2.0)


def planned(
    design: Design, sizes: Floats, targets: list[Moments], *, budget: int = 0, width: float = 0.0
) -> list[Plan]:
    """Say what a budget buys, or what a width costs, one plan a measure.

    A width is met when the mean over the measure's targets is.
    """
    chunk = toy(sizes)
    most = int((sizes > 0).sum())

    def chances(n: int) -> Floats:
        if n >= most:
            return np.where(sizes > 0, 1.0, 0.0)
        found: Floats = np.minimum(1.0, level(lambda: iter([chunk]), n) * sizes)
        return found

    plans = []
    for target in targets:
        at = _mean_width(target, chances)
        labels = min(budget, most) if budget else _least(at, width, most)
        plans.append(Plan(str(design), target.measure, "default", "default", labels, at(labels)))
    return plans


def _mean_width(target: Moments, chances: Callable[[int], Floats]) -> Callable[[int], float]:
    return lambda n: float(target.widths(chances(n)).mean())


def _least(at: Callable[[int], float], width: float, most: int) -> int:
    """Find the smallest n whose width is small enough: the width falls as n grows."""
    if width <= 0:
        raise DesignError(f"a width of {width:g} can't be had", do="Ask for one such as 0.1")
    low, high = 0, most
    while high - low > max(1, high // 500):
        middle = (low + high) // 2
        low, high = (low, middle) if at(middle) <= width else (middle, high)
    return high

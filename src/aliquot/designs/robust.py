"""A size that does not take a score at its word: some positives are hidden among the others.

A share h of the positives may have any score. The chance of a positive is then
`q(u) = (1 - h) p(u) + h mean(p)`, and the size of a unit the root of `sum_t omega_t Var_q psi_t`:
what Neyman (1934) shares labels by. So h is a floor under q, as low as positives are rare.

Two more things are not taken at a score's word. Where it says that recall or F is nearly 0 or 1,
influences are those at 0.3 or 0.7. And a measure weighs one over the sum of its sizes: between
equal absolute and equal relative errors of the measures.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from aliquot.core.frame import Block, Floats, Frame, System
from aliquot.core.scale import Scale
from aliquot.designs.prior import Prior
from aliquot.designs.target import Target
from aliquot.measures.base import Measure
from aliquot.measures.targets import levels

NAME = "robust"
MODERATE = (0.3, 0.7)
LEAST = 1e-6


@final
@dataclass(frozen=True)
class Hidden:
    """The share of the positives that may have any score, and how likely any unit is positive."""

    share: float
    mean: float

    def chances(
        self, prior: Prior, block: Block, systems: tuple[System, ...], scale: Scale
    ) -> list[tuple[float, Floats]]:
        """Return the two label levels with the chance of each."""
        low, high = levels(scale)[[0, -1]]
        q = (1.0 - self.share) * prior.raw(block, systems) + self.share * self.mean
        q = np.clip(q, LEAST, 1.0 - LEAST)  # every unit that bears on a measure can be drawn
        return [(float(low), 1.0 - q), (float(high), q)]

    @classmethod
    def of(
        cls,
        share: float,
        prior: Prior,
        frame: Frame,
        read: tuple[tuple[System, ...], tuple[str, ...]],
    ) -> Hidden:
        """Take the mean of the prior over a frame."""
        total = 0.0
        for block in frame.blocks(*read):
            total += float(np.cumsum(prior.raw(block, read[0]))[-1])
        return cls(share, total / max(len(frame), 1))


def moderate(measure: Measure, total: Floats, known: Floats) -> Floats:
    """Return totals at which a ratio is neither near 0 nor near 1: the first one gives way.

    >>> from aliquot.measures.sets import Recall
    >>> moderate(Recall(), np.array([9.0, 10.0]), np.array([]))
    array([ 7., 10.])
    """
    value = measure.value(total, known)
    if measure.linear or measure.by_topic or not value > 0:
        return total
    found = total.copy()
    found[0] *= float(np.clip(value, *MODERATE)) / value
    return found


def variance(target: Target, block: Block, chances: list[tuple[float, Floats]]) -> Floats:
    """Return the variance of each contrast's influence, shape (T, n)."""
    both = [(chance, target.psi(block, y)) for y, chance in chances]
    mean = sum((chance * psi for chance, psi in both), start=np.zeros(1))
    found: Floats = sum((chance * (psi - mean) ** 2 for chance, psi in both), start=np.zeros(1))
    return found


def weighed(
    targets: tuple[Target, ...], blocks: Iterable[tuple[Block, list[tuple[float, Floats]]]]
) -> tuple[Target, ...]:
    """Give each measure the weight one over the sum of its sizes, the mean of its contrasts."""
    sums = [np.zeros(len(target.contrast)) for target in targets]
    for block, chances in blocks:
        for i, target in enumerate(targets):
            sums[i] += np.cumsum(np.sqrt(variance(target, block, chances)), axis=1)[:, -1]
    means = [float(np.mean(one)) for one in sums]
    return tuple(
        replace(target, omega=1.0 / mean if mean > 0 else 0.0)
        for target, mean in zip(targets, means, strict=True)
    )

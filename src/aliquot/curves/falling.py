"""Fewer labels for a band where precision is known to fall: a few ranks bound all that lie between.

**Assumes weak monotonicity (m, start), as AdaStrat does.** Limits that hold at all edges at once
then bound precision from above at all later ranks, and from below at all earlier ones
(`curves.envelope`). Where precision is the same throughout, the first edge and the last are enough;
where it falls, edges at which it has fallen by what the width leaves over. How near each limit has
to be, and so how many edges it takes, is whatever costs the fewest labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.assemble import crosses
from aliquot.curves.envelope import Envelope
from aliquot.curves.limits import Limits
from aliquot.curves.points import Ranks

RISE = 3.3  # standard errors
PARTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.45)  # of the width: what precision may fall between two edges


@final
@dataclass(frozen=True, eq=False)
class Falling:
    """Limits at some ranks, and what they say of the others if precision falls."""

    found: Limits
    m: int

    @property
    def envelope(self) -> Envelope:
        """Every precision function that falls and keeps within the limits."""
        one = self.found
        return Envelope(one.edges, one.low, one.high, self.m, int(one.edges[0]), whole=False)

    @property
    def refuted(self) -> bool:
        """Whether there is none."""
        return crosses(self.envelope)

    @property
    def rises(self) -> bool:
        """Whether the estimates rise by far more than chance explains: asked once, at the end."""
        one = self.found
        p = one.total / one.edges
        error = (one.high - one.low) / np.maximum(2.0 * one.u, 1e-12) / one.edges
        apart = one.edges[None, :] - one.edges[:, None] >= self.m
        chance = RISE * np.sqrt(error[None, :] ** 2 + error[:, None] ** 2)
        return bool(np.any(apart & (p[None, :] - p[:, None] > chance)))

    def heights(self) -> Floats:
        """Return the largest `high / low` at any rank next to each edge."""
        between = self.envelope.heights()
        found: Floats = np.maximum(np.append(between, 0.0), np.append(0.0, between))
        return found

    def limits(self, ratio: float) -> tuple[Ranks, Floats, Floats]:
        """Return the number of positives, least and most, at ranks `ratio` apart and at corners."""
        envelope, edges = self.envelope, self.found.edges
        steps = int(np.ceil(np.log(edges[-1] / edges[0]) / np.log(ratio))) + 1
        even = np.geomspace(edges[0], edges[-1], steps).astype(np.int64)
        ranks = np.union1d(np.clip(even, edges[0], edges[-1]), envelope.corners())
        bounds = envelope.bounds(ranks)
        return ranks, np.minimum(bounds.lower, bounds.upper), bounds.upper


def stations(fall: Floats, allowed: float) -> Ranks:
    """Return the first edge, the last, and those between from which precision falls by `allowed`.

    >>> stations(-np.log([0.9, 0.9, 0.9, 0.5, 0.5]), 0.1).tolist()
    [0, 2, 3, 4]
    """
    found, last = [0], len(fall) - 1
    while found[-1] < last:
        furthest = int(np.searchsorted(fall, fall[found[-1]] + allowed, side="right")) - 1
        found.append(max(found[-1] + 1, min(furthest, last)))
    return np.array(found, dtype=np.int64)


def plans(found: Limits, precision: Floats, half: float) -> Iterator[Floats]:
    """Yield bounds on the variance at each edge, each of which makes the band narrow enough.

    `half` is half the width, on a log scale. Where precision falls by d between two edges, half the
    width less d / 2 is left for the limit of each.
    """
    error = (found.high - found.low) / np.maximum(found.u, 1e-12)
    fall = -np.log(fallen(precision, (found.edges / np.maximum(error, 1e-12)) ** 2))
    for part in PARTS:
        at = stations(fall, 2.0 * part * half + 1e-9)
        drop = np.diff(fall[at])
        left = half - np.maximum(np.append(drop, 0.0), np.append(0.0, drop)) / 2.0
        if left.min() < 0.2 * half:
            continue
        bound = np.full(len(precision), np.inf)
        bound[at] = (left / found.u[at] * np.exp(-fall[at]) * found.edges[at]) ** 2
        yield bound


def fallen(values: Floats, weights: Floats) -> Floats:
    """Return the nearest values that never rise, by weighted squares: neighbours are pooled.

    >>> fallen(np.array([3.0, 1.0, 2.0, 1.0]), np.ones(4)).tolist()
    [3.0, 1.5, 1.5, 1.0]
    """
    pools: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        pools.append((value, weight, 1))
        while len(pools) > 1 and pools[-2][0] < pools[-1][0]:
            (a, v, i), (b, w, j) = pools[-2:]
            pools[-2:] = [((a * v + b * w) / (v + w), v + w, i + j)]
    return np.concatenate([np.full(count, value) for value, _, count in pools])

"""From limits at some ranks to limits at every rank, whatever the curve looks like.

The number of positives T(r) = r p(r) never falls, and grows by at most one a rank. So between two
ranks a < b it lies above `max(low_a, low_b - (b - r))` and below `min(high_b, high_a + (r - a))`.
**Nothing is assumed of the curve**; neighbouring ranks of ratio g cost a factor g at most.
"""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.limits import Limits
from aliquot.curves.points import Curve, Guarantee, Ranks


def tightened(found: Limits) -> Limits:
    """Use each limit at every other rank too: T never falls, and grows by at most one a rank."""
    r = found.edges.astype(np.float64)
    high = np.minimum.accumulate(found.high[::-1])[::-1]
    high = np.minimum.accumulate(high - r) + r
    low = np.maximum.accumulate(found.low)
    low = np.maximum.accumulate((low - r)[::-1])[::-1] + r
    low = np.minimum(low, high)  # limits that contradict each other: the truth is outside anyway
    return Limits(found.edges, np.clip(found.total, low, high), low, high, found.u)


def heights(found: Limits) -> Floats:
    """Return the largest `high / low` at or next to each edge, at any rank from the first edge on.

    It is largest at an edge or at one of two corners between: where the upper limit stops growing,
    and where the lower one starts to.
    """
    r, low, high = found.edges.astype(np.float64), found.low, found.high
    high = np.maximum(high, 1e-300)  # none at all is known as well as can be: 1
    at = high / np.maximum(low, 1e-300)
    between = np.zeros(len(r) - 1)
    corners = (r[:-1] + np.diff(high), r[1:] - np.diff(low))
    for corner in corners:
        v = np.clip(corner, r[:-1], r[1:])
        top = np.minimum(high[1:], high[:-1] + v - r[:-1])
        bottom = np.maximum(low[:-1], low[1:] - (r[1:] - v))
        between = np.maximum(between, top / np.maximum(bottom, 1e-300))
    at[1:] = np.maximum(at[1:], between)
    at[:-1] = np.maximum(at[:-1], between)
    return at


def every_rank(found: Limits) -> tuple[Ranks, Floats, Floats, Floats]:
    """Return ranks, and T with its limits there, from which a line fills in every other rank."""
    r = np.concatenate([[0], found.edges])
    low, high = np.concatenate([[0.0], found.low]), np.concatenate([[0.0], found.high])
    total = np.concatenate([[0.0], found.total])
    corners = np.concatenate([r[:-1] + np.diff(high), r[1:] - np.diff(low)])
    ranks = np.concatenate([[1], r[1:], np.floor(corners), np.ceil(corners)]).astype(np.int64)
    ranks = np.unique(np.clip(ranks, 1, r[-1]))
    right = np.minimum(np.searchsorted(r, ranks), len(r) - 1)
    left = np.where(r[right] == ranks, right, right - 1)
    top = np.minimum(high[right], high[left] + (ranks - r[left]))
    bottom = np.maximum(low[left], low[right] - (r[right] - ranks))
    return ranks, np.clip(np.interp(ranks, r, total), bottom, top), bottom, top


def curve(
    found: Limits, annotations: int, *, system: str, level: float, guarantee: Guarantee
) -> Curve:
    """Make a curve of limits that hold at once."""
    ranks, total, low, high = every_rank(tightened(found))
    return Curve(
        system,
        int(ranks[-1]),
        len(found.edges),
        annotations,
        ranks,
        total / ranks,
        low / ranks,
        high / ranks,
        guarantee,
        level,
        method="band",
        queried=found.edges,
    )

"""From labels to a curve: exact at the top, and the envelope of the query points below."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.base import Strategy
from aliquot.curves.envelope import Envelope
from aliquot.curves.known import Known, true
from aliquot.curves.points import Curve, Guarantee, Ranks
from aliquot.curves.sheet import Sheet


@final
@dataclass(frozen=True, eq=False)
class Pieces:
    """Points of a curve, before it knows what it promises."""

    ranks: Ranks
    precision: Floats
    low: Floats
    high: Floats

    def then(self, other: Pieces) -> Pieces:
        """Return these points, and the other's from the next rank on."""
        after = other.ranks > self.ranks[-1]
        return Pieces(
            np.append(self.ranks, other.ranks[after]),
            np.append(self.precision, other.precision[after]),
            np.append(self.low, other.low[after]),
            np.append(self.high, other.high[after]),
        )

    def fewer(self) -> Pieces:
        """Return the points without those that lie on the lines between their neighbours."""
        counts = np.stack([self.ranks * one for one in (self.precision, self.low, self.high)])
        gaps = np.diff(self.ranks)
        rounding = 1e-15 * self.ranks[1:-1] / np.minimum(gaps[1:], gaps[:-1])
        bends = np.abs(np.diff(np.diff(counts, axis=1) / gaps, axis=1)).max(axis=0, initial=0.0)
        kept = np.ones(len(self.ranks), dtype=np.bool_)
        kept[1:-1] = bends > 1e-12 + rounding
        return Pieces(self.ranks[kept], self.precision[kept], self.low[kept], self.high[kept])


def census(labels: Floats) -> Pieces:
    """Return the exact points of ranks that were all labelled."""
    ranks = np.arange(1, len(labels) + 1)
    precision = np.cumsum(labels) / ranks
    turns = np.append(np.diff(labels) != 0.0, True)  # np.append takes the value
    turns[0] = True
    return Pieces(ranks[turns], precision[turns], precision[turns], precision[turns])


def unsure(labels: Floats, eta: float, low: float, high: float) -> Pieces:
    """Return the points of ranks that a noisy judge labelled, from the ends at the last of them."""
    n = len(labels)
    ranks = np.arange(1, n + 1)
    share = np.clip(true(np.cumsum(labels) / ranks, eta), 0.0, 1.0)
    least = np.maximum(n * low - (n - ranks), 0.0) / ranks
    most = np.minimum(n * high, ranks) / ranks
    return Pieces(ranks, np.clip(share, least, most), least, most)


Middle = Callable[[Known, Ranks], Floats]


def mean(m: int, start: int) -> Middle:
    """Return the geometric mean of the envelope's bounds: the curve of Algorithm 1."""

    def middle(known: Known, ranks: Ranks) -> Floats:
        bounds = known.envelope(m, start).bounds(ranks)
        found: Floats = np.sqrt(bounds.lower * bounds.upper) / ranks
        return found

    return middle


def line(known: Known, ranks: Ranks) -> Floats:
    """Return the precision at ranks if counts run straight between the query points."""
    found: Floats = np.interp(ranks, known.ranks, known.ranks * known.precision) / ranks
    return found


def between(known: Known, corners: Ranks, band: Envelope, middle: Middle) -> Pieces:
    """Return the points below the census: `middle` at the corners, within the band."""
    ranks = np.unique(np.concatenate([corners, band.corners(), known.ranks[1:] - 1]))
    ranks = ranks[ranks >= known.ranks[known.tops - 1]]
    bounds = band.bounds(ranks)
    precision = middle(known, ranks)
    at = np.searchsorted(ranks, known.ranks[known.tops - 1 :])
    precision[at] = known.precision[known.tops - 1 :]
    ends = np.stack([bounds.lower, bounds.upper]) / ranks
    low, high = np.clip(ends.min(axis=0), 0.0, 1.0), np.clip(ends.max(axis=0), 0.0, 1.0)
    return Pieces(ranks, np.clip(precision, low, high), low, high)


def crosses(band: Envelope) -> bool:
    """Say whether no precision function fits: the assumption is refuted, or chance was rare."""
    bounds = band.bounds(band.corners())
    return bool(np.any(bounds.lower > bounds.upper * (1.0 + 1e-9) + 1e-9))


@final
@dataclass(frozen=True, eq=False)
class Outcome:
    """What a strategy ends with."""

    pieces: Pieces
    guarantee: Guarantee
    warnings: tuple[str, ...] = ()


def curve(asked: Strategy, sheet: Sheet, queried: Ranks, outcome: Outcome) -> Curve:
    """Return the curve of an outcome."""
    found = outcome.pieces.fewer()
    exact = outcome.guarantee == "exact"
    return Curve(
        "",
        sheet.n,
        len(queried),
        sheet.annotations,
        found.ranks,
        found.precision,
        found.low,
        found.high,
        outcome.guarantee,
        level=1.0 - asked.delta,
        factor=1.0 if exact else asked.factor,
        method=str(asked),
        queried=queried,
        warnings=outcome.warnings,
    )

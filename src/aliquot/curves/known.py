"""What the labels say of precision at a few ranks, and between which ends it lies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.base import Monotone
from aliquot.curves.envelope import Envelope
from aliquot.curves.points import Ranks
from aliquot.curves.sheet import Reading, Sheet


@final
@dataclass(frozen=True, eq=False)
class Known:
    """Precision at points of the census (`tops` of them) and at the query points, with its ends."""

    ranks: Ranks
    precision: Floats
    low: Floats
    high: Floats
    tops: int

    def envelope(self, m: int | None, start: int) -> Envelope:
        """Return the envelope that the estimates span, as Algorithm 1 has it."""
        counts = np.minimum(self.ranks * self.precision, self.ranks)
        return Envelope(self.ranks, counts, counts, m, start)

    def band(self, m: int | None, start: int) -> Envelope:
        """Return the envelope of every function within the ends."""
        low, high = self.ranks * self.low, self.ranks * self.high
        return Envelope(self.ranks, low, high, m, start, whole=False)


def read(asked: Monotone, sheet: Sheet, ends: Ranks, reading: Reading, K: int) -> Known:
    """Return what the labels say at the end of the census and at the query points.

    The ends are a factor beta apart from the estimate, and no closer than Hoeffding's at delta / K
    with what the query really rests on. At the census, where precision is known, the factor leaves
    room for what chance does to weak monotonicity.
    """
    running = np.cumsum(sheet.first) / np.arange(1, sheet.top + 1)
    tops = lowest(running, sheet.start) if not asked.eta else np.array([sheet.top])
    share = np.append(running[tops - 1], reading.share)
    noise = np.full(len(tops), 1.0 / sheet.top if asked.eta else 0.0)
    half = np.sqrt(np.append(noise, reading.spread) * math.log(2.0 * K / asked.spent) / 2.0)
    raw = share if asked.noise == "printed" else true(share, asked.eta)
    estimate = np.clip(raw, 0.0, 1.0)
    return Known(
        np.append(tops, ends),
        estimate,
        np.clip(np.minimum(estimate / asked.beta, true(share - half, asked.eta)), 0.0, 1.0),
        np.clip(np.maximum(estimate * asked.beta, true(share + half, asked.eta)), 0.0, 1.0),
        len(tops),
    )


def true(share: Floats, eta: float) -> Floats:
    """Return (share - eta) / (1 - 2 eta): the share of positives behind a noisy judge's."""
    found: Floats = (share - eta) / (1.0 - 2.0 * eta)
    return found


def lowest(precision: Floats, start: int) -> Ranks:
    """Return the ranks from `start` on that bound what follows: the lowest precision, and the last.

    Of all points that were labelled exactly, these two give the envelope below them.
    """
    n = len(precision)
    at = start + int(np.argmin(precision[start - 1 :])) if start < n else n
    return np.unique([at, n])

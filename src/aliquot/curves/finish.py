"""The end of a search under weak monotonicity: the curve, its promise, and what is doubtful."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.curves.assemble import (
    Middle,
    Outcome,
    Pieces,
    between,
    census,
    crosses,
    curve,
    line,
    unsure,
)
from aliquot.curves.base import Monotone, Sampled
from aliquot.curves.known import Known
from aliquot.curves.monotone import first_rise, steepest_rise
from aliquot.curves.points import Curve, Ranks
from aliquot.curves.sheet import Reading, Sheet


def whole(asked: Sampled, sheet: Sheet) -> Curve:
    """Return the curve where every rank was labelled."""
    order = np.argsort(np.concatenate([np.arange(1, sheet.top + 1), sheet.ranks]))
    labels = np.concatenate([sheet.first, sheet.labels])[order]
    nothing = np.empty(0, dtype=np.int64)
    if not asked.eta:
        return curve(asked, sheet, nothing, Outcome(census(labels), "exact"))
    half = np.sqrt(np.log(2.0 / asked.delta) / (2.0 * sheet.n)) / (1.0 - 2.0 * asked.eta)
    share = (labels.mean() - asked.eta) / (1.0 - 2.0 * asked.eta)
    low, high = np.clip([share - half, share + half], 0.0, 1.0)
    return curve(asked, sheet, nothing, Outcome(unsure(labels, asked.eta, low, high), "any-curve"))


@final
@dataclass(frozen=True, eq=False)
class End:
    """What a search ends with: the labels, and what they say at the query points."""

    sheet: Sheet
    ends: Ranks
    reading: Reading
    known: Known


def trusted(asked: Monotone, sheet: Sheet) -> int:
    """Return r~: the one asked for, or the end of the census where that contradicts it."""
    if asked.eta or first_rise(sheet.first, asked.start, asked.m) is None:
        return asked.start
    return sheet.top


def finish(asked: Monotone, end: End, middle: Middle) -> Curve:
    """Return the curve; where no weakly monotone function fits, one that assumes nothing."""
    sheet, known = end.sheet, end.known
    if sheet.annotations == sheet.n and not asked.eta:
        return whole(asked, sheet)
    top = census(sheet.first) if not asked.eta else _noisy(asked, end)
    warnings = _doubts(asked, end)
    band = known.band(asked.m, end.sheet.start)
    if crosses(band):
        loose = between(known, known.ranks, known.band(None, 1), line)
        warnings = (REFUTED.format(m=asked.m), *warnings)
        return curve(asked, sheet, end.ends, Outcome(top.then(loose), "any-curve", warnings))
    corners = known.envelope(asked.m, end.sheet.start).corners()
    tight = between(known, corners, band, middle)
    return curve(asked, sheet, end.ends, Outcome(top.then(tight), "weak-monotone", warnings))


REFUTED = (
    "no precision function that falls over {m} ranks fits the labels: the ends assume nothing now, "
    "hold at every rank, and are wide between query points; the factor holds at those"
)
RISING = "precision rises between ranks {0} and {1} by more than chance explains"
TOP = (
    "precision rises between ranks {0} and {1}, all labelled: it is taken to fall only from "
    "rank {2} on"
)
NOISE = "the judge errs, so the first {0} labels pin precision down to {1:.3g} to {2:.3g} only"


def _doubts(asked: Monotone, end: End) -> tuple[str, ...]:
    found = []
    if not asked.eta and end.sheet.start != asked.start:
        rise = first_rise(end.sheet.first, asked.start, asked.m) or (0, 0)
        found.append(TOP.format(*rise, end.sheet.start))
    seen = steepest_rise(end.known, end.reading.spread, asked)
    if seen is not None:
        found.append(RISING.format(*seen))
    at = end.known.tops - 1
    low, high, estimate = (
        float(one[at]) for one in (end.known.low, end.known.high, end.known.precision)
    )
    if asked.eta and (high > asked.beta * estimate or low * asked.beta < estimate):
        found.append(NOISE.format(end.sheet.top, low, high))
    return tuple(found)


def _noisy(asked: Monotone, end: End) -> Pieces:
    at = end.known.tops - 1
    low, high = float(end.known.low[at]), float(end.known.high[at])
    return unsure(end.sheet.first, asked.eta, low, high)

"""AdaStrat with a QUERY that knows: Algorithm 1 with beta = 1."""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.assemble import Pieces, between, mean
from aliquot.curves.base import Monotone
from aliquot.curves.known import Known, lowest
from aliquot.curves.points import Curve, Ranks
from aliquot.curves.search import next_query
from aliquot.curves.steps import Ask, Steps


def asked_exactly(asked: Monotone, top: int, n: int) -> Steps:
    """Ask for precision itself: at all ranks of the top, at N, and where the envelope is high."""
    ranks = np.arange(1, min(top, n) + 1)
    first = yield Ask(ranks, np.ones(len(ranks)), "precision")
    pieces, ends, values = (
        Pieces(ranks, first, first, first),
        np.empty(0, dtype=np.int64),
        first[:0],
    )
    split: int | None = n if n > top else None
    while split is not None:
        found = yield Ask(np.array([split]), np.ones(1), "precision")
        at = int(np.searchsorted(ends, split))
        ends, values = np.insert(ends, at, split), np.insert(values, at, found[0])
        split = next_query(_known(first, ends, values, asked.start), asked, asked.start)
    if len(ends):
        known = _known(first, ends, values, asked.start)
        envelope = known.envelope(asked.m, asked.start)
        below = between(known, envelope.corners(), envelope, mean(asked.m, asked.start))
        pieces = pieces.then(below)
    pieces = pieces.fewer()
    return Curve(
        "",
        n,
        len(ends),
        0,
        pieces.ranks,
        pieces.precision,
        pieces.low,
        pieces.high,
        "weak-monotone" if len(ends) else "exact",
        level=1.0,
        factor=1.0 + asked.epsilon if len(ends) else 1.0,
        method=str(asked),
        queried=ends,
    )


def _known(first: Floats, ends: Ranks, values: Floats, start: int) -> Known:
    tops = lowest(first, start)
    precision = np.append(first[tops - 1], values)
    return Known(np.append(tops, ends), precision, precision, precision, len(tops))

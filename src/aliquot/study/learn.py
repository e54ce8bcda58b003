"""Learn: what the labels so far say of each stratum, for the design that shares the next ones.

Neyman (1934) shares labels by `N_h S_h`. A first draw guesses S_h from scores, as
`root(q_h (1 - q_h))` with q_h the mean chance of a positive in the stratum; a later one has seen
some of the stratum. It multiplies the sizes of a stratum by
`root(p_h (1 - p_h) / (q_h (1 - q_h)))`, p_h the posterior mean of its share of positives. The prior
has mass one at q_h; in the tail it is Jeffreys', as in the interval: that is where the doubt is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from aliquot.core.columns import BLOCK
from aliquot.core.frame import Floats
from aliquot.core.records import DrawRow, Judgment
from aliquot.designs.base import every
from aliquot.designs.headtail import HeadTail
from aliquot.designs.size import recorded
from aliquot.errors import DesignError
from aliquot.measures.targets import levels
from aliquot.study.book import Book
from aliquot.study.pools import chunks, columns
from aliquot.study.staged import Told

MASS = 1.0  # of the prior, in labels
DOUBT = 0.5  # the mean of the prior in the tail, which comes last: Jeffreys'


def learned(
    book: Book, made: HeadTail, goal: str, earlier: Sequence[DrawRow], told: Told
) -> HeadTail:
    """Return the design with what the judgments of then say; as it was, if they say nothing."""
    if book.scale.kind == "classes":
        raise DesignError(
            f"{made} learns which strata hold positives, and classes are not positive or negative",
            do="Leave learn=yes out",
        )
    mine = (str(made), goal, book.frame.hash)
    labels = _labels(book, told.history)
    if not labels or any((d.design, d.goal, d.frame_hash) != mine for d in earlier):
        return made
    last = earlier[-1]
    q = _expected(book, made, last)
    stratum = dict(zip(last.units.unit, last.units.stratum.tolist(), strict=True))
    codes = np.array([stratum[unit] for unit in labels], dtype=np.int64)
    n = np.bincount(codes, minlength=len(q)).astype(np.float64)
    r = np.bincount(codes, weights=list(labels.values()), minlength=len(q)).astype(np.float64)
    return made.after(factors(q, n, r))


def factors(q: Floats, n: Floats, r: Floats) -> Floats:
    """Return how far the deviation in each stratum is from what was expected; 1 where n is 0.

    >>> factors(np.array([0.5, 0.1, 0.1]), np.array([0.0, 9.0, 9.0]), np.array([0.0, 4.9, 4.5]))
    array([1.        , 1.66666667, 1.66666667])
    """
    prior = np.append(q[:-1], DOUBT)
    p = (MASS * prior + r) / (MASS + n)
    ratio = p * (1.0 - p) / np.maximum(q * (1.0 - q), 1e-12)
    found: Floats = np.where(n > 0, np.sqrt(ratio), 1.0)
    return found


def _labels(book: Book, history: Sequence[Judgment]) -> dict[str, float]:
    """Return how far up the scale each unit with a label is; several of one are averaged."""
    low, high = levels(book.scale)[[0, -1]]
    standing = {(j.unit, j.annotator): j.value for j in history}
    given: dict[str, list[float]] = {}
    for (unit, _), value in standing.items():
        if value is not None:
            given.setdefault(unit, []).append(float((value - low) / (high - low)))
    return {unit: sum(some) / len(some) for unit, some in given.items()}


def _expected(book: Book, made: HeadTail, last: DrawRow) -> Floats:
    """Return q, the mean chance of a positive in each stratum, as the first draw had it."""
    params: dict[str, Any] = json.loads(last.params)
    cuts, constants = params["design"]["cuts"], params["size"]

    def counted() -> Floats:
        size = recorded(made.sized, book.frame, book.scale, last.goal, constants)
        whole = every(iter(chunks(book, made, last.goal, size)()))
        read = book.frame.blocks(book.frame.systems, columns(book.frame), size=BLOCK)
        chance = np.concatenate([size.chances(block)[-1][1] for block in read])
        chance = chance.astype(np.float32).astype(np.float64)  # as sizes: alike on every machine
        mine = whole.size > 0
        codes = made.place(whole, cuts)[mine]
        found: Floats = np.bincount(codes, weights=chance[mine]) / np.maximum(np.bincount(codes), 1)
        return found

    key = json.dumps([cuts, constants], sort_keys=True)
    return book.whole.once(counted, "chances", str(made), last.goal, key)

"""A strategy as steps: it asks for labels, waits, and goes on with the answer.

`Steps` is a generator that yields an `Ask` and is sent the labels of its ranks, in that order,
until it returns a `Curve`. It keeps no other state than what it was sent: made again with the same
Generator state and fed the same labels, it asks the same. So whoever has the labels so far can
stop, come back days later, and go on with `resume`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from aliquot.core.frame import Floats
from aliquot.curves.points import Curve, Ranks
from aliquot.errors import LabelError

Oracle = Callable[[Ranks], ArrayLike]


@final
@dataclass(frozen=True, eq=False)
class Ask:
    """Label these ranks next, none of which was asked before.

    `pi` is the chance that each had to be in this ask, given everything before it.
    """

    ranks: Ranks
    pi: Floats


Steps = Generator[Ask, Floats, Curve]


def run(steps: Steps, oracle: Oracle) -> Curve:
    """Go through all steps with an oracle that labels at once, each rank at most once.

    The oracle gets an array of ranks, from 1, and returns their labels; one that only knows single
    ranks is called rank by rank.
    """
    try:
        ask = next(steps)
        while True:
            ask = steps.send(_labels(oracle, ask.ranks))
    except StopIteration as done:
        curve: Curve = done.value
        return curve


def resume(steps: Steps, known: Mapping[int, float]) -> Ask | Curve:
    """Return the first ask with a rank that has no label yet, or the curve.

    `steps` is made anew, with the Generator as it was at first. `known` may hold more.
    """
    try:
        ask = next(steps)
        while all(rank in known for rank in ask.ranks.tolist()):
            ask = steps.send(checked([known[rank] for rank in ask.ranks.tolist()], ask.ranks))
    except StopIteration as done:
        curve: Curve = done.value
        return curve
    return ask


def checked(labels: ArrayLike, ranks: Ranks) -> Floats:
    """Return labels as numbers, or say which is not 0 or 1."""
    found = np.asarray(labels, dtype=np.float64)
    if found.shape != ranks.shape:
        raise LabelError(
            f"the oracle gave {found.size} labels for {ranks.size} ranks",
            do="Return one label for each rank, in the same order",
        )
    wrong = np.flatnonzero((found != 0.0) & (found != 1.0))
    if len(wrong):
        raise LabelError(
            f"the oracle's label {found[wrong[0]]:g} is not 0 or 1",
            where=f"rank {ranks[wrong[0]]}",
            do="Return 1 for a positive and 0 for a negative",
        )
    return found


def _labels(oracle: Oracle, ranks: Ranks) -> Floats:
    try:
        found = np.asarray(oracle(ranks), dtype=np.float64)
    except (TypeError, ValueError, KeyError):
        found = np.empty(0)
    if found.shape != ranks.shape:
        one_by_one = [oracle(rank) for rank in ranks.tolist()]
        found = np.asarray(one_by_one, dtype=np.float64)
    return checked(found, ranks)

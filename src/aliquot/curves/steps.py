"""A strategy as steps: it asks for labels, waits, and goes on with the answer.

`Steps` is a generator that yields an `Ask` and is sent the labels of its ranks, in that order,
until it returns a `Curve`. It keeps no other state than what it was sent: made again with the same
Generator state and fed the same labels, it asks the same. So whoever has the labels so far can
stop, come back days later, and go on with `resume`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from aliquot.core.frame import Floats
from aliquot.curves.points import Curve, Ranks
from aliquot.errors import LabelError

Oracle = Callable[[Any], ArrayLike]


@final
@dataclass(frozen=True, eq=False)
class Ask:
    """Label these ranks next, none of which was asked before.

    `pi` is the chance that each had to be in this ask, given everything before it. `what` is
    precision for the few strategies that ask for precision at the ranks instead of labels. `cuts`
    are last ranks of strata: all ranks between two of them had the same chance.
    """

    ranks: Ranks
    pi: Floats
    what: Literal["label", "precision"] = "label"
    cuts: Ranks = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def read(self, answer: ArrayLike) -> Floats:
        """Return an answer as numbers, or say what is wrong with it."""
        found = np.asarray(answer, dtype=np.float64)
        if found.shape != self.ranks.shape:
            raise LabelError(
                f"the oracle gave {_size(found)} for {self.ranks.size} ranks",
                do="Return one label for each rank, in the same order",
            )
        good = (found == 0.0) | (found == 1.0)
        if self.what == "precision":
            good = (found >= 0.0) & (found <= 1.0)
        if not good.all():
            at = int(np.argmin(good))
            raise LabelError(
                f"the oracle's {self.what} {found[at]:g} is not "
                + ("0 or 1" if self.what == "label" else "between 0 and 1"),
                where=f"rank {self.ranks[at]}",
                do="Return 1 for a positive and 0 for a negative"
                if self.what == "label"
                else "Return the share of positives among the ranks up to each",
            )
        return found


Steps = Generator[Ask, Floats, Curve]


def run(steps: Steps, oracle: Oracle) -> Curve:
    """Go through all steps with an oracle that labels at once, each rank at most once.

    The oracle gets an array of ranks, from 1, and returns their labels; one that only knows single
    ranks is called rank by rank.
    """
    try:
        ask = next(steps)
        while True:
            ask = steps.send(_labels(oracle, ask))
    except StopIteration as done:
        curve: Curve = done.value
        return curve


def resume(steps: Steps, known: Mapping[int, float]) -> Ask | Curve:
    """Return the first ask with a rank that has no label yet, or the curve.

    `steps` is made anew, with the Generator as it was at first. `known` may hold more.
    """

    def answer(ask: Ask) -> Floats | None:
        ranks = ask.ranks.tolist()
        known_all = all(rank in known for rank in ranks)
        return ask.read([known[rank] for rank in ranks]) if known_all else None

    found = replay(steps, answer)
    return found.asked[-1] if found.curve is None else found.curve


@final
@dataclass(frozen=True, eq=False)
class Replay:
    """Everything that was asked, and the curve if all of it was answered."""

    asked: tuple[Ask, ...]
    curve: Curve | None


def replay(steps: Steps, answer: Callable[[Ask], Floats | None]) -> Replay:
    """Go through the steps for as long as there are answers; None is none."""
    asked: list[Ask] = []
    try:
        asked.append(next(steps))
        while (labels := answer(asked[-1])) is not None:
            asked.append(steps.send(labels))
    except StopIteration as done:
        return Replay(tuple(asked), done.value)
    return Replay(tuple(asked), None)


def _labels(oracle: Oracle, ask: Ask) -> Floats:
    """Return the labels of an ask, all at once or, if the oracle knows single ranks, one by one."""
    try:
        found = np.asarray(oracle(ask.ranks))
    except (TypeError, ValueError, KeyError):
        found = np.empty(0)
    if found.shape != ask.ranks.shape:
        found = np.asarray([oracle(rank) for rank in ask.ranks.tolist()])
    try:
        return ask.read(found.astype(np.float64))
    except (TypeError, ValueError):
        raise LabelError(
            f"the oracle's label {found.flat[0].item()!r} is no number",
            do="Return 1 for a positive and 0 for a negative",
        ) from None


def _size(found: Floats) -> str:
    return f"{found.size} labels" if found.ndim == 1 else f"an array of shape {found.shape}"

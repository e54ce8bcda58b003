"""Plan: the labels that a width needs, or the width that a budget buys, design by design."""

from __future__ import annotations

import numpy as np

from aliquot.core.plan import Plan, TopUp
from aliquot.designs.base import Design
from aliquot.designs.goal import curved
from aliquot.designs.registry import design
from aliquot.designs.size import fitted
from aliquot.errors import DesignError, UsageError
from aliquot.planner.expected import moments, planned
from aliquot.study import topup
from aliquot.study.book import Book
from aliquot.study.pools import columns
from aliquot.study.usual import usual

GUESS = 500  # labels that a width is first planned with
WIDEST = 1 << 28  # units times targets that are planned in memory: 4 GB


def plan(
    book: Book, *, budget: int = 0, width: float = 0.0, goal: str = "each"
) -> list[Plan] | list[TopUp]:
    """Compare the default design with uniform sampling, before a label is paid for.

    The labels counted are all that a study needs from its first draw on; nothing is changed. For
    one system, on labels that are there already, they are the further ones: see `topup`.
    """
    if (budget > 0) == (width > 0):
        raise UsageError("a plan needs a budget or a width, above 0", do="Give one of them")
    if curved(goal):
        raise DesignError(
            "a plan for a whole curve is not in this version",
            do="Draw a first batch for it, look at the band, and draw on",
        )
    known = any(j.state == "label" for j in book.ledger.judgments())
    if known and goal in [system.name for system in book.frame.systems]:
        return topup.plan(book, goal, budget=budget, width=width)
    frame, families = book.frame, book.families()
    usable = tuple(f for f in families if not f.measure.by_topic and f.measure.name != "Judged")
    if not usable:
        raise DesignError("no measure of this study can be planned", do="Add one such as P@10")
    size = fitted("influence", 0.1, usable, frame, goal=goal)
    count = sum(len(target.contrast) for target in size.measured)
    if count * len(frame) > WIDEST:
        raise DesignError(
            f"{len(frame)} units and {count} targets are too many to plan in memory",
            do="Plan for one system: --goal NAME",
        )
    targets = moments(size, frame)

    def under(made: Design) -> list[Plan]:
        own = fitted(*made.sized, usable, frame, goal=goal)
        blocks = frame.blocks(frame.systems, columns(frame))
        sizes = np.concatenate([own(block) for block in blocks])
        return planned(made, sizes, targets, budget=budget, width=width)

    first = usual(book, budget or GUESS, goal)
    found = under(first)
    fits = usual(book, max(plan.labels for plan in found), goal)  # it depends on how many they are
    found = found if fits == first else under(fits)
    return found if fits == design("uniform") else found + under(design("uniform"))

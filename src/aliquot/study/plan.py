"""Plan: the labels that a width needs, or the width that a budget buys, design by design."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aliquot.core.plan import Plan, TopUp
from aliquot.designs.base import Design
from aliquot.designs.goal import curved
from aliquot.designs.registry import design
from aliquot.designs.size import fitted
from aliquot.errors import DesignError, UsageError
from aliquot.measures.targets import Family
from aliquot.planner import counts
from aliquot.planner.expected import Moments, moments, planned
from aliquot.study import topup
from aliquot.study.book import Book
from aliquot.study.cells import seen
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

    asked = Asked(book, usable, goal, targets, budget, width)
    first = usual(book, budget or GUESS, goal)
    found = under(first, asked)
    fits = usual(book, max(plan.labels for plan in found), goal)  # it depends on how many they are
    found = found if fits == first else under(fits, asked)
    return found if fits == design("uniform") else found + under(design("uniform"), asked)


class Asked(NamedTuple):
    """What is planned for: measures of a study, and a budget or a width."""

    book: Book
    usable: tuple[Family, ...]
    goal: str
    targets: list[Moments]
    budget: int
    width: float


def under(made: Design, asked: Asked) -> list[Plan]:
    """Plan a design: by counts where its intervals are from counts, else by linearisation."""
    book, usable, goal, targets, budget, width = asked
    frame, found, rest = book.frame, {}, []
    own = fitted(*made.sized, usable, frame, goal=goal)
    for target in targets:
        [measured] = [f for f in usable if str(f.measure) == target.measure]
        known, named = seen(book, made, own, (measured, goal)), (made, target.measure)
        if known is None:
            rest.append(target)
        else:
            found[target.measure] = counts.planned(named, known, budget=budget, width=width)
    if rest:
        blocks = frame.blocks(frame.systems, columns(frame))
        sizes = np.concatenate([own(block) for block in blocks])
        plans = planned(made, sizes, rest, budget=budget, width=width)
        found |= {one.measure: one for one in plans}
    return [found[target.measure] for target in targets]

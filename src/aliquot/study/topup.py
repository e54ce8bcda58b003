"""Top up: the fewest further labels that a system needs, given the labels that are there.

Each number is tried by making that draw, without recording it: the chances are those that
`aliquot draw` would write down, so what it says is what the draw does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.plan import TopUp
from aliquot.designs.base import Design
from aliquot.designs.registry import design
from aliquot.estimators.regression import Regression
from aliquot.measures.targets import Family
from aliquot.planner.topup import Evidence, least
from aliquot.study import newcomer
from aliquot.study.asked import Asked, Facts, row
from aliquot.study.book import Book
from aliquot.study.draw import make
from aliquot.study.pools import combined, layers
from aliquot.study.usual import usual


def plan(book: Book, system: str, *, budget: int, width: float) -> list[TopUp]:
    """Plan further draws for one system: what a budget buys, or what a width needs."""
    asked = Asked(book, system)
    if design(book.ledger.draws()[-1].design).replacement:
        return newcomer.plan(asked, budget=budget, width=width)
    found: list[TopUp] = []
    for made in dict.fromkeys((usual(book), design("uniform"))):
        tried = Tried(asked, made)
        for family in asked.families:
            known, facts = evidence(asked, family), asked.facts(family)
            at = tried.widths(known, facts)
            n = min(budget, tried.left) if budget else least(at, width, tried.left)
            guessed = float(known.unseen @ known.mean)
            likely = facts.width(known.spread(tried.chances(n), likely=True), guessed)
            how = (str(made), "default", "default")
            found.append(row(asked, family, how, (n, n), (at(n), likely)))
    return found


@final
@dataclass(frozen=True, eq=False)
class Tried:
    """Draws for a system by one design, made and not recorded."""

    asked: Asked
    design: Design

    @cached_property
    def left(self) -> int:
        """How many units bear on the system and were not drawn yet."""
        book = self.asked.book
        bears = np.zeros(len(book.frame), dtype=np.bool_)
        for family in self.asked.families:
            bears |= self.asked.facts(family).most > 0
        if self.design == design("uniform"):
            bears[:] = True
        drawn = book.frame.locate(book.ledger.draws()[-1].units.key)
        bears[drawn] = False
        return int(bears.sum())

    @cached_property
    def _known(self) -> dict[int, Floats]:
        return {}

    def chances(self, n: int) -> Floats:
        """Return the chance of every unit after n further units."""
        if not n:
            return self.asked.pi
        if n not in self._known:
            book, draws = self.asked.book, list(self.asked.book.ledger.draws())
            draws.append(make(book, self.design, n, self.asked.system, draws))
            before = layers(book, draws)
            blocks = zip(*(layer.chunks() for layer in before), strict=True)
            parts = [combined(before, chunks, alone=len(before) == 1) for chunks in blocks]
            self._known[n] = np.concatenate(parts)
        return self._known[n]

    def widths(self, known: Evidence, facts: Facts) -> Callable[[int], float]:
        """Return the width by the number of further units."""
        middle = float(known.unseen @ known.most) * (1.0 + known.low) / 2.0
        return lambda n: facts.width(known.spread(self.chances(n)), middle)


def evidence(asked: Asked, family: Family) -> Evidence:
    """Gather what the labels say of one measure."""
    work, facts = asked.work, asked.facts(family)
    return Evidence(
        facts.most,
        np.where(asked.pi > 0, 0.0, 1.0),
        work.sample.rows,
        facts.psi,
        1.0 / work.sample.pi,
        facts.mean,
        facts.square,
        facts.low,
        isinstance(work.human(family.measure, None), Regression),
    )

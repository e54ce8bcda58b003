"""The fewest draws with replacement for a system, on old draws: Chaganty et al. (2017), B.4.

The bound is the worst case over all labels, which is tight; see `aliquot.planner.newcomer`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.plan import TopUp
from aliquot.core.sources import Sources
from aliquot.designs.registry import design
from aliquot.errors import DesignError
from aliquot.measures.targets import Family
from aliquot.planner.newcomer import Bound, Newcomer
from aliquot.study.asked import Asked, Facts, row
from aliquot.study.book import Book
from aliquot.study.draw import make
from aliquot.study.pools import layers
from aliquot.study.sources import origins

OWN, JOINT = "ubis(prior=P, floor=0)", "joint(weights=heuristic)"
Z = 1.959963984540054  # the normal quantile of 95 %


def plan(asked: Asked, *, budget: int, width: float) -> list[TopUp]:
    """Plan draws for a system: estimated from everybody's draws, and from its own alone."""
    linear = [family for family in asked.families if family.measure.linear]
    if not linear:
        raise DesignError(
            "draws with replacement are planned for totals", do="Add a measure such as Precision"
        )
    whole = origins(asked.book)
    old, drawn, found = whole.sources, _drawn(asked), []
    mine = np.array([goal == asked.system for goal in whole.goals])
    have = int(np.rint(old.draws[mine].sum()))
    nobody = Sources((), old.draws[:0], old.chance[:0], old.count[:0])
    for family in linear:
        facts = asked.facts(family)
        own = facts.most / facts.most.sum()
        target = (width / facts.most.sum() / (2.0 * Z)) ** 2
        for how, sources, there in ((JOINT, old, 0), ("simple", nobody, have)):
            new = Newcomer(own, sources, _labels(asked, facts), drawn=drawn)
            draws = budget or max(new.least(target) - there, 0)
            needed = _distinct(asked.book, drawn, draws), draws
            widths = _widths(asked, family, (new, facts), draws + there)
            found.append(row(asked, family, (OWN, how, "normal"), needed, widths))
    return found


def _widths(
    asked: Asked, family: Family, both: tuple[Newcomer, Facts], draws: int
) -> tuple[float, float]:
    """Return the width of a normal interval at most, and if labels are as the prior guesses."""
    (new, facts), scale = both, asked.book.scale
    span = float(np.ptp(family.measure.bounds(scale.low, scale.high)))
    scaled = 2.0 * Z * float(facts.most.sum())
    most, likely = (
        min(scaled * float(np.sqrt(one.variance(draws))), span)
        for one in (new, replace(new, bound=_guessed(facts)))
    )
    return most, likely


def _drawn(asked: Asked) -> Floats:
    """Return what draws for the system would come from, all measures of the study together."""
    draws = asked.book.ledger.draws()
    row = make(asked.book, design(OWN), 1, asked.system, draws)
    layer = layers(asked.book, [row])[0]
    found: Floats = np.concatenate([layer.chances(c, alone=True) for c in layer.chunks()])
    return found


def _guessed(facts: Facts) -> Bound:
    """Return the variance of r f under the chances if labels are as the prior guesses."""
    mine = facts.most > 0
    mean, square = facts.mean[mine] / facts.most[mine], facts.square[mine] / facts.most[mine] ** 2
    return lambda chance, r: float(chance @ (r**2 * square) - (chance @ (r * mean)) ** 2)


def _distinct(book: Book, drawn: Floats, draws: int) -> int:
    """Return how many units that were not drawn yet so many draws are expected to hit."""
    hit = -np.expm1(draws * np.log1p(-np.minimum(drawn, 1.0 - 1e-12)))
    hit[book.frame.locate(book.ledger.draws()[-1].units.key)] = 0.0
    return int(np.ceil(hit.sum() - 1e-9))


def _labels(asked: Asked, facts: Facts) -> Floats:
    """Return f = psi / a of the judged units, nan elsewhere."""
    rows = asked.work.sample.rows
    found = np.full(len(facts.most), np.nan)
    a = facts.most[rows]
    found[rows] = np.divide(facts.psi, a, out=np.zeros(len(rows)), where=a > 0)
    return found

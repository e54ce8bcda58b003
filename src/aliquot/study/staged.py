"""Strategies for curves in a study: what one asks for next, and its curve once it has its labels.

A strategy keeps nothing: it is run again from its start with all labels of the study, of whatever
draw, for as long as they last. So it can be left for days, and stopped at any time. Which ranks it
takes of a stratum is said by the permanent random numbers, as in every design.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.frame import KEY, Floats
from aliquot.core.order import Order, order
from aliquot.core.records import DrawRow, Judgment
from aliquot.curves.adastrat import Adastrat
from aliquot.curves.base import Strategy
from aliquot.curves.luck import Permanent
from aliquot.curves.points import Curve, Ranks
from aliquot.curves.staged import Staged
from aliquot.curves.steps import Ask, Replay, replay
from aliquot.designs.goal import check, curved
from aliquot.errors import DesignError, EstimateError
from aliquot.study.book import Book
from aliquot.study.positive import positive


@final
@dataclass(frozen=True, eq=False)
class Answers:
    """The label of each rank: NaN where there is none. `passed` ranks will never have one."""

    labels: Floats
    passed: Floats

    def lacking(self, ask: Ask) -> Ranks:
        """Return the ranks of an ask that were neither labelled nor passed over."""
        at = ask.ranks - 1
        found: Ranks = ask.ranks[np.isnan(self.labels[at]) & (self.passed[at] == 0.0)]
        return found

    def answer(self, ask: Ask) -> Floats | None:
        """Return the labels of an ask; None if one is still to come.

        **A unit that was passed over is taken to be like the next labelled ones** above and below.
        """
        if len(self.lacking(ask)):
            return None
        found = self.labels[ask.ranks - 1]
        missing = np.isnan(found)
        if missing.any():
            known = np.flatnonzero(~np.isnan(self.labels))
            right = np.searchsorted(known, ask.ranks[missing] - 1)
            sides = known[np.clip([right - 1, right], 0, len(known) - 1)]
            found[missing] = self.labels[sides].mean(axis=0)
        return found


@final
@dataclass(frozen=True)
class Told:
    """What a strategy is told: judgments as they came in, and the least that is positive."""

    history: tuple[Judgment, ...]
    rel: float | None = None


def staged(book: Book, made: Staged, goal: str, earlier: Sequence[DrawRow], told: Told) -> Staged:
    """Return the design with all that it asks, given the judgments of then."""
    system = curved(goal)
    if not system:
        raise DesignError(
            f"{made.strategy.name} draws for the curve of one system, not for '{goal}'",
            do="Give --goal curve:SYSTEM",
        )
    check(goal, tuple(one.name for one in book.frame.systems))
    along = _along(book, system)
    answers = _answers(book, along, told)
    found = _replayed(book, made.strategy, along, answers)
    if found.curve is not None:
        raise DesignError(
            f"{made} has every label that it asks for",
            do=f"See what they say: aliquot curve STUDY --system {system} --method '{made}'",
        )
    if _drawn(book, along, found.asked[-1].ranks, earlier).all():
        raise DesignError(
            "all units asked for next are drawn already, and some wait for a judgment",
            do="See which with aliquot queue STUDY, then aliquot record STUDY FILE",
        )
    mine = (str(made), goal, book.frame.hash)
    own = [d for d in earlier if (d.design, d.goal, d.frame_hash) == mine]
    return made.after(found.asked, json.loads(own[-1].params)["design"] if own else {})


def curve(book: Book, system: str, strategy: Strategy, rel: float | None) -> tuple[Curve, Order]:
    """Return the curve of a strategy from the labels that it asked for, or say what it lacks."""
    along = _along(book, system)
    answers = _answers(book, along, Told(tuple(book.ledger.history()), rel))
    found = _replayed(book, strategy, along, answers)
    if found.curve is None:
        raise _lacking(book, strategy, along, answers.lacking(found.asked[-1]))
    asked = np.concatenate([ask.ranks for ask in found.asked]) - 1
    gone = int(np.isnan(answers.labels[asked]).sum())
    said = f"{gone} units that it asked for were skipped or unsure; each is taken to be like the "
    more = (said + "judged ones next to it in the ranking",) if gone else ()
    made = replace(found.curve, system=system, warnings=(*found.curve.warnings, *more))
    return made, along


def _along(book: Book, system: str) -> Order:
    return book.whole.once(lambda: order(book.frame, system), "order", system)


def _replayed(book: Book, strategy: Strategy, along: Order, answers: Answers) -> Replay:
    if isinstance(strategy, Adastrat) and strategy.query == "exact":
        raise DesignError(
            "query=exact asks for precision itself, and a study has labels",
            do="Use query=thinned or query=stratified",
        )
    keys = book.frame.columns.whole(KEY)[along.rows]
    seed = book.header.seed
    luck = Permanent(prn.uniform(keys, seed), prn.uniform(keys, f"{seed}:thinned"))
    return replay(strategy.steps(len(along), luck), answers.answer)


def _answers(book: Book, along: Order, told: Told) -> Answers:
    """Return what stands of some judgments, rank by rank; several of one unit are averaged."""
    standing = list({(j.unit, j.annotator): j for j in told.history}.values())
    units = list(dict.fromkeys(j.unit for j in standing))
    rows = book.frame.locate(prn.keys(units))
    place = dict(zip(units, along.place[rows].tolist(), strict=True))
    given = [(place[j.unit], j.value) for j in standing if j.value is not None and place[j.unit]]
    at = np.array([rank - 1 for rank, _ in given], dtype=np.int64)
    y = positive(book.scale, np.array([value for _, value in given], dtype=np.float64), told.rel)
    count, total = (np.bincount(at, w, minlength=len(along)) for w in (np.ones(len(at)), y))
    labels = np.where(count > 0, total / np.maximum(count, 1.0), np.nan)
    passed = np.zeros(len(along))
    if given:  # with no label at all there is nobody to be like
        looked = np.array([rank - 1 for rank in place.values() if rank], dtype=np.int64)
        passed[looked] = 1.0
    return Answers(labels, passed)


def _drawn(book: Book, along: Order, ranks: Ranks, earlier: Sequence[DrawRow]) -> NDArray[np.bool_]:
    """Say which ranks some draw holds."""
    drawn = earlier[-1].units.key if earlier else np.empty(0, dtype=np.uint64)
    return np.isin(book.frame.columns.whole(KEY)[along.rows[ranks - 1]], drawn)


def _lacking(book: Book, strategy: Strategy, along: Order, ranks: Ranks) -> EstimateError:
    """Say how many labels a strategy lacks, and what to do for them."""
    new = int((~_drawn(book, along, ranks, book.ledger.draws())).sum())
    draw = f"aliquot draw STUDY --budget {new} --goal curve:{along.system} --design '{strategy}'"
    steps = f"Draw them: {draw}" if new else "See which: aliquot queue STUDY"
    return EstimateError(
        f"{strategy} lacks {len(ranks)} of the labels that it asks for",
        do=f"{steps}. Or use all labels that are there: --method band",
    )

"""Replay: draw, judge by the truth, estimate and cover, once more with another seed.

It is the very way that a study goes, so that what a simulation says is what a user would get.
Repetition i depends on the seed and i alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import final

from aliquot.core import prn
from aliquot.core.frame import Floats
from aliquot.core.records import Judgment
from aliquot.designs import goal as goals
from aliquot.study.book import Book
from aliquot.study.compare import differences
from aliquot.study.cover import cover
from aliquot.study.draw import draw
from aliquot.study.estimate import Question, answer, checked
from aliquot.study.labelled import Labelled
from aliquot.study.sampling import sample
from aliquot.study.scratch import again
from aliquot.study.work import Estimated, Work

Key = tuple[str, str, str, str]  # estimator, interval as asked, system, measure


@final
@dataclass(frozen=True)
class Setting:
    """What is tried: how units are chosen, how many, what for, and what becomes of them."""

    design: str
    budget: int
    goal: str = "each"
    estimators: tuple[str, ...] = ("default",)
    intervals: tuple[str, ...] = ("default",)
    level: float = 0.95
    over: str = "these"
    seed: int = 0

    def numbered(self, i: int) -> int:
        """Return the seed of one repetition.

        >>> Setting("uniform", 9, seed=1).numbered(0) != Setting("uniform", 9, seed=1).numbered(1)
        True
        """
        return prn.word(f"{self.seed}:{i}") >> 1

    @property
    def pair(self) -> bool:
        """Whether the difference of two systems is asked for."""
        return self.goal.startswith("pair:")

    def difference(self, names: Sequence[str]) -> tuple[str, str]:
        """Return the two systems of the pair.

        >>> Setting("uniform", 9, goal="pair:bm25,dense").difference(("dense", "bm25"))
        ('bm25', 'dense')
        """
        return goals.pair(self.goal, tuple(names))


@final
@dataclass(frozen=True)
class Row:
    """One estimate with the ends of its interval; None where there is no interval."""

    value: float
    low: float | None
    high: float | None
    method: str
    difference: bool = False


@final
@dataclass(frozen=True)
class Tried:
    """What one repetition gave: its rows, and how many distinct units were judged for them.

    `design` is what it drew with, in full.
    """

    labels: int
    rows: dict[Key, Row] = field(default_factory=dict)
    design: str = ""


def judged(world: Labelled, setting: Setting, seed: int) -> Book:
    """Draw a sample and judge it by the truth."""
    book = again(world.book, seed)
    units = draw(book, setting.budget, goal=setting.goal, spelling=setting.design).units
    values = world.labels[book.frame.locate(units.key)].tolist()
    book.ledger.record([Judgment(u, "", v) for u, v in zip(units.unit, values, strict=True)])
    return book


def replay(world: Labelled, setting: Setting, seed: int) -> Tried:
    """Draw, judge and estimate once."""
    book = judged(world, setting, seed)
    taken = sample(book)
    work = Work(book, taken, setting.over)
    found = Tried(len(taken), design=book.ledger.draws()[-1].design)
    for name in setting.estimators:
        named = checked(Question(estimator=name, over=setting.over))
        for estimated in answer(work, (), named):
            found.rows.update(rows(estimated, setting))
    return found


def rows(found: Estimated, setting: Setting) -> Iterable[tuple[Key, Row]]:
    """Return one measure's rows with their intervals, the difference of a pair among them."""
    yield from _rows(found, setting)
    yield from _difference(found, setting)


def _rows(found: Estimated, setting: Setting) -> Iterable[tuple[Key, Row]]:
    for row in found.rows:
        if row.estimator == "count":  # known, not estimated
            continue
        for asked in setting.intervals:
            one = cover(row, asked, setting.level)
            key = (row.estimator, asked, row.system, row.measure)
            yield key, Row(row.estimate, one.low, one.high, one.method)


def _difference(found: Estimated, setting: Setting) -> Iterable[tuple[Key, Row]]:
    if not setting.pair or found.rows[0].estimator == "count":
        return
    pair = setting.difference([row.system for row in found.rows])
    for one in differences(found, pair, setting.level):
        key = (found.rows[0].estimator, "normal", named(pair), one.measure)
        yield key, Row(one.difference, one.low, one.high, "normal", difference=True)


def named(pair: tuple[str, str]) -> str:
    """Name the difference of two systems.

    >>> named(("bm25", "dense"))
    'bm25 - dense'
    """
    return " - ".join(pair)


def truths(world: Labelled, setting: Setting) -> dict[tuple[str, str], float]:
    """Return what is true of each system and measure, and of the pair's difference."""
    found: dict[tuple[str, str], float] = {}
    for family in world.families:
        measure = str(family.measure)
        values = dict(zip(family.names, world.truths(family).tolist(), strict=True))
        found |= {(name, measure): value for name, value in values.items()}
        if setting.pair and len(values) > 1:
            pair = setting.difference(tuple(values))
            found[named(pair), measure] = values[pair[0]] - values[pair[1]]
    return found


def plain(values: Floats, names: Iterable[str], measure: str, who: str) -> dict[Key, Row]:
    """Return rows without intervals; what is not a number is left out."""
    return {
        (who, "none", name, measure): Row(value, None, None, "none")
        for name, value in zip(names, values.tolist(), strict=True)
        if value == value  # noqa: PLR0124  (only NaN differs from itself)
    }

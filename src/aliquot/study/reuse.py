"""A draw for each system, in one study: estimated from one's own draws, or from everybody's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from aliquot.core.records import Judgment
from aliquot.core.spelling import Spelling
from aliquot.errors import DesignError
from aliquot.study.baseline import Baseline
from aliquot.study.book import Book
from aliquot.study.draw import draw
from aliquot.study.estimate import Question, answer, checked
from aliquot.study.labelled import Labelled
from aliquot.study.replay import Setting, Tried, rows
from aliquot.study.sampling import sample
from aliquot.study.scratch import again
from aliquot.study.work import Work

OWN = "ubis(prior=P, floor=0)"
WHY = f"it is a draw for each system: --design '{OWN}' --goal NAME, then estimate --estimator"


class Reuse(Baseline):
    """An equal share of the draws for each system, from what its units weigh in the measures."""

    covers: ClassVar[bool] = True

    def replay(self, world: Labelled, setting: Setting, seed: int) -> Tried:
        """Draw for each system, judge, and estimate all of them."""
        book = self._judged(world, setting, seed)
        work = Work(book, sample(book), setting.over)
        asked = checked(Question(estimator=str(self), over=setting.over))
        found = Tried(len(work.sample))
        told = replace(setting, estimators=(str(self),))
        for estimated in answer(work, (), asked):
            found.rows.update(rows(estimated, told))
        return found

    def _judged(self, world: Labelled, setting: Setting, seed: int) -> Book:
        book = again(world.book, seed)
        names = [system.name for system in book.frame.systems]
        if not names:
            raise DesignError(f"{self.name} draws for systems, and there are none", do="Add one")
        share, more = divmod(setting.budget, len(names))
        if not share:
            raise DesignError(
                f"{setting.budget} draws are too few for {len(names)} systems",
                do="Give a larger budget, or name another design",
            )
        for i, name in enumerate(names):
            draw(book, share + (i < more), goal=name, spelling=OWN)
        units = book.ledger.draws()[-1].units
        values = world.labels[book.frame.locate(units.key)].tolist()
        book.ledger.record([Judgment(u, "", v) for u, v in zip(units.unit, values, strict=True)])
        return book


@final
@dataclass(frozen=True)
class SimpleDraws(Reuse):
    """Every system from its own draws alone: Chaganty et al. (2017), what they compare with."""

    name: ClassVar[str] = "simple"
    what: ClassVar[str] = "a share of the draws for each system, which is estimated from its own"
    why: ClassVar[str] = f"{WHY} simple"


@final
@dataclass(frozen=True)
class JointDraws(Reuse):
    """Every system from the draws of all: Chaganty et al. (2017), Theorem 1.

    >>> str(JointDraws())
    'joint(weights=heuristic)'
    """

    weights: str = "heuristic"
    name: ClassVar[str] = "joint"
    what: ClassVar[str] = "a share of the draws for each system, which are estimated from all draws"
    why: ClassVar[str] = f"{WHY} joint"

    def __str__(self) -> str:
        return str(Spelling("joint", (), (("weights", self.weights),)))

"""Estimate: from the judged sample to every measure of every system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from aliquot.errors import UsageError
from aliquot.estimators.base import Estimator
from aliquot.estimators.difference import Difference
from aliquot.estimators.joint import Mixed
from aliquot.estimators.registry import estimator
from aliquot.estimators.regression import Regression
from aliquot.measures.base import Measure
from aliquot.measures.registry import measure
from aliquot.study.book import Book
from aliquot.study.joint import Several
from aliquot.study.sampling import sample
from aliquot.study.work import Estimated, Work

OVER = ("these", "like-these")


@final
@dataclass(frozen=True)
class Question:
    """What is asked: which measures (none: the study's), which estimator, inference over what.

    `over` is these units and topics, or the population that they came from.
    """

    measures: tuple[str, ...] = ()
    estimator: str = "default"
    over: str = "these"


EVERYTHING = Question()


def estimate(book: Book, asked: Question = EVERYTHING) -> list[Estimated]:
    """Estimate every measure of every system; beside an assisted estimate stands the human-only."""
    named, measures = checked(asked), tuple(measure(text) for text in asked.measures)
    return answer(Work(book, sample(book), asked.over), measures, named)


def checked(asked: Question) -> Estimator | None:
    """Return the estimator that is asked for, None for the default; refuse what can't be asked."""
    if asked.over not in OVER:
        raise UsageError(f"over '{asked.over}' is not known", do=f"Use {' or '.join(OVER)}")
    named = None if asked.estimator == "default" else estimator(asked.estimator)
    if asked.over == "like-these" and isinstance(named, Regression | Mixed):
        raise UsageError(
            f"estimator {named} has no variance between topics or units",
            do="Leave the estimator out, or use over these",
        )
    return named


def answer(work: Work, measures: tuple[Measure, ...], named: Estimator | None) -> list[Estimated]:
    """Estimate from a sample at hand."""
    book = work.book
    found, several = [], Several(work)
    for family in book.families(measures):
        if family.measure.name == "Judged":
            found.append(work.counted(family))
            continue
        how = work.human(family.measure, named)
        if isinstance(how, Mixed):
            found.append(several.estimated(family, how))
        else:
            found.append(work.estimated(family, how))
        judged_too = bool(book.frame.judges) and work.over == "these"
        if family.measure.pairs and not (named is not None and named.assisted):
            continue  # nothing predicts a pair
        if judged_too or (named is not None and named.assisted):
            found.append(work.estimated(family, Difference()))
    return found

"""A measure of a whole toy frame: the truth, and the estimates that a sample of it gives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from aliquot.core.columns import Rows
from aliquot.core.estimate import Estimate
from aliquot.core.frame import Block, Floats, Output
from aliquot.core.sample import Sample
from aliquot.designs.prior import chances as prior_chances
from aliquot.designs.prior import fit
from aliquot.estimators.base import Estimator
from aliquot.estimators.pairs import paired
from aliquot.estimators.registry import usual
from aliquot.estimators.regression import Regression
from aliquot.estimators.solve import Given, Solved, solve
from aliquot.measures.base import Items, accumulate
from aliquot.measures.pairs import PairMeasure
from aliquot.measures.targets import Family
from aliquot.study.book import Book
from aliquot.study.reach import Chances
from aliquot.study.work import Work
from aliquot.testing.ledger import book
from aliquot.testing.toys import Toy
from aliquot.testing.trial import Held


@final
@dataclass(frozen=True, eq=False)
class Whole:
    """One measure of every system of a toy, with what each unit adds to it."""

    toy: Toy
    spelled: str

    @cached_property
    def family(self) -> Family:
        """The measure and its systems."""
        return self.toy.family(self.spelled)

    @cached_property
    def block(self) -> Block:
        """Every unit of the toy."""
        frame = self.toy.frame
        return frame.block(np.arange(len(frame)), frame.systems)

    @cached_property
    def items(self) -> list[Items]:
        """Every unit as the measure sees it, one entry a system."""
        return self.family.items(self.block)

    @cached_property
    def contributions(self) -> Floats:
        """What each unit adds to each total, shape (S, J, N)."""
        return self.added(self.toy.labels)

    @cached_property
    def known(self) -> Floats:
        """The known totals, shape (S, K)."""
        return self.family.known(self.toy.frame)

    @cached_property
    def truth(self) -> Floats:
        """The value of each system when every label is known."""
        measure, labels = self.family.measure, self.toy.labels
        both = zip(self.items, self.known, strict=True)
        return np.array([measure.value(measure.summed(i, labels), k) for i, k in both])

    @cached_property
    def predicted(self) -> Floats:
        """What the prior expects each unit to add, shape (S, J, N)."""
        frame, scale = self.toy.frame, self.toy.scale
        prior = fit(frame, frame.systems, scale.high)
        weighed = prior_chances(prior, self.block, frame.systems, scale)
        found: Floats = np.sum([p * self.added(np.array(y)) for y, p in weighed], axis=0)
        return found

    @cached_property
    def most(self) -> Floats:
        """The most that each unit can add, shape (S, J, N)."""
        each = [
            self.family.measure.contributions(i, y) for i in self.items for y in self._labels(i)
        ]
        count = len(each) // len(self.items)
        found: Floats = np.stack(each).reshape(len(self.items), count, *each[0].shape).max(axis=1)
        return found

    def _labels(self, items: Items) -> list[Floats]:
        return self.family.labels(items)

    def added(self, y: Floats) -> Floats:
        """Return what each unit adds if its label is y, shape (S, J, N)."""
        return np.stack([self.family.measure.contributions(i, y) for i in self.items])

    def given(self, rows: Rows, how: Estimator) -> list[Given]:
        """Return what is known of each system when the units in some rows are judged."""
        high = self.toy.scale.high
        some = Items(Output(), self.block.topics[rows], self.toy.frame.topic_count, high)
        both = zip(self.contributions, self.known, strict=True)
        plain = [Given(some, c[:, rows], k) for c, k in both]
        measure = self.family.measure
        if not isinstance(how, Regression) or not (how.assisted or measure.linear):
            return plain
        known = self.predicted if how.assisted else self.most
        totals = [accumulate(measure, i, k) for i, k in zip(self.items, known, strict=True)]
        return [
            replace(g, predicted=k[:, rows], predicted_total=total)
            for g, k, total in zip(plain, known, totals, strict=True)
        ]

    def solve(self, sample: Sample, how: Estimator) -> Solved:
        """Estimate every system from a sample: values and their covariance, no more."""
        measure, frame = self.family.measure, self.toy.frame
        if isinstance(measure, PairMeasure):
            items = self.family.items(frame.block(sample.rows, frame.systems))
            pairs = zip(items, self.known, strict=True)
            given = [paired(sample, how, measure, (i, i), k) for i, k in pairs]
            return solve(sample, how, measure, given)
        return solve(sample, how, measure, self.given(sample.rows, how))

    @cached_property
    def _book(self) -> Book:
        return book(self.toy)

    def estimates(self, held: Held, how: Estimator | None = None) -> tuple[Estimate, ...]:
        """Estimate every system as a study would that judged all it holds.

        Without an estimator the usual one is taken. The chances are not computed again: they are
        put where they would be kept.
        """
        chances = Chances(self._book, 1.0)
        vars(chances)["pi"] = held.chances
        work = Work(self._book, held.sample, "these")
        vars(work)["chances"] = chances
        chosen = usual(work.sample, self.family.measure) if how is None else how
        return work.estimated(self.family, chosen).rows

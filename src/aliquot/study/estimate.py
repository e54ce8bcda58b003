"""Estimate: from the judged sample to every measure of every system."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.estimate import Estimate, Guarantee
from aliquot.core.frame import Block, Floats
from aliquot.core.sample import Sample
from aliquot.designs.prior import Prior, chances, fit
from aliquot.errors import UsageError
from aliquot.estimators.base import Estimator
from aliquot.estimators.difference import Difference
from aliquot.estimators.registry import estimator, usual
from aliquot.estimators.solve import Given, Solved, effective, freedom, known_slope, solve
from aliquot.estimators.variance import like_these
from aliquot.measures.base import Items, Measure
from aliquot.measures.registry import measure
from aliquot.measures.targets import Family, levels
from aliquot.study.book import Book
from aliquot.study.pools import columns
from aliquot.study.sampling import sample
from aliquot.study.support import Support, Unseen

OVER = ("these", "like-these")
FEW = 10  # effective judged units below which an interval is not to be trusted


@final
@dataclass(frozen=True, eq=False)
class Estimated:
    """One measure of several systems, with the joint covariance of the estimates."""

    family: Family
    rows: tuple[Estimate, ...]
    covariance: Floats
    slack: tuple[tuple[float, float], ...] = ()


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
    if asked.over not in OVER:
        raise UsageError(f"over '{asked.over}' is not known", do=f"Use {' or '.join(OVER)}")
    measures = tuple(measure(text) for text in asked.measures)
    named = None if asked.estimator == "default" else estimator(asked.estimator)
    work = Work(book, sample(book), asked.over)
    human = named if named is not None and not named.assisted else usual(work.sample)
    found = []
    for family in book.families(measures):
        if family.measure.name == "Judged":
            found.append(work.counted(family))
            continue
        found.append(work.estimated(family, human))
        if book.frame.judges or (named is not None and named.assisted):
            found.append(work.estimated(family, Difference()))
    return found


@final
@dataclass(frozen=True, eq=False)
class Work:
    """One round of estimates on one sample."""

    book: Book
    sample: Sample
    over: str

    @cached_property
    def units(self) -> Block:
        """The judged units."""
        frame = self.book.frame
        more = (*columns(frame), *((frame.cluster,) if frame.cluster else ()))
        return frame.block(self.sample.rows, frame.systems, more)

    @cached_property
    def answers(self) -> Block:
        """The judged units, one row a label."""
        frame = self.book.frame
        return frame.block(self.sample.rows[self.sample.owner], frame.systems)

    @cached_property
    def unseen(self) -> Unseen:
        """The units that no draw could have chosen."""
        return Unseen(self.book)

    @cached_property
    def prior(self) -> Prior:
        """What is predicted of a unit."""
        frame = self.book.frame
        return fit(frame, frame.systems, self.book.scale.high)

    def estimated(self, family: Family, how: Estimator) -> Estimated:
        """Estimate one measure of all its systems."""
        known = family.known(self.book.frame)
        given = self._given(family, known)
        if how.assisted:
            given = self._predict(family, given)
        solved = solve(self.sample, how, family.measure, given)
        covariance = solved.covariance
        if self.over == "like-these":
            covariance = self._like_these(family, solved, given)
        seen = self.unseen.of(family, solved.totals, known, solved.gradients)
        rows = self._rows(family, how, solved, np.diag(covariance), seen)
        return Estimated(family, rows, covariance, tuple(one.slack for one in seen))

    def counted(self, family: Family) -> Estimated:
        """Count the judged share of the first k: known, not estimated."""
        rows = tuple(
            Estimate(
                name,
                str(family.measure),
                float(family.measure.contributions(items, np.array(1.0)).sum()),
                0.0,
                len(self.sample),
                float(len(self.sample)),
                "count",
                "exact",
            )
            for name, items in zip(family.names, family.items(self.units), strict=True)
        )
        return Estimated(family, rows, np.zeros((len(rows), len(rows))))

    def _given(self, family: Family, known: Floats) -> list[Given]:
        judged = self.sample
        both = zip(family.items(self.units), family.items(self.answers), known, strict=True)
        return [
            Given(
                unit,
                judged.averaged(family.measure.contributions(answer, judged.labels)),
                k,
            )
            for unit, answer, k in both
        ]

    def _predict(self, family: Family, given: list[Given]) -> list[Given]:
        """Add what the prior expects: of each judged unit, and in total over the frame."""
        frame, scale = self.book.frame, self.book.scale
        here = chances(self.prior, self.units, frame.systems, scale)
        totals = [np.zeros(1) for _ in given]
        for block in frame.blocks(frame.systems, columns(frame)):
            for y, chance in chances(self.prior, block, frame.systems, scale):
                part = family.totals(block, np.array(y), chance)
                totals = [a + b for a, b in zip(totals, part, strict=True)]
        return [
            replace(g, predicted=_expected(family.measure, g.items, here), predicted_total=total)
            for g, total in zip(given, totals, strict=True)
        ]

    def _like_these(self, family: Family, solved: Solved, given: list[Given]) -> Floats:
        """Take the variance between topics, clusters or units."""
        slopes = [
            known_slope(family.measure, total, one.known) @ family.measure.constants(one.items)
            if len(one.known)
            else np.zeros(len(self.sample))
            for total, one in zip(solved.totals, given, strict=True)
        ]
        return like_these(solved.influences + np.stack(slopes), solved.weights, *self._groups())

    def _groups(self) -> tuple[NDArray[np.int64], int]:
        frame = self.book.frame
        if frame.topics:
            return self.units.topics, len(frame.topics)
        if frame.cluster:
            codes = np.unique(self.units.data[frame.cluster], return_inverse=True)[1]
            return codes, int(codes.max()) + 1
        return np.arange(len(self.sample)), len(self.sample)

    def _rows(
        self, family: Family, how: Estimator, solved: Solved, variances: Floats, seen: list[Support]
    ) -> tuple[Estimate, ...]:
        """Put each system's estimate together with all that it rests on."""
        potential = np.max(
            [
                np.abs(family.influences(self.units, list(solved.gradients), np.array(y)))
                for y in levels(family.scale)
            ],
            axis=0,
        )
        w, rows = solved.weights, []
        for s, name in enumerate(family.names):
            value, stderr = float(solved.values[s]), float(np.sqrt(max(variances[s], 0.0)))
            n = effective(potential[s], w)
            row = Estimate(
                name,
                str(family.measure),
                value,
                stderr if np.isfinite(value) else float("nan"),
                len(self.sample),
                n,
                str(how),
                self._guarantee(family, how, seen[s]),
                family.measure.bounds(self.book.scale.high),
                how.assisted,
                freedom(solved.influences[s], w, self.sample.pi),
                float((potential[s] * w).max(initial=0.0)),
                seen[s].slack,
                (*self.sample.warnings, *_warnings(value, n, seen[s], self.sample)),
            )
            rows.append(row)
        return tuple(rows)

    def _guarantee(self, family: Family, how: Estimator, seen: Support) -> Guarantee:
        if seen.share > 0 or self.over == "like-these":
            return "design-consistent"
        return how.guarantee(self.sample, linear=family.measure.linear)


def _expected(measure_: Measure, items: Items, weighed: list[tuple[float, Floats]]) -> Floats:
    """Return the contributions that a prior expects of each unit."""
    parts = (chance * measure_.contributions(items, np.array(y)) for y, chance in weighed)
    return sum(parts, start=np.zeros(1))


def _warnings(value: float, n: float, seen: Support, judged: Sample) -> list[str]:
    found = []
    if not np.isfinite(value):
        found.append("it can't be estimated yet: nothing relevant was judged; judge more units")
    elif n < FEW and not judged.census:
        found.append("few judged units bear on it (effective n below 10): its interval is not firm")
    if seen.share > 0:
        found.append(
            f"no draw could have chosen {seen.share:.1%} of the units that it rests on, by weight; "
            "the interval allows for any labels there; draw again to repair it"
        )
    return found

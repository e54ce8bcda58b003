"""One round of estimates: what is known of each system, solved, and put into rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.estimate import Estimate, Guarantee, Shape
from aliquot.core.frame import Block, Floats
from aliquot.core.sample import Sample
from aliquot.designs.prior import Prior, chances, fit
from aliquot.estimators.base import Estimator
from aliquot.estimators.pairs import paired, unbiased
from aliquot.estimators.registry import plain, usual
from aliquot.estimators.regression import Regression
from aliquot.estimators.solve import Given, Solved, effective, freedom, known_slope, solve
from aliquot.estimators.variance import like_these
from aliquot.measures.base import Items, Measure
from aliquot.measures.pairs import PairMeasure
from aliquot.measures.targets import Family
from aliquot.study import cells
from aliquot.study.book import Book
from aliquot.study.noisy import judged, split
from aliquot.study.pools import columns
from aliquot.study.reach import Chances, Reach, most, potential
from aliquot.study.sense import cautions, sensible
from aliquot.study.terms import attached

ALL = ("nothing", "predicted")  # measures on which every unit bears


@final
@dataclass(frozen=True, eq=False)
class Estimated:
    """One measure of several systems, with the joint covariance of the estimates."""

    family: Family
    rows: tuple[Estimate, ...]
    covariance: Floats
    slack: tuple[tuple[float, float], ...] = ()
    gradients: tuple[Floats, ...] = ()
    chances: Chances | None = None


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
    def chances(self) -> Chances:
        """The chance of every unit of the frame to be judged."""
        drawn = len(self.book.ledger.draws()[-1].units.unit)
        return Chances(self.book, len(self.sample) / drawn)

    def human(self, measure_: Measure, named: Estimator | None) -> Estimator:
        """Return the estimator of the human-only rows."""
        if named is not None and not named.assisted:
            return named
        found = usual(self.sample, measure_)
        if self.over == "like-these" and isinstance(found, Regression):
            return plain(self.sample)
        return found

    @cached_property
    def prior(self) -> Prior:
        """What is predicted of a unit."""
        frame = self.book.frame
        return self.book.whole.once(
            lambda: fit(frame, frame.systems, self.book.scale.high), "prior"
        )

    def estimated(self, family: Family, how: Estimator) -> Estimated:
        """Estimate one measure of all its systems."""
        known = self.book.whole.once(
            lambda: family.known(self.book.frame), "known", str(family.measure)
        )
        given = self._given(family, known, how)
        if isinstance(how, Regression):
            given = self._predict(family, given) if how.assisted else self._bound(family, given)
        solved = solve(self.sample, how, family.measure, given)
        noisy = judged(self.sample, family, self.units, self.answers, solved)
        covariance = solved.covariance + (0.0 if noisy is None else noisy.missing)
        variances = np.diag(covariance)
        if self.over == "like-these":
            covariance = self._like_these(family, solved, given)
            variances = np.maximum(np.diag(covariance), variances)  # it can't be the smaller one
        slack = self.chances.slack(family, solved.totals, known, solved.gradients)
        rows = split(self._rows(family, how, solved, variances, slack), noisy)
        if self.over == "these" and not how.assisted:
            rows = cells.attached(rows, (self.book, self.sample, family), self.prior)
        return Estimated(family, rows, covariance, tuple(slack), solved.gradients, self.chances)

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

    def _given(self, family: Family, known: Floats, how: Estimator) -> list[Given]:
        judged = self.sample
        both = zip(family.items(self.units), family.items(self.answers), known, strict=True)
        if isinstance(family.measure, PairMeasure):
            return [paired(judged, how, family.measure, (unit, a), k) for unit, a, k in both]
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
        frame = self.book.frame
        here = chances(self.prior, self.units, frame.systems, self.book.scale)
        totals = self.book.whole.once(
            lambda: self._expected(family), "expected", str(family.measure)
        )
        return [
            replace(g, predicted=_expected(family.measure, g.items, here), predicted_total=total)
            for g, total in zip(given, totals, strict=True)
        ]

    def _expected(self, family: Family) -> list[Floats]:
        """Sum up what the prior expects of every unit, one entry a system."""
        frame = self.book.frame
        totals = [np.zeros(1) for _ in family.names]
        for block in frame.blocks(frame.systems, columns(frame)):
            for y, chance in chances(self.prior, block, frame.systems, self.book.scale):
                part = family.totals(block, np.array(y), chance)
                totals = [a + b for a, b in zip(totals, part, strict=True)]
        return totals

    def _bound(self, family: Family, given: list[Given]) -> list[Given]:
        """Add the most that is possible, of each judged unit and of all that a draw could see."""
        if not family.measure.linear:
            return given
        return [
            replace(g, predicted=most(family, g.items), predicted_total=total)
            for g, total in zip(given, self.chances.most(family), strict=True)
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
        self,
        family: Family,
        how: Estimator,
        solved: Solved,
        variances: Floats,
        slack: list[tuple[float, float]],
    ) -> tuple[Estimate, ...]:
        """Put each system's estimate together with all that it rests on."""
        reach = self.chances.reach(family, solved.gradients)
        here = potential(family, self.units, solved.gradients)
        weights, rows = np.broadcast_to(solved.weights, solved.influences.shape), []
        for s, (name, w) in enumerate(zip(family.names, weights, strict=True)):
            value, n = float(solved.values[s]), effective(here[s], w)
            stderr = float(np.sqrt(max(variances[s], 0.0)))
            row = Estimate(
                name,
                str(family.measure),
                value,
                stderr if np.isfinite(value) else float("nan"),
                len(self.sample),
                n,
                str(how),
                self._guarantee(family, how, reach, s),
                self._bounds(family, reach, s),
                how.assisted,
                freedom(solved.influences[s], w, self.sample.pi),
                self._weight(reach, s),
                float(reach.most[s]),
                self._shape(family, how, reach, s),
                slack[s],
                (
                    *self.sample.warnings,
                    *self._skipped(family, value, reach, s),
                    *cautions(value, n, float(reach.share[s]), self.sample),
                ),
            )
            rows.append(sensible(row, family.measure, self.book.scale, census=self.sample.census))
        return self._termed(tuple(rows), how, solved, reach.peak)

    def _weight(self, reach: Reach, s: int) -> float:
        """Return what a unit that was not drawn may weigh; a population always has more of them."""
        found = float(reach.weight[s])
        return float(reach.peak[s]) if found <= 0 and self.over == "like-these" else found

    def _termed(
        self, rows: tuple[Estimate, ...], how: Estimator, solved: Solved, peak: Floats
    ) -> tuple[Estimate, ...]:
        """Add the single draws where totals are estimated by their plain mean."""
        if self.over != "these" or isinstance(how, Regression) or rows[0].shape == "ratio":
            return rows
        most = peak if self.book.scale.low >= 0 else -peak
        return attached(rows, self.sample, self.units.keys, solved, most)

    def _skipped(self, family: Family, value: float, reach: Reach, s: int) -> list[str]:
        """Say how far the units that were looked at and got no label could move a total."""
        gone = self.sample.passed
        if not gone or not family.measure.linear or not np.isfinite(value):
            return []
        bottom, top = self._bounds(family, reach, s)
        known = (1.0 - gone) * min(max(value, bottom), top)
        low, high = (known + gone * end for end in (bottom, top))
        return [
            f"if the skipped units all had the worst or the best label: {low:.3g} or {high:.3g}"
        ]

    def _guarantee(self, family: Family, how: Estimator, reach: Reach, s: int) -> Guarantee:
        known = reach.left[s] <= 0 and self.sample.kind != "replacement"
        if family.measure.linear and known and reach.missed[s] <= 0 and self.over == "these":
            return "exact"  # all that bears on it was judged
        if reach.missed[s] > 0 or self.over == "like-these":
            return "design-consistent"
        measure = family.measure
        pairs = measure.pairs and not measure.by_topic and unbiased(self.sample, how)
        return how.guarantee(self.sample, linear=measure.linear or pairs)

    def _bounds(self, family: Family, reach: Reach, s: int) -> tuple[float, float]:
        """Return the range: a total of non-negative parts is at most their sum."""
        low, high = family.measure.bounds(self.book.scale.low, self.book.scale.high)
        if family.measure.linear and self.book.scale.low >= 0:
            high = min(high, float(reach.total[s]))
        return low, high

    def _shape(self, family: Family, how: Estimator, reach: Reach, s: int) -> Shape:
        """Tell apart what is known, shares and means of alike units, totals and ratios."""
        if not family.measure.linear:
            return "ratio"
        known = reach.left[s] <= 0 and self.sample.kind != "replacement"
        if known and self.over == "these":
            return "known"
        all_in = isinstance(how, Regression) or family.measure.needs in ALL
        if not (reach.even(s) and all_in):
            return "total"
        return "share" if self.book.scale.kind in ("labels", "classes") else "mean"


def _expected(measure_: Measure, items: Items, weighed: list[tuple[float, Floats]]) -> Floats:
    """Return the contributions that a prior expects of each unit."""
    parts = (chance * measure_.contributions(items, np.array(y)) for y, chance in weighed)
    return sum(parts, start=np.zeros(1))

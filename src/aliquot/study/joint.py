"""Joint and simple estimates in a study: each system from the draws of all, or from its own.

A system's p_i is what its units weigh in the measure, whatever their labels: for precision uniform
over its output, for a weighted or a macro average those weights. For a ratio such as recall it is
the whole pool (B.2: weights of one system over-estimate recall).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.estimate import Estimate
from aliquot.core.frame import Floats
from aliquot.errors import EstimateError
from aliquot.estimators.joint import Joint, Mixed
from aliquot.estimators.mixture import over
from aliquot.estimators.weights import balance, equal, optimal
from aliquot.measures.bearing import Bearing
from aliquot.measures.targets import Family
from aliquot.study.pools import columns
from aliquot.study.reach import bearings
from aliquot.study.sources import Origins, origins
from aliquot.study.work import Estimated, Work

ALONE = "none of its own draws, or not enough to see all of it: draw with its name as the goal"


@final
@dataclass(frozen=True, eq=False)
class Several:
    """One round of joint or simple estimates."""

    work: Work

    @cached_property
    def origins(self) -> Origins:
        """What the draws came from."""
        return origins(self.work.book)

    @cached_property
    def _told(self) -> Work:
        """The same work, with the draws told apart."""
        sample = self.work.sample
        return replace(self.work, sample=replace(sample, sources=self.origins.of(sample.rows)))

    def estimated(self, family: Family, how: Mixed) -> Estimated:
        """Estimate one measure of all its systems."""
        if family.measure.pairs:
            raise EstimateError(
                f"{how} has no formula for {family.measure}", do="Leave the estimator out"
            )
        joint = isinstance(how, Joint)
        if not joint and not family.measure.linear:
            raise EstimateError(
                f"own draws can't see all that {family.measure} rests on", do="Use estimator joint"
            )
        mixes = self._mixes(family, how.by) if isinstance(how, Joint) else self._own(family)
        found = self._told.estimated(family, how.fitted(mixes))
        weight, most = self._heavy(family, found, mixes)
        rows = [
            replace(row, weight=float(w), reach=float(m))
            for row, w, m in zip(found.rows, weight, most, strict=True)
        ]
        if not joint:
            rows = [r if mix.any() else _undefined(r) for r, mix in zip(rows, mixes, strict=True)]
        return replace(found, rows=tuple(rows))

    def _parts(self, family: Family) -> Iterator[tuple[Bearing, Floats, Floats]]:
        """Yield what bears on the family, its weight whatever the label, and p_j of the units."""
        for some in bearings(self.work.book, family):
            own = np.abs(some.c).sum(axis=1).max(axis=0)
            yield some, own, self.origins.sources.chance[:, some.rows]

    def _mixes(self, family: Family, by: str) -> Floats:
        """Return w_ij, shape (systems, sources)."""
        draws, count = self.origins.sources.draws, len(family.names)
        if by in ("equal", "balance"):
            return np.tile((equal if by == "equal" else balance)(draws), (count, 1))
        if by == "optimal":
            return self._optimal(family)
        overlap = np.zeros((count, len(draws)))
        for some, own, chance in self._parts(family):
            overlap += np.stack([some.sums(own * p) for p in chance], axis=1)
        overlap *= draws
        return over(overlap, overlap.sum(axis=1, keepdims=True))

    def _optimal(self, family: Family) -> Floats:
        """Return the weights of least variance, if labels are as the prior guesses."""
        book, all_ = self.work.book, self.origins.sources
        frame, prior = book.frame, self.work.prior
        blocks = frame.blocks(frame.systems, columns(frame))
        guess = np.concatenate([prior(block, frame.systems) for block in blocks])
        found = np.zeros((len(family.names), len(all_)))
        gathered = [(some.owner, some.rows, own) for some, own, _ in self._parts(family)]
        for s in range(len(found)):
            rows = np.concatenate([r[o == s] for o, r, _ in gathered])
            own = np.concatenate([v[o == s] for o, _, v in gathered])
            near = self.origins.of(rows)
            total = float(own.sum())
            if total > 0:
                found[s] = optimal(own / total, guess[rows], near)
        return found

    def _own(self, family: Family) -> Floats:
        """Return all weight for the draws with the system's name as goal, if they see all of it."""
        all_, goals = self.origins.sources, np.array(self.origins.goals)
        mine = np.array([goals == name for name in family.names]) * all_.draws
        mixes = over(mine, mine.sum(axis=1, keepdims=True))
        unseen = np.zeros(len(family.names))
        for some, own, chance in self._parts(family):
            unseen += some.sums(own * (_density(some, mixes, chance) <= 0))
        return mixes * (unseen <= 0)[:, None]

    def _heavy(self, family: Family, found: Estimated, mixes: Floats) -> tuple[Floats, Floats]:
        """Return what a drawn unit stands for on average, and at most, as `Reach` has it."""
        per = self.origins.sources.per_draw(mixes)
        square, whole, most = np.zeros((3, len(mixes)))
        for some, _, chance in self._parts(family):
            a = some.potential(found.gradients)
            z = over(a, _density(some, mixes, chance))
            pull = np.einsum("pj,jp->p", (mixes * per)[some.owner], chance)
            square += some.sums(z * z * pull)
            whole += some.sums(a)
            most = np.maximum(most, some.largest(z * _heaviest(some.owner, per, chance)))
        return over(square, whole), most


def _density(some: Bearing, mixes: Floats, chance: Floats) -> Floats:
    """Return q_i of each pair of a system and a unit."""
    found: Floats = np.einsum("pj,jp->p", mixes[some.owner], chance)
    return found


def _heaviest(owner: NDArray[np.int64], per: Floats, chance: Floats) -> Floats:
    """Return the largest w_ij / n_j of the sources that could draw each unit."""
    found: Floats = (per[owner] * (chance > 0).T).max(axis=1, initial=0.0)
    return found


def _undefined(row: Estimate) -> Estimate:
    return replace(
        row,
        estimate=float("nan"),
        stderr=float("nan"),
        guarantee="design-consistent",
        warnings=(*row.warnings, f"it can't be estimated: {ALONE}"),
    )

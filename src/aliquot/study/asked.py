"""What is asked of a plan for one system, and what the labels of a study say of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from aliquot.core.estimate import Estimate, Shape
from aliquot.core.frame import Floats
from aliquot.core.plan import TopUp
from aliquot.designs.prior import chances
from aliquot.errors import DesignError, EstimateError
from aliquot.measures.targets import Family
from aliquot.planner.topup import Spread
from aliquot.study.book import Book
from aliquot.study.carry import Carried, carry
from aliquot.study.cover import cover
from aliquot.study.pools import columns
from aliquot.study.reach import Chances, bearings
from aliquot.study.sampling import sample
from aliquot.study.work import Work

LEVEL = 0.95


@final
@dataclass(frozen=True, eq=False)
class Facts:
    """Of one measure: its estimate, a(u) over the frame, the lowest f, and psi of the judged units.

    `mean` and `square` are what the prior expects of psi and of its square, over the frame.
    """

    row: Estimate
    most: Floats
    low: float
    psi: Floats
    mean: Floats
    square: Floats

    def width(self, found: Spread, unseen: float) -> float:
        """Return the width of the default interval with this spread, at 95 %.

        `unseen` is what the units that no draw could see so far will add to the estimate. Weights
        of a union of draws differ, so a share is a total by then.
        """
        ratio = self.row.shape == "ratio"
        shape: Shape = "ratio" if ratio else "total"
        if not (found.stderr or found.gap or found.weight):
            shape = "known"
        gap = (found.gap / 2.0, found.gap / 2.0)
        value = self.row.estimate + (0.0 if ratio else unseen)
        row = replace(
            self.row, estimate=value, stderr=found.stderr, weight=found.weight, reach=found.most,
            slack=gap, shape=shape, df=np.inf, terms=None, cells=None,
        )  # fmt: skip
        return cover(row, "default", LEVEL).width


@final
@dataclass(frozen=True, eq=False)
class Asked:
    """What is to be planned: one system, on the labels of a study."""

    book: Book
    system: str

    @cached_property
    def work(self) -> Work:
        """The labels that are there."""
        return Work(self.book, sample(self.book), "these")

    @cached_property
    def families(self) -> list[Family]:
        """The measures that can be planned."""
        found = [
            f
            for f in self.book.families()
            if self.system in f.names and not f.measure.by_topic and f.measure.name != "Judged"
        ]
        if not found:
            raise DesignError(
                f"no measure of {self.system} can be planned", do="Add one such as P@10"
            )
        return found

    @cached_property
    def pi(self) -> Floats:
        """The chance of every unit to be drawn so far."""
        return Chances(self.book, 1.0).pi

    @cached_property
    def guess(self) -> Floats:
        """The prior's chance of each level of the labels, shape (levels, N)."""
        frame, scale = self.book.frame, self.book.scale
        parts = [
            np.stack([p for _, p in chances(self.work.prior, block, frame.systems, scale)])
            for block in frame.blocks(frame.systems, columns(frame))
        ]
        return np.concatenate(parts, axis=1)

    @cached_property
    def _kept(self) -> dict[str, Facts]:
        return {}

    def facts(self, family: Family) -> Facts:
        """Return what the frame and the labels say of a measure."""
        key = str(family.measure)
        if key not in self._kept:
            self._kept[key] = _facts(self, family)
        return self._kept[key]

    @cached_property
    def carried(self) -> dict[str, Carried]:
        """What carries over, measure by measure."""
        return {one.measure: one for one in carry(self.book, (self.system,))}


def _facts(asked: Asked, family: Family) -> Facts:
    work, at = asked.work, family.names.index(asked.system)
    now = work.estimated(family, work.human(family.measure, None))
    gradients = now.gradients
    (a, mean, square), low = np.zeros((3, len(asked.book.frame))), 0.0
    for some in bearings(asked.book, family):
        mine = some.owner == at
        psi, rows = some.influences(gradients)[:, mine], some.rows[mine]
        a[rows] = np.abs(psi).max(axis=0, initial=0.0)
        mean[rows] = (asked.guess[:, rows] * psi).sum(axis=0)
        square[rows] = (asked.guess[:, rows] * psi**2).sum(axis=0)
        low = -1.0 if (psi < 0).any() else low
    if not a.any():
        raise EstimateError(
            f"{family.measure} of {asked.system} can't be planned on these labels",
            do="Judge more units first: nothing relevant was found yet",
        )
    psi = family.influences(work.answers, list(gradients), work.sample.labels)[at]
    return Facts(now.rows[at], a, low, work.sample.averaged(psi[None, :])[0], mean, square)


def row(
    asked: Asked,
    family: Family,
    how: tuple[str, str, str],
    needed: tuple[int, int],
    widths: tuple[float, float],
) -> TopUp:
    """Return a row; `needed` are labels and draws, `widths` at most and as expected."""
    one = asked.carried[str(family.measure)]
    made, estimator, interval = how
    return TopUp(
        made,
        str(family.measure),
        estimator,
        interval,
        needed[0],
        widths[0],
        asked.system,
        needed[1],
        one.carried,
        one.unseen,
        widths[1],
    )

"""Compare two systems by a sample of each, drawn apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from aliquot.core import prn
from aliquot.core.estimate import Estimate
from aliquot.errors import UsageError
from aliquot.intervals.base import z
from aliquot.study.baseline import Baseline
from aliquot.study.estimate import answer
from aliquot.study.labelled import Labelled
from aliquot.study.replay import Row, Setting, Tried, judged, named
from aliquot.study.sampling import sample
from aliquot.study.work import Estimated, Work


@final
@dataclass(frozen=True)
class Separate(Baseline):
    """Compare two systems by two samples: half of the budget for each, drawn apart.

    What `--goal pair:A,B` saves is seen against it: one sample of the difference does not pay for
    what both systems agree on. Only the difference is reported.
    """

    name: ClassVar[str] = "separate"
    what: ClassVar[str] = "two samples, one a system, for the difference of --goal pair:A,B"
    why: ClassVar[str] = "it makes two samples"
    covers: ClassVar[bool] = True

    def replay(self, world: Labelled, setting: Setting, seed: int) -> Tried:
        """Draw one sample for each system, from different random numbers."""
        if not setting.pair:
            raise UsageError("separate compares two systems", do="Give --goal pair:A,B")
        pair = setting.difference([system.name for system in world.book.frame.systems])
        halves = (setting.budget // 2, setting.budget - setting.budget // 2)
        judged_: set[int] = set()
        sides: list[dict[str, Estimate]] = []
        for side, (name, budget) in enumerate(zip(pair, halves, strict=True)):
            alone = replace(setting, design="default", budget=budget, goal=name)
            book = judged(world, alone, prn.word(f"{seed}:{side}") >> 1)
            taken = sample(book)
            judged_ |= set(taken.rows.tolist())
            work = Work(book, taken, setting.over)
            sides.append({row.measure: row for row in _of(answer(work, (), None), name)})
        found = Tried(len(judged_))
        for measure, a in sides[0].items():
            found.rows[self.name, "normal", named(pair), measure] = _apart(
                a, sides[1][measure], setting.level
            )
        return found


def _of(found: list[Estimated], name: str) -> list[Estimate]:
    rows = [row for one in found for row in one.rows if row.estimator != "count"]
    return [row for row in rows if row.system == name and not row.assisted]


def _apart(a: Estimate, b: Estimate, level: float) -> Row:
    """Return the difference of two independent estimates, as `compare` would cover it."""
    weight = (a.weight + b.weight) / 2.0
    half = z(level) * float(np.sqrt(a.stderr**2 + b.stderr**2 + weight**2))
    difference = a.estimate - b.estimate
    return Row(difference, difference - half, difference + half, "normal", difference=True)

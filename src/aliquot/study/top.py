"""Judge from the top: what is not judged counts as the lowest label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.core import prn
from aliquot.core.columns import Rows
from aliquot.core.frame import KEY, Floats, Frame, System
from aliquot.errors import DesignError
from aliquot.study.baseline import Baseline
from aliquot.study.labelled import Labelled
from aliquot.study.replay import Setting, Tried, plain


@final
@dataclass(frozen=True)
class Top(Baseline):
    """Judge what is ranked first; what is not judged counts as the lowest label.

    **Biased: it assumes that nothing good stands below.** (The TOP of Schnabel et al. 2016, 5.)
    """

    name: ClassVar[str] = "top"
    what: ClassVar[str] = "judge what is ranked first, the rest counts as the lowest label; biased"
    why: ClassVar[str] = "it gives the units further down no chance at all"

    def replay(self, world: Labelled, setting: Setting, seed: int) -> Tried:
        """Judge the first units of all systems; ties fall by chance."""
        frame = world.book.frame
        rows = first(world, frame.systems, setting.budget, seed)
        found = Tried(len(rows))
        for family in world.families:
            values = world.lowest(family, rows)
            found.rows.update(plain(values, family.names, str(family.measure), self.name))
        return found


@final
@dataclass(frozen=True)
class Pooling(Baseline):
    """Judge what some systems rank first, and score the others on that: the re-use of a pool.

    `share` of the systems, at random, contribute; what they don't return counts as the lowest
    label. **Biased against systems that did not contribute.**

    >>> str(Pooling())
    'pooling(share=0.5)'
    """

    share: float = 0.5
    name: ClassVar[str] = "pooling"
    what: ClassVar[str] = "judge what a random share of the systems ranks first, score the others"
    why: ClassVar[str] = "it gives what no contributing system ranks high no chance at all"

    def __str__(self) -> str:
        return f"pooling(share={self.share})"

    def replay(self, world: Labelled, setting: Setting, seed: int) -> Tried:
        """Pool a random share of the systems, and score the rest."""
        systems = world.book.frame.systems
        count = max(1, round(self.share * len(systems)))
        if count >= len(systems):
            raise DesignError(
                f"{self} leaves none of the {len(systems)} systems to score",
                do="Give more systems, or a smaller share",
            )
        order = np.argsort(prn.uniform(np.arange(len(systems), dtype=np.uint64), seed))
        pooled = tuple(systems[i] for i in np.sort(order[:count]).tolist())
        rows = first(world, pooled, setting.budget, seed)
        found, inside = Tried(len(rows)), {system.name for system in pooled}
        for family in world.families:
            outside = [name not in inside for name in family.names]
            values = np.where(outside, world.lowest(family, rows), np.nan)
            found.rows.update(plain(values, family.names, str(family.measure), self.name))
        return found


def first(world: Labelled, systems: tuple[System, ...], budget: int, seed: int) -> Rows:
    """Return the rows that systems rank best, each unit by its best rank; ties fall by chance."""
    names = tuple(system.name for system in systems)
    best = world.book.whole.once(lambda: _best(world.book.frame, systems), "best", names)
    drawn = best + prn.uniform(world.book.frame.columns.whole(KEY), seed)
    ranked = int(np.isfinite(best).sum())
    found: Rows = np.sort(np.argsort(drawn, kind="stable")[: min(budget, ranked)])
    return found


def _best(frame: Frame, systems: tuple[System, ...]) -> Floats:
    """Return the best rank of each unit over systems; infinite where none ranks it."""
    best = np.full(len(frame), np.inf)
    ranking = [s for s in systems if s.kind != "predicted"]
    if not ranking:
        raise DesignError(
            "no system says what comes first", do="Give systems that rank, score or retrieve"
        )
    for system in ranking:
        if system.kind == "ranking":
            best[system.rows] = np.minimum(best[system.rows], system.ranks)
            continue
        score = frame.columns.whole(system.column).astype(np.float64)
        falling = np.sort(-score)
        best = np.minimum(best, 1.0 + np.searchsorted(falling, -score, side="left"))
    return best

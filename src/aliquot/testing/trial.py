"""Trials: a design on a toy frame, drawn with as many seeds as you like, every label known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible
from aliquot.designs.size import fitted
from aliquot.study.pools import columns, strata
from aliquot.testing.toys import Toy


@final
@dataclass(frozen=True, eq=False)
class Held:
    """What a study would hold after some draws."""

    drawn: Drawn
    chances: Floats  # of every unit of the toy
    trials: tuple[Trial, ...]  # one a draw
    budget: int  # of all draws together

    @property
    def sample(self) -> Sample:
        """The sample when every unit drawn is judged. A union of designs is an order sample."""
        first, drawn = self.trials[0], self.drawn
        designs = dict.fromkeys(str(trial.design) for trial in self.trials)
        one = len({(str(trial.design), trial.goal) for trial in self.trials}) == 1
        kind = first.design.kind if one or first.design.replacement else "order"
        return _sample(
            kind, first.toy, drawn, support=self.support, expected=float(self.budget),
            design=" + ".join(designs),
        )  # fmt: skip

    @property
    def support(self) -> int:
        """How many units the last draw could have held."""
        return int(((self.trials[-1].chunk.size > 0) | (self.chances > 0)).sum())


@final
@dataclass(frozen=True, eq=False)
class Trial:
    """A design with a goal, on a toy; `measures` are what it is sized for (all, if none)."""

    toy: Toy
    design: Design
    goal: str = "each"
    measures: tuple[str, ...] = ()

    @cached_property
    def chunk(self) -> Chunk:
        """Every unit of the toy as the design sees it before the first draw."""
        toy, frame = self.toy, self.toy.frame
        families = tuple(toy.family(m) for m in self.measures) or toy.families()
        size = fitted(*self.design.sized, families, frame, goal=self.goal)
        more = (*columns(frame, self.design), *size.more)
        block = frame.block(np.arange(len(frame)), frame.systems, more)
        codes = strata(self.design, block, frame, size.served)
        return Chunk(block.rows, block.keys, size(block), np.zeros(len(frame)), codes)

    def draw(self, budget: int, seed: int, *, after: Held | None = None) -> Held:
        """Draw once, or once more after what is held already."""
        base = self.chunk
        before = np.zeros(len(self.toy)) if after is None else after.chances
        chunk = Chunk(base.rows, base.keys, base.size, before, base.stratum)
        pool = Pool(lambda: iter([chunk]), seed)
        if after is not None:
            order = np.argsort(after.drawn.keys)
            same = {(str(t.design), t.goal) for t in after.trials} == {
                (str(self.design), self.goal)
            }
            pool = Pool(
                lambda: iter([chunk]),
                seed,
                after.drawn.keys[order],
                after.drawn.conditional[order],
                after.drawn.count[order],
                same,
                after.drawn.params if same else {},
            )
        drawn = self.design.draw(pool, budget)
        own = self.design.level(chunk, drawn.params)
        chances = before + own if self.design.replacement else np.maximum(before, own)
        trials, spent = (after.trials, after.budget) if after is not None else ((), 0)
        return Held(drawn, chances, (*trials, self), spent + budget)

    def possible(self, one: Possible, budget: int) -> Sample:
        """Return one sample out of those that the design lists, every unit of it judged."""
        return _sample(
            self.design.kind, self.toy, one, support=len(self.toy), expected=float(budget),
            design=str(self.design),
        )  # fmt: skip


def _sample(  # noqa: PLR0913  (three things, and named options)
    kind: str, toy: Toy, drawn: Drawn | Possible, *, support: int, expected: float, design: str
) -> Sample:
    owner = np.arange(len(drawn.rows))
    return Sample(
        cast("Kind", kind),
        drawn.rows,
        drawn.pi,
        drawn.conditional,
        drawn.count,
        drawn.stratum,
        toy.labels[drawn.rows],
        owner,
        support,
        expected,
        design,
    )

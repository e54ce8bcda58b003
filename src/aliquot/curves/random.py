"""Random sampling: the conventional method that Sabharwal and Xue (2018) compare with.

With s labels enough for all N ranks at once (K = N queries in (5), within beta (1 + epsilon)), the
first sqrt(s N) ranks are all labelled, and those below at the density sqrt(s / N), so that every
rank has at least s labels above it: 2 sqrt(s N) in all, less what an even sample would draw again
at the top. **No assumption about the curve.**
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.curves.assemble import Outcome, Pieces, census, curve, unsure
from aliquot.curves.base import Sampled, needed
from aliquot.curves.finish import whole
from aliquot.curves.known import true
from aliquot.curves.least import adaptive
from aliquot.curves.luck import Luck
from aliquot.curves.points import Curve
from aliquot.curves.sheet import Sheet
from aliquot.curves.steps import Steps


@final
@dataclass(frozen=True)
class Random(Sampled):
    """An even sample, as dense as the top of the ranking needs it."""

    name: ClassVar[str] = "random"

    def steps(self, n: int, rng: Luck) -> Steps:
        """Label the first sqrt(s N), and as many of the rest."""
        sheet = Sheet(n, min(n, 1 + math.isqrt(n)), rng)
        yield from sheet.census()
        if sheet.top == n:
            return whole(self, sheet)
        p_min = self.p_min or (yield from adaptive(sheet, self))
        s = needed(self, n, self.factor, p_min)
        top = math.ceil(math.sqrt(s * n))
        yield from sheet.census(min(n, top))
        if top < n:
            yield from sheet.fill(np.array([n]), np.array([s * (n - top) / top]))
        if sheet.annotations == n:
            return whole(self, sheet)
        return self._curve(sheet)

    def _curve(self, sheet: Sheet) -> Curve:
        """Return the curve: exact at the top, then (census + N ybar) / r from label to label.

        The mean of the labels so far begins with one label's worth of the top's own share.
        """
        first, at, labels = sheet.first, sheet.ranks, sheet.labels
        mean = (np.cumsum(labels) + first.mean()) / np.arange(2.0, len(labels) + 2.0)
        until = np.maximum(np.append(at[1:] - 1, sheet.n), at)
        ranks = np.concatenate([at, until])
        counts = first.sum() + (ranks - sheet.top) * np.tile(mean, 2)
        order = np.argsort(ranks, kind="stable")
        kept = order[np.append(np.diff(ranks[order]) > 0, True)]
        p = np.clip(true(counts / ranks, self.eta)[kept], 0.0, 1.0)
        low, high = p / self.factor, np.minimum(p * self.factor, 1.0)
        below = Pieces(ranks[kept], p, low, high)
        end = first.mean()
        noisy = np.clip(true(np.array([end / self.factor, end * self.factor]), self.eta), 0.0, 1.0)
        top = unsure(first, self.eta, *noisy.tolist()) if self.eta else census(first)
        return curve(self, sheet, np.array([sheet.n]), Outcome(top.then(below), "any-curve"))

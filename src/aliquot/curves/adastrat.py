"""AdaStrat: Sabharwal and Xue (2018), Algorithm 1 with Section 4.3.

The first l~ = max(ceil((1 + epsilon)^2 m / (2 epsilon + epsilon^2)), r~) ranks are all labelled and
precision at N is queried. While the envelope between two neighbouring points is higher than
(1 + epsilon)^2, and they are further apart than that factor, precision is queried at
round(sqrt(l r)) between them. The curve is sqrt(ub lb).

**Assumes (r~, m)-weak monotonicity.** With K queries, each a sample of s labels at density s / r,
the curve is then within a factor beta (1 + epsilon) at every rank, with confidence 1 - delta. K
grows as the search goes on; all earlier query points are then labelled up to the s of the new K
(iterative deepening), and the first interval that is too high is split, by what all labels say
now.

`query=thinned` is the paper's: an even sample of s labels, with labels of the strata above kept
with probability r_j / r. `query=stratified` uses them all, for an error 1.1 to 2.2 times smaller.
`query=exact` asks for precision itself, and beta is 1. What the printed proof leaves open (the
union bound is over points that were chosen by the data, and a factor below is less than one above)
is paid for by `proof=strict`: delta is spent over the whole tree of bisections.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.curves.assemble import mean
from aliquot.curves.base import Monotone, among
from aliquot.curves.exact import asked_exactly
from aliquot.curves.finish import End, finish, trusted, whole
from aliquot.curves.known import read
from aliquot.curves.least import adaptive
from aliquot.curves.luck import Luck
from aliquot.curves.points import Ranks
from aliquot.curves.search import next_query, nodes
from aliquot.curves.sheet import Sheet
from aliquot.curves.steps import Ask, Steps


@final
@dataclass(frozen=True)
class Adastrat(Monotone):
    """Query where the envelope is too high.

    >>> Adastrat().top, Adastrat(start=1000).top
    (3492, 1743)
    """

    name: ClassVar[str] = "adastrat"
    query: str = "thinned"

    def __post_init__(self) -> None:
        super().__post_init__()
        among("query", self.query, ("thinned", "stratified", "exact"))

    @property
    def top(self) -> int:
        """l~: how many ranks are all labelled at first."""
        wide = (1.0 + self.epsilon) ** 2
        return max(math.ceil(wide * self.m / (wide - 1.0) - 1e-9), self.start)

    def steps(self, n: int, rng: Luck) -> Steps:
        """Label the top, then query where the envelope is too high."""
        if self.query == "exact":
            return (yield from asked_exactly(self, self.top, n))
        sheet = Sheet(n, min(self.top, n), rng)
        yield from sheet.census()
        if sheet.top == n:
            return whole(self, sheet)
        p_min = self.p_min or (yield from adaptive(sheet, self))
        sheet.start, ends = trusted(self, sheet), np.array([n])
        tree = nodes(sheet.top, n, self.epsilon) if self.proof == "strict" else 0
        while True:
            K = tree or len(ends)
            end = yield from self._query(sheet, ends, (p_min, K))
            split = next_query(end.known, self, sheet.start)
            if split is None:
                return finish(self, end, mean(self.m, sheet.start))
            ends = np.sort(np.append(ends, split))

    def _query(
        self, sheet: Sheet, ends: Ranks, now: tuple[float, int]
    ) -> Generator[Ask, Floats, End]:
        p_min, K = now
        s = math.ceil(self.labels(K, p_min))
        yield from sheet.fill(ends, np.minimum(1.0, s / ends) * np.diff(np.append(sheet.top, ends)))
        noisy = self.eta > 0.0
        thin = self.query == "thinned"
        reading = (
            sheet.thinned(ends, s, noisy=noisy) if thin else sheet.stratified(ends, noisy=noisy)
        )
        return End(sheet, ends, reading, read(self, sheet, ends, reading, K))

"""What has been labelled so far: the first ranks, all of them, and samples of the strata below.

The strata end at the query points r_1 < r_2 < ... < r_K. A stratum (r_{j-1}, r_j] is sampled
without replacement until its density is that of its own query, s / r_j, and every later query uses
the same labels. A new query point splits a stratum: each half keeps what lies in it, which is
again a simple random sample of it, given how many there are, and only the lower half needs more.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.curves.luck import Luck, Permanent, numbers
from aliquot.curves.points import Ranks
from aliquot.curves.steps import Ask
from aliquot.errors import DesignError

MOST = 20_000_000  # labels: nobody gives as many, and ranks are kept in memory


class Reading(NamedTuple):
    """The share of positive labels up to each of some ranks, and how much it may err.

    `spread` is sum_j w_j^2 / n_j over the strata: by Hoeffding (1963), P(error > t) is at most
    exp(-2 t^2 / spread) on each side.
    """

    share: Floats
    spread: Floats


@final
class Sheet:
    """The labels of one run, and the draws that ask for more of them."""

    def __init__(self, n: int, top: int, rng: Luck) -> None:
        """Begin with no labels; the first `top` ranks will all be labelled."""
        self.n, self.top, self.rng = n, top, rng
        self.start = 1  # r~: the rank from which on precision is taken to fall
        self.first: Floats = np.empty(0)
        self.ranks: Ranks = np.empty(0, dtype=np.int64)
        self.labels: Floats = np.empty(0)
        self.luck: Floats = np.empty(0)  # a number in (0, 1) for each: what thinning keeps
        self.chance: Floats = np.empty(0)  # the same for the census

    @property
    def annotations(self) -> int:
        """How many labels were given."""
        return len(self.first) + len(self.ranks)

    def census(self, top: int = 0) -> Generator[Ask, Floats, None]:
        """Ask for the first ranks: `top` of them, or as many as were named at first."""
        self.top = top = max(top, self.top)
        _affordable(top)
        ranks = np.arange(len(self.first) + 1, top + 1)
        upto = int(np.searchsorted(self.ranks, top, side="right"))
        drawn, fresh = self.ranks[:upto], np.setdiff1d(ranks, self.ranks[:upto])
        found = np.empty(len(ranks))
        if len(fresh):
            found[fresh - len(self.first) - 1] = yield Ask(
                fresh, np.ones(len(fresh)), cuts=np.array([ranks[0] - 1, top])
            )
        found[drawn - len(self.first) - 1] = self.labels[:upto]
        self.first = np.append(self.first, found)
        self.chance = np.append(self.chance, numbers(self.rng, ranks))
        self.ranks, self.labels = self.ranks[upto:], self.labels[upto:]
        self.luck = self.luck[upto:]

    def fill(self, ends: Ranks, need: Floats) -> Generator[Ask, Floats, None]:
        """Draw until each stratum, ended by one of `ends`, holds as many labels as it needs."""
        _affordable(int(np.ceil(need).sum()))
        asks: list[Ranks] = []
        chances: list[Floats] = []
        begins = np.append(self.top, ends[:-1])
        held = np.diff(np.searchsorted(self.ranks, np.append(begins, ends[-1]), side="right"))
        for low, high, wanted, there in zip(begins, ends, np.ceil(need), held, strict=True):
            rest = int(high - low - there)
            more = min(int(wanted - there), rest)
            if more > 0:
                asks.append(self._draw(int(low), int(high), more))
                chances.append(np.full(more, more / rest))
        if asks:
            ranks = np.concatenate(asks)
            labels = yield Ask(ranks, np.concatenate(chances), cuts=np.append(self.top, ends))
            self._keep(ranks, labels)

    def _draw(self, low: int, high: int, more: int) -> Ranks:
        """Return `more` ranks in (low, high] that have no label, each set of them as likely."""
        inside = slice(*np.searchsorted(self.ranks, [low, high], side="right"))
        there = self.ranks[inside]
        if isinstance(self.rng, Permanent):
            return self.rng.smallest(low, high, more, there)
        if 3 * (more + len(there)) >= high - low:
            rest = np.setdiff1d(np.arange(low + 1, high + 1), there, assume_unique=True)
            return np.sort(self.rng.permutation(rest)[:more])
        found = np.empty(0, dtype=np.int64)
        while (
            len(found) < more
        ):  # the earliest distinct ones: uniform, and cheap when few are there
            tried = self.rng.integers(low + 1, high + 1, size=more - len(found) + 16)
            together = np.concatenate([found, tried[~_within(tried, there)]])
            distinct = np.unique(together, return_index=True)[1]
            found = together[np.sort(distinct)]
        return np.sort(found[:more])

    def _keep(self, ranks: Ranks, labels: Floats) -> None:
        luck = numbers(self.rng, ranks)
        order = np.argsort(np.concatenate([self.ranks, ranks]), kind="stable")
        self.ranks = np.concatenate([self.ranks, ranks])[order]
        self.labels = np.concatenate([self.labels, labels])[order]
        self.luck = np.concatenate([self.luck, luck])[order]

    def densities(self, ends: Ranks) -> tuple[Floats, Floats, Floats]:
        """Return the size of each stratum, its number of labels and of positive ones."""
        edges = np.searchsorted(self.ranks, np.append(self.top, ends), side="right")
        positive = np.append(0.0, np.cumsum(self.labels))[edges]
        size = np.diff(np.append(self.top, ends)).astype(float)
        return size, np.diff(edges).astype(float), np.diff(positive)

    def stratified(self, ends: Ranks, *, noisy: bool) -> Reading:
        """Return (1/r) (positives in the census + sum_j N_j ybar_j) at each end: all labels used.

        With a noisy judge (`noisy`) a stratum that was labelled whole still errs.
        """
        size, held, positive = self.densities(ends)
        total = self.first.sum() + np.cumsum(size * positive / np.maximum(held, 1.0))
        unsure = np.where((held >= size) & (not noisy), 0.0, size * size / np.maximum(held, 1.0))
        spread = (self.top if noisy else 0.0) + np.cumsum(unsure)
        return Reading(total / ends, spread / (1.0 * ends * ends))

    def thinned(self, ends: Ranks, s: float, *, noisy: bool) -> Reading:
        """Return the mean of a sample of (1, r] of even density s / r, as Section 4.3 asks for.

        A label of stratum j is kept with probability r_j / r, the ratio of densities, and one of
        the census with probability s / r. (B.8 prints probabilities that exceed 1.)
        """
        size, held, _ = self.densities(ends)
        density = np.repeat(held / size, held.astype(np.int64))
        even = np.minimum(1.0, np.minimum(s / ends, np.minimum.accumulate(held / size)))
        share, spread = np.empty(len(ends)), np.empty(len(ends))
        last = np.cumsum(held).astype(np.int64)
        for i, (upto, d) in enumerate(zip(last, even, strict=True)):
            kept = self.luck[:upto] * density[:upto] < d
            top = self.chance < d
            count = int(kept.sum() + top.sum())
            positive = self.labels[:upto][kept].sum() + self.first[top].sum()
            share[i] = positive / max(count, 1)
            spread[i] = 0.0 if d >= 1.0 and not noisy else 1.0 / max(count, 1)
        return Reading(share, spread)


def _affordable(labels: int) -> None:
    if labels > MOST:
        raise DesignError(
            f"the queries need {labels:,} labels, more than {MOST:,}",
            do="Give a higher p_min if you know one, raise beta, or use the strategy band",
        )


def _within(tried: Ranks, there: Ranks) -> NDArray[np.bool_]:
    if not len(there):
        return np.zeros(len(tried), dtype=np.bool_)
    place = np.minimum(np.searchsorted(there, tried), len(there) - 1)
    same: NDArray[np.bool_] = there[place] == tried
    return same

"""Measures of rankings, averaged over topics: P@k, DCG@k, R@k and Judged@k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.core.spelling import Spelling
from aliquot.measures.base import Floats, Items, Measure, Needs, discount
from aliquot.measures.sets import relevant

TALLEST = 200.0  # a gain of 2^200 is beyond all that a study may measure


def within(items: Items, k: int) -> Floats:
    """Return 1 where the system ranks the unit at k or above, else 0."""
    rank = items.output.rank
    if rank is None:
        return np.zeros(len(items))
    return ((rank > 0) & (rank <= k)).astype(np.float64)


def linear_value(totals: Floats) -> float:
    """The value of a measure that is one total."""
    return float(totals[0])


@final
@dataclass(frozen=True)
class P(Measure):
    """Precision at rank k, a mean over topics: weights `1(rank <= k) / (k T)`.

    A ranking shorter than k counts as if filled up with irrelevant documents, as everywhere.
    """

    k: int
    rel: int = 1
    name: ClassVar[str] = "P"
    needs: ClassVar[Needs] = "rank"
    linear: ClassVar[bool] = True

    def __str__(self) -> str:
        return str(Spelling("P", (), (("rel", self.rel),) if self.rel != 1 else (), self.k))

    @property
    def depth(self) -> int:
        """k."""
        return self.k

    def contributions(self, items: Items, y: Floats) -> Floats:
        """A relevant unit among the first k adds 1 / (k T)."""
        hit = within(items, self.k) * relevant(y, self.rel, items)
        return hit[None, :] / (self.k * items.topic_count)

    def value(self, totals: Floats, known: Floats) -> float:
        """L."""
        return linear_value(totals)

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """1."""
        return np.ones(1)


@final
@dataclass(frozen=True)
class DCG(Measure):
    """Discounted cumulated gain at rank k, a mean over topics: weights `1 / log(1 + rank) / T`.

    The logarithm has base 2, and the gain is the label. `DCG(base=e)@100` takes the natural
    logarithm, as Schnabel et al. (2016) do; `DCG(gain=exp)@20` gains 2^label - 1.
    """

    k: int
    base: str = "2"
    gain: str = "label"
    name: ClassVar[str] = "DCG"
    needs: ClassVar[Needs] = "rank"
    linear: ClassVar[bool] = True

    def __str__(self) -> str:
        options: tuple[tuple[str, str], ...] = ()
        options += (("base", self.base),) if self.base != "2" else ()
        options += (("gain", self.gain),) if self.gain != "label" else ()
        return str(Spelling("DCG", (), options, self.k))

    @property
    def depth(self) -> int:
        """k."""
        return self.k

    def _gain(self, y: Floats) -> Floats:
        return y if self.gain == "label" else np.exp2(np.minimum(y, TALLEST)) - 1.0

    def _weights(self, items: Items) -> Floats:
        rank = items.output.rank
        if rank is None:
            return np.zeros(len(items))
        weights = discount(rank, np.e if self.base == "e" else 2.0)
        weights[rank > self.k] = 0.0
        return weights / items.topic_count

    def contributions(self, items: Items, y: Floats) -> Floats:
        """A unit among the first k adds its gain, discounted, over the number of topics."""
        return (self._weights(items) * self._gain(np.asarray(y, dtype=np.float64)))[None, :]

    def value(self, totals: Floats, known: Floats) -> float:
        """L."""
        return linear_value(totals)

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """1."""
        return np.ones(1)

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """From the gain of k units with the lowest label, or of none, to that of the highest."""
        ranks = np.arange(1, self.k + 1, dtype=np.int32)
        best = discount(ranks, np.e if self.base == "e" else 2.0).sum()
        worst, top = (float(best * self._gain(np.array(label))) for label in (low, high))
        return (min(worst, 0.0), max(top, 0.0))


@final
@dataclass(frozen=True)
class R(Measure):
    """Recall at rank k, a mean over topics of `L_1 / L_2`: found by rank k, over all relevant.

    What is relevant is counted over the frame (the pool); the mean is over the topics in which
    something relevant was seen. **A mean of ratios: consistent, slow if topics have few labels.**
    """

    k: int
    rel: int = 1
    name: ClassVar[str] = "R"
    needs: ClassVar[Needs] = "rank"
    by_topic: ClassVar[bool] = True

    def __str__(self) -> str:
        return str(Spelling("R", (), (("rel", self.rel),) if self.rel != 1 else (), self.k))

    @property
    def depth(self) -> int:
        """k."""
        return self.k

    def contributions(self, items: Items, y: Floats) -> Floats:
        """A relevant unit adds 1 to its topic's all, and 1 to the found if it ranks by k."""
        hit = relevant(y, self.rel, items)
        return np.stack([within(items, self.k) * hit, hit])

    def value(self, totals: Floats, known: Floats) -> float:
        """The mean of L_1 / L_2 over topics with something relevant."""
        some = totals[1] > 0
        return float(np.mean(_ratio(totals)[some])) if some.any() else float("nan")

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """(1, -R_t) / (L_2t T), topic by topic, T the topics with something relevant."""
        scale = np.zeros(totals.shape[1])
        some = totals[1] > 0
        scale[some] = 1.0 / (totals[1][some] * max(int(some.sum()), 1))
        return np.stack([scale, -_ratio(totals) * scale])


def _ratio(totals: Floats) -> Floats:
    out = np.zeros(totals.shape[1])
    np.divide(totals[0], totals[1], out=out, where=totals[1] > 0)
    return out


@final
@dataclass(frozen=True)
class Judged(Measure):
    """The share of the first k that has a judgment, a mean over topics.

    It is counted, not estimated: it says how much of a ranking the labels at hand can see.
    """

    k: int
    name: ClassVar[str] = "Judged"
    needs: ClassVar[Needs] = "rank"
    linear: ClassVar[bool] = True

    def __str__(self) -> str:
        return str(Spelling("Judged", (), (), self.k))

    @property
    def depth(self) -> int:
        """k."""
        return self.k

    def contributions(self, items: Items, y: Floats) -> Floats:
        """A judged unit among the first k adds 1 / (k T)."""
        return within(items, self.k)[None, :] / (self.k * items.topic_count)

    def value(self, totals: Floats, known: Floats) -> float:
        """L."""
        return linear_value(totals)

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """1."""
        return np.ones(1)

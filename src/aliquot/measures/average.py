"""Average precision, AP@k."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, final

import numpy as np

from aliquot.core.spelling import Spelling
from aliquot.measures.base import Floats, Items
from aliquot.measures.pairs import PairMeasure, at_ranks, guess
from aliquot.measures.sets import relevant


@final
@dataclass(frozen=True)
class AP(PairMeasure):
    """Average precision at rank k, a mean over the topics in which something relevant was seen.

    `AP_t = Q_t / R_t`, `Q_t = sum_u z_u / r_u + sum_{u<v} z_u z_v / max(r_u, r_v)` over the first
    k, z = 1 if relevant, and R_t the relevant units of the topic. Influence
    `z (D(u) - AP_t) / (R_t T)`, `D(u) = (1 + sum_{i<r} z_i) / r + sum_{j>r} z_j / j`. **A mean of
    ratios with an estimated denominator: consistent, slow where topics have few labels.**

    Relevant at ranks 1 and 3, and there are two: (1/1 + 2/3) / 2.

    >>> b = AP(3).together(np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, 1.0]))
    >>> round(float(np.triu(b).sum()) / 2, 4)
    0.8333
    """

    k: int
    rel: int = 1
    name: ClassVar[str] = "AP"
    by_topic: ClassVar[bool] = True

    def __str__(self) -> str:
        return str(Spelling("AP", (), (("rel", self.rel),) if self.rel != 1 else (), self.k))

    def seen(self, y: Floats, items: Items) -> Floats:
        """1 if relevant."""
        return relevant(y, self.rel, items)

    def together(self, rank: Floats, value: Floats) -> Floats:
        """`z_u z_v / max(r_u, r_v)`; z_u / r_u on the diagonal."""
        found: Floats = value[:, None] * value / np.maximum(rank[:, None], rank)
        np.fill_diagonal(found, value / rank)
        return found

    def stacked(self, pairs: Floats, value: Floats, items: Items) -> Floats:
        """Q, and R: every relevant unit of the topic, ranked or not."""
        return np.stack([pairs, value])

    def contributions(self, items: Items, y: Floats) -> Floats:
        """Guess z D and z."""
        z = relevant(y, self.rel, items)
        return np.stack([z * at_ranks(items, _slope(self.k)), z])

    def value(self, totals: Floats, known: Floats) -> float:
        """The mean of Q / R over topics with something relevant."""
        some = totals[1] > 0
        return float(np.mean(_ratio(totals)[some])) if some.any() else float("nan")

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """(1, -AP_t) / (R_t T), topic by topic; an AP_t above 1, from few labels, counts as 1."""
        scale, some = np.zeros(totals.shape[1]), totals[1] > 0
        scale[some] = 1.0 / (totals[1][some] * max(int(some.sum()), 1))
        return np.stack([scale, -np.minimum(_ratio(totals), 1.0) * scale])

    def unseen(self, items: Items, totals: Floats) -> tuple[float, float]:
        """Topic by topic: relevant ones out of reach lower AP, those within k raise it."""
        topics = totals.shape[1]
        more = np.bincount(items.topics, minlength=topics).astype(np.float64)
        gain = np.bincount(items.topics, at_ranks(items, _most(self.k)), minlength=topics)
        some, here = totals[1] > 0, _ratio(totals)
        low = np.divide(totals[0], totals[1] + more, out=np.zeros(topics), where=some)
        high = np.divide(totals[0] + gain, totals[1], out=np.ones(topics), where=some)
        high = np.where(more > 0, np.maximum(np.minimum(high, 1.0), here), here)
        count = max(int(some.sum()), 1)
        return float((here - low).sum()) / count, float((high - here)[some].sum()) / count


def _ratio(totals: Floats) -> Floats:
    out = np.zeros(totals.shape[1])
    np.divide(totals[0], totals[1], out=out, where=totals[1] > 0)
    return out


@cache
def _slope(k: int) -> Floats:
    """Return the guessed D, rank by rank."""
    return _d(guess(k))


@cache
def _most(k: int) -> Floats:
    """Return the largest D there is: everything relevant."""
    return _d(np.ones(k))


def _d(p: Floats) -> Floats:
    ranks = np.arange(1.0, len(p) + 1.0)
    later = p / ranks
    found: Floats = (1.0 + np.cumsum(p) - p) / ranks + later.sum() - np.cumsum(later)
    return found

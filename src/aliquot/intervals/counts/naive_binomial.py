"""Recall as if it were one binomial proportion."""

from __future__ import annotations

import math
from typing import ClassVar, final

from aliquot.intervals.counts.base import Counted, Ends, Question


@final
class NaiveBinomial(Counted):
    """`x +- z sqrt(x (1 - x) / n)`, n the sampled positives. Webber (2013), Eq. 27.

    **It assumes that all positives were sampled at one rate**, which two segments break. The paper
    does not say what n is; here it is every sampled positive for recall, those and the sampled
    retrieved negatives for F, and the sample for a proportion.

    >>> from aliquot.intervals.betabin import Strata
    >>> asked = Question("recall", Strata.of(2_000, 100, 50), Strata.of(100_000, 100, 3))
    >>> [round(end, 3) for end in NaiveBinomial().ends(asked)]
    [0.133, 0.367]
    """

    name: ClassVar[str] = "naive-binomial"
    summary: ClassVar[str] = "all positives sampled at one rate"

    def ends(self, question: Question) -> Ends:
        """Symmetric about the estimate."""
        x, scale = question.estimate, question.top
        n = {
            "recall": question.strata.found,
            "f1": float(question.retrieved.n.sum()) + question.unretrieved.found,
        }.get(question.measure, float(question.strata.n.sum()))
        p = x / scale if scale else 0.0
        half = question.z * math.sqrt(max(p * (1.0 - p), 0.0) / n) * scale if n else scale
        return question.around(x - half, x + half)

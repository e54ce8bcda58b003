"""Normal intervals by propagation of error, plain and with counts added."""

from __future__ import annotations

import math
from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.intervals.counts.base import Counted, Ends, Question, yields

Number = float | Floats
Moments = tuple[Number, Number]  # a number of positives, and its variance


class Linear(Counted):
    """`x +- z s`, s by propagation of error. Webber (2013), Eqs. 22, 25 and 28.

    With A and B positives retrieved and not, of variances V and W, recall has
    `s^2 = (V B^2 + W A^2) / (A + B)^4`, and F as its gradient says.
    **It assumes that the estimate is normal with a variance known**: many positives in each part.
    """

    added: ClassVar[float] = 0.0
    careless: ClassVar[bool] = False  # whether the covariance of A and A + B is forgotten

    def ends(self, question: Question) -> Ends:
        """Symmetric about the centre, which the added counts move."""
        A, V = yields(question.retrieved, self.added)
        B, W = yields(question.unretrieved, self.added)
        centre = question.value(A, B)
        half = question.z * self._stderr(question, (A, V), (B, W))
        return question.around(centre - half, centre + half)

    def _stderr(self, question: Question, A: tuple[float, float], B: tuple[float, float]) -> float:
        if not question.ratio:
            spread = {"precision": A[1], "elusion": B[1]}.get(question.measure, A[1] + B[1])
            return math.sqrt(spread) / (1.0 if question.top != 1.0 else question.strata.size or 1.0)
        total, square = A[0] + B[0], question.weight**2
        if total <= 0:
            return math.inf
        if question.measure == "recall":
            return float(np.sqrt(variance(A, B, 1.0 / total, A[0] / total**2, self.careless)))
        under = question.retrieved.size + square * total
        up, back = (1.0 + square) / under, (1.0 + square) * A[0] * square / under**2
        return float(np.sqrt(variance(A, B, up, back, self.careless)))


def variance(
    A: Moments,
    B: Moments,
    up: Number,
    back: Number,
    careless: bool,  # noqa: FBT001  (of a method)
) -> Number:
    """Return the variance of a function of A and T = A + B with slopes `up` and `-back`.

    `(up - back)^2 V + back^2 W`: A is part of T. Careless: as if they were independent.
    """
    if careless:
        return up**2 * A[1] + back**2 * (A[1] + B[1])
    return (up - back) ** 2 * A[1] + back**2 * B[1]


@final
class Normal(Linear):
    """The plain one: **understates what is unknown where few positives were seen**.

    >>> from aliquot.intervals.betabin import Strata
    >>> asked = Question("recall", Strata.of(2_000, 100, 50), Strata.of(100_000, 100, 3))
    >>> [round(end, 3) for end in Normal().ends(asked)]
    [0.038, 0.462]
    """

    name: ClassVar[str] = "normal"
    summary: ClassVar[str] = "normal, variance known: many positives in each part"


@final
class NormalNaive(Linear):
    """As TREC reported it: recall as A / T, **as if A and T = A + B were independent**."""

    name: ClassVar[str] = "normal-naive"
    summary: ClassVar[str] = "normal; retrieved and all positives independent, which they are not"
    careless: ClassVar[bool] = True


@final
class Laplace(Linear):
    """With one positive and one negative added to each stratum. Webber (2013), section 3.3."""

    name: ClassVar[str] = "laplace"
    summary: ClassVar[str] = "normal, one positive and one negative added to each stratum"
    added: ClassVar[float] = 1.0


@final
class AgrestiCoull(Linear):
    """With two positives and two negatives added to each stratum. Webber (2013), section 3.3."""

    name: ClassVar[str] = "agresti-coull"
    summary: ClassVar[str] = "normal, two positives and two negatives added to each stratum"
    added: ClassVar[float] = 2.0

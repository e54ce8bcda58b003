"""Distribution-free intervals for the mean of bounded draws, by a formula.

They need every draw, and the range that the design keeps it in: `Estimate.terms`.
"""

from __future__ import annotations

import math
from typing import ClassVar, final

from aliquot.core.estimate import Estimate, Terms
from aliquot.errors import EstimateError
from aliquot.intervals.base import Method


def terms(name: str, estimate: Estimate) -> Terms:
    """Return the draws behind an estimate, or say why there are none."""
    if estimate.terms is None:
        raise EstimateError(
            f"interval {name} needs an estimate that is the mean of bounded draws, and "
            f"{estimate.measure} by {estimate.estimator} is none here",
            do="Use a total such as P@10 or Mean, drawn by ubis or by wr with estimator hh and "
            "judged to the end, or by uniform with ht",
        )
    return estimate.terms


@final
class Hoeffding(Method):
    """`estimate +- R sqrt(ln(2 / alpha) / (2 n))`, R the range of a draw (Hoeffding 1963).

    **Valid for every n and every law of bounded draws**, with and without replacement. It knows no
    variance, so it is wide: R is the largest P / Q, which is smallest where Q = P.

    >>> e = Estimate("", "Mean", 0.5, 0.0, 4, 4.0, "hh", "design-unbiased", terms=Terms.of([0, 1]))
    >>> [round(end, 3) for end in Hoeffding().ends(e, 0.95)]
    [-0.46, 1.46]
    """

    name: ClassVar[str] = "hoeffding"
    bounded: ClassVar[bool] = True

    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """Symmetric, and the same for every sample of a size."""
        half = _half(terms(self.name, estimate), level)
        return estimate.estimate - half, estimate.estimate + half


@final
class HoeffdingPrinted(Method):
    """Twice `hoeffding`, as Schnabel et al. (2016) print it in Eq. 17: to compare.

    Their own tail bound gives half of it; what is claimed to miss in 5 % of samples misses in none.
    """

    name: ClassVar[str] = "hoeffding-printed"
    bounded: ClassVar[bool] = True

    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """Symmetric."""
        half = 2.0 * _half(terms(self.name, estimate), level)
        return estimate.estimate - half, estimate.estimate + half


def _half(draws: Terms, level: float) -> float:
    return draws.span * math.sqrt(math.log(2.0 / (1.0 - level)) / (2.0 * len(draws.values)))


@final
class Bernstein(Method):
    """`estimate +- (s sqrt(2 L / n) + 7 R L / (3 (n - 1)))`, L = ln(4 / alpha), s of the draws.

    The empirical Bernstein bound of Maurer and Pontil (2009, Theorem 4), on both sides. **Valid for
    every n, for bounded draws with replacement.**
    """

    name: ClassVar[str] = "bernstein"
    bounded: ClassVar[bool] = True

    def ends(self, estimate: Estimate, level: float) -> tuple[float, float]:
        """Symmetric; as wide as anything with fewer than two draws."""
        draws = terms(self.name, estimate)
        if draws.population:
            raise EstimateError(
                "interval bernstein is proved for draws with replacement only",
                do="Use betting or hoeffding, or draw by ubis",
            )
        n, more = len(draws.values), math.log(4.0 / (1.0 - level))
        if n < 2:
            return -math.inf, math.inf
        spread = float(draws.values.std(ddof=1))
        half = spread * math.sqrt(2.0 * more / n) + 7.0 * draws.span * more / (3.0 * (n - 1))
        return estimate.estimate - half, estimate.estimate + half

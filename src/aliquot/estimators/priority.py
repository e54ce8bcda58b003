"""Priority sampling (Duffield, Lund and Thorup 2007)."""

from __future__ import annotations

from typing import ClassVar, final

from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.estimators.base import Estimator
from aliquot.estimators.variance import by_design, independent


@final
class Priority(Estimator):
    """`L = sum_s c / p`, p the inclusion probability given the other units' random numbers.

    **Unbiased for order samples of any size from one design**; terms of different units are
    uncorrelated, so `sum_s (1 - p) (e / p)^2` is an unbiased variance. It gives away some of what a
    fixed sample size gains.
    """

    name: ClassVar[str] = "priority"
    kinds: ClassVar[tuple[Kind, ...]] = ("simple", "strata", "order", "poisson")

    def weights(self, sample: Sample) -> Floats:
        """1 / p; other samples than order samples keep their exact pi."""
        return 1.0 / (sample.conditional if sample.kind == "order" else sample.pi)

    def covariance(self, sample: Sample, e: Floats) -> Floats:
        """Independent terms for order samples; the design's own formula otherwise."""
        if sample.kind == "order":
            return independent(sample.conditional, e)
        return by_design(sample, e)

    def unbiased(self, sample: Sample) -> bool:
        """For one design; a union of different ones is consistent."""
        return "+" not in sample.design

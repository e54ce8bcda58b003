"""Horvitz and Thompson (1952)."""

from __future__ import annotations

from typing import ClassVar, final

from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.estimators.base import Estimator
from aliquot.estimators.variance import by_design


@final
class HorvitzThompson(Estimator):
    """`L = sum_s c / pi`, pi the first-order inclusion probability.

    **Unbiased where pi is exact: simple, stratified and Poisson samples.** For order samples pi is
    right to O(1/n), and the estimate is consistent; `priority` is its unbiased twin.
    """

    name: ClassVar[str] = "ht"
    kinds: ClassVar[tuple[Kind, ...]] = ("simple", "strata", "order", "poisson")

    def weights(self, sample: Sample) -> Floats:
        """1 / pi."""
        return 1.0 / sample.pi

    def covariance(self, sample: Sample, e: Floats) -> Floats:
        """The design's own formula."""
        return by_design(sample, e)

    def unbiased(self, sample: Sample) -> bool:
        """Where pi is exact."""
        return sample.kind != "order"

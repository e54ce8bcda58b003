"""Horvitz-Thompson, calibrated to the expected sample size."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.estimators.base import Estimator
from aliquot.estimators.variance import by_design, fixed_size


@final
class Ratio(Estimator):
    """`L = sum_s g c / pi`, g = (expected size) / (size) over the units that are not certain.

    It removes what a random sample size adds to the variance of a Poisson sample, and is plain
    Horvitz-Thompson where the size is fixed. **Consistent; bias of order 1/n.**
    """

    name: ClassVar[str] = "ratio"
    kinds: ClassVar[tuple[Kind, ...]] = ("simple", "strata", "order", "poisson")

    def weights(self, sample: Sample) -> Floats:
        """g / pi."""
        chance = sample.pi < 1.0
        expected = sample.expected - float((~chance).sum())
        seen = float(chance.sum())
        factor = expected / seen if sample.kind == "poisson" and seen and expected > 0 else 1.0
        return np.where(chance, factor, 1.0) / sample.pi

    def covariance(self, sample: Sample, e: Floats) -> Floats:
        """As for a fixed sample size."""
        return fixed_size(sample, e) if sample.kind == "poisson" else by_design(sample, e)

    def unbiased(self, sample: Sample) -> bool:
        """Only where it is Horvitz-Thompson with exact pi."""
        return sample.kind in ("simple", "strata")

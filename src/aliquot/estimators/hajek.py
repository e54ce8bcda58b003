"""Hajek (1971): weights that add up to the number of units."""

from __future__ import annotations

from typing import ClassVar, final

from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.estimators.base import Estimator
from aliquot.estimators.variance import by_design


@final
class Hajek(Estimator):
    """`L = N sum_s c / pi / sum_s 1 / pi`; self-normalised importance sampling if drawn so.

    Better than Horvitz-Thompson where weights vary and c does not. **Consistent; bias of order
    1/n.**
    """

    name: ClassVar[str] = "hajek"
    kinds: ClassVar[tuple[Kind, ...]] = ("simple", "strata", "order", "poisson", "replacement")

    def weights(self, sample: Sample) -> Floats:
        """N / pi / sum 1 / pi."""
        plain = sample.count / sample.pi
        found: Floats = sample.units * plain / plain.sum()
        return found

    def covariance(self, sample: Sample, e: Floats) -> Floats:
        """The design's own formula, of e less its weighted mean."""
        weights = self.weights(sample)
        centre = (e * weights).sum(axis=1, keepdims=True) / weights.sum()
        return by_design(sample, e - centre)

    def unbiased(self, sample: Sample) -> bool:
        """Where all weights are equal."""
        return sample.kind == "simple"

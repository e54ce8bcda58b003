"""Importance sampling: Hansen and Hurwitz (1943); Schnabel et al. (2016), Eq. 4."""

from __future__ import annotations

from typing import ClassVar, final

from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.estimators.base import Estimator
from aliquot.estimators.variance import replacement


@final
class HansenHurwitz(Estimator):
    """`L = (1/n) sum_draws c / q = sum_s count c / pi`, pi = n q the expected draws.

    With draws of several designs pi is their sum, `sum_b n_b q_b`: the balance heuristic of
    multiple importance sampling. **Unbiased for draws with replacement.**
    """

    name: ClassVar[str] = "hh"
    kinds: ClassVar[tuple[Kind, ...]] = ("replacement",)

    def weights(self, sample: Sample) -> Floats:
        """count / pi."""
        found: Floats = sample.count / sample.pi
        return found

    def covariance(self, sample: Sample, e: Floats) -> Floats:
        """The sample variance of the draws."""
        return replacement(sample, e)

    def unbiased(self, sample: Sample) -> bool:
        """Always."""
        return True

"""What an estimator is: a weight for each judged unit, and the variance that goes with it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from aliquot.core.estimate import Guarantee
from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.errors import EstimateError


class Estimator(ABC):
    """Totals are estimated by `L = sum_i w_i c_i`; its `str` parses back. Subclasses are final."""

    name: ClassVar[str]
    kinds: ClassVar[tuple[Kind, ...]]
    assisted: ClassVar[bool] = False

    def __str__(self) -> str:
        return self.name

    @abstractmethod
    def weights(self, sample: Sample) -> Floats:
        """Return w, one weight a judged unit."""

    @abstractmethod
    def covariance(self, sample: Sample, e: Floats) -> Floats:
        """Return the covariance matrix of the estimated totals of e, shape (T, n)."""

    @abstractmethod
    def unbiased(self, sample: Sample) -> bool:
        """Whether a total is estimated without bias under this sample's design."""

    def guarantee(self, sample: Sample, *, linear: bool) -> Guarantee:
        """Say what is promised: unbiased only for totals, and only where a proof says so."""
        if sample.census:
            return "exact"
        fixed = linear and not sample.led and self.unbiased(sample)
        return "design-unbiased" if fixed else "design-consistent"

    def check(self, sample: Sample) -> None:
        """Refuse a sample that this estimator has no formula for."""
        if sample.kind not in self.kinds:
            better = "hh" if sample.kind == "replacement" else "ht, ratio or hajek"
            how = "with" if sample.kind == "replacement" else "without"
            raise EstimateError(
                f"estimator {self.name} does not fit units drawn {how} replacement",
                do=f"Use {better}",
            )

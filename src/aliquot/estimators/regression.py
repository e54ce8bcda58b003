"""What the difference and the calibrated estimator share: a known total, used if it pays."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sample import Sample
from aliquot.estimators.base import Estimator
from aliquot.estimators.hh import HansenHurwitz
from aliquot.estimators.ht import HorvitzThompson
from aliquot.estimators.variance import by_design


class Regression(Estimator):
    """`L = lambda M + sum_s w (c - lambda m)`, M the known total of m. Subclasses say what m is.

    w is Horvitz-Thompson's or Hansen-Hurwitz's weight. lambda = Cov / Var, kept in [0, 1], is
    estimated so that a useless m can do no harm.
    """

    kinds = ("simple", "strata", "order", "poisson", "replacement")

    def weights(self, sample: Sample) -> Floats:
        """The weights of the design-based estimator."""
        plain: Estimator = HansenHurwitz() if sample.kind == "replacement" else HorvitzThompson()
        return plain.weights(sample)

    def covariance(self, sample: Sample, e: Floats) -> Floats:
        """The design's own formula, of what m leaves."""
        return by_design(sample, e)

    @abstractmethod
    def unbiased(self, sample: Sample) -> bool:
        """Never with an estimated lambda; abstract, so that this class is."""

    def power(self, sample: Sample, seen: Floats, known: Floats) -> float:
        """Return lambda for one target from the influences of labels and of m."""
        both = by_design(sample, np.stack([seen, known]))
        if not both[1, 1] > 1e-12 * max(float(both[0, 0]), 1e-300):
            return 0.0
        return float(np.clip(both[0, 1] / both[1, 1], 0.0, 1.0))

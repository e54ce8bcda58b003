"""The difference estimator: predictions summed over the frame, corrected by the sample."""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.estimators.base import Estimator
from aliquot.estimators.hh import HansenHurwitz
from aliquot.estimators.ht import HorvitzThompson
from aliquot.estimators.variance import by_design


@final
class Difference(Estimator):
    """`L = lambda sum_U m + sum_s w (c - lambda m)`, m the contribution that a prior expects.

    w is Horvitz-Thompson's or Hansen-Hurwitz's weight. lambda = Cov / Var (PPI++, Angelopoulos et
    al. 2023), kept in [0, 1], is estimated so that a poor prediction can do no harm. **Consistent
    with an estimated lambda; it needs a prediction, so the human-only estimate stands beside it.**
    """

    name: ClassVar[str] = "difference"
    kinds: ClassVar[tuple[Kind, ...]] = ("simple", "strata", "order", "poisson", "replacement")
    assisted: ClassVar[bool] = True

    def weights(self, sample: Sample) -> Floats:
        """The weights of the design-based estimator."""
        plain: Estimator = HansenHurwitz() if sample.kind == "replacement" else HorvitzThompson()
        return plain.weights(sample)

    def covariance(self, sample: Sample, e: Floats) -> Floats:
        """The design's own formula, of what the prediction leaves."""
        return by_design(sample, e)

    def unbiased(self, sample: Sample) -> bool:
        """Never with an estimated lambda."""
        return False

    def power(self, sample: Sample, seen: Floats, predicted: Floats) -> float:
        """Return lambda for one target from the influences of labels and of predictions.

        A perfect prediction gets 1, a constant one 0:

        >>> s = _toy(4)
        >>> y = np.array([0.0, 1.0, 1.0, 0.0])
        >>> round(Difference().power(s, y, y), 6), Difference().power(s, y, np.ones(4))
        (1.0, 0.0)
        """
        both = by_design(sample, np.stack([seen, predicted]))
        if not both[1, 1] > 1e-12 * max(float(both[0, 0]), 1e-300):
            return 0.0
        return float(np.clip(both[0, 1] / both[1, 1], 0.0, 1.0))


def _toy(n: int) -> Sample:
    """Half of a toy frame, drawn simply: for the examples of this file."""
    whole, half = np.arange(n), np.full(n, 0.5)
    ones = np.ones(n, dtype=np.int64)
    return Sample("simple", whole, half, half, ones, 0 * ones, np.zeros(n), whole, 2 * n, float(n))

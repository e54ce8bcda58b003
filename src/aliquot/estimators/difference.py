"""The difference estimator: predictions summed over the frame, corrected by the sample."""

from __future__ import annotations

from typing import ClassVar, final

from aliquot.core.sample import Sample
from aliquot.estimators.regression import Regression


@final
class Difference(Regression):
    """`L = lambda sum_U m + sum_s w (c - lambda m)`, m the contribution that a prior expects.

    lambda is PPI++'s (Angelopoulos et al. 2023), kept in [0, 1]. **Consistent with an estimated
    lambda; it needs a prediction, so the human-only estimate stands beside it.**
    """

    name: ClassVar[str] = "difference"
    assisted: ClassVar[bool] = True

    def unbiased(self, sample: Sample) -> bool:
        """Never with an estimated lambda."""
        return False

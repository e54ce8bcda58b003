"""The calibrated estimator: the sample's weights brought in line with a total that is known."""

from __future__ import annotations

from typing import ClassVar, final

from aliquot.core.sample import Sample
from aliquot.estimators.regression import Regression


@final
class Calibrated(Regression):
    """`L = lambda A + sum_s w (c - lambda a)`, a the most that a unit can contribute, A its total.

    With lambda = 0 it is Horvitz-Thompson; with lambda = L/A the ratio estimator, a mean of labels
    weighted by a (the precision among the retrieved units drawn). The data choose between the two
    (regression estimator; Cochran 1977, ch. 7). It uses labels and the systems' own output alone.
    **Consistent; bias of order 1/n.** Measures that are no totals get the design's plain weights.
    """

    name: ClassVar[str] = "calibrated"

    def unbiased(self, sample: Sample) -> bool:
        """Never with an estimated lambda."""
        return False

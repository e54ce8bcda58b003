"""What an estimate may say: nothing outside the range of its measure, and why if nothing at all."""

from __future__ import annotations

import math
from dataclasses import replace

from aliquot.core.estimate import Estimate
from aliquot.core.scale import Scale
from aliquot.measures.base import Measure

EMPTY = "it is not defined: the system retrieves nothing"
NONE = "it is not defined: no unit is relevant"
YET = "it can't be estimated yet: nothing relevant was judged; judge more units"


def sensible(row: Estimate, measure: Measure, scale: Scale, *, census: bool) -> Estimate:
    """Keep an estimate within its range, and say why one is not defined.

    Weights of few units may add up to more than there is: a share of 1.3. Cutting it to 1 brings it
    nearer to the truth, whatever that is. What is called unbiased stays as it is: cutting would
    bias it.
    """
    low, high = row.bounds
    if math.isfinite(row.estimate):
        outside = row.guarantee == "design-consistent" and not low <= row.estimate <= high
        return replace(row, estimate=min(max(row.estimate, low), high)) if outside else row
    why = EMPTY if measure.linear else NONE if census else YET
    return replace(
        row,
        guarantee="design-consistent",
        bounds=measure.bounds(scale.low, scale.high),
        warnings=(*row.warnings, why),
    )

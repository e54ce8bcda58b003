"""What an estimate may say: nothing outside the range of its measure, and why if nothing at all."""

from __future__ import annotations

import math
from dataclasses import replace

from aliquot.core.estimate import Estimate
from aliquot.core.sample import Sample
from aliquot.core.scale import Scale
from aliquot.measures.base import Measure

FEW = 10  # effective judged units below which an interval is not to be trusted
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


def cautions(value: float, n: float, missed: float, judged: Sample) -> list[str]:
    """Warn of an estimate that few units bear on, or that no draw could see in part."""
    found = []
    if math.isfinite(value) and n < FEW and not judged.census:
        found.append("few judged units bear on it (effective n below 10): its interval is not firm")
    if missed > 0:
        found.append(
            f"no draw could have chosen {missed:.1%} of the units that it rests on, by weight; "
            "the interval allows for any labels there; draw again to repair it"
        )
    return found

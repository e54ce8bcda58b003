"""Cover: give an estimate its interval."""

from __future__ import annotations

import math

from aliquot.core.estimate import Estimate, Interval
from aliquot.intervals.registry import method, usual


def cover(value: Estimate, asked: str, level: float) -> Interval:
    """Return the interval that is asked for; what is not defined can be anything in its bounds."""
    if not math.isfinite(value.estimate):
        return Interval(*value.bounds, level, "none")
    how = usual(value) if asked == "default" else method(asked)
    return how.interval(value, level)

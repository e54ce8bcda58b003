"""Positive: which labels count as positive where precision is asked for, and how much."""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.core.scale import Scale
from aliquot.errors import EstimateError, UsageError


def positive(scale: Scale, labels: Floats, rel: float | None) -> Floats:
    """Return how positive each label is, from 0 to 1.

    >>> positive(Scale("grades", (), 0.0, 3.0), np.array([0.0, 2.0]), None).tolist()
    [0.0, 1.0]
    """
    if rel is not None and not scale.low < rel <= scale.high:
        raise UsageError(
            f"no label of {scale} begins to count at {rel:g}",
            do=f"Use a number above {scale.low:g}, up to {scale.high:g}",
        )
    if scale.kind == "classes":
        raise EstimateError(
            "classes are neither positive nor negative, so there is no precision",
            do="Use a study with labels such as no,yes",
        )
    if rel is None and scale.kind == "number" and not 0.0 <= scale.low < scale.high <= 1.0:
        raise UsageError(
            f"it is not said which numbers of {scale} are positive", do="Give the least: --rel"
        )
    if rel is None and scale.kind != "grades":
        return labels
    least = max(scale.low, 0.0) + 1.0 if rel is None else rel
    found: Floats = (labels >= least).astype(np.float64)
    return found

"""Mean label: prevalence, pass rate, the accuracy of a collection of facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.core.spelling import Spelling
from aliquot.measures.base import Floats, Items, Measure
from aliquot.measures.weighing import ALIKE, By


@final
@dataclass(frozen=True)
class Mean(Measure):
    """The mean label over the frame: `L / N` with `L = sum_u y(u)`. It needs no system.

    Labels 0, 1, 1, 0 have the mean 0.5:

    >>> Mean().value(np.array([2.0]), np.array([4.0]))
    0.5
    """

    by: By = ALIKE
    name: ClassVar[str] = "Mean"
    linear: ClassVar[bool] = True
    counts: ClassVar[bool] = True

    def __str__(self) -> str:
        return str(Spelling("Mean", (), self.by.options))

    @property
    def weighing(self) -> By:
        """By which column units count."""
        return self.by

    def contributions(self, items: Items, y: Floats) -> Floats:
        """Each unit adds its label."""
        return items.weighed(np.broadcast_to(y, (1, len(items))).astype(np.float64))

    def constants(self, items: Items) -> Floats:
        """Each unit counts one."""
        return items.weighed(np.ones((1, len(items))))

    def value(self, totals: Floats, known: Floats) -> float:
        """L / N."""
        return float(totals[0] / known[0])

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """1 / N."""
        return np.array([1.0 / known[0]])

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """From the lowest to the highest label."""
        return (low, high)

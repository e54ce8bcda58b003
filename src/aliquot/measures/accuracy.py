"""Accuracy of predicted labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.spelling import Spelling
from aliquot.measures.base import Floats, Items, Measure, Needs
from aliquot.measures.weighing import ALIKE, By


@final
@dataclass(frozen=True)
class Accuracy(Measure):
    """The share of units whose predicted label is right: `L / N`, `L = sum_u 1(y = predicted)`.

    >>> Accuracy().value(np.array([3.0]), np.array([4.0]))
    0.75
    """

    by: By = ALIKE
    name: ClassVar[str] = "Accuracy"
    needs: ClassVar[Needs] = "predicted"
    linear: ClassVar[bool] = True
    counts: ClassVar[bool] = True
    classes: ClassVar[bool] = True

    def __str__(self) -> str:
        return str(Spelling("Accuracy", (), self.by.options))

    @property
    def weighing(self) -> By:
        """By which column units count."""
        return self.by

    def contributions(self, items: Items, y: Floats) -> Floats:
        """A unit adds 1 where the label is the predicted one."""
        if items.output.predicted is None:
            return np.zeros((1, len(items)))
        right: NDArray[np.bool_] = y == items.output.predicted
        return items.weighed(right.astype(np.float64)[None, :])

    def constants(self, items: Items) -> Floats:
        """Each unit counts one."""
        return items.weighed(np.ones((1, len(items))))

    def value(self, totals: Floats, known: Floats) -> float:
        """L / N."""
        return float(totals[0] / known[0])

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """1 / N."""
        return np.array([1.0 / known[0]])

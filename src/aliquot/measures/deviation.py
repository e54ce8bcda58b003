"""How far predicted numbers are from the labels: MAE and MSE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from aliquot.measures.base import Floats, Items, Measure, Needs


class Deviation(Measure):
    """A mean of `|y - predicted|^power` over the frame: `L / N`, a total over a known number.

    Table 1 of Schnabel et al. (2016); with a prior the size of a unit knows how wrong its
    prediction may be at either end of the scale.
    """

    power: ClassVar[int]
    needs: ClassVar[Needs] = "predicted"
    linear: ClassVar[bool] = True
    counts: ClassVar[bool] = True

    def __str__(self) -> str:
        return self.name

    def contributions(self, items: Items, y: Floats) -> Floats:
        """A unit adds how far its label is from the prediction, to the power."""
        if items.output.predicted is None:
            return np.zeros((1, len(items)))
        found: Floats = np.abs(y - items.output.predicted) ** self.power
        return found[None, :]

    def constants(self, items: Items) -> Floats:
        """Each unit counts one."""
        return np.ones((1, len(items)))

    def value(self, totals: Floats, known: Floats) -> float:
        """L / N."""
        return float(totals[0] / known[0])

    def gradient(self, totals: Floats, known: Floats) -> Floats:
        """1 / N."""
        return np.array([1.0 / known[0]])

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """From 0 to the whole scale, to the power."""
        return (0.0, (high - low) ** self.power)


@final
@dataclass(frozen=True)
class MAE(Deviation):
    """Mean absolute error: `sum_u |y - predicted| / N`.

    Labels 2, 4 for predictions 3, 4:

    >>> MAE().value(np.array([1.0]), np.array([2.0]))
    0.5
    """

    name: ClassVar[str] = "MAE"
    power: ClassVar[int] = 1


@final
@dataclass(frozen=True)
class MSE(Deviation):
    """Mean squared error: `sum_u (y - predicted)^2 / N`.

    Labels 2, 4 for predictions 4, 4:

    >>> MSE().value(np.array([4.0]), np.array([2.0]))
    2.0
    """

    name: ClassVar[str] = "MSE"
    power: ClassVar[int] = 2

"""What a draw for a whole curve is after: precision at every rank alike.

A unit at place i counts in the precision at each rank r >= i, for `y / (r p(r))` of it. Over ranks
that are spread evenly on a log scale the squares add up to something proportional to 1 / i^2, so
its influence is `psi = y / i`: a density of labels that falls like one over the rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Block, Floats, Frame, System
from aliquot.core.order import order
from aliquot.core.scale import Scale


@final
@dataclass(frozen=True, eq=False)
class Along:
    """The target of a goal `curve:SYSTEM`."""

    system: System
    place: NDArray[np.int64]  # of each row of the frame, 0 where the system does not order it
    high: float  # the highest label
    omega: float = 1.0

    @property
    def served(self) -> tuple[System, ...]:
        """The system that the curve runs along."""
        return (self.system,)

    def squares(self, block: Block, y: float) -> Floats:
        """Return psi^2 at one label, shape (1, n)."""
        place = self.place[block.rows]
        psi = np.divide(max(y, 0.0) / self.high, place, out=np.zeros(len(place)), where=place > 0)
        found: Floats = psi[None, :] ** 2
        return found

    def every(self, block: Block, ends: Floats) -> list[Floats]:
        """Return psi^2 at every label at which it may be largest."""
        return [self.squares(block, y) for y in ends]

    def inner(self, block: Block) -> Floats | None:
        """A curve has no predictions."""
        return None


def along(frame: Frame, scale: Scale, name: str, units: int) -> Along:
    """Build the target of the curve along one system."""
    return Along(frame.system(name), order(frame, name, units=units).place, scale.high or 1.0)

"""What a design is sized for: one measure's contrasts under a goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Block, Floats, System
from aliquot.measures.targets import Family


@final
@dataclass(frozen=True, eq=False)
class Target:
    """One measure's contrasts under a goal, with the gradient at the prior's guess."""

    family: Family
    contrast: Floats
    gradients: list[Floats]
    omega: float = 1.0

    def psi(self, block: Block, y: float) -> Floats:
        """Return each target's influence at one label, shape (T, n)."""
        psi = self.family.influences(block, self.gradients, np.array(y))
        own = len(self.contrast) == len(psi) and np.array_equal(self.contrast, np.eye(len(psi)))
        return psi if own else self.contrast @ psi

    def squares(self, block: Block, y: float) -> Floats:
        """Return psi^2 of each target at one label, shape (T, n)."""
        found: Floats = self.psi(block, y) ** 2
        return found

    def every(self, block: Block, ends: Floats) -> list[Floats]:
        """Return psi^2 at every label at which it may be largest."""
        inner = self.inner(block)
        return [*(self.squares(block, y) for y in ends), *([] if inner is None else [inner])]

    def inner(self, block: Block) -> Floats | None:
        """Return psi^2 where each system's prediction is right; None where the ends say it all."""
        if not self.family.inner:
            return None
        psi = np.abs(self.family.influences(block, list(self.gradients), None))
        found: Floats = (np.abs(self.contrast) @ psi) ** 2
        return found

    @property
    def served(self) -> tuple[System, ...]:
        """The systems that the goal is about."""
        both = zip(self.family.systems, self.contrast.T, strict=False)
        return tuple(system for system, column in both if column.any())

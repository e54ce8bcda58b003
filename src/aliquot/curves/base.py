"""What a strategy is: how it chooses ranks to label, and the curve it makes of the labels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from aliquot.curves.steps import Steps


@dataclass(frozen=True)
class Strategy(ABC):
    """A way to a precision function. Its options have defaults, and its spelling parses back."""

    name: ClassVar[str]

    @abstractmethod
    def steps(self, n: int, rng: np.random.Generator) -> Steps:
        """Return the steps to the curve of n ranks."""

    def __str__(self) -> str:
        parts = [
            f"{one.name}={getattr(self, one.name)}"
            for one in fields(self)
            if getattr(self, one.name) != one.default
        ]
        return f"{self.name}({', '.join(parts)})" if parts else self.name

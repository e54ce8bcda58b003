"""What a baseline is: a way to judge without known probabilities, which a simulation can try."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from aliquot.study.labelled import Labelled
from aliquot.study.replay import Setting, Tried


class Baseline(ABC):
    """A way to judge that a simulation can try; its `str` parses back. Subclasses are final."""

    name: ClassVar[str]
    what: ClassVar[str]  # one line for the list of spellings
    why: ClassVar[str]  # why no study can draw with it
    covers: ClassVar[bool] = False  # whether its estimates have intervals

    def __str__(self) -> str:
        return self.name

    @abstractmethod
    def replay(self, world: Labelled, setting: Setting, seed: int) -> Tried:
        """Judge and estimate once."""

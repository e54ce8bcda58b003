"""Everything that a use case works on: the ledger, the frame, the scale and the measures."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import final

from aliquot.core.frame import Frame
from aliquot.core.records import FrameRow, Header
from aliquot.core.scale import Scale, scale
from aliquot.measures.base import Measure
from aliquot.measures.registry import measure
from aliquot.measures.targets import Family, family
from aliquot.study.ports import Clock, Ledger
from aliquot.study.whole import Whole


@final
@dataclass(frozen=True, eq=False)
class Book:
    """One open study."""

    ledger: Ledger
    frame: Frame
    clock: Clock
    whole: Whole = field(default_factory=Whole)

    @cached_property
    def header(self) -> Header:
        """What `init` fixed."""
        return self.ledger.header()

    @cached_property
    def scale(self) -> Scale:
        """What a judge may answer."""
        return scale(self.header.scale)

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """What the study measures."""
        return tuple(measure(text) for text in self.header.measures)

    @cached_property
    def version(self) -> FrameRow:
        """The frame's newest version."""
        return self.ledger.frames()[-1]

    def families(self, measures: tuple[Measure, ...] = ()) -> tuple[Family, ...]:
        """Each measure of the systems it applies to."""
        return tuple(family(m, self.frame, self.scale) for m in measures or self.measures)

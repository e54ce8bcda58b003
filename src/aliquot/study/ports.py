"""What the use cases need from the outside: a ledger to write to and a clock to read.

`store` keeps the real ledger; a test may hand in any object with these methods.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from aliquot.core.records import DrawRow, FrameRow, Header, Judgment

Clock = Callable[[], str]


class Ledger(Protocol):
    """The append-only record of one study."""

    def create(self, header: Header, frame: FrameRow) -> None:
        """Write the header and the first frame in one transaction."""

    def header(self) -> Header:
        """Read what `create` wrote."""

    def add_frame(self, frame: FrameRow) -> None:
        """Append a version of the frame."""

    def frames(self) -> list[FrameRow]:
        """Every version of the frame, oldest first."""

    def add_draw(self, draw: DrawRow) -> None:
        """Append one draw with all its units, in one transaction."""

    def draws(self) -> list[DrawRow]:
        """Every draw with its units, oldest first."""

    def record(self, judgments: Sequence[Judgment]) -> tuple[int, int]:
        """Append judgments of drawn units, all or none; return (added, unchanged).

        A judgment that says exactly what the standing one of the same unit and annotator says
        (label, state, note) changes nothing. Otherwise it is a new row, and stands from now on.
        """

    def judgments(self) -> list[Judgment]:
        """The standing judgment of each unit and annotator, in the order recorded."""

    def history(self) -> list[Judgment]:
        """Every judgment ever recorded, in order, corrected ones included."""

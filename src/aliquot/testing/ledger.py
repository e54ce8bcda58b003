"""A ledger made of lists: everything that a use case needs, and nothing of it on the disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from aliquot.core.records import DrawRow, FrameRow, Header, Judgment
from aliquot.study.book import Book
from aliquot.testing.toys import Toy


@final
class ListLedger:
    """The record of one study, append-only by good manners; the real one is in `store`."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._frames: list[FrameRow] = []
        self._draws: list[DrawRow] = []
        self._judgments: list[Judgment] = []

    def create(self, header: Header, frame: FrameRow) -> None:
        """Keep the header and the first frame."""
        self._header = header
        self._frames = [frame]

    def header(self) -> Header:
        """Return what `create` kept."""
        return self._header

    def add_frame(self, frame: FrameRow) -> None:
        """Append a version of the frame."""
        self._frames.append(frame)

    def frames(self) -> list[FrameRow]:
        """Return every version of the frame, oldest first."""
        return list(self._frames)

    def add_draw(self, draw: DrawRow) -> None:
        """Append one draw."""
        self._draws.append(draw)

    def draws(self) -> list[DrawRow]:
        """Return every draw, oldest first."""
        return list(self._draws)

    def record(self, judgments: Sequence[Judgment]) -> tuple[int, int]:
        """Append what is new of some judgments; return (added, unchanged)."""
        standing = {(j.unit, j.annotator): (j.label, j.state, j.note) for j in self._judgments}
        said = ((j, standing.get((j.unit, j.annotator))) for j in judgments)
        new = [j for j, before in said if before != (j.label, j.state, j.note)]
        self._judgments += new
        return len(new), len(judgments) - len(new)

    def judgments(self) -> list[Judgment]:
        """Return the standing judgment of each unit and annotator, in the order recorded."""
        standing: dict[tuple[str, str], Judgment] = {}
        for judgment in self._judgments:
            standing.pop((judgment.unit, judgment.annotator), None)
            standing[judgment.unit, judgment.annotator] = judgment
        return list(standing.values())

    def history(self) -> list[Judgment]:
        """Return every judgment ever recorded."""
        return list(self._judgments)


def book(toy: Toy, *, seed: int = 0) -> Book:
    """Return a study of a toy in which nothing was drawn yet; its clock stands still."""
    kind = "runs" if toy.frame.topics else "table"
    header = Header(seed, kind, str(toy.scale), toy.measures, "unit", "")
    ledger = ListLedger(header)
    ledger.create(header, FrameRow(1, toy.frame.hash, len(toy), "{}", ""))
    return Book(ledger, toy.frame, lambda: "")

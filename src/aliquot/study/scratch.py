"""A ledger without a database, for samples that are drawn, estimated and thrown away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from aliquot.core.records import DrawRow, FrameRow, Header, Judgment
from aliquot.study.book import Book
from aliquot.study.draw import draw


@final
@dataclass
class ScratchLedger:
    """The rows of one throw-away study. It promises nothing: see `SqliteLedger` for that."""

    head: Header
    versions: list[FrameRow]
    drawn: list[DrawRow] = field(default_factory=list)
    judged: list[Judgment] = field(default_factory=list)

    def create(self, header: Header, frame: FrameRow) -> None:
        """Start anew."""
        self.head, self.versions = header, [frame]

    def header(self) -> Header:
        """Return the header."""
        return self.head

    def add_frame(self, frame: FrameRow) -> None:
        """Append a version of the frame."""
        self.versions.append(frame)

    def frames(self) -> list[FrameRow]:
        """Return the versions of the frame."""
        return self.versions

    def add_draw(self, draw: DrawRow) -> None:
        """Append a draw."""
        self.drawn.append(draw)

    def draws(self) -> list[DrawRow]:
        """Return the draws."""
        return self.drawn

    def record(self, judgments: Sequence[Judgment]) -> tuple[int, int]:
        """Append judgments, without looking for earlier ones."""
        self.judged.extend(judgments)
        return len(judgments), 0

    def judgments(self) -> list[Judgment]:
        """Return the judgments."""
        return self.judged

    def history(self) -> list[Judgment]:
        """Return the judgments."""
        return self.judged


def sampled(book: Book, seed: int, budget: int, design: str, truth: Mapping[str, str]) -> Book:
    """Draw another sample of a study's frame from another seed, and judge it by the truth."""
    other = again(book, seed)
    row = draw(other, budget, spelling=design)
    judge = book.scale
    other.ledger.record(
        [Judgment(unit, truth[unit], judge.value(truth[unit])) for unit in row.units.unit]
    )
    return other


def again(book: Book, seed: int) -> Book:
    """Return an empty study of the same frame with another seed; what is known of it is shared."""
    ledger = ScratchLedger(replace(book.header, seed=seed), [book.version])
    return Book(ledger, book.frame, book.clock, book.whole)

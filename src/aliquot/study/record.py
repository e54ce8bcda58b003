"""Queue and record: what waits for a judgment, and the judgments that come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, final

from aliquot.core.records import Judgment
from aliquot.core.scale import PASSED
from aliquot.errors import AliquotError, LabelError, StudyError
from aliquot.study.book import Book


class Labels(Protocol):
    """Labels as they come in: parallel lists, and where each stands."""

    @property
    def path(self) -> str:
        """The file they come from, or nothing."""

    @property
    def noun(self) -> str:
        """What `line` counts: lines or rows."""

    @property
    def named_by(self) -> str:
        """The column, or columns, that name the unit."""

    @property
    def complete(self) -> bool:
        """Whether judgments of units outside the frame are to be expected, as in qrels."""

    @property
    def unit(self) -> Sequence[str]:
        """The unit of each."""

    @property
    def label(self) -> Sequence[str]:
        """The label, as it was written."""

    @property
    def annotator(self) -> Sequence[str]:
        """Who gave it."""

    @property
    def at(self) -> Sequence[str]:
        """When."""

    @property
    def note(self) -> Sequence[str]:
        """What else was said."""

    @property
    def line(self) -> Sequence[int]:
        """Where it stands."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the file can't say."""


@final
@dataclass(frozen=True)
class Recorded:
    """What became of a file of labels."""

    added: int
    unchanged: int
    not_drawn: int
    unknown: int
    waiting: int
    notes: tuple[str, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, and what is to be said beside them."""
        return asdict(self)


@final
@dataclass(frozen=True)
class Waiting:
    """One unit that waits for a judgment."""

    unit: str
    batch: int
    order: int


def queue(book: Book) -> tuple[Waiting, ...]:
    """Return what waits for a judgment: earlier batches first, each in its random order."""
    seen = {j.unit for j in book.ledger.judgments()}
    found = []
    for draw in book.ledger.draws():
        units = zip(
            draw.units.unit, draw.units.order.tolist(), draw.units.new.tolist(), strict=True
        )
        fresh = sorted((order, unit) for unit, order, new in units if new and unit not in seen)
        found += [Waiting(unit, draw.batch, order) for order, unit in fresh]
    return tuple(found)


def record(book: Book, labels: Labels, *, annotator: str = "") -> Recorded:
    """Record labels, all or none.

    Labels of units that were not drawn can't enter a design-based estimate: they are counted and
    left out. A unit that the frame does not hold is an error, except in qrels.
    """
    draws = book.ledger.draws()
    if not draws:
        raise StudyError(
            "nothing was drawn yet, so there is nothing to judge",
            do="Draw first: aliquot draw STUDY --budget N",
        )
    drawn = set(draws[-1].units.unit)
    outside = [i for i, unit in enumerate(labels.unit) if unit not in drawn]
    unknown = _unknown(book, labels, outside)
    left_out = set(outside)
    kept = [
        _judgment(book, labels, i, annotator) for i in range(len(labels.unit)) if i not in left_out
    ]
    _agree(labels, kept, [i for i in range(len(labels.unit)) if i not in left_out])
    added, unchanged = book.ledger.record(kept)
    waiting = len(queue(book))
    notes = (*labels.notes, *([_gaps(waiting)] if labels.complete and waiting else []))
    return Recorded(added, unchanged, len(outside) - unknown, unknown, waiting, notes)


def _gaps(waiting: int) -> str:
    """Warn of qrels that leave units out: what they left out is seldom like what they hold."""
    units = "1 drawn unit is" if waiting == 1 else f"{waiting} drawn units are"
    return (
        f"{units} not in this file and still wait; if it leaves out what is irrelevant, label "
        "them too, or estimates come out too high"
    )


def _unknown(book: Book, labels: Labels, outside: Sequence[int]) -> int:
    """Count the units that the frame does not hold; refuse them unless the file may have some."""
    rows = book.frame.find(tuple(labels.unit[i] for i in outside))
    missing = [i for i, row in zip(outside, rows.tolist(), strict=True) if row < 0]
    if missing and not labels.complete:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise LabelError(
            f"unit '{labels.unit[missing[0]]}' is not in this study{more}",
            where=where(labels, missing[0], labels.named_by),
            do="Check the id; nothing of the file was recorded",
        )
    return len(missing)


def _judgment(book: Book, labels: Labels, i: int, annotator: str) -> Judgment:
    text, note = labels.label[i].strip(), labels.note[i]
    who = annotator or labels.annotator[i]
    at = labels.at[i] or book.clock()
    state = PASSED.get(text.lower())
    if state:
        return Judgment(labels.unit[i], state, None, state, who, at, note)
    try:
        value = book.scale.value(text)
    except AliquotError as error:
        raise LabelError(error.what, where=where(labels, i, "label"), do=error.do) from None
    return Judgment(labels.unit[i], text, value, "label", who, at, note)


def _agree(labels: Labels, kept: Sequence[Judgment], places: Sequence[int]) -> None:
    """Refuse a file in which one person says two things of one unit."""
    said: dict[tuple[str, str], tuple[Judgment, int]] = {}
    for judgment, i in zip(kept, places, strict=True):
        key = (judgment.unit, judgment.annotator)
        other, first = said.setdefault(key, (judgment, i))
        if (other.value, other.state) != (judgment.value, judgment.state):
            raise LabelError(
                f"unit '{judgment.unit}' is labelled '{judgment.label}' here and '{other.label}' "
                f"in {labels.noun} {labels.line[first]}",
                where=where(labels, i, "label"),
                do="Keep one, or name the annotators; nothing of the file was recorded",
            )


def where(labels: Labels, i: int, column: str) -> str:
    """Say where a label stands."""
    head = f"{labels.path}, " if labels.path else ""
    return f"{head}{labels.noun} {labels.line[i]}, column {column}"

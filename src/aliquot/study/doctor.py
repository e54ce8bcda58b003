"""Doctor: whether the record is whole, and what this study can support."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from aliquot.core.records import DrawRow
from aliquot.study.book import Book
from aliquot.study.draw import KNOWN, again
from aliquot.study.estimate import estimate
from aliquot.study.sampling import progress

Grade = Literal["fine", "note", "problem"]


@final
@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: what was found, and what to do if anything."""

    grade: Grade
    topic: str
    text: str


def examine(book: Book, damage: Sequence[str], past: Mapping[str, Book]) -> list[Finding]:
    """Look the study over. `damage` is what the store found wrong with its file.

    `past` holds the study as its draws saw it, by the hash of the frame of then.
    """
    found = [Finding("problem", "record", text) for text in damage]
    if not damage:
        found.append(Finding("fine", "record", "the database and its references are whole"))
    found += redrawn(book, past)
    draws, judgments = book.ledger.draws(), book.ledger.judgments()
    done = progress(draws, judgments)
    if not draws:
        return [*found, Finding("note", "draws", "nothing was drawn yet: aliquot draw STUDY")]
    found.append(
        Finding(
            "fine",
            "labels",
            f"{done.drawn} units drawn, {done.judged} judged, {done.skipped} skipped or unsure, "
            f"{done.waiting} waiting",
        )
    )
    if not done.judged:
        return [*found, Finding("note", "labels", "nothing was judged yet: aliquot queue STUDY")]
    return found + _estimates(book)


def redrawn(book: Book, past: Mapping[str, Book]) -> list[Finding]:
    """Draw every batch again from the seed, and compare unit by unit."""
    found: list[Finding] = []
    draws = book.ledger.draws()
    for i, row in enumerate(draws):
        same = _same(row, again(past[row.frame_hash], row, draws[:i]))
        text = (
            f"redrawn from seed {row.seed}, bit for bit"
            if same
            else f"a new draw from seed {row.seed} is not what was recorded"
        )
        found.append(Finding("fine" if same else "problem", f"batch {row.batch}", text))
    return found


def _same(row: DrawRow, again: DrawRow) -> bool:
    first, second = row.units, again.units
    names = ("key", "pi", "conditional", "before", "stratum", "count", "order", "new")
    pairs = ((getattr(first, name), getattr(second, name)) for name in names)
    whole = all(np.array_equal(one, other) for one, other in pairs)
    kept, made = (
        {k: v for k, v in json.loads(one.params).items() if k not in KNOWN} for one in (row, again)
    )
    return whole and first.unit == second.unit and row.seed == again.seed and kept == made


def _estimates(book: Book) -> list[Finding]:
    """Say what the labels at hand can't support."""
    found, warned = [], 0
    for family in estimate(book):
        for row in family.rows:
            who = f"{row.measure} of {row.system}" if row.system else row.measure
            for text in row.warnings:
                found.append(Finding("note", who, text))
                warned += 1
    if not warned:
        found.append(Finding("fine", "estimates", "every measure of every system is supported"))
    return found

"""Relevant units that were found some other way: counts, or labels as `record` reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from aliquot.errors import UsageError
from aliquot.study.elsewhere import Elsewhere, beyond, wanted
from aliquot.wiring.results import EstimateRow, cover

if TYPE_CHECKING:
    from aliquot.io.label_rows import LabelRows
    from aliquot.study.book import Book
    from aliquot.study.estimate import Question

PASSED = ("skip", "unsure")


def rows(
    book: Book, asked: Question, given: Sequence[int] | LabelRows, how: tuple[str, float]
) -> Iterator[EstimateRow]:
    """Estimate the pool's share, then recall and F1 of every system among all that is relevant.

    `how` is the interval and its level.
    """
    shown: set[tuple[int, int]] = set()
    for measure in wanted(book, asked):
        found = _read(book, given, measure.rel)
        if (found.drawn, found.inside) not in shown:
            shown.add((found.drawn, found.inside))
            yield cover(found.row(), "default", how[1])
        for row in beyond(book, asked, measure, found):
            named = "guarded" if how[0] == "default" else how[0]
            yield cover(replace(row, terms=None), named, how[1])


def _read(book: Book, given: Sequence[int] | LabelRows, rel: int) -> Elsewhere:
    """Count the relevant units, and those of them that the frame holds."""
    if isinstance(given, Sequence):
        if len(given) != 2:
            raise UsageError("two counts are needed", do="Give (100, 63): 63 of 100 are here")
        return Elsewhere(int(given[0]), int(given[1]))
    scale = book.scale
    labels = ((unit, text.strip()) for unit, text in zip(given.unit, given.label, strict=True))
    units = tuple(u for u, text in labels if text not in PASSED and scale.value(text) >= rel)
    if not units:
        raise UsageError(
            "no unit is relevant", where=given.path, do="Give relevant units found elsewhere"
        )
    return Elsewhere(len(units), int(np.count_nonzero(book.frame.find(units) >= 0)))

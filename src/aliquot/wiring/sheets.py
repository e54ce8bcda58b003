"""What a judge is shown of units: their id and their payload, and nothing that could sway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aliquot.errors import UsageError
from aliquot.study import record as recording
from aliquot.study.book import Book
from aliquot.wiring.results import plain

INCLUDED = "included"  # the column that ASReview reads labels from


def waiting(book: Book) -> list[dict[str, Any]]:
    """Return what waits for a judgment, in order."""
    return shown(book, [one.unit for one in recording.queue(book)])


def shown(book: Book, units: Sequence[str]) -> list[dict[str, Any]]:
    """Return units with what a judge is shown of them."""
    frame = book.frame
    rows = frame.find(tuple(units))
    payload = {name: plain(frame.columns.take(name, rows)) for name in frame.payload}
    return [
        {"unit": unit} | {name: payload[name][i] for name in payload}
        for i, unit in enumerate(units)
    ]


def screening(book: Book, judgments: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return all that was drawn, batch by batch in random order, included where all said so.

    Where judges differ, passed over or have not judged yet, the cell is empty.
    """
    if book.scale.kind != "labels":
        raise UsageError(
            f"asreview has records that are included or not, and this study has {book.scale}",
            do="Use csv or jsonl",
        )
    said: dict[str, set[float | None]] = {}
    for one in judgments:
        said.setdefault(one["unit"], set()).add(one["value"])
    found = []
    for draw in book.ledger.draws():
        both = zip(draw.units.order.tolist(), draw.units.unit, draw.units.new.tolist(), strict=True)
        units = [unit for _, unit, new in sorted(both) if new]
        found += [row | {INCLUDED: _sure(said.get(row["unit"]))} for row in shown(book, units)]
    return found


def _sure(values: set[float | None] | None) -> int | None:
    """Return 1 or 0 where everybody said that."""
    only = next(iter(values)) if values is not None and len(values) == 1 else None
    return None if only is None else int(only)

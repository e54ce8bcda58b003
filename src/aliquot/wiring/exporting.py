"""Judgments out: each with the unit's probability, batch and place, as any format wants it.

Two formats are for other tools to label in: the tasks of Label Studio are what waits, in order; the
table of ASReview is all that was drawn, with the labels that there are.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from aliquot.errors import UsageError
from aliquot.io.export import write_rows
from aliquot.io.label_studio import write_tasks
from aliquot.io.qrels import write_prels, write_qrels
from aliquot.study.book import Book
from aliquot.wiring import sheets

COLUMNS = ("unit", "label", "state", "value", "annotator", "at", "note", "pi", "batch", "order")
SAMPLED = 1  # the number that prels files give to our way of choosing


def rows(book: Book) -> list[dict[str, Any]]:
    """Return every standing judgment, with the unit's newest pi and the batch it came in with."""
    draws = book.ledger.draws()
    if not draws:
        return []
    pi = dict(zip(draws[-1].units.unit, draws[-1].units.pi.tolist(), strict=True))
    place = {
        unit: (draw.batch, order)
        for draw in draws
        for unit, order in zip(draw.units.unit, draw.units.order.tolist(), strict=True)
        if order
    }
    return [
        {
            "unit": one.unit,
            "label": one.label,
            "state": one.state,
            "value": one.value,
            "annotator": one.annotator,
            "at": one.at,
            "note": one.note,
            "pi": pi[one.unit],
            "batch": place[one.unit][0],
            "order": place[one.unit][1],
        }
        for one in book.ledger.judgments()
    ]


def write(book: Book, found: list[dict[str, Any]], fmt: str, target: Path | TextIO) -> int:
    """Write judgments in a format, or units for another tool; return how many rows it has."""
    if fmt == "label-studio":
        tasks = sheets.waiting(book)
        write_tasks(tasks, target)
        return len(tasks)
    if fmt == "asreview":
        found = sheets.screening(book, found)
        _table(found, list(found[0]) if found else ["unit", "included"], "csv", target)
        return len(found)
    _judgments(book, found, fmt, target)
    return len(found)


def _judgments(book: Book, found: list[dict[str, Any]], fmt: str, target: Path | TextIO) -> None:
    if fmt in ("qrels", "prels"):
        _trec(book, found, fmt, target)
        return
    _table(found, COLUMNS, fmt, target)


def _table(
    found: list[dict[str, Any]], columns: Sequence[str], fmt: str, target: Path | TextIO
) -> None:
    if isinstance(target, Path):
        write_rows(found, columns, fmt=fmt, out=target, stdout=sys.stdout)
    else:
        write_rows(found, columns, fmt=fmt, out=None, stdout=target)


def _trec(book: Book, found: list[dict[str, Any]], fmt: str, target: Path | TextIO) -> None:
    if book.header.kind != "runs":
        raise UsageError(
            f"{fmt} has topics and documents, and this study has neither", do="Use csv or jsonl"
        )
    judged = [row for row in found if row["state"] == "label"]
    split = [(*row["unit"].split(" ", 1), str(int(row["value"]))) for row in judged]
    if fmt == "qrels":
        write_qrels(target, split)
        return
    write_prels(
        target,
        ((*one, SAMPLED, row["pi"]) for one, row in zip(split, judged, strict=True)),
    )

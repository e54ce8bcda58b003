"""Gather what a report says from an open study, and write it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import aliquot
from aliquot.errors import EstimateError, InputError, UsageError
from aliquot.intervals.base import check_level
from aliquot.io.atomic import text_sink
from aliquot.report import html, markdown
from aliquot.report.curve import Shown
from aliquot.report.facts import Facts
from aliquot.study.book import Book
from aliquot.study.doctor import Finding
from aliquot.study.sampling import Progress
from aliquot.wiring.clock import now
from aliquot.wiring.results import EstimateRow, Results, Rowlike
from aliquot.wiring.study_curve import StudyCurve

PAGES = {
    ".html": html.page,
    ".htm": html.page,
    ".md": markdown.page,
    ".markdown": markdown.page,
}
CURVES = 6  # systems whose curves are shown
CHECKED = ("record", "batch")  # what of the doctor's findings is about the record itself


class Reported(Protocol):
    """What a report needs of a study."""

    path: Path | None

    @property
    def book(self) -> Book:
        """The ledger and the frame."""

    @property
    def progress(self) -> Progress:
        """How far the judging is."""

    def estimate(self, *, level: float, over: str) -> Results[EstimateRow]:
        """Estimate every measure of every system."""

    def curve(self, system: str, *, level: float) -> StudyCurve:
        """Return precision at every rank of a system."""

    def compare(self, *, level: float, over: str) -> Rowlike:
        """Compare every two systems."""

    def doctor(self) -> list[Finding]:
        """Check that the record is whole."""


def write(
    study: Reported,
    path: str | Path,
    *,
    level: float = 0.95,
    over: str = "these",
    overwrite: bool = False,
) -> Facts:
    """Write a report on a study to a new file; its name says in which format."""
    check_level(level)
    page = PAGES.get(Path(path).suffix.lower())
    if page is None:
        raise UsageError(
            "the name of the report does not tell its format",
            where=str(path),
            do="Name it like report.html or report.md",
        )
    if os.path.lexists(path) and not overwrite:
        raise InputError(
            "there is a file already",
            where=str(path),
            do="Name another file, or overwrite it: --force (in Python overwrite=True)",
        )
    found = facts(study, level=level, over=over)
    with text_sink(path, overwrite=True) as sink:
        sink.write(page(found))
    return found


def facts(study: Reported, *, level: float, over: str) -> Facts:
    """Gather everything."""
    book, done = study.book, study.progress
    header, frame = book.header, book.frame
    return Facts(
        name=study.path.resolve().name if study.path else "study",
        made=now(),
        version=aliquot.__version__,
        seed=header.seed,
        kind=header.kind,
        scale=header.scale,
        created=header.created,
        measures=header.measures,
        units=len(frame),
        topics=len(frame.topics),
        systems=tuple((system.name, system.kind) for system in frame.systems),
        judges=tuple(name for name, _ in frame.judges),
        frame_hash=frame.hash,
        versions=book.version.version,
        draws=tuple(_draws(book)),
        progress=asdict(done),
        level=level,
        over=over,
        findings=tuple(_findings(study)),
        curves=tuple(_curves(study, level)),
        **_judged(book),
        **_estimated(study, level, over),
    )


def _curves(study: Reported, level: float) -> Iterator[Shown]:
    """Show the curve of each system that scores; of one that has none yet, nothing."""
    scored = [system.name for system in study.book.frame.systems if system.kind == "scored"]
    for name in scored[:CURVES]:
        with suppress(EstimateError, UsageError):  # nothing judged, or no label is positive
            yield study.curve(name, level=level).shown()


def _draws(book: Book) -> list[dict[str, Any]]:
    return [
        {
            "batch": draw.batch,
            "design": draw.design,
            "goal": draw.goal,
            "budget": draw.budget,
            "new": int(draw.units.new.sum()),
            "created": draw.created,
        }
        for draw in book.ledger.draws()
    ]


def _judged(book: Book) -> dict[str, Any]:
    """Count labels and annotators; labels come in the order of their numbers."""
    given = book.ledger.judgments()
    known = {one.label: one.value for one in given if one.value is not None}
    counts = Counter(one.label if one.value is not None else one.state for one in given)
    order = sorted(counts, key=lambda label: (label not in known, known.get(label) or 0.0, label))
    people = Counter(one.annotator for one in given if one.annotator)
    return {
        "labels": tuple((label, counts[label]) for label in order),
        "annotators": tuple(sorted(people.items())),
    }


def _findings(study: Reported) -> list[dict[str, Any]]:
    return [asdict(one) for one in study.doctor() if one.topic.startswith(CHECKED)]


def _estimated(study: Reported, level: float, over: str) -> dict[str, Any]:
    """Estimate and compare; where that can't be done yet, say why."""
    try:
        rows = study.estimate(level=level, over=over).rows
    except EstimateError as error:
        return {"missing": str(error)}
    found: dict[str, Any] = {"rows": tuple(_rows(rows, level))}
    try:
        compared = study.compare(level=level, over=over).to_dict()
    except EstimateError:  # one system, or none that a measure compares
        return found
    return found | {
        "tiers": tuple(compared["tiers"]),
        "differences": tuple(compared["rows"]),
    }


def _rows(rows: Sequence[EstimateRow], level: float) -> list[dict[str, Any]]:
    """Give each estimate the lower end that holds with the whole level on one side."""
    return [row.to_dict() | {"least": _least(row, level)} for row in rows]


def _least(row: EstimateRow, level: float) -> float | None:
    if level <= 0.5 or row.to_dict()["estimate"] is None:
        return None
    return row.confidence_interval(2.0 * level - 1.0)[0]

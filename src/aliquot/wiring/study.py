"""`aliquot.Study`: the verbs, in the order they happen."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, final

from aliquot.core.plan import Plan, TopUp
from aliquot.core.records import Header
from aliquot.engine import pooling, table
from aliquot.engine.draft import Draft, TableSpec
from aliquot.errors import FrameError, UsageError
from aliquot.intervals.base import check_level
from aliquot.io.label_rows import LabelRows
from aliquot.io.labels import labels_from, read_labels
from aliquot.measures.targets import check_cuts
from aliquot.report.table import card
from aliquot.store.ledger import SqliteLedger
from aliquot.study import compare as comparing
from aliquot.study import curve as curving
from aliquot.study import doctor as doctoring
from aliquot.study import draw as drawing
from aliquot.study import plan as planning
from aliquot.study import record as recording
from aliquot.study.baselines import refuse
from aliquot.study.carry import Carried, carry
from aliquot.study.estimate import Question, estimate
from aliquot.study.header import header
from aliquot.study.sampling import Progress, progress
from aliquot.wiring import elsewhere as beyond
from aliquot.wiring import folder, reporting, sheets
from aliquot.wiring.batch import Batch
from aliquot.wiring.clock import now
from aliquot.wiring.frame import Frame, cut_runs, deepest, read_units, texts, whole
from aliquot.wiring.results import Comparison, EstimateRow, Results, Row, cover
from aliquot.wiring.study_curve import StudyCurve

if TYPE_CHECKING:
    from aliquot.core.columns import Columns
    from aliquot.study.book import Book


@final
class Study:
    """One study: what was drawn, what was judged, and what follows. Use it in a `with` block.

    >>> runs = {"a": {"topic": [1, 1], "doc": ["x", "y"], "score": [2, 1]}}
    >>> with Study.in_memory(Frame.from_runs(runs), measures=["P@2"], rng=7) as study:
    ...     batch = study.draw(2)
    ...     _ = study.record({"1 x": "yes", "1 y": "no"})
    ...     study.estimate().rows[0].estimate
    0.5
    """

    def __init__(self, book: Book, path: Path | None, kind: str = "") -> None:
        self._book, self.path, self._kind = book, path, kind
        self._parts: dict[str, Columns] = {}

    @classmethod
    def create(
        cls, path: str | Path, frame: Frame, *, measures: str | Sequence[str] = (), rng: int = 0
    ) -> Study:
        """Make a study in a new directory."""
        found = _header(frame, measures, rng)
        book = folder.create(Path(path), replace(found, created=now()), frame.draft)
        return cls(book, Path(path), frame.kind)

    @classmethod
    def in_memory(cls, frame: Frame, *, measures: str | Sequence[str] = (), rng: int = 0) -> Study:
        """Make a study that is gone when the process ends."""
        found = _header(frame, measures, rng)
        book, parts = folder.in_memory(replace(found, created=now()), frame.draft)
        study = cls(book, None, frame.kind)
        study._parts = parts
        return study

    @classmethod
    def open(cls, path: str | Path) -> Study:
        """Open a study."""
        return cls(folder.open_(Path(path)), Path(path))

    @property
    def book(self) -> Book:
        """The ledger and the frame behind this study."""
        return self._book

    @property
    def progress(self) -> Progress:
        """How far the judging is."""
        return progress(self._book.ledger.draws(), self._book.ledger.judgments())

    def draw(
        self,
        budget: int,
        *,
        goal: str = "each",
        design: str = "default",
        rel: float | None = None,
    ) -> Batch:
        """Choose `budget` more units to judge, and log with which probability each was chosen.

        A strategy for curves chooses what it asks for next, no more than the budget; `rel` is the
        least grade, or number, that is positive to it.
        """
        refuse(design)
        most = whole("budget", budget)
        return Batch(drawing.draw(self._book, most, goal=goal, spelling=design, rel=rel))

    def plan(
        self, *, budget: int = 0, width: float = 0.0, goal: str = "each"
    ) -> Results[Plan | TopUp]:
        """Say what a budget would buy, or what a width would cost; nothing is changed.

        With the name of a system as goal, and labels there, it is what further labels would do.
        """
        found = planning.plan(self._book, budget=budget, width=width, goal=goal)
        return Results(tuple(found), self._kind)

    def carried(self, *systems: str) -> Results[Carried]:
        """Say how many judged units bear on each system, and what of it no draw could see."""
        names = systems or tuple(system.name for system in self._book.frame.systems)
        for name in names:
            self._book.frame.system(name)
        return Results(tuple(carry(self._book, names)), self._kind)

    def queue(self) -> Results[Row]:
        """Return what waits for a judgment, in order, with nothing that would bias a judge."""
        return Results(tuple(Row(row) for row in sheets.waiting(self._book)), self._kind)

    def record(
        self, labels: object, *, annotator: str = "", fmt: str | None = None
    ) -> recording.Recorded:
        """Record labels: a dict unit -> label, any table with unit and label, or a file."""
        return recording.record(self._book, self._read(labels, fmt), annotator=annotator)

    def _read(self, labels: object, fmt: str | None) -> LabelRows:
        name = self._book.header.id_name
        if isinstance(labels, str | os.PathLike):
            return read_labels(labels, fmt=fmt, id_name=name)
        return labels_from(labels, id_name=name)

    def estimate(  # noqa: PLR0913  (named options)
        self,
        *,
        measure: str | Sequence[str] = (),
        level: float = 0.95,
        estimator: str = "default",
        interval: str = "default",
        over: str = "these",
        elsewhere: object = None,
    ) -> Results[EstimateRow]:
        """Estimate every measure of every system, with intervals.

        `elsewhere` are relevant units found some other way, as `record` takes labels, or how many
        and how many of them are here: recall and F1 are then given among all that is relevant too.
        """
        check_level(level)
        asked = Question(_several(measure), estimator, over)
        found = estimate(self._book, asked)
        rows = [cover(row, interval, level) for one in found for row in one.rows]
        if elsewhere is not None:
            given = elsewhere if isinstance(elsewhere, tuple) else self._read(elsewhere, None)
            rows += beyond.rows(self._book, asked, given, (interval, level))
        return Results(tuple(rows), self._kind)

    def compare(  # noqa: PLR0913  (two systems and named options)
        self,
        a: str | None = None,
        b: str | None = None,
        *,
        measure: str | Sequence[str] = (),
        level: float = 0.95,
        estimator: str = "default",
        over: str = "these",
    ) -> Comparison:
        """Compare two systems, or every two."""
        if (a is None) != (b is None) or (a is not None and a == b):
            raise UsageError("a comparison needs two systems or none", do="Name both, or neither")
        pair = None if a is None or b is None else (a, b)
        asked = Question(_several(measure), estimator, over)
        found = comparing.compare(self._book, asked, pair=pair, level=level)
        return Comparison(found.rows, found.tiers)

    def curve(
        self,
        system: str,
        *,
        level: float = 0.95,
        method: str = "band",
        rel: float | None = None,
    ) -> StudyCurve:
        """Return precision at every rank of a system; the band holds at all of them at once."""
        found = curving.curve(self._book, system, level=level, method=method, rel=rel)
        return StudyCurve(found.curve, found.order)

    def report(
        self, path: str | Path, *, level: float = 0.95, over: str = "these", overwrite: bool = False
    ) -> None:
        """Write one file to read, print and mail: `.html` or `.md`."""
        reporting.write(self, path, level=level, over=over, overwrite=overwrite)

    def add_runs(
        self,
        runs: Mapping[str, object],
        *,
        depth: int | None = None,
        queries: str | None = None,
        documents: str | None = None,
    ) -> None:
        """Add rankings that did not exist when labels were drawn. Old labels count for them.

        `queries` and `documents` are files with the texts of topics and documents, as for init.
        Without `depth` the runs are read as deep as the study's measures look, and at least 100.
        """
        wanted = deepest(self._book.header.measures)
        read = cut_runs(runs, wanted if depth is None else depth)
        self.grow(pooling.more(self._book.frame, read, *texts(read, queries, documents)))

    def add_systems(self, units: object, spec: TableSpec) -> None:
        """Add systems of a table; it needs a row for every unit of the study."""
        self.grow(table.more(self._book.frame, *read_units(units, spec)))

    def grow(self, draft: Draft) -> None:
        """Append a version of the frame with what a draft adds."""
        known = {system.name for system in self._book.frame.systems}
        twice = [system.name for system in draft.systems if system.name in known]
        if twice:
            raise FrameError(
                f"this study has a system called {twice[0]} already", do="Give it another name"
            )
        for one in self._book.measures:
            check_cuts(one, ((system.name, system.cut) for system in draft.systems))
        self._book = folder.grow(self.path, self._book, draft, self._parts)

    def doctor(self) -> list[doctoring.Finding]:
        """Check that the record is whole, and say what it can support."""
        ledger = self._book.ledger
        damage = ledger.verify() if isinstance(ledger, SqliteLedger) else []
        if self.path is not None:
            damage = [*damage, *folder.damage(self.path, self._book)]
        past = folder.earlier(self.path, self._book, self._parts)
        return doctoring.examine(self._book, damage, past)

    def to_dict(self) -> dict[str, Any]:
        """Say what the study is, and how far it is."""
        header, frame = self._book.header, self._book.frame
        return {
            "study": str(self.path) if self.path else None,
            "units": len(frame),
            "systems": [system.name for system in frame.systems],
            "measures": list(header.measures),
            "scale": header.scale,
            "seed": header.seed,
            **asdict(self.progress),
        }

    def close(self) -> None:
        """Close the ledger."""
        if isinstance(self._book.ledger, SqliteLedger):
            self._book.ledger.close()

    def __enter__(self) -> Study:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        done = self.progress
        where = f"'{self.path}'" if self.path else "in memory"
        return (
            f"<Study {where}: {len(self._book.frame)} units, "
            f"{len(self._book.frame.systems)} systems, {done.judged} of {done.drawn} judged>"
        )

    def _repr_html_(self) -> str:
        return card(self.to_dict())


def _header(frame: Frame, measures: str | Sequence[str], rng: int) -> Header:
    seed, names = whole("rng", rng), _several(measures)
    return header(frame.value, frame.scale, names, seed=seed, id_name=frame.id_name)


def _several(measure: str | Sequence[str]) -> tuple[str, ...]:
    return (measure,) if isinstance(measure, str) else tuple(dict.fromkeys(measure))

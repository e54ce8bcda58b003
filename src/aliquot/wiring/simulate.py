"""Simulate on all cores: the frame is written down once, and every process opens it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

import numpy as np

from aliquot.engine import table
from aliquot.engine.draft import TableSpec
from aliquot.errors import UsageError
from aliquot.io.labels import labels_from, read_labels
from aliquot.io.tables import format_of
from aliquot.store.ledger import SqliteLedger
from aliquot.study.baselines import baseline
from aliquot.study.book import Book
from aliquot.study.header import header
from aliquot.study.labelled import Labelled, Truth, labelled
from aliquot.study.replay import Setting
from aliquot.study.scratch import again
from aliquot.study.tally import Tally
from aliquot.wiring import folder
from aliquot.wiring.clock import now
from aliquot.wiring.crew import FIRST, Crew
from aliquot.wiring.frame import Frame, read_units, whole
from aliquot.wiring.results import Results
from aliquot.wiring.workers import Progress, team

STUDY, LABELS = "study", "truth.npy"
SERIAL = 2.0  # seconds of work, as guessed, that are not worth starting processes for


@final
@dataclass(frozen=True)
class Trials:
    """What is to be tried, with what budgets or for what width, and how often."""

    setting: Setting  # its design and budget are filled in
    designs: tuple[str, ...] = ("default",)
    budgets: tuple[int, ...] = ()
    width: float = 0.0
    reps: int = 200
    measures: tuple[str, ...] = ()

    def check(self) -> None:
        """Refuse what makes no simulation."""
        if bool(self.budgets) == (self.width > 0):
            raise UsageError("a simulation needs a budget or a width, above 0", do="Give one")
        if self.reps < 2:
            raise UsageError(
                f"{self.reps} repetitions show no spread", do="Ask for 2 or more, such as 200"
            )
        if not self.designs:
            raise UsageError("there is no design to try", do="Name one, such as default")
        for name in self.designs:
            found = baseline(name)
            if self.width and found is not None and not found.covers:
                raise UsageError(
                    f"{name} has no interval, and so no width", do="Give a budget instead"
                )

    def settings(self, budgets: Sequence[int]) -> list[Setting]:
        """List every design with every budget."""
        return [
            replace(self.setting, design=name, budget=budget)
            for name in dict.fromkeys(self.designs)
            for budget in dict.fromkeys(budgets)
        ]


@final
@dataclass(frozen=True)
class Simulated:
    """The rows, what `default` stands for, and notes for people."""

    rows: tuple[Tally, ...]
    default: str | None
    notes: tuple[str, ...]


def simulate(  # noqa: PLR0913  (a frame, its truth and named options)
    frame: Frame,
    *,
    truth: object,
    designs: str | Sequence[str] = ("default",),
    budget: int | Sequence[int] = (),
    width: float = 0.0,
    measures: str | Sequence[str] = (),
    estimator: str | Sequence[str] = "default",
    interval: str | Sequence[str] = "default",
    goal: str = "each",
    level: float = 0.95,
    over: str = "these",
    reps: int = 200,
    rng: int = 0,
    processes: int = 0,
) -> Results[Tally]:
    """Try designs on a frame of which every label is known: bias, error, coverage, width, labels.

    `truth` is what `Study.record` takes: a dict unit -> label, a table, or a file. Documents of a
    pool that have no label count as the lowest one. With `width` instead of `budget`, the labels
    that each design needs are searched. The result is the same on any number of `processes`.
    """
    seed = whole("rng", rng)
    names = _several(estimator), _several(interval)
    setting = Setting("default", 0, goal, *names, level, over, seed)
    budgets = (budget,) if not isinstance(budget, Sequence) else tuple(budget)
    asked = Trials(
        setting,
        _several(designs),
        tuple(whole("budget", one) for one in budgets),
        width,
        whole("reps", reps),
        _several(measures),
    )
    given = Truth(labels_from(truth, id_name=frame.id_name))
    found = run(frame, given, asked, processes=processes)
    return Results(found.rows, frame.kind)


def run(
    frame: Frame,
    truth: Truth,
    asked: Trials,
    *,
    processes: int = 0,
    progress: Progress | None = None,
) -> Simulated:
    """Simulate, and say what is to be said beside the numbers."""
    asked.check()
    head = header(frame.value, frame.scale, asked.measures, seed=0, id_name=frame.id_name)
    with tempfile.TemporaryDirectory(prefix="aliquot-") as scratch:
        place = Path(scratch)
        book = folder.create(place / STUDY, replace(head, created=now()), frame.draft)
        world, missing = labelled(_loose(book), truth, lowest=bool(book.frame.topics))
        np.save(place / LABELS, world.labels)
        with team(processes or (0 if _heavy(world, asked) else 1)) as pool:
            crew = Crew(world, open_, str(place), pool, progress)
            if asked.budgets:
                rows = crew.budgets(asked.settings(asked.budgets), asked.reps)
            else:
                first = asked.settings([min(FIRST, len(frame))])
                rows = crew.widths(first, asked.reps, asked.width)
    notes = (*_said(world, missing, asked), *crew.notes)
    return Simulated(tuple(rows), crew.drawn.get("default"), tuple(dict.fromkeys(notes)))


def from_qrels(path: str) -> Truth:
    """Read labels for a pool of runs: qrels, unless the name says another format."""
    return Truth(read_labels(path, fmt=None if format_of(path) else "qrels"))


def from_table(path: str, spec: TableSpec, column: str) -> tuple[Frame, Truth]:
    """Read a table of units, and the labels that stand in one of its columns."""
    kept = (column,) if spec.scale.kind == "classes" else ()  # a class "007" is no 7
    found, read = read_units(path, replace(spec, payload=(*spec.payload, *kept)))
    spec = replace(read, payload=spec.payload)
    table.check_columns(found, TableSpec(column, where=spec.where))
    frame = Frame(table.draft(found, spec), spec.scale, spec.id)
    units = frame.value.names(np.arange(len(frame)))
    given = labels_from({"unit": list(units), "label": found.column(column).to_pylist()})
    return frame, Truth(replace(given, path=path, named_by=spec.id), column, spec.named)


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _loose(book: Book) -> Book:
    """Close the file behind a study, and keep what it says."""
    free = again(book, book.header.seed)
    if isinstance(book.ledger, SqliteLedger):
        book.ledger.close()
    return free


def open_(place: str) -> Labelled:
    """Open the frame that was written down, with its labels."""
    book = _loose(folder.open_(Path(place) / STUDY))
    return Labelled(book, np.load(Path(place) / LABELS))


def _heavy(world: Labelled, asked: Trials) -> bool:
    """Guess whether the work is worth starting processes for."""
    frame = world.book.frame
    rows = max(len(frame.systems), 1) * len(world.book.measures)
    one = 0.003 + 0.0003 * rows + 2e-8 * rows * len(frame)
    settings = len(asked.designs) * (len(asked.budgets) or 10)
    return asked.reps * settings * one > SERIAL


def _said(world: Labelled, missing: int, asked: Trials) -> list[str]:
    found = []
    if missing:
        scale, units = world.book.scale, len(world.labels)
        lowest = scale.names[0] if scale.names else f"{scale.low:g}"
        found.append(
            f"{missing} of {units} documents have no label; they count as {lowest}, the lowest"
        )
    if asked.setting.over != "these":
        found.append(
            "the truth is that of these units and topics; an interval for the population that they "
            "came from is wider, and covers it more often than it says"
        )
    return found

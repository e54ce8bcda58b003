"""What naming the goal saves: a pair of systems by `pair:A,B`, against a sample for each.

No table of Schnabel et al. (2016), but what their section 5.1 promises, with this tool's own
default design, estimator and intervals, in studies made and judged in memory.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import final

import numpy as np

from aliquot.intervals.base import z
from aliquot.papers import synth, trec8
from aliquot.papers.base import Cell, Reproduction, Settings
from aliquot.papers.schnabel import WITHOUT
from aliquot.wiring.frame import Frame
from aliquot.wiring.rng import generator
from aliquot.wiring.study import Study
from aliquot.wiring.workers import spread

LABELS = 400
TIMES = (1, 2, 3, 5, 10)
Runs = dict[str, object]


@final
@dataclass(frozen=True, eq=False)
class World:
    """Runs with every label known, and the two systems that are to be compared."""

    frame: Frame
    labels: dict[str, float]
    measure: str
    pair: tuple[str, str]


def small(settings: Settings) -> World:
    """Return SYNTH with 20 queries, OPT against SHIFT-7."""
    queries, names = 20, ("OPT", "SHIFT-7")
    labels = synth.labels(generator(settings.seed), rankings=queries)
    topics = np.repeat(np.arange(1, queries + 1), synth.ITEMS)
    docs = np.tile(np.arange(synth.ITEMS), queries)
    runs: Runs = {
        name: {
            "topic": topics.tolist(),
            "doc": docs.tolist(),
            "score": np.tile(-synth.ranks(name), queries).tolist(),
        }
        for name in names
    }
    units = (f"{t} {d}" for t, d in zip(topics, docs, strict=True))
    known = dict(zip(units, labels.ravel().astype(float).tolist(), strict=True))
    frame = Frame.from_runs(runs, depth=synth.ITEMS, grades="0..4")
    return World(frame, known, f"DCG(base=e)@{synth.ITEMS}", names)


def judged_runs(settings: Settings, names: tuple[str, str]) -> World:
    """Return two systems of TREC-8."""
    data = trec8.read(settings)
    runs: Runs = {}
    known: dict[str, float] = {}
    for name in names:
        units = data.units[data.names.index(name)]
        topics = np.repeat(np.arange(1, len(units) + 1), trec8.DEPTH)
        scores = np.tile(-np.arange(1, trec8.DEPTH + 1), len(units))
        docs = units.ravel()
        runs[name] = {
            "topic": topics.tolist(),
            "doc": docs.tolist(),
            "score": scores.tolist(),
        }
        known |= {f"{t} {d}": float(data.truth[d]) for t, d in zip(topics, docs, strict=True)}
    return World(Frame.from_runs(runs), known, f"DCG(base=e)@{trec8.DEPTH}", names)


@cache
def world(name: str, data: Path | None) -> World:
    """Return the runs of SYNTH or of TREC."""
    settings = Settings(data=data)
    return judged_runs(settings, ("mds08a3", "nttd8ale")) if name == "TREC" else small(settings)


@final
@dataclass(frozen=True)
class Task:
    """One repetition: which world, how many labels, and whether the goal is the pair."""

    name: str
    data: Path | None
    labels: int
    together: bool
    seed: int


def width(task: Task) -> float:
    """Return the width of a 95 % interval of the difference of two systems."""
    made = world(task.name, task.data)
    a, b = made.pair
    if task.together:
        with _judged(made, f"pair:{a},{b}", task.labels, task.seed) as study:
            return 2.0 * z(0.95) * study.compare(a, b).rows[0].stderr
    stderrs = []
    for part, name in enumerate((a, b)):
        with _judged(made, name, task.labels // 2, 2 * task.seed + part) as study:
            rows = {one.system: one.stderr for one in study.estimate()}
        stderrs.append(rows[name])
    return 2.0 * z(0.95) * math.hypot(*stderrs)


def _judged(made: World, goal: str, labels: int, seed: int) -> Study:
    study = Study.in_memory(made.frame, measures=[made.measure], rng=seed)
    batch = study.draw(labels, goal=goal)
    study.record({unit: made.labels[unit] for unit in batch.new})
    return study


def pair(settings: Settings) -> Reproduction:
    """Compare a pair with its goal named, and by two samples with many times the labels."""
    names = ("SYNTH",) if settings.data is None else ("SYNTH", "TREC")
    count, many = (1, (1, 5)) if settings.fast else (10, TIMES)
    ways = [(name, 1, True) for name in names]
    ways += [(name, times, False) for name in names for times in many]
    tasks = [
        Task(name, settings.data, times * LABELS, together, settings.seed + number)
        for name, times, together in ways
        for number in range(count)
    ]
    one = 1 if settings.fast else 0  # a process needs longer to start than a study to run
    found = list(spread(width, tasks, processes=one, what="studies", progress=settings.progress))
    means = np.array(found).reshape(len(ways), count).mean(axis=1)
    widths = dict(zip(ways, means.tolist(), strict=True))
    cells = [cell for name in names for cell in _cells(name, widths, many)]
    note = (
        f"Widths of 95 % intervals of the difference; {LABELS} distinct labels by the goal "
        "pair:A,B, against as many times that in two samples of their own. OPT and SHIFT-7 with 20 "
        "queries of SYNTH; mds08a3 and nttd8ale of TREC-8. Nothing of this is printed. "
    )
    return Reproduction(tuple(cells), note + ("" if settings.data else WITHOUT))


def _cells(
    name: str, widths: dict[tuple[str, int, bool], float], many: tuple[int, ...]
) -> list[Cell]:
    """Show the widths, and how many times the labels two samples need at least."""
    together = widths[name, 1, True]
    cells = [Cell(name, f"width, pair, {LABELS}", None, together, 0.0)]
    for times in many:
        column = f"width, two samples, {times * LABELS}"
        cells.append(Cell(name, column, None, widths[name, times, False], 0.0))
    short = [times for times in many if widths[name, times, False] > together]
    cells.append(Cell(name, "labels, more than times", None, float(max(short, default=0)), 0.0))
    square = (widths[name, 1, False] / together) ** 2
    return [*cells, Cell(name, "variance, two samples / pair", None, square, 0.0)]

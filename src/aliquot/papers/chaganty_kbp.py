"""The published comparison of joint and own draws: 69 systems, 5,000 samples (TAC KBP 2015)."""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from aliquot.core.columns import Rows
from aliquot.core.frame import Floats
from aliquot.errors import InputError
from aliquot.estimators.mixture import variance
from aliquot.estimators.weights import heuristic
from aliquot.papers.base import Cell, Reproduction, Settings
from aliquot.papers.chaganty_worlds import World, world
from aliquot.wiring.rng import generator
from aliquot.wiring.workers import spread

TEAMS = (5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 3, 2, 2, 1, 1, 1)  # runs a team: 69 in all
SAMPLES = 5_000
Z80 = 1.2815515655446004  # the released code's interval runs from the 10th to the 90th percentile
PRINTED = {"joint": 0.071, "simple": 0.123}
FACTS = 30_000


def population(rng: np.random.Generator) -> World:
    """Make teams whose runs share most of their output, and share less with other teams.

    A team has a precision of its own (mean .4) and sees part of the true facts, the well-known ones
    more often; what it gets wrong is its own. A run keeps 85 % of what its team finds.
    """
    known = rng.gamma(0.5, size=FACTS)
    outputs: list[tuple[Rows, Rows]] = []
    wrong = 0
    for runs in TEAMS:
        precision, size = rng.beta(2.0, 3.0), int(rng.integers(400, 2_000))
        right = rng.choice(
            FACTS, size=max(1, int(precision * size)), replace=False, p=known / known.sum()
        )
        errors = np.arange(wrong, wrong + size - len(right))
        wrong += len(errors)
        for _ in range(runs):
            kept = rng.random(len(right)) < 0.85, rng.random(len(errors)) < 0.85
            outputs.append((right[kept[0]], errors[kept[1]]))
    member = np.zeros((len(outputs), FACTS + wrong))
    for row, (facts, faults) in zip(member, outputs, strict=True):
        row[facts] = row[FACTS + faults] = 1.0
    return world(member, np.concatenate([np.ones(FACTS), np.zeros(wrong)]))


def widths(made: World, samples: int) -> tuple[Floats, Floats]:
    """Return the expected 80 % widths of precision with everybody's draws, and with one's own."""
    draws = np.full(len(made), samples / len(made))
    alone, both = np.eye(len(made)), []
    for i, everywhere in enumerate(made.chance):
        here = everywhere > 0  # nothing else counts for this system
        own, chance = everywhere[here], made.chance[:, here]
        sources = World(chance, made.truth[here]).sources(draws)
        mixes = (heuristic(own, chance, draws), alone[i])
        values = own * made.truth[here]
        both.append([2.0 * Z80 * np.sqrt(variance(sources, mix, values)) for mix in mixes])
    joint, simple = np.array(both).T
    return joint, simple


@final
@dataclass(frozen=True)
class Task:
    """One made population."""

    seed: int
    world: int


def one(task: Task) -> list[float]:
    """Return the mean widths of one population, and their ratio by the size of the team."""
    joint, simple = widths(population(generator(task.seed, 70, task.world)), SAMPLES)
    team = np.repeat(TEAMS, TEAMS)
    ratios = [float((joint / simple)[team == size].mean()) for size in (1, 5)]
    return [float(joint.mean()), float(simple.mean()), *ratios]


def kbp(settings: Settings) -> Reproduction:
    """Set the widths of made populations beside those published."""
    reps = 2 if settings.fast else 20
    tasks = [Task(settings.seed, i) for i in range(reps)]
    found = np.array(list(spread(one, tasks, what="worlds", progress=settings.progress)))
    mean = found.mean(axis=0)
    # print is one population, ours the mean of several
    off = 3.0 * found.std(axis=0, ddof=1) * np.sqrt(1.0 + 1.0 / reps) + 0.0005
    cells = [
        Cell("made population", f"mean width, {name}", PRINTED[name], float(mean[c]), float(off[c]))
        for c, name in enumerate(PRINTED)
    ]
    ratio = PRINTED["joint"] / PRINTED["simple"]
    ours = found[:, 0] / found[:, 1]
    error = 3.0 * float(ours.std(ddof=1)) * float(np.sqrt(1.0 + 1.0 / reps)) + 0.006
    cells.append(Cell("made population", "joint / simple", ratio, float(ours.mean()), error))
    for c, size in ((2, 1), (3, 5)):
        runs = "run" if size == 1 else "runs"
        cells.append(Cell(f"teams of {size} {runs}", "joint / simple", None, float(mean[c]), 0.0))
    if settings.data is not None:
        cells += published(settings.folder("kbp"))
    return Reproduction(
        tuple(cells),
        f"{len(TEAMS)} teams with {sum(TEAMS)} runs, {SAMPLES:,} draws in all, {reps} populations; "
        "widths of 80 % intervals, which is what the released code's 10th to 90th percentile is "
        "(the text says 90 %). No judged item was published, so the population is made: sizes of "
        "teams as published, a precision of .4 on average, runs that share most with their team",
    )


def published(folder: Path) -> list[Cell]:
    """Return the printed means, taken again of the published tables."""
    cells = []
    for name, printed in PRINTED.items():
        rows = _rows(folder / f"{name}.tsv.gz")
        mean = sum(rows) / len(rows)
        cells.append(Cell("published table", f"mean width, {name}", printed, mean, 0.0005))
        cells.append(Cell("published table", f"systems, {name}", 69.0, float(len(rows)), 0.0))
    return cells


def _rows(path: Path) -> list[float]:
    """Read the widths of precision of one table."""
    if not path.is_file():
        raise InputError("there is no such table", where=str(path), do="Check --data DIR")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        lines = csv.DictReader(file, delimiter="\t")
        try:
            return [float(line["p_lrange"]) + float(line["p_rrange"]) for line in lines]
        except (KeyError, ValueError, TypeError):
            raise InputError(
                "p_lrange and p_rrange are not two columns of numbers",
                where=f"{path}, line {lines.line_num}",
                do="Give the published table as it is",
            ) from None

"""Toy frames: small, made of arrays, with the label of every unit known.

Each is the same on every machine: what looks random in it comes from permanent random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from aliquot.core import prn
from aliquot.core.columns import Array, ArrayColumns, Rows
from aliquot.core.frame import KEY, STRATUM, TOPIC, UNIT, Floats, Frame, System
from aliquot.core.scale import Scale, scale
from aliquot.measures.registry import measure
from aliquot.measures.targets import Family, family


@final
@dataclass(frozen=True, eq=False)
class Toy:
    """A frame, its scale, the label of every unit, and the measures that make sense of it."""

    frame: Frame
    scale: Scale
    labels: Floats
    measures: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.frame)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The name of each unit, row by row."""
        return self.frame.names(np.arange(len(self)))

    def family(self, spelled: str) -> Family:
        """Return one measure of the systems that it applies to."""
        return family(measure(spelled), self.frame, self.scale)

    def families(self) -> tuple[Family, ...]:
        """Return all its measures."""
        return tuple(self.family(spelled) for spelled in self.measures)

    def permuted(self, order: Rows) -> Toy:
        """Return the same units in another order: row i is what row `order[i]` was."""
        columns = self.frame.columns
        arrays = {name: columns.take(name, order) for name in columns.names}
        systems = tuple(_moved(system, np.argsort(order)) for system in self.frame.systems)
        frame = replace(self.frame, columns=ArrayColumns(arrays), systems=systems)
        return replace(self, frame=frame, labels=self.labels[order])


def rankings(topics: int = 2, documents: int = 5, *, depth: int = 2, systems: int = 2) -> Toy:
    """Rankings over topics, pooled: units are topics with documents, labels are grades 0 to 3.

    Each system sees the quality of a document through its own noise. What none of them ranks by
    `depth` is not in the pool.
    """
    units = tuple(f"{t} d{d}" for t in range(topics) for d in range(documents))
    topic = np.repeat(np.arange(topics), documents)
    quality = _noise(units, "quality")
    ranks = []
    for s in range(systems):
        seen = quality + _noise(units, f"system {s}")
        order = np.lexsort((-seen, topic))
        rank = np.empty(len(units), dtype=np.int32)
        rank[order] = np.tile(np.arange(1, documents + 1), topics)
        ranks.append(np.where(rank <= depth, rank, 0).astype(np.int32))
    pooled = np.flatnonzero(np.any(ranks, axis=0))
    made = tuple(_ranking(f"run{s}", rank[pooled]) for s, rank in enumerate(ranks))
    columns = _columns(tuple(units[i] for i in pooled), {TOPIC: topic[pooled].astype(np.int32)})
    frame = Frame(columns, made, topics=tuple(str(t) for t in range(topics)))
    labels = np.digitize(quality[pooled], (0.0, 0.3, 0.6)).astype(np.float64)
    return Toy(frame, scale("grades(0..3)"), labels, (f"P@{depth}", f"DCG@{depth}", f"R@{depth}"))


def scored(units: int = 6, *, positives: float = 0.3) -> Toy:
    """A table with two scores, each with a threshold, and labels no or yes.

    Scores are honest probabilities seen through a little noise: svm through less than bayes.
    """
    names = _names(units)
    odds = 2.5 * _noise(names, "odds") + np.log(positives / (1.0 - positives))
    chance = _expit(odds)
    labels = (prn.uniform(prn.keys(names), "toy: label") < chance).astype(np.float64)
    scores = {
        "@scored:svm": _expit(odds + 0.5 * _noise(names, "svm")),
        "@scored:bayes": _expit(odds + 1.5 * _noise(names, "bayes")),
    }
    systems = tuple(
        System(column.partition(":")[2], "scored", column, threshold=0.4) for column in scores
    )
    frame = Frame(_columns(names, scores), systems)
    spelled = ("Precision", "Recall", "F1", "F(beta=2)", "Accuracy", "Mean")
    return Toy(frame, scale("labels(no,yes)"), labels, spelled)


def predicted(units: int = 6) -> Toy:
    """A table of items with one of three classes, and two systems that predict it."""
    names = _names(units)
    keys = prn.keys(names)
    labels = np.floor(3.0 * prn.uniform(keys, "toy: class"))
    columns = {}
    for name, right in (("first", 0.8), ("second", 0.5)):
        guess = np.floor(3.0 * prn.uniform(keys, f"toy: guess {name}"))
        sure = prn.uniform(keys, f"toy: sure {name}") < right
        columns[f"@predicted:{name}"] = np.where(sure, labels, guess)
    systems = tuple(System(c.partition(":")[2], "predicted", c) for c in columns)
    frame = Frame(_columns(names, columns), systems)
    return Toy(frame, scale("classes(a,b,c)"), labels, ("Accuracy",))


def graded(units: int = 6, *, labels: str = "grades(0..4)") -> Toy:
    """A table of items without any system, in two strata, with grades or numbers as labels."""
    names, made = _names(units), scale(labels)
    share = 0.5 + 0.5 * _noise(names, "grade")
    value = made.low + (made.high - made.low) * share
    value = np.round(value) if made.kind == "grades" else value
    half = (np.arange(units) >= units // 2).astype(np.int64)
    frame = Frame(_columns(names, {STRATUM: half}), stratum=STRATUM)
    return Toy(frame, made, value, ("Mean",))


def guessed(units: int = 6) -> Toy:
    """A table of items with a number from 0 to 10 each, and two systems that predict it."""
    names = _names(units)
    truth = 5.0 + 5.0 * _noise(names, "number")
    columns = {
        f"@predicted:{name}": np.clip(truth + spread * _noise(names, f"off {name}"), 0.0, 10.0)
        for name, spread in (("near", 1.0), ("far", 4.0))
    }
    systems = tuple(System(c.partition(":")[2], "predicted", c) for c in columns)
    return Toy(Frame(_columns(names, columns), systems), scale("number(0..10)"), truth, ("MAE",))


def _columns(units: tuple[str, ...], more: Mapping[str, Array]) -> ArrayColumns:
    names = np.array(units, dtype=object)
    return ArrayColumns({UNIT: names, KEY: prn.keys(units), **more})


def _names(count: int) -> tuple[str, ...]:
    return tuple(f"g{i}" for i in range(count))


def _noise(units: tuple[str, ...], what: str) -> Floats:
    """Return numbers between -1 and 1, denser in the middle: two uniform ones, added."""
    keys = prn.keys(units)
    both = prn.uniform(keys, f"toy: {what} 1") + prn.uniform(keys, f"toy: {what} 2")
    found: Floats = both - 1.0
    return found


def _expit(x: Floats) -> Floats:
    found: Floats = 1.0 / (1.0 + np.exp(-x))
    return found


def _ranking(name: str, rank: Array) -> System:
    rows = np.flatnonzero(rank)
    return System(name, "ranking", rows=rows, ranks=rank[rows])


def _moved(system: System, place: Rows) -> System:
    """Return a system whose unit in row i stands in row `place[i]` now."""
    if system.kind != "ranking":
        return system
    rows = place[system.rows]
    order = np.argsort(rows)
    return replace(system, rows=rows[order], ranks=system.ranks[order])

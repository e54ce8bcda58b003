"""Targets: which measure of which system, and their influences over a block of units at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.frame import Block, Frame, Output, System
from aliquot.core.scale import Scale
from aliquot.errors import FrameError
from aliquot.measures.base import Floats, Items, Measure, accumulate, influence
from aliquot.measures.weighing import group_shares

LARGEST = 1e50  # its fourth power is a number too
_NEEDS = {
    "rank": "systems that rank (runs)",
    "retrieved": "systems that retrieve a set (a threshold, a 0/1 column or runs)",
    "predicted": "systems that predict a label (a label column, a threshold or a 0/1 column)",
}


def applies(measure: Measure, system: System) -> bool:
    """Whether a measure can be taken of a system."""
    if measure.needs == "rank":
        return system.kind == "ranking"
    if measure.needs == "retrieved":
        return system.retrieves
    if measure.needs == "predicted":
        return system.kind in ("predicted", "retrieved") or system.threshold is not None
    return False


@final
@dataclass(frozen=True, eq=False)
class Family:
    """One measure of all the systems it applies to; of none, where it needs none."""

    measure: Measure
    systems: tuple[System, ...]
    topic_count: int
    scale: Scale
    shares: tuple[Floats, ...] = ()  # a macro average: the weight of a unit of each group

    @property
    def names(self) -> tuple[str, ...]:
        """The systems' names; one empty name where the measure needs no system."""
        return tuple(system.name for system in self.systems) or ("",)

    def items(self, block: Block) -> list[Items]:
        """The block as the measure sees it, one entry a system."""
        outputs = [system.output(block) for system in self.systems] or [Output()]
        high = self.scale.high
        topics, count, by = block.topics, self.topic_count, self.measure.weighing
        if not by:
            return [Items(output, topics, count, high) for output in outputs]
        shares = self.shares or (np.empty(0),) * len(outputs)
        return [
            Items(output, topics, count, high, by.weights(block, share))
            for output, share in zip(outputs, shares, strict=True)
        ]

    @property
    def inner(self) -> bool:
        """Whether a unit may bear most, or least, on the measure at a label between the ends."""
        return self.measure.needs == "predicted" and self.scale.kind in ("grades", "number")

    def labels(self, items: Items) -> list[Floats]:
        """The labels at which contributions are largest or smallest: the ends, and predictions."""
        ends: list[Floats] = list(levels(self.scale))
        predicted = items.output.predicted
        return [*ends, predicted] if self.inner and predicted is not None else ends

    def known(self, frame: Frame) -> Floats:
        """Sum the known totals over the frame: shape (S, K)."""
        if not self.measure.counts:
            return np.zeros((len(self.names), 0))
        total: Floats | None = None
        for block in frame.blocks(self.systems):
            part = np.stack([self.measure.constants(i).sum(axis=1) for i in self.items(block)])
            total = part if total is None else total + part
        return np.zeros((len(self.names), 0)) if total is None else total

    def totals(self, block: Block, y: Floats, weights: Floats) -> list[Floats]:
        """Sum the weighted contributions of a block, one entry a system."""
        return [
            accumulate(self.measure, i, self.measure.contributions(i, y) * weights)
            for i in self.items(block)
        ]

    def summed(self, block: Block, y: Floats) -> list[Floats]:
        """Return the totals of a block whose labels are all known, one entry a system."""
        return [self.measure.summed(i, y) for i in self.items(block)]

    def influences(self, block: Block, gradients: list[Floats], y: Floats | None) -> Floats:
        """Return psi, shape (S, n), at the labels y; None stands for what each system predicts."""
        return np.stack(
            [
                influence(self.measure, i, gradient, self.measure.contributions(i, _at(i, y)))
                for i, gradient in zip(self.items(block), gradients, strict=True)
            ]
        )


def _at(items: Items, y: Floats | None) -> Floats:
    if y is not None:
        return y
    return np.zeros(len(items)) if items.output.predicted is None else items.output.predicted


def family(measure: Measure, frame: Frame, scale: Scale) -> Family:
    """Build the family of one measure, or say why it can't be measured here."""
    if scale.kind == "classes" and not measure.classes:
        raise FrameError(
            f"{measure} needs labels that are numbers, and classes are not",
            do="Use Accuracy, or a scale of labels or grades",
        )
    systems = tuple(system for system in frame.systems if applies(measure, system))
    if not systems and measure.needs != "nothing":
        told = measure.needs == "retrieved" and any(s.kind == "predicted" for s in frame.systems)
        raise FrameError(
            f"{measure} needs {_NEEDS[measure.needs]}, and there are none",
            do="Name a 0/1 column of predictions with --retrieved"
            if told
            else "Add one or drop it",
        )
    check_cuts(measure, ((system.name, system.cut) for system in systems))
    least = getattr(measure, "rel", scale.high)
    if least > scale.high:
        raise FrameError(
            f"{measure} counts labels from {least}, and {scale} has none so high",
            do="Lower its rel, or use a scale that goes further",
        )
    if max(map(abs, measure.bounds(scale.low, scale.high))) > LARGEST:
        raise FrameError(
            f"{measure} of {scale} is too large to calculate with", do="Use a smaller scale"
        )
    return Family(measure, systems, frame.topic_count, scale, _shares(measure, systems, frame))


def _shares(measure: Measure, systems: tuple[System, ...], frame: Frame) -> tuple[Floats, ...]:
    """Return the weight of a unit of each group in each system's output, for a macro average."""
    by = measure.weighing
    if by and by.stored not in frame.columns.names:
        option = "group" if by.kind == "macro" else "weight"
        raise FrameError(
            f"{measure} needs a column '{by.column}' of {option}s, and the study has none",
            do=f"Make the study with --{option} {by.column}",
        )
    if by.kind != "macro":
        return ()
    found = []
    for system in systems or (None,):
        picked = measure.needs == "retrieved" and system is not None
        key = (by.stored, system.name if picked and system is not None else "")
        if key not in frame.known:
            frame.known[key] = group_shares(_counts(frame, by.stored, system if picked else None))
        found.append(frame.known[key])
    return tuple(found)


def _counts(frame: Frame, column: str, system: System | None) -> NDArray[np.int64]:
    """Count the units of each group, of those that a system retrieves where one is given."""
    found = np.zeros(0, dtype=np.int64)
    for block in frame.blocks(() if system is None else (system,)):
        codes = block.data[column].astype(np.int64)
        if system is not None:
            retrieved = system.output(block).retrieved
            codes = codes[:0] if retrieved is None else codes[retrieved]
        here = np.bincount(codes, minlength=len(found))
        here[: len(found)] += found
        found = here
    total = int(frame.columns.whole(column).max()) + 1 if len(frame) else 0
    return np.concatenate([found, np.zeros(max(total - len(found), 0), dtype=np.int64)])


def check_cuts(measure: Measure, cuts: Iterable[tuple[str, int]]) -> None:
    """Refuse a measure that looks deeper than a ranking was kept: what was cut is unknown."""
    for name, cut in cuts:
        if 0 < cut < measure.depth:
            raise FrameError(
                f"{measure} looks at {measure.depth} ranks, and the run of {name} was cut after "
                f"{cut}",
                do=f"Read the run with a depth of {measure.depth}, or look less deep",
            )


def levels(scale: Scale) -> NDArray[np.float64]:
    """Return the labels at which influences are taken: the two ends, or every class."""
    both = scale.levels if scale.kind == "classes" else (scale.low, scale.high)
    return np.array(both, dtype=np.float64)

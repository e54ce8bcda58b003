"""A frame of which every label is known: the truth that a simulation is held against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.columns import Rows
from aliquot.core.frame import Block, Floats
from aliquot.core.scale import PASSED, Scale
from aliquot.errors import AliquotError, LabelError
from aliquot.measures.targets import Family
from aliquot.study.book import Book
from aliquot.study.record import Labels, where


@final
@dataclass(frozen=True, eq=False)
class Labelled:
    """A study's frame with the number of each unit's label, one a row."""

    book: Book
    labels: Floats

    @property
    def families(self) -> tuple[Family, ...]:
        """Each measure that is estimated, and not only counted."""
        return tuple(f for f in self.book.families() if f.measure.name != "Judged")

    def truths(self, family: Family) -> Floats:
        """Return the measure of each system, every unit judged."""
        return self.book.whole.once(lambda: self._truths(family), "truth", str(family.measure))

    def known(self, family: Family) -> Floats:
        """Return the totals that need no label, shape (S, K)."""
        frame = self.book.frame
        return self.book.whole.once(lambda: family.known(frame), "known", str(family.measure))

    def _truths(self, family: Family) -> Floats:
        frame = self.book.frame
        if family.measure.pairs:
            return self._paired(family, self.labels)
        totals = _summed(family, frame.blocks(family.systems), self.labels)
        return values(family, totals, self.known(family))

    def _paired(self, family: Family, labels: Floats) -> Floats:
        """Return a measure over pairs of each system: both units of a pair must be at hand."""
        frame = self.book.frame
        whole = next(frame.blocks(family.systems, size=max(len(frame), 1)))
        return values(family, family.summed(whole, labels), self.known(family))

    def lowest(self, family: Family, rows: Rows) -> Floats:
        """Return the measure of each system if some rows are judged, the others the lowest."""
        frame, low = self.book.frame, np.full(len(self.labels), self.book.scale.low)
        if family.measure.pairs:
            low[rows] = self.labels[rows]
            return self._paired(family, low)
        base = self.book.whole.once(
            lambda: _summed(family, frame.blocks(family.systems), low), "low", str(family.measure)
        )
        judged = frame.block(rows, family.systems)
        more, less = (_summed(family, [judged], labels) for labels in (self.labels, low))
        totals = [b + m - s for b, m, s in zip(base, more, less, strict=True)]
        return values(family, totals, self.known(family))


def values(family: Family, totals: Sequence[Floats], known: Floats) -> Floats:
    """Return g(L, K) of each system."""
    pairs = zip(totals, known, strict=True)
    return np.array([family.measure.value(total, k) for total, k in pairs], dtype=np.float64)


def _summed(family: Family, blocks: Iterable[Block], labels: Floats) -> list[Floats]:
    totals = [np.zeros(1) for _ in family.names]
    for block in blocks:
        part = family.totals(block, labels[block.rows], np.ones(len(block.rows)))
        totals = [a + b for a, b in zip(totals, part, strict=True)]
    return totals


@final
@dataclass(frozen=True, eq=False)
class Truth:
    """The labels that count as true, the column that they stand in, and what a row is called."""

    given: Labels
    column: str = "label"
    named: Callable[[int], str] | None = None

    def where(self, i: int, column: str = "") -> str:
        """Say where a label stands."""
        if self.named is None:
            return where(self.given, i, column or self.column)
        row = self.named(self.given.line[i] - 1)
        return f"{self.given.path}, {row}, column {column or self.column}"

    def values(self, scale: Scale) -> list[float]:
        """Return the number of each label."""
        known: dict[str, float] = {}
        for i, text in enumerate(self.given.label):
            if text not in known:
                known[text] = self._value(scale, text.strip(), i)
        return [known[text] for text in self.given.label]

    def _value(self, scale: Scale, text: str, i: int) -> float:
        if text.lower() in PASSED:
            raise LabelError(
                f"'{text}' says nothing of the unit's label",
                where=self.where(i),
                do="A simulation needs the label of every unit: fill it in, or drop the unit",
            )
        try:
            return scale.value(text)
        except AliquotError as error:
            do = error.do.replace(", skip or unsure", "")
            raise LabelError(error.what, where=self.where(i), do=do) from None


def labelled(book: Book, truth: Truth, *, lowest: bool) -> tuple[Labelled, int]:
    """Match labels with units; return how many units had none.

    A pool's unjudged documents count as the lowest label, as everywhere, if `lowest` says so;
    otherwise every unit needs one.
    """
    frame, given = book.frame, truth.given
    rows = frame.find(tuple(given.unit))
    if (rows < 0).any() and not given.complete:
        i = int(np.flatnonzero(rows < 0)[0])
        raise LabelError(
            f"unit '{given.unit[i]}' is not among the {len(frame)} units",
            where=truth.where(i, given.named_by),
            do="Check the id, or leave the label out",
        )
    labels = np.full(len(frame), np.nan)
    inside = rows >= 0
    values = np.array(truth.values(book.scale), dtype=np.float64)
    labels[rows[inside]] = values[inside]
    other = np.flatnonzero(inside & (labels[rows] != values))
    if len(other):
        i = int(other[0])
        raise LabelError(
            f"unit '{given.unit[i]}' has two different labels",
            where=truth.where(i),
            do="Give each unit one label: the one that counts as true",
        )
    missing = np.flatnonzero(np.isnan(labels))
    if len(missing) and (not lowest or len(missing) == len(frame)):
        raise LabelError(
            f"{len(missing)} of {len(frame)} units have no label, such as "
            f"'{frame.names(missing[:1])[0]}'",
            where=given.path,
            do="A simulation needs the label of every unit: fill them in, or drop these units",
        )
    labels[missing] = book.scale.low
    return Labelled(book, labels), len(missing)

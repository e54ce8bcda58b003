"""Which old judgments carry over to a system, and what of its output no draw could have chosen."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from aliquot.study.book import Book
from aliquot.study.reach import Chances, bearings


@final
@dataclass(frozen=True)
class Carried:
    """How many judged units bear on a measure of a system, and the share of weight out of reach."""

    system: str
    measure: str
    carried: int
    unseen: float

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dict."""
        return asdict(self)


def judged(book: Book) -> NDArray[np.bool_]:
    """Mark the rows of the frame that have a label."""
    found = np.zeros(len(book.frame), dtype=np.bool_)
    draws = book.ledger.draws()
    if draws:
        labelled = {j.unit for j in book.ledger.judgments() if j.state == "label"}
        units = draws[-1].units
        some = np.array([unit in labelled for unit in units.unit], dtype=np.bool_)
        found[book.frame.locate(units.key[some])] = True
    return found


def carry(book: Book, names: Collection[str]) -> list[Carried]:
    """Look at these systems, measure by measure; nothing to say before the first draw."""
    if not book.ledger.draws():
        return []
    pi, labelled, found = Chances(book, 1.0).pi, judged(book), []
    for family in book.families():
        if family.measure.name == "Judged" or not set(names) & set(family.names):
            continue
        total, missed, count = np.zeros((3, len(family.names)))
        for some in bearings(book, family):
            own = np.abs(some.c).sum(axis=1).max(axis=0)
            total += some.sums(own)
            missed += some.sums(own * (pi[some.rows] <= 0))
            count += some.sums(labelled[some.rows].astype(np.float64))
        share = np.divide(missed, total, out=np.zeros(len(total)), where=total > 0)
        found += [
            Carried(name, str(family.measure), int(n), float(one))
            for name, n, one in zip(family.names, count, share, strict=True)
            if name in names
        ]
    return found

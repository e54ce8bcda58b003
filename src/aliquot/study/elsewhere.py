"""Recall beyond the frame: relevant units that were found some other way say what the pool lacks.

Recall is `theta nu` (Chaganty et al. 2017): nu within the pool, as labels say it, and theta the
pool's share of what is relevant, from a sample of relevant units that was drawn elsewhere. The
variance is that of Theorem 3, corrected: `slope^2 Var theta + Var + Var Var theta / theta^2`, Var
that of the estimate with theta known and slope its derivative by theta.
**The sample of relevant units is random, and independent of the draws of the study.**
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from aliquot.core.estimate import Estimate
from aliquot.errors import UsageError
from aliquot.measures.registry import measure
from aliquot.measures.sets import F, Recall
from aliquot.study.book import Book
from aliquot.study.estimate import Question, estimate

STEP = 1e-3
FEW = 30


@final
@dataclass(frozen=True)
class Elsewhere:
    """So many relevant units were drawn elsewhere, and so many of them are in the frame.

    >>> Elsewhere(100, 63).theta
    0.63
    """

    drawn: int
    inside: int

    def __post_init__(self) -> None:
        if not 0 <= self.inside <= self.drawn or self.drawn < 2:
            raise UsageError(
                f"{self.inside} of {self.drawn} relevant units say no share",
                do="Give how many were found elsewhere, 2 or more, and how many of them are here",
            )
        if not self.inside:
            raise UsageError(
                "none of the relevant units found elsewhere is in the study",
                do="Recall can't be told from 0: check the ids, or add what the systems return",
            )

    @property
    def theta(self) -> float:
        """The pool's share of what is relevant."""
        return self.inside / self.drawn

    @property
    def variance(self) -> float:
        """The variance of theta: `theta (1 - theta) / (n - 1)`, or Jeffreys' where it is larger."""
        a, b = self.inside + 0.5, self.drawn - self.inside + 0.5
        plain = self.theta * (1.0 - self.theta) / (self.drawn - 1)
        return max(plain, a * b / ((a + b) ** 2 * (a + b + 1.0)))

    def row(self) -> Estimate:
        """Return theta as an estimate."""
        n = float(self.drawn)
        return Estimate(
            "", "Pool", self.theta, self.variance**0.5, self.drawn, n, "mean", "design-unbiased",
            weight=1.0 / n, reach=1.0 / n, shape="share", warnings=self.warnings,
        )  # fmt: skip

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be said of few units."""
        few = f"only {self.drawn} relevant units from elsewhere: the interval is not firm"
        return (few,) if self.drawn < FEW else ()


def wanted(book: Book, asked: Question) -> list[Recall | F]:
    """Return the measures that rest on what is relevant anywhere."""
    texts = asked.measures or book.header.measures
    found = [
        m for m in map(measure, texts) if isinstance(m, Recall | F) and m.pool == 1.0 and not m.by
    ]
    if not found:
        raise UsageError(
            "units from elsewhere are for Recall and F1, and neither is measured",
            do="Add --measure Recall",
        )
    return found


def beyond(book: Book, asked: Question, found: Recall | F, other: Elsewhere) -> list[Estimate]:
    """Estimate a measure of every system among all that is relevant, in the frame or not."""
    theta = other.theta
    up, down = min(theta * (1.0 + STEP), 1.0), theta * (1.0 - STEP)
    here, high, low = (_rows(book, asked, found, share) for share in (theta, up, down))
    rows = []
    for row, more, less in zip(here, high, low, strict=True):
        slope = (more.estimate - less.estimate) / (up - down)
        variance = row.stderr**2 * (1.0 + other.variance / theta**2) + slope**2 * other.variance
        warnings = (*row.warnings, *other.warnings)
        stderr = float(np.sqrt(variance))
        wide = replace(row, stderr=stderr, guarantee="design-consistent", warnings=warnings)
        rows.append(replace(wide, cells=None))  # counts within the frame say nothing of theta
    return rows


def _rows(book: Book, asked: Question, found: Recall | F, theta: float) -> Sequence[Estimate]:
    share = replace(asked, measures=(str(replace(found, pool=theta)),))
    return [row for one in estimate(book, share) for row in one.rows]

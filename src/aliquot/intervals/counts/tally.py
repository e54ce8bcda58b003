"""Counts as a person gives them: N units, n sampled, r relevant, and a that could be assessed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from aliquot.core.frame import Floats
from aliquot.errors import AliquotError, UsageError
from aliquot.intervals.betabin import Strata
from aliquot.intervals.counts.base import Question
from aliquot.intervals.posterior import Side

Row = Sequence[float]
Rows = Row | Iterable[Row]
NAMES = ("N", "n", "r", "a")
LARGEST = 1e12


@final
@dataclass(frozen=True, eq=False)
class Tally:
    """Counts by stratum. Unassessable units stay in n: they are sampled and not relevant.

    >>> Tally.of([(100, 10, 4, 8)]).assessed().N
    array([80.])
    """

    N: Floats
    n: Floats
    r: Floats
    a: Floats

    @classmethod
    def of(cls, rows: Rows, where: str = "counts") -> Tally:
        """Check one row or several; three numbers mean that every sampled unit was assessed."""
        listed = list(rows)
        alone = [one for one in listed if isinstance(one, int | float | np.number)]
        if alone:
            listed = [alone]
        checked = [_row(np.asarray(row, float).tolist(), where) for row in listed]
        columns = np.array(checked, float).reshape(-1, 4).T
        return cls(*columns)

    def whole(self) -> Strata:
        """Return the strata with every sampled unit in n."""
        return Strata.of(self.N, self.n, self.r)

    def assessed(self) -> Strata:
        """Return the part that could be assessed: `N a / n` units, a sampled, r relevant."""
        share = np.divide(self.a, self.n, out=np.ones(self.n.size), where=self.n > 0)
        return Strata.of(np.maximum(self.N * share, self.a), self.a, self.r)


def _row(row: Row, where: str) -> Row:
    numbers = tuple(row)
    if len(numbers) not in (3, 4):
        raise UsageError(f"{len(numbers)} numbers", where=where, do="Give N,n,r or N,n,r,a")
    return check(numbers if len(numbers) == 4 else (*numbers, numbers[1]), where)


def check(row: Row, where: str, kind: type[AliquotError] = UsageError) -> Row:
    """Return N, n, r, a if they can be counts of one stratum.

    >>> check((100, 20, 30, 20), "retrieved")
    Traceback (most recent call last):
    aliquot.errors.UsageError: retrieved: r = 30 is more than n = 20. It counts among those.
    """
    for name, value in zip(NAMES, row, strict=True):
        if not math.isfinite(value) or value < 0 or value != int(value):
            raise kind(
                f"{name} = {value:g} is no count", where=where, do="Use whole numbers from 0"
            )
        if value > LARGEST:
            raise kind(f"{name} = {value:g} is too large", where=where, do="Use at most 1e12")
    N, n, r, a = row
    shown = "n" if a == n else "a"
    pairs = (("n", n, "N", N), ("a", a, "n", n), ("r", r, shown, a))
    for name, value, of, whole in pairs:
        if value > whole:
            what = f"{name} = {value:g} is more than {of} = {whole:g}"
            raise kind(what, where=where, do="It counts among those")
    if N > 0 and n == 0:
        what = f"n = 0: nothing was sampled of N = {N:g}"
        raise kind(what, where=where, do="Sample it, or leave it out and say so")
    return row


def question(
    measure: str,
    parts: tuple[Tally, Tally],
    *,
    weight: float = 1.0,
    level: float = 0.95,
    side: Side = "two",
) -> Question:
    """Ask for a measure of what is retrieved and what is not.

    Precision and F are among what could be assessed: relevant `N r / n`, not relevant
    `N (a - r) / n` (TREC Legal Track). Everything else is among all units.
    """
    one, other = parts
    among = one.assessed() if measure in ("precision", "f1") else one.whole()
    made = Question(measure, among, other.whole(), weight, level, side)
    if made.strata.size == 0:
        raise UsageError(f"no unit for {measure}", do="Give counts with N above 0")
    return made

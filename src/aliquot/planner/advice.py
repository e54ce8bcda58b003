"""Advice on two segments: the best allocation, and what another one would cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from aliquot.errors import UsageError
from aliquot.planner.allocation import (
    Allocation,
    allocate,
    best,
    curve,
    labels,
    largest,
    possible,
    smallest,
    split,
)
from aliquot.planner.segments import ALONE, Claim, Guess

SHOWN = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@final
@dataclass(frozen=True)
class Advice:
    """The best allocation of labels to two segments, and others beside it, by share.

    `halved` and `doubled` are those that give the retrieved half and twice the best share.
    """

    measure: str
    level: float
    best: Allocation
    rows: tuple[Allocation, ...]
    halved: Allocation | None = None
    doubled: Allocation | None = None

    def wider(self, one: Allocation) -> float:
        """Return how much wider an allocation is than the best, in proportion."""
        return one.width / self.best.width - 1.0 if self.best.width > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return what is known of each allocation."""
        return {
            "measure": self.measure,
            "level": self.level,
            "best": self._row(self.best),
            "rows": [self._row(one) for one in self.rows],
        }

    def _row(self, one: Allocation) -> dict[str, Any]:
        return {
            "design": "two segments",
            "measure": self.measure,
            "estimator": "ratio" if self.measure in ("recall", "f1") else "mean",
            "interval": "betabin-half",
            "labels": one.labels,
            "retrieved": one.retrieved,
            "unretrieved": one.unretrieved,
            "share": one.share,
            "width": one.width,
            "wider": self.wider(one),
            "best": one == self.best,
        }


def advise(claim: Claim, guess: Guess, *, budget: int = 0, width: float = 0.0) -> Advice:
    """Say how to share a budget, or which labels a width needs.

    >>> guess = Guess.of((300, 200), (2_000, 60))
    >>> found = advise(Claim("recall"), guess, budget=300)
    >>> found.best.labels, round(found.best.width, 2)
    (300, 0.23)
    """
    if (budget > 0) == (width > 0):
        raise UsageError("a plan needs a budget or a width, above 0", do="Give one of them")
    _check(claim, guess, budget)
    if budget:
        found = best(claim, guess, min(budget, largest(claim, guess)))
    else:
        found = labels(claim, guess, width)
    if claim.measure in ALONE:
        return Advice(claim.measure, claim.level, found, (found,))
    others = curve(claim, guess, found.labels, SHOWN)
    rows = {one.retrieved: one for one in [*others, found]}
    least = min(rows.values(), key=lambda one: one.width)
    sides = [_near(claim, guess, least, step) for step in (0.5, 2.0)]
    shown = tuple(rows[n] for n in sorted(rows))
    return Advice(claim.measure, claim.level, least, shown, *sides)


def _near(claim: Claim, guess: Guess, least: Allocation, step: float) -> Allocation | None:
    """Return the allocation with so many times the labels for the retrieved, if there is one."""
    n1 = round(least.retrieved * step)
    low, high = possible(claim, guess, least.labels)
    if not low <= n1 <= high or n1 == least.retrieved:
        return None
    return allocate(claim, guess, split(claim, guess, n1, least.labels))


def _check(claim: Claim, guess: Guess, budget: int) -> None:
    fewest = smallest(claim, guess)
    if fewest == 0:
        raise UsageError(f"no unit for {claim.measure}", do="Give segments with units")
    if 0 < budget < fewest:
        raise UsageError(
            f"a budget of {budget} is less than the {fewest} labels that there must be",
            do="It counts labels that are there already, and one of each segment",
        )

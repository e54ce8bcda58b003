"""`aliquot.plan`: labels for two segments, before anything is sampled and without a study."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from aliquot.errors import UsageError
from aliquot.intervals.base import check_level
from aliquot.intervals.counts.tally import check
from aliquot.planner.advice import Advice, advise
from aliquot.planner.prior import Range, guess
from aliquot.planner.segments import ALONE, MEASURES, Claim, Part

Share = float | tuple[float, float]
Counts = int | Sequence[int]
NEEDS = {0: ("retrieved",), 1: ("unretrieved",), None: ("retrieved", "unretrieved")}
GUESSES = ("recall", "precision", "elusion", "prevalence")


def plan(  # noqa: PLR0913  (segments, guesses, and named options)
    measure: str,
    *,
    retrieved: Counts | None = None,
    unretrieved: Counts | None = None,
    units: Counts | None = None,
    recall: Share | None = None,
    precision: Share | None = None,
    elusion: Share | None = None,
    prevalence: Share | None = None,
    budget: int = 0,
    width: float = 0.0,
    level: float = 0.95,
    beta: float = 1.0,
) -> Advice:
    """Say how to share labels between two segments, and how many a width needs.

    A segment is its number of units, or `(N, n, r)` where some were sampled already. A guess is a
    value, or a range in which each value is as likely.

    >>> found = plan(
    ...     "recall",
    ...     retrieved=7_391,
    ...     unretrieved=992_609,
    ...     recall=0.68,
    ...     precision=0.46,
    ...     budget=5_000,
    ... )
    >>> found.best.retrieved, found.best.unretrieved, round(found.best.width, 2)
    (238, 4762, 0.29)
    """
    if not (beta > 0 and math.isfinite(beta)):
        raise UsageError(f"beta {beta:g} is not above 0", do="Use one such as 1 or 2")
    claim = Claim(_measure(measure), check_level(level), beta)
    given = {"retrieved": retrieved, "unretrieved": unretrieved, "units": units}
    parts = _parts(measure, given)
    guesses = (recall, precision, elusion, prevalence)
    shares = {
        name: _range(share)
        for name, share in zip(GUESSES, guesses, strict=True)
        if share is not None
    }
    return advise(claim, guess(measure, parts, shares), budget=budget, width=width)


def _measure(measure: str) -> str:
    if measure not in MEASURES:
        names = ", ".join(MEASURES)
        raise UsageError(f"'{measure}' can't be planned from counts", do=f"Measures are {names}")
    return measure


def _parts(measure: str, given: Mapping[str, Counts | None]) -> tuple[Part, Part]:
    needed = ("units",) if measure == "proportion" else NEEDS[ALONE.get(measure)]
    missing = [f"--{name} N" for name in needed if given[name] is None]
    if missing:
        raise UsageError(f"{measure} needs {' and '.join(missing)}", do="Give how many units")
    extra = [f"--{name}" for name, one in given.items() if one is not None and name not in needed]
    if extra:
        raise UsageError(f"{measure} has no use for {' and '.join(extra)}", do="Leave it out")
    made = {name: _part(given[name], f"--{name}") for name in needed}
    one = made.get("retrieved", made.get("units", Part(0)))
    return one, made.get("unretrieved", Part(0))


def _part(counts: Counts | None, where: str) -> Part:
    numbers = tuple(counts) if isinstance(counts, Sequence) else (counts or 0,)
    if len(numbers) not in (1, 3):
        raise UsageError(f"{len(numbers)} numbers", where=where, do="Give N, or N,n,r")
    if len(numbers) == 1:
        check((numbers[0], 1, 0, 1) if numbers[0] >= 1 else (*numbers, 0, 0, 0), where)
        return Part(int(numbers[0]))
    check((*numbers, numbers[1]) if numbers[1] else (numbers[0], 1, numbers[2], 1), where)
    return Part(*(int(one) for one in numbers))


def _range(share: Share) -> Range:
    return share if isinstance(share, tuple) else (share, share)

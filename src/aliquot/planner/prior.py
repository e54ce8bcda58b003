"""From what a person guesses to points: values, ranges, and samples that are there already.

Within a range each value is as likely. Where a part of the labels is there, the posterior of its
segment is the guess, and the plan counts those labels in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from aliquot.core.frame import Floats
from aliquot.errors import UsageError
from aliquot.planner.segments import ALONE, POINTS, Guess, Part, spread

Range = tuple[float, float]


def guess(
    measure: str, parts: tuple[Part, Part], shares: Mapping[str, Range], *, points: int = POINTS
) -> Guess:
    """Return the points of a guess.

    >>> found = guess(
    ...     "recall", (Part(100), Part(900)), {"recall": (0.8, 0.8), "precision": (0.4, 0.4)}
    ... )
    >>> found.R1[:1].tolist(), found.R0[:1].tolist()
    ([40.0], [10.0])
    """
    one, other = parts
    place = ALONE.get(measure)
    _check(measure, shares, _used(measure, parts, shares))
    u = spread(points, 4)
    R1 = R0 = np.zeros(points)
    if place != 1:
        R1 = _first(measure, one, shares, u[2])
    if place != 0:
        R0 = _second(measure, (other, R1), shares, u[3])
    return Guess(one, other, R1, R0, u[0], u[1])


def _first(measure: str, part: Part, shares: Mapping[str, Range], u: Floats) -> Floats:
    if part.n:
        return _posterior(part, u)
    name = "prevalence" if measure == "proportion" else "precision"
    if name not in shares:
        raise UsageError(f"{measure} needs a guess of {name}", do=f"Give --{name} 0.5 or 0.4..0.7")
    return np.round(part.N * _between(shares[name], u))


def _second(
    measure: str, known: tuple[Part, Floats], shares: Mapping[str, Range], u: Floats
) -> Floats:
    part, R1 = known
    if part.n:
        return _posterior(part, u)
    if "elusion" in shares:
        return np.round(part.N * _between(shares["elusion"], u))
    if "recall" not in shares or measure == "elusion":
        names = "elusion" if measure == "elusion" else "recall or of elusion"
        do = "Give --elusion 0.01" if measure == "elusion" else "Give --recall 0.7 or 0.6..0.8"
        raise UsageError(f"{measure} needs a guess of {names}", do=do)
    recall = _between(shares["recall"], u)
    R0 = np.round(R1 * (1.0 - recall) / recall)
    if (R0 > part.N).any():
        most = float(R0.max())
        raise UsageError(
            f"such a recall and precision leave {most:.0f} relevant among {part.N} not retrieved",
            do="Guess a higher recall or a lower precision",
        )
    return R0


def _between(span: Range, u: Floats) -> Floats:
    found: Floats = span[0] + (span[1] - span[0]) * u
    return found


def _posterior(part: Part, u: Floats) -> Floats:
    """Return quantiles of the positives in a segment of which some were sampled."""
    from scipy.special import betaincinv

    share = betaincinv(part.r + 0.5, part.n - part.r + 0.5, u)
    found: Floats = part.r + np.round((part.N - part.n) * share)
    return found


def _used(measure: str, parts: tuple[Part, Part], shares: Mapping[str, Range]) -> set[str]:
    """Return the guesses that say something which no labels say."""
    place, used = ALONE.get(measure), set()
    if place != 1 and not parts[0].n:
        used.add("prevalence" if measure == "proportion" else "precision")
    if place != 0 and not parts[1].n:
        used.add("elusion" if measure == "elusion" or "elusion" in shares else "recall")
    return used


def _check(measure: str, shares: Mapping[str, Range], used: set[str]) -> None:
    for name, (low, high) in shares.items():
        if name not in used:
            raise UsageError(
                f"{measure} of these segments has no use for a guess of {name}", do="Leave it out"
            )
        if not (0.0 < low <= high <= 1.0 or (name != "recall" and low == 0.0 <= high <= 1.0)):
            shown = f"{low:g}" if low == high else f"{low:g}..{high:g}"
            raise UsageError(f"{name} {shown} is no share", do="Write such as 0.7, or 0.6..0.8")

"""How to share labels between what is retrieved and what is not, and how many a width needs.

Webber (2013), section 4.6 and Figures 15 to 17: the width falls, is flat about its least value, and
rises again with the share that goes to the retrieved. The least is found on a grid of shares, and
between its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from aliquot.errors import DesignError
from aliquot.planner.segments import ALONE, Claim, Guess, ends

SHARES = (
    *(0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25),
    *(0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95),
)
STEPS = (0.6, 0.8, 1.0, 1.25, 1.6)
ZERO = 1e-8  # a census has no width, but for where a root was found
FEWEST = 20  # labels that no segment goes without
COARSE = 64  # points that find where the least width is


@final
@dataclass(frozen=True)
class Allocation:
    """Labels for each segment, and the width to expect."""

    retrieved: int
    unretrieved: int
    width: float

    @property
    def labels(self) -> int:
        """All of them."""
        return self.retrieved + self.unretrieved

    @property
    def share(self) -> float:
        """The share of what is retrieved."""
        return self.retrieved / self.labels if self.labels else 0.0


def width(claim: Claim, guess: Guess, n: tuple[int, int]) -> float:
    """Return the mean width of the interval with n labels in each segment."""
    low, high = ends(claim, guess, n)
    mean = float((high - low).mean())
    return mean if mean > ZERO else 0.0


def allocate(claim: Claim, guess: Guess, n: tuple[int, int]) -> Allocation:
    """Say what one allocation gives."""
    return Allocation(*n, width(claim, guess, n))


def possible(claim: Claim, guess: Guess, budget: int) -> tuple[int, int]:
    """Return the fewest and the most labels of a budget that the retrieved can take."""
    one, other = guess.one, guess.other
    if claim.measure in ALONE:
        alone = min(budget, one.N) if ALONE[claim.measure] == 0 else 0
        return alone, alone
    least = min(max(budget // 10, 1), FEWEST)
    low, rest = max(min(least, one.N), one.n), max(min(least, other.N), other.n)
    return max(low, budget - other.N), max(min(budget - rest, one.N), low)


def smallest(claim: Claim, guess: Guess) -> int:
    """Return the fewest labels there can be: those that are there, and one in each segment."""
    parts = (guess.one, guess.other)
    used = [parts[ALONE[claim.measure]]] if claim.measure in ALONE else parts
    return sum(max(part.n, min(1, part.N)) for part in used)


def largest(claim: Claim, guess: Guess) -> int:
    """Return how many labels a census takes."""
    parts = (guess.one, guess.other)
    return parts[ALONE[claim.measure]].N if claim.measure in ALONE else sum(p.N for p in parts)


def curve(
    claim: Claim, guess: Guess, budget: int, shares: Sequence[float] = SHARES
) -> list[Allocation]:
    """Return the width at each of some shares of a budget, by share."""
    low, high = possible(claim, guess, budget)
    at = sorted({min(max(round(share * budget), low), high) for share in shares})
    return [allocate(claim, guess, split(claim, guess, one, budget)) for one in at]


def split(claim: Claim, guess: Guess, n1: int, budget: int) -> tuple[int, int]:
    """Return the labels of both segments when the retrieved get n1."""
    if ALONE.get(claim.measure) == 0:
        return n1, 0
    return n1, min(budget - n1, guess.other.N)


def best(claim: Claim, guess: Guess, budget: int, near: float = 0.0) -> Allocation:
    """Return the allocation of a budget with the least width to expect; near a share, if known."""
    if claim.measure in ALONE:
        return curve(claim, guess, budget, SHARES[:1])[0]
    if not near:
        found = curve(claim, guess.thinned(COARSE), budget)
        near = min(found, key=lambda one: one.width).share
    found = curve(claim, guess, budget, [near * step for step in STEPS])
    middle = min(range(len(found)), key=lambda i: found[i].width)
    if 0 < middle < len(found) - 1:
        vertex = _vertex(found[middle - 1 : middle + 2])
        found += curve(claim, guess, budget, [vertex])
    return min(found, key=lambda one: one.width)


def _vertex(three: list[Allocation]) -> float:
    """Return the share where the parabola through three widths is least, in its logarithm."""
    (x1, y1), (x2, y2), (x3, y3) = ((math.log(one.share), one.width) for one in three)
    left, right = (x2 - x1) * (y2 - y3), (x2 - x3) * (y2 - y1)
    if left == right:
        return three[1].share
    return math.exp(x2 - ((x2 - x1) * left - (x2 - x3) * right) / (2.0 * (left - right)))


def labels(claim: Claim, guess: Guess, target: float) -> Allocation:
    """Return the least labels whose best allocation is as narrow as the target.

    First by few points, and from there by all of them.
    """
    if not 0 < target < 1:
        raise DesignError(f"a width of {target:g} can't be had", do="Ask for one such as 0.1")
    rough = _search(claim, guess.thinned(COARSE), target, None)
    return _search(claim, guess, target, rough)


def _search(claim: Claim, guess: Guess, target: float, start: Allocation | None) -> Allocation:
    """Find the labels by secants of logarithms: widths fall nearly as a power of the labels."""
    low, high = smallest(claim, guess), largest(claim, guess)
    n = start.labels if start else min(max(round(4.0 / target**2), low), high)
    near = start.share if start else 0.0
    fine = 250 if start else 50
    tries: dict[int, float] = {}
    found = start
    while high - low > max(1, low // fine):
        one = best(claim, guess, n, near)
        tries[n], near = max(one.width, 1e-9), one.share
        if one.width <= target:
            high, found = n, one
        else:
            low = n
        n = _next(tries, target, (low, high), fine)
    return found if found and found.labels == high else best(claim, guess, high, near)


def _next(tries: dict[int, float], target: float, span: tuple[int, int], fine: int) -> int:
    """Return where the width is the target by the two nearest tries, and a little beyond."""
    low, high = span
    nearest = sorted(tries, key=lambda n: abs(math.log(tries[n] / target)))[:2]
    x, y = math.log(nearest[0]), math.log(tries[nearest[0]])
    slope = -0.5
    if len(nearest) > 1 and tries[nearest[1]] != tries[nearest[0]]:
        slope = (math.log(tries[nearest[1]]) - y) / (math.log(nearest[1]) - x)
    if slope > -0.05 or len(tries) % 6 == 0:
        return (low + high) // 2 if len(tries) % 2 else round(math.sqrt(low * high))
    guess = math.exp(min(x + (math.log(target) - y) / slope, math.log(high)))
    beyond = 0.4 * max(low, nearest[0]) / fine
    guess += beyond if nearest[0] == low else -beyond
    return min(max(round(guess), low + 1), high - 1)

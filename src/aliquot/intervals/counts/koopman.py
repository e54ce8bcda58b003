"""Koopman's interval for the ratio of two binomials, turned into recall."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar, final

from aliquot.intervals.counts.base import Counted, Ends, Question


@final
class Koopman(Counted):
    """Koopman (1984), section 2.2, for `theta = (x/m) / (y/n)`; Webber (2013), section 3.4.

    The limits solve `U(theta) = z^2`, U Pearson's chi-square at the likeliest shares of that ratio.
    Recall is `1 / (1 + theta N0 / N1)`, the unretrieved segment above. **Two segments, each small
    in proportion to its population**: without a finite population correction it is too wide where
    much of a segment was sampled.

    >>> from aliquot.intervals.betabin import Strata
    >>> asked = Question("recall", Strata.of(2_000, 100, 50), Strata.of(100_000, 100, 3))
    >>> [round(end, 3) for end in Koopman().ends(asked)]
    [0.104, 0.497]
    """

    name: ClassVar[str] = "koopman"
    summary: ClassVar[str] = "two segments, each small against its population; recall only"

    def fits(self, question: Question) -> bool:
        """Recall of two segments, from both of which something was sampled."""
        one, other = question.retrieved, question.unretrieved
        sampled = one.N.size == other.N.size == 1 and one.n[0] > 0 and other.n[0] > 0
        return question.measure == "recall" and bool(sampled)

    def ends(self, question: Question) -> Ends:
        """From both limits of the ratio."""
        one, other = question.retrieved, question.unretrieved
        counts = tuple(float(c[0]) for c in (other.r, other.n, one.r, one.n))
        low, high = limits((counts[0], counts[1]), (counts[2], counts[3]), question.z)
        scale = float(other.N[0] / one.N[0])
        below = 1.0 / (1.0 + high * scale) if math.isfinite(high) else 0.0
        return question.around(below, 1.0 / (1.0 + low * scale))


def limits(above: tuple[float, float], below: tuple[float, float], z: float) -> Ends:
    """Return both limits of `(x/m) / (y/n)`.

    Koopman's own example:

    >>> [round(end, 2) for end in limits((36, 40), (16, 80), 1.959964)]
    [2.94, 7.15]
    """
    x, m = above
    y, n = below

    def excess(log_theta: float) -> float:
        return chi_square(math.exp(log_theta), above, below) - z * z

    start = math.log((x + 0.5) / (m + 0.5) * (n + 0.5) / (y + 0.5))
    centre = math.log(x / m * n / y) if x > 0 and y > 0 else start
    low = 0.0 if x == 0 else math.exp(_cross(excess, centre, -1.0))
    high = math.inf if y == 0 else math.exp(_cross(excess, centre, 1.0))
    return low, high


def chi_square(theta: float, above: tuple[float, float], below: tuple[float, float]) -> float:
    """Return U(theta)."""
    x, m = above
    y, n = below
    whole, b = m + n, theta * (m + y) + x + n
    p1 = 2.0 * theta * (x + y) / (b + math.sqrt(max(b * b - 4.0 * whole * theta * (x + y), 0.0)))
    if not 0.0 < p1 < 1.0:
        return 0.0 if x == m * p1 else math.inf
    rest = n * (1.0 - p1)
    return (x - m * p1) ** 2 / (m * p1 * (1.0 - p1)) * (1.0 + m * (theta - p1) / rest)


def _cross(excess: Callable[[float], float], centre: float, way: float) -> float:
    """Walk from the centre, where U is 0, until U is too large; then halve."""
    step = 1.0
    while excess(centre + way * step) < 0 and step < 512:
        step *= 2.0
    near, far = centre, centre + way * step
    for _ in range(80):
        middle = (near + far) / 2.0
        near, far = (near, middle) if excess(middle) >= 0 else (middle, far)
    return far

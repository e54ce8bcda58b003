"""Every interval, the parser of their spellings, and the choice among them."""

from __future__ import annotations

from aliquot.core.estimate import Estimate
from aliquot.core.spelling import parse
from aliquot.errors import SpellingError
from aliquot.intervals.base import Method
from aliquot.intervals.betting import Betting
from aliquot.intervals.bounded import Bernstein, Hoeffding, HoeffdingPrinted
from aliquot.intervals.cells import BetaBin
from aliquot.intervals.edgeworth import Edgeworth
from aliquot.intervals.gamma import Gamma
from aliquot.intervals.normal import Guarded, Log, Logit, Normal, StudentT
from aliquot.intervals.wilson import Unseen, Wilson

INTERVALS: tuple[type[Method], ...] = (
    Normal,
    StudentT,
    Log,
    Logit,
    Guarded,
    BetaBin,
    Wilson,
    Gamma,
    Unseen,
    Hoeffding,
    HoeffdingPrinted,
    Bernstein,
    Betting,
    Edgeworth,
)


def method(text: str) -> Method:
    """Read an interval method from its spelling.

    >>> str(method("logit"))
    'logit'
    """
    spelled = parse(text)
    for kind in INTERVALS:
        if str(spelled) == kind.name:
            return kind()
    names = ", ".join(kind.name for kind in INTERVALS)
    raise SpellingError(f"'{text}' is not an interval", do=f"Intervals are default, {names}")


def usual(estimate: Estimate) -> Method:
    """Return the method that suits an estimate best; none of them is ever of zero width.

    Counts in few strata speak for themselves. Else: Wilson for shares of units that weigh alike, t
    for their means, gamma for other totals and where no spread was seen, guarded logit for ratios.
    """
    bottom, top = estimate.bounds
    cells = estimate.cells
    if cells is not None and (cells.beta > 0 or estimate.shape != "share"):
        return BetaBin()
    spread = estimate.stderr > 1e-9 * (top - bottom)  # more than rounding leaves
    if bottom < 0:
        return StudentT() if spread else Wilson()  # no spread seen: as wide as labels can be apart
    if estimate.shape == "share":
        return Wilson()
    if not spread or not bottom < estimate.estimate < top or estimate.shape == "total":
        return Gamma()
    return StudentT() if estimate.shape == "mean" else Guarded()

"""Every interval, the parser of their spellings, and the choice among them."""

from __future__ import annotations

from aliquot.core.estimate import Estimate
from aliquot.core.spelling import parse
from aliquot.errors import SpellingError
from aliquot.intervals.base import Method
from aliquot.intervals.normal import Log, Logit, Normal, StudentT
from aliquot.intervals.wilson import Unseen, Wilson

INTERVALS: tuple[type[Method], ...] = (Normal, StudentT, Log, Logit, Wilson, Unseen)


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
    """Return the method that suits an estimate best.

    Logit for measures in [0, 1], log for totals; where no spread was seen, Wilson or the rule of
    three, never an interval of zero width.
    """
    bottom, top = estimate.bounds
    inside = bottom < estimate.estimate < top
    if bottom < 0:
        return Normal()
    if estimate.stderr > 0 and inside:
        return Logit() if (bottom, top) == (0.0, 1.0) else Log()
    if estimate.estimate <= bottom:
        return Unseen()
    return Wilson()

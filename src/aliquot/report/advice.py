"""Advice on two segments, in sentences."""

from __future__ import annotations

from aliquot.planner.advice import Advice
from aliquot.planner.allocation import Allocation

NAMES = {"f1": "F1", "proportion": "the proportion"}


def sentences(found: Advice) -> list[str]:
    """Say what is best, and what half and twice the share would cost.

    >>> from aliquot.planner.segments import Claim
    >>> alone = Allocation(100, 0, 0.2)
    >>> sentences(Advice("precision", 0.95, alone, (alone,)))
    ['100 labels: the 95 % interval of precision is then 0.2 wide on average.']
    """
    best = found.best
    name = NAMES.get(found.measure, found.measure)
    where = f"{best.labels} labels"
    if len(found.rows) > 1:
        where += f", {best.retrieved} of what is retrieved and {best.unretrieved} of the rest"
    level = f"{100 * found.level:g} %"
    said = [f"{where}: the {level} interval of {name} is then {best.width:.4g} wide on average."]
    sides = [(found.halved, "Half"), (found.doubled, "Twice")]
    told = [_side(found, one, word) for one, word in sides if one is not None]
    return said + ([" ".join(told)] if told else [])


def _side(found: Advice, one: Allocation, word: str) -> str:
    return f"{word} as many of what is retrieved: {100 * found.wider(one):.1f} % wider."

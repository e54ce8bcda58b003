"""Read what a draw was, or is to be, made with: a design, or a strategy for curves."""

from __future__ import annotations

from aliquot.core.spelling import parse
from aliquot.curves.registry import CURVES, strategy
from aliquot.curves.staged import Staged
from aliquot.designs.base import Design
from aliquot.designs.registry import design

STRATEGIES = tuple(kind.name for kind in CURVES)


def chosen(text: str) -> Design:
    """Read a design or a strategy from its spelling.

    >>> str(chosen("adastrat(m=50)")), str(chosen("uniform"))
    ('adastrat(m=50)', 'uniform')
    """
    if parse(text).name in STRATEGIES:
        return Staged(strategy(text))
    return design(text)

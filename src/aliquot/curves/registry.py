"""Every strategy, and the parser of their spellings."""

from __future__ import annotations

from dataclasses import fields

from aliquot.core.spelling import parse
from aliquot.curves.adastrat import Adastrat
from aliquot.curves.band import Band
from aliquot.curves.base import Strategy
from aliquot.curves.logstrat import Logstrat
from aliquot.curves.paula import Paula
from aliquot.curves.random import Random
from aliquot.errors import SpellingError

CURVES: tuple[type[Strategy], ...] = (Random, Logstrat, Paula, Adastrat, Band)

Option = int | float | str


def strategy(text: str, **options: Option) -> Strategy:
    """Read a strategy from its spelling; `options` given by name add to those spelled.

    >>> str(strategy("adastrat(query=stratified)", epsilon=0.1))
    'adastrat(epsilon=0.1, query=stratified)'
    """
    spelled = parse(text)
    known = {kind.name: kind for kind in CURVES}
    if spelled.name not in known or spelled.args or spelled.cutoff is not None:
        raise SpellingError(
            f"'{text}' is not a strategy for a curve", do=f"Strategies are {', '.join(known)}"
        )
    kind = known[spelled.name]
    given = {**dict(spelled.options), **options}
    defaults = {one.name: one.default for one in fields(kind)}
    for name, value in given.items():
        if name not in defaults:
            raise SpellingError(
                f"{kind.name} has no option '{name}'", do=f"It takes {', '.join(defaults)}"
            )
        if not _fits(value, defaults[name]):
            raise SpellingError(
                f"{name}={value} can't be read", do=f"Spell it like {name}={defaults[name]}"
            )
    return kind(**given)  # type: ignore[arg-type]  # checked against the defaults above


def _fits(value: object, default: object) -> bool:
    if isinstance(default, float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is type(default)

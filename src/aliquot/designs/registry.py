"""Every design, and the parser of their spellings."""

from __future__ import annotations

from aliquot.core.spelling import Spelling, parse
from aliquot.designs.base import Design
from aliquot.designs.headtail import HeadTail
from aliquot.designs.importance import GUESSES, PRIORS, TOGETHER
from aliquot.designs.pareto import Pareto
from aliquot.designs.poisson import Poisson
from aliquot.designs.pps import Pps
from aliquot.designs.replacement import Replacement
from aliquot.designs.size import KINDS
from aliquot.designs.stratified import Stratified
from aliquot.designs.ubis import Ubis
from aliquot.designs.uniform import Uniform
from aliquot.errors import SpellingError

DESIGNS: tuple[type[Design], ...] = (
    Uniform,
    Pps,
    Pareto,
    Poisson,
    HeadTail,
    Stratified,
    Replacement,
    Ubis,
)

_CHOICES: dict[str, tuple[str, ...]] = {
    "size": KINDS,
    "by": ("size", "stratum", "topic"),
    "allocation": ("equal", "proportional", "size"),
    "prior": PRIORS,
    "systems": TOGETHER,
    "u": GUESSES,
    "learn": ("no", "yes"),
}
SHARES = ("floor", "hidden")
_OPTIONS: dict[str, tuple[str, ...]] = {
    "uniform": (),
    "pps": ("size", "floor"),
    "pareto": ("size", "floor"),
    "poisson": ("size", "floor"),
    "wr": ("size", "floor"),
    "ubis": ("prior", "systems", "u", "floor"),
    "headtail": ("strata", "hidden", "learn"),
    "stratified": ("by", "strata", "allocation", "size", "floor"),
}


def design(text: str) -> Design:
    """Read a design from its spelling.

    >>> str(design("pps(floor=0.2)"))
    'pps(size=influence, floor=0.2)'
    """
    spelled = parse(text)
    known = {kind.name: kind for kind in DESIGNS}
    if spelled.name not in known or spelled.args or spelled.cutoff is not None:
        raise SpellingError(
            f"'{text}' is not a design", do=f"Designs are default, {', '.join(known)}"
        )
    options = dict(spelled.options)
    if options.get("prior") == 1:
        options["prior"] = "one"  # as the paper spells it
    allowed = _OPTIONS[spelled.name]
    for option, value in options.items():
        if option not in allowed:
            more = f"It takes {', '.join(allowed)}" if allowed else "It takes no options"
            raise SpellingError(f"{spelled.name} has no option '{option}'", do=more)
        _check(option, value)
    return known[spelled.name](**_typed(options))


def _check(option: str, value: int | float | str | Spelling) -> None:
    if option in _CHOICES and value not in _CHOICES[option]:
        raise SpellingError(
            f"{option}={value} is not known", do=f"Use one of {', '.join(_CHOICES[option])}"
        )
    share = isinstance(value, int | float) and 0 <= value <= 1
    if option in SHARES and not share:
        raise SpellingError(
            f"{option}={value} is not between 0 and 1", do="Use a share such as 0.1"
        )
    if option == "strata" and not (isinstance(value, int) and 1 <= value <= 10_000):
        raise SpellingError(
            f"strata={value} is not a number of strata", do="Use a whole number from 1 to 10000"
        )


def _typed(options: dict[str, int | float | str | Spelling]) -> dict[str, int | float | str]:
    return {
        option: float(value)
        if option in SHARES and isinstance(value, int | float)
        else value
        if isinstance(value, int | float)
        else str(value)
        for option, value in options.items()
    }

"""From a question to an answer that says what it rests on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, final

import numpy as np

from aliquot.errors import UsageError
from aliquot.intervals.counts.base import Counted, Question
from aliquot.intervals.counts.bayes import BetaBinomial, MostConservative
from aliquot.intervals.counts.registry import COUNTED
from aliquot.intervals.counts.registry import method as found
from aliquot.intervals.posterior import Side

ALL = "all"
MANY = 20_000_000  # draws


@final
@dataclass(frozen=True)
class Limits:
    """An interval from counts: `low <= measure <= high`, by a method, at a level.

    `estimate` is None where it is not defined.
    """

    measure: str
    estimate: float | None
    low: float
    high: float
    level: float
    side: Side
    method: str
    notes: tuple[str, ...] = ()

    @property
    def width(self) -> float:
        """high - low."""
        return self.high - self.low

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dict."""
        return asdict(self)


def methods(name: str, question: Question) -> list[Counted]:
    """Return the method of a name, or with `all` each that says something about the question."""
    if name == ALL:
        return [kind() for kind in COUNTED if kind().fits(question)]
    one = found(name)
    if not one.fits(question):
        raise UsageError(
            f"'{name}' says nothing about {question.measure} of these strata",
            do="It is for recall of two segments; use betabin-half or exact",
        )
    return [one]


def answer(
    question: Question, method: Counted, *, draws: int = 0, rng: np.random.Generator | None = None
) -> Limits:
    """Return one interval, computed or, with `draws`, drawn."""
    if draws and rng is not None and isinstance(method, BetaBinomial) and not question.unknown:
        low, high = method.drawn(question, draws, rng)
    else:
        low, high = method.interval(question)
    x = question.estimate
    known = None if np.isnan(x) else float(x)
    ends, asked = (float(low), float(high)), (question.level, question.side)
    return Limits(question.measure, known, *ends, *asked, method.name, notes(question, method))


def notes(question: Question, method: Counted) -> tuple[str, ...]:
    """Say what a reader should know about this answer."""
    said = []
    if question.unknown:
        said.append("no relevant unit was sampled, so that recall may be anything from 0 to 1")
    tiny = (question.strata.n == 1) & (question.strata.N > 1)
    if isinstance(method, MostConservative) and tiny.any():
        said.append("betabin-mcp: one unit has no most conservative prior; a tiny one was taken")
    return tuple(said)


def check_draws(draws: int) -> int:
    """Refuse what can't be a number of draws."""
    if not 0 <= draws <= MANY:
        raise UsageError(f"{draws} draws", do=f"Use from 1 to {MANY}, or 0 to compute")
    return draws

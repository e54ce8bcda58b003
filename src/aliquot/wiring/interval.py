"""`aliquot.interval`: the calculator of intervals from counts, without a study."""

from __future__ import annotations

from aliquot.intervals.counts.answer import Limits, answer, check_draws, methods
from aliquot.intervals.counts.base import Question
from aliquot.intervals.counts.registry import DEFAULT
from aliquot.intervals.counts.tally import Rows, Tally, question
from aliquot.intervals.posterior import Side
from aliquot.wiring.rng import generator

__all__ = ["elusion", "f1", "precision", "prevalence", "proportion", "recall", "yield_"]


def recall(  # noqa: PLR0913  (counts, and named options)
    *,
    retrieved: Rows,
    unretrieved: Rows,
    method: str = DEFAULT,
    level: float = 0.95,
    side: Side = "two",
    draws: int = 0,
    rng: int = 1,
) -> Limits:
    """Return the interval of recall. Each segment is `(N, n, r)`, or a list of these, by stratum.

    `(N, n, r, a)` says that only a of the n sampled units could be assessed.

    >>> found = recall(retrieved=(2000, 100, 50), unretrieved=(100_000, 100, 3))
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3)
    (0.25, 0.111, 0.542)
    """
    parts = (Tally.of(retrieved, "retrieved"), Tally.of(unretrieved, "unretrieved"))
    return _one(question("recall", parts, level=level, side=side), method, draws, rng)


def f1(  # noqa: PLR0913  (counts, and named options)
    *,
    retrieved: Rows,
    unretrieved: Rows,
    beta: float = 1.0,
    method: str = DEFAULT,
    level: float = 0.95,
    side: Side = "two",
    draws: int = 0,
    rng: int = 1,
) -> Limits:
    """Return the interval of F1, or of F-beta."""
    parts = (Tally.of(retrieved, "retrieved"), Tally.of(unretrieved, "unretrieved"))
    asked = question("f1", parts, weight=beta, level=level, side=side)
    return _one(asked, method, draws, rng)


def precision(
    retrieved: Rows, *, method: str = DEFAULT, level: float = 0.95, side: Side = "two"
) -> Limits:
    """Return the interval of precision: the relevant share of what is retrieved."""
    parts = (Tally.of(retrieved, "retrieved"), Tally.of([]))
    return _one(question("precision", parts, level=level, side=side), method)


def elusion(
    unretrieved: Rows, *, method: str = DEFAULT, level: float = 0.95, side: Side = "two"
) -> Limits:
    """Return the interval of elusion: the relevant share of what is not retrieved."""
    parts = (Tally.of([]), Tally.of(unretrieved, "unretrieved"))
    return _one(question("elusion", parts, level=level, side=side), method)


def proportion(
    counts: Rows, *, method: str = DEFAULT, level: float = 0.95, side: Side = "two"
) -> Limits:
    """Return the interval of the relevant share of some strata.

    >>> round(proportion((1000, 100, 0)).high, 3)
    0.023
    """
    parts = (Tally.of(counts), Tally.of([]))
    return _one(question("proportion", parts, level=level, side=side), method)


def prevalence(
    counts: Rows, *, method: str = DEFAULT, level: float = 0.95, side: Side = "two"
) -> Limits:
    """Return the interval of the relevant share of everything, by stratum."""
    parts = (Tally.of(counts), Tally.of([]))
    return _one(question("prevalence", parts, level=level, side=side), method)


def yield_(
    counts: Rows, *, method: str = DEFAULT, level: float = 0.95, side: Side = "two"
) -> Limits:
    """Return the interval of the number of relevant units."""
    parts = (Tally.of(counts), Tally.of([]))
    return _one(question("yield", parts, level=level, side=side), method)


def _one(asked: Question, method: str, draws: int = 0, seed: int = 1) -> Limits:
    return ask(asked, method, draws=draws, seed=seed)[0]


def ask(asked: Question, method: str, *, draws: int = 0, seed: int = 1) -> list[Limits]:
    """Answer a question by one method, or by all that say something about it."""
    many = check_draws(draws)
    return [
        answer(asked, one, draws=many, rng=generator(seed) if many else None)
        for one in methods(method, asked)
    ]

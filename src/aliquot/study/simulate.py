"""Simulate: what a design, an estimator and an interval would have given, again and again.

The labels are known, so that what comes out can be held against the truth before money is spent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log

from aliquot.core.spelling import parse
from aliquot.designs import goal as goals
from aliquot.designs.registry import DESIGNS, design
from aliquot.errors import DesignError, EstimateError, SpellingError, UsageError
from aliquot.intervals.base import check_level
from aliquot.intervals.registry import method
from aliquot.study.baselines import BASELINES, baseline
from aliquot.study.estimate import Question, checked
from aliquot.study.labelled import Labelled
from aliquot.study.replay import Setting, Tried, replay, truths
from aliquot.study.separate import Separate
from aliquot.study.tally import Tally

CLOSE = 0.02  # how close to the width that is asked for a search comes
Evaluate = Callable[[int], Sequence[Tally]]


def tried(world: Labelled, setting: Setting, i: int) -> Tried:
    """Make one repetition."""
    found, seed = baseline(setting.design), setting.numbered(i)
    return found.replay(world, setting, seed) if found else replay(world, setting, seed)


def check(world: Labelled, setting: Setting) -> dict[tuple[str, str], float]:
    """Refuse what can't be tried before anything is; return the truth."""
    units = len(world.book.frame)
    check_level(setting.level)
    if not 1 <= setting.budget <= units:
        what = "buys nothing" if setting.budget < 1 else f"is more than the {units} units there are"
        raise DesignError(f"a budget of {setting.budget} {what}", do=f"Ask for 1 to {units}")
    _spelled(world, setting)
    found = truths(world, setting)
    if not found:
        raise EstimateError("no measure here can be simulated", do="Add one such as P@10")
    for (system, measure), value in found.items():
        if value != value:  # noqa: PLR0124  (only NaN differs from itself)
            raise EstimateError(
                f"{measure}{f' of {system}' if system else ''} is not defined by the true labels",
                do="Leave the measure out, or check the labels: nothing counts as relevant",
            )
    return found


def _spelled(world: Labelled, setting: Setting) -> None:
    names = tuple(system.name for system in world.book.frame.systems)
    goals.check(setting.goal, names)
    for name in setting.estimators:
        checked(Question(estimator=name, over=setting.over))
    for name in setting.intervals:
        if name != "default":
            method(name)
    found = baseline(setting.design)
    if found is None and setting.design != "default":
        _design(setting.design)
    if isinstance(found, Separate) and not setting.pair:
        raise UsageError("separate compares two systems", do="Give --goal pair:A,B")


def _design(text: str) -> None:
    """Refuse what is no design; baselines could have been meant."""
    try:
        design(text)
    except SpellingError as error:
        if parse(text).name in [kind.name for kind in DESIGNS]:
            raise
        more = ", ".join(kind.name for kind in BASELINES)
        do = f"{error.do}. Baselines that can be tried too: {more}"
        raise SpellingError(error.what, do=do) from None


def least(evaluate: Evaluate, width: float, most: int, first: int) -> int:
    """Find the fewest labels whose mean interval is no wider than asked, to within 2 %.

    The width falls about as one over the root of the labels: a guess from that, then a bracket,
    halved in the logarithm.
    """
    low, high, n = 0, most, min(first, most)
    for _ in range(60):
        if high - low <= max(1, int(CLOSE * high)):
            break
        now = _width(evaluate, n)
        low, high = (low, n) if now <= width else (n, high)
        guess = int(n * min(max((now / width) ** 2, 0.1), 10.0)) + 1
        if not low < guess < high:
            guess = round(exp((log(max(low, 1)) + log(high)) / 2.0))
        n = min(max(guess, low + 1), high - 1) if high - low > 1 else high
    return high


def _width(evaluate: Evaluate, n: int) -> float:
    """Return the mean width over systems; a budget that a design refuses is too small."""
    try:
        rows = evaluate(n)
    except DesignError:
        return float("inf")
    widths = [row.width for row in rows if row.width is not None]
    return sum(widths) / len(widths) if widths else float("inf")

"""An interval from counts, as a sentence that can be quoted."""

from __future__ import annotations

import math

NAMES = {"f1": "F1", "proportion": "The proportion"}


def sentence(
    measure: str, ends: tuple[float, float], asked: tuple[float, str], system: str = ""
) -> str:
    """Say what may be claimed. Ends are rounded outwards.

    >>> sentence("recall", (0.7135, 1.0), (0.95, "lower"))
    'Recall is at least 71.3 % (95 % one-sided confidence).'
    >>> sentence("yield", (12.0, 90.0), (0.9, "two"), "tar")
    'Yield of tar is between 12 and 90 (90 % confidence).'
    """
    name = NAMES.get(measure, measure.capitalize()) + (f" of {system}" if system else "")
    count = measure == "yield"
    low, high = (_low(ends[0], count=count), _high(ends[1], count=count))
    level = f"{100 * asked[0]:g} %"
    if asked[1] == "lower":
        return f"{name} is at least {low} ({level} one-sided confidence)."
    if asked[1] == "upper":
        return f"{name} is at most {high} ({level} one-sided confidence)."
    return f"{name} is between {low} and {high} ({level} confidence)."


def _low(end: float, *, count: bool) -> str:
    return f"{math.floor(end + 1e-9):d}" if count else f"{math.floor(end * 1000 + 1e-9) / 10:g} %"


def _high(end: float, *, count: bool) -> str:
    return f"{math.ceil(end - 1e-9):d}" if count else f"{math.ceil(end * 1000 - 1e-9) / 10:g} %"

"""`aliquot.curve`: precision at every rank of a list of any length, from an oracle; its picture."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Any

from aliquot.curves.points import Curve
from aliquot.curves.registry import strategy
from aliquot.curves.steps import Oracle, run
from aliquot.errors import UsageError
from aliquot.wiring import picture
from aliquot.wiring.rng import generator

__all__ = ["plot", "precision", "save"]

LONGEST = 1 << 53  # ranks beyond can't be told apart by floats


def precision(  # noqa: PLR0913  (an oracle, and named options)
    oracle: Oracle,
    n: int,
    *,
    method: str = "adastrat",
    epsilon: float | None = None,
    delta: float | None = None,
    beta: float | None = None,
    p_min: float | None = None,
    eta: float | None = None,
    m: int | None = None,
    start: int | None = None,
    rng: int = 0,
) -> Curve:
    """Return the precision function of n ranked items, asking the oracle for labels as needed.

    The oracle gets an array of ranks, from 1, and returns a label (0 or 1) for each; one that only
    takes single ranks works as well. It is asked for each rank at most once. `method` spells the
    strategy with its options; those given here by name go before.

    >>> precision(lambda ranks: ranks % 2 == 0, 1_000_000, rng=7).queries
    1
    """
    length = _length(n)
    named: dict[str, int | float | str | None] = {
        "epsilon": epsilon,
        "delta": delta,
        "beta": beta,
        "p_min": p_min,
        "eta": eta,
        "m": m,
        "start": start,
    }
    given = {name: value for name, value in named.items() if value is not None}
    if not isinstance(method, str):
        raise UsageError(f"method is {method!r}, not a spelling", do="Use one such as 'adastrat'")
    if not callable(oracle):
        raise UsageError(f"the oracle is {oracle!r}, no function", do="Give one: ranks -> labels")
    how = strategy(method, **given)
    return run(how.steps(length, generator(_seed(rng))), oracle)


def plot(curve: Curve, ax: Any = None) -> Any:  # noqa: ANN401  (matplotlib's axes)
    """Draw a curve, its band and its query points with matplotlib; return the axes."""
    return picture.plot(curve, ax)


def save(curve: Curve, path: str | Path, *, overwrite: bool = False) -> None:
    """Write the picture of a curve, by rank and by recall, to a new file: .svg or .png."""
    picture.save(curve, path, overwrite=overwrite)


def _length(n: object) -> int:
    try:
        found = int(n)  # type: ignore[call-overload]  # that is the question
    except (TypeError, ValueError, OverflowError):
        found = 0
    if found >= LONGEST:
        raise UsageError(
            f"{found:,} ranks are more than can be told apart", do=f"Give fewer than {LONGEST:,}"
        )
    if found < 1 or found != n:
        raise UsageError(f"n is {n!r}, not a number of ranks", do="Give how many items are ranked")
    return int(found)


def _seed(rng: object) -> int:
    try:
        found = operator.index(rng)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        found = -1
    if found < 0:
        raise UsageError(f"rng={rng!r} is not a whole number from 0 on", do="Use one such as 7")
    return found

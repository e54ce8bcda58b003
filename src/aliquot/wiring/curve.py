"""`aliquot.curve`: precision at every rank of a list of any length, from an oracle."""

from __future__ import annotations

from aliquot.curves.points import Curve
from aliquot.curves.registry import strategy
from aliquot.curves.steps import Oracle, run
from aliquot.errors import UsageError
from aliquot.wiring.rng import generator

__all__ = ["precision"]


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
    if n < 1 or n != int(n):
        raise UsageError(f"n is {n!r}, not a number of ranks", do="Give how many items are ranked")
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
    return run(strategy(method, **given).steps(int(n), generator(rng)), oracle)

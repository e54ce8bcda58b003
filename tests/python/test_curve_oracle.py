"""`aliquot.curve.precision`: lists of any length, short ones too, and arguments that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import aliquot as aq
from aliquot.curves.registry import CURVES
from aliquot.errors import UsageError

METHODS = [kind.name for kind in CURVES]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 2, 3, 50])
@pytest.mark.parametrize("label", [0, 1])
def test_the_shortest_lists_are_known(method: str, n: int, label: int) -> None:
    curve = aq.curve.precision(lambda ranks: np.full(len(ranks), label), n, method=method)
    assert (curve.n, curve.annotations, curve.guarantee) == (n, n, "exact")
    assert curve.at(n)[1:] == (label, label, label)


REFUSED: dict[str, dict[str, Any]] = {
    "n is 0, not a number of ranks. Give how many items are ranked.": {"n": 0},
    "n is nan, not a number of ranks. Give how many items are ranked.": {"n": float("nan")},
    "n is inf, not a number of ranks. Give how many items are ranked.": {"n": float("inf")},
    "n is '5', not a number of ranks. Give how many items are ranked.": {"n": "5"},
    "n is None, not a number of ranks. Give how many items are ranked.": {"n": None},
    (
        "1,000,000,000,000,000,000 ranks are more than can be told apart. "
        "Give fewer than 9,007,199,254,740,992."
    ): {"n": 10**18},
    "method is None, not a spelling. Use one such as 'adastrat'.": {"method": None},
    "the oracle is 5, no function. Give one: ranks -> labels.": {"oracle": 5},
    "rng=1.5 is not a whole number from 0 on. Use one such as 7.": {"rng": 1.5},
    "rng=-1 is not a whole number from 0 on. Use one such as 7.": {"rng": -1},
}


@pytest.mark.parametrize("said", REFUSED)
def test_an_argument_that_is_none_is_refused(said: str) -> None:
    given: dict[str, Any] = {"oracle": lambda ranks: ranks > 0, "n": 10} | REFUSED[said]
    with pytest.raises(UsageError) as caught:
        aq.curve.precision(**given)
    assert str(caught.value) == said


def test_a_rank_is_a_whole_number() -> None:
    curve = aq.curve.precision(lambda ranks: ranks > 0, 10)
    assert curve.values([np.int64(3)]).precision == 1.0
    with pytest.raises(UsageError) as caught:
        curve.values([1.0, 2.5])
    assert str(caught.value) == "a rank is no whole number. Ask for ranks from 1 to 10."

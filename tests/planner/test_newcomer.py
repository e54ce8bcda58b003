"""The fewest draws for a new system on old draws."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from aliquot.core.frame import Floats
from aliquot.core.sources import Sources
from aliquot.errors import DesignError
from aliquot.planner.newcomer import Newcomer, printed, worst

TARGET = (0.05 / 1.959963984540054) ** 2  # +-.05


def nobody(units: int) -> Sources:
    return Sources((), np.zeros(0), np.zeros((0, units)), np.zeros((0, units)))


def alone(units: int = 100) -> Newcomer:
    return Newcomer(np.full(units, 1.0 / units), nobody(units), np.full(units, np.nan))


def test_without_old_draws_it_needs_what_a_share_needs() -> None:
    """1.96^2 / 4 / .05^2 = 384.1, and four times that with the bound in print."""
    assert alone().least(TARGET) == 385
    assert replace(alone(), bound=printed).least(TARGET) == 1537


def best(chance: Floats, r: Floats) -> float:
    """The largest variance of r f over all f of 0 and 1, by trying them all."""
    spreads = []
    for bits in product((0.0, 1.0), repeat=len(r)):
        z = r * np.array(bits)
        spreads.append(float(chance @ z**2 - (chance @ z) ** 2))
    return max(spreads)


@pytest.mark.parametrize("seed", range(20))
def test_the_worst_case_bounds_every_labelling_closely(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chance = rng.dirichlet(np.ones(9))
    r = rng.gamma(2.0, size=9)
    exact, found = best(chance, r), worst(chance, r)
    assert exact <= found + 1e-12
    assert found <= 1.15 * exact  # a unit may be split: nine of them are few
    assert found <= printed(chance, r) + 1e-12
    fine = worst(np.repeat(chance / 50, 50), np.repeat(r, 50))
    assert fine == pytest.approx(found, rel=0.02)


def test_a_quarter_is_no_bound_where_r_varies() -> None:
    chance, r = np.array([0.05, 0.95]), np.array([4.0, 0.1])
    assert worst(chance, r) > 2.0 * printed(chance, r) / 4.0
    assert worst(chance, np.array([0.0, 0.0])) == 0.0


def drawn(rng: np.random.Generator, chance: Floats, draws: list[int]) -> Sources:
    counts = [rng.multinomial(n, p) for n, p in zip(draws, chance, strict=True)]
    names = tuple(str(j) for j in range(len(draws)))
    made = Sources(names, np.array(draws, dtype=np.float64), chance, np.zeros(chance.shape))
    return replace(made, count=np.array(counts, dtype=np.float64))


def newcomer(seed: int, overlap: int) -> Newcomer:
    """Two old systems of 100 units; the new one shares `overlap` units with the first."""
    rng = np.random.default_rng(seed)
    chance = np.zeros((3, 400))
    chance[0, :100] = chance[1, 50:150] = chance[2, 100 - overlap : 200 - overlap] = 0.01
    truth = (rng.random(400) < 0.6).astype(np.float64)
    return Newcomer(chance[2], drawn(rng, chance[:2], [300, 200]), truth)


@pytest.mark.parametrize("overlap", [0, 30, 60, 90])
def test_the_answer_is_the_least(overlap: int) -> None:
    one = newcomer(1, overlap)
    n = one.least(TARGET)
    assert one.variance(n) <= TARGET
    assert all(one.variance(fewer) > TARGET for fewer in range(n))


def test_more_overlap_needs_fewer_draws() -> None:
    needed = [newcomer(1, overlap).least(TARGET) for overlap in (0, 30, 60, 90)]
    assert needed == sorted(needed, reverse=True)
    assert needed[0] > 385  # the heuristic weights can cost a little where little is shared
    assert needed[-1] < 200


def test_old_draws_that_see_everything_may_be_enough() -> None:
    rng = np.random.default_rng(2)
    chance = np.full((1, 50), 0.02)
    old = drawn(rng, chance, [2_000])
    assert Newcomer(chance[0], old, np.ones(50)).least(TARGET) == 0


def test_part_that_no_draw_sees_makes_the_variance_infinite() -> None:
    one = newcomer(1, 30)
    assert one.variance(0) == np.inf
    assert np.isfinite(one.variance(1))


def test_an_impossible_width_is_refused() -> None:
    with pytest.raises(DesignError) as caught:
        alone().least(0.0)
    assert str(caught.value) == "a variance of 0 can't be had. Ask for a width such as 0.1."
    with pytest.raises(DesignError) as caught:
        alone().least(1e-30)
    assert str(caught.value) == "no number of draws gives so narrow an interval. Widen it."

"""The quantile of the largest error: against simulation, and where it is known."""

from __future__ import annotations

import numpy as np
import pytest

from aliquot.curves.critical import critical, stays


def simulated(limit: float, length: float, steps: int) -> float:
    """Return how often a chain stays within the limit: 40,000 chains of a fixed seed."""
    rng = np.random.default_rng(1)
    rho = np.exp(-length / steps)
    z = rng.standard_normal(40_000)
    inside = np.abs(z) <= limit
    for _ in range(steps):
        z = rho * z + np.sqrt(1 - rho * rho) * rng.standard_normal(len(z))
        inside &= np.abs(z) <= limit
    return float(inside.mean())


@pytest.mark.parametrize(("limit", "length", "steps"), [(2.5, 1.0, 20), (3.0, 5.0, 60)])
def test_a_chain_stays_as_often_as_simulated_ones(limit: float, length: float, steps: int) -> None:
    share = simulated(limit, length, steps)
    assert stays(limit, length, steps) == pytest.approx(share, abs=4 * np.sqrt(share / 40_000 / 9))


def test_one_rank_has_the_usual_quantile() -> None:
    assert critical(0.0, 0, 0.95) == 1.96
    assert critical(0.0, 0, 0.9) == 1.645


def test_independent_ranks_have_the_quantile_of_their_number() -> None:
    assert critical(1000.0, 9, 0.95) == pytest.approx(2.8, abs=0.002)  # .95 ** (1 / 10) two-sided


def test_more_ranks_a_longer_curve_and_a_higher_level_go_further() -> None:
    assert critical(2.0, 10, 0.95) < critical(2.0, 40, 0.95) < critical(4.0, 80, 0.95)
    assert critical(2.0, 10, 0.9) < critical(2.0, 10, 0.95)


def test_ranks_closer_than_the_nodes_resolve_still_go_further() -> None:
    far = [critical(2.0, steps, 0.95) for steps in (100, 200, 400, 10_000)]
    assert far == sorted(far)
    assert len(set(far)) == 4
    assert far[-1] - far[0] < 0.11  # the chain in continuous time is not far

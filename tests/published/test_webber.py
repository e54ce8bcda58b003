"""The worlds of Webber (2013) have the means that he prints, mended where he slips."""

from __future__ import annotations

import numpy as np
import pytest

from aliquot.papers.webber_coverage import METHODS, Task, run
from aliquot.papers.webber_worlds import SCENARIOS, World, world

MEANS = {  # Tables VI to VIII: R1 + R0 over N, recall, n1, n0
    "neutral": (0.287, 0.55, 890, 1_150),
    "legal": (0.031, 0.33, 820, 2_622),  # print has 3,170 for n0
    "small": (0.085, 0.55, 160, 600),
}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_scenarios_have_the_printed_means(scenario: str) -> None:
    rng = np.random.default_rng(8)
    made = [world(scenario, rng) for _ in range(4_000)]
    shares = np.mean([(w.R1 + w.R0) / (w.N1 + w.N0) for w in made])
    recall = np.mean([w.recall for w in made])
    sizes = np.mean([w.n1 for w in made]), np.mean([w.n0 for w in made])
    expected = MEANS[scenario]
    assert (shares, recall) == pytest.approx(expected[:2], rel=0.03)
    assert sizes == pytest.approx(expected[2:], rel=0.1)


def possible(one: World) -> bool:
    segments = ((one.N1, one.R1, one.n1), (one.N0, one.R0, one.n0))
    return all(0 <= R <= N and 1 <= n <= N for N, R, n in segments)


def test_every_world_is_possible() -> None:
    rng = np.random.default_rng(9)
    assert all(possible(world(name, rng)) for name in SCENARIOS for _ in range(2_000))
    assert not possible(World(5, 6, 1, 5, 1, 1))


def test_a_realisation_does_not_depend_on_its_neighbours() -> None:
    together = run(Task("small", 3, 2, 50, 1))
    assert together == [run(Task("small", i, 1, 50, 1))[0] for i in (3, 4)]
    assert tuple(sorted(together[0])) == tuple(sorted(METHODS))

"""Importance sampling as published: the distributions of Eq. 6 to 15, and Eq. 4 with each."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from aliquot.core import prn
from aliquot.core.columns import ArrayColumns
from aliquot.core.frame import KEY, TOPIC, UNIT, Floats, Frame, System
from aliquot.core.scale import scale
from aliquot.designs.base import Design
from aliquot.designs.registry import design
from aliquot.designs.size import fitted
from aliquot.errors import SpellingError
from aliquot.estimators.hh import HansenHurwitz
from aliquot.estimators.registry import usual
from aliquot.measures.registry import measure
from aliquot.papers import synth
from aliquot.papers.schnabel import Ranking
from aliquot.testing import toys
from aliquot.testing.enumeration import enumerate_estimates
from aliquot.testing.toys import Toy
from aliquot.testing.trial import Trial
from aliquot.wiring.rng import generator

EXACT = 1e-9
SPELLED = (
    "ubis(prior=one)",
    "ubis(prior=P)",
    "ubis(prior=P, systems=mean)",
    "ubis(prior=uP)",
    "ubis(prior=uP, systems=mean, floor=0.2)",
    "ubis(prior=uP, u=linear)",
)


@cache
def rankings() -> Toy:
    return toys.rankings(2, 5, depth=3, systems=3)


def sizes(toy: Toy, how: Design, goal: str, spelled: str) -> Floats:
    made = fitted(*how.sized, (toy.family(spelled),), toy.frame, goal=goal)
    found = np.concatenate([size for _, size in made.blocks(toy.frame)])
    normed: Floats = found / found.sum()
    return normed


def weights(toy: Toy) -> Floats:
    """The weights of DCG@3 with the natural logarithm, by hand: one row a system."""
    found = np.zeros((3, len(toy)))
    for s, system in enumerate(toy.frame.systems):
        found[s, system.rows] = 1.0 / np.log(1.0 + system.ranks) / 2.0
    return found


def mixed(base: Floats, floor: float = 0.05) -> Floats:
    bears = base > 0
    found: Floats = (1.0 - floor) * base / base.sum() + floor * bears / bears.sum()
    return found


@pytest.mark.parametrize(
    ("spelled", "goal", "wanted"),
    [
        ("ubis(prior=P)", "run1", lambda P: P[1]),
        ("ubis(prior=P)", "each", lambda P: np.sqrt((P**2).sum(axis=0))),
        ("ubis(prior=P, systems=mean)", "each", lambda P: P.mean(axis=0)),
        ("ubis(prior=P)", "pair:run0,run2", lambda P: np.abs(P[0] - P[2])),
        (
            "ubis(prior=P)",
            "relative",
            lambda P: np.sqrt(((P - P.mean(axis=0)) ** 2).sum(axis=0)),
        ),
        ("ubis(prior=1)", "run1", lambda P: (P[1] > 0).astype(float)),
    ],
    ids=["single", "sqrt", "mean", "pairwise", "relative", "one"],
)
def test_the_distribution_is_the_published_one(spelled: str, goal: str, wanted: object) -> None:
    toy = rankings()
    found = sizes(toy, design(spelled), goal, "DCG(base=e)@3")
    assert callable(wanted)
    assert found == pytest.approx(mixed(wanted(weights(toy))), rel=1e-6)


def test_the_guess_is_the_published_one() -> None:
    toy = rankings()
    found = sizes(toy, design("ubis(u=linear)"), "run1", "DCG(base=e)@3")
    one = toy.frame.systems[1]
    u = np.zeros(len(toy))
    u[one.rows] = 1.0 - one.ranks / 3.0
    base = u * weights(toy)[1]
    bears = weights(toy)[1] > 0
    assert found == pytest.approx(0.95 * base / base.sum() + 0.05 * bears / bears.sum(), rel=1e-6)


@pytest.mark.parametrize("spelled", SPELLED)
def test_a_spelling_parses_back(spelled: str) -> None:
    assert design(str(design(spelled))) == design(spelled)


@pytest.mark.parametrize("goal", ["each", "relative"])
@pytest.mark.parametrize("spelled", SPELLED)
def test_equation_4_is_unbiased_with_each_distribution(spelled: str, goal: str) -> None:
    """`each` and `relative` see all systems; every multiset of three draws is listed."""
    trial = Trial(rankings(), design(spelled), goal, ("DCG@3",))
    found = enumerate_estimates(trial, HansenHurwitz(), "DCG@3", 3)
    assert np.abs(found.bias).max() < EXACT
    assert np.abs(found.expected_variance - found.variance).max() < EXACT


def test_a_distribution_that_misses_units_is_seen() -> None:
    """Positive control: what one system does not return is never drawn for that system alone."""
    trial = Trial(rankings(), design("ubis(prior=P)"), "run1", ("DCG@3",))
    found = enumerate_estimates(trial, HansenHurwitz(), "DCG@3", 3)
    assert abs(found.bias[1]) < EXACT
    assert max(abs(found.bias[0]), abs(found.bias[2])) > 0.01


def test_the_distribution_for_a_pair_has_the_least_variance_for_it() -> None:
    """Eq. 13 against Eq. 11, labels being all alike: the difference of two systems, enumerated."""
    toy = rankings()
    P = weights(toy)
    difference = P[0] - P[2]
    pair, both = (
        sizes(toy, design("ubis(prior=P, floor=0)"), goal, "DCG(base=e)@3")
        for goal in ("pair:run0,run2", "each")
    )
    at = difference != 0
    assert (difference[at] ** 2 / pair[at]).sum() < (difference[at] ** 2 / both[at]).sum()


def test_the_estimator_is_that_of_the_paper() -> None:
    held = Trial(rankings(), design("ubis")).draw(4, 1)
    assert str(usual(held.sample, measure("DCG@3"))) == "hh"
    assert str(usual(Trial(rankings(), design("wr")).draw(4, 1).sample, measure("DCG@3"))) != "hh"


def test_a_prior_that_is_none_is_refused() -> None:
    with pytest.raises(SpellingError) as error:
        design("ubis(prior=all)")
    assert str(error.value) == "prior=all is not known. Use one of one, P, uP."


def small_synth(queries: int, items: int) -> tuple[Toy, list[Ranking]]:
    """SYNTH, small, as a frame: a unit is a query with an item."""
    labels = synth.labels(generator(1), rankings=queries, items=items)
    units = tuple(f"{q} {i}" for q in range(queries) for i in range(items))
    topic = np.repeat(np.arange(queries, dtype=np.int32), items)
    rows = np.arange(len(units))
    systems = tuple(
        System(name, "ranking", rows=rows, ranks=np.tile(ranks, queries).astype(np.int32))
        for name, ranks in ((n, synth.ranks(n, items)) for n in synth.SYSTEMS)
    )
    columns = {UNIT: np.array(units, dtype=object), KEY: prn.keys(units), TOPIC: topic}
    frame = Frame(ArrayColumns(columns), systems, topics=tuple(str(q) for q in range(queries)))
    toy = Toy(frame, scale("grades(0..4)"), labels.ravel().astype(float), ("DCG(base=e)@200",))
    guess = 4.0 * (1.0 - np.arange(1, items + 1) / items)
    return toy, [Ranking(n, labels[:, synth.order(n, items)], 4, guess) for n in synth.SYSTEMS]


@pytest.mark.parametrize(
    ("prior", "spelled"),
    [("uP", "ubis(u=linear)"), ("P", "ubis(prior=P)"), ("1", "ubis(prior=1)")],
)
def test_the_tables_use_the_distribution_of_the_design(prior: str, spelled: str) -> None:
    """What the reproductions draw from, rank by rank, is what a study draws from, unit by unit."""
    toy, every = small_synth(4, 200)
    for one in every:
        found = sizes(toy, design(spelled), one.name, "DCG(base=e)@200").reshape(4, 200)
        ranked = found[:, synth.order(one.name, 200)]
        assert 4.0 * ranked == pytest.approx(np.tile(one.q(prior), (4, 1)), rel=1e-6)

"""Every measure against its definition, written down a second time in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.core.frame import Floats, System
from aliquot.core.sample import Sample
from aliquot.estimators.ht import HorvitzThompson
from aliquot.measures.base import Items, Measure, accumulate, influence
from aliquot.measures.pairs import PairMeasure
from aliquot.measures.registry import MEASURES, measure
from aliquot.testing import toys
from aliquot.testing.toys import Toy
from aliquot.testing.whole import Whole

Brute = Callable[[Toy, System], float]


def ranked(toy: Toy, system: System) -> dict[int, list[float]]:
    """The labels that each topic's ranking shows, from rank 1 on."""
    block = toy.frame.block(np.arange(len(toy)), toy.frame.systems)
    rank = system.output(block).rank
    assert rank is not None
    found: dict[int, list[float]] = {}
    for topic in range(len(toy.frame.topics)):
        rows = [u for u in range(len(toy)) if rank[u] > 0 and block.topics[u] == topic]
        found[topic] = [float(toy.labels[u]) for u in sorted(rows, key=lambda u: int(rank[u]))]
    return found


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def precision_at(k: int, rel: int) -> Brute:
    return lambda toy, system: mean(
        [sum(y >= rel for y in ys[:k]) / k for ys in ranked(toy, system).values()]
    )


def dcg_at(k: int, log: Callable[[float], float], gain: Callable[[float], float]) -> Brute:
    return lambda toy, system: mean(
        [
            sum(gain(y) / log(i + 1) for i, y in enumerate(ys[:k], 1))
            for ys in ranked(toy, system).values()
        ]
    )


def recall_at(k: int, rel: int) -> Brute:
    def value(toy: Toy, system: System) -> float:
        topics = toy.frame.block(np.arange(len(toy)), ()).topics
        shares = []
        for topic, ys in ranked(toy, system).items():
            relevant = sum(y >= rel for y, t in zip(toy.labels, topics, strict=True) if t == topic)
            shares.append(sum(y >= rel for y in ys[:k]) / relevant if relevant else 0.0)
        return mean(shares)

    return value


def average_precision(k: int, rel: int) -> Brute:
    def value(toy: Toy, system: System) -> float:
        topics = toy.frame.block(np.arange(len(toy)), ()).topics
        found = []
        for topic, ys in ranked(toy, system).items():
            relevant = sum(y >= rel for y, t in zip(toy.labels, topics, strict=True) if t == topic)
            hits = [y >= rel for y in ys[:k]]
            precisions = [sum(hits[: i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit]
            if relevant:
                found.append(sum(precisions) / relevant)
        return mean(found)

    return value


def swapped_at(k: int, worth: Callable[[int, int], float]) -> Brute:
    def one(ys: list[float]) -> float:
        pairs = [(i, j) for j in range(min(k, len(ys))) for i in range(j)]
        wrong = [worth(i + 1, j + 1) for i, j in pairs if ys[j] > ys[i]]
        return sum(wrong) / (k * (k - 1) / 2)

    return lambda toy, system: mean([one(ys) for ys in ranked(toy, system).values()])


def off(power: int) -> Brute:
    def value(toy: Toy, system: System) -> float:
        said = toy.frame.columns.whole(system.column)
        return mean([abs(s - y) ** power for s, y in zip(said, toy.labels, strict=True)])

    return value


def judged_at(k: int) -> Brute:
    return lambda toy, system: mean([len(ys[:k]) / k for ys in ranked(toy, system).values()])


def pairs(toy: Toy, system: System) -> list[tuple[bool, bool]]:
    """(retrieved, relevant) of each unit."""
    scores = toy.frame.columns.whole(system.column)
    assert system.threshold is not None
    return [(s >= system.threshold, y >= 1) for s, y in zip(scores, toy.labels, strict=True)]


def set_precision(toy: Toy, system: System) -> float:
    hits = [relevant for retrieved, relevant in pairs(toy, system) if retrieved]
    return sum(hits) / len(hits)


def set_recall(toy: Toy, system: System) -> float:
    found = [retrieved for retrieved, relevant in pairs(toy, system) if relevant]
    return sum(found) / len(found)


def f_beta(beta: float) -> Brute:
    def value(toy: Toy, system: System) -> float:
        p, r = set_precision(toy, system), set_recall(toy, system)
        return (1 + beta**2) * p * r / (beta**2 * p + r)

    return value


def accuracy(toy: Toy, system: System) -> float:
    said = toy.frame.columns.whole(system.column)
    if system.threshold is not None:
        said = (said >= system.threshold).astype(float)
    return mean([float(s == y) for s, y in zip(said, toy.labels, strict=True)])


LISTED: list[tuple[str, Toy, dict[str, Brute]]] = [
    (
        "rankings",
        toys.rankings(3, 7, depth=4, systems=3),
        {
            "P@1": precision_at(1, 1),
            "P@3": precision_at(3, 1),
            "P@9": precision_at(9, 1),
            "P(rel=2)@3": precision_at(3, 2),
            "DCG@4": dcg_at(4, math.log2, lambda y: y),
            "DCG(base=e)@3": dcg_at(3, math.log, lambda y: y),
            "DCG(gain=exp)@4": dcg_at(4, math.log2, lambda y: 2**y - 1),
            "DCG(base=e,gain=exp)@2": dcg_at(2, math.log, lambda y: 2**y - 1),
            "R@2": recall_at(2, 1),
            "R(rel=3)@4": recall_at(4, 3),
            "Judged@4": judged_at(4),
            "Judged@9": judged_at(9),
            "AP@3": average_precision(3, 1),
            "AP@9": average_precision(9, 1),
            "AP(rel=2)@4": average_precision(4, 2),
            "Swaps@4": swapped_at(4, lambda i, j: 1.0),
            "Swaps@9": swapped_at(9, lambda i, j: 1.0),
            "wSwaps@3": swapped_at(3, lambda i, j: 1.0 / (i * j)),
        },
    ),
    (
        "scored",
        toys.scored(40),
        {
            "Precision": set_precision,
            "Recall": set_recall,
            "F1": f_beta(1.0),
            "F(beta=2)": f_beta(2.0),
            "F(beta=0.5)": f_beta(0.5),
            "Accuracy": accuracy,
        },
    ),
    ("classes", toys.predicted(40), {"Accuracy": accuracy}),
    ("guessed", toys.guessed(20), {"MAE": off(1), "MSE": off(2)}),
    ("grades", toys.graded(20), {"Mean": lambda toy, _: mean(toy.labels.tolist())}),
    (
        "numbers",
        toys.graded(20, labels="number(0..10)"),
        {"Mean": lambda toy, _: mean(toy.labels.tolist())},
    ),
]
CASES = [
    (name, toy, spelled, brute) for name, toy, listed in LISTED for spelled, brute in listed.items()
]
every_case = pytest.mark.parametrize(
    ("toy", "spelled", "brute"),
    [case[1:] for case in CASES],
    ids=[f"{name}-{spelled}" for name, _, spelled, _ in CASES],
)


def wholes() -> list[Whole]:
    return [Whole(toy, spelled) for _, toy, spelled, _ in CASES]


def test_every_measure_has_a_case() -> None:
    assert {measure(spelled).name for _, _, spelled, _ in CASES} == {m.name for m in MEASURES}
    assert len(CASES) == 29


@every_case
def test_the_value_with_all_labels_is_the_definition(toy: Toy, spelled: str, brute: Brute) -> None:
    whole = Whole(toy, spelled)
    systems = whole.family.systems or (System("", "scored"),)
    assert whole.truth == pytest.approx([brute(toy, system) for system in systems], abs=1e-12)


@every_case
def test_a_census_estimates_the_truth_without_error(toy: Toy, spelled: str, brute: Brute) -> None:
    whole, n = Whole(toy, spelled), len(toy)
    one, rows = np.ones(n), np.arange(n)
    zero = np.zeros(n, dtype=np.int64)
    sample = Sample("simple", rows, one, one, zero + 1, zero, toy.labels, rows, n, float(n))
    solved = whole.solve(sample, HorvitzThompson())
    assert solved.values == pytest.approx(whole.truth, abs=1e-12)
    assert not solved.covariance.any()


def numerical(m: Measure, totals: Floats, known: Floats) -> Floats:
    """dg/dL by central differences."""
    found = np.zeros(totals.shape)
    for place in np.ndindex(totals.shape):
        step = np.zeros(totals.shape)
        step[place] = 1e-5
        up, down = m.value(totals + step, known), m.value(totals - step, known)
        found[place] = (up - down) / 2e-5
    return found


@every_case
def test_the_gradient_is_the_derivative(toy: Toy, spelled: str, brute: Brute) -> None:
    whole = Whole(toy, spelled)
    m = whole.family.measure
    for items, known in zip(whole.items, whole.known, strict=True):
        totals = m.summed(items, toy.labels)
        if m.by_topic:  # where nothing is relevant the value jumps
            totals = np.maximum(totals, [[0.5], [1.5]])
        assert m.gradient(totals, known) == pytest.approx(numerical(m, totals, known), abs=1e-7)


def both(m: Measure, items: Items, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """What each unit pulls on the totals, and the totals when units count as often as weighed."""
    if isinstance(m, PairMeasure):
        pull, share = m.pulls(items, m.seen(y, items), weights, lambda _: 1.0)
    else:
        pull = share = m.contributions(items, y)
    return pull, accumulate(m, items, share * weights)


def influences(whole: Whole) -> list[Floats]:
    m, y = whole.family.measure, whole.toy.labels
    found = []
    for items, known in zip(whole.items, whole.known, strict=True):
        pull, totals = both(m, items, y, np.ones(len(y)))
        found.append(influence(m, items, m.gradient(totals, known), pull))
    return found


@every_case
def test_influences_add_up_as_they_must(toy: Toy, spelled: str, brute: Brute) -> None:
    """To the value where g is linear, to 0 for a ratio of totals (Euler)."""
    whole = Whole(toy, spelled)
    sums = [psi.sum() for psi in influences(whole)]
    m = whole.family.measure
    if m.name == "F":
        beta = float(getattr(m, "beta", 1.0))
        relevant = (toy.labels >= 1).sum()
        left = [
            value * k[0] / (k[0] + beta**2 * relevant)
            for value, k in zip(whole.truth, whole.known, strict=True)
        ]
        assert sums == pytest.approx(left, abs=1e-12)
    elif m.pairs and not m.by_topic:  # either unit of a pair pulls on all of it
        assert sums == pytest.approx(2.0 * whole.truth, abs=1e-12)
    elif m.pairs:  # 2 Q - sum z / r of the pairs, less Q of the denominator
        assert all(0.0 <= one <= value for one, value in zip(sums, whole.truth, strict=True))
    else:
        assert sums == pytest.approx(whole.truth if m.linear else 0.0 * whole.truth, abs=1e-12)


@every_case
def test_influence_is_the_change_when_a_label_counts_a_little_more(
    toy: Toy, spelled: str, brute: Brute
) -> None:
    """psi(u) = d theta / d weight of u, unit by unit."""
    whole = Whole(toy, spelled)
    m, step = whole.family.measure, 1e-6
    given_ = zip(whole.items, whole.known, influences(whole), strict=True)
    for items, known, psi in given_:
        for u in range(0, len(toy), 5):
            weight = np.ones(len(toy))
            ends = []
            for h in (step, -step):
                weight[u] = 1.0 + h
                totals = both(m, items, toy.labels, weight)[1]
                ends.append(m.value(totals, known))
            assert psi[u] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-6)


def test_the_cases_are_not_all_alike() -> None:
    values = [round(value, 9) for whole in wholes() for value in whole.truth.tolist()]
    assert len(set(values)) > len(values) // 2


def test_values_lie_within_the_bounds() -> None:
    for whole in wholes():
        scale = whole.toy.scale
        low, high = whole.family.measure.bounds(scale.low, scale.high)
        assert low <= whole.truth.min() <= whole.truth.max() <= high


def test_the_bound_of_dcg_is_reached_by_the_best_ranking() -> None:
    assert measure("DCG@3").bounds(0.0, 3.0)[1] == pytest.approx(3 * (1 + 1 / math.log2(3) + 1 / 2))
    best = measure("DCG(base=e, gain=exp)@2").bounds(0.0, 2.0)[1]
    assert best == pytest.approx(3 * (1 / math.log(2) + 1 / math.log(3)))


def test_a_mean_may_be_negative() -> None:
    assert measure("Mean").bounds(-5.0, 5.0) == (-5.0, 5.0)


# Spellings

cutoffs = st.integers(1, 10_000)
rels = st.integers(1, 20)
betas = st.floats(1e-3, 1e3)
MADE = {
    "Mean": st.builds(MEASURES[0]),
    "Accuracy": st.builds(MEASURES[1]),
    "Precision": st.builds(MEASURES[2], rel=rels),
    "Recall": st.builds(MEASURES[3], rel=rels),
    "F": st.builds(MEASURES[4], beta=betas, rel=rels),
    "P": st.builds(MEASURES[5], cutoffs, rel=rels),
    "DCG": st.builds(
        MEASURES[6], cutoffs, base=st.sampled_from(["2", "e"]),
        gain=st.sampled_from(["label", "exp"]),
    ),
    "R": st.builds(MEASURES[7], cutoffs, rel=rels),
    "Judged": st.builds(MEASURES[8], cutoffs),
    "AP": st.builds(MEASURES[9], cutoffs, rel=rels),
    "Swaps": st.builds(MEASURES[10], st.integers(2, 10_000)),
    "wSwaps": st.builds(MEASURES[11], st.integers(2, 10_000)),
    "MAE": st.builds(MEASURES[12]),
    "MSE": st.builds(MEASURES[13]),
}  # fmt: skip


def test_every_measure_has_made_up_spellings() -> None:
    assert list(MADE) == [m.name for m in MEASURES]


@given(st.one_of(*MADE.values()))
def test_a_measure_parses_back(made: Measure) -> None:
    assert measure(str(made)) == made
    assert str(measure(str(made))) == str(made)


# Positive controls


def test_a_wrong_definition_is_seen() -> None:
    toy = toys.rankings(3, 7, depth=4, systems=3)
    natural = Whole(toy, "DCG(base=e)@3").truth
    binary = [dcg_at(3, math.log2, lambda y: y)(toy, s) for s in toy.frame.systems]
    assert natural != pytest.approx(binary, abs=1e-3)


def test_a_wrong_gradient_is_seen() -> None:
    m, totals, known = measure("Recall"), np.array([6.0, 10.0]), np.array([])
    assert m.gradient(totals, known) != pytest.approx(
        numerical(measure("F1"), totals, np.array([8.0])), abs=1e-3
    )

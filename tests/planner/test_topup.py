"""The fewest further labels for a system: the least number there is, and kept when drawn."""

from __future__ import annotations

from itertools import product
from math import ceil

import numpy as np
import pytest

import aliquot as aq
from aliquot.core.frame import Floats
from aliquot.core.plan import TopUp
from aliquot.engine.draft import TableSpec
from aliquot.engine.manifest import SystemRow
from aliquot.errors import AliquotError
from aliquot.planner.topup import Evidence, Spread, least

TOPICS, DOCS = 12, 60
NOTHING: Floats = np.zeros(0)


def evidence(a: Floats, low: float = 0.0) -> Evidence:
    zero = np.zeros(len(a))
    return Evidence(a, zero + 1, np.zeros(0, dtype=np.int64), NOTHING, NOTHING, zero, zero, low)


def worst(a: Floats, pi: Floats) -> float:
    """The largest variance over all labels of 0 and 1, each with its best lambda."""
    odds, found = (1.0 - pi) / pi * a**2, 0.0
    for bits in product((0.0, 1.0), repeat=len(a)):
        f = np.array(bits)
        x = float(np.clip(odds @ f / odds.sum(), 0.0, 1.0))
        found = max(found, float(odds @ (f - x) ** 2))
    return found


@pytest.mark.parametrize("seed", range(10))
def test_no_labels_of_unseen_units_are_worse_than_the_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, pi = rng.gamma(2.0, size=8), rng.uniform(0.1, 0.9, 8)
    assert worst(a, pi) <= evidence(a).variance(pi) + 1e-12


def test_the_bound_is_reached_where_units_are_alike() -> None:
    a, pi = np.full(8, 2.0), np.full(8, 0.25)
    assert worst(a, pi) == pytest.approx(evidence(a).variance(pi), abs=1e-12)


def test_labels_that_are_there_count_as_they_are() -> None:
    """Two judged units, each for two: a (f - 1/2)^2 with odds 1, twice."""
    two = Evidence(
        np.ones(4), np.zeros(4), np.array([0, 1]), np.array([0.0, 1.0]), np.full(2, 2.0),
        np.zeros(4), np.zeros(4),
    )  # fmt: skip
    assert two.variance(np.full(4, 0.5)) == pytest.approx(4 * 0.25)
    alike = Evidence(two.most, two.unseen, two.rows, np.ones(2), two.weight, two.mean, two.square)
    assert alike.variance(np.full(4, 0.5)) == 0.0


def test_without_calibration_the_worst_labels_are_the_highest() -> None:
    a = np.ones(5)
    plain = Evidence(a, a, np.zeros(0, int), NOTHING, NOTHING, a, a, 0.0, calibrated=False)
    assert plain.variance(np.full(5, 0.5)) == 5.0
    assert plain.expected(np.full(5, 0.5)) == 5.0


def test_what_stays_out_of_reach_may_have_any_label() -> None:
    one = evidence(np.array([1.0, 2.0]))
    assert one.spread(np.array([1.0, 0.0])) == Spread(0.0, 0.0, 0.0, 2.0)


def test_the_least_number_is_found() -> None:
    for need in (0, 1, 2, 3, 17, 99, 100):
        assert least(lambda n, need=need: float(n < need), 0.5, 100) == need  # type: ignore[misc]
    with pytest.raises(AliquotError, match="a width of 0 can't be had"):
        least(lambda _: 1.0, 0.0, 9)


def ranking(topic_docs: list[list[int]]) -> dict[str, list[object]]:
    pairs = [(t, f"{t}-{d}") for t, docs in enumerate(topic_docs) for d in docs]
    return {
        "topic": [t for t, _ in pairs],
        "doc": [d for _, d in pairs],
        "score": [-float(i) for i in range(len(pairs))],
    }


def judge(unit: str) -> str:
    return "yes" if hash_of(unit) % 10 < 4 else "no"


def hash_of(unit: str) -> int:
    return sum(ord(c) * (i + 7) for i, c in enumerate(unit)) * 2654435761 >> 7


def study(seed: int, *, design: str = "default", goal: str = "each") -> aq.Study:
    """Two systems judged in part, and a third that returns half new documents."""
    rng = np.random.default_rng(5)
    runs = [[rng.permutation(DOCS)[:20].tolist() for _ in range(TOPICS)] for _ in range(2)]
    new = [[*docs[:10], *range(DOCS, DOCS + 10)] for docs in runs[0]]
    frame = aq.Frame.from_runs({"a": ranking(runs[0]), "b": ranking(runs[1])})
    found = aq.Study.in_memory(frame, measures=["P@20"], rng=seed)
    found.record({u: judge(u) for u in found.draw(80, design=design, goal=goal).new})
    found.add_runs({"new": ranking(new)})
    return found


def planned(found: aq.Study, **asked: float) -> TopUp:
    row = found.plan(goal="new", **asked).rows[0]  # type: ignore[arg-type]  # int and float options
    assert isinstance(row, TopUp)
    return row


def test_what_carries_over_is_counted() -> None:
    row = study(1).carried("new").rows[0]
    assert (row.system, row.measure) == ("new", "P@20")
    assert row.unseen == pytest.approx(0.5)
    labels = study(1).estimate(measure="Judged@20").rows[2]
    assert row.carried == round(labels.estimate * 20 * TOPICS)
    assert aq.Study.in_memory(aq.Frame.from_table({"id": [1]}, id="id")).carried().rows == ()


def test_a_width_is_met_by_its_labels_and_by_no_fewer() -> None:
    found = study(1)
    row = planned(found, width=0.3)
    assert row.width <= 0.3
    assert planned(found, budget=row.labels - 1).width > 0.3
    assert row.expected < row.width
    assert planned(found, width=1.0).labels == 0


def test_an_interval_is_no_wider_than_planned_when_the_labels_are_drawn() -> None:
    """12 studies: the mean width is at most the plan's, and near what was expected."""
    widths, most, expected = [], [], []
    for seed in range(12):
        found = study(seed)
        row = planned(found, width=0.3)
        found.record({u: judge(u) for u in found.draw(row.labels, goal="new").new})
        new = found.estimate().rows[2]
        widths.append(new.high - new.low)
        most.append(row.width)
        expected.append(row.expected)
    assert np.mean(widths) <= np.mean(most) + 0.01
    assert np.mean(widths) == pytest.approx(np.mean(expected), rel=0.3)


def test_a_top_up_tightens_what_is_known_of_the_others() -> None:
    found = study(3)
    before = [row.value.stderr for row in found.estimate().rows[:2]]
    found.record({u: judge(u) for u in found.draw(60, goal="new").new})
    after = [row.value.stderr for row in found.estimate().rows[:2]]
    assert after[0] < before[0]


OWN = "ubis(prior=P, floor=0)"


def test_draws_with_replacement_are_planned_by_b4() -> None:
    """Nothing of the old draws helps where outputs are apart: 385 draws for +-.05."""
    table = {"id": range(4000), "a": [int(i < 2000) for i in range(4000)]}
    frame = aq.Frame.from_table(table, id="id", retrieved={"a": "a"})
    found = aq.Study.in_memory(frame, measures=["Precision"], rng=1)
    found.record(dict.fromkeys(found.draw(50, goal="a", design=OWN).new, "yes"))
    other = {"id": range(4000), "new": [int(i >= 2000) for i in range(4000)]}
    found.add_systems(other, spec("new"))
    row = planned(found, width=0.1)
    assert (row.draws, row.carried, row.unseen) == (385, 0, 1.0)
    assert row.labels == ceil(2000 * (1 - (1 - 1 / 2000) ** 385))
    assert row.width <= 0.1 < planned(found, budget=384).width
    assert (row.estimator, row.interval) == ("joint(weights=heuristic)", "normal")


def spec(name: str) -> TableSpec:
    return TableSpec(id="id", systems=(SystemRow(name, "retrieved", name),))


def test_old_draws_save_new_ones() -> None:
    """The new system's output is half of a's, which has 400 draws: about 200 of them count."""
    table = {"id": range(4000), "a": [int(i < 2000) for i in range(4000)]}
    frame = aq.Frame.from_table(table, id="id", retrieved={"a": "a"})
    found = aq.Study.in_memory(frame, measures=["Precision"], rng=1)
    found.record({u: judge(u) for u in found.draw(400, goal="a", design=OWN).new})
    found.add_systems({"id": range(4000), "new": [int(i < 1000) for i in range(4000)]}, spec("new"))
    joint, simple = found.plan(goal="new", width=0.1).rows
    assert isinstance(joint, TopUp)
    assert isinstance(simple, TopUp)
    assert 150 < joint.draws < 250
    assert (simple.draws, simple.estimator) == (385, "simple")
    assert joint.unseen == 0.0
    found.record({u: judge(u) for u in found.draw(100, goal="new", design=OWN).new})
    joint, simple = found.plan(goal="new", width=0.1).rows
    assert isinstance(simple, TopUp)
    assert simple.draws == 285  # 100 of the 385 are there


def test_what_cant_be_planned_is_refused() -> None:
    frame = aq.Frame.from_table(
        {"id": range(50), "s": [int(i < 20) for i in range(50)]}, id="id", retrieved={"s": "s"}
    )
    found = aq.Study.in_memory(frame, measures=["Recall"], rng=1)
    found.record(dict.fromkeys(found.draw(10).new, "no"))
    with pytest.raises(AliquotError) as error:
        found.plan(goal="s", width=0.2)
    assert str(error.value) == (
        "Recall of s can't be planned on these labels. Judge more units first: nothing relevant "
        "was found yet."
    )
    other = aq.Study.in_memory(frame, measures=["Recall"], rng=1)
    other.record(dict.fromkeys(other.draw(10, design="wr").new, "yes"))
    with pytest.raises(AliquotError) as error:
        other.plan(goal="s", width=0.2)
    assert str(error.value) == (
        "draws with replacement are planned for totals. Add a measure such as Precision."
    )

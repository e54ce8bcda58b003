"""Joint and simple estimates in a study: who is estimated from whose draws."""

from __future__ import annotations

from functools import cache
from math import isnan

import numpy as np
import pytest

import aliquot as aq
from aliquot.errors import AliquotError

UNITS = 60
TRUTH = {f"u{i}": "yes" if i % 3 else "no" for i in range(UNITS)}
OUTPUTS = {"a": range(30), "b": range(10, 50), "c": range(40, 60)}
OWN = "ubis(prior=P, floor=0)"
SEEDS = 120
JOINT = ["joint", "joint(weights=balance)", "joint(weights=equal)", "joint(weights=optimal)"]


@cache
def frame() -> aq.Frame:
    table: dict[str, object] = {"id": list(TRUTH)}
    table |= {name: [int(i in out) for i in range(UNITS)] for name, out in OUTPUTS.items()}
    return aq.Frame.from_table(table, id="id", retrieved={name: name for name in OUTPUTS})


def study(seed: int, draws: dict[str, int], *measures: str, design: str = OWN) -> aq.Study:
    """Draw so many for each system, and judge them all."""
    found = aq.Study.in_memory(frame(), measures=measures or ("Precision",), rng=seed)
    for goal, n in draws.items():
        batch = found.draw(n, goal=goal, design=design)
        found.record({unit: TRUTH[unit] for unit in batch.new} or {})
    return found


def truth(name: str) -> float:
    return float(np.mean([TRUTH[f"u{i}"] == "yes" for i in OUTPUTS[name]]))


def values(found: aq.Study, how: str) -> list[float]:
    return [row.estimate for row in found.estimate(estimator=how)]


def test_the_balance_heuristic_is_hansen_and_hurwitz() -> None:
    found = study(1, {"a": 20, "b": 10, "c": 5})
    assert values(found, "joint(weights=balance)") == pytest.approx(values(found, "hh"))


def test_simple_is_the_plain_mean_of_ones_own_draws() -> None:
    found = study(1, {"a": 20, "b": 10, "c": 5})
    first = found.book.ledger.draws()[0].units
    own = dict(zip(first.unit, first.count.tolist(), strict=True))
    mean = sum(n for u, n in own.items() if TRUTH[u] == "yes") / 20
    assert values(found, "simple")[0] == pytest.approx(mean)


@pytest.mark.parametrize("how", ["simple", *JOINT])
def test_each_is_unbiased_and_knows_its_error(how: str) -> None:
    rows = [
        study(seed, {"a": 12, "b": 20, "c": 8}).estimate(estimator=how).rows
        for seed in range(SEEDS)
    ]
    found = np.array([[row.estimate for row in one] for one in rows])
    errors = np.array([[row.stderr for row in one] for one in rows])
    spread = found.std(axis=0, ddof=1)
    off = found.mean(axis=0) - [truth(name) for name in OUTPUTS]
    assert (np.abs(off) < 4.0 * spread / SEEDS**0.5).all()
    assert np.sqrt((errors**2).mean(axis=0)) == pytest.approx(spread, rel=0.2)
    assert {row.value.guarantee for row in rows[0]} == {"design-unbiased"}


def test_everybodys_draws_help() -> None:
    """The variance of system a, which has few draws of its own, over 120 samples."""
    both = [study(seed, {"a": 12, "b": 40}) for seed in range(SEEDS)]
    joint, simple = (np.var([values(s, how)[0] for s in both]) for how in ("joint", "simple"))
    assert joint < simple


def test_a_batch_in_waiting_leaves_a_joint_estimate_unbiased() -> None:
    found = []
    for seed in range(SEEDS):
        one = study(seed, {"a": 12, "b": 20})
        one.draw(20, goal="c", design=OWN)
        found.append(values(one, "joint")[1])
    assert abs(np.mean(found) - truth("b")) < 4.0 * np.std(found) / SEEDS**0.5


def test_the_covariance_of_joint_estimates_makes_differences_narrower() -> None:
    found = study(1, {"a": 30, "b": 30})
    row = found.compare("a", "b", estimator="joint").rows[0]
    apart = sum(row.stderr**2 for row in list(found.estimate(estimator="joint"))[:2]) ** 0.5
    assert row.stderr < apart + 0.05


def test_a_system_without_draws_of_its_own_has_no_simple_estimate() -> None:
    rows = study(1, {"a": 20}).estimate(estimator="simple").rows
    assert [isnan(row.estimate) for row in rows] == [False, True, True]
    assert rows[1].warnings[-1] == (
        "it can't be estimated: none of its own draws, or not enough to see all of it: draw with "
        "its name as the goal"
    )


def test_a_joint_estimate_says_what_no_draw_could_see() -> None:
    row = study(1, {"a": 20}).estimate(estimator="joint").rows[1]
    assert "no draw could have chosen 50.0% of the units that it rests on" in row.warnings[-1]
    assert row.high - row.low > 0.5


def test_recall_is_estimated_jointly_and_not_from_ones_own_draws() -> None:
    found = study(1, {"a": 20, "b": 20, "c": 20}, "Recall", "F1")
    assert len(values(found, "joint")) == 6
    refused(found, "simple", "own draws can't see all that Recall rests on. Use estimator joint.")


def refused(found: aq.Study, how: str, text: str, over: str = "these") -> None:
    with pytest.raises(AliquotError) as error:
        found.estimate(estimator=how, over=over)
    assert str(error.value) == text


def test_what_has_no_formula_is_refused() -> None:
    found = study(1, {"a": 20})
    refused(
        found,
        "joint",
        "estimator joint(weights=heuristic) has no variance between topics or units. "
        "Leave the estimator out, or use over these.",
        "like-these",
    )
    refused(
        study(1, {"a": 10}, design="pps"),
        "joint",
        "joint and simple estimates are of draws with replacement, and these are without. Use the "
        "default, which re-uses every label too; or draw with ubis or wr.",
    )
    refused(found, "joint(weights=best)", "weights=best is not known. Use one of heuristic, "
            "balance, equal, optimal.")  # fmt: skip
    refused(found, "joint(mix=equal)", "'joint(mix=equal)' is not an estimator. joint takes "
            "weights=heuristic.")  # fmt: skip


def test_two_judges_are_told_from_the_draws_in_a_joint_estimate() -> None:
    found = study(1, {"a": 20, "b": 20})
    units = found.book.ledger.draws()[-1].units.unit
    other = {u: TRUTH[u] if i % 4 else {"yes": "no", "no": "yes"}[TRUTH[u]]
             for i, u in enumerate(units)}  # fmt: skip
    found.record(other, annotator="second")
    rows = found.estimate(estimator="joint").rows
    assert all(0 < (row.value.judging or 0) < row.stderr**2 for row in rows[:2])

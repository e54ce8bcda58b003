"""Distribution-free intervals: their formulas, their refusals, how often they cover, how wide."""

from __future__ import annotations

import math

import numpy as np
import pytest

from aliquot.core.estimate import Estimate, Interval, Terms
from aliquot.core.frame import Floats
from aliquot.designs.registry import design
from aliquot.errors import EstimateError
from aliquot.estimators.registry import estimator
from aliquot.intervals.betting import Betting
from aliquot.intervals.edgeworth import distribution
from aliquot.intervals.registry import INTERVALS, method
from aliquot.testing import toys
from aliquot.testing.coverage import Covered, Plan, cover
from aliquot.testing.trial import Trial
from aliquot.testing.whole import Whole
from aliquot.wiring import results
from aliquot.wiring.rng import generator

BOUNDED = [kind.name for kind in INTERVALS if kind.bounded]
TABLE = toys.scored(300)


def made(values: Floats, high: float = 1.0, population: int = 0) -> Estimate:
    n = len(values)
    stderr = float(values.std(ddof=1)) / math.sqrt(n)
    terms = Terms(values, 0.0, high, population)
    bounds = (0.0, math.inf)
    return Estimate(
        "", "DCG@10", float(values.mean()), stderr, n, float(n), "hh", "design-unbiased",
        bounds, terms=terms,
    )  # fmt: skip


def half(name: str, row: Estimate) -> float:
    low, high = method(name).ends(row, 0.95)
    return (high - low) / 2.0


# Formulas


def test_hoeffding_is_the_bound_and_print_doubles_it() -> None:
    row = made(np.array([0.0, 2.0, 1.0, 1.0] * 25), high=3.0)
    right = 3.0 * math.sqrt(math.log(40.0) / 200.0)
    assert half("hoeffding", row) == pytest.approx(right, abs=1e-12)
    assert half("hoeffding-printed", row) == pytest.approx(2.0 * right, abs=1e-12)
    assert right == pytest.approx(0.40743, abs=1e-5)


def test_bernstein_is_maurer_and_pontil_on_both_sides() -> None:
    row = made(np.array([0.0, 1.0] * 50))
    s = math.sqrt(25.0 / 99.0)
    right = s * math.sqrt(2.0 * math.log(80.0) / 100.0) + 7.0 * math.log(80.0) / (3.0 * 99.0)
    assert half("bernstein", row) == pytest.approx(right, abs=1e-12)


def test_betting_on_a_coin_is_what_a_direct_search_finds() -> None:
    """The same capital, written as a loop, on a grid of means."""
    x = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0] * 5)

    def rich(m: float, values: Floats) -> bool:
        capital, variance = 1.0, 0.25
        for t, one in enumerate(values, 1):
            bet = min(math.sqrt(2.0 * math.log(40.0) / (len(values) * variance)), 0.95 / m)
            capital *= 1.0 + bet * (one - m)
            if capital >= 40.0:
                return True
            squares = sum((v - (0.5 + sum(values[: i + 1])) / (i + 2)) ** 2
                          for i, v in enumerate(values[:t]))  # fmt: skip
            variance = (0.25 + squares) / (t + 1)
        return False

    grid = np.arange(1, 200) / 200
    low = max(m for m in grid if rich(m, x))
    high = min(1.0 - m for m in grid if rich(m, 1.0 - x))
    assert Betting().ends(made(x), 0.95) == pytest.approx((low, high), abs=0.0051)


def test_betting_without_replacement_ends_at_the_mean() -> None:
    values = generator(3).permutation(np.repeat([0.0, 0.4, 1.0], [60, 20, 20]))
    ends = [Betting().ends(made(values[:n], population=100), 0.95) for n in (20, 50, 90, 100)]
    widths = [high - low for low, high in ends]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.02
    assert ends[-1][0] <= 0.28 <= ends[-1][1]
    assert widths[2] < 0.5 * half("betting", made(values[:90])) * 2.0


def test_the_correction_for_skewness_is_the_studentised_one() -> None:
    """At x = -1.96, skewness 2.15 and n = 200 a simulation gives .0402, and print's term .0208."""
    assert distribution(-1.96, 2.15, 200) == pytest.approx(0.0379, abs=5e-5)
    draws = generator(5).exponential(size=(20_000, 200))
    t = (draws.mean(axis=1) - 1.0) / draws.std(axis=1, ddof=1) * math.sqrt(200.0)
    share = float((t <= -1.96).mean())
    assert share == pytest.approx(distribution(-1.96, 2.0, 200), abs=0.005)
    assert share > 0.035  # the normal approximation says 0.025


def test_an_interval_for_skewed_draws_is_longer_on_the_side_of_the_tail() -> None:
    row = made(generator(1).exponential(size=400), high=20.0)
    low, high = method("edgeworth").ends(row, 0.95)
    assert high - row.estimate > row.estimate - low
    even = made(np.array([0.0, 1.0] * 50))
    assert method("edgeworth").ends(even, 0.95) == pytest.approx(method("normal").ends(even, 0.95))


# Widths: a skewed importance sample with weights up to 7.35, as relative half-widths.


def skewed(n: int, seed: int) -> Floats:
    return np.minimum(7.35, generator(seed).gamma(0.245, 0.113 / 0.245, size=n))


@pytest.mark.parametrize(
    ("n", "widths"),
    [
        (250, {"normal": 0.25, "bernstein": 3.1, "betting": 0.77}),
        (1000, {"normal": 0.125, "betting": 0.224, "bernstein": 0.86, "hoeffding": 2.8}),
    ],
)
def test_betting_is_many_times_narrower_than_hoeffding(n: int, widths: dict[str, float]) -> None:
    rows = [made(skewed(n, seed), high=7.35) for seed in range(20)]
    for name, wanted in widths.items():
        found = float(np.mean([half(name, row) for row in rows])) / 0.113
        assert found == pytest.approx(wanted, rel=0.05), name
    if n == 1000:
        printed = half("hoeffding-printed", rows[0])
        assert printed > 20.0 * float(np.mean([half("betting", row) for row in rows]))


# In a study


def terms(spelled: str, how: str, seed: int = 1) -> Terms | None:
    trial = Trial(TABLE, design(spelled), measures=("Mean",))
    return Whole(TABLE, "Mean").estimates(trial.draw(60, seed), estimator(how))[0].terms


@pytest.mark.parametrize(("spelled", "how"), [("ubis", "hh"), ("wr", "hh"), ("uniform", "ht")])
def test_an_estimate_is_the_mean_of_its_terms(spelled: str, how: str) -> None:
    trial = Trial(TABLE, design(spelled), measures=("Mean",))
    row = Whole(TABLE, "Mean").estimates(trial.draw(60, 1), estimator(how))[0]
    assert row.terms is not None
    assert len(row.terms.values) == 60
    assert row.terms.values.mean() == pytest.approx(row.estimate, abs=1e-12)
    assert 0.0 <= row.terms.values.min() <= row.terms.values.max() <= row.terms.high + 1e-12
    assert row.terms.population == (300 if spelled == "uniform" else 0)
    assert "terms" not in row.to_dict()


def test_the_range_is_the_largest_weight() -> None:
    trial = Trial(TABLE, design("ubis"), measures=("Mean",))
    found = terms("ubis", "hh")
    q = trial.chunk.size / trial.chunk.size.sum()
    assert found is not None
    assert found.high == pytest.approx(float((1.0 / 300.0 / q).max()), rel=1e-9)


@pytest.mark.parametrize(
    ("spelled", "how"),
    [("wr", "calibrated"), ("wr", "hajek"), ("pps", "ht"), ("poisson", "ht"), ("stratified", "ht")],
)
def test_other_estimates_have_no_terms(spelled: str, how: str) -> None:
    assert terms(spelled, how) is None


@pytest.mark.parametrize("name", BOUNDED)
def test_what_is_no_mean_of_draws_is_refused(name: str) -> None:
    row = Estimate("a", "Recall", 0.5, 0.1, 9, 9.0, "ht", "design-consistent")
    with pytest.raises(EstimateError) as error:
        method(name).interval(row, 0.95)
    assert str(error.value) == (
        f"interval {name} needs an estimate that is the mean of bounded draws, and Recall by ht is "
        "none here. Use a total such as P@10 or Mean, drawn by ubis or by wr with estimator hh and "
        "judged to the end, or by uniform with ht."
    )


def test_bernstein_is_refused_without_replacement() -> None:
    with pytest.raises(EstimateError) as error:
        method("bernstein").ends(made(np.array([0.0, 1.0]), population=9), 0.95)
    assert str(error.value) == (
        "interval bernstein is proved for draws with replacement only. "
        "Use betting or hoeffding, or draw by ubis."
    )


# Coverage

SHORT = Plan(replicates=1_000, hits=928)


def covered(plan: Plan, spelled: str, budget: int, name: str) -> Covered:
    trial = Trial(TABLE, design(spelled), measures=("Mean",))
    whole = Whole(TABLE, "Mean")
    how = estimator("ht" if spelled == "uniform" else "hh")

    def one(seed: int) -> Interval:
        row = whole.estimates(trial.draw(budget, seed), how)[0]
        return results.cover(row, name, 0.95).interval

    return cover(plan, one, float(whole.truth[0]))


@pytest.mark.parametrize(
    ("spelled", "name", "widest"),
    [
        ("ubis(floor=0.5)", "betting", 0.5),
        ("uniform", "betting", 0.3),
        ("ubis(floor=0.5)", "bernstein", 0.9),
    ],
)
def test_a_finite_sample_interval_covers(spelled: str, name: str, widest: float) -> None:
    found = covered(SHORT, spelled, 60, name)
    assert found.passed, f"{found.hits} hits, width {found.width}"
    assert found.width < widest


def test_bets_that_know_the_next_draw_do_not_cover() -> None:
    """Positive control: in increasing order the draws are no sequence of fair bets."""
    rng, hits = generator(7), 0
    for _ in range(100):
        values = np.sort(rng.random(40) < 0.5).astype(float)
        low, high = Betting().ends(made(values), 0.95)
        hits += low <= 0.5 <= high
    assert hits < 60


def test_the_printed_bound_misses_never_and_the_right_one_rarely() -> None:
    """A two-point law with n = 50: .0064 of samples are missed, and none by print's bound."""
    hits = generator(11).binomial(50, 0.5, size=20_000) / 50.0
    right = math.sqrt(math.log(40.0) / 100.0)
    assert float((np.abs(hits - 0.5) > right).mean()) == pytest.approx(0.0064, abs=0.002)
    assert float((np.abs(hits - 0.5) > 2.0 * right).mean()) == 0.0

"""The same input through an independent implementation, to a stated tolerance."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import mean, variance

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import aliquot as aq
from aliquot.core.estimate import Estimate
from aliquot.core.frame import Floats
from aliquot.core.sample import Kind, Sample
from aliquot.estimators.base import Estimator
from aliquot.estimators.hajek import Hajek
from aliquot.estimators.hh import HansenHurwitz
from aliquot.estimators.ht import HorvitzThompson
from aliquot.estimators.priority import Priority
from aliquot.estimators.ratio import Ratio
from aliquot.intervals.base import two_sided_p, z
from aliquot.intervals.gamma import quantile
from aliquot.intervals.normal import Normal, StudentT, student
from aliquot.intervals.wilson import Wilson
from aliquot.study.compare import holm

# The usual evaluation of runs, in twenty lines of plain Python


RUNS = {
    "first": {
        "q1": ["a", "b", "c", "d", "e"],
        "q2": ["f", "a", "g"],
        "q3": ["h", "i", "b", "a", "j"],
    },
    "second": {
        "q1": ["c", "k", "a", "b", "l"],
        "q2": ["g", "f", "m", "a", "b"],
        "q3": ["n"],
    },
}
QRELS = {
    "q1": {"a": 3, "b": 0, "c": 1, "d": 2, "e": 0, "k": 2, "l": 0},
    "q2": {"f": 0, "a": 2, "g": 3, "m": 0, "b": 1},
    "q3": {"h": 0, "i": 1, "b": 0, "a": 0, "j": 3, "n": 0},
}


def evaluate(run: dict[str, list[str]], name: str, k: int, rel: int = 1) -> float:
    values = []
    for topic, docs in run.items():
        grades = [QRELS[topic].get(doc, 0) for doc in docs[:k]]
        hits = sum(grade >= rel for grade in grades)
        if name == "P":
            values.append(hits / k)
        elif name == "DCG":
            values.append(sum(g / math.log2(i + 2) for i, g in enumerate(grades)))
        else:
            values.append(hits / sum(grade >= rel for grade in QRELS[topic].values()))
    return mean(values)


def table(run: dict[str, list[str]]) -> dict[str, list[object]]:
    rows = [(topic, doc, rank) for topic in run for rank, doc in enumerate(run[topic], 1)]
    topics, docs, ranks = (list(column) for column in zip(*rows, strict=True))
    return {"topic": topics, "doc": docs, "rank": ranks}


@pytest.mark.parametrize(
    ("spelled", "name", "k", "rel"),
    [
        ("P@1", "P", 1, 1),
        ("P@5", "P", 5, 1),
        ("P(rel=2)@3", "P", 3, 2),
        ("P@10", "P", 10, 1),
        ("DCG@3", "DCG", 3, 1),
        ("DCG@5", "DCG", 5, 1),
        ("R@2", "R", 2, 1),
        ("R(rel=2)@5", "R", 5, 2),
    ],
)
def test_a_census_of_runs_is_what_an_evaluation_of_runs_says(
    spelled: str, name: str, k: int, rel: int
) -> None:
    frame = aq.Frame.from_runs({n: table(run) for n, run in RUNS.items()}, grades="0..3")
    with aq.Study.in_memory(frame, measures=[spelled], rng=3) as study:
        study.draw(len(frame), design="uniform")
        judged = {f"{t} {d}": str(g) for t, docs in QRELS.items() for d, g in docs.items()}
        study.record({unit: judged[unit] for unit in study.book.ledger.draws()[0].units.unit})
        found = {row.system: row.estimate for row in study.estimate()}
    assert found == pytest.approx(
        {n: evaluate(run, name, k, rel) for n, run in RUNS.items()}, abs=1e-12
    )


# Survey sampling, unit by unit


def sample(kind: Kind, y: list[float], pi: list[float], units: int, **more: list[int]) -> Sample:
    n = len(y)
    p = np.array(pi)
    count = np.array(more.get("count", [1] * n))
    strata = np.array(more.get("stratum", [0] * n))
    at = np.arange(n)
    return Sample(kind, at, p, p, count, strata, np.array(y), at, units, float(p.sum()))


def total(how: Estimator, one: Sample) -> float:
    return float((how.weights(one) * one.labels).sum())


def spread(how: Estimator, one: Sample) -> float:
    return float(how.covariance(one, one.labels[None, :])[0, 0])


Y = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0]


def test_a_simple_random_sample() -> None:
    """N ybar, with the variance N^2 (1 - n/N) s^2 / n."""
    one = sample("simple", Y, [6 / 40] * 6, 40)
    for how in (HorvitzThompson(), Ratio(), Hajek(), Priority()):
        assert total(how, one) == pytest.approx(40 * mean(Y), rel=1e-12)
        assert spread(how, one) == pytest.approx(1600 * (1 - 6 / 40) * variance(Y) / 6, rel=1e-12)


def test_a_stratified_sample() -> None:
    """sum N_h ybar_h, with the variance sum N_h^2 (1 - n_h/N_h) s_h^2 / n_h."""
    one = sample("strata", Y, [2 / 10] * 2 + [4 / 5] * 4, 15, stratum=[0, 0, 1, 1, 1, 1])
    assert total(HorvitzThompson(), one) == pytest.approx(10 * mean(Y[:2]) + 5 * mean(Y[2:]))
    expected = 100 * 0.8 * variance(Y[:2]) / 2 + 25 * 0.2 * variance(Y[2:]) / 4
    assert spread(HorvitzThompson(), one) == pytest.approx(expected, rel=1e-12)


PI = [0.1, 0.2, 0.5, 0.25, 0.8, 1.0]


def test_a_poisson_sample() -> None:
    one = sample("poisson", Y, PI, 30)
    assert total(HorvitzThompson(), one) == pytest.approx(30 + 5 + 8 + 4 + 6.25 + 9, rel=1e-12)
    expected = sum((1 - p) * (y / p) ** 2 for y, p in zip(Y, PI, strict=True))
    assert spread(HorvitzThompson(), one) == pytest.approx(expected, rel=1e-12)


def test_a_hajek_total() -> None:
    """N times the weighted mean; its variance is that of the residuals."""
    one = sample("poisson", Y, PI, 30)
    weights = [1 / p for p in PI]
    centre = sum(w * y for w, y in zip(weights, Y, strict=True)) / sum(weights)
    assert total(Hajek(), one) == pytest.approx(30 * centre, rel=1e-12)
    expected = sum((1 - p) * ((y - centre) / p) ** 2 for y, p in zip(Y, PI, strict=True))
    assert spread(Hajek(), one) == pytest.approx(expected, rel=1e-12)


def test_draws_with_replacement() -> None:
    """The mean of y/q over draws; its variance is that of a mean of independent numbers."""
    draws = [0, 0, 1, 2, 2, 2]
    q = [0.2, 0.05, 0.1]
    y = [3.0, 1.0, 4.0]
    one = sample("replacement", y, [6 * p for p in q], 30, count=[2, 1, 3])
    values = [y[i] / q[i] for i in draws]
    assert total(HansenHurwitz(), one) == pytest.approx(mean(values), rel=1e-12)
    assert spread(HansenHurwitz(), one) == pytest.approx(variance(values) / 6, rel=1e-12)


def test_an_order_sample() -> None:
    """Hajek's approximation for a fixed size: the certain unit counts, and has no variance."""
    one = sample("order", Y, PI, 30)
    z_ = [y / p for y, p in zip(Y, PI, strict=True)]
    rest = [1 - p for p in PI]
    centre = sum(r * v for r, v in zip(rest, z_, strict=True)) / sum(rest)
    expected = 5 / 4 * sum(r * (v - centre) ** 2 for r, v in zip(rest, z_, strict=True))
    assert spread(HorvitzThompson(), one) == pytest.approx(expected, rel=1e-12)


# Quantiles and intervals

levels = st.floats(0.01, 0.999)


def row(x: float, stderr: float, n: float, df: float = math.inf) -> Estimate:
    return Estimate("", "Mean", x, stderr, int(n), n, "ht", "design-unbiased", df=df, shape="share")


@given(hits=st.integers(0, 60), more=st.integers(0, 60), level=levels)
def test_wilson_is_scipy_s(hits: int, more: int, level: float) -> None:
    n = hits + more + 1
    x = hits / n
    stderr = math.sqrt(x * (1 - x) / n)
    low, high = Wilson().ends(row(x, stderr, n), level)
    peer = stats.binomtest(hits, n).proportion_ci(level, method="wilson")
    assert (low, high) == pytest.approx((peer.low, peer.high), abs=1e-9)
    assert low <= x <= high


@pytest.mark.parametrize("x", [0.0, 1.0])
def test_wilson_holds_an_end_of_the_scale(x: float) -> None:
    for n in range(1, 300):
        low, high = Wilson().ends(row(x, 0.0, n), 0.95)
        assert low <= x <= high


@given(x=st.floats(-5, 5), stderr=st.floats(0.01, 3), level=levels)
def test_normal_is_scipy_s(x: float, stderr: float, level: float) -> None:
    peer = stats.norm.interval(level, loc=x, scale=stderr)
    assert Normal().ends(row(x, stderr, 10), level) == pytest.approx(peer, abs=1e-9)


@given(x=st.floats(-5, 5), stderr=st.floats(0.01, 3), level=levels, df=st.floats(1, 500))
def test_student_s_t_is_scipy_s(x: float, stderr: float, level: float, df: float) -> None:
    peer = stats.t.interval(level, df, loc=x, scale=stderr)
    found = StudentT().ends(row(x, stderr, 10, df), level)
    assert found == pytest.approx(peer, rel=1e-8, abs=1e-9)
    assert student(level, math.inf) == z(level)


@given(difference=st.floats(-20, 20), stderr=st.floats(0.05, 5))
def test_the_p_value_is_scipy_s(difference: float, stderr: float) -> None:
    peer = 2 * stats.norm.sf(abs(difference) / stderr)
    assert two_sided_p(difference, stderr) == pytest.approx(peer, rel=1e-9, abs=1e-300)


@given(shape=st.floats(1, 400), scale=st.floats(0.001, 10), p=st.floats(0.9, 0.999))
def test_the_upper_gamma_quantile_is_scipy_s(shape: float, scale: float, p: float) -> None:
    found = quantile(shape * scale, shape * scale * scale, p)
    assert found == pytest.approx(stats.gamma.ppf(p, shape, scale=scale), rel=0.02)


@given(shape=st.floats(10, 400), scale=st.floats(0.001, 10), p=st.floats(0.001, 0.1))
def test_the_lower_gamma_quantile_is_scipy_s(shape: float, scale: float, p: float) -> None:
    found = quantile(shape * scale, shape * scale * scale, p)
    assert found == pytest.approx(stats.gamma.ppf(p, shape, scale=scale), rel=0.02)


def adjusted(p: Floats) -> list[float]:
    """Holm by its definition: step down through the sorted p-values."""
    order = sorted(range(len(p)), key=lambda i: float(p[i]))
    found, worst = [0.0] * len(p), 0.0
    for step, i in enumerate(order):
        worst = max(worst, (len(p) - step) * float(p[i]))
        found[i] = min(1.0, worst)
    return found


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_its_definition(p: list[float]) -> None:
    found = holm(np.array(p)).tolist()
    assert found == pytest.approx(adjusted(np.array(p)), abs=1e-15)
    by_p = [found[i] for i in np.argsort(p, kind="stable")]
    assert all(one <= other for one, other in pairwise(by_p))


def test_another_interval_is_seen() -> None:
    low, _ = Wilson().ends(row(0.5, 0.1, 25), 0.95)
    peer = stats.binomtest(12, 25).proportion_ci(0.95, method="exact")
    assert low != pytest.approx(peer.low, abs=1e-3)

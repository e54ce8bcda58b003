"""Laws of every interval from counts, and the numbers that their sources print."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import gammaln

import aliquot as aq
from aliquot.errors import SpellingError, UsageError
from aliquot.intervals.betabin import Strata
from aliquot.intervals.counts import mcp
from aliquot.intervals.counts.base import MEASURES, Counted, Question
from aliquot.intervals.counts.koopman import chi_square
from aliquot.intervals.counts.registry import COUNTED, method
from aliquot.intervals.counts.tally import Tally, question

WORLDS = {
    "plain": (Strata.of(2_000, 100, 50), Strata.of(100_000, 100, 3)),
    "small": (Strata.of(40, 20, 13), Strata.of(90, 30, 2)),
    "nothing missed": (Strata.of(500, 100, 90), Strata.of(20_000, 200, 0)),
    "strata": (
        Strata.of([100, 900], [50, 40], [45, 12]),
        Strata.of([700, 20_000], [70, 90], [6, 1]),
    ),
}
ASKED = [
    (kind, measure, world)
    for kind in COUNTED
    for measure in MEASURES
    for world in WORLDS
    if kind().fits(Question(measure, *WORLDS[world]))
]
IDS = [f"{kind.name}-{measure}-{world}" for kind, measure, world in ASKED]


def asked(measure: str, world: str, level: float = 0.95, side: str = "two") -> Question:
    return Question(measure, *WORLDS[world], level=level, side=side)  # type: ignore[arg-type]


def test_the_registry_is_complete_and_spelled_as_promised() -> None:
    assert [kind.name for kind in COUNTED] == [
        "naive-binomial",
        "normal",
        "normal-naive",
        "laplace",
        "agresti-coull",
        "koopman",
        "beta-jeffreys",
        "betabin-uniform",
        "betabin-mcp",
        "betabin-half",
        "exact",
    ]
    assert [str(method(kind.name)) for kind in COUNTED] == [kind.name for kind in COUNTED]
    assert all(kind.summary for kind in COUNTED)


@pytest.mark.parametrize(("kind", "measure", "world"), ASKED, ids=IDS)
def test_an_interval_is_within_what_is_possible_and_a_higher_level_is_wider(
    kind: type[Counted], measure: str, world: str
) -> None:
    one = asked(measure, world)
    low, high = kind().interval(one)
    assert 0.0 <= low <= high <= one.top
    wide = kind().interval(asked(measure, world, 0.99))
    assert wide[0] <= low + 1e-9
    assert wide[1] >= high - 1e-9


@pytest.mark.parametrize(("kind", "measure", "world"), ASKED, ids=IDS)
def test_a_side_is_one_end_of_a_wider_interval(
    kind: type[Counted], measure: str, world: str
) -> None:
    low, high = kind().interval(asked(measure, world, 0.9))
    lower = kind().interval(asked(measure, world, 0.95, "lower"))
    upper = kind().interval(asked(measure, world, 0.95, "upper"))
    top = asked(measure, world).top
    assert lower == pytest.approx((low, top), abs=1e-6)
    assert upper == pytest.approx((0.0, high), abs=1e-6)


@pytest.mark.parametrize("kind", COUNTED)
def test_a_census_says_what_is(kind: type[Counted]) -> None:
    census = Strata.of(40, 40, 30), Strata.of(60, 60, 10)
    if kind.name in ("naive-binomial", "koopman"):  # neither knows how much was sampled
        return
    for measure, value in (("recall", 0.75), ("f1", 0.75), ("precision", 0.75), ("yield", 40.0)):
        ends = kind().interval(Question(measure, *census))
        centre = ends[0] if kind.name in ("laplace", "agresti-coull") else value
        assert ends == pytest.approx((centre, centre), abs=1e-6)


def test_strata_alike_count_as_one_where_no_prior_and_no_rounding_enters() -> None:
    one = Question("recall", Strata.of(200, 100, 50), Strata.of(9_000, 900, 30))
    split = Strata.of([100, 100], [50, 50], [25, 25]), Strata.of([4_500] * 2, [450] * 2, [15, 15])
    two = Question("recall", *split)
    assert one.estimate == pytest.approx(two.estimate)
    assert method("normal").ends(one) == pytest.approx(method("normal").ends(two))


def test_koopman_has_his_own_example() -> None:
    """Koopman (1984): (36/40) / (16/80) is between 2.94 and 7.15."""
    for theta in (2.939, 7.152):
        assert chi_square(theta, (36, 40), (16, 80)) == pytest.approx(1.959964**2, rel=2e-3)


@pytest.mark.parametrize(("N", "n"), [(20, 5), (30, 24), (41, 13)])
def test_the_most_conservative_prior_maximises_equation_20(N: int, n: int) -> None:
    def gain(alpha: float) -> float:
        """Webber (2013), Eq. 20, as it is printed."""
        lg = gammaln

        def choose(a: int, b: int) -> float:
            return float(lg(a + 1) - lg(b + 1) - lg(a - b + 1))

        total = 0.0
        for x in range(n + 1):
            for k in range(x, N - n + x + 1):
                logs = lg(2 * alpha) - 2 * lg(alpha) - lg(2 * alpha + N) + choose(n, x)
                logs += choose(N - n, k - x) + lg(alpha + k) + lg(alpha + N - k)
                inner = choose(N - n, k - x) + 2 * lg(alpha) + lg(2 * alpha + n) - choose(N, k)
                inner -= lg(alpha + x) + lg(alpha + n - x) + lg(2 * alpha)
                total += math.exp(logs) * inner
        return total

    alpha = mcp.prior(N, n)
    assert gain(alpha) > max(gain(alpha - 0.004), gain(alpha + 0.004))
    assert mcp.gain(alpha, n, mcp.given(N, n)) == pytest.approx(gain(alpha), rel=1e-9)


def test_drawn_and_computed_agree() -> None:
    for name in ("betabin-half", "beta-jeffreys"):
        for measure in ("recall", "f1"):
            counts = {"retrieved": (2_000, 100, 50), "unretrieved": (100_000, 100, 3)}
            ask = getattr(aq.interval, measure)
            computed, drawn = ask(**counts, method=name), ask(**counts, method=name, draws=20_000)
            assert (drawn.low, drawn.high) == pytest.approx((computed.low, computed.high), abs=0.01)


def test_the_calculator_answers_in_python() -> None:
    found = aq.interval.recall(
        retrieved=(2000, 100, 50), unretrieved=(100_000, 100, 3), method="betabin-half"
    )
    assert found.to_dict() == {
        "measure": "recall",
        "estimate": 0.25,
        "low": pytest.approx(0.11111, abs=1e-5),
        "high": pytest.approx(0.54162, abs=1e-5),
        "level": 0.95,
        "side": "two",
        "method": "betabin-half",
        "notes": (),
    }
    by_stratum = aq.interval.precision([(100, 10, 5), (300, 30, 9)], method="normal")
    assert by_stratum.estimate == pytest.approx((50 + 90) / 400)
    assert aq.interval.elusion((9_000, 900, 1), method="exact", side="upper").high < 0.006
    assert aq.interval.yield_((1_000, 100, 0)).high == 23.0
    assert aq.interval.prevalence((1_000, 100, 0)).high == 0.023
    assert aq.interval.f1(retrieved=(10, 5, 5), unretrieved=(10, 5, 0), beta=2).estimate == 1.0


def test_unassessable_units_stay_in_the_sample() -> None:
    """TREC Legal: relevant N r / n, not relevant N (a - r) / n."""
    parts = Tally.of([(100, 20, 5, 16)]), Tally.of([(1_000, 50, 1, 40)])
    assert question("recall", parts).estimate == pytest.approx(25 / (25 + 20))
    assert question("precision", parts).estimate == pytest.approx(25 / 80)
    assert question("f1", parts).estimate == pytest.approx(2 * 25 / (80 + 45))
    assert question("yield", parts).estimate == pytest.approx(45)


def test_no_positive_at_all_says_nothing_of_recall() -> None:
    found = aq.interval.recall(retrieved=(10, 5, 0), unretrieved=(90, 9, 0), method="exact")
    assert (found.estimate, found.low, found.high) == (None, 0.0, 1.0)
    assert found.notes == (
        "no relevant unit was sampled, so that recall may be anything from 0 to 1",
    )


def test_one_unit_has_no_most_conservative_prior() -> None:
    found = aq.interval.proportion((100, 1, 1), method="betabin-mcp")
    assert found.notes == (
        "betabin-mcp: one unit has no most conservative prior; a tiny one was taken",
    )


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "recall needs two segments for koopman": (
        lambda: aq.interval.precision((10, 5, 2), method="koopman"),
        (
            "'koopman' says nothing about precision of these strata. "
            "It is for recall of two segments; use betabin-half or exact."
        ),
    ),
    "three numbers": (
        lambda: aq.interval.precision((10, 5)),
        "retrieved: 2 numbers. Give N,n,r or N,n,r,a.",
    ),
    "whole": (
        lambda: aq.interval.elusion((10, 5, 1.5)),
        "unretrieved: r = 1.5 is no count. Use whole numbers from 0.",
    ),
    "huge": (
        lambda: aq.interval.proportion((1e13, 5, 1)),
        "counts: N = 1e+13 is too large. Use at most 1e12.",
    ),
    "assessable": (
        lambda: aq.interval.proportion((10, 5, 1, 6)),
        "counts: a = 6 is more than n = 5. It counts among those.",
    ),
    "nothing": (
        lambda: aq.interval.proportion((0, 0, 0)),
        "no unit for proportion. Give counts with N above 0.",
    ),
    "draws": (
        lambda: aq.interval.recall(retrieved=(9, 5, 1), unretrieved=(9, 5, 1), draws=-1),
        "-1 draws. Use from 1 to 20000000, or 0 to compute.",
    ),
    "beta": (
        lambda: aq.interval.f1(retrieved=(9, 5, 1), unretrieved=(9, 5, 1), beta=0.0),
        "beta 0 is not above 0. Use one such as 1 or 2.",
    ),
    "side": (
        lambda: aq.interval.proportion((9, 5, 1), side="left"),  # type: ignore[arg-type]
        "'left' is not a side. Sides are two, lower, upper.",
    ),
    "measure": (
        lambda: Question("accuracy"),
        (
            "'accuracy' is not a measure. Measures are recall, precision, f1, elusion, "
            "proportion, prevalence, yield."
        ),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_can_be_no_count_is_refused(name: str) -> None:
    call, text = REFUSED[name]
    with pytest.raises(UsageError) as refused:
        call()
    assert str(refused.value) == text


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(SpellingError) as refused:
        aq.interval.proportion((9, 5, 1), method="wald")
    assert str(refused.value).startswith("'wald' is not an interval from counts. They are naive-")


def test_exact_covers_every_population_of_two_small_segments() -> None:
    """By enumeration: (N, n) = (9, 4) retrieved and (13, 5) not; nine tenths, two-sided."""
    for measure in ("recall", "f1"):
        least = {name: coverage(measure, name, (9, 4), (13, 5)) for name in ("exact", "normal")}
        assert least["exact"] >= 0.9 - 1e-12
        assert least["normal"] < 0.5  # the control: this one does not


def coverage(measure: str, name: str, one: tuple[int, int], other: tuple[int, int]) -> float:
    """The least coverage over all numbers of positives in both segments."""
    (N1, n1), (N0, n0) = one, other
    low, high = np.zeros((2, n1 + 1, n0 + 1))
    for r1 in range(n1 + 1):
        for r0 in range(n0 + 1):
            strata = Strata.of(N1, n1, r1), Strata.of(N0, n0, r0)
            low[r1, r0], high[r1, r0] = method(name).interval(Question(measure, *strata, level=0.9))
    least = 1.0
    for R1 in range(N1 + 1):
        for R0 in range(1 if R1 == 0 else 0, N0 + 1):
            truth = Question(measure, Strata.of(N1, N1, R1), Strata.of(N0, N0, R0)).estimate
            hit = (low <= truth + 1e-9) & (truth <= high + 1e-9)
            least = min(least, float(hypergeometric(N1, R1, n1) @ hit @ hypergeometric(N0, R0, n0)))
    return least


def hypergeometric(N: int, R: int, n: int) -> NDArray[np.float64]:
    drawn = [math.comb(R, r) * math.comb(N - R, n - r) for r in range(n + 1)]
    return np.array(drawn) / math.comb(N, n)

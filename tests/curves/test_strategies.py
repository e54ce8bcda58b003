"""Laws of every strategy, and what the papers say of each."""

from __future__ import annotations

import time

import numpy as np
import pytest

from aliquot.core.frame import Floats
from aliquot.curves.adastrat import Adastrat
from aliquot.curves.logstrat import Logstrat
from aliquot.curves.paula import Paula
from aliquot.curves.points import Curve, Ranks
from aliquot.curves.registry import CURVES, strategy
from aliquot.curves.steps import Ask, resume, run
from aliquot.errors import DesignError, SpellingError

SPELLINGS = (
    "random(epsilon=0.1, beta=1.2)",
    "logstrat(start=400, m=20, epsilon=0.1, beta=1.2)",
    "paula(start=300, window=20, epsilon=0.1)",
    "adastrat(start=300, m=10, epsilon=0.1, beta=1.2)",
    "adastrat(start=300, m=10, epsilon=0.1, beta=1.2, query=stratified, proof=strict)",
    "adastrat(start=300, m=10, epsilon=0.1, beta=1.2, eta=0.1)",
)
N = 6_000


def falling(n: int, *, top: float = 0.95, end: float = 0.35, seed: int = 3) -> Floats:
    """Labels whose chance falls along the ranking."""
    share = (np.arange(n) / n) ** 0.3
    return (np.random.default_rng(seed).random(n) < top + (end - top) * share).astype(float)


def truth(labels: Floats) -> Floats:
    found: Floats = np.cumsum(labels) / np.arange(1, len(labels) + 1)
    return found


def curve(spelling: str, labels: Floats, seed: int = 1) -> Curve:
    rng = np.random.default_rng(seed)
    return run(strategy(spelling).steps(len(labels), rng), lambda ranks: labels[ranks - 1])


def worst(found: Curve, labels: Floats, first: int = 1) -> float:
    """The largest ratio between truth and curve at any rank from `first` on."""
    ranks = np.arange(first, len(labels) + 1)
    ratio = found.values(ranks).precision / truth(labels)[first - 1 :]
    return float(np.maximum(ratio, 1.0 / ratio).max())


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_each_rank_is_asked_at_most_once_and_counted(spelling: str) -> None:
    labels = falling(N)
    asked: list[int] = []

    def oracle(ranks: Ranks) -> Floats:
        asked.extend(ranks.tolist())
        return labels[ranks - 1]

    found = run(strategy(spelling).steps(N, np.random.default_rng(1)), oracle)
    assert len(set(asked)) == len(asked) == found.annotations < N
    assert min(asked) == 1
    assert max(asked) <= N


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_stop_and_resume_gives_what_going_straight_through_gives(spelling: str) -> None:
    labels = falling(N)
    straight = curve(spelling, labels)
    known: dict[int, float] = {}
    while isinstance(
        now := resume(strategy(spelling).steps(N, np.random.default_rng(1)), known), Ask
    ):
        assert ((now.pi > 0.0) & (now.pi <= 1.0)).all()
        known |= {rank: float(labels[rank - 1]) for rank in now.ranks.tolist()}
    assert now.to_dict() == straight.to_dict()


@pytest.mark.parametrize("spelling", [one for one in SPELLINGS if "eta" not in one])
def test_the_factor_holds_on_a_falling_curve(spelling: str) -> None:
    labels = falling(N)
    found = curve(spelling, labels)
    assert worst(found, labels) <= 1.2 * 1.1
    ends = found.values(np.arange(1, N + 1))
    assert (ends.low <= ends.precision).all()
    assert (ends.precision <= ends.high).all()


@pytest.mark.parametrize("name", [kind.name for kind in CURVES])
def test_a_short_list_is_labelled_whole_and_exact(name: str) -> None:
    labels = falling(200)
    found = curve(name, labels)
    assert found.guarantee == "exact"
    assert found.annotations == 200
    values = found.values(np.arange(1, 201))
    assert values.precision == pytest.approx(truth(labels))
    assert (values.low == values.high).all()


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_spelling_parses_back(spelling: str) -> None:
    assert strategy(str(strategy(spelling))) == strategy(spelling)


@pytest.mark.parametrize(("n", "K"), [(35_615, 78), (356_150, 156), (3_561_500, 234)])
def test_logstrat_and_paula_query_as_often_as_in_table_1(n: int, K: int) -> None:
    for kind in (Logstrat(p_min=0.497087), Paula()):
        steps = kind.steps(n, np.random.default_rng(1))
        found = run(steps, lambda ranks: ranks % 2 == 0)
        assert (found.queries, len(found.queried)) == (K, K)


def test_paula_labels_as_many_as_in_table_2() -> None:
    found = run(Paula().steps(35_615, np.random.default_rng(1)), lambda ranks: ranks % 2 == 0)
    assert found.annotations == 11_292


@pytest.mark.parametrize("kind", ["flat", "fastest"])
def test_a_flat_curve_and_the_fastest_take_two_queries_at_most(kind: str) -> None:
    n = 10**15

    def precision(ranks: Ranks) -> Floats:
        if kind == "flat":
            return np.full(len(ranks), 0.7)
        return np.minimum(1.0, 3492 / ranks)

    found = run(Adastrat(query="exact").steps(n, np.random.default_rng(1)), precision)
    assert found.queries <= 2
    at = np.unique(np.geomspace(1, n, 500).astype(np.int64))
    ratio = found.values(at).precision / precision(at)
    assert np.maximum(ratio, 1.0 / ratio).max() <= 1.03 + 1e-9


def test_with_exact_queries_the_bisection_is_that_of_the_recursion() -> None:
    def precision(rank: int) -> float:
        return 0.95 * (rank / 100) ** -0.2 if rank > 100 else 0.95

    def recursion(left: int, right: int, known: dict[int, float]) -> None:
        """Algorithm 1's function PR, with the envelope over every rank."""
        y = np.array(sorted(known))
        p = np.array([known[one] for one in y])
        v = np.arange(left, right + 1)[:, None]
        window = np.minimum(np.floor(5 * p + 1e-9), np.abs(v - y))
        after, before = np.where(v >= y + 5, p, (p * y + window) / v), p * y / v
        up = np.where(v <= y, before, after).min(axis=1)
        after = np.where(v <= y - 5, p, (p * y - window) / v)
        low = np.where(v >= y, before, after).max(axis=1)
        if (up / low).max() <= 1.05**2 or right / left <= 1.05**2:
            return
        middle = round((left * right) ** 0.5)
        known[middle] = precision(middle)
        recursion(left, middle, known)
        recursion(middle, right, known)

    n, first = 20_000, 200
    known = {first: precision(first), n: precision(n)}
    recursion(first, n, known)
    asked = Adastrat(epsilon=0.05, m=5, start=first, query="exact")
    steps = asked.steps(n, np.random.default_rng(1))
    found = run(steps, lambda ranks: [precision(r) for r in ranks.tolist()])
    assert found.queried.tolist() == sorted(known)[1:]
    assert len(known) > 4


def test_a_rising_curve_is_found_out_and_the_ends_then_assume_nothing() -> None:
    share = np.repeat([0.4, 0.9], N // 2)
    labels = (np.random.default_rng(1).random(N) < share).astype(float)
    found = curve("adastrat(start=300, m=10, epsilon=0.1, beta=1.1)", labels)
    assert found.guarantee == "any-curve"
    assert found.warnings[0].startswith("no precision function that falls over 10 ranks fits")
    ends = found.values(np.arange(1, N + 1))
    assert ((ends.low <= truth(labels) + 1e-12) & (truth(labels) <= ends.high + 1e-12)).all()


def test_a_rise_within_the_top_moves_the_assumption_below_it() -> None:
    labels = falling(N)
    labels[:60] = np.repeat([0.0, 1.0], 30)
    found = curve("adastrat(start=20, m=30, epsilon=0.1, beta=1.2)", labels)
    assert found.guarantee == "weak-monotone"
    assert found.warnings == (
        (
            "precision rises between ranks 20 and 155, all labelled: "
            "it is taken to fall only from rank 173 on"
        ),
    )


def test_a_noisy_judge_is_seen_through() -> None:
    labels = falling(60_000)
    flips = np.random.default_rng(8).random(60_000) < 0.2
    heard = np.abs(labels - flips)
    found = curve("adastrat(eta=0.2, epsilon=0.1, beta=1.1, query=stratified)", heard)
    assert worst(found, labels, first=3492) <= 1.1 * 1.1
    naive = curve("adastrat(epsilon=0.1, beta=1.1, query=stratified)", heard)
    assert worst(naive, labels, first=3492) > 1.15


def test_a_query_costs_what_it_costs_at_any_length() -> None:
    began = time.process_time()
    found = run(
        Adastrat(p_min=0.4).steps(10**15, np.random.default_rng(1)),
        lambda ranks: (ranks * 2654435761) % 1000 < 900 - 30 * np.log10(ranks + 10.0),
    )
    assert found.queries > 5
    assert time.process_time() - began < 5.0
    assert found.at(10**12).low > 0.4


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ("adastart", ("'adastart' is not a strategy for a curve. "
         "Strategies are random, logstrat, paula, adastrat, band.")),
        ("paula(m=3)", "paula has no option 'm'. It takes epsilon, delta, beta, start, window."),
        ("adastrat(m=1.5)", "m=1.5 can't be read. Spell it like m=100."),
    ],
)  # fmt: skip
def test_a_spelling_that_is_none_is_refused(spelling: str, said: str) -> None:
    with pytest.raises(SpellingError) as caught:
        strategy(spelling)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ("adastrat(beta=1)", ("beta is 1, but a sampled query is only right within a factor above "
         "1. Take a beta such as 1.05.")),
        ("adastrat(beta=1e9)", ("beta is 1e+09, a factor that says nothing of a share. "
         "Take a beta such as 1.05.")),
        ("adastrat(p_min=1e-200)", ("p_min is 1e-200, too small to reckon with. "
         "Leave it out to take the default.")),
        ("adastrat(delta=0)", ("delta is 0, but it must lie between 0 and 1. "
         "Leave it out to take the default.")),
        ("adastrat(start=0)", "start is 0, not a number of ranks. Take 1 or more."),
        ("adastrat(query=best)", "query=best is not known. Use one of thinned, stratified, exact."),
        ("adastrat(eta=0.1, noise=printed)", ("eta is 0.1, but noise=printed needs it below "
         "beta - 1 = 0.05. Take noise=debiased, or a larger beta.")),
    ],
)  # fmt: skip
def test_an_option_out_of_range_is_refused(spelling: str, said: str) -> None:
    with pytest.raises(DesignError) as caught:
        strategy(spelling)
    assert str(caught.value) == said


def test_more_labels_than_anyone_gives_are_refused_before_they_are_asked_for() -> None:
    with pytest.raises(DesignError) as caught:
        run(
            Adastrat(p_min=0.0001).steps(10**12, np.random.default_rng(1)),
            lambda ranks: ranks % 10_000 == 1,
        )
    assert str(caught.value) == (
        "the queries need 73,777,588,826 labels, more than 20,000,000. Give a higher p_min if you "
        "know one, raise beta, or use the strategy band."
    )


def test_an_ask_is_what_is_fed_back() -> None:
    ask = Ask(np.array([1, 2]), np.ones(2))
    assert ask.read([True, False]).tolist() == [1.0, 0.0]

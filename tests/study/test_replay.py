"""A repetition of a simulation is a study: the same draw, estimate and interval, bit for bit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import aliquot as aq
from aliquot.core.frame import Floats
from aliquot.estimators.jackknife import stderr
from aliquot.measures.registry import measure
from aliquot.measures.targets import family
from aliquot.study.baselines import BASELINES, baseline
from aliquot.study.deep import Deep
from aliquot.study.labelled import Labelled
from aliquot.study.replay import Row, Setting, Tried
from aliquot.study.simulate import least, tried
from aliquot.study.tally import Tally, tally
from aliquot.wiring.frame import Frame
from aliquot.wiring.study import Study

SCORES = [i / 60 for i in range(60)]
TRUTH = {str(i): "yes" if (i * i + i // 3) % 7 < i / 12 else "no" for i in range(60)}
TABLE = Frame.from_table(
    {"id": [str(i) for i in range(60)], "svm": SCORES, "gpt": [s * s for s in SCORES]},
    id="id",
    scored={"svm": ("svm", 0.5)},
    judges={"gpt": "gpt"},
)
DOCS = {"A": "abcdef", "B": "fedcbg", "C": "gbxyza"}
TOPICS = ("1", "2", "3", "4")
RUNS = Frame.from_runs(
    {
        name: {
            "topic": [t for t in TOPICS for _ in docs],
            "doc": [d for _ in TOPICS for d in docs],
            "rank": [r for _ in TOPICS for r in range(1, 7)],
        }
        for name, docs in DOCS.items()
    }
)
RELEVANT = {f"{t} {d}": "yes" for t, docs in zip(TOPICS, ("abf", "g", "cdez", "xb"), strict=True)
            for d in docs}  # fmt: skip


def world(frame: Frame, truth: dict[str, str], *measures: str) -> Labelled:
    book = Study.in_memory(frame, measures=measures, rng=0).book
    labels = [float(truth.get(unit) == "yes") for unit in book.frame.names(np.arange(len(frame)))]
    return Labelled(book, np.array(labels))


def by_hand(frame: Frame, setting: Setting, seed: int, truth: dict[str, str]) -> set[object]:
    """Do what a user does, and keep the estimates with their intervals."""
    with Study.in_memory(
        frame, measures=["P@3", "R@3"] if frame.value.topics else [], rng=seed
    ) as s:
        units = s.draw(setting.budget, goal=setting.goal, design=setting.design).new
        s.record({unit: truth.get(unit, "no") for unit in units})
        rows = s.estimate().rows
        found: set[object] = {
            (r.value.estimator, r.system, r.measure, r.estimate, r.interval.low, r.interval.high)
            for r in rows
        }
        if setting.pair:
            one = s.compare("A", "B").rows
            found |= {(d.difference, d.low, d.high, d.measure) for d in one}
        return found


@pytest.mark.parametrize(
    ("frame", "truth", "setting"),
    [
        (TABLE, TRUTH, Setting("default", 30, seed=5)),
        (TABLE, TRUTH, Setting("stratified(strata=4)", 30, seed=5)),
        (RUNS, RELEVANT, Setting("default", 15, "pair:A,B", seed=5)),
        (RUNS, RELEVANT, Setting("wr", 15, "pair:A,B", seed=5)),
    ],
    ids=["table", "strata", "runs", "wr"],
)
def test_a_repetition_is_a_study(frame: Frame, truth: dict[str, str], setting: Setting) -> None:
    here = world(frame, truth, *(["P@3", "R@3"] if frame.value.topics else []))
    for i in range(3):
        found = tried(here, setting, i)
        told = {
            (row.value, row.low, row.high, key[3])
            if row.difference
            else (key[0], key[2], key[3], row.value, row.low, row.high)
            for key, row in found.rows.items()
        }
        assert told == by_hand(frame, setting, setting.numbered(i), truth)
        assert len(told) == len(found.rows) > 0


def test_a_repetition_depends_on_the_seed_and_its_number_alone() -> None:
    setting = Setting("default", 20, seed=3)
    first, second = world(TABLE, TRUTH, "F1"), world(TABLE, TRUTH, "F1")
    forward = [tried(first, setting, i) for i in range(4)]
    backward = [tried(second, setting, i) for i in reversed(range(4))]
    assert forward == backward[::-1]
    assert forward[0] != forward[1]
    assert tried(first, Setting("default", 20, seed=4), 0) != forward[0]


def test_any_number_of_processes_gives_the_same_rows() -> None:
    def rows(processes: int) -> list[dict[str, object]]:
        return aq.simulate(
            RUNS, truth=RELEVANT, measures=["P@3"], designs=["default", "top", "deep"],
            budget=[10, 15], reps=9, rng=2, processes=processes,
        ).to_dicts()  # fmt: skip

    assert rows(1) == rows(2)


def test_a_script_without_a_guard_may_simulate(tmp_path: Path) -> None:
    """Its processes must not run it again."""
    script = tmp_path / "script.py"
    script.write_text(
        "import aliquot as aq\n"
        "frame = aq.Frame.from_table({'id': [1, 2, 3]}, id='id')\n"
        "truth = {1: 'yes', 2: 'no', 3: 'no'}\n"
        "found = aq.simulate(frame, truth=truth, budget=3, reps=2, processes=2)\n"
        "print(found[0].mean)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout, done.stderr) == (f"{1 / 3}\n", "")


def test_bias_error_and_coverage_are_counted_up() -> None:
    """Three estimates of 0.5: 0.4 in [0.3, 0.6], 0.9 in [0.8, 1.0] and 0.8 in [0.4, 1.0]."""
    key = ("ht", "default", "svm", "Recall")
    ends = [(0.4, 0.3, 0.6, "gamma"), (0.9, 0.8, 1.0, "t"), (0.8, 0.4, 1.0, "t")]
    found = [Tried(n, {key: Row(*one)}) for n, one in enumerate(ends, 9)]
    (row,) = tally(Setting("uniform", 10), found, {("svm", "Recall"): 0.5})
    assert row.interval == "t/gamma"
    assert row.labels == 10.0
    assert row.mean == pytest.approx(0.7)
    assert row.bias == pytest.approx(0.2)
    assert row.bias_se == pytest.approx(0.152752523)  # sqrt(.07 / 3)
    assert row.rmse == pytest.approx(0.294392029)  # sqrt(.26 / 3)
    assert row.coverage == pytest.approx(2 / 3)
    assert row.coverage_se == pytest.approx(0.272165527)
    assert row.width == pytest.approx(11 / 30)


def rows_at(width: Callable[[int], float]) -> Callable[[int], list[Tally]]:
    def evaluate(n: int) -> list[Tally]:
        half = (0.5,) * 7
        return [Tally("uniform", "ht", "t", n, None, "Mean", *half, width(n), float(n))]

    return evaluate


@pytest.mark.parametrize("width", [0.5, 0.1, 0.03])
def test_a_search_comes_within_two_percent(width: float) -> None:
    found = least(rows_at(lambda n: 2.0 / n**0.5), width, 1_000_000, 100)
    exact = (2.0 / width) ** 2
    assert exact <= found <= 1.021 * exact + 1


def test_a_search_gives_all_labels_where_none_suffice() -> None:
    assert least(rows_at(lambda _: 1.0), 0.1, 777, 100) == 777


def test_the_baselines_are_all_there() -> None:
    names = ["top", "deep", "pooling", "separate", "simple", "joint"]
    assert [kind.name for kind in BASELINES] == names
    assert [str(baseline(str(kind()))) for kind in BASELINES] == [str(kind()) for kind in BASELINES]


@pytest.mark.parametrize("count", [2, 3])
def test_judging_random_topics_whole_is_unbiased(count: int) -> None:
    """Every choice of topics is equally likely: the mean over all is the truth."""
    here = world(RUNS, RELEVANT, "P@3")
    one = family(measure("P@3"), here.book.frame, here.book.scale)
    setting = Setting("deep", 3)
    chosen = [np.array(c) for c in combinations(range(4), count)]
    found = [Deep()._rows(here, one, c, setting) for c in chosen]
    for name, truth in (("A", 4 / 12), ("B", 3 / 12), ("C", 4 / 12)):
        values = [rows["deep", "t", name, "P@3"].value for rows in found]
        assert np.mean(values) == pytest.approx(truth, abs=1e-12)


def test_the_jackknife_is_the_standard_error_of_a_mean_and_the_spread_is_right() -> None:
    """E[variance estimate] over all samples of two of four equals the variance of the mean."""
    y: Floats = np.array([1.0, 2.0, 6.0, 7.0])
    pairs = list(combinations(y, 2))
    means = np.array([np.mean(pair) for pair in pairs])
    squares = [float(stderr(np.array([pair[1], pair[0]]), 0.5)) ** 2 for pair in pairs]
    assert np.mean(squares) == pytest.approx(float(np.var(means)), abs=1e-12)


def test_a_pool_scores_only_who_did_not_contribute() -> None:
    here = world(RUNS, RELEVANT, "P@3")
    setting = Setting("pooling(share=0.4)", 8, seed=1)
    scored = [{key[2] for key in tried(here, setting, i).rows} for i in range(12)]
    assert {len(names) for names in scored} == {2}
    assert set().union(*scored) == {"A", "B", "C"}
    assert {tried(here, setting, i).labels for i in range(4)} == {8}


def test_a_unit_that_both_systems_rank_alike_leaves_their_difference_certain() -> None:
    """A and B differ in the last place alone; once both documents there are judged, all is said."""
    runs = {
        name: {"topic": [1, 1, 1], "doc": ["x", "y", last], "rank": [1, 2, 3]}
        for name, last in (("A", "a"), ("B", "b"))
    }
    with Study.in_memory(Frame.from_runs(runs), measures=["P@3"], rng=1) as study:
        study.draw(2, goal="pair:A,B")
        study.record({"1 a": "yes", "1 b": "no"})
        (one,) = study.compare("A", "B").rows
        (row, _) = study.estimate().rows
    assert (one.difference, one.low, one.high) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert (row.interval.low, row.interval.high) == pytest.approx((1 / 3, 1.0))

"""What the demonstration says is what its own files and its own truth say."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from aliquot.report.story import told
from aliquot.wiring.demo import Stage, Story
from aliquot.wiring.demo_data import world
from aliquot.wiring.study import Study

Tour = tuple[Path, Story]


def qrels(path: Path) -> dict[tuple[str, str], int]:
    rows = [line.split() for line in path.read_text("utf-8").splitlines()]
    return {(topic, doc): int(rel) for topic, _, doc, rel in rows}


def dcg(run: Path, truth: dict[tuple[str, str], int]) -> float:
    """DCG@100 from the files, by its definition."""
    rows = [line.split() for line in run.read_text("utf-8").splitlines()]
    topics = {row[0] for row in rows}
    return sum(
        truth[topic, doc] / math.log2(1 + int(rank)) for topic, _, doc, rank, *_ in rows
    ) / len(topics)


def test_the_truth_is_that_of_the_files(tour: Tour) -> None:
    out, story = tour
    truth = qrels(out / "truth.qrels")
    for row in story.rows:
        assert row.truth == pytest.approx(dcg(out / "runs" / f"{row.system}.run", truth))


def test_the_estimates_are_those_of_the_study_that_it_leaves(tour: Tour) -> None:
    out, story = tour
    with Study.open(out / "study") as study:
        found = study.estimate().rows
        tiers = study.compare().tiers[0][1]
    assert [(r.system, r.low, r.high) for r in story.rows] == [
        (r.system, r.interval.low, r.interval.high) for r in found
    ]
    assert story.tiers == tiers


def test_covered_is_said_of_the_intervals_that_hold_the_truth(tour: Tour) -> None:
    _, story = tour
    for row in story.rows:
        assert row.holds == (row.low <= row.truth <= row.high)
        assert row.uniform_holds == (row.uniform_low <= row.truth <= row.uniform_high)


def test_the_chosen_labels_give_narrower_intervals_than_uniform_ones(tour: Tour) -> None:
    _, story = tour
    assert story.chosen.width < 0.8 * story.uniform.width
    assert story.budget < story.same_width < story.units
    for trials in (story.chosen, story.uniform):
        assert trials.intervals == 5 * story.samples
        assert trials.hold >= 0.92 * trials.intervals


def test_that_many_uniform_labels_give_the_same_width(tour: Tour) -> None:
    out, story = tour
    with Study.open(out / "study") as study:
        stage = Stage(study.book, world(), None)
        there = stage.many("uniform", 20, story.same_width).width
        short = stage.many("uniform", 20, story.same_width // 2).width
    assert there == pytest.approx(story.chosen.width, rel=0.06)
    assert short > 1.15 * story.chosen.width  # the check can fail


def test_a_missed_truth_is_said(tour: Tour) -> None:
    _, story = tour
    told_well = told(story.to_dict(), "")
    assert "Here all 5 hold the truth" in told_well
    rows = [row | {"holds": row["system"] != "rm3"} for row in story.to_dict()["rows"]]
    text = told(story.to_dict() | {"rows": rows}, "")
    assert "Here 1 of 5 miss the truth" in text
    assert next(line for line in text.splitlines() if "missed" in line).startswith("rm3 ")


def test_the_top_of_the_pool_is_judged_first() -> None:
    made = world()
    best = dict.fromkeys(made.labels, 999)
    for name in made.rankings:
        for topic, doc, rank in made.run(name):
            best[f"{topic} {doc}"] = min(rank, best[f"{topic} {doc}"])
    top = made.top(300)
    assert len(top) == 300
    deepest = max(best[pair] for pair in top)
    assert all(pair in top for pair, rank in best.items() if rank < deepest)


def test_the_story_fits_a_terminal(tour: Tour) -> None:
    _, story = tour
    assert max(map(len, told(story.to_dict(), "").splitlines())) <= 100
    assert max(map(len, told(story.to_dict(), "tour").splitlines())) <= 100

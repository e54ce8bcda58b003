"""`aliquot curve`: every rank of a system, thresholds that are sure, pictures, and bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.door import ask, do, news, put, spam, waiting

POINT = ["rank", "precision", "low", "high"]


@pytest.fixture
def judged() -> None:
    """The study of units, all judged: 001, 002, 004, 005 and 008 are relevant."""
    spam(budget=12)
    do("record spam truth.csv")


def numbers(points: list[dict[str, float]]) -> list[list[float]]:
    return [[point[name] for name in POINT] for point in points]


@pytest.mark.usefixtures("judged")
def test_everything_judged_gives_the_truth() -> None:
    found = do("curve spam --system svm --json").json
    assert (found["system"], found["n"], found["annotations"]) == ("svm", 12, 12)
    assert found["guarantee"] == "exact"
    assert list(found["points"][0]) == POINT
    truth = [1, 1, 2 / 3, 3 / 4, 4 / 5, 4 / 6, 4 / 7, 5 / 8, 5 / 9, 1 / 2, 5 / 11, 5 / 12]
    assert numbers(found["points"]) == [
        [rank, pytest.approx(p), pytest.approx(p), pytest.approx(p)]
        for rank, p in enumerate(truth, 1)
    ]
    five = next(one for one in found["operating"] if one["rank"] == 5)
    assert (five["threshold"], five["recall"]) == (0.6, 0.8)
    assert five["f1"] == pytest.approx(0.8)
    assert five["recall_low"] == pytest.approx(0.8)


@pytest.mark.usefixtures("judged")
def test_the_lowest_threshold_that_is_sure() -> None:
    found = do("curve spam --system svm --at-least 0.8 --json").json["at_least"]
    assert (found["met"], found["point"]["rank"], found["point"]["threshold"]) == (True, 5, 0.6)
    text = do("curve spam --system svm --at-least 0.8").out
    assert "lowest threshold sure to have precision 0.8: 0.6, which keeps 5 units" in text


def test_no_threshold_is_sure_where_little_was_judged() -> None:
    spam(budget=4)
    put("no.csv", "unit,label\n" + "".join(f"{unit},no\n" for unit in waiting("spam")))
    do("record spam no.csv")
    answer = ask("curve spam --system svm --at-least 0.99")
    assert answer.code == 2
    assert "no threshold is sure to have precision 0.99; more labels may find one" in answer.out
    assert ask("curve spam --system svm --at-least 0.99 --json").json["at_least"] == {
        "precision": 0.99,
        "met": False,
        "point": None,
    }


@pytest.mark.usefixtures("judged")
def test_thresholds_and_ranks_that_are_asked_for() -> None:
    found = do("curve spam --system svm --threshold 0.5 --rank 3 --json").json["asked"]
    assert [(one["rank"], one["precision"]) for one in found] == [
        (6, pytest.approx(4 / 6)),
        (3, pytest.approx(2 / 3)),
    ]


@pytest.mark.usefixtures("judged")
def test_the_picture_and_the_points_are_new_files() -> None:
    do("curve spam --system svm --plot c.svg --out c.csv")
    picture = Path("c.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg ")
    assert 'class="band"' in picture
    lines = Path("c.csv").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["rank,threshold,precision,low,high", "1,0.9,1,1,1"]
    assert len(lines) == 13
    answer = ask("curve spam --system svm --plot c.svg")
    assert answer.err.startswith("aliquot: c.svg: there is a file already.")
    do("curve spam --system svm --plot c.svg --out c.csv --force")
    do("curve spam --system svm --plot c.png")
    do("curve spam --system svm --threshold 0.5 --at-least 0.8 --plot asked.svg")
    asked = Path("asked.svg").read_text(encoding="utf-8")
    assert asked.count('class="other"') == 2 * 2 + 1  # both in both panels, and the key
    assert Path("c.png").read_bytes()[:4] == b"\x89PNG"


def test_a_draw_for_the_curve_serves_the_other_measures_and_they_serve_it() -> None:
    spam()
    do("draw spam --budget 6 --goal curve:svm")
    first = waiting("spam")
    do("record spam truth.csv")
    assert do("estimate spam --measure Mean --json").rows[0]["judged"] == 6
    more = do("draw spam --budget 2 --goal curve:svm --json").json
    assert (more["new"], more["reused"]) == (2, 6)
    assert not set(waiting("spam")) & set(first)
    do("draw spam --budget 2 --goal each")
    do("record spam truth.csv")
    assert do("curve spam --system svm --json").json["annotations"] == 10
    again = do("draw spam --budget 1 --goal curve:svm --json").json
    assert again["design"] == "pps(size=shape, floor=0.0)"
    assert "problem" not in do("doctor spam").out


def test_a_ranking_is_cut_at_depths() -> None:
    news(budget=12)
    do("record news all.qrels --as qrels")
    found = do("curve news --system A --rel 2 --at-least 0.4 --json").json
    two = next(one for one in found["operating"] if one["rank"] == 2)
    assert (two["threshold"], two["precision"]) == (1.0, 0.5)  # first documents: grades 3 and 0
    # A keeps d1 to d6 of both topics: 3 0 1 0 2 0 and 0 2 0 0 1 3
    assert found["at_least"]["point"]["rank"] == 4  # 3 0 0 2


REFUSED = {
    "curve spam": (64, "the following arguments are required: --system. See aliquot curve --help."),
    "curve spam --system zz": (1, "there is no system called zz. Systems here: svm, nb, tar."),
    "curve spam --system nb": (
        1,
        (
            "nb gives labels, no scores, so there is no curve along it. "
            "Systems with scores or ranks: svm."
        ),
    ),
    "curve spam --system tar": (
        1,
        (
            "tar gives a set, no scores, so there is no curve along it. "
            "Systems with scores or ranks: svm."
        ),
    ),
    "curve spam --system svm --level 1": (
        64,
        "level 1 is not between 0 and 1. Use one such as 0.95.",
    ),
    "curve spam --system svm --method best": (
        64,
        "'best' is not a method for curves. Methods are band, random, logstrat, paula, adastrat.",
    ),
    "curve spam --system svm --rank 13": (
        64,
        "a rank lies outside the curve. Ask for ranks from 1 to 12.",
    ),
    "curve spam --system svm --rank 0": (
        64,
        "a rank lies outside the curve. Ask for ranks from 1 to 12.",
    ),
    "curve spam --system svm --threshold 0.95": (
        64,
        "a threshold of 0.95 on the score keeps no unit. svm goes from 0.9 to 0.05.",
    ),
    "curve spam --system svm --at-least 1.5": (
        64,
        "a precision of 1.5 is not between 0 and 1. Ask for one such as 0.9.",
    ),
    "curve spam --system svm --rel 3": (
        64,
        "no label of labels(no, yes) begins to count at 3. Use a number above 0, up to 1.",
    ),
    "curve spam --system svm --plot c.gif": (
        64,
        (
            "c.gif: the name of the picture does not tell its format. Name it like curve.svg or "
            "curve.png."
        ),
    ),
}


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("line", REFUSED)
def test_bad_input_is_one_full_line(line: str) -> None:
    answer = ask(line)
    code, text = REFUSED[line]
    assert (answer.code, answer.out, answer.err) == (code, "", f"aliquot: {text}\n")


def test_nothing_drawn_nothing_judged_and_nothing_judged_along_it() -> None:
    spam()
    assert ask("curve spam --system svm").err == (
        "aliquot: nothing was drawn yet. Draw first: aliquot draw STUDY --budget N.\n"
    )
    do("draw spam --budget 3")
    assert ask("curve spam --system svm").err.startswith("aliquot: nothing was judged yet.")


def test_classes_and_numbers_need_to_be_told_what_is_positive() -> None:
    put("c.csv", "id,s\na,1\nb,2\nc,3\n")
    do("init c --units c.csv --id id --score s=s --number 0..5 --measure Mean")
    do("draw c --budget 3")
    put("l.csv", "unit,label\na,1\nb,4.5\nc,5\n")
    do("record c l.csv")
    assert ask("curve c --system s").err == (
        "aliquot: it is not said which numbers of number(0..5) are positive. "
        "Give the least: --rel.\n"
    )
    found = do("curve c --system s --rel 4 --json").json
    assert [point["precision"] for point in found["points"]] == [1.0, 1.0, pytest.approx(2 / 3)]


def test_equal_scores_are_said_and_never_cut_apart() -> None:
    put("t.csv", "id,s\n" + "".join(f"u{i},{i // 4}\n" for i in range(12)))
    do("init t --units t.csv --id id --score s=s --measure Mean")
    do("draw t --budget 12")
    put("l.csv", "unit,label\n" + "".join(f"u{i},{int(i >= 6)}\n" for i in range(12)))
    do("record t l.csv")
    answer = do("curve t --system s --at-least 0.7")
    assert "sure to have precision 0.7: 1, which keeps 8 units" in answer.out  # 6 of 8
    assert "note: 9 units have a score that another one has too;" in answer.err
    ranks = [one["rank"] for one in do("curve t --system s --json").json["operating"]]
    assert set(ranks) <= {4, 8, 12}

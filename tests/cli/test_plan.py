"""Plans from counts on the command line: beside those of a study, and refused where unclear."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.door import ask, do

SMALL = "plan recall --retrieved 300 --unretrieved 2000 --recall 0.75 --precision 0.6"


def test_a_budget_is_shared_between_two_segments() -> None:
    found = do(f"{SMALL} --budget 300 --json").json
    assert list(found) == ["schema", "target", "best", "rows"]
    assert found["schema"] == "aliquot.plan/1"
    assert found["target"] == {"measure": "recall", "level": 0.95, "budget": 300}
    assert found["best"]["labels"] == 300
    assert found["best"]["width"] == min(row["width"] for row in found["rows"])
    assert {"design", "estimator", "interval", "labels", "width"} < set(found["rows"][0])
    assert [row["best"] for row in found["rows"]].count(True) == 1
    assert all(row["retrieved"] + row["unretrieved"] == 300 for row in found["rows"])


def test_a_width_needs_labels_and_words_say_which() -> None:
    lines = do(f"{SMALL} --width 0.2").out.splitlines()
    assert lines[0].split() == ["retrieved", "unretrieved", "share", "width", "wider", "best"]
    assert lines[-2].endswith("the 95 % interval of recall is then 0.1999 wide on average.")
    assert lines[-1].startswith("Half as many of what is retrieved: ")


def test_a_range_is_a_prior_and_labels_are_one_too() -> None:
    width = do(f"{SMALL} --budget 300 --json").json["best"]["width"]
    spread = SMALL.replace("0.75", "0.6..0.9")
    assert do(f"{spread} --budget 300 --json").json["best"]["width"] != width
    there = "plan recall --retrieved 300,20,12 --unretrieved 2000,100,3 --budget 300 --json"
    assert do(there).json["best"]["unretrieved"] >= 100


def test_one_segment_needs_no_share() -> None:
    lines = do("plan proportion --units 50000 --prevalence 0.02 --width 0.02").out.splitlines()
    assert lines[0].split() == ["measure", "labels", "width"]
    told = "the 95 % interval of the proportion is then 0.01999 wide on average."
    assert lines[-1].endswith(told)


REFUSED = {
    "plan recall": "recall needs --retrieved N and --unretrieved N. Give how many units.",
    "plan recall --goal each": "--goal is for a study. For one, write ./recall.",
    "plan news --recall 0.5": (
        "--recall goes with a measure, and 'news' is none. "
        "Measures are recall, precision, f1, elusion, proportion; for a study leave it out."
    ),
    "plan recall --retrieved ten": (
        "--retrieved: 'ten' is neither N nor N,n,r. Write such as 2000."
    ),
    "plan recall --retrieved 9 --unretrieved 9 --recall x": (
        "--recall: 'x' is no share. Write such as 0.7, or 0.6..0.8."
    ),
    "plan recall --retrieved 9 --unretrieved 9 --recall nan": (
        "--recall: 'nan' is no share. Write such as 0.7, or 0.6..0.8."
    ),
    f"{SMALL} --budget 9 --level 95": "level 95 is not between 0 and 1. Use one such as 0.95.",
    f"{SMALL} --budget 9 --level 0": "level 0 is not between 0 and 1. Use one such as 0.95.",
    f"{SMALL} --budget 9 --width 0.2": (
        "a plan needs a budget or a width, above 0. Give one of them."
    ),
    "plan recall --retrieved -3 --unretrieved 9 --budget 9": (
        "--retrieved: N = -3 is no count. Use whole numbers from 0."
    ),
    "plan recall --retrieved 9,5,6 --unretrieved 9 --budget 9": (
        "--retrieved: r = 6 is more than n = 5. It counts among those."
    ),
    "plan recall --retrieved 2000000000000 --unretrieved 9 --budget 9": (
        "--retrieved: N = 2e+12 is too large. Use at most 1e12."
    ),
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_can_be_no_plan_is_refused_in_one_line(line: str) -> None:
    answer = ask(line)
    assert (answer.code, answer.out) == (64, "")
    assert answer.err == f"aliquot: {REFUSED[line]}\n"


def test_a_study_with_the_name_of_a_measure_is_pointed_to() -> None:
    Path("recall").mkdir()
    answer = ask("plan recall --budget 300")
    assert answer.code == 64
    assert answer.err == (
        "aliquot: 'recall' is a measure, and needs --retrieved and --unretrieved. "
        "For the study of that name write ./recall.\n"
    )
    assert ask("plan ./recall --budget 300").err.startswith("aliquot: recall: ")

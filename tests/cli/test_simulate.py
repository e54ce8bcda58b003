"""`simulate`: what a design would have given on labels that are known; and bad input to it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.cli.door import Answer, ask, csv_text, do, items, put, rankings, table

FIELDS = [
    "design", "estimator", "interval", "budget", "system", "measure", "truth", "mean", "bias",
    "bias_se", "rmse", "coverage", "coverage_se", "width", "labels",
]  # fmt: skip
RUNS = "simulate --runs a.run b.run.gz --qrels all.qrels --grades 0..3"
UNITS = "simulate --units items.csv --id id --truth label --score 'svm=svm>=0.5'"
RELEVANT = ("001", "002", "004", "005", "008")


def labelled(**changed: str) -> None:
    """Write the table of units with each one's label; some may be changed."""
    rows = [
        row | {"label": changed.get(f"u{row['id']}", "yes" if row["id"] in RELEVANT else "no")}
        for row in items()
    ]
    put("items.csv", csv_text(rows))


def test_a_row_has_the_promised_fields() -> None:
    rankings()
    answer = do(f"{RUNS} --measure P@2 --budget 6 --design uniform --reps 5 --json")
    assert answer.json["schema"] == "aliquot.simulate/1"
    assert answer.json["default"] is None  # it was not tried
    assert [list(row) for row in answer.rows] == [FIELDS, FIELDS]
    assert [(row["design"], row["system"], row["measure"]) for row in answer.rows] == [
        ("uniform", "A", "P@2"),
        ("uniform", "B", "P@2"),
    ]


def test_a_census_is_the_truth() -> None:
    labelled()
    answer = do(
        f"{UNITS} --measure Precision --measure Recall --measure Mean --budget 12 --reps 3 "
        "--design default --design uniform --json"
    )
    found = [(r["measure"], r["truth"], r["mean"], r["labels"]) for r in answer.rows]
    once = [
        ("Precision", 4 / 6, pytest.approx(4 / 6), 12),
        ("Recall", 4 / 5, pytest.approx(4 / 5), 12),
        ("Mean", 5 / 12, pytest.approx(5 / 12), 12),
    ]
    assert found == once * 2
    assert all(row["coverage"] == 1.0 and row["width"] < 1e-9 for row in answer.rows)
    assert all(abs(row["bias"]) < 1e-12 for row in answer.rows)


def test_judging_from_the_top_shows_its_bias() -> None:
    """Judged are d1 and d6 of both topics; d2 and d5 count as irrelevant."""
    rankings()
    answer = do(f"{RUNS} --measure P@2 --budget 4 --design top --reps 4 --json")
    found = [(r["truth"], r["mean"], r["bias"], r["labels"]) for r in answer.rows]
    assert found == [(0.5, 0.25, -0.25, 4), (0.75, 0.25, -0.5, 4)]
    empty = {(r["interval"], r["coverage"], r["coverage_se"], r["width"]) for r in answer.rows}
    assert empty == {("none", None, None, None)}


def test_every_design_meets_every_budget_estimator_and_interval() -> None:
    labelled()
    rows = do(
        f"{UNITS} --measure Recall --budget 6 --budget 9 --design uniform --design 'pps(floor=0.5)'"
        " --estimator ht --estimator hajek --interval normal --interval logit --reps 3 --json"
    ).rows
    told = {(r["design"], r["budget"], r["estimator"], r["interval"]) for r in rows}
    assert len(rows) == len(told) == 16
    assert {design for design, *_ in told} == {"uniform", "pps(floor=0.5)"}


def test_the_difference_of_a_pair_has_a_row() -> None:
    rankings()
    rows = do(f"{RUNS} --measure P@2 --budget 6 --goal pair:B,A --reps 3 --json").rows
    assert [(row["system"], row["truth"]) for row in rows] == [
        ("A", 0.5), ("B", 0.75), ("B - A", 0.25),
    ]  # fmt: skip
    apart = do(
        f"{RUNS} --measure P@2 --budget 6 --goal pair:B,A --design separate --reps 3 --json"
    ).rows
    assert [(row["system"], row["estimator"]) for row in apart] == [("B - A", "separate")]


def test_the_labels_that_a_width_needs_are_searched() -> None:
    put("big.csv", csv_text([
        {"id": n, "score": n / 400, "label": int(n % 4 == 0)} for n in range(400)
    ]))  # fmt: skip
    rows = do(
        "simulate --units big.csv --id id --truth label --measure Mean --design uniform "
        "--width 0.2 --reps 20 --json"
    ).rows
    (row,) = rows
    assert row["width"] <= 0.2
    assert (
        50 <= row["budget"] == row["labels"] <= 75
    )  # 400 / (1 + 399 (0.1 / 1.96)^2 / (3/16)) = 61


def test_documents_without_a_label_count_as_the_lowest() -> None:
    rankings()
    put("all.qrels", "q1 0 d1 3\nq1 0 d3 1\nq2 0 d2 2\nq2 0 d6 3\n")
    answer = do(f"{RUNS} --measure P@2 --budget 6 --reps 2")
    assert answer.err == "note: 8 of 12 documents have no label; they count as 0, the lowest\n"


def test_a_sample_with_nothing_to_go_by_is_said() -> None:
    labelled()
    answer = do(f"{UNITS} --measure Recall --budget 2 --design uniform --reps 30 --json")
    (note,) = answer.json["notes"]
    assert note.startswith("Recall could not be estimated in ")
    assert note.endswith(
        "of 30 cases of uniform at 2: no label counted; they are left out of mean and bias, and "
        "their intervals hold everything"
    )


def test_many_systems_are_averaged_in_the_table_and_kept_in_the_object() -> None:
    for n in range(6):
        put(f"s{n}.run", "".join(f"q{t} Q0 d{(d + n) % 7} {d + 1} {9 - d} s{n}\n"
                                 for t in (1, 2) for d in range(4)))  # fmt: skip
    put("all.qrels", "".join(f"q{t} 0 d{d} {d % 2}\n" for t in (1, 2) for d in range(7)))
    line = "simulate --runs s0.run s1.run s2.run s3.run s4.run s5.run --qrels all.qrels"
    line += " --measure P@2 --budget 5 --design uniform --reps 4"
    head, row, _, last = do(line).out.splitlines()
    assert head.split()[:4] == ["design", "budget", "measure", "system"]
    assert row.split()[:4] == ["uniform", "5", "P@2", "(6)"]
    assert last == "4 samples a line; a mean over 6 systems, --json has each"
    assert len(do(f"{line} --json").rows) == 6


def test_everything_that_can_be_tried_is_listed() -> None:
    found = do("simulate --list --json").json["spellings"]
    named = {(one["kind"], one["spelling"]) for one in found}
    assert {("design", "default"), ("design", "uniform"), ("baseline", "top")} <= named
    assert {("baseline", "deep"), ("estimator", "ht"), ("interval", "logit")} <= named
    assert all(one["what"] for one in found)


# fmt: off
@dataclass(frozen=True)
class Case:
    """A command, and the one line that it must answer."""

    line: str
    text: str
    code: int = 1


P2 = f"{RUNS} --measure P@2 --budget 6"
RECALL = f"{UNITS} --measure Recall --budget 6"
REFUSED = {
    "no truth of runs": Case(
        "simulate --runs a.run --budget 3", "--runs needs --qrels. Name the file with the labels.",
        64),
    "no truth of units": Case(
        "simulate --units items.csv --id id --budget 3",
        "--units needs --truth. Name the column with each unit's label.", 64),
    "nothing": Case(
        "simulate --budget 3", "a simulation is of --runs or of --units. Give one of them.", 64),
    "truth of runs in a column": Case(
        f"{P2} --truth label", "--truth belongs to --units. Give --qrels with --runs.", 64),
    "truth of units in qrels": Case(
        f"{RECALL} --qrels all.qrels", "--qrels belongs to --runs. Give --truth with --units.", 64),
    "no id": Case("simulate --units items.csv --truth label --budget 3",
        "--units needs --id. Name the column with each unit's id.", 64),
    "no such column": Case(
        "simulate --units items.csv --id id --truth spam --budget 3",
        "items.csv: there is no column 'spam'. Columns here: id, subject, svm, nb, tar, gpt, "
        "patient, price, site, label."),
    "no such qrels": Case(
        "simulate --runs a.run --qrels none --budget 3",
        "none: there is no such file. Check the path."),
    "labels outside the scale": Case(
        "simulate --runs a.run b.run.gz --qrels all.qrels --budget 3",
        "all.qrels, line 1, column label: label '3' is not on the scale labels(no, yes). "
        "Use no, yes."),
    "one repetition": Case(
        f"{P2} --reps 1", "1 repetitions show no spread. Ask for 2 or more, such as 200.", 64),
    "neither budget nor width": Case(
        f"{RUNS} --measure P@2", "a simulation needs a budget or a width, above 0. Give one.", 64),
    "budget and width": Case(
        f"{P2} --width 0.1", "a simulation needs a budget or a width, above 0. Give one.", 64),
    "no budget": Case(
        f"{RUNS} --measure P@2 --budget 0", "a budget of 0 buys nothing. Ask for 1 to 12."),
    "more than there is": Case(
        f"{RUNS} --measure P@2 --budget 13",
        "a budget of 13 is more than the 12 units there are. Ask for 1 to 12."),
    "unknown option of a baseline": Case(
        f"{P2} --design 'top(k=3)'", "top has no option 'k'. It takes no options.", 64),
    "a share that is none": Case(
        f"{P2} --design 'pooling(share=2)'",
        "share=2 is not between 0 and 1. Use one such as 0.5.", 64),
    "nobody left to score": Case(
        f"{P2} --design 'pooling(share=0.9)'",
        "pooling(share=0.9) leaves none of the 2 systems to score. Give more systems, or a smaller "
        "share."),
    "unknown goal": Case(
        f"{P2} --goal win",
        "'win' is not a goal. Use each, relative, pair:A,B, curve:A or the name of a system. "
        "Systems here: A, B."),
    "unknown measure": Case(
        f"{RUNS} --measure nDCG@5 --budget 3",
        "'nDCG@5' is not a measure. Measures are Mean, Accuracy, Precision, Recall, F1, "
        "F(beta=2), P@10, DCG@20, R@100, Judged@10, AP@100, Swaps@10, wSwaps@10, MAE, MSE.", 64),
    "a level that is none": Case(
        f"{P2} --level 2", "level 2 is not between 0 and 1. Use one such as 0.95.", 64),
    "top has no width": Case(
        f"{RUNS} --measure P@2 --width 0.2 --design top",
        "top has no interval, and so no width. Give a budget instead.", 64),
    "a pair that is none": Case(
        f"{P2} --design separate", "separate compares two systems. Give --goal pair:A,B.", 64),
    "deep without topics": Case(
        f"{RECALL} --design deep", "deep judges whole topics, and there are none. Give --runs."),
    "nothing to simulate": Case(
        f"{RUNS} --measure Judged@2 --budget 3",
        "no measure here can be simulated. Add one such as P@10."),
    "an estimator that does not fit": Case(
        f"{P2} --design wr --estimator ht",
        "estimator ht does not fit units drawn with replacement. Use hh."),
}
# fmt: on


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_bad_input_is_one_clear_line(case: Case) -> None:
    rankings()
    labelled()
    assert ask(case.line) == Answer(case.code, "", f"aliquot: {case.text}\n")


MORE = ". Baselines that can be tried too: top, deep, pooling, separate, simple, joint.\n"
UNKNOWN = {
    "--design": ("'best' is not a design. Designs are default, uniform, ", MORE),
    "--estimator": ("'best' is not an estimator. Estimators are default, ht, ", ".\n"),
    "--interval": ("'best' is not an interval. Intervals are default, normal, ", ".\n"),
}


@pytest.mark.parametrize("option", UNKNOWN)
def test_an_unknown_spelling_is_told_what_there_is(option: str) -> None:
    rankings()
    start, end = UNKNOWN[option]
    answer = ask(f"{P2} {option} best")
    assert (answer.code, answer.out) == (64, "")
    assert answer.err.startswith(f"aliquot: {start}")
    assert answer.err.endswith(end)


# fmt: off
LABELS = {
    "": "items.csv: 1 of 12 units have no label, such as '004'. A simulation needs the label of "
        "every unit: fill them in, or drop these units.",
    "skip": "items.csv, line 5, column label: 'skip' says nothing of the unit's label. A "
            "simulation needs the label of every unit: fill it in, or drop the unit.",
    "maybe": "items.csv, line 5, column label: label 'maybe' is not on the scale labels(no, yes). "
             "Use no, yes.",
}
# fmt: on


@pytest.mark.parametrize("label", LABELS)
def test_every_unit_needs_a_label_of_the_scale(label: str) -> None:
    labelled(u004=label)
    assert ask(RECALL) == Answer(1, "", f"aliquot: {LABELS[label]}\n")


def test_a_measure_that_the_labels_do_not_define_is_refused() -> None:
    labelled(**{f"u{unit}": "no" for unit in RELEVANT})
    text = (
        "Recall of svm is not defined by the true labels. Leave the measure out, or check the "
        "labels: nothing counts as relevant."
    )
    assert ask(RECALL) == Answer(1, "", f"aliquot: {text}\n")


def test_no_study_draws_with_a_baseline() -> None:
    rankings()
    do("init news --runs a.run b.run.gz --grades 0..3 --measure P@2")
    text = (
        "top is a baseline, and no study draws with it: it gives the units further down no chance "
        "at all. Draw with default, or see with aliquot simulate how far off it is."
    )
    assert ask("draw news --budget 3 --design top") == Answer(1, "", f"aliquot: {text}\n")


REUSE = {
    "joint --measure Mean": "joint draws for systems, and there are none. Add one.",
    "joint --measure Mean --score svm=svm": None,
    "joint(weights=best)": "weights=best is not known. Use one of heuristic, balance, equal, "
    "optimal.",
    "joint(mix=best)": "joint has no option 'mix'. It takes weights.",
    "simple --measure Recall --score 'svm=svm>=0.5'": "own draws can't see all that Recall "
    "rests on. Use estimator joint.",
}


@pytest.mark.parametrize("asked", REUSE)
def test_draws_for_each_system_are_tried_or_refused(asked: str) -> None:
    table()
    labelled()
    answer = ask(f"simulate --units items.csv --id id --truth label --budget 4 --reps 3 "
                 f"--design {asked}")  # fmt: skip
    text = REUSE[asked]
    assert answer.err == ("" if text is None else f"aliquot: {text}\n")


def test_joint_draws_beat_those_of_each_system_alone() -> None:
    table()
    labelled()
    rows = do(
        f"{UNITS} --retrieved tar=tar --measure Precision --design simple --design joint "
        "--budget 8 --reps 40 --truth label --json".replace("init spam", "simulate")
    ).rows
    width = {row["design"]: row["width"] for row in rows if row["system"] == "tar"}
    assert width["joint"] <= width["simple"]


def test_a_table_is_in_the_way_of_nothing() -> None:
    """The table has every other kind of column too."""
    table()
    labelled()
    rows = do(
        f"{UNITS} --predicted nb=nb --retrieved tar=tar --judge gpt=gpt --cluster patient "
        "--cost price --stratum site --measure F1 --measure Accuracy --budget 8 --reps 2 "
        "--design 'stratified(by=stratum)' --design pps --json"
    ).rows
    assert {row["estimator"] for row in rows} == {"ht", "calibrated", "difference"}
    assert {row["system"] for row in rows} == {"svm", "nb", "tar"}

"""A table of units, from its first line to what may be claimed: every step as a user takes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.door import (
    MEASURES,
    MORE,
    SPAM,
    SPAM_TRUTH,
    SYSTEMS,
    TRUTH,
    UNITS,
    ask,
    csv_text,
    do,
    everything,
    items,
    put,
    spam,
    table,
    waiting,
)

Row = dict[str, Any]


def rows(study: str, more: str = "") -> list[Row]:
    return do(f"estimate {study} --json {more}").rows


def parquet(name: str, found: list[dict[str, object]]) -> None:
    import pyarrow as pa
    from pyarrow.parquet import write_table

    write_table(pa.Table.from_pylist(found), name)


def write_as(kind: str, found: list[dict[str, object]]) -> str:
    """Write rows as one of the formats that tables come in; return the file's name."""
    name = f"items.{kind}"
    if kind == "parquet":
        parquet(name, found)
    elif kind.startswith("jsonl"):
        put(name, "".join(json.dumps(row) + "\n" for row in found))
    elif kind.startswith("tsv"):
        put(name, csv_text(found).replace('","', '"\t"').replace(",", "\t", len(found[0]) - 1))
    else:
        put(name, csv_text(found))
    return name


@pytest.mark.parametrize("more", ["", MORE])
def test_when_every_unit_is_judged_the_estimates_are_the_truth_with_no_width(more: str) -> None:
    spam(budget=12, more=more)
    do("record spam truth.csv")
    found = rows("spam")
    human = [row for row in found if not row["assisted"]]
    assert [(row["system"], row["measure"]) for row in human] == list(SPAM_TRUTH)
    assert len(found) == (2 if more else 1) * len(SPAM_TRUTH)
    for row in found:
        truth = SPAM_TRUTH[row["system"], row["measure"]]
        assert row["estimate"] == pytest.approx(truth, abs=1e-12)
        assert (row["low"], row["high"], row["stderr"]) == (row["estimate"], row["estimate"], 0)
        assert (row["guarantee"], row["judged"], row["warnings"]) == ("exact", 12, [])


@pytest.mark.parametrize("design", ["uniform", "pps", "pareto", "poisson", "stratified"])
def test_a_census_is_exact_under_every_design(design: str) -> None:
    spam()
    do(f"draw spam --budget 5 --design {design}")
    do(f"draw spam --budget 7 --design {design}")
    do("record spam truth.csv")
    assert {row["guarantee"] for row in rows("spam")} == {"exact"}


def test_when_one_judgment_is_missing_there_is_width_and_no_claim_to_exactness() -> None:
    spam(budget=12)
    put("less.csv", "".join(Path("truth.csv").read_text().splitlines(keepends=True)[:-1]))
    do("record spam less.csv")
    assert "exact" not in {row["guarantee"] for row in rows("spam")}
    assert all(row["low"] < row["high"] for row in rows("spam", "--measure Mean"))


@pytest.mark.parametrize("kind", ["csv.gz", "tsv", "jsonl", "jsonl.gz", "parquet"])
def test_every_format_of_a_table_gives_the_same_study(kind: str) -> None:
    spam(budget=5, more=MORE)
    name = write_as(kind, items())
    do(f"{SPAM} {MORE}".replace("init spam", "init other").replace("items.csv", name))
    do("draw other --budget 5")
    assert do("queue other").out == do("queue spam").out
    assert (
        do("draw other --budget 2 --json").json["units"]
        == (do("draw spam --budget 2 --json").json["units"])
    )


def test_a_file_of_windows_with_its_mark_and_line_ends_is_read() -> None:
    spam(budget=5)
    text = Path("items.csv").read_text().replace("\n", "\r\n")
    put("windows.csv", b"\xef\xbb\xbf" + text.encode())
    do(SPAM.replace("init spam", "init other").replace("items.csv", "windows.csv"))
    do("draw other --budget 5")
    assert waiting("other") == waiting("spam")


def test_the_sheet_shows_what_was_asked_and_nothing_that_could_sway_a_judge() -> None:
    spam(budget=3, more=MORE)
    sheet = do("queue spam").out.splitlines()
    assert sheet[0] == "unit,subject,label"
    assert sheet[1:] == [f'{unit},"\'=text {unit}, of it",' for unit in waiting("spam")]
    as_json = do("queue spam --to jsonl --limit 1").out
    first = waiting("spam")[0]
    assert json.loads(as_json) == {"unit": first, "subject": f"=text {first}, of it", "label": None}


def test_a_sheet_as_json_lines_comes_back() -> None:
    spam(budget=4)
    sheet = [json.loads(line) for line in do("queue spam --to jsonl").out.splitlines()]
    filled = [row | {"label": TRUTH[row["unit"]]} for row in sheet]
    put("sheet.jsonl", "".join(json.dumps(row) + "\n" for row in filled))
    assert do("record spam sheet.jsonl --json").json["added"] == 4


def test_recording_the_same_file_twice_changes_nothing() -> None:
    spam(budget=6)
    do("record spam truth.csv --annotator ann")
    before, estimates = do("export spam").out, do("estimate spam --json").out
    again = do("record spam truth.csv --annotator ann --json").json
    assert (again["added"], again["unchanged"], again["waiting"]) == (0, 6, 0)
    assert (do("export spam").out, do("estimate spam --json").out) == (before, estimates)


def test_a_correction_replaces_what_was_said_before() -> None:
    spam(budget=12)
    do("record spam truth.csv")
    put("fix.csv", "unit,label\n012,yes\n")
    assert do("record spam fix.csv --json").json["added"] == 1
    (mean,) = rows("spam", "--measure Mean")
    assert (mean["estimate"], mean["guarantee"]) == (pytest.approx(6 / 12), "exact")
    exported = do("export spam --json").rows
    assert [row["label"] for row in exported if row["unit"] == "012"] == ["yes"]


def test_a_skip_and_an_unsure_are_data_and_said_so() -> None:
    spam(budget=12)
    text = Path("truth.csv").read_text()
    put("some.csv", text.replace('"011","no"', "011,Skip").replace('"012","no"', "012,unsure"))
    answer = do("record spam some.csv --json").json
    assert answer["progress"] == {"drawn": 12, "judged": 10, "skipped": 2, "waiting": 0}
    found = do("estimate spam --measure Mean")
    assert found.err == (
        "note: 2 drawn units (16.7% of those looked at) were skipped or unsure; the estimate takes "
        "them to be like the judged ones\n"
        "note: if the skipped units all had the worst or the best label: 0.417 or 0.583\n"
    )
    assert {row["state"]: row["label"] for row in do("export spam --json").rows} == {
        "label": "no",
        "skip": "skip",
        "unsure": "unsure",
    }


@pytest.mark.parametrize("seed", [6, 7])
def test_no_bound_for_skipped_units_is_a_share_above_one(seed: int) -> None:
    rows_ = [{"id": f"u{i}", "s": i / 60, "j": i % 2} for i in range(60)]
    put("items.csv", csv_text(rows_))
    study = f"init s --units items.csv --id id --score 'm=s>=0.5' --judge g=j --seed {seed}"
    do(f"{study} --measure Precision")
    do("draw s --budget 12")
    units = waiting("s")
    labels = dict.fromkeys(units, "yes") | {units[0]: "skip"}
    put("l.csv", csv_text([{"unit": unit, "label": label} for unit, label in labels.items()]))
    do("record s l.csv")
    warnings = [text for row in do("estimate s --json").rows for text in row["warnings"]]
    said = [text for text in warnings if "best label" in text]
    ends = [float(word) for text in said for word in text.split(": ")[1].split(" or ")]
    assert len(ends) == 4  # human-only and assisted
    assert all(0 <= end <= 1 for end in ends)
    apart = "\nnote: Precision of m (assisted): if the skipped" in do("estimate s").err
    assert apart == (said[0] != said[1])


def test_labels_that_are_all_alike_leave_room_for_others_also_below_zero() -> None:
    put("items.csv", csv_text([{"id": f"u{i}"} for i in range(50)]))
    do("init s --units items.csv --id id --number=-10..10 --measure Mean")
    do("draw s --budget 8")
    put("l.csv", csv_text([{"unit": unit, "label": -5} for unit in waiting("s")]))
    do("record s l.csv")
    (mean,) = rows("s")
    assert mean["estimate"] == pytest.approx(-5)
    assert mean["low"] < -8  # eight alike don't rule out that some of 42 differ
    assert mean["high"] > 0


def test_a_measure_that_is_asked_for_twice_is_told_once() -> None:
    spam(budget=12)
    do("record spam truth.csv")
    assert len(rows("spam", "--measure Mean --measure Mean")) == 1


def test_a_study_in_which_nothing_can_be_drawn_yet_is_made_and_says_so() -> None:
    put("items.csv", "id,s\na,0.1\nb,0.2\n")
    made = do("init s --units items.csv --id id --score 'm=s>=0.5' --measure Precision")
    assert made.out.splitlines()[1:] == [
        "nothing to draw yet: no unit bears on what is measured; add a system: add-system"
    ]
    assert ask("draw s --budget 1").code == 1
    do("add-system s --units items.csv --score 'n=s>=0.15'")
    do("draw s --budget 1")


def test_when_all_were_skipped_nothing_is_said_to_wait() -> None:
    spam(budget=3)
    put("l.csv", csv_text([{"unit": unit, "label": "skip"} for unit in waiting("spam")]))
    do("record spam l.csv")
    assert ask("estimate spam").err == (
        "aliquot: nothing was judged yet: 3 of 3 drawn units were skipped or unsure. Draw more "
        "with aliquot draw STUDY --budget N, or label what was passed over.\n"
    )


def test_several_people_judge_one_unit_and_their_labels_are_averaged() -> None:
    spam(budget=12)
    do("record spam truth.csv --annotator ann")
    put("bob.csv", "unit,label,annotator\n012,yes,bob\n")
    do("record spam bob.csv")
    (mean,) = rows("spam", "--measure Mean")
    assert mean["estimate"] == pytest.approx(5.5 / 12)
    said = [
        (r["annotator"], r["label"]) for r in do("export spam --json").rows if r["unit"] == "012"
    ]
    assert sorted(said) == [("ann", "no"), ("bob", "yes")]


def test_an_empty_label_is_not_judged_yet() -> None:
    spam(budget=4)
    put("half.csv", do("queue spam").out)
    answer = do("record spam half.csv --json").json
    assert (answer["added"], answer["waiting"]) == (0, 4)


def test_labels_may_be_written_as_0_1_true_false_and_in_any_case() -> None:
    table()
    do(
        f"init ham --units items.csv --id id {SYSTEMS.replace('--predicted nb=nb', '')} "
        "--labels ham,spam --measure Mean"
    )
    do("draw ham --budget 12 --design uniform")
    words = ["1", "true", "YES", "spam", "True", "0", "false", "no", "ham", " ham ", "NO", "False"]
    lines = [f"{unit},{word}" for unit, word in zip(UNITS, words, strict=True)]
    put("labels.csv", "id,label\n" + "\n".join(lines) + "\n")
    do("record ham labels.csv")
    assert rows("ham")[0]["estimate"] == pytest.approx(5 / 12)


def test_export_goes_round_into_a_fresh_study_of_the_same_seed_and_draw() -> None:
    spam(budget=6)
    do("record spam truth.csv --annotator ann")
    do("export spam --out labels.csv")
    do("export spam --out labels.jsonl")
    do("export spam --out labels.parquet")
    first = do("estimate spam --json").out
    for number, kind in enumerate(["csv", "jsonl", "parquet"]):
        do(SPAM.replace("init spam", f"init copy{number}"))
        do(f"draw copy{number} --budget 6")
        do(f"record copy{number} labels.{kind}")
        assert do(f"estimate copy{number} --json").out == first
        assert do(f"export copy{number}").out == do("export spam").out


def test_prels_and_qrels_are_written_and_read_again() -> None:
    put("a.run", "".join(f"q{t} Q0 d{d} {d} {9 - d} A\n" for t in (1, 2) for d in range(1, 7)))
    put("all.qrels", "".join(f"q{t} 0 d{d} {d % 2}\n" for t in (1, 2) for d in range(1, 7)))
    do("init one --runs a.run --measure P@6 --seed 3")
    do("draw one --budget 5")
    do("record one all.qrels")
    prels = [line.split() for line in do("export one --to prels").out.splitlines()]
    drawn = {row["unit"]: row["pi"] for row in do("export one --json").rows}
    assert {f"{topic} {doc}": float(pi) for topic, doc, _, _, pi in prels} == drawn
    assert {alg for *_, alg, _ in prels} == {"1"}
    do("export one --to qrels --out out.qrels")
    do("init two --runs a.run --measure P@6 --seed 3")
    do("draw two --budget 5")
    do("record two out.qrels")
    assert do("estimate two --json").out == do("estimate one --json").out


def test_a_new_system_of_a_table_is_measured_with_old_labels() -> None:
    spam(budget=12)
    do("record spam truth.csv")
    found: list[dict[str, object]] = [
        {"id": unit, "bert": score} for unit, score in zip(reversed(UNITS), range(12), strict=True)
    ]
    put("new.csv", csv_text(found))
    answer = do("add-system spam --units new.csv --score 'bert=bert>=9'")
    assert answer.out == (
        "added bert, with 0 units that the study did not have\n"
        "Precision of bert: 3 judged units bear on it\n"
        "Recall of bert: 12 judged units bear on it\n"
        "F1 of bert: 12 judged units bear on it\n"
        "Accuracy of bert: 12 judged units bear on it\n"
        "next: aliquot estimate spam\n"
    )
    by_system = {row["system"]: row["estimate"] for row in rows("spam", "--measure Precision")}
    assert by_system["bert"] == pytest.approx(2 / 3)  # 001, 002 and 003


@pytest.mark.parametrize(
    ("scale", "labels", "mean"),
    [
        ("--grades 0..4", "403", 7 / 3),
        ("--number 0..1", ["0.25", "1", "0"], 1.25 / 3),
        ("--labels bad,good", ["good", "bad", "good"], 2 / 3),
    ],
)
def test_the_mean_of_each_scale(scale: str, labels: list[str] | str, mean: float) -> None:
    put("units.csv", "id\na\nb\nc\n")
    do(f"init m --units units.csv --id id {scale} --measure Mean")
    do("draw m --budget 3")
    put("l.csv", "id,label\n" + "".join(f"{u},{x}\n" for u, x in zip("abc", labels, strict=True)))
    do("record m l.csv")
    assert rows("m")[0]["estimate"] == pytest.approx(mean)


def test_the_accuracy_of_classes() -> None:
    put("units.csv", "id,said\na,cat\nb,dog\nc,cow\nd,cat\n")
    do("init c --units units.csv --id id --predicted net=said --classes cat,dog,cow")
    do("draw c --budget 4")
    put("l.csv", "id,label\na,cat\nb,cat\nc,cow\nd,cat\n")
    do("record c l.csv")
    assert [(r["measure"], r["estimate"]) for r in rows("c")] == [("Accuracy", 0.75)]


def test_strata_of_a_column_are_drawn_alike() -> None:
    spam(more="--stratum site")
    do("draw spam --budget 6 --design 'stratified(by=stratum)'")
    places = [UNITS.index(unit) % 2 for unit in waiting("spam")]
    assert sorted(places) == [0, 0, 0, 1, 1, 1]


def test_draws_with_replacement_count_a_unit_as_often_as_it_came() -> None:
    spam()
    drawn = do("draw spam --budget 30 --design wr --json").json
    assert drawn["draws"] == 30
    assert drawn["new"] == len(drawn["units"]) <= 12
    do("record spam truth.csv")
    (mean,) = rows("spam", "--measure Mean --estimator hh")
    assert mean["low"] < mean["estimate"] < mean["high"]


def test_the_goal_moves_the_sample_to_where_two_systems_differ() -> None:
    spam(budget=4, more="--measure Precision")
    do(SPAM.replace("init spam", "init pair"))
    do("draw pair --budget 4 --goal pair:svm,tar --design 'pps(floor=0)'")
    # both return 001 and 004, so a label there says nothing of the difference in accuracy
    assert set(waiting("pair")) & {"001", "004"} == set()


def test_json_goes_to_stdout_alone_and_notes_to_stderr() -> None:
    spam(budget=2)
    answer = do("record spam truth.csv --json")
    assert answer.out.startswith('{"schema": "aliquot.record/1"')
    assert answer.err.startswith("note: 10 labels of units that were not drawn")


def test_reading_commands_change_no_byte() -> None:
    spam(budget=6)
    do("record spam truth.csv")
    before = everything()
    for line in ("estimate spam", "compare spam", "queue spam", "export spam", "doctor spam"):
        do(line)
    assert everything() == before


def test_the_doctor_says_what_holds_for_several_once() -> None:
    spam(budget=3)
    put(
        "two.csv",
        "".join(
            f"{'unit' if not n else u},{'label' if not n else 'no'}\n"
            for n, u in enumerate(["", *waiting("spam")])
        ),
    )
    do("record spam two.csv")
    text = do("doctor spam").out
    assert text.count("few judged units bear on it") == 1
    assert "ok       batch 1: redrawn from seed 7, bit for bit\n" in text
    assert "ok       record: the database and its references are whole\n" in text


def test_the_doctor_describes_a_file_before_it_becomes_a_study() -> None:
    put("t.csv", "id,score\na,1\nb,\n")
    assert do("doctor t.csv").out == (
        "note     column score: int64, 1 different values; 1 of 2 rows have none\n"
        "ok       table: 2 rows, 2 columns\n"
        "ok       column id: string, 2 different values; it could be the id\n"
    )
    put("t.csv", "id,score\na,1,2\n")
    assert ask("doctor t.csv").code == 2


def test_measures_are_taken_at_another_level_estimator_and_interval() -> None:
    spam(budget=8)
    do("record spam truth.csv")
    wide, narrow = (rows("spam", f"--measure F1 --level {level}")[0] for level in (0.99, 0.5))
    assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]
    (found, *_) = rows("spam", "--measure F1 --estimator hajek --interval normal")
    assert (found["estimator"], found["interval"], found["level"]) == ("hajek", "normal", 0.95)
    over = rows("spam", "--measure F1 --over like-these")[0]
    assert over["high"] - over["low"] > 0


def test_the_usual_measures_follow_from_the_systems() -> None:
    table()
    asked = [SYSTEMS, "--predicted nb=nb", "--score svm=svm"]
    found = [
        do(f"init s{n} --units items.csv --id id {some} --json").json["measures"]
        for n, some in enumerate(asked)
    ]
    assert found == [["Precision", "Recall", "F1"], ["Accuracy"], ["Mean"]]
    assert MEASURES.count("--measure") == 5


ODD_IDS = [
    *("=a", "-b", "'=c", "@d", " e", "e", "f,g", 'h"i', "j\nk", "é", "🙂", "a\tb", "x y", "#q"),
    *("nan", "NA", "N/A", "null", "None", "true", "TRUE", "1e5", "1.0", "007", "7", "-0", "+1"),
    *("0x1", "18446744073709551615", "18446744073709551616", "''=z"),
]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_an_odd_id_comes_back_from_a_sheet_and_from_an_export(kind: str) -> None:
    quoted = ['"' + unit.replace('"', '""') + '"' for unit in ODD_IDS]
    put("odd.csv", "id\n" + "".join(f"{unit}\n" for unit in quoted))
    for name in ("one", "two"):
        do(f"init {name} --units odd.csv --id id")
        do(f"draw {name} --budget {len(ODD_IDS)}")
    sheet = do("queue one").out
    assert sheet.count(",\n") == len(ODD_IDS)
    put("sheet.csv", sheet.replace(",\n", ",yes\n"))
    assert do("record one sheet.csv --json").json["waiting"] == 0
    assert sorted(row["unit"] for row in do("export one --json").rows) == sorted(ODD_IDS)
    do(f"export one --out labels.{kind}")
    assert do(f"record two labels.{kind} --json").json["waiting"] == 0


@pytest.mark.parametrize("name", ["label", "annotator", "at", "note", "unit", "state", "pi"])
def test_an_id_column_may_have_any_name(name: str) -> None:
    Path("odd.csv").write_text(f"{name},score\na,0.1\nb,0.9\n")
    for study in ("odd", "even"):
        do(f"init {study} --units odd.csv --id {name} --measure Mean")
        do(f"draw {study} --budget 2")
    sheet = do("queue odd").out.replace(",\n", ",yes\n")
    Path("sheet.csv").write_text(sheet)
    assert do("record odd sheet.csv --annotator ann --json").json["added"] == 2
    Path("export.csv").write_text(do("export odd").out)
    assert do("record even export.csv --json").json["added"] == 2
    Path("own.csv").write_text(f"{name},label\na,no\nb,no\n")
    assert ask("record even own.csv --annotator bob").code == (1 if name == "label" else 0)

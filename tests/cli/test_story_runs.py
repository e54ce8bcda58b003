"""Rankings, from runs to tiers: every step as a user takes it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.cli.door import (
    GRADES,
    NEWS,
    NEWS_TRUTH,
    Answer,
    ask,
    do,
    everything,
    news,
    put,
    rankings,
    run_text,
    waiting,
)


def estimates(study: str, more: str = "") -> dict[tuple[str, str], tuple[float, float, float]]:
    rows = do(f"estimate {study} --json {more}").rows
    return {(r["system"], r["measure"]): (r["estimate"], r["low"], r["high"]) for r in rows}


def test_when_every_unit_is_judged_the_estimates_are_the_truth_with_no_width() -> None:
    news(budget=12)
    do("record news all.qrels")
    rows = do("estimate news --json").rows
    assert {(row["system"], row["measure"]) for row in rows} == set(NEWS_TRUTH)
    for row in rows:
        truth = NEWS_TRUTH[row["system"], row["measure"]]
        assert row["estimate"] == pytest.approx(truth, abs=1e-12)
        assert (row["low"], row["high"], row["stderr"]) == (row["estimate"], row["estimate"], 0)
        assert (row["guarantee"], row["judged"], row["warnings"]) == ("exact", 12, [])


def test_when_one_judgment_is_missing_there_is_width() -> None:
    news(budget=12)
    lines = Path("all.qrels").read_text().splitlines(keepends=True)
    put("some.qrels", "".join(lines[:-1]))
    do("record news some.qrels")
    found = estimates("news")
    assert all(low < high for _, low, high in found.values())
    assert any(value != pytest.approx(NEWS_TRUTH[key]) for key, (value, _, _) in found.items())


def test_a_study_is_made_and_says_what_to_do_next() -> None:
    rankings()
    answer = do(NEWS)
    assert answer.out == (
        "news: 12 units, 2 systems, measuring P@2, DCG@2, R@2 on grades(0..3)\n"
        "next: aliquot draw news --budget 12\n"
    )
    assert answer.err == ""
    assert sorted(path.name for path in Path("news").iterdir()) == [
        "frame-0001-rankings.parquet",
        "frame-0001-units.parquet",
        "study.db",
    ]


def test_a_name_with_spaces_is_quoted_in_what_to_do_next() -> None:
    rankings()
    assert do("init 'my news' --runs a.run").out == (
        "my news: 12 units, 1 system, measuring P@10 on labels(no, yes)\n"
        "next: aliquot draw 'my news' --budget 12\n"
    )


def test_the_sheet_shows_the_unit_and_nothing_that_could_sway_a_judge() -> None:
    news(budget=4)
    sheet = list(csv.reader(io.StringIO(do("queue news").out)))
    assert sheet[0] == ["unit", "topic", "doc", "label"]
    assert [f"{topic} {doc}" for _, topic, doc, _ in sheet[1:]] == waiting("news")
    assert all(unit == f"{topic} {doc}" for unit, topic, doc, _ in sheet[1:])
    assert {label for *_, label in sheet[1:]} == {""}
    assert len(sheet) == 5


def fill(answer: Answer, *, count: int) -> str:
    """Fill in the first rows of a sheet, as a person with the grades before them would."""
    lines = answer.out.splitlines()
    for place, line in enumerate(lines[1 : count + 1], 1):
        unit, topic, doc, _ = line.split(",")
        lines[place] = f"{unit},{topic},{doc},{GRADES[topic][int(doc[1:]) - 1]}"
    return "\n".join(lines) + "\n"


def test_a_half_filled_sheet_comes_back_and_the_rest_goes_on_waiting() -> None:
    news(budget=8)
    order = waiting("news")
    put("sheet.csv", fill(do("queue news"), count=5))
    assert do("record news sheet.csv").out == (
        "5 judgments recorded, 0 known already; 5 of 8 drawn units judged, 3 waiting\n"
        "next: aliquot estimate news\n"
    )
    assert waiting("news") == order[5:]
    put("rest.csv", fill(do("queue news"), count=3))
    assert do("record news rest.csv --json").json["progress"] == {
        "drawn": 8,
        "judged": 8,
        "skipped": 0,
        "waiting": 0,
    }
    assert do("queue news").err == (
        "note: nothing waits, because every drawn unit was judged or passed over; draw with "
        "aliquot draw news --budget N\n"
    )


def test_qrels_that_leave_drawn_units_out_are_said_to() -> None:
    news(budget=12)
    lines = Path("all.qrels").read_text().splitlines(keepends=True)
    put("some.qrels", "".join(line for line in lines if not line.endswith(" 0\n")))
    assert ask("record news some.qrels").err == (
        "note: 6 drawn units are not in this file and still wait; if it leaves out what is "
        "irrelevant, label them too, or estimates come out too high\n"
    )
    assert ask("record news all.qrels").err == ""


def test_qrels_of_many_units_give_labels_to_the_drawn_ones_alone() -> None:
    news(budget=5)
    put("more.qrels", Path("all.qrels").read_text() + "q1 0 zz 1\nq9 0 d1 0\nq1 0 yy -1\n")
    answer = do("record news more.qrels --json")
    assert answer.json == {
        "schema": "aliquot.record/1",
        "added": 5,
        "unchanged": 0,
        "not_drawn": 7,
        "unknown": 2,
        "waiting": 0,
        "notes": [],
        "progress": {"drawn": 5, "judged": 5, "skipped": 0, "waiting": 0},
    }
    assert answer.err == (
        "note: 9 labels of units that were not drawn: left out, because only drawn units can "
        "enter a design-based estimate\n"
    )


def test_only_units_that_bear_on_the_measures_are_drawn() -> None:
    rankings()
    do("init top --runs a.run b.run.gz --measure P@2 --grades 0..3")
    assert ask("draw top --budget 9").err == (
        "aliquot: a budget of 9 is more than the 8 units that can still be drawn. "
        "Ask for at most 8.\n"
    )
    do("draw top --budget 8")
    do("record top all.qrels")
    assert estimates("top") == {("A", "P@2"): (0.5, 0.5, 0.5), ("B", "P@2"): (0.75, 0.75, 0.75)}


def test_texts_of_topics_and_documents_are_shown_and_missing_ones_are_counted() -> None:
    rankings()
    put("queries.tsv", "q1\tblack bears\n")
    put("docs.jsonl", '{"id": "d1", "title": "A", "text": "=1+1"}\n{"id": "zz", "text": "x"}\n')
    answer = do(f"{NEWS} --queries queries.tsv --documents docs.jsonl")
    assert answer.err == (
        "note: 1 of 2 topics have no text, such as q2\n"
        "note: 5 of 6 documents have no text, such as d2\n"
    )
    do("draw news --budget 12")
    sheet = do("queue news").out.splitlines()
    assert sheet[0] == "unit,topic,doc,query,title,text,label"
    assert "q1 d1,q1,d1,black bears,A,'=1+1," in sheet
    assert "q2 d2,q2,d2,,,," in sheet


def test_a_new_system_is_measured_with_old_labels_and_says_what_it_lacks() -> None:
    news(budget=12)
    do("record news all.qrels")
    put("c.run", run_text("C", "1923"))
    assert do("add-system news --runs c.run").out == (
        "added C, with 2 units that the study did not have\n"
        "P@2 of C: 2 judged units bear on it; no draw so far could see 50.0% of its weight\n"
        "DCG@2 of C: 2 judged units bear on it; no draw so far could see 38.7% of its weight\n"
        "R@2 of C: 12 judged units bear on it; no draw so far could see 22.2% of its weight\n"
        "next: aliquot estimate news\n"
    )
    rows = {(r["system"], r["measure"]): r for r in do("estimate news --json").rows}
    assert rows["C", "P@2"]["estimate"] == pytest.approx(1 / 4)  # q1: d1 of d1 and d9; q2: none
    assert rows["C", "P@2"]["high"] >= 3 / 4  # if both unseen units were relevant
    (warning,) = rows["C", "P@2"]["warnings"]
    assert warning == (
        "no draw could have chosen 50.0% of the units that it rests on, by weight; the interval "
        "allows for any labels there; draw again to repair it"
    )
    assert rows["A", "P@2"]["guarantee"] == "exact"
    do("draw news --budget 2")
    assert sorted(waiting("news")) == ["q1 d9", "q2 d9"]
    put("new.csv", "topic,doc,label\nq1,d9,3\nq2,d9,0\n")
    do("record news new.csv")
    value, low, high = estimates("news", "--measure P@2")["C", "P@2"]
    assert (value, low, high) == (0.5, 0.5, 0.5)


OWN = "--design 'ubis(prior=P, floor=0)'"


def test_draws_for_each_system_are_counted_and_joined_by_a_later_one() -> None:
    """The on-demand loop: two systems, their draws, a third, and what it needs."""
    news()
    do(f"draw news --budget 12 --goal A {OWN}")
    assert "; 24 draws in all hit " in do(f"draw news --budget 12 --goal B {OWN}").out
    do("record news all.qrels")
    joint = do("estimate news --measure P@2 --estimator joint --json").rows
    assert {row["guarantee"] for row in joint} == {"design-unbiased"}
    put("c.run", run_text("C", "1923"))
    do("add-system news --runs c.run")
    plan = do("plan news --goal C --width 0.4").out.splitlines()
    assert plan[0].split() == [
        "design", "measure", "estimator", "draws", "labels", "width", "expected", "carried",
        "unseen",
    ]  # fmt: skip
    rows = do("plan news --goal C --width 0.4 --json").rows
    first = rows[0]
    assert (first["measure"], first["estimator"], first["unseen"]) == (
        "P@2", "joint(weights=heuristic)", 0.5,
    )  # fmt: skip
    assert first["width"] <= 0.4
    assert first["labels"] <= first["draws"]
    drawn = do(f"draw news --budget {first['draws']} --goal C {OWN} --json").json
    assert drawn["draws"] == 24 + first["draws"]


def test_recall_beyond_the_pool_is_asked_for_with_counts_or_a_file() -> None:
    news(budget=12)
    do("record news all.qrels")
    put("else.csv", "topic,doc,label\nq1,d1,3\nq9,d7,2\n")
    line = "estimate news --measure Recall --json --elsewhere"
    counts, file = do(f"{line} 2,1").rows, do(f"{line} else.csv").rows
    assert counts == file
    assert [row["measure"] for row in counts[2:]] == ["Pool", *["Recall(pool=0.5)"] * 2]
    assert counts[3]["estimate"] == pytest.approx(counts[0]["estimate"] / 2)
    assert ask("estimate news --measure Recall --elsewhere 2;1".replace(";", "\\;")).err == (
        "aliquot: --elsewhere: '2;1' is neither two counts nor a file. Write such as 100,63, or "
        "name a file of labels.\n"
    )


def test_a_run_with_ties_is_read_and_they_are_counted() -> None:
    put("ties.run", "q1 Q0 d1 1 3 T\nq1 Q0 d2 2 3 T\nq1 Q0 d3 3 3 T\n")
    assert do("init ties --runs ties.run --measure P@2").err == (
        "note: T: 2 documents have the score of the one ranked before\n"
    )


def test_a_run_may_be_named_packed_and_have_windows_line_ends() -> None:
    put("a.run", run_text("A", "123").replace("\n", "\r\n"))
    put("b.run.gz", run_text("A", "321"))
    assert do("init two --runs a.run B=b.run.gz --measure P@2 --json").json["systems"] == ["A", "B"]


@pytest.mark.parametrize("order", ["score", "column"])
def test_a_run_that_contradicts_itself_is_read_as_the_user_says(order: str) -> None:
    put("odd.run", "q1 Q0 d1 1 1 T\nq1 Q0 d2 2 5 T\n")
    do(f"init odd --runs odd.run --ranks {order} --measure P@1")
    do("draw odd --budget 1 --design uniform")
    do("draw odd --budget 1 --design uniform")
    put("labels.csv", "topic,doc,label\nq1,d1,yes\nq1,d2,no\n")
    do("record odd labels.csv")
    value = do("estimate odd --json").rows[0]["estimate"]
    assert value == {"score": 0.0, "column": 1.0}[order]


def test_the_default_depth_and_another() -> None:
    put("deep.run", "".join(f"q1 Q0 d{n} {n} {200 - n} T\n" for n in range(1, 151)))
    assert do("init a --runs deep.run --json").json["units"] == 100
    assert do("init b --runs deep.run --depth 150 --json").json["units"] == 150


def deep(tag: str, documents: int = 150) -> str:
    return "".join(f"q1 Q0 d{n} {n} {200 - n} {tag}\n" for n in range(1, documents + 1))


def test_runs_are_read_as_deep_as_a_measure_looks() -> None:
    put("deep.run", deep("T"))
    put("new.run", deep("N"))
    assert do("init a --runs deep.run --measure P@120 --json").json["units"] == 120
    do("draw a --budget 120")
    put("all.qrels", "".join(f"q1 0 d{n} 1\n" for n in range(1, 151)))
    do("record a all.qrels")
    do("add-system a --runs new.run")
    found = [row["estimate"] for row in do("estimate a --json").rows]
    assert found == pytest.approx([1.0, 1.0], abs=1e-12)  # 100 / 120 when cut at 100


def test_a_measure_that_looks_deeper_than_a_run_was_read_is_refused() -> None:
    put("deep.run", deep("T"))
    put("new.run", deep("N"))
    put("short.run", deep("S", 90))
    do("init whole --runs short.run --measure P@10")
    do("init cut --runs deep.run --measure P@10")
    do("init late --runs deep.run --measure P@120")
    for study in ("whole", "cut"):
        do(f"draw {study} --budget 10")
        put("all.qrels", "".join(f"q1 0 d{n} 1\n" for n in range(1, 11)))
        do(f"record {study} all.qrels")
    do("estimate whole --measure P@120")  # the run ends there: what it does not return is no loss
    said = "looks at 120 ranks, and the run of {} was cut after 100. Read the run with a depth of"
    for line, name in (
        ("init s --runs deep.run --depth 100 --measure P@120", "T"),
        ("estimate cut --measure P@120", "T"),
        ("add-system late --runs new.run --depth 100", "N"),
    ):
        assert ask(line) == Answer(
            1, "", f"aliquot: P@120 {said.format(name)} 120, or look less deep.\n"
        )
    assert do("doctor late --json").code == 0


def test_the_next_command_is_one_that_works() -> None:
    put("deep.run", deep("T"))
    end = do("init s --runs deep.run --measure P@10").out.splitlines()[-1]
    assert end == "next: aliquot draw s --budget 10"  # of 100 units ten bear on it
    do(end.removeprefix("next: aliquot "))


def test_two_systems_are_compared_in_words() -> None:
    news(budget=12)
    do("record news all.qrels")
    answer = do("compare news A B --measure P@2")
    assert answer.out == (
        "a  b  measure  difference    low   high  p_value  p_adjusted\n"
        "A  B  P@2           -0.25  -0.25  -0.25        0           0\n\n"
        "P@2: B is better than A (95% confidence).\n"
    )
    tiers = do("compare news --measure P@2").out
    assert tiers.endswith(
        "P@2: tiers, best first (within a tier nobody differs from the first)\n  1. B\n  2. A\n"
    )


def test_gains_below_zero_are_no_error_and_not_cut_to_zero() -> None:
    rankings()
    do("init news --runs a.run --grades=-2..1 --measure DCG@2")
    do("draw news --budget 3")
    put("l.csv", "unit,label\n" + "".join(f"{unit},-2\n" for unit in waiting("news")))
    do("record news l.csv")
    (found,) = do("estimate news --json").rows
    assert found["low"] <= found["estimate"] < -2  # the truth of a sample of all four is -3.26


def test_no_name_of_a_system_moves_the_cursor() -> None:
    rankings()
    do("init news --runs 'red\x1b[31m=a.run' B=b.run.gz --measure P@2")
    do("draw news --budget 8")
    put("all.qrels", "".join(f"{t} 0 d{d} {d % 2}\n" for t in ("q1", "q2") for d in range(1, 7)))
    do("record news all.qrels")
    for line in ("estimate news", "compare news", "doctor news"):
        assert "\x1b" not in do(line).out


def test_nothing_but_the_named_study_is_touched() -> None:
    news(budget=3)
    before = everything()
    do("add-system news --runs C=a.run")
    changed = {path for path, content in everything().items() if before.get(path) != content}
    assert changed == {"news/study.db", "news/frame-0002-rankings.parquet"}

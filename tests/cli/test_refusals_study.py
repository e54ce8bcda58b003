"""Bad input to a study that is there: one full line, the right exit code, and no byte changed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.cli.door import Answer, ask, call, do, everything, news, put, run_text, spam, waiting

COULD_NOT, WRONG_USAGE = 1, 64
SPELL = "Spell it like name, name(option=value) or name(option=value)@10."
SCALE = "Use no, yes, skip or unsure."
GOALS = "Use each, relative, pair:A,B, curve:A or the name of a system. Systems here: svm, nb, tar."
PAIR = "Use pair:A,B with two of svm, nb, tar."
DESIGNS = "Designs are default, uniform, pps, pareto, poisson, headtail, stratified, wr, ubis."


@dataclass(frozen=True)
class Case:
    """A command, the file it meets, and the one line that it must answer."""

    name: str
    line: str
    text: str
    content: str | bytes = ""
    file: str = "l.csv"
    code: int = COULD_NOT


# fmt: off
RECORD = "record spam l.csv"
LABELS = [
    Case("empty", RECORD, "l.csv: the file is empty. Check that it was written in full."),
    Case("a header alone", RECORD, "l.csv: there are no rows. Add a row for each judgment.",
         "unit,label\n"),
    Case("a column twice", RECORD, "l.csv, line 1, column label: the header names this column "
         "twice. Rename or remove one of the two.", "unit,label,label\n001,yes,no\n"),
    Case("no unit", RECORD, "l.csv: there is no column id; the columns are doc, label. Name the "
         "columns id and label.", "doc,label\n001,yes\n"),
    Case("no label", RECORD, "l.csv: there is no column label; the columns are unit, answer. Name "
         "the columns id and label.", "unit,answer\n001,yes\n"),
    Case("semicolons", RECORD, "l.csv: there is no column id; the columns are unit;label. Separate "
         "the columns with commas, not semicolons.", "unit;label\n001;yes\n"),
    Case("tabs", RECORD, "l.csv: there is no column id; the columns are unit\\tlabel. Separate the "
         "columns with commas, or read the file with --as tsv.", "unit\tlabel\n001\tyes\n"),
    Case("a directory", "record spam spam",
         "spam: this is a directory, not a file. Name a file in it."),
    Case("unknown unit", RECORD, "l.csv, line 3, column unit: unit '1' is not in this study. Check "
         "the id; nothing of the file was recorded.", "unit,label\n001,yes\n1,no\n"),
    Case("two unknown units", RECORD, "l.csv, line 2, column unit: unit 'x' is not in this study "
         "(and 1 more). Check the id; nothing of the file was recorded.",
         "unit,label\nx,yes\ny,no\n"),
    Case("outside the scale", RECORD, "l.csv, line 3, column label: label 'maybe' is not on the "
         f"scale labels(no, yes). {SCALE}", "unit,label\n012,no\n001,maybe\n"),
    Case("a label on two lines", RECORD, "l.csv, line 2, column label: label 'a\\nb' is not on the "
         f"scale labels(no, yes). {SCALE}", 'unit,label\n001,"a\nb"\n'),
    Case("a label for a terminal", RECORD, "l.csv, line 2, column label: label '\\x1b[2J' is not "
         f"on the scale labels(no, yes). {SCALE}", "unit,label\n001,\x1b[2J\n"),
    Case("two words on one unit", RECORD, "l.csv, line 3, column label: unit '001' is labelled "
         "'no' here and 'yes' in line 2. Keep one, or name the annotators; nothing of the file was "
         "recorded.", "unit,label\n001,yes\n001,no\n"),
    Case("a row too short", RECORD, "l.csv, line 2: the header has 2 fields, but this row has 1. "
         "Give each row one field a column, and put quotes around a field with commas.",
         "unit,label\n001\n"),
    Case("no unit in a row", RECORD, "l.csv, line 2, column unit: the unit is missing. Fill it in, "
         "or remove the row.", "unit,label\n,yes\n"),
    Case("bad UTF-8", RECORD, "l.csv, line 2: byte 0xFF is not UTF-8. Save the file as UTF-8.",
         b"unit,label\n\xff,yes\n"),
    Case("a list as label", "record spam l.jsonl", "l.jsonl, line 1, column label: a list is not "
         "text. Write one text or number there.", '{"unit": "001", "label": ["yes"]}\n', "l.jsonl"),
    Case("half JSON", "record spam l.jsonl",
         "l.jsonl, line 2: this is not JSON (Unterminated string "
         'starting at). Write one object a line, such as {"unit": "d7", "label": "yes"}.',
         '{"unit": "001", "label": "yes"}\n{"unit": "00', "l.jsonl"),
    Case("no Parquet", "record spam l.parquet", "l.parquet: this is not a Parquet file, or it is "
         "damaged. Copy or write the file again.", "unit,label\n", "l.parquet"),
    Case("cut gzip", "record spam l.csv.gz", "l.csv.gz: the gzip data ends too early. Copy or "
         "download the file again.", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab", "l.csv.gz"),
    Case("a name that tells nothing", "record spam l.txt", "l.txt: the name does not tell the "
         "format of this file. Say which it is with --as csv, --as jsonl or --as qrels.", "x",
         "l.txt"),
    Case("no file", "record spam gone.csv", "gone.csv: there is no such file. Check the path."),
    Case("no file named", "record spam", "the following arguments are required: FILE. See aliquot "
         "record --help.", code=WRONG_USAGE),
    Case("no such format", "record spam l.csv --as xml", "argument --as: invalid choice: 'xml' "
         "(choose from 'csv', 'tsv', 'jsonl', 'parquet', 'qrels', 'label-studio', 'asreview', "
         "'splink'). See aliquot record --help.",
         code=WRONG_USAGE),
    Case("qrels of two minds", "record spam l.qrels", "l.qrels, lines 1 and 2: document d of topic "
         "q is judged both 0 and 1. Keep one of the two.", "q 0 d 0\nq 0 d 1\n", "l.qrels"),
    Case("qrels with five fields", "record spam l.qrels", "l.qrels, line 1: 5 fields are prels "
         "(topic doc rel alg p), not judgments (topic iter doc rel). Name a qrels file, which has "
         "4 fields a line.", "q d 0 1 0.5\n", "l.qrels"),
]
DRAWS = [
    Case("no budget", "draw spam", "the following arguments are required: --budget. See aliquot "
         "draw --help.", code=WRONG_USAGE),
    Case("budget 0", "draw spam --budget 0", "a budget of 0 buys nothing. Ask for at least 1."),
    Case("negative budget", "draw spam --budget -3", "a budget of -3 buys nothing. Ask for at "
         "least 1."),
    Case("budget of words", "draw spam --budget many", "argument --budget: invalid int value: "
         "'many'. See aliquot draw --help.", code=WRONG_USAGE),
    Case("budget beyond the pool", "draw spam --budget 7", "a budget of 7 is more than the 6 units "
         "that can still be drawn. Ask for at most 6."),
    Case("budget beyond all numbers", "draw spam --budget 99999999999999999999", "a budget of "
         "99999999999999999999 is more than the 6 units that can still be drawn. Ask for at most "
         "6."),
    Case("unknown goal", "draw spam --budget 2 --goal better", f"'better' is not a goal. {GOALS}"),
    Case("goal of later versions", "draw spam --budget 2 --goal best", f"'best' is not a goal. "
         f"{GOALS}"),
    Case("curve of a stranger", "draw spam --budget 2 --goal curve:zz",
         f"'curve:zz' is not a goal. {GOALS}"),
    Case("curve of labels", "draw spam --budget 2 --goal curve:nb", "nb gives labels, no scores, "
         "so there is no curve along it. Systems with scores or ranks: svm."),
    Case("plan of a curve", "plan spam --budget 2 --goal curve:svm", "a plan for a whole curve is "
         "not in this version. Draw a first batch for it, look at the band, and draw on."),
    Case("pair with a stranger", "draw spam --budget 2 --goal pair:svm,zz", "'pair:svm,zz' does "
         f"not name two systems of this study. {PAIR}"),
    Case("pair with itself", "draw spam --budget 2 --goal pair:svm,svm", "'pair:svm,svm' does not "
         f"name two systems of this study. {PAIR}"),
    Case("pair of one", "draw spam --budget 2 --goal pair:svm", "'pair:svm' does not name two "
         f"systems of this study. {PAIR}"),
    Case("unknown design", "draw spam --budget 2 --design best",
         f"'best' is not a design. {DESIGNS}",
         code=WRONG_USAGE),
    Case("broken design", "draw spam --budget 2 --design 'pps('", f"'pps(' can't be read at the "
         f"end. {SPELL}", code=WRONG_USAGE),
    Case("no design", "draw spam --budget 2 --design ''", f"'' can't be read at the end. {SPELL}",
         code=WRONG_USAGE),
    Case("unknown design option", "draw spam --budget 2 --design 'pps(flor=0.1)'", "pps has no "
         "option 'flor'. It takes size, floor.", code=WRONG_USAGE),
    Case("floor above 1", "draw spam --budget 2 --design 'pps(floor=2)'", "floor=2 is not between "
         "0 and 1. Use a share such as 0.1.", code=WRONG_USAGE),
    Case("unknown size", "draw spam --budget 2 --design 'pps(size=big)'", "size=big is not known. "
         "Use one of influence, shape, sqrt_p, p, uniform.", code=WRONG_USAGE),
    Case("no strata", "draw spam --budget 2 --design 'stratified(strata=0)'", "strata=0 is not a "
         "number of strata. Use a whole number from 1 to 10000.", code=WRONG_USAGE),
    Case("with replacement afterwards", "draw spam --budget 2 --design wr", "wr(size=influence, "
         "floor=0.1) can't follow a draw without replacement in one study. Draw with "
         "pps(size=influence, floor=0.35), or start another study."),
    Case("stratified afterwards", "draw spam --budget 2 --design stratified", "stratified(by=size, "
         "strata=10, allocation=equal, size=influence, floor=0.1) can't follow a draw of another "
         "design, goal or set of systems. Draw with pps, pareto or poisson: labels count there "
         "as well."),
]
ESTIMATES = [
    Case("unknown measure", "estimate spam --measure MAP", "'MAP' is not a measure. Measures are "
         "Mean, Accuracy, Precision, Recall, F1, F(beta=2), P@10, DCG@20, R@100, Judged@10, "
         "AP@100, Swaps@10, wSwaps@10, MAE, MSE.",
         code=WRONG_USAGE),
    Case("a measure that does not apply", "estimate spam --measure P@10", "P@10 needs systems that "
         "rank (runs), and there are none. Add one or drop it."),
    Case("unknown estimator", "estimate spam --estimator best", "'best' is not an estimator.",
         code=WRONG_USAGE),
    Case("an estimator with options", "estimate spam --estimator 'ht(a=1)'", "'ht(a=1)' is not an "
         "estimator.", code=WRONG_USAGE),
    Case("an estimator of another design", "estimate spam --estimator hh", "estimator hh does not "
         "fit units drawn without replacement."),
    Case("unknown interval", "estimate spam --interval best", "'best' is not an interval.",
         code=WRONG_USAGE),
    Case("level 0", "estimate spam --level 0", "level 0 is not between 0 and 1. Use one such as "
         "0.95.", code=WRONG_USAGE),
    Case("level 95", "estimate spam --level 95", "level 95 is not between 0 and 1. Use one such as "
         "0.95.", code=WRONG_USAGE),
    Case("level NaN", "estimate spam --level nan", "level nan is not between 0 and 1. Use one such "
         "as 0.95.", code=WRONG_USAGE),
    Case("level all but 1", "estimate spam --level 0.9999999999999999", "level 1 is not between 0 "
         "and 1. Use one such as 0.95.", code=WRONG_USAGE),
    Case("level of words", "estimate spam --level high", "argument --level: invalid float value: "
         "'high'. See aliquot estimate --help.", code=WRONG_USAGE),
    Case("over what", "estimate spam --over all", "argument --over: invalid choice: 'all' (choose "
         "from 'these', 'like-these'). See aliquot estimate --help.", code=WRONG_USAGE),
    Case("compare level", "compare spam --level 1", "level 1 is not between 0 and 1. Use one such "
         "as 0.95.", code=WRONG_USAGE),
    Case("compare a stranger", "compare spam svm zz", "there is no system called zz. Systems here: "
         "svm, nb, tar."),
    Case("compare one", "compare spam svm", "a comparison needs two systems or none. Name both, or "
         "neither.", code=WRONG_USAGE),
    Case("compare itself", "compare spam svm svm", "a comparison needs two systems or none. Name "
         "both, or neither.", code=WRONG_USAGE),
    Case("compare nothing", "compare spam --measure Mean", "no measure of this study compares "
         "systems. Name one: --measure."),
]
OTHERS = [
    Case("a sheet of none", "queue spam --limit 0", "--limit 0 lists nothing. Use 1 or more.",
         code=WRONG_USAGE),
    Case("a sheet as XML", "queue spam --to xml", "argument --to: invalid choice: 'xml' (choose "
         "from 'csv', 'jsonl'). See aliquot queue --help.", code=WRONG_USAGE),
    Case("qrels of units", "export spam --to qrels", "qrels has topics and documents, and this "
         "study has neither. Use csv or jsonl.", code=WRONG_USAGE),
    Case("a file that is there", "export spam --out l.csv", "l.csv: there is a file already. "
         "Remove it, or name another file."),
    Case("a place that is not", "export spam --out no/x.csv", "no/x.csv: there is no such "
         "directory. Make the directory first."),
    Case("a directory as file", "export spam --out spam --to csv", "spam: this is a directory. "
         "Name a new file in it."),
    Case("a system again", "add-system spam --units items.csv --score 'svm=svm>=0.5'", "this study "
         "has a system called svm already. Give it another name."),
    Case("a system without units", "add-system spam --units l.csv --id unit --score new=x",
         "l.csv: 11 of 12 units have no row, such as '002'. Give the system's output for every "
         "unit.", "unit,x\n001,1\n"),
    Case("no system", "add-system spam --units items.csv", "no system is named. Name one with "
         "--score, --predicted or --retrieved.", code=WRONG_USAGE),
    Case("nothing to add", "add-system spam", "a system is added from --runs or from --units. Give "
         "one of them.", code=WRONG_USAGE),
    Case("a new cost", "add-system spam --units items.csv --cost price", "unrecognized arguments: "
         "--cost price. See aliquot add-system --help.", code=WRONG_USAGE),
    Case("no study", "estimate nowhere", "nowhere: there is no such study. Check the path, or make "
         "a study: init."),
    Case("a directory, no study", "estimate .", ".: there is no study here. Check the path, or "
         "make a study: init."),
    Case("nothing to look over", "doctor nowhere", "nowhere: there is no such study or file. Check "
         "the path."),
    Case("no command", "estimat spam", "'estimat' is not a command.", code=WRONG_USAGE),
    Case("too many words", "doctor spam items.csv", "unrecognized arguments: items.csv. See "
         "aliquot doctor --help.", code=WRONG_USAGE),
    Case("a command of later versions", "estimate spam --anytime", "unrecognized arguments: "
         "--anytime. See aliquot estimate --help.", code=WRONG_USAGE),
]
# fmt: on
ALL = [*LABELS, *DRAWS, *ESTIMATES, *OTHERS]
OPEN_ENDED = (
    "is not a command.",
    "is not an estimator.",
    "is not an interval.",
    "drawn without replacement.",
)


def judged() -> None:
    """A study of 12 units, of which 6 were drawn and judged."""
    spam(budget=6)
    do("record spam truth.csv")


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_it_is_refused_in_one_line_and_no_byte_changes(case: Case) -> None:
    judged()
    put(case.file, case.content)
    before = everything()
    answer = ask(case.line)
    text = f"aliquot: {case.text}"
    if case.text.endswith(OPEN_ENDED):  # a list of names follows, which grows with the registry
        assert answer.err.startswith(text + " ")
        assert answer.err.count("\n") == 1
        answer = Answer(answer.code, answer.out, text + "\n")
    assert answer == Answer(case.code, "", text + "\n")
    assert everything() == before


def test_there_are_many_kinds_of_bad_input() -> None:
    names = [case.name for case in ALL]
    assert len(names) == len(set(names)) >= 75


def test_a_change_of_one_byte_is_seen() -> None:
    judged()
    before = everything()
    put("l.csv", "unit,label\n001,skip\n")
    do("record spam l.csv --annotator eve")
    assert everything() != before


EARLY = [
    ("estimate spam", "nothing was drawn yet. Draw first: aliquot draw STUDY --budget N."),
    ("compare spam", "nothing was drawn yet. Draw first: aliquot draw STUDY --budget N."),
    (
        "record spam truth.csv",
        (
            "nothing was drawn yet, so there is nothing to judge. Draw first: aliquot draw STUDY "
            "--budget N."
        ),
    ),
]


@pytest.mark.parametrize(("line", "text"), EARLY)
def test_what_comes_too_early_says_what_comes_first(line: str, text: str) -> None:
    spam()
    assert ask(line) == Answer(COULD_NOT, "", f"aliquot: {text}\n")
    assert ask("queue spam") == Answer(
        0,
        "unit,label\n",
        "note: nothing waits, because nothing was drawn yet; draw with aliquot draw spam --budget "
        "N\n",
    )


def test_what_was_drawn_and_not_judged_says_what_comes_next() -> None:
    spam(budget=3)
    assert ask("estimate spam").err == (
        "aliquot: nothing was judged yet. See what waits with aliquot queue STUDY, then aliquot "
        "record STUDY FILE.\n"
    )


def test_strata_need_a_column() -> None:
    spam()
    assert ask("draw spam --budget 4 --design 'stratified(by=stratum)'") == Answer(
        COULD_NOT,
        "",
        "aliquot: stratified(by=stratum, allocation=equal) needs a stratum for each unit, and the "
        "frame has none. Give --stratum COLUMN at init.\n",
    )
    assert waiting("spam") == []


RUNS = [
    (
        run_text("C", "12", ("q1", "q9")),
        (
            "C: topic q9 is not among the 2 topics of this study. Leave it out, or start a study "
            "with all topics."
        ),
    ),
    (run_text("A", "9"), "this study has a system called A already. Give it another name."),
    ("", "c.run: the file is empty. Check that it was written in full."),
]


@pytest.mark.parametrize(("content", "text"), RUNS, ids=["topic", "name", "empty"])
def test_a_run_that_can_not_be_added_changes_nothing(content: str, text: str) -> None:
    news(budget=3)
    put("c.run", content)
    before = everything()
    assert ask("add-system news --runs c.run") == Answer(COULD_NOT, "", f"aliquot: {text}\n")
    assert everything() == before


@pytest.mark.parametrize("argv", [(), ("--help",), ("-h",), ("help",)])
def test_without_a_command_all_are_listed(argv: tuple[str, ...]) -> None:
    answer = call(*argv)
    assert (answer.code, answer.err) == (0, "")
    assert "usage: aliquot COMMAND STUDY [options]" in answer.out

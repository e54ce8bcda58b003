"""Bad input to `init`: one line that says what, where and what to do; and nothing half-made."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.door import Answer, ask, do, everything, put, run_text

COULD_NOT, WRONG_USAGE = 1, 64
GOOD = "id,score\na,0.9\nb,0.1\n"
TABLE = "init s --units f.csv --id id"
ROWS = "Give each row one field a column, and put quotes around a field with commas."
NUMBER = "Give every unit a number in this column."
SCALES = "Use labels(no,yes), classes(a,b,c), grades(0..3) or number(0..1)."
MEASURES = (
    "Measures are Mean, Accuracy, Precision, Recall, F1, F(beta=2), P@10, DCG@20, R@100, "
    "Judged@10, AP@100, Swaps@10, wSwaps@10, MAE, MSE."
)
SCALE = "Give every unit a label of the scale labels(no, yes)."
ORDER = (
    "Correct the file, or pass --ranks score to order by score as trec_eval does, or --ranks "
    "column to trust the rank column."
)


@dataclass(frozen=True)
class Case:
    """A command, the file it meets, and the one line that it must answer."""

    name: str
    line: str
    text: str
    content: str | bytes = GOOD
    file: str = "f.csv"
    code: int = COULD_NOT


def check(answer: Answer, code: int, text: str) -> None:
    assert answer == Answer(code, "", f"aliquot: {text}\n")


# fmt: off
TABLES = [
    Case("empty", TABLE, "f.csv: the file is empty. Check that it was written in full.", ""),
    Case("blank", TABLE, "f.csv: the file is empty. Check that it was written in full.", "\n \n"),
    Case("header alone", TABLE, "f.csv: there are no rows. Check that it was written in full.",
         "id,score\n"),
    Case("missing", "init s --units g.csv --id id",
         "g.csv: there is no such file. Check the path."),
    Case("no format", "init s --units f.xlsx --id id",
         "f.xlsx: the name does not tell the format of this file. Name it .csv, .tsv, .jsonl, "
         ".ndjson or .parquet (text may be gzip: .csv.gz).", b"PK\3\4", "f.xlsx"),
    Case("missing, and no format", "init s --units g --id id",
         "g: there is no such file. Check the path."),
    Case("another sign", f"{TABLE} --score 'm=score>0.5'",
         "--score m=score>0.5 has >, not >=. Spell it like svm=score>=0.5.", code=WRONG_USAGE),
    Case("no id column", "init s --units f.csv --id key",
         "f.csv: there is no column 'key'. Columns here: id, score."),
    Case("no score column", f"{TABLE} --score m=prob",
         "f.csv: there is no column 'prob'. Columns here: id, score."),
    Case("a number as Python spells it", f"{TABLE} --score m=score", "f.csv, line 2, column score: "
         f"'1_0' is not a number. {NUMBER}", "id,score\na,1_0\nb,2\n"),
    Case("no text column", f"{TABLE} --text body",
         "f.csv: there is no column 'body'. Columns here: id, score."),
    Case("duplicate header", TABLE, "f.csv, line 1, column id: the header names this column twice. "
         "Rename or remove one of the two.", "id,id\na,b\n"),
    Case("a row too long", TABLE,
         f"f.csv, line 3: the header has 2 fields, but this row has 3. {ROWS}",
         "id,score\na,1\nb,2,3\n"),
    Case("broken quotes", TABLE, "f.csv, line 3: the quotes of this row are broken (unexpected end "
         'of data). Write a quote inside a quoted field twice, as in "5"" disk".',
         'id,score\na,1\nb,"2\n'),
    Case("duplicate unit", TABLE, "f.csv, line 4, column id: unit 'a' stands twice, first in line "
         "2. Give each unit one row, or name another id column.", "id,score\na,1\nb,2\na,3\n"),
    Case("a row after a cell of two lines", f"{TABLE} --score m=score",
         f"f.csv, line 5, column score: 'high' is not a number. {NUMBER}",
         'id,score,text\na,1,"one\ntwo"\n\nb,high,x\n'),
    Case("a row after a blank line", "init s --units f.jsonl --id id --score m=score",
         f"f.jsonl, line 3, column score: an empty cell or NaN is not a finite number. {NUMBER}",
         '{"id": 1, "score": 1}\n\n{"id": 2}\n', "f.jsonl"),
    Case("semicolons", TABLE, "f.csv, line 2: the header has 1 field, but this row has 2. Separate "
         "the fields with commas, not semicolons.", "id;score\na;0,5\n"),
    Case("no id", TABLE, "f.csv, line 3, column id: a unit has no id. Give each unit an id.",
         "id,score\na,1\n,2\n"),
    Case("null id", "init s --units f.jsonl --id id",
         "f.jsonl, line 2, column id: a unit has no id. Give each unit an id.",
         '{"id": 1}\n{"id": null}\n', "f.jsonl"),
    Case("fractional id", "init s --units f.jsonl --id id",
         "f.jsonl, line 1, column id: the id 1.5 is neither text nor of a column of whole numbers. "
         "Name another id column, or write the ids as text.", '{"id": 1.5}\n', "f.jsonl"),
    Case("nested id", "init s --units f.jsonl --id id",
         "f.jsonl, line 1, column id: the id {'a': 1} is neither text nor of a column of whole "
         "numbers. Name another id column, or write the ids as text.", '{"id": {"a": 1}}\n',
         "f.jsonl"),
    Case("NaN score", f"{TABLE} --score m=score",
         f"f.csv, line 3, column score: an empty cell or NaN is not a finite number. {NUMBER}",
         "id,score\na,1\nb,NaN\n"),
    Case("no score", f"{TABLE} --score m=score",
         f"f.csv, line 3, column score: an empty cell or NaN is not a finite number. {NUMBER}",
         "id,score\na,1\nb,\n"),
    Case("infinite score", f"{TABLE} --score m=score",
         f"f.csv, line 2, column score: 'inf' is not a finite number. {NUMBER}",
         "id,score\na,inf\nb,1\n"),
    Case("a word as score", f"{TABLE} --score m=score",
         f"f.csv, line 3, column score: 'high' is not a number. {NUMBER}",
         "id,score\na,1\nb,high\n"),
    Case("cost of nothing", f"{TABLE} --cost score",
         "f.csv, line 3, column score: a cost of 0 is not above 0. Give every unit a cost above 0.",
         "id,score\na,1\nb,0\n"),
    Case("negative cost", f"{TABLE} --cost score",
         "f.csv, line 2, column score: a cost of -2 is not above 0. Give every unit a cost above "
         "0.",
         "id,score\na,-2\nb,0\n"),
    Case("retrieved is not 0 or 1", f"{TABLE} --retrieved t=score",
         "f.csv, line 3, column score: '2' does not say whether the unit is retrieved. Use 1 or 0, "
         "yes or no, true or false.", "id,score\na,1\nb,2\n"),
    Case("retrieved is empty", f"{TABLE} --retrieved t=score",
         "f.csv, line 3, column score: an empty cell does not say whether the unit is retrieved. "
         "Use 1 or 0, yes or no, true or false.", "id,score\na,1\nb,\n"),
    Case("predicted outside the scale", f"{TABLE} --predicted p=score",
         f"f.csv, line 3, column score: label 'maybe' is not on the scale labels(no, yes). {SCALE}",
         "id,score\na,yes\nb,maybe\n"),
    Case("predicted nothing", f"{TABLE} --predicted p=score",
         f"f.csv, line 3, column score: the label is missing. {SCALE}", "id,score\na,yes\nb,\n"),
    Case("judge outside the scale", f"{TABLE} --judge j=score",
         f"f.csv, line 2, column score: label '1.5' is not on the scale labels(no, yes). {SCALE}",
         "id,score\na,1.5\nb,0.5\n"),
    Case("no cluster", f"{TABLE} --cluster score",
         "f.csv, line 3, column score: a unit has no score. Fill it in for every unit.",
         "id,score\na,1\nb,\n"),
    Case("no stratum", f"{TABLE} --stratum score",
         "f.csv, line 2, column score: a unit has no score. Fill it in for every unit.",
         "id,score\na,\nb,1\n"),
    Case("a text called label", f"{TABLE} --text label",
         "f.csv: column 'label' can't be shown to judges under this name. Rename it: their sheet "
         "has columns unit, label, annotator, at, note of its own.", "id,label\na,yes\n"),
    Case("bad UTF-8", TABLE, "f.csv, line 2: byte 0xFF is not UTF-8. Save the file as UTF-8.",
         b"id,score\n\xff,1\n"),
    Case("UTF-16", TABLE, "f.csv: the file is UTF-16, not UTF-8. Save it as UTF-8.",
         GOOD.encode("utf-16")),
    Case("a zero byte", TABLE,
         "f.csv, line 2: the file is not text (a zero byte). Name a text file.",
         b"id,score\na\0,1\n"),
    Case("not JSON", "init s --units f.jsonl --id id",
         "f.jsonl, line 2: this is not JSON (Expecting "
        'value). Write one object a line, such as {"unit": "d7", "label": "yes"}.',
        '{"id": 1}\nnope\n', "f.jsonl"),
    Case("not Parquet", "init s --units f.parquet --id id",
         "f.parquet: this is not a Parquet file, or it is damaged. Copy or write the file again.",
         b"nope", "f.parquet"),
]

RUN = "init s --runs f.run --measure P@1"
RUNS = [
    Case("empty run", RUN, "f.run: the file is empty. Check that it was written in full.", "",
         "f.run"),
    Case("five fields", RUN, "f.run, line 1: a row of a run has 6 fields, not 5. Write each line "
         "as topic Q0 doc rank score tag.", "1 Q0 a 1 2\n", "f.run"),
    Case("a gap", RUN, f"f.run, line 2: the ranks of topic 1 leave a gap: 3 comes after 1. {ORDER}",
         "1 Q0 a 1 9 T\n1 Q0 b 3 8 T\n", "f.run"),
    Case("rank against score", RUN, "f.run, line 2: rank and score contradict each other in topic "
         f"1: rank 2 has score 9.0, more than 8.0 at rank 1. {ORDER}",
         "1 Q0 a 1 8 T\n1 Q0 b 2 9 T\n", "f.run"),
    Case("a rank twice", RUN, f"f.run, lines 1 and 2: rank 1 appears twice in topic 1. {ORDER}",
         "1 Q0 a 1 9 T\n1 Q0 b 1 8 T\n", "f.run"),
    Case("a document twice", RUN, "f.run, lines 1 and 2: document a appears twice in topic 1. Keep "
         "one of the two.", "1 Q0 a 1 9 T\n1 Q0 a 2 8 T\n", "f.run"),
    Case("two tags", RUN, "f.run, line 2: the tag changes from T to U. Keep one run a file, with "
         "one tag.", "1 Q0 a 1 9 T\n1 Q0 b 2 8 U\n", "f.run"),
    Case("NaN in a run", RUN, "f.run, line 1: score nan is not a finite number. Write each line as "
         "topic Q0 doc rank score tag.", "1 Q0 a 1 nan T\n", "f.run"),
    Case("cut gzip", "init s --runs f.run.gz", "f.run.gz: the gzip data ends too early. Copy or "
         "download the file again.", gzip.compress(run_text("A", "123456").encode())[:-9],
         "f.run.gz"),
    Case("plain gzip", "init s --runs f.run.gz", "f.run.gz: the name ends in .gz, but the content "
         "is not gzip. Drop .gz from the name, or compress the file.", b"1 Q0 a 1 2 T\n",
         "f.run.gz"),
    Case("one name twice", "init s --runs f.run f.run", "two runs are both called A: f.run and "
         "f.run. Rename the tag in one of them, or pass other=f.run to rename it.",
         run_text("A", "12"), "f.run"),
    Case("a directory", "init s --runs .",
         ".: this is a directory, not a file. Name a file in it."),
    Case("depth 0", "init s --runs f.run --depth 0", "depth 0 keeps no document. Use 1 or more.",
         run_text("A", "12"), "f.run", WRONG_USAGE),
    Case("no documents", "init s --runs f.run --documents texts", "texts: there is no such file. "
         "Check the path.", run_text("A", "12"), "f.run"),
    Case("queries without a tab", "init s --runs f.run --queries q.tsv", "q.tsv: there is no such "
         "file. Check the path.", run_text("A", "12"), "f.run"),
]

OPTIONS = [
    Case("nothing to make it from", "init s", "a study is made from --runs or from --units. Give "
         "one of them.", code=WRONG_USAGE),
    Case("both kinds", "init s --runs a.run --units f.csv --id id", "a study is made from --runs "
         "or from --units. Give one of them.", code=WRONG_USAGE),
    Case("no --id", "init s --units f.csv", "--units needs --id. Name the column with each unit's "
         "id.", code=WRONG_USAGE),
    Case("an option of the other kind", f"{TABLE} --depth 5", "--depth belongs to --runs, not to "
         "--units. Leave it out, or give --runs.", code=WRONG_USAGE),
    Case("an option of this kind", "init s --runs a.run --score m=score", "--score belongs to "
         "--units, not to --runs. Leave it out, or give --units.", code=WRONG_USAGE),
    Case("two scales", f"{TABLE} --labels a,b --grades 0..3", "a study has one scale, not --labels "
         "and --grades. Choose one.", code=WRONG_USAGE),
    Case("one label", f"{TABLE} --labels yes", "labels 'yes' are not two labels, the negative one "
         "first, all different. Spell them like no,yes.", code=WRONG_USAGE),
    Case("equal classes", f"{TABLE} --classes a,a", "classes 'a,a' are not two or more classes, "
         "all different. Spell them like a,b,c.", code=WRONG_USAGE),
    Case("skip as a class", f"{TABLE} --classes a,Skip", "'Skip' is not a label: it says that a "
         "judge gave none. Give it another name.", code=WRONG_USAGE),
    Case("unsure as a label", f"{TABLE} --labels no,unsure", "'unsure' is not a label: it says "
         "that a judge gave none. Give it another name.", code=WRONG_USAGE),
    Case("the positive label first", f"{TABLE} --labels Yes,No", "labels 'Yes,No' stand in the "
         "wrong order, the negative one comes first. Spell them No,Yes.", code=WRONG_USAGE),
    Case("grades backwards", f"{TABLE} --grades 3..0", f"'grades(3..0)' is not a scale of labels. "
         f"{SCALES}", code=WRONG_USAGE),
    Case("a scale beyond all numbers", f"{TABLE} --number 0..1e308", "the scale number(0..1e308) "
         "is too large to calculate with. Use numbers between -1e100 and 1e100.", code=WRONG_USAGE),
    Case("gains beyond all numbers", "init s --runs f.run --grades 0..3000 --measure "
         "'DCG(gain=exp)@2'", "DCG(gain=exp)@2 of grades(0..3000) is too large to calculate with. "
         "Use a smaller scale.", run_text("A", "12"), "f.run"),
    Case("no measure of that name", f"{TABLE} --measure recall", f"'recall' is not a measure. "
         f"{MEASURES}", code=WRONG_USAGE),
    Case("a measure without its depth", f"{TABLE} --measure DCG", "'DCG' is not a measure. Spell "
         "it like DCG@10; its options are base, gain.", code=WRONG_USAGE),
    Case("a depth without its measure", f"{TABLE} --measure Recall@5", "'Recall@5' is not a "
         "measure. Spell it like Recall; its options are rel, weight, pool.", code=WRONG_USAGE),
    Case("a broken measure", f"{TABLE} --measure 'F(beta='", "'F(beta=' can't be read at the end. "
         "Spell it like name, name(option=value) or name(option=value)@10.", code=WRONG_USAGE),
    Case("beta too large", f"{TABLE} --measure 'F(beta=1e200)'", "beta=1e+200 in 'F(beta=1e200)' "
         "is not above 0 and at most 1000. Use F(beta=2) or F1.", code=WRONG_USAGE),
    Case("a grade beyond the scale", f"{TABLE} --retrieved m=score --measure 'Recall(rel=2)'",
         "Recall(rel=2) counts labels from 2, and labels(no, yes) has none so high. Lower its rel, "
         "or use a scale that goes further.", "id,score\na,1\nb,0\n"),
    Case("a prediction that retrieves nothing", f"{TABLE} --predicted m=score --measure Precision",
         "Precision needs systems that retrieve a set (a threshold, a 0/1 column or runs), and "
         "there are none. Name a 0/1 column of predictions with --retrieved.",
         "id,score\na,1\nb,0\n"),
    Case("a measure that does not apply", f"{TABLE} --measure P@10", "P@10 needs systems that rank "
         "(runs), and there are none. Add one or drop it."),
    Case("no threshold", f"{TABLE} --score m=score --measure Recall", "Recall needs systems that "
         "retrieve a set (a threshold, a 0/1 column or runs), and there are none. Add one or drop "
         "it."),
    Case("a mean of classes", f"{TABLE} --classes a,b --measure Mean", "Mean needs labels that are "
         "numbers, and classes are not. Use Accuracy, or a scale of labels or grades."),
    Case("not NAME=COLUMN", f"{TABLE} --score score", "--score score is not NAME=COLUMN. Spell it "
         "like --score a=col.", code=WRONG_USAGE),
    Case("a score without a name", f"{TABLE} --score 'score>=0.5'", "--score score>=0.5 is not "
         "NAME=COLUMN. Spell it like --score a=col.", code=WRONG_USAGE),
    Case("no number as threshold", f"{TABLE} --score 'm=score>=high'", "'high' in --score "
         "m=score>=high is not a number. Spell it like svm=score>=0.5.", code=WRONG_USAGE),
    Case("NaN as threshold", f"{TABLE} --score 'm=score>=nan'", "'nan' in --score m=score>=nan is "
         "not a number. Spell it like svm=score>=0.5.", code=WRONG_USAGE),
    Case("one name for two", f"{TABLE} --score m=score --retrieved m=score", "two systems are both "
         "called m. Rename one of them.", code=WRONG_USAGE),
    Case("a seed of words", f"{TABLE} --seed lucky", "argument --seed: invalid int value: 'lucky'. "
         "See aliquot init --help.", code=WRONG_USAGE),
    Case("a seed too large", f"{TABLE} --seed 9223372036854775808", "seed 9223372036854775808 is "
         "not a 64-bit number. Use a whole number such as 7.", code=WRONG_USAGE),
    Case("an unknown option", f"{TABLE} --colour red", "unrecognized arguments: --colour red. See "
         "aliquot init --help.", code=WRONG_USAGE),
    Case("half an option", f"{TABLE} --meas Mean", "unrecognized arguments: --meas Mean. See "
         "aliquot init --help.", code=WRONG_USAGE),
    Case("no study named", "init", "the following arguments are required: STUDY. See aliquot init "
         "--help.", code=WRONG_USAGE),
    Case("the place is a file", "init f.csv --units f.csv --id id", "f.csv: this place is taken. "
         "Choose the name of a new directory."),
    Case("below a file", "init f.csv/s --units f.csv --id id", "f.csv/s: a part of this path is a "
         "file. Choose another place."),
    Case("deep below a file", "init f.csv/a/b/s --units f.csv --id id", "f.csv/a/b/s: a part of "
         "this path is a file. Choose another place."),
]
# fmt: on


@pytest.mark.parametrize("case", [*TABLES, *RUNS, *OPTIONS], ids=lambda case: case.name)
def test_it_is_refused_in_one_line_and_nothing_is_left(case: Case) -> None:
    put(case.file, case.content)
    before = everything()
    check(ask(case.line), case.code, case.text)
    assert everything() == before


def test_there_are_many_kinds_of_bad_input() -> None:
    names = [case.name for case in (*TABLES, *RUNS, *OPTIONS)]
    assert len(names) == len(set(names)) >= 70


def test_what_is_refused_once_corrected_is_accepted() -> None:
    put("f.csv", GOOD)
    put("f.run", run_text("A", "12"))
    do(f"{TABLE} --score m=score --cost score")
    do(RUN.replace("init s", "init t"))


def test_a_study_is_not_made_over_another() -> None:
    put("f.csv", GOOD)
    do(TABLE)
    before = everything()
    check(ask(TABLE), COULD_NOT, "s: there is a study already. Choose another name, or delete it.")
    assert everything() == before


def test_a_link_that_leads_nowhere_takes_its_place() -> None:
    put("f.csv", GOOD)
    Path("s").symlink_to("nowhere")
    text = "s: this place is taken. Choose the name of a new directory."
    check(ask(TABLE), COULD_NOT, text)
    assert not Path("nowhere").exists()


def test_a_directory_with_something_in_it_is_taken_and_an_empty_one_is_free() -> None:
    put("f.csv", GOOD)
    Path("s").mkdir()
    Path("s/notes.txt").write_text("mine")
    before = everything()
    text = "s: this place is taken. Choose the name of a new directory."
    check(ask(TABLE), COULD_NOT, text)
    assert everything() == before
    Path("s/notes.txt").unlink()
    do(TABLE)

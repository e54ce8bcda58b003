"""The calculator on the command line: what it says, and what it refuses."""

from __future__ import annotations

import pytest

from tests.cli.door import ask, do, put

RECALL = "aliquot interval recall --retrieved 2000,100,50 --unretrieved 100000,100,3"
STRATA = """stratum,N,n,r,a,tar,keywords
both,1000,100,80,95,1,1
tar only,1000,50,20,50,1,0
neither,50000,500,2,490,0,0
"""


def interval(line: str) -> str:
    """The line without the name of the program."""
    return line.removeprefix("aliquot ")


def test_it_answers_in_json() -> None:
    found = do(interval(f"{RECALL} --json")).json
    assert list(found) == ["schema", "measure", "level", "side", "estimate", "rows", "notes"]
    assert found["schema"] == "aliquot.interval/1"
    assert found["estimate"] == 0.25
    (row,) = found["rows"]
    assert (row["system"], row["method"]) == ("", "betabin-half")
    assert (row["low"], row["high"]) == pytest.approx((0.1111, 0.5416), abs=1e-4)


def test_it_says_a_sentence_that_can_be_quoted() -> None:
    answer = do(interval(f"{RECALL} --side lower --level 0.9 --method exact"))
    assert answer.out.splitlines()[-1] == "Recall is at least 13.7 % (90 % one-sided confidence)."


def test_all_methods_stand_side_by_side() -> None:
    methods = [row["method"] for row in do(interval(f"{RECALL} --method all --json")).rows]
    assert methods == [
        "naive-binomial",
        "normal",
        "normal-naive",
        "laplace",
        "agresti-coull",
        "koopman",
        "beta-jeffreys",
        "betabin-uniform",
        "betabin-mcp",
        "betabin-half",
        "exact",
    ]
    one = do("interval precision --retrieved 2000,100,50 --method all --json").rows
    assert [row["method"] for row in one] == [name for name in methods if name != "koopman"]


def test_strata_come_from_a_file_with_a_column_a_system() -> None:
    put("strata.csv", STRATA)
    found = do("interval recall --strata strata.csv --json").json
    assert found["estimate"] == pytest.approx({"tar": 1200 / 1400, "keywords": 800 / 1400})
    assert [row["system"] for row in found["rows"]] == ["tar", "keywords"]
    precision = do("interval precision --strata strata.csv --json").json["estimate"]
    assert precision["tar"] == pytest.approx((800 + 400) / (950 + 1000))  # what was assessed
    assert do("interval yield --strata strata.csv --json").json["estimate"] == 1400.0
    assert "tar" in do("interval recall --strata strata.csv").out


def test_f_has_a_beta_and_draws_have_a_seed() -> None:
    line = f"{interval(RECALL).replace('recall', 'f1')} --beta 2 --draws 2000 --seed 4 --json"
    assert do(line).out == do(line).out
    assert do(line).json["estimate"] == pytest.approx(5 * 1000 / (2000 + 4 * 4000))


def test_nothing_found_is_said() -> None:
    answer = do("interval recall --retrieved 10,5,0 --unretrieved 90,9,0 --json")
    assert answer.json["estimate"] is None
    assert answer.err == (
        "note: no relevant unit was sampled, so that recall may be anything from 0 to 1\n"
    )


REFUSED = {
    "interval recall --retrieved 10,20,3 --unretrieved 9,5,1": (
        64,
        "--retrieved: n = 20 is more than N = 10. It counts among those.",
    ),
    "interval recall --retrieved 10,5,-1 --unretrieved 9,5,1": (
        64,
        "--retrieved: r = -1 is no count. Use whole numbers from 0.",
    ),
    "interval recall --retrieved 10,5,1.5 --unretrieved 9,5,1": (
        64,
        "--retrieved: r = 1.5 is no count. Use whole numbers from 0.",
    ),
    "interval recall --retrieved 10,0,0 --unretrieved 9,5,1": (
        64,
        "--retrieved: n = 0: nothing was sampled of N = 10. Sample it, or leave it out and say so.",
    ),
    "interval recall --retrieved 10,5": (
        64,
        "recall needs --unretrieved N,n,r. Give it, or --strata FILE.",
    ),
    "interval recall --retrieved ten --unretrieved 9,5,1": (
        64,
        "'ten' is not N,n,r. Write such as 2000,100,50.",
    ),
    "interval elusion 9,5,1": (64, "elusion needs --unretrieved N,n,r. Give it, or --strata FILE."),
    "interval precision 9,5,1 --retrieved 9,5,1": (
        64,
        "precision takes no bare N,n,r. Write --retrieved N,n,r.",
    ),
    "interval proportion": (64, "proportion needs counts. Give N,n,r or --strata FILE."),
    "interval proportion 9,5,1 --strata strata.csv": (
        64,
        "counts and --strata are given. Give one of them.",
    ),
    "interval proportion 9,5,1 --level 95": (
        64,
        "level 95 is not between 0 and 1. Use one such as 0.95.",
    ),
    "interval recall --strata missing.csv": (1, "missing.csv: there is no such file."),
    "interval recall --strata short.csv": (
        1,
        "short.csv: no column n, r. Name the columns stratum,N,n,r and one a system.",
    ),
    "interval recall --strata none.csv": (
        1,
        (
            "none.csv: no column of a system, which recall needs. "
            "Add a column such as retrieved, with 1 where the stratum is retrieved."
        ),
    ),
    "interval recall --strata empty.csv": (
        1,
        "empty.csv: there is no stratum. Give each stratum a row.",
    ),
    "interval recall --strata flag.csv": (
        1,
        (
            "flag.csv, line 3, column tar: 'yes' is neither 0 nor 1. "
            "Give each system one column with 1 where it retrieves the stratum."
        ),
    ),
    "interval recall --strata word.csv": (
        1,
        "word.csv, line 2, column n: 'many' is no number. Use whole numbers.",
    ),
    "interval recall --strata more.csv": (
        1,
        "more.csv, line 3: r = 6 is more than n = 5. It counts among those.",
    ),
}
FILES = {
    "strata.csv": STRATA,
    "short.csv": "stratum,N\n1,2\n",
    "none.csv": "stratum,N,n,r\n1,9,5,1\n",
    "empty.csv": "stratum,N,n,r,tar\n",
    "flag.csv": "stratum,N,n,r,tar\n1,9,5,1,1\n2,9,5,1,yes\n",
    "word.csv": "stratum,N,n,r,tar\n1,9,many,1,1\n",
    "more.csv": "stratum,N,n,r,tar\n1,9,5,1,1\n2,9,5,6,0\n",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_can_be_no_count_is_refused_in_one_line(line: str) -> None:
    for name, text in FILES.items():
        put(name, text)
    code, text = REFUSED[line]
    answer = ask(line)
    assert answer.code == code
    assert answer.err.startswith(f"aliquot: {text}")
    assert (answer.out, answer.err.count("\n")) == ("", 1)

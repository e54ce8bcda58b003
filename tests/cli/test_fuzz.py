"""Whatever a file or an option holds: no traceback, a known exit code, one line of error."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.door import UNITS, Answer, call, do, everything, spam, table

CODES = {0, 1, 2, 64}
FEW = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])

odd = st.one_of(
    st.sampled_from(["", " ", "nan", "inf", "1e999", "-0", "1_0", "\x1b[2J", "=1", "é", "0x1"]),
    st.text(max_size=4),
    st.floats().map(str),
    st.integers().map(str),
)
units = st.sampled_from([*UNITS, *UNITS, "013", "1"])
labels = st.sampled_from(["yes", "no", "skip", "unsure", "1", "0", "TRUE", ""])
usual = st.sampled_from(["0", "1", "0.5", "2"])


def mostly(good: st.SearchStrategy[str], often: int = 6) -> st.SearchStrategy[str]:
    """Mostly what is right, now and then anything."""
    return st.sampled_from([good] * often + [odd]).flatmap(lambda chosen: chosen)


def table_of(*columns: tuple[str, st.SearchStrategy[str]]) -> st.SearchStrategy[bytes]:
    """A CSV file with these columns, in which now and then something is wrong."""
    head = st.tuples(*(mostly(st.just(name), 60) for name, _ in columns)).map(",".join)
    row = st.tuples(*(mostly(cells, 60) for _, cells in columns)).map(",".join)
    whole = st.builds(
        lambda head, rows, end: end.join([head, *rows]) + end,
        head,
        st.lists(mostly(row, 60), max_size=6),
        st.sampled_from(["\n", "\n", "\r\n"]),
    )
    return whole.map(lambda text: text.encode(errors="surrogatepass"))


numbers = st.one_of(
    st.floats(0, 1).map(str), st.integers(-1, 20).map(str), st.floats().map(str), odd
)


def spelled(*names: str, options: dict[str, st.SearchStrategy[str]]) -> st.SearchStrategy[str]:
    """A name with options, most of them right."""
    named = [values.map(f"{name}={{}}".format) for name, values in options.items()]
    option = mostly(st.one_of(*named)) if named else odd
    inside = st.lists(option, max_size=2, unique_by=lambda text: text[:3]).map(
        lambda found: f"({', '.join(found)})" * bool(found)
    )
    return st.builds("{}{}".format, mostly(st.sampled_from(names)), inside)


designs = spelled(
    *("uniform", "pps", "pareto", "poisson", "stratified", "wr"),
    options={
        "size": mostly(st.sampled_from(["influence", "shape", "sqrt_p", "p", "uniform"])),
        "floor": numbers,
        "by": mostly(st.sampled_from(["size", "stratum", "topic"])),
        "strata": numbers,
        "allocation": mostly(st.sampled_from(["equal", "proportional", "size"])),
    },
)
measures = spelled(
    *("Mean", "Accuracy", "Precision", "Recall", "F1", "F", "P@10"),
    options={
        "rel": numbers,
        "beta": numbers,
        "base": mostly(st.sampled_from(["2", "e"])),
        "gain": mostly(st.sampled_from(["label", "exp"])),
    },
)
estimators = spelled("ht", "priority", "ratio", "hajek", "hh", "difference", "default", options={})
intervals = spelled("normal", "t", "log", "logit", "wilson", "unseen", "default", options={})
goals = mostly(st.sampled_from(["each", "relative", "pair:svm,tar", "svm", "pair:svm"]))
option_words = st.one_of(designs, measures, odd).filter(lambda text: "\0" not in text)


def check(answer: Answer) -> None:
    """Hold an answer to what every command promises."""
    assert answer.code in CODES
    errors = [line for line in answer.err.splitlines() if line.startswith("aliquot: ")]
    assert len(errors) == (1 if answer.code in (1, 64) else 0), answer
    assert all(line.startswith(("aliquot: ", "note: ")) for line in answer.err.splitlines())
    if answer.code in (1, 64):
        assert answer.out == ""


@pytest.fixture
def judged() -> None:
    """A study with judgments, kept aside so that each example has its own copy."""
    spam(budget=6, more="--judge gpt=gpt --stratum site")
    do("record spam truth.csv")
    shutil.move("spam", "kept")


def fresh() -> None:
    shutil.rmtree("spam", ignore_errors=True)
    shutil.copytree("kept", "spam")


@pytest.mark.usefixtures("judged")
@given(content=table_of(("unit", units), ("label", labels)))
@FEW
def test_any_file_of_judgments(content: bytes) -> None:
    fresh()
    Path("l.csv").write_bytes(content)
    before = everything()
    answer = call("record", "spam", "l.csv")
    check(answer)
    if answer.code:
        assert everything() == before


@pytest.mark.usefixtures("judged")
@given(content=st.binary(max_size=60), kind=st.sampled_from(["csv", "jsonl", "parquet", "qrels"]))
@FEW
def test_any_bytes_as_judgments(content: bytes, kind: str) -> None:
    Path("l").write_bytes(content)
    check(call("record", "kept", "l", "--as", kind))


@pytest.mark.usefixtures("judged")
@given(design=designs, goal=goals, budget=numbers)
@FEW
def test_any_way_to_draw(design: str, goal: str, budget: str) -> None:
    fresh()
    check(call("draw", "spam", f"--budget={budget}", f"--design={design}", f"--goal={goal}"))
    fresh()
    check(call("draw", "spam", "--budget=2", f"--design={design}"))
    check(call("estimate", "spam", "--measure=Mean"))


@pytest.mark.usefixtures("judged")
@given(measure=measures, estimator=estimators, interval=intervals, level=numbers)
@FEW
def test_any_way_to_estimate(measure: str, estimator: str, interval: str, level: str) -> None:
    check(call("estimate", "kept", f"--measure={measure}", f"--level={level}", "--json"))
    check(call("estimate", "kept", f"--estimator={estimator}", f"--interval={interval}"))
    check(call("compare", "kept", f"--measure={measure}", f"--level={level}", "--json"))


@given(
    content=table_of(
        ("id", st.sampled_from([str(n) for n in range(100)])),
        ("p", labels),
        ("r", usual),
        ("s", numbers),
    )
)
@FEW
def test_any_table_of_units(content: bytes) -> None:
    Path("f.csv").write_bytes(content)
    shutil.rmtree("s", ignore_errors=True)
    answer = do_any("init s --units f.csv --id id --predicted p=p --retrieved r=r --score s=s")
    assert Path("s").exists() == (answer.code == 0)
    do_any("doctor f.csv")
    if not answer.code:
        do_any("draw s --budget 1")


def do_any(line: str) -> Answer:
    answer = call(*line.split())
    check(answer)
    return answer


runs = st.lists(
    st.tuples(
        st.sampled_from(["1", "2"]),
        st.just("Q0"),
        st.integers(1, 30).map("d{}".format),
        mostly(st.just("?"), 30),
        mostly(st.just("?"), 30),
        mostly(st.just("T"), 30),
    ).map(list),
    max_size=6,
)


@given(found=runs)
@FEW
def test_any_run(found: list[list[str]]) -> None:
    for place, line in enumerate(found):
        line[3] = str(place + 1) if line[3] == "?" else line[3]
        line[4] = str(9 - place) if line[4] == "?" else line[4]
    text = "".join(" ".join(line) + "\n" for line in found)
    Path("f.run").write_bytes(text.encode(errors="surrogatepass"))
    shutil.rmtree("s", ignore_errors=True)
    for ranks in ("check", "score", "column"):
        if not do_any(f"init s --runs f.run --ranks {ranks} --measure P@2").code:
            do_any("draw s --budget 1")
            shutil.rmtree("s")
    do_any("doctor f.run")


@given(options=st.lists(option_words, max_size=3))
@FEW
def test_any_words(options: list[str]) -> None:
    table()
    shutil.rmtree("s", ignore_errors=True)
    check(call("init", "s", "--units", "items.csv", "--id", "id", *options))
    check(call("queue", "s", *options))
    check(call("x", *options))


@given(
    scale=st.sampled_from(["--labels", "--classes", "--grades", "--number"]),
    text=st.one_of(
        st.builds("{}..{}".format, numbers, numbers),
        st.lists(odd, max_size=3).map(",".join),
        st.just("a,b"),
        odd,
    ),
)
@FEW
def test_any_scale(scale: str, text: str) -> None:
    table()
    shutil.rmtree("s", ignore_errors=True)
    answer = call("init", "s", "--units", "items.csv", "--id", "id", f"{scale}={text}")
    check(answer)
    if not answer.code:
        check(call("draw", "s", "--budget", "2"))
        check(call("estimate", "s"))


def test_a_code_of_no_meaning_is_found() -> None:
    with pytest.raises(AssertionError):
        check(Answer(3, "", ""))


def test_two_lines_of_error_are_found() -> None:
    with pytest.raises(AssertionError):
        check(Answer(1, "", "aliquot: one\nand more\n"))

"""TREC runs: their order, their names, and what is refused with file, line and topic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.errors import UsageError
from aliquot.io.run_order import Order, Run
from aliquot.io.runs import read_run, read_runs, run_from_table, split_name
from tests.io.refusal import put, refusal

FIX = (
    "Correct the file, or pass --ranks score to order by score as trec_eval does, "
    "or --ranks column to trust the rank column."
)
FIX_COLUMN = "Correct the file, or pass --ranks score to order by score as trec_eval does."
FIX_TABLE = (
    'Correct the table, or pass order="score" to order by score as trec_eval does, '
    'or order="column" to trust the rank column.'
)
LINE = "Write each line as topic Q0 doc rank score tag."
GOOD = """\
401 Q0 d1 1 9.5 bm25
401 Q0 d2 2 9.5 bm25
402 Q0 d2 1 3 bm25
401 Q0 d3 3 -1e-3 bm25
"""


def run_text(*rows: str, tag: str = "a") -> str:
    """Make a run of rows such as "401 d1 1 9.5"."""
    fields = [row.split() for row in rows]
    return "".join(f"{t} Q0 {doc} {rank} {score} {tag}\n" for t, doc, rank, score in fields)


def ranking(run: Run) -> dict[str, list[str]]:
    """Return the documents of each topic, best first."""
    found: dict[str, list[str]] = {topic: [] for topic in run.topics}
    for code, doc in zip(run.topic, run.doc, strict=True):
        found[run.topics[code]].append(doc)
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.run", GOOD),
        ("a.run.gz", GOOD),
        ("a.run", GOOD.replace("\n", "\r\n")),
        ("a.run", "\ufeff" + GOOD.replace(" ", "\t  ")),
        ("a.run", GOOD.replace("\n", "\n\n").rstrip()),
    ],
    ids=["plain", "gzip", "crlf", "tabs", "blank lines"],
)
def test_a_run_is_read(name: str, text: str) -> None:
    run = read_run(put(name, text))
    assert run.name == "bm25"
    assert run.topics == ("401", "402")
    assert run.topic.tolist() == [0, 0, 0, 1]
    assert run.topic.dtype == run.rank.dtype == np.int32
    assert run.doc.tolist() == ["d1", "d2", "d3", "d2"]
    assert run.rank.tolist() == [1, 2, 3, 1]
    assert run.score.tolist() == [9.5, 9.5, -0.001, 3.0]
    assert run.notes == ("1 document has the score of the one ranked before",)
    assert len(run) == 4


def test_ids_keep_every_character_that_is_not_an_ascii_blank() -> None:
    run = read_run(put("a.run", "é Q0 a\u00a0b\u2028c 1 1 a\n"))
    assert ranking(run) == {"é": ["a\u00a0b\u2028c"]}


def test_ranks_may_start_at_0() -> None:
    run = read_run(put("a.run", run_text("1 x 1 2", "1 y 0 3", "2 z 1 1")))
    assert ranking(run) == {"1": ["y", "x"], "2": ["z"]}
    assert run.rank.tolist() == [1, 2, 1]


ORDERED = run_text("1 a 3 5", "1 b 1 5", "1 c 2 9", "2 d 7 1", "2 e 5 2", "2 f 9 2")


@pytest.mark.parametrize(
    ("order", "expected", "notes"),
    [
        (
            "score",
            {"1": ["c", "b", "a"], "2": ["f", "e", "d"]},
            ("4 documents share their score with another and are ordered by document id",),
        ),
        (
            "column",
            {"1": ["b", "c", "a"], "2": ["e", "d", "f"]},
            ("2 documents have a higher score than the one ranked before",),
        ),
    ],
)
def test_an_order_may_be_chosen(
    order: Order, expected: dict[str, list[str]], notes: tuple[str, ...]
) -> None:
    run = read_run(put("a.run", ORDERED), order=order)
    assert ranking(run) == expected
    assert run.rank.tolist() == [1, 2, 3, 1, 2, 3]
    assert run.notes == notes


def test_by_score_the_rank_column_is_not_even_read() -> None:
    run = read_run(put("a.run", run_text("1 a x 1", "1 b x 2")), order="score")
    assert ranking(run) == {"1": ["b", "a"]}


def test_scores_that_differ_beyond_single_precision_tie_as_in_trec_eval() -> None:
    text = run_text("1 a 1 12.000000002", "1 b 2 12.000000001", "1 c 3 1e39", "1 d 4 2e39")
    run = read_run(put("a.run", text), order="score")
    assert ranking(run) == {"1": ["d", "c", "b", "a"]}
    assert run.score.tolist() == [2e39, 1e39, 12.000000001, 12.000000002]


@pytest.mark.parametrize("order", ["check", "score", "column"])
def test_depth_cuts_after_ordering(order: Order) -> None:
    text = run_text("1 a 2 5", "1 b 1 6", "2 c 1 1", "1 d 3 1")
    run = read_run(put("a.run", text), order=order, depth=2)
    assert ranking(run) == {"1": ["b", "a"], "2": ["c"]}
    assert run.rank.tolist() == [1, 2, 1]
    assert run.score.tolist() == [6, 5, 1]


BROKEN: list[tuple[Order, str, str]] = [
    (
        "check",
        run_text("401 a 1 5", "401 b 3 3", "401 c 2 4", "401 d 3 3"),
        f"a.run, lines 2 and 4: rank 3 appears twice in topic 401. {FIX}",
    ),
    (
        "column",
        "\n" + run_text("401 a 1 5", "401 b 1 3"),
        f"a.run, lines 2 and 3: rank 1 appears twice in topic 401. {FIX_COLUMN}",
    ),
    (
        "check",
        run_text("401 a 1 5", "402 a 1 5", "402 b 2 4", "402 c 4 3"),
        "a.run, line 4: the ranks of topic 402 leave a gap: 4 comes after 2. " + FIX,
    ),
    (
        "check",
        run_text("401 a 2 5", "401 b 3 4"),
        f"a.run, line 1: the ranks of topic 401 start at 2, not at 0 or 1. {FIX}",
    ),
    (
        "check",
        run_text("401 a -1 5", "401 b 0 4"),
        f"a.run, line 1: the ranks of topic 401 start at -1, not at 0 or 1. {FIX}",
    ),
    (
        "check",
        run_text("401 a 1 5", "402 a 1 2", "402 b 2 2.5"),
        (
            "a.run, line 3: rank and score contradict each other in topic 402: rank 2 has score "
            f"2.5, more than 2.0 at rank 1. {FIX}"
        ),
    ),
    (
        "score",
        run_text("401 a 1 5", "402 a 1 2", "401 a 2 4"),
        "a.run, lines 1 and 3: document a appears twice in topic 401. Keep one of the two.",
    ),
    (
        "check",
        run_text("401 a 1 5") + "\n401 Q0 b 2 4\n",
        f"a.run, line 3: a row of a run has 6 fields, not 5. {LINE}",
    ),
    (
        "check",
        "401 0 FT911-3 1\n401 0 FT911-4 0\n",
        f"a.run, line 1: a row of a run has 6 fields, not 4. {LINE}",
    ),
    (
        "check",
        run_text("1 a 1 5", "1 b 2 nan"),
        f"a.run, line 2: score nan is not a finite number. {LINE}",
    ),
    (
        "check",
        run_text("1 a 1 inf"),
        f"a.run, line 1: score inf is not a finite number. {LINE}",
    ),
    (
        "check",
        run_text("1 a 1 1e999"),
        f"a.run, line 1: score 1e999 is not a finite number. {LINE}",
    ),
    (
        "check",
        run_text("1 a 1 5", "1 b 2 high"),
        f"a.run, line 2: score high is not a finite number. {LINE}",
    ),
    (
        "check",
        run_text("1 a 1 5", "1 b 2 1_0"),
        f"a.run, line 2: score 1_0 is not a finite number. {LINE}",
    ),
    (
        "check",
        run_text("1 a 1 5", "1 b 2.0 4"),
        f"a.run, line 2: rank 2.0 is not a whole number. {LINE}",
    ),
    (
        "check",
        run_text("1 a 1 5", "1 b 99999999999999999999 4"),
        f"a.run, line 2: rank 99999999999999999999 is not a whole number. {LINE}",
    ),
    (
        "check",
        run_text("1 a 1 5", "1 b 4294967296 4"),
        f"a.run, line 2: rank 4294967296 is not a whole number. {LINE}",
    ),
    (
        "check",
        run_text("1 a 1 5") + run_text("1 b 2 4", tag="b"),
        "a.run, line 2: the tag changes from a to b. Keep one run a file, with one tag.",
    ),
]


@pytest.mark.parametrize(("order", "text", "said"), BROKEN)
def test_a_run_that_contradicts_itself_is_refused(order: Order, text: str, said: str) -> None:
    path = put("a.run", text)
    assert refusal(lambda: read_run(path, order=order)) == said


def test_wrong_options_are_refused() -> None:
    path = put("a.run", GOOD)
    wrong: Order = "rank"  # type: ignore[assignment]
    assert refusal(lambda: read_run(path, order=wrong), UsageError) == (
        "there is no order 'rank'. Use check, score or column."
    )
    assert refusal(lambda: read_run(path, depth=0), UsageError) == (
        "depth 0 keeps no document. Use 1 or more."
    )


def test_several_runs_are_read_in_order() -> None:
    paths = [put("b.run", run_text("1 x 1 1", tag="b")), put("a.run", run_text("1 x 1 1"))]
    assert [run.name for run in read_runs(paths)] == ["b", "a"]


def test_two_runs_of_one_name_are_refused() -> None:
    put("a.run", GOOD)
    put("b.run", GOOD)
    assert refusal(lambda: read_runs(["a.run", "b.run"])) == (
        "two runs are both called bm25: a.run and b.run. "
        "Rename the tag in one of them, or pass other=b.run to rename it."
    )
    assert [run.name for run in read_runs(["a.run", "tuned=b.run"])] == ["bm25", "tuned"]
    assert refusal(lambda: read_runs(["a.run", "bm25=b.run"])) == (
        "two runs are both called bm25: a.run and bm25=b.run. "
        "Rename the tag in one of them, or pass other=b.run to rename it."
    )


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("bm25=runs/a.run", ("bm25", "runs/a.run")),
        ("bm25=k1=2.run", ("bm25", "k1=2.run")),
        ("a.run", ("", "a.run")),
        ("runs/k1=2.run", ("", "runs/k1=2.run")),
        ("k1=1.run", ("", "k1=1.run")),  # there is such a file
        ("=a.run", ("", "=a.run")),
        ("a=", ("", "a=")),
    ],
)
def test_a_path_may_carry_a_name(path: str, expected: tuple[str, str]) -> None:
    put("k1=1.run", GOOD)
    assert split_name(path) == expected


DOCS = st.lists(st.text("abcé", min_size=1, max_size=3), unique=True, min_size=1, max_size=9)
SCORES = st.floats(-1e6, 1e6) | st.integers(0, 3).map(float)


@given(docs=DOCS, data=st.data(), start=st.integers(0, 1))
def test_a_written_run_reads_back(
    docs: list[str], data: st.DataObject, start: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scores = sorted((data.draw(SCORES) for _ in docs), reverse=True)
    rows = [f"1 {doc} {rank + start} {scores[rank]!r}" for rank, doc in enumerate(docs)]
    path = tmp_path_factory.getbasetemp() / "a.run"
    path.write_text(run_text(*data.draw(st.permutations(rows))), "utf-8")
    for order in ("check", "column"):
        run = read_run(path, order=order)
        assert run.doc.tolist() == docs
        assert run.score.tolist() == scores
    singles = np.asarray(scores, dtype=np.float32)
    expected = sorted(zip(singles, docs, strict=True), reverse=True)
    assert read_run(path, order="score").doc.tolist() == [doc for _, doc in expected]


TABLES: list[Callable[[], pa.Table]] = [
    lambda: pa.table({"topic": [1, 1, 2], "doc": ["a", "b", "a"], "score": [1, 2.5, 3]}),
    lambda: pa.table({"query": ["1", "1", "2"], "docno": ["a", "b", "a"], "rank": [2, 1, 1]}),
    lambda: pa.table({"qid": [1.0, 1.0, 2.0], "docid": ["a", "b", "a"], "rank": [1.0, 0.0, 0.0]}),
    lambda: pa.table({"query_id": [1, 1, 2], "doc_id": ["a", "b", "a"], "score": [1, 2, 3]}),
]


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_a_run(table: Callable[[], pa.Table]) -> None:
    run = run_from_table(table(), "dense")
    assert run.name == "dense"
    assert ranking(run) == {"1": ["b", "a"], "2": ["a"]}
    assert run.rank.tolist() == [1, 2, 1]


def test_a_rank_without_a_score_scores_by_rank() -> None:
    table = pa.table({"topic": ["1", "1"], "doc": ["a", "b"], "rank": [2, 1]})
    assert run_from_table(table, "x").score.tolist() == [-1, -2]


def changed(**columns: object) -> pa.Table:
    good = {"topic": [1, 1], "doc": ["a", "b"], "score": [2.0, 1.0], "rank": [1, 2]}
    return pa.table({name: column for name, column in {**good, **columns}.items() if column})


BROKEN_TABLES: list[tuple[pa.Table, str]] = [
    (
        changed(topic=None),
        (
            "run x: there is no column topic or query or qid or query_id; the columns are doc, "
            "score, rank. Name the columns topic, doc, and score or rank."
        ),
    ),
    (
        changed(rank=None, score=None),
        (
            "run x: there is no column score or rank; the columns are topic, doc. "
            "Name the columns topic, doc, and score or rank."
        ),
    ),
    (
        changed(doc=["a", None]),
        "run x, row 2, column doc: the id is missing. Give each row an id without spaces.",
    ),
    (
        changed(topic=["1", "1 b"]),
        "run x, row 2, column topic: '1 b' is not an id. Give each row an id without spaces.",
    ),
    (
        changed(doc=[["a"], ["b"]]),
        "run x, row 1, column doc: a list is not text. Write one text or number there.",
    ),
    (
        changed(score=[2.0, None]),
        (
            "run x, row 2, column score: the score is missing or not finite. "
            "Fill it in, or drop the row."
        ),
    ),
    (
        changed(score=["high", "low"]),
        "run x, column score: the column does not hold numbers. Convert it to numbers.",
    ),
    (
        changed(rank=[1.0, 1.5]),
        (
            "run x, row 2, column rank: rank 1.5 is not a whole number. "
            "Number the documents of a topic 1, 2, 3 and so on."
        ),
    ),
    (
        changed(doc=["a", "a"]),
        "run x, rows 1 and 2: document a appears twice in topic 1. Keep one of the two.",
    ),
    (
        changed(rank=[2, 1]),
        (
            "run x, row 1: rank and score contradict each other in topic 1: rank 2 has score 2.0, "
            f"more than 1.0 at rank 1. {FIX_TABLE}"
        ),
    ),
]


@pytest.mark.parametrize(("table", "said"), BROKEN_TABLES)
def test_a_table_that_is_no_run_is_refused(table: pa.Table, said: str) -> None:
    assert refusal(lambda: run_from_table(table, "x")) == said


def test_an_order_needs_its_column() -> None:
    assert refusal(lambda: run_from_table(changed(score=None), "x", order="score")) == (
        'run x: there is no score to order by. Correct the table, or pass order="column" to trust '
        "the rank column."
    )
    assert refusal(lambda: run_from_table(changed(rank=None), "x", order="column")) == (
        'run x: there is no rank column. Correct the table, or pass order="score" to order by '
        "score as trec_eval does."
    )


def test_an_empty_table_is_refused() -> None:
    assert refusal(lambda: run_from_table(changed().slice(0, 0), "x")) == (
        "run x: there are no rows. Give each document a row."
    )

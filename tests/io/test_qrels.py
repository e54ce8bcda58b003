"""Qrels in and out, prels out: nothing but judgments comes in, and what goes out reads back."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.io.qrels import read_qrels, write_prels, write_qrels
from tests.io.refusal import left, put, refusal

LINE = "Write each line as topic iter doc rel."
FOUR = "Name a qrels file, which has 4 fields a line."
GOOD = "401 0 d1 1\n401 0 d2 -1\n\n402\tQ0  d1 0\r\n401 0 d3 02\n401 0 d1 1\n"


@pytest.mark.parametrize("name", ["a.qrels", "a.qrels.gz"])
def test_qrels_are_read_and_unjudged_rows_counted(name: str) -> None:
    found = read_qrels(put(name, GOOD))
    assert found.topic == ["401", "402", "401"]
    assert found.doc == ["d1", "d1", "d3"]
    assert found.rel == ["1", "0", "02"]  # as the file says it
    assert found.lines == [1, 4, 5]  # the last line repeats the first, and changes nothing
    assert found.unjudged == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "1 d1 1 0 0.25\n",
            (
                "a.qrels, line 1: 5 fields are prels (topic doc rel alg p), not judgments "
                f"(topic iter doc rel). {FOUR}"
            ),
        ),
        (
            "1 Q0 d1 1 9.5 bm25\n",
            (
                "a.qrels, line 1: 6 fields are a run or prels, not judgments (topic iter doc rel). "
                f"{FOUR}"
            ),
        ),
        ("1 0 d1 1\n\n1 0 d2\n", f"a.qrels, line 3: a judgment has 4 fields, not 3. {LINE}"),
        ("1 0 d1 yes\n", f"a.qrels, line 1: relevance 'yes' is not a whole number. {LINE}"),
        ("1 0 d1 1.0\n", f"a.qrels, line 1: relevance '1.0' is not a whole number. {LINE}"),
        ("1 0 d1 1_0\n", f"a.qrels, line 1: relevance '1_0' is not a whole number. {LINE}"),
        (
            "1 0 d1 1\n1 0 d2 1\n1 0 d1 0\n",
            (
                "a.qrels, lines 1 and 3: document d1 of topic 1 is judged both 1 and 0. "
                "Keep one of the two."
            ),
        ),
    ],
)
def test_what_is_no_judgment_is_refused(text: str, said: str) -> None:
    path = put("a.qrels", text)
    assert refusal(lambda: read_qrels(path)) == said


IDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)
ROWS = st.dictionaries(st.tuples(IDS, IDS), st.integers(0, 4).map(str), min_size=1)


@given(rows=ROWS)
def test_written_qrels_read_back(
    rows: dict[tuple[str, str], str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "a.qrels"
    write_qrels(path, ((*pair, rel) for pair, rel in rows.items()), overwrite=True)
    found = read_qrels(path)
    assert list(zip(found.topic, found.doc, strict=True)) == list(rows)
    assert found.rel == list(rows.values())


def test_prels_have_the_layout_of_trec_and_exact_probabilities() -> None:
    out = io.StringIO()
    write_prels(out, [("1", "d1", "0", 2, 0.1), ("1", "d2", "1", 0, 1)])
    assert out.getvalue() == "1 d1 0 2 0.1\n1 d2 1 0 1.0\n"


@given(p=st.floats(0, 1, exclude_min=True))
def test_each_probability_reads_back(p: float) -> None:
    out = io.StringIO()
    write_prels(out, [("1", "d1", "0", 2, p)])
    assert float(out.getvalue().split()[-1]) == p


@pytest.mark.parametrize(
    ("p", "shown"), [(0.0, "0.0"), (-0.5, "-0.5"), (float("nan"), "nan"), (float("inf"), "inf")]
)
def test_what_is_no_probability_is_not_written(p: float, shown: str) -> None:
    assert refusal(lambda: write_prels("a.prels", [("1", "d1", "0", 2, p)])) == (
        f"topic 1, document d1: {shown} is not an inclusion probability. "
        "Write only units that could be drawn."
    )
    assert left() == []


@pytest.mark.parametrize("doc", ["a b", "", "a\tb"])
def test_an_id_that_would_split_is_not_written(doc: str) -> None:
    assert refusal(lambda: write_qrels("a.qrels", [("1", doc, "0")])) == (
        f"qrels: '{doc}' can't be written as one field. "
        "Export as csv or jsonl, or rename it without spaces."
    )
    assert left() == []


def test_an_existing_file_is_kept_unless_it_may_go() -> None:
    path = put("a.qrels", "1 0 d1 1\n")
    assert refusal(lambda: write_qrels(path, [("2", "d2", "0")])) == (
        "a.qrels: there is a file already. Remove it, or name another file."
    )
    assert path.read_text("utf-8") == "1 0 d1 1\n"
    write_qrels(path, [("2", "d2", "0")], overwrite=True)
    assert Path("a.qrels").read_text("utf-8") == "2 0 d2 0\n"

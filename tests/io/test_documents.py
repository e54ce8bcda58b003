"""Queries and documents: only the wanted ones, and nothing from outside a directory."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.io.documents import ID_NAMES, read_documents, read_queries
from tests.io.refusal import put, refusal

WANTED = {"7", "d1", "no such document"}
IDS = "Name the column of ids one of doc, docno, docid, doc_id, id, _id."


def test_queries_are_read() -> None:
    path = put("q.tsv.gz", "\ufeff401\tforeign minorities\tGermany \r\n\n402\t\n")
    assert read_queries(path) == {"401": "foreign minorities\tGermany ", "402": ""}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "1\ta\n2 b\n",
            (
                "q.tsv, line 2: there is no tab between a topic and its text. "
                "Write each line as topic, tab, text."
            ),
        ),
        (
            "\ta\n",
            "q.tsv, line 1: the topic is missing. Write each line as topic, tab, text.",
        ),
        ("1\ta\n\n1\tb\n", "q.tsv, lines 1 and 3: topic 1 appears twice. Keep one of the two."),
        ("\n\n", "q.tsv: there are no queries. Write topic, tab, text."),
        ("", "q.tsv: the file is empty. Check that it was written in full."),
    ],
)
def test_what_holds_no_queries_is_refused(text: str, said: str) -> None:
    path = put("q.tsv", text)
    assert refusal(lambda: read_queries(path)) == said


@pytest.mark.parametrize("name", ID_NAMES)
def test_json_lines_keep_wanted_documents_and_their_texts(name: str) -> None:
    lines = [
        f'{{"{name}": 7, "title": "seven", "n": 1, "l": ["x"]}}',
        f'{{"title": "eight", "{name}": "8"}}',
        f'{{"{name}": "d1", "body": "one\\ntwo"}}',
    ]
    table = read_documents(put("d.jsonl", "\n".join(lines)), WANTED)
    assert table.to_pylist() == [
        {"doc": "7", "title": "seven", "body": None},
        {"doc": "d1", "title": None, "body": "one\ntwo"},
    ]


def test_csv_keeps_wanted_documents_and_their_texts() -> None:
    text = 'title,n,docid\nseven,1,7\nzero seven,2,07\n"one\ntwo",3,d1\nnone,4,\n'
    table = read_documents(put("d.csv.gz", text), WANTED | {"07"})
    assert table.to_pylist() == [
        {"doc": "7", "title": "seven"},
        {"doc": "07", "title": "zero seven"},
        {"doc": "d1", "title": "one\ntwo"},
    ]


def test_parquet_is_read_in_batches() -> None:
    rows = 40_000  # more than two batches
    titles = pa.array([f"title {n}" for n in range(rows)])
    table = pa.table({"title": titles, "n": range(rows), "_id": range(rows)})
    pq.write_table(table.set_column(0, "title", titles.dictionary_encode()), "d.parquet")
    found = read_documents("d.parquet", {"0", "16384", "39999", "40000"})
    assert found.to_pylist() == [
        {"doc": "0", "title": "title 0"},
        {"doc": "16384", "title": "title 16384"},
        {"doc": "39999", "title": "title 39999"},
    ]
    assert read_documents("d.parquet", set()).schema == found.schema


def test_text_that_is_not_utf8_is_refused_in_parquet_too() -> None:
    latin = pa.array([b"a", b"caf\xe9"]).view(pa.string())
    pq.write_table(pa.table({"id": ["7", "8"], "text": latin}), "d.parquet")
    assert refusal(lambda: read_documents("d.parquet", WANTED)) == (
        "d.parquet: this is not a Parquet file, or it is damaged. Copy or write the file again."
    )


def test_ids_alone_are_enough() -> None:
    pq.write_table(pa.table({"id": [7, 8]}), "d.parquet")
    assert read_documents("d.parquet", WANTED).to_pydict() == {"doc": ["7"]}


def test_documents_that_are_not_there_are_not_in_the_table() -> None:
    table = read_documents(put("d.jsonl", '{"id": "x", "text": "y"}\n'), WANTED)
    assert (table.num_rows, table.column_names) == (0, ["doc"])


def test_a_directory_has_a_document_a_file() -> None:
    base = Path("docs")
    (base / "d2").mkdir(parents=True)
    (base / "7.txt").write_bytes(b"\xef\xbb\xbfseven\r\n\r\nand more\n")
    (base / "d1").write_bytes(gzip.compress("éin".encode()))
    (base / "d3.html.gz").write_bytes(gzip.compress(b"three"))
    (base / "d4.txt").write_bytes(b"")
    (base / "8.txt").write_bytes(b"\xff")
    wanted = WANTED | {"d2", "d3", "d4", "../secret"}
    assert read_documents(base, wanted).to_pylist() == [
        {"doc": "7", "text": "seven\n\nand more"},
        {"doc": "d1", "text": "éin"},
        {"doc": "d3", "text": "three"},
        {"doc": "d4", "text": ""},
    ]


def test_a_link_inside_the_directory_is_followed_and_one_that_leaves_is_refused() -> None:
    base = Path("docs")
    base.mkdir()
    put("docs/d1.txt", "one")
    Path("docs/7").symlink_to("d1.txt")
    assert read_documents(base, WANTED)["text"].to_pylist() == ["one", "one"]
    put("secret.txt", "secret")
    Path("docs/8.txt").symlink_to("../secret.txt")
    assert read_documents(base, WANTED).num_rows == 2  # nobody wants it
    assert refusal(lambda: read_documents(base, {"8"})) == (
        "docs/8.txt: this link leads out of the directory of documents. "
        "Put the file itself into the directory."
    )


def test_a_linked_directory_may_hold_the_documents() -> None:
    Path("real").mkdir()
    put("real/d1", "one")
    Path("docs").symlink_to("real")
    assert read_documents("docs", WANTED)["text"].to_pylist() == ["one"]


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("nowhere", "docs/7: there is no such file. Check the path."),
        ("7", "docs/7: the file can't be read ({}). Check the path."),
    ],
)
def test_a_broken_link_is_refused(target: str, said: str) -> None:
    Path("docs").mkdir()
    Path("docs/7").symlink_to(target)
    text = refusal(lambda: read_documents("docs", WANTED))
    reason = text.partition("(")[2].partition(")")[0]  # the system's own words
    assert text == said.format(reason)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "d.jsonl",
            '{"id": "x"}\n{"name": "d1"}\n',
            f"d.jsonl, line 2: there is no column of ids; the columns are name. {IDS}",
        ),
        (
            "d.csv",
            "name,text\nd1,x\n",
            f"d.csv: there is no column of ids; the columns are name, text. {IDS}",
        ),
        (
            "d.jsonl",
            '{"id": "d1"}\n\n{"id": "d1"}\n',
            "d.jsonl, lines 1 and 3: document d1 appears twice. Keep one of the two.",
        ),
        (
            "d.csv",
            "id,text\nd1,x\nd2,y\nd1,z\n",
            "d.csv, rows 1 and 3: document d1 appears twice. Keep one of the two.",
        ),
        (
            "d.jsonl",
            '{"id": ["d1"]}\n',
            "d.jsonl, line 1, column id: a list is not text. Write one text or number there.",
        ),
        (
            "docs/d1.txt",
            b"a\nb\xff",
            "docs/d1.txt, line 2: byte 0xFF is not UTF-8. Save the file as UTF-8.",
        ),
    ],
)
def test_documents_that_can_not_be_used_are_refused(
    name: str, text: str | bytes, said: str
) -> None:
    Path("docs").mkdir()
    path = put(name, text)
    where = path.parent if name.startswith("docs") else path
    assert refusal(lambda: read_documents(where, WANTED)) == said


def test_two_files_for_one_document_are_refused() -> None:
    Path("docs").mkdir()
    put("docs/d1", "a")
    put("docs/d1.txt", "b")
    assert refusal(lambda: read_documents("docs", WANTED)) == (
        "docs, files d1 and d1.txt: document d1 appears twice. Keep one of the two."
    )


def test_a_parquet_file_that_can_not_be_used_is_refused() -> None:
    pq.write_table(pa.table({"name": ["d1"]}), "d.parquet")
    assert refusal(lambda: read_documents("d.parquet", WANTED)) == (
        f"d.parquet: there is no column of ids; the columns are name. {IDS}"
    )
    pq.write_table(pa.table({"id": ["d1", "x"] * 9000}), "d.parquet")
    assert refusal(lambda: read_documents("d.parquet", WANTED)) == (
        "d.parquet, rows 1 and 3: document d1 appears twice. Keep one of the two."
    )
    pq.write_table(pa.table({"id": ["d1", *["x"] * 20_000, "d1"]}), "d.parquet")
    assert refusal(lambda: read_documents("d.parquet", WANTED)) == (
        "d.parquet, rows 1 and 20002: document d1 appears twice. Keep one of the two."
    )
    put("d.parquet", "PAR1")
    assert refusal(lambda: read_documents("d.parquet", WANTED)) == (
        "d.parquet: this is not a Parquet file, or it is damaged. Copy or write the file again."
    )
    assert refusal(lambda: read_documents("no.parquet", WANTED)) == (
        "no.parquet: there is no such file. Check the path."
    )


@given(wanted=st.sets(st.sampled_from("abcdef")))
def test_exactly_the_wanted_documents_come(
    wanted: set[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.getbasetemp() / "docs"
    base.mkdir(exist_ok=True)
    for name in "abcd":
        (base / f"{name}.txt").write_text(f"text {name}\n", "utf-8")
    found = read_documents(base, wanted)
    assert found.to_pydict() == {
        "doc": sorted(wanted & set("abcd")),
        "text": [f"text {name}" for name in sorted(wanted & set("abcd"))],
    }

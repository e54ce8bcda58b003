"""Parquet files are there whole or not at all, with the same bytes for the same table."""

from __future__ import annotations

import hashlib
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.errors import StudyError
from aliquot.io.parquet import file_hash, read_parquet, write_parquet
from tests.io.refusal import left, put, refusal

TABLE = pa.table({"id": ["007", "é", None], "score": [0.5, 1.0, None], "n": [1, 2, 3]})
DAMAGED = "this is not a Parquet file, or it is damaged. Copy or write the file again."


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """Let the system refuse to write files beyond a size, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_table_reads_back_and_its_hash_is_that_of_the_file() -> None:
    digest = write_parquet(TABLE, "a.parquet")
    assert read_parquet("a.parquet").equals(TABLE)
    assert read_parquet("a.parquet", ["n", "id"]).column_names == ["n", "id"]
    assert digest == hashlib.sha256(Path("a.parquet").read_bytes()).hexdigest()
    assert digest == file_hash("a.parquet")
    assert left() == ["a.parquet"]


@given(cuts=st.lists(st.integers(0, 3), max_size=3))
def test_the_same_table_has_the_same_bytes_however_it_is_cut(
    cuts: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.getbasetemp()
    ends = [0, *sorted(cuts), 3]
    pieces = [TABLE.slice(a, b - a) for a, b in pairwise(ends)]
    digest = write_parquet(pa.concat_tables(pieces), base / "a.parquet")
    assert digest == write_parquet(TABLE, base / "b.parquet")
    assert digest != write_parquet(TABLE.slice(0, 2), base / "c.parquet")


def test_the_file_has_the_usual_rights() -> None:
    put("usual", "x")
    write_parquet(TABLE, "a.parquet")
    assert Path("a.parquet").stat().st_mode == Path("usual").stat().st_mode


def test_what_stood_there_is_replaced_only_by_a_whole_file() -> None:
    before = write_parquet(TABLE, "a.parquet")
    large = pa.table({"x": [str(n * 7919) for n in range(20_000)]})
    with small_files(2000):
        text = refusal(lambda: write_parquet(large, "a.parquet"), StudyError)
    assert text == ("a.parquet: the file would be larger than this system allows. Raise the limit.")
    assert left() == ["a.parquet"]
    assert file_hash("a.parquet") == before
    assert write_parquet(large, "a.parquet") != before


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "no/a.parquet",
            "no/a.parquet: there is no such directory. Make the directory first.",
        ),
        (
            "file/a.parquet",
            "file/a.parquet: there is no such directory. Make the directory first.",
        ),
        ("dir", "dir: this is not a plain file. Name another file."),
        ("", ".: this is not a plain file. Name another file."),
        ("/dev/null", "/dev/null: this is not a plain file. Name another file."),
        (
            "x" * 300,
            (
                f"{'x' * 300}: the file can't be written (File name too long). "
                "Check the path and the disk."
            ),
        ),
    ],
)
def test_what_can_not_be_written_is_refused(path: str, text: str) -> None:
    Path("dir").mkdir()
    put("file", "x")
    assert refusal(lambda: write_parquet(TABLE, path), StudyError) == text
    assert left() == ["dir", "file"]


def test_an_interrupted_write_leaves_nothing() -> None:
    class Torn:
        def combine_chunks(self) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_parquet(Torn(), "a.parquet")
    assert left() == []


def test_what_is_no_parquet_file_is_refused() -> None:
    put("text.parquet", "unit,label\n" * 9)
    put("empty.parquet", "")
    write_parquet(TABLE, "whole.parquet")
    whole = Path("whole.parquet").read_bytes()
    put("cut.parquet", whole[:-30])
    for path in ("text.parquet", "empty.parquet", "cut.parquet"):
        assert refusal(partial(read_parquet, path)) == f"{path}: {DAMAGED}"
    assert refusal(lambda: read_parquet("no.parquet")) == (
        "no.parquet: there is no such file. Check the path."
    )
    assert refusal(lambda: file_hash("no.parquet")) == (
        "no.parquet: there is no such file. Check the path."
    )


def test_a_missing_column_is_refused() -> None:
    write_parquet(TABLE, "a.parquet")
    assert refusal(lambda: read_parquet("a.parquet", ["id", "topic"])) == (
        "a.parquet: there is no column topic; the columns are id, score, n. "
        "Name one of its columns."
    )


def test_two_columns_of_one_name_are_refused() -> None:
    twice = pa.table([[1], [2]], names=["a", "a"])
    pq.write_table(twice, "a.parquet")
    assert refusal(lambda: read_parquet("a.parquet")) == (
        "a.parquet, column a: two columns have this name. Rename or remove one of the two."
    )


def test_a_directory_named_like_a_column_makes_none() -> None:
    Path("day=1").mkdir()
    write_parquet(TABLE, "day=1/a.parquet")
    assert read_parquet("day=1/a.parquet").column_names == TABLE.column_names

"""Text files: what is read, and what is refused with the line it stands on."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.io.text import AnyPath, iter_lines, open_bytes, read_text
from tests.io.refusal import put, refusal

AGAIN = "Copy or download the file again."
UTF8 = "Save the file as UTF-8."
LONG = b"x" * 100 + b"\n"


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up the rights of an administrator, who may read everything."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def whole(path: AnyPath) -> bytes:
    return open_bytes(path)


def by_lines(path: AnyPath) -> list[tuple[int, str]]:
    return list(iter_lines(path))


BROKEN: dict[str, tuple[bytes, str]] = {
    "empty.csv": (b"", "empty.csv: the file is empty. Check that it was written in full."),
    "cut.csv.gz": (
        gzip.compress(LONG * 99)[:-20],
        f"cut.csv.gz: the gzip data ends too early. {AGAIN}",
    ),
    "magic.csv": (
        gzip.compress(LONG * 99)[:-20],
        f"magic.csv: the gzip data ends too early. {AGAIN}",
    ),
    "plain.csv.gz": (
        LONG,
        (
            "plain.csv.gz: the name ends in .gz, but the content is not gzip. "
            "Drop .gz from the name, or compress the file."
        ),
    ),
    "latin.csv": (b"a\nb\ncaf\xe9\n", f"latin.csv, line 3: byte 0xE9 is not UTF-8. {UTF8}"),
    "marked.csv": (
        "a,b\n".encode("utf-16"),
        "marked.csv: the file is UTF-16, not UTF-8. Save it as UTF-8.",
    ),
    "little.csv": (
        "a,b\n".encode("utf-16-le"),
        "little.csv: the file is UTF-16, not UTF-8. Save it as UTF-8.",
    ),
    "big.csv": (
        "a,b\n".encode("utf-16-be"),
        "big.csv: the file is UTF-16, not UTF-8. Save it as UTF-8.",
    ),
    "zero.csv": (
        b"ab\ncd\0\n",
        "zero.csv, line 2: the file is not text (a zero byte). Name a text file.",
    ),
}


@pytest.mark.parametrize("read", [whole, by_lines])
@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_text_is_refused(read: Callable[[AnyPath], object], name: str) -> None:
    data, text = BROKEN[name]
    path = Path(name)
    path.write_bytes(data)
    assert refusal(lambda: read(path)) == text


def test_a_damaged_gzip_file_is_refused() -> None:
    data = bytearray(gzip.compress(bytes(range(1, 200))))
    data[-8] ^= 255  # the checksum
    Path("a.gz").write_bytes(data)
    head, _, tail = refusal(lambda: open_bytes("a.gz")).partition("(")
    assert head == "a.gz: the gzip data is damaged "
    assert tail.startswith("CRC check failed")
    assert tail.endswith(f"). {AGAIN}")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("no.csv", "no.csv: there is no such file. Check the path."),
        ("file/no.csv", "file/no.csv: there is no such file. Check the path."),
        ("dir", "dir: this is a directory, not a file. Name a file in it."),
        ("x" * 300, f"{'x' * 300}: the file can't be read (File name too long). Check the path."),
        ("a\0b", "a\0b: the file can't be read (embedded null byte). Check the path."),
    ],
)
def test_what_is_not_there_is_refused(path: str, text: str) -> None:
    Path("dir").mkdir()
    put("file", "x")
    assert refusal(lambda: open_bytes(path)) == text


def test_a_forbidden_file_is_refused() -> None:
    path = put("secret.csv", "a\n")
    path.chmod(0)
    with as_nobody():
        text = refusal(lambda: open_bytes(path))
    assert (
        text == "secret.csv: you may not read this file. Ask its owner for permission to read it."
    )


def test_blank_files_are_empty() -> None:
    path = put("a.csv", " \n\r\n\t")
    assert refusal(lambda: open_bytes(path)) == (
        "a.csv: the file is empty. Check that it was written in full."
    )


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_a_mark_is_dropped_and_line_ends_are_kept(name: str) -> None:
    path = put(name, b"\xef\xbb\xbfone\r\ntwo \xc3\xa9\n")
    assert read_text(path) == "one\r\ntwo é\n"
    assert list(iter_lines(path)) == [(1, "one"), (2, "two é")]


def test_gzip_is_known_by_its_first_bytes() -> None:
    path = put("a.txt", gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert open_bytes(path) == b"one\ntwo\n"


def test_a_bad_byte_is_found_beyond_the_first_piece() -> None:
    line = "é".encode() * (1 << 19) + b"\n"
    path = put("a.txt", line * 20 + b"\xff\n")
    assert refusal(lambda: open_bytes(path)) == f"a.txt, line 21: byte 0xFF is not UTF-8. {UTF8}"


def test_only_line_feeds_end_a_line() -> None:
    path = put("a.txt", "a\u2028b\x0bc\rd\n\ne")
    assert list(iter_lines(path)) == [(1, "a\u2028b\x0bc\rd"), (2, ""), (3, "e")]


TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=3)


@given(text=TEXT)
def test_text_reads_back(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in ("a.txt", "a.txt.gz"):
        path = tmp_path_factory.getbasetemp() / name
        data = ("ab" + text).encode()
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        assert read_text(path) == "ab" + text
        lines = ("ab" + text).removesuffix("\n").split("\n")
        assert [line for _, line in iter_lines(path)] == [line.removesuffix("\r") for line in lines]

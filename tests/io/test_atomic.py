"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest

from aliquot.errors import InputError, StudyError
from aliquot.io.atomic import replacing, text_sink, unwritable
from tests.io.refusal import left, put, refusal


def test_a_file_appears_when_it_is_whole() -> None:
    with replacing("a.bin") as (stream, temporary):
        stream.write(b"one")
        assert left() == [temporary.name]
    assert Path("a.bin").read_bytes() == b"one"
    assert left() == ["a.bin"]


def test_on_any_failure_what_was_there_stays() -> None:
    put("a.bin", "before")

    def write() -> None:
        with replacing("a.bin") as (stream, _):
            stream.write(b"after")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()
    assert Path("a.bin").read_bytes() == b"before"
    assert left() == ["a.bin"]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "the disk is full. Free some space, then try again."),
        (errno.EDQUOT, "your share of the disk is used up. Free some space, then try again."),
        (errno.EROFS, "the disk is read-only. Name a place where you may write."),
        (errno.EACCES, "you may not write here. Name a place where you may write."),
        (errno.EPERM, "you may not write here. Name a place where you may write."),
        (errno.EFBIG, "the file would be larger than this system allows. Raise the limit."),
        (
            errno.EIO,
            "the file can't be written (Input/output error). Check the path and the disk.",
        ),
    ],
)
def test_each_refusal_of_the_system_has_its_words(number: int, said: str) -> None:
    failure = OSError(number, os.strerror(number))
    error = unwritable(failure, "a.parquet", StudyError)
    assert type(error) is StudyError
    assert str(error) == f"a.parquet: {said}"


def test_a_refusal_while_writing_is_said_and_leaves_nothing() -> None:
    def write() -> None:
        with replacing("a.bin"):
            raise OSError(errno.ENOSPC, "No space left on device")

    assert refusal(write) == "a.bin: the disk is full. Free some space, then try again."
    assert left() == []


def test_text_goes_to_a_new_file_as_utf8_or_to_a_stream() -> None:
    with text_sink("a.txt", overwrite=False) as sink:
        sink.write("é\r\n")
    assert Path("a.txt").read_bytes() == b"\xc3\xa9\r\n"
    out = io.StringIO()
    with text_sink(out, overwrite=False) as sink:
        sink.write("é\n")
    assert out.getvalue() == "é\n"
    assert not out.closed


def test_a_link_to_nothing_counts_as_a_file() -> None:
    Path("a.txt").symlink_to("nowhere")
    with pytest.raises(InputError) as caught, text_sink("a.txt", overwrite=False):
        pass
    assert str(caught.value) == ("a.txt: there is a file already. Remove it, or name another file.")


def test_half_a_character_is_not_written() -> None:
    def write() -> None:
        with text_sink("a.txt", overwrite=False) as sink:
            sink.write("a\ud800")

    assert refusal(write) == (
        "a.txt: '\\ud800' is half a character, which no file can hold. "
        "Correct it where it comes from."
    )
    assert left() == []

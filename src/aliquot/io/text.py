"""Text files, plain or gzip, read whole or line by line.

A text file here is UTF-8. A byte order mark and carriage returns are accepted in silence; anything
else that is not plain text is an error that names the line.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from aliquot.errors import InputError

AnyPath = str | os.PathLike[str]

_GZIP = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_PIECE = 1 << 24  # bytes decoded at once when a large text is checked
_AGAIN = "Copy or download the file again"


def open_bytes(path: AnyPath) -> bytes:
    """Read a text file whole, plain or gzip, as UTF-8 bytes without a byte order mark."""
    where = os.fspath(path)
    with opened(path) as stream:
        data = stream.read().removeprefix(_UTF8_MARK)
    if not data or data.isspace():
        raise _empty(where)
    _refuse_utf16(data[:4], where)
    if (at := data.find(b"\0")) >= 0:
        raise _not_text(_line(data, at, where))
    if not data.isascii() and (at := _bad_byte(data)) >= 0:
        raise _bad_utf8(data[at], _line(data, at, where))
    return data


def read_text(path: AnyPath) -> str:
    """Read a text file whole; line ends stay as they are."""
    return open_bytes(path).decode()


def iter_lines(path: AnyPath) -> Iterator[tuple[int, str]]:
    """Yield each line with its number, so that a file larger than memory can be read."""
    where = os.fspath(path)
    number = 0
    with opened(path) as stream:
        for number, raw in enumerate(stream, 1):
            if number == 1:
                _refuse_utf16(raw[:4], where)
            line = raw.removeprefix(_UTF8_MARK) if number == 1 else raw
            yield number, _decoded(line, f"{where}, line {number}")
    if number == 0:
        raise _empty(where)


@contextmanager
def opened(path: AnyPath) -> Iterator[BinaryIO]:
    """Open a file for reading, unpacked if it is gzip; what the system refuses is an InputError."""
    where = os.fspath(path)
    try:
        with Path(path).open("rb") as raw:
            yield _unpacked(raw, where)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _bad_gzip(error, where) from error
    except (OSError, ValueError) as error:
        raise unreadable(error, where) from error


def refuse_missing(path: AnyPath) -> None:
    """Say that there is no file before its name is asked for a format."""
    if not Path(path).exists():
        raise unreadable(FileNotFoundError(), os.fspath(path))
    if Path(path).is_dir():
        raise unreadable(IsADirectoryError(), os.fspath(path))


def unreadable(error: Exception, where: str) -> InputError:
    """Say why the system did not let us read a file."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return InputError("there is no such file", where=where, do="Check the path")
    if isinstance(error, IsADirectoryError):
        return InputError("this is a directory, not a file", where=where, do="Name a file in it")
    if isinstance(error, PermissionError):
        return InputError(
            "you may not read this file", where=where, do="Ask its owner for permission to read it"
        )
    reason = getattr(error, "strerror", None) or error
    return InputError(f"the file can't be read ({reason})", where=where, do="Check the path")


def _unpacked(raw: io.BufferedReader, where: str) -> BinaryIO:
    head = raw.peek(2)[:2]
    if head == _GZIP:
        return cast("BinaryIO", gzip.GzipFile(fileobj=raw, mode="rb"))
    if head and where.endswith(".gz"):
        raise InputError(
            "the name ends in .gz, but the content is not gzip",
            where=where,
            do="Drop .gz from the name, or compress the file",
        )
    return raw


def _bad_gzip(error: Exception, where: str) -> InputError:
    if isinstance(error, EOFError):
        return InputError("the gzip data ends too early", where=where, do=_AGAIN)
    return InputError(f"the gzip data is damaged ({error})", where=where, do=_AGAIN)


def _decoded(raw: bytes, where: str) -> str:
    if b"\0" in raw:
        raise _not_text(where)
    try:
        return raw.removesuffix(b"\n").removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        raise _bad_utf8(raw[error.start], where) from error


def _bad_byte(data: bytes) -> int:
    """Return where UTF-8 breaks, or -1; in pieces, so that no copy of the whole is made."""
    start, view = 0, memoryview(data)
    while start < len(data):
        end = data.find(b"\n", start + _PIECE) + 1 or len(data)
        try:
            str(view[start:end], "utf-8")
        except UnicodeDecodeError as error:
            return start + error.start
        start = end
    return -1


def _line(data: bytes, at: int, where: str) -> str:
    """Return the place of a byte."""
    number = data.count(b"\n", 0, at) + 1
    return f"{where}, line {number}"


def _refuse_utf16(head: bytes, where: str) -> None:
    """Refuse UTF-16, marked or not: in unmarked Latin text every second byte is zero."""
    if head.startswith(_UTF16_MARKS) or (len(head) > 1 and (head[0] == 0) != (head[1] == 0)):
        raise InputError("the file is UTF-16, not UTF-8", where=where, do="Save it as UTF-8")


def _empty(where: str) -> InputError:
    return InputError("the file is empty", where=where, do="Check that it was written in full")


def _not_text(where: str) -> InputError:
    return InputError("the file is not text (a zero byte)", where=where, do="Name a text file")


def _bad_utf8(byte: int, where: str) -> InputError:
    return InputError(f"byte 0x{byte:02X} is not UTF-8", where=where, do="Save the file as UTF-8")

"""A file that is there whole or not at all, whatever happens while it is written."""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol, TextIO, final

from aliquot.errors import AliquotError, InputError
from aliquot.io.text import AnyPath

_SPACE = "Free some space, then try again"
_ELSEWHERE = "Name a place where you may write"
_REASONS = {
    errno.ENOSPC: ("the disk is full", _SPACE),
    errno.EDQUOT: ("your share of the disk is used up", _SPACE),
    errno.EFBIG: ("the file would be larger than this system allows", "Raise the limit"),
    errno.EROFS: ("the disk is read-only", _ELSEWHERE),
    errno.EACCES: ("you may not write here", _ELSEWHERE),
    errno.EPERM: ("you may not write here", _ELSEWHERE),
    errno.ENOENT: ("there is no such directory", "Make the directory first"),
    errno.ENOTDIR: ("there is no such directory", "Make the directory first"),
}


class Sink(Protocol):
    """Where text is written to."""

    def write(self, text: str, /) -> object:
        """Write some text."""


@final
@dataclass(frozen=True)
class _Utf8:
    """Text written as UTF-8, whatever the system's own encoding is."""

    stream: BinaryIO
    where: str

    def write(self, text: str, /) -> object:
        try:
            return self.stream.write(text.encode())
        except UnicodeEncodeError as error:
            raise InputError(
                f"{text[error.start]!a} is half a character, which no file can hold",
                where=self.where,
                do="Correct it where it comes from",
            ) from error


@contextmanager
def replacing(
    path: AnyPath, *, error: type[AliquotError] = InputError
) -> Iterator[tuple[BinaryIO, Path]]:
    """Yield a stream, and the path of the temporary file behind it; at the end it becomes `path`.

    The file and then its directory are forced to the disk. On any failure the temporary file is
    removed and what stood at `path` stays; what the system refuses is raised as `error`.
    """
    target = Path(path)
    temporary = target.parent / f".{uuid.uuid4().hex}.tmp"  # the same disk: renaming is atomic
    try:
        _refuse_special(target, error)
        with temporary.open("xb") as stream:
            yield stream, temporary
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
        _sync_directory(target.parent)
    except OSError as failure:
        _remove(temporary)
        raise unwritable(failure, str(path), error) from failure
    except BaseException:
        _remove(temporary)
        raise


@contextmanager
def text_sink(target: AnyPath | TextIO, *, overwrite: bool) -> Iterator[Sink]:
    """Yield what writes text to a new file, or to a stream that is open already."""
    if not isinstance(target, str | os.PathLike):
        yield target
        return
    if not overwrite:
        refuse_existing(target)
    with replacing(target) as (stream, _):
        yield _Utf8(stream, str(target))


def unwritable(failure: OSError, where: str, error: type[AliquotError]) -> AliquotError:
    """Say why the system did not let us write a file."""
    reason = failure.strerror or failure
    unknown = (f"the file can't be written ({reason})", "Check the path and the disk")
    what, do = _REASONS.get(failure.errno or 0, unknown)
    return error(what, where=where, do=do)


def refuse_existing(path: AnyPath) -> None:
    """Raise an error if there is something at a path already."""
    if Path(path).is_dir():
        raise InputError("this is a directory", where=str(path), do="Name a new file in it")
    if os.path.lexists(path):
        raise InputError(
            "there is a file already", where=str(path), do="Remove it, or name another file"
        )


def _refuse_special(target: Path, error: type[AliquotError]) -> None:
    """Refuse what renaming would destroy: a directory, a device, a pipe."""
    if not target.name or (target.exists() and not target.is_file()):
        raise error("this is not a plain file", where=str(target), do="Name another file")


def _sync_directory(directory: Path) -> None:
    if os.name == "posix":  # elsewhere a directory can't be opened
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)

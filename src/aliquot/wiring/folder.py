"""A study on the disk: one directory with `study.db` and the Parquet parts of the frame."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from aliquot.core.columns import Columns
from aliquot.core.records import FrameRow, Header
from aliquot.engine.arrow import ArrowColumns, ParquetColumns
from aliquot.engine.draft import Draft
from aliquot.engine.frames import assemble
from aliquot.engine.manifest import Manifest, Part, read
from aliquot.errors import (
    AliquotError,
    StudyDamagedError,
    StudyError,
    StudyExistsError,
    StudyMissingError,
)
from aliquot.io.atomic import unwritable
from aliquot.io.parquet import file_hash, write_parquet
from aliquot.store.ledger import SqliteLedger
from aliquot.study.book import Book
from aliquot.wiring.clock import now

if TYPE_CHECKING:
    import pyarrow as pa

DATABASE = "study.db"
HASHED = 1 << 28  # bytes up to which opening a study checks a file against its hash


def create(path: Path, header: Header, draft: Draft) -> Book:
    """Make a study, whole or not at all: it is built beside its place and moved there."""
    _free(path)
    with _beside(path) as building:
        try:
            manifest = _write(building, draft, list(draft.files(1)), None)
            with SqliteLedger.create_at(building / DATABASE) as ledger:
                ledger.create(header, frame_row(1, manifest))
            building.rename(path)
        except StudyError as error:  # it names a file that is gone by now
            raise _unwritable(error.what, path) from None
        except OSError as error:
            raise _os_error(error, path) from None
    return open_(path)


def open_(path: Path) -> Book:
    """Open a study."""
    if not (path / DATABASE).exists():
        what = "there is no study here" if path.is_dir() else "there is no such study"
        raise StudyMissingError(what, where=str(path), do="Check the path, or make a study: init")
    ledger = SqliteLedger.open_at(path / DATABASE)
    try:
        manifest = read(ledger.frames()[-1].manifest)
        parts = {part.file: _columns(path, part) for part in manifest.parts}
        return Book(ledger, assemble(manifest, parts), now)
    except BaseException:
        ledger.close()
        raise


def in_memory(header: Header, draft: Draft) -> tuple[Book, dict[str, Columns]]:
    """Make a study that lives as long as the process; return it with the columns of its parts."""
    hashes = {name: _content_hash(table) for name, table in draft.files(1).items()}
    manifest = draft.manifest(hashes, None)
    ledger = SqliteLedger.in_memory()
    ledger.create(header, frame_row(1, manifest))
    parts: dict[str, Columns] = {n: ArrowColumns(t) for n, t in draft.files(1).items()}
    return Book(ledger, assemble(manifest, parts), now), parts


def grow(path: Path | None, book: Book, draft: Draft, parts: dict[str, Columns]) -> Book:
    """Append a version of the frame that has more systems, and return the study that sees them.

    `parts` holds the columns of a study in memory, and is added to; a study on the disk has files.
    """
    last = book.ledger.frames()[-1]
    if last.hash != book.frame.hash:  # a draft counts the units of the frame that it was made for
        raise StudyError(
            "another process has added to this study", where=str(path), do="Open it again, then add"
        )
    version, old = last.version + 1, read(last.manifest)
    if path is None:
        files = draft.files(version)
        manifest = draft.manifest({n: _content_hash(t) for n, t in files.items()}, old)
        parts |= {name: ArrowColumns(table) for name, table in files.items()}
        return _appended(book, version, manifest, parts)
    names = _reserved(path, draft, version)
    try:
        manifest = _write(path, draft, names, old)
        parts = {part.file: _columns(path, part) for part in manifest.parts}
        return _appended(book, version, manifest, parts)
    except AliquotError:  # after anything else the ledger may hold the version already
        kept = {part.file for row in book.ledger.frames() for part in read(row.manifest).parts}
        for name in set(names) - kept:
            (path / name).unlink(missing_ok=True)
        raise


def _appended(book: Book, version: int, manifest: Manifest, parts: Mapping[str, Columns]) -> Book:
    frame = assemble(manifest, parts)
    book.ledger.add_frame(frame_row(version, manifest))
    return Book(book.ledger, frame, book.clock)


def earlier(path: Path | None, book: Book, parts: Mapping[str, Columns]) -> dict[str, Book]:
    """Return the study as each draw saw it, by the hash of the frame that it was made on.

    `parts` holds the columns of a study in memory.
    """
    found = {book.frame.hash: book}
    needed = {draw.frame_hash for draw in book.ledger.draws()}
    for row in book.ledger.frames():
        if row.hash in needed and row.hash not in found:
            manifest = read(row.manifest)
            if path is not None:
                parts = {part.file: _columns(path, part) for part in manifest.parts}
            found[row.hash] = Book(book.ledger, assemble(manifest, parts), book.clock)
    return found


def damage(path: Path, book: Book) -> list[str]:
    """Compare every file of the frame with the hash it had when it was written."""
    return [
        f"the frame's file {part.file} is not what was written"
        for part in read(book.ledger.frames()[-1].manifest).parts
        if file_hash(path / part.file) != part.hash
    ]


def frame_row(version: int, manifest: Manifest) -> FrameRow:
    """Return what the ledger keeps of a version of the frame."""
    return FrameRow(version, manifest.hash, manifest.units, manifest.text(), now())


def _write(folder: Path, draft: Draft, names: Sequence[str], old: Manifest | None) -> Manifest:
    tables = [table for _, table in draft.tables]
    hashes = {
        name: write_parquet(table, folder / name) for name, table in zip(names, tables, strict=True)
    }
    return draft.manifest(hashes, old)


def _reserved(folder: Path, draft: Draft, version: int, number: int = 1) -> list[str]:
    """Take names that are free: another process may be adding the same version just now."""
    names = list(draft.files(version, f"-{number}" if number > 1 else ""))
    taken: list[Path] = []
    try:
        for file in (folder / name for name in names):
            file.open("xb").close()
            taken.append(file)
    except OSError as error:
        for file in taken:
            file.unlink()
        if isinstance(error, FileExistsError):
            return _reserved(folder, draft, version, number + 1)
        raise unwritable(error, str(folder), StudyError) from error
    return names


def _columns(folder: Path, part: Part) -> Columns:
    """Open a file of the frame. One that is not large is hashed at once, a large one by doctor."""
    file = folder / part.file
    missing = Path(part.file).name != part.file or not file.is_file()
    if missing or (file.stat().st_size <= HASHED and file_hash(file) != part.hash):
        what = "is missing" if missing else "is not what was written"
        raise StudyDamagedError(
            f"the frame's file {part.file} {what}",
            where=str(folder),
            do="Bring the study back from a copy; its judgments are in study.db",
        )
    return ParquetColumns(file)


def _content_hash(table: pa.Table) -> str:
    import hashlib
    import io

    from aliquot.io.parquet import dump

    stream = io.BytesIO()
    dump(table, stream)
    return hashlib.sha256(stream.getbuffer()).hexdigest()


def _free(path: Path) -> None:
    """Refuse a place that is taken. An empty directory is free."""
    if (path / DATABASE).exists():
        raise StudyExistsError(
            "there is a study already", where=str(path), do="Choose another name, or delete it"
        )
    if (path.exists() or path.is_symlink()) and not (path.is_dir() and not any(path.iterdir())):
        raise StudyExistsError(
            "this place is taken", where=str(path), do="Choose the name of a new directory"
        )


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Give a directory beside `path` to build in; whatever is left of it is removed."""
    parent = path.absolute().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=parent))
    except OSError as error:
        raise _os_error(error, path) from None
    try:
        building.chmod(0o777 & ~_umask())
        yield building
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _os_error(error: OSError, path: Path) -> StudyError:
    if isinstance(error, FileExistsError | NotADirectoryError):
        return StudyError(
            "a part of this path is a file", where=str(path), do="Choose another place"
        )
    return _unwritable(str(error.strerror), path)


def _unwritable(why: str, path: Path) -> StudyError:
    return StudyError(
        f"the study can't be written ({why})",
        where=str(path),
        do="Choose a directory that you may write to and that has room",
    )

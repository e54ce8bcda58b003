"""Say what a study, or a file before it becomes one, can and can't support."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from aliquot.cli import out
from aliquot.errors import InputError, StudyDamagedError

if TYPE_CHECKING:
    from aliquot.study.doctor import Finding

EXAMPLE = """examples:
  aliquot doctor news
  aliquot doctor bm25.run

Of a study it checks every file and every reference, redraws each batch from the seed, and lists
what the labels at hand can't support. Exit code 2: it found a problem."""
PROBLEM = 2


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("path", metavar="STUDY|FILE", type=Path, help="what to look over")


def run(arguments: Namespace) -> int:
    """Examine."""
    from aliquot.report.words import findings

    if not arguments.path.exists():
        raise InputError(
            "there is no such study or file", where=str(arguments.path), do="Check the path"
        )
    if arguments.path.is_dir():
        found = _study(arguments.path)
    else:
        from aliquot.wiring.inspecting import inspect

        found = inspect(arguments.path)
    rows = [asdict(one) for one in found]
    out.emit(arguments, "doctor", {"findings": rows}, findings(rows))
    return PROBLEM if any(one.grade == "problem" for one in found) else 0


def _study(path: Path) -> list[Finding]:
    """Examine a study; damage that keeps it from being opened is a finding too."""
    from aliquot.study.doctor import Finding
    from aliquot.wiring.study import Study

    try:
        with Study.open(path) as study:
            return study.doctor()
    except StudyDamagedError as error:
        return [Finding("problem", "record", str(error))]

"""Add a system that did not exist when labels were drawn; old labels count for it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from shlex import quote
from typing import TYPE_CHECKING, Any

from aliquot.cli import out, scales
from aliquot.errors import UsageError
from aliquot.report.words import counted

if TYPE_CHECKING:
    from aliquot.wiring.study import Study

EXAMPLE = """examples:
  aliquot add-system news --runs new.run
  aliquot add-system spam --units new.csv --id id --score 'bert=score>=0.5'"""


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    scales.systems(parser)


def run(arguments: Namespace) -> int:
    """Add the system."""
    from aliquot.wiring.study import Study

    if bool(arguments.runs) == bool(arguments.units):
        raise UsageError("a system is added from --runs or from --units", do="Give one of them")
    scales.check_options(arguments)
    if arguments.units and not (arguments.score or arguments.predicted or arguments.retrieved):
        raise UsageError(
            "no system is named", do="Name one with --score, --predicted or --retrieved"
        )
    with Study.open(arguments.study) as study:
        before = {system.name for system in study.book.frame.systems}
        units = len(study.book.frame)
        add(study, arguments)
        frame = study.book.frame
        added = [system.name for system in frame.systems if system.name not in before]
        carried = study.carried(*added).to_dicts()
    data = {
        "added": added,
        "systems": len(frame.systems),
        "new_units": len(frame) - units,
        "carried": carried,
    }
    lines = [
        (
            f"added {', '.join(added)}, with {counted(len(frame) - units, 'unit')} that the study "
            "did not have"
        ),
        *(_said(row) for row in carried),
        f"next: aliquot estimate {quote(str(arguments.study))}",
    ]
    out.emit(arguments, "add-system", data, "\n".join(lines))
    return 0


def _said(row: dict[str, Any]) -> str:
    judged = (
        f"{counted(row['carried'], 'judged unit')} {'bears' if row['carried'] == 1 else 'bear'}"
    )
    out_of_reach = f"; no draw so far could see {row['unseen']:.1%} of its weight"
    more = out_of_reach if row["unseen"] > 0 else ""
    return f"{row['measure']} of {row['system']}: {judged} on it{more}"


def add(study: Study, arguments: Namespace) -> None:
    """Add runs, or columns of a table."""
    if arguments.runs:
        read = scales.read_runs(arguments, study.book.header.measures)
        study.add_runs(
            {run.name: run for run in read},
            depth=arguments.depth,
            queries=arguments.queries,
            documents=arguments.documents,
        )
        return
    book = study.book
    study.add_systems(
        arguments.units,
        scales.table_spec(arguments, arguments.id or book.header.id_name, book.scale),
    )

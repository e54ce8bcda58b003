"""Make a study: its units, its systems, its labels, its measures and its seed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from shlex import quote
from typing import TYPE_CHECKING, Any

from aliquot.cli import out, scales
from aliquot.errors import UsageError
from aliquot.report.words import counted

if TYPE_CHECKING:
    from aliquot.engine.draft import TableSpec
    from aliquot.wiring.frame import Frame

EXAMPLE = """examples:
  aliquot init news --runs bm25.run dense.run.gz --measure P@10 --measure DCG@20 --seed 7
  aliquot init spam --units items.csv --id id --text subject --score 'svm=score>=0.5' \\
      --labels ham,spam --measure Precision --measure Recall"""

USUAL = 300  # labels that most people can afford


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    scales.systems(parser)
    columns(parser)
    scales.scale_options(parser)
    parser.add_argument("--measure", action="append", help="such as P@10, DCG@20, Recall, F1, Mean")
    parser.add_argument("--seed", type=int, default=0, help="the one number behind every draw (0)")


def columns(parser: ArgumentParser) -> None:
    """Add the options that name more columns of a table."""
    table = parser.add_argument_group("more columns of a table")
    table.add_argument(
        "--text", nargs="+", action="extend", metavar="COL", help="what a judge is shown"
    )
    table.add_argument(
        "--image", action="append", metavar="COL", help="an image that a judge is shown"
    )
    table.add_argument(
        "--judge",
        action="append",
        metavar="NAME=COL",
        help="an automatic judge's label or probability",
    )
    table.add_argument(
        "--cluster", metavar="COL", help="units that belong together, such as a patient's"
    )
    table.add_argument("--cost", metavar="COL", help="what judging a unit costs")
    table.add_argument("--stratum", metavar="COL", help="strata for stratified draws")
    table.add_argument(
        "--weight", action="append", metavar="COL", help="how much a unit counts: Mean(weight=COL)"
    )
    table.add_argument(
        "--group",
        action="append",
        metavar="COL",
        help="groups that count alike, such as relations: Precision(macro=COL)",
    )


def run(arguments: Namespace) -> int:
    """Make the study."""
    from aliquot.study.draw import drawable
    from aliquot.wiring.study import Study

    frame = read(arguments)
    with Study.create(
        arguments.study, frame, measures=arguments.measure or [], rng=arguments.seed
    ) as study:
        header = study.book.header
        budget = drawable(study.book, USUAL)
        data: dict[str, Any] = {
            "study": str(arguments.study),
            "units": len(frame),
            "systems": list(frame.systems),
            "topics": len(study.book.frame.topics),
            "measures": list(header.measures),
            "scale": header.scale,
            "seed": header.seed,
            "frame_hash": study.book.frame.hash,
        }
    out.note(frame.draft.notes)
    size = f"{counted(len(frame), 'unit')}, {counted(len(frame.systems), 'system')}"
    place = quote(str(arguments.study))
    then = f"next: aliquot draw {place} --budget {budget}"
    if not budget:  # a system that retrieves nothing has no precision
        then = "nothing to draw yet: no unit bears on what is measured; add a system: add-system"
    text = (
        f"{arguments.study}: {size}, measuring {', '.join(header.measures)} on {header.scale}\n"
        f"{then}"
    )
    out.emit(arguments, "init", data, text)
    return 0


def read(arguments: Namespace) -> Frame:
    """Read the frame from runs or from a table."""
    from aliquot.wiring import frame

    if bool(arguments.runs) == bool(arguments.units):
        raise UsageError("a study is made from --runs or from --units", do="Give one of them")
    scales.check_options(arguments)
    if arguments.runs:
        scale = scales.read_scale(arguments)
        return frame.pooled(
            scales.read_runs(arguments, arguments.measure or ()),
            scale,
            arguments.queries,
            arguments.documents,
        )
    made = spec(arguments)
    return frame.tabled(str(arguments.units), made)


def spec(arguments: Namespace) -> TableSpec:
    """Return how the table of units is to be read."""
    if not arguments.id:
        raise UsageError("--units needs --id", do="Name the column with each unit's id")
    return scales.table_spec(arguments, arguments.id, scales.read_scale(arguments))

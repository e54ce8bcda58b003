"""List what waits for a judgment, in the random order in which it should be judged.

The list is a sheet: fill in its label column and give it to `aliquot record`. It shows a judge
nothing that could sway: no system, no score, no rank, no probability.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from shlex import quote

from aliquot.cli import out, scales
from aliquot.errors import UsageError

EXAMPLE = """examples:
  aliquot queue news > sheet.csv
  aliquot queue news --to jsonl --limit 50"""


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument("--to", choices=("csv", "jsonl"), default="csv", help="the sheet's format")
    parser.add_argument("--limit", type=int, help="only the first so many")


def run(arguments: Namespace) -> int:
    """List the queue."""
    from aliquot.io.export import write_rows
    from aliquot.wiring.study import Study

    if arguments.limit is not None and arguments.limit < 1:
        raise UsageError(f"--limit {arguments.limit} lists nothing", do="Use 1 or more")
    with Study.open(arguments.study) as study:
        rows = [row.to_dict() for row in study.queue()]
        columns = ["unit", *study.book.frame.payload, "label"]
        drawn = study.progress.drawn
    if not rows:
        why = "every drawn unit was judged or passed over" if drawn else "nothing was drawn yet"
        name = quote(str(arguments.study))
        out.note([f"nothing waits, because {why}; draw with aliquot draw {name} --budget N"])
    shown = rows[: arguments.limit] if arguments.limit is not None else rows
    if arguments.json:
        out.emit(arguments, "queue", {"waiting": len(rows), "units": shown}, "")
        return 0
    sheet = [row | {"label": None} for row in shown]
    write_rows(sheet, columns, fmt=arguments.to, out=None, stdout=sys.stdout)
    return 0

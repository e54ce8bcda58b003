"""Write the standing judgments out, with the probability that each unit was drawn with.

Or write units for another tool to label: label-studio has what waits, as tasks in random order and
without predictions; asreview has all that was drawn, included where it was judged so.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from aliquot.cli import out, scales
from aliquot.report.words import counted

EXAMPLE = """examples:
  aliquot export news --to csv --out labels.csv
  aliquot export news --to prels > news.prels
  aliquot export spam --to label-studio --out tasks.json"""

FORMATS = ("csv", "jsonl", "parquet", "qrels", "prels", "label-studio", "asreview")
UNITS = ("label-studio", "asreview")  # these hold units, not judgments


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument(
        "--to", choices=FORMATS, help="the format; without it the file's name tells, or it is csv"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="a new file (stdout)")


def run(arguments: Namespace) -> int:
    """Export."""
    from aliquot.wiring import exporting
    from aliquot.wiring.study import Study

    with Study.open(arguments.study) as study:
        rows = exporting.rows(study.book)
        if arguments.json and arguments.out is None:
            out.emit(arguments, "export", {"rows": rows}, "")
            return 0
        told = arguments.out.suffix.removeprefix(".") if arguments.out else ""
        fmt = arguments.to or (told if told in FORMATS else "csv")
        count = exporting.write(study.book, rows, fmt, arguments.out or sys.stdout)
    if arguments.out is not None:
        what = "unit" if fmt in UNITS else "judgment"
        data = {"file": str(arguments.out), f"{what}s": count}
        out.emit(arguments, "export", data, f"{counted(count, what)} written to {arguments.out}")
    return 0

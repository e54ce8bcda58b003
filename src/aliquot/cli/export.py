"""Write the standing judgments out, with the probability that each unit was drawn with."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from aliquot.cli import out, scales
from aliquot.report.words import counted

EXAMPLE = """examples:
  aliquot export news --to csv --out labels.csv
  aliquot export news --to prels > news.prels"""

FORMATS = ("csv", "jsonl", "parquet", "qrels", "prels")


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
        exporting.write(study.book, rows, fmt, arguments.out or sys.stdout)
    if arguments.out is not None:
        data = {"file": str(arguments.out), "judgments": len(rows)}
        text = f"{counted(len(rows), 'judgment')} written to {arguments.out}"
        out.emit(arguments, "export", data, text)
    return 0

"""Write the standing judgments out, with the probability that each unit was drawn with."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from aliquot.cli import out, scales

EXAMPLE = """examples:
  aliquot export news --to csv --out labels.csv
  aliquot export news --to prels > news.prels"""


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument(
        "--to", choices=("csv", "jsonl", "parquet", "qrels", "prels"), default="csv"
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
        exporting.write(study.book, rows, arguments.to, arguments.out or sys.stdout)
    if arguments.out is not None:
        data = {"file": str(arguments.out), "judgments": len(rows)}
        out.emit(arguments, "export", data, f"{len(rows)} judgments written to {arguments.out}")
    return 0

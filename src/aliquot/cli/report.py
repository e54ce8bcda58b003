"""Write one file to read, print and mail: estimates, how they came about, and what they assume.

The file needs no network and runs no script. Its name says the format: .html or .md.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from aliquot.cli import out, scales

EXAMPLE = """examples:
  aliquot report news --out report.html
  aliquot report news --out report.md --level 0.9 --over like-these"""


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", required=True, help="a new file")
    parser.add_argument("--level", type=float, default=0.95, help="confidence (0.95)")
    parser.add_argument("--over", choices=("these", "like-these"), default="these")
    parser.add_argument("--force", action="store_true", help="overwrite the file if there is one")


def run(arguments: Namespace) -> int:
    """Write the report."""
    from aliquot.wiring.study import Study

    with Study.open(arguments.study) as study:
        study.report(
            arguments.out, level=arguments.level, over=arguments.over, overwrite=arguments.force
        )
    data = {"file": str(arguments.out), "bytes": arguments.out.stat().st_size}
    out.emit(arguments, "report", data, f"report written to {arguments.out}")
    return 0

"""Run a published table or figure again, and set it beside what the paper prints.

The tolerance of each number comes from rounding in print and from the repetitions on both sides.
Where a printed number can't be reached the answer says so, and why.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from aliquot.cli import out, progress

EXAMPLE = """examples:
  aliquot reproduce list
  aliquot reproduce webber.table3
  aliquot reproduce webber.table3 --fast --json"""
COLUMNS = ("row", "column", "printed", "ours", "tolerance", "agrees")


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "name", nargs="?", default="list", metavar="NAME", help="a table or figure, or list"
    )
    parser.add_argument("--fast", action="store_true", help="fewer repetitions; it says so")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where real data lies")
    parser.add_argument("--seed", type=int, default=1, help="the number behind every draw (1)")


def run(arguments: Namespace) -> int:
    """Run one, or list them all."""
    from aliquot.papers.base import Settings
    from aliquot.papers.registry import PAPERS, entry
    from aliquot.report.table import text
    from aliquot.wiring.clock import stopwatch

    if arguments.name == "list":
        rows = [
            {"name": one.name, "title": one.title, "data": "--data DIR" if one.data else ""}
            for one in PAPERS
        ]
        out.emit(arguments, "reproduce", {"rows": rows}, text(rows))
        return 0
    seconds = stopwatch()
    asked = Settings(arguments.fast, arguments.data, arguments.seed, progress.show)
    found = entry(arguments.name).load()(asked)
    data = {"name": arguments.name, **found.to_dict(), "fast": arguments.fast}
    said = f"{'agrees' if found.agrees else 'does not agree'}: {found.note}"
    if arguments.fast:
        said += "\nA fast run: fewer repetitions than the table was checked with."
    table = text(data["cells"], COLUMNS)
    out.emit(arguments, "reproduce", data | {"seconds": seconds()}, f"{table}\n\n{said}")
    return 0

"""Tell the whole story on made data: five search systems, 300 labels, and the truth beside them.

It needs no network and no files, and takes some seconds. Without --out it leaves nothing behind.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from aliquot.cli import out, progress

EXAMPLE = """examples:
  aliquot demo
  aliquot demo --out tour       keeps the study, and files to try every command on
  aliquot demo --seed 8         the same data, other luck"""


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--out", type=Path, metavar="DIR", help="a new directory for the files")
    parser.add_argument("--seed", type=int, default=7, help="the number behind the draw (7)")


def run(arguments: Namespace) -> int:
    """Tell the story."""
    from aliquot.report.story import told
    from aliquot.wiring.demo import tell

    story = tell(arguments.out, seed=arguments.seed, progress=progress.show).to_dict()
    folder = str(arguments.out) if arguments.out else ""
    out.emit(arguments, "demo", story | {"out": folder or None}, told(story, folder))
    return 0

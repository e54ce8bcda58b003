"""Say how many labels a width needs, or what width a budget buys; it changes nothing.

The answer rests on a guess of the labels from scores and ranks. It helps to choose a budget and a
design; only labels can say what the width really is.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from aliquot.cli import out, scales

EXAMPLE = """examples:
  aliquot plan news --budget 300
  aliquot plan news --width 0.1 --goal pair:bm25,dense"""
COLUMNS = ("design", "measure", "labels", "width")


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument("--budget", type=int, default=0, help="how many labels in all")
    parser.add_argument(
        "--width", type=float, default=0.0, help="how wide the 95%% interval may be"
    )
    parser.add_argument("--goal", default="each", help="what the labels are for (each)")


def run(arguments: Namespace) -> int:
    """Plan."""
    from aliquot.report.table import text
    from aliquot.wiring.study import Study

    with Study.open(arguments.study) as study:
        found = study.plan(
            budget=arguments.budget, width=arguments.width, goal=arguments.goal
        ).to_dicts()
    asked = {"budget": arguments.budget} if arguments.budget else {"width": arguments.width}
    data: dict[str, Any] = {"target": asked | {"goal": arguments.goal}, "rows": found}
    out.emit(arguments, "plan", data, text(found, COLUMNS))
    return 0

"""Compare two systems, or every two; p-values allow for how many comparisons there are (Holm)."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aliquot.cli import out, scales
from aliquot.errors import UsageError

EXAMPLE = """examples:
  aliquot compare news
  aliquot compare news bm25 dense --measure P@10"""
SHOWN = 40  # rows of text; --json has all


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument("systems", metavar="SYSTEM", nargs="*", help="two systems; none: every two")
    parser.add_argument("--measure", action="append", help="others than the study's own")
    parser.add_argument("--level", type=float, default=0.95, help="confidence (0.95)")
    parser.add_argument("--estimator", default="default", help="how totals are estimated")
    parser.add_argument("--over", choices=("these", "like-these"), default="these")


def run(arguments: Namespace) -> int:
    """Compare."""
    from aliquot.report.words import compared
    from aliquot.wiring.study import Study

    if len(arguments.systems) not in (0, 2):
        raise UsageError("a comparison needs two systems or none", do="Name both, or neither")
    a, b = arguments.systems or (None, None)
    with Study.open(arguments.study) as study:
        found = study.compare(
            a,
            b,
            measure=arguments.measure or (),
            level=arguments.level,
            estimator=arguments.estimator,
            over=arguments.over,
        )
    data = found.to_dict()
    out.emit(arguments, "compare", data, compared(data, arguments.level, SHOWN))
    return 0

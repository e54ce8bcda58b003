"""Precision at every rank of one system, with a band that holds at all of them at once.

A threshold may be chosen after a look at the curve: the band holds there too. The labels are those
of the study, whatever they were drawn for; `aliquot draw --goal curve:SYSTEM` adds those that help
the curve most.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aliquot.cli import out, scales

if TYPE_CHECKING:
    from aliquot.curves.operating import Operating
    from aliquot.wiring.study_curve import StudyCurve

EXAMPLE = """examples:
  aliquot curve news --system bm25
  aliquot curve news --system bm25 --at-least 0.9
  aliquot curve news --system bm25 --rank 100 --plot bm25.svg --out bm25.csv

methods: band (from all labels; assumes nothing about the shape of the curve), or the strategy that
you drew with, as in 'adastrat(start=1000)': its own curve, from the labels that it asked for"""
COLUMNS = ("rank", "threshold", "precision", "low", "high", "recall", "recall low", "recall high")


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument("--system", required=True, help="a system with scores, or a ranking")
    parser.add_argument("--level", type=float, default=0.95, help="confidence (0.95)")
    parser.add_argument(
        "--method", default="band", help="how the ends are found (band, or a strategy)"
    )
    parser.add_argument("--rel", type=float, help="the least grade or number that is positive")
    parser.add_argument(
        "--at-least",
        type=float,
        metavar="P",
        help="find the lowest threshold that is sure to have this precision; exit 2 if none is",
    )
    parser.add_argument(
        "--threshold", type=float, action="append", metavar="X", help="what this score gives"
    )
    parser.add_argument(
        "--rank", type=int, action="append", metavar="R", help="what the first R units give"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="a picture: .svg or .png")
    parser.add_argument("--out", type=Path, metavar="FILE.csv", help="the points, to a new file")
    parser.add_argument("--force", action="store_true", help="overwrite files that are there")


def run(arguments: Namespace) -> int:
    """Show the curve."""
    from aliquot.wiring.study import Study

    with Study.open(arguments.study) as study:
        curve = study.curve(
            arguments.system, level=arguments.level, method=arguments.method, rel=arguments.rel
        )
    asked = [curve.above(x) for x in arguments.threshold or ()]
    asked += [curve.at(rank) for rank in arguments.rank or ()]
    sure = None if arguments.at_least is None else curve.at_least(arguments.at_least)
    _files(arguments, curve, [*asked, *([sure] if sure else [])])
    data = curve.to_dict()
    data |= {"asked": [one.to_dict() for one in asked]}
    data |= {"at_least": _found(arguments.at_least, sure)}
    out.emit(arguments, "curve", data, _text(curve, asked, _said(arguments.at_least, sure)))
    if not arguments.json:
        out.note(curve.warnings)
    return 2 if arguments.at_least is not None and sure is None else 0


def _files(arguments: Namespace, curve: StudyCurve, marks: list[Operating]) -> None:
    if arguments.plot:
        curve.save(arguments.plot, marks=marks, overwrite=arguments.force)
    if arguments.out:
        curve.write(arguments.out, overwrite=arguments.force)


def _found(asked: float | None, sure: Operating | None) -> dict[str, Any] | None:
    if asked is None:
        return None
    point = sure.to_dict() if sure else None
    return {"precision": asked, "met": sure is not None, "point": point}


def _said(asked: float | None, sure: Operating | None) -> str:
    if asked is None:
        return ""
    if sure is None:
        return f"no threshold is sure to have precision {asked:g}; more labels may find one"
    return (
        f"lowest threshold sure to have precision {asked:g}: {sure.threshold:g}, which keeps "
        f"{sure.rank} units"
    )


def _text(curve: StudyCurve, asked: list[Operating], said: str) -> str:
    from aliquot.report.table import text

    rows = [_row(one) for one in asked or curve.operating()]
    made = curve.curve
    sure = f"all ends hold at once, {made.level:.4g}"
    sure = "the ends are no bounds" if made.guarantee == "none" else sure
    head = (
        f"{curve.system}: {made.n} units ranked, {made.annotations} judged; {sure}, "
        f"{made.guarantee}"
    )
    return "\n".join(part for part in (head, text(rows, COLUMNS), said) if part)


def _row(one: Operating) -> dict[str, Any]:
    return {
        "rank": one.rank,
        "threshold": one.threshold,
        "precision": one.precision,
        "low": one.precision_low,
        "high": one.precision_high,
        "recall": one.recall,
        "recall low": one.recall_low,
        "recall high": one.recall_high,
    }

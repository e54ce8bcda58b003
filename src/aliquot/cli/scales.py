"""Options that several commands share: the label scale, and the systems of a table or of runs."""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from aliquot.cli import out
from aliquot.errors import UsageError

if TYPE_CHECKING:
    from aliquot.core.scale import Scale
    from aliquot.engine.draft import TableSpec
    from aliquot.engine.manifest import SystemRow
    from aliquot.io.run_order import Run


RUNS_ONLY = {"depth": None, "ranks": "check", "queries": None, "documents": None}
COLUMNS = ("id", "score", "predicted", "retrieved", "text", "image", "judge", "cluster")
TABLE_ONLY = dict.fromkeys((*COLUMNS, "cost", "stratum", "weight", "group"))


def study(parser: ArgumentParser) -> None:
    """Add the study, which every command takes first."""
    parser.add_argument("study", metavar="STUDY", type=Path, help="the study's directory")


def systems(parser: ArgumentParser) -> None:
    """Add the options that name systems: runs, or columns of a table."""
    runs = parser.add_argument_group("rankings (TREC runs)")
    runs.add_argument(
        "--runs",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="runs, plain or gzip; name=FILE names one",
    )
    runs.add_argument(
        "--depth", type=int, help="how deep each topic is pooled (100, or as a measure looks)"
    )
    runs.add_argument(
        "--ranks",
        choices=("check", "score", "column"),
        default="check",
        help="what orders a run: both, which must agree (check), the score, or the rank column",
    )
    runs.add_argument("--queries", metavar="FILE", help="TSV: topic, text")
    runs.add_argument("--documents", metavar="FILE|DIR", help="texts of the documents")
    table = parser.add_argument_group("a table of units")
    table.add_argument("--units", metavar="FILE", help="CSV, TSV, JSONL or Parquet, one row a unit")
    table.add_argument("--id", metavar="COL", help="the column with each unit's id")
    table.add_argument(
        "--score",
        action="append",
        metavar="NAME=COL[>=T]",
        help="a system that scores; with a threshold it also retrieves",
    )
    table.add_argument(
        "--predicted", action="append", metavar="NAME=COL", help="a system that predicts a label"
    )
    table.add_argument(
        "--retrieved",
        action="append",
        metavar="NAME=COL",
        help="a system that retrieves a set (0/1)",
    )


def scale_options(parser: ArgumentParser) -> None:
    """Add the options that name the label scale."""
    group = parser.add_argument_group("labels (one of)")
    group.add_argument(
        "--labels", metavar="NO,YES", help="two labels, the negative one first (no,yes)"
    )
    group.add_argument("--classes", metavar="A,B,C", help="several classes")
    group.add_argument("--grades", metavar="0..3", help="whole numbers")
    group.add_argument("--number", metavar="0..1", help="any number of a range")


def read_scale(arguments: Namespace) -> Scale:
    """Return the scale that was asked for."""
    from aliquot.wiring.frame import scale

    names = ("labels", "classes", "grades", "number")
    asked = {name: getattr(arguments, name) for name in names if getattr(arguments, name)}
    if len(asked) > 1:
        options = " and ".join(f"--{name}" for name in asked)
        raise UsageError(f"a study has one scale, not {options}", do="Choose one")
    return scale(**asked)


def read_runs(arguments: Namespace, measures: Sequence[str]) -> list[Run]:
    """Read the runs that were named; without --depth, as deep as the measures look."""
    from aliquot.io import runs
    from aliquot.wiring.frame import deepest

    depth = deepest(measures) if arguments.depth is None else arguments.depth
    found = runs.read_runs(arguments.runs, order=arguments.ranks, depth=depth)
    out.note(f"{run.name}: {text}" for run in found for text in run.notes)
    return found


def table_spec(arguments: Namespace, id_name: str, scale: Scale) -> TableSpec:
    """Return how the table of units is to be read."""
    from aliquot.engine.draft import TableSpec

    more = vars(arguments)
    payload = [*(more.get("text") or []), *(more.get("image") or [])]
    return TableSpec(
        id_name,
        specs(arguments),
        tuple(pair("--judge", text) for text in more.get("judge") or []),
        tuple(dict.fromkeys(payload)),
        more.get("cluster") or "",
        more.get("cost") or "",
        more.get("stratum") or "",
        scale,
        str(arguments.units),
        weights=tuple(dict.fromkeys(more.get("weight") or [])),
        groups=tuple(dict.fromkeys(more.get("group") or [])),
    )


def specs(arguments: Namespace) -> tuple[SystemRow, ...]:
    """List the systems that the options name."""
    from aliquot.wiring.frame import systems as listed

    scored: list[tuple[str, tuple[str, float] | str]] = []
    for text in arguments.score or []:
        name, column = pair("--score", text)
        column, sign, threshold = _split(text, column)
        scored.append((name, (column, _threshold(text, threshold)) if sign else column))
    predicted = [pair("--predicted", text) for text in arguments.predicted or []]
    retrieved = [pair("--retrieved", text) for text in arguments.retrieved or []]
    _once([name for name, _ in [*scored, *predicted, *retrieved]])
    return listed(dict(scored), dict(predicted), dict(retrieved))


def _split(text: str, column: str) -> tuple[str, str, str]:
    """Split COLUMN>=T; another sign is a slip unless it is in the column's name."""
    found = column.partition(">=")
    sign = next((sign for sign in ("<=", "<", ">", "==") if sign in column), "")
    tail = column.rpartition(sign[-1:])[2].strip() if sign else ""
    if not found[1] and tail.replace(".", "", 1).isdigit():
        raise UsageError(f"--score {text} has {sign}, not >=", do="Spell it like svm=score>=0.5")
    return found


def _threshold(text: str, threshold: str) -> float:
    with suppress(ValueError):
        if math.isfinite(float(threshold)):
            return float(threshold)
    raise UsageError(
        f"'{threshold}' in --score {text} is not a number", do="Spell it like svm=score>=0.5"
    )


def check_options(arguments: Namespace) -> None:
    """Refuse an option that the chosen kind of study would ignore."""
    kind, other = ("--runs", TABLE_ONLY) if arguments.runs else ("--units", RUNS_ONLY)
    for name, default in other.items():
        if getattr(arguments, name, default) != default:
            right = "--units" if arguments.runs else "--runs"
            raise UsageError(
                f"--{name} belongs to {right}, not to {kind}", do=f"Leave it out, or give {right}"
            )


def pair(option: str, text: str) -> tuple[str, str]:
    """Split NAME=COLUMN."""
    name, sign, column = text.partition("=")
    unnamed = name.endswith(">")  # COLUMN>=T
    if unnamed or not (name.strip() and sign and column.strip()):
        raise UsageError(f"{option} {text} is not NAME=COLUMN", do=f"Spell it like {option} a=col")
    return name.strip(), column.strip()


def _once(names: Sequence[str]) -> None:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise UsageError(f"two systems are both called {twice[0]}", do="Rename one of them")

"""Estimate every measure of every system, with intervals."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from aliquot.cli import out, scales
from aliquot.errors import UsageError
from aliquot.report.words import listed

EXAMPLE = """examples:
  aliquot estimate news
  aliquot estimate news --measure P@5 --level 0.9 --over like-these --json
  aliquot estimate news --measure Recall --elsewhere 100,63

estimators: default, ht, priority, ratio, hajek, hh, joint, simple, calibrated, difference
intervals: default, normal, t, log, logit, guarded, betabin, wilson, gamma, unseen, hoeffding,
    hoeffding-printed, bernstein, betting, edgeworth
--over these: these units and topics; like-these: the population that they came from"""
COLUMNS = ("system", "measure", "estimate", "low", "high", "effective_n", "estimator", "guarantee")


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument("--measure", action="append", help="others than the study's own")
    parser.add_argument("--level", type=float, default=0.95, help="confidence (0.95)")
    parser.add_argument("--estimator", default="default", help="how totals are estimated")
    parser.add_argument("--interval", default="default", help="how the interval is made")
    parser.add_argument(
        "--elsewhere",
        metavar="FILE|N,G",
        help="relevant units found some other way; or how many, and how many of them are here",
    )
    parser.add_argument("--over", choices=("these", "like-these"), default="these")


def run(arguments: Namespace) -> int:
    """Estimate."""
    from aliquot.report.table import text, told_apart
    from aliquot.wiring.study import Study

    with Study.open(arguments.study) as study:
        found = study.estimate(
            measure=arguments.measure or (),
            level=arguments.level,
            estimator=arguments.estimator,
            interval=arguments.interval,
            over=arguments.over,
            elsewhere=_elsewhere(arguments.elsewhere),
        )
    rows = found.to_dicts()
    out.emit(arguments, "estimate", {"rows": rows}, text(rows, told_apart(COLUMNS, rows)))
    if not arguments.json:
        out.note(notes(rows))
    return 0


def _elsewhere(text: str | None) -> object:
    """Read two counts, or leave the name of a file."""
    parts = [] if text is None else text.split(",")
    counts = len(parts) == 2 and all(part.strip().isdecimal() for part in parts)
    if counts or text is None:
        return tuple(int(part) for part in parts) or None
    if not Path(text).is_file():
        raise UsageError(
            f"'{text}' is neither two counts nor a file",
            where="--elsewhere",
            do="Write such as 100,63, or name a file of labels",
        )
    return text


def notes(rows: list[dict[str, Any]]) -> list[str]:
    """Gather warnings: one that many rows share is said once."""
    said: dict[str, list[str]] = {}
    for row in rows:
        for warning in row["warnings"]:
            name = f"{row['measure']} of {row['system']}" if row["system"] else row["measure"]
            name += " (assisted)" if row["assisted"] else ""
            said.setdefault(warning, []).append(name)
    return [
        warning if len(who) == len(rows) else f"{listed(who)}: {warning}"
        for warning, who in said.items()
    ]

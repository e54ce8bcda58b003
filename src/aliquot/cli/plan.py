"""Say how many labels a width needs, or what width a budget buys; it changes nothing.

Of a study: the answer rests on a guess of the labels from scores and ranks. With the name of a
system as goal, once there are labels: the fewest further ones that it needs, on the labels there,
the worst labels where there are none. Of a measure (recall,
precision, f1, elusion, proportion) and two segments, without a study: on a guess that you give, a
value such as 0.7 or a range such as 0.6..0.8, or on counts N,n,r where some labels are there. It
helps to choose a budget and a design; only labels can say what the width really is.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aliquot.cli import out
from aliquot.errors import UsageError

if TYPE_CHECKING:
    from aliquot.planner.advice import Advice

EXAMPLE = """examples:
  aliquot plan news --budget 300
  aliquot plan news --width 0.1 --goal pair:bm25,dense
  aliquot plan news --width 2 --goal dense
  aliquot plan recall --retrieved 7400 --unretrieved 992600 --recall 0.7 --precision 0.5 --width 0.2
  aliquot plan recall --retrieved 7400,50,23 --unretrieved 992600,500,1 --budget 2000

A study in a directory named as a measure is ./recall."""
COLUMNS = ("design", "measure", "labels", "width")
TOPPED = ("design", "measure", "estimator", "draws", *COLUMNS[2:], "expected", "carried", "unseen")
TOLD = (
    "labels are further ones; width is with the worst labels where no draw could see so far, "
    "expected with labels as ranks and scores suggest"
)
SHOWN = ("retrieved", "unretrieved", "share", "width", "wider", "best")
MEASURES = ("recall", "precision", "f1", "elusion", "proportion")
SEGMENTS = ("retrieved", "unretrieved", "units")
GUESSES = ("recall", "precision", "elusion", "prevalence")


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("study", metavar="STUDY|MEASURE", help="the study's directory; or recall")
    parser.add_argument("--budget", type=int, default=0, help="how many labels in all")
    parser.add_argument("--width", type=float, default=0.0, help="how wide the interval may be")
    parser.add_argument("--goal", help="what the labels of a study are for (each)")
    group = parser.add_argument_group("a measure, without a study")
    group.add_argument("--retrieved", metavar="N", help="units retrieved; or N,n,r")
    group.add_argument("--unretrieved", metavar="N", help="units not retrieved; or N,n,r")
    group.add_argument("--units", metavar="N", help="units, for a proportion; or N,n,r")
    for name in GUESSES:
        group.add_argument(f"--{name}", metavar="GUESS", help=f"your guess of {name}, or a range")
    group.add_argument("--level", type=float, help="the confidence (0.95)")
    group.add_argument("--beta", type=float, help="the beta of F (1)")


def run(arguments: Namespace) -> int:
    """Plan."""
    own = ("level", "beta", *SEGMENTS, *GUESSES)
    given = [f"--{name}" for name in own if getattr(arguments, name) is not None]
    if arguments.study in MEASURES:
        return _counted(arguments, given)
    if given:
        measures = ", ".join(MEASURES)
        raise UsageError(
            f"{given[0]} goes with a measure, and '{arguments.study}' is none",
            do=f"Measures are {measures}; for a study leave it out",
        )
    return _study(arguments)


def _study(arguments: Namespace) -> int:
    from aliquot.report.table import text
    from aliquot.wiring.study import Study

    goal = arguments.goal or "each"
    with Study.open(Path(arguments.study)) as study:
        found = study.plan(budget=arguments.budget, width=arguments.width, goal=goal).to_dicts()
    data: dict[str, Any] = {"target": _asked(arguments) | {"goal": goal}, "rows": found}
    topped = "carried" in found[0]
    twice = topped and any(row["draws"] != row["labels"] for row in found)
    columns = [name for name in TOPPED if twice or name not in ("draws", "estimator")]
    out.emit(arguments, "plan", data, text(found, columns if topped else COLUMNS))
    if topped and not arguments.json:
        out.note([TOLD])
    return 0


def _counted(arguments: Namespace, given: list[str]) -> int:
    from aliquot.report.advice import sentences
    from aliquot.report.table import text
    from aliquot.wiring.plan import plan

    if arguments.goal is not None:
        raise UsageError("--goal is for a study", do=f"For one, write ./{arguments.study}")
    if not given and Path(arguments.study).is_dir():
        raise UsageError(
            f"'{arguments.study}' is a measure, and needs --retrieved and --unretrieved",
            do=f"For the study of that name write ./{arguments.study}",
        )
    asked: dict[str, Any] = {name: _counts(getattr(arguments, name), name) for name in SEGMENTS}
    asked |= {name: _guess(getattr(arguments, name), name) for name in GUESSES}
    numbers = ((name, getattr(arguments, name)) for name in ("level", "beta"))
    asked |= {name: number for name, number in numbers if number is not None}
    found: Advice = plan(arguments.study, budget=arguments.budget, width=arguments.width, **asked)
    told = found.to_dict()
    target = {"measure": found.measure, "level": found.level} | _asked(arguments)
    data = {"target": target, "best": told["best"], "rows": told["rows"]}
    table = text(told["rows"], SHOWN if len(found.rows) > 1 else COLUMNS[1:])
    out.emit(arguments, "plan", data, "\n\n".join([table, "\n".join(sentences(found))]))
    return 0


def _asked(arguments: Namespace) -> dict[str, float]:
    return {"budget": arguments.budget} if arguments.budget else {"width": arguments.width}


def _counts(text: str | None, name: str) -> list[int] | None:
    if text is None:
        return None
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(
            f"'{text}' is neither N nor N,n,r", where=f"--{name}", do="Write such as 2000"
        ) from None


def _guess(text: str | None, name: str) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, _, high = text.partition("..")
        found = float(low), float(high or low)
        if not all(map(math.isfinite, found)):
            raise ValueError
    except ValueError:
        raise UsageError(
            f"'{text}' is no share", where=f"--{name}", do="Write such as 0.7, or 0.6..0.8"
        ) from None
    return found

"""Try designs on what you have labelled already, before money is spent on labels.

Every unit's label is known: --qrels FILE for runs, --truth COL for a table. Samples are drawn and
judged by the truth again and again. What comes out is the bias, the error, and how often the
intervals hold the truth. Baselines such as top can be tried beside.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from aliquot.cli import init, out, progress, scales
from aliquot.errors import UsageError
from aliquot.report.words import counted

if TYPE_CHECKING:
    from aliquot.study.labelled import Truth
    from aliquot.wiring.frame import Frame
    from aliquot.wiring.simulate import Trials

EXAMPLE = """examples:
  aliquot simulate --list
  aliquot simulate --runs bm25.run dense.run.gz --qrels trec8.qrels --measure P@5 \\
      --budget 100 --design default --design uniform --design top --reps 50
  aliquot simulate --units items.csv --id id --truth spam --score 'svm=score>=0.5' \\
      --measure Recall --measure F1 --budget 100 --reps 50"""
SHOWN = (
    "design",
    "budget",
    "measure",
    "system",
    "truth",
    "bias",
    "bias_se",
    "rmse",
    "coverage",
    "width",
    "labels",
)
FEW = 5  # systems up to which each has a line of its own


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--list", action="store_true", help="list what can be tried, and stop")
    truth = parser.add_argument_group("the truth")
    truth.add_argument("--qrels", metavar="FILE", help="the labels of the runs' documents")
    truth.add_argument("--truth", metavar="COL", help="the column with each unit's label")
    tried = parser.add_argument_group("what is tried (designs, budgets and more can be repeated)")
    tried.add_argument("--design", action="append", help="how units are chosen (default)")
    tried.add_argument("--budget", type=int, action="append", help="how many units are drawn")
    tried.add_argument(
        "--width",
        type=float,
        default=0.0,
        help="instead: search the labels that this mean width needs",
    )
    tried.add_argument("--estimator", action="append", help="how totals are estimated")
    tried.add_argument("--interval", action="append", help="how the interval is made")
    tried.add_argument("--goal", default="each", help="what the labels are for (each)")
    tried.add_argument("--level", type=float, default=0.95, help="confidence (0.95)")
    tried.add_argument("--over", choices=("these", "like-these"), default="these")
    tried.add_argument("--reps", type=int, default=200, help="how many samples are drawn (200)")
    tried.add_argument("--seed", type=int, default=0, help="the number behind every draw (0)")
    parser.add_argument("--measure", action="append", help="such as P@10, DCG@20, Recall, F1, Mean")
    scales.systems(parser)
    init.columns(parser)
    scales.scale_options(parser)


def run(arguments: Namespace) -> int:
    """Simulate, or list what can be."""
    from aliquot.report.table import text

    if arguments.list:
        from aliquot.wiring.spellings import spellings

        rows = spellings()
        out.emit(arguments, "simulate", {"spellings": rows}, text(rows))
        return 0
    from aliquot.wiring.simulate import run as simulated

    frame, truth, asked = _asked(arguments)
    found = simulated(frame, truth, asked, progress=progress.show)
    out.note([*frame.draft.notes, *found.notes])
    rows = [row.to_dict() for row in found.rows]
    data: dict[str, Any] = {
        "rows": rows,
        "default": found.default,
        "level": arguments.level,
        "goal": arguments.goal,
        "reps": arguments.reps,
        "seed": arguments.seed,
        "notes": list(found.notes),
    }
    shown, averaged = lines(rows)
    said = [text(shown, columns(rows)), f"\n\n{counted(arguments.reps, 'sample')} a line"]
    said += [f"; a mean over {averaged} systems, --json has each"] if averaged else []
    said += [f"; default is {found.default}"] if found.default else []
    out.emit(arguments, "simulate", data, "".join(said))
    return 0


def _asked(arguments: Namespace) -> tuple[Frame, Truth, Trials]:
    from aliquot.study.replay import Setting
    from aliquot.wiring.simulate import Trials

    if bool(arguments.runs) == bool(arguments.units):
        raise UsageError("a simulation is of --runs or of --units", do="Give one of them")
    scales.check_options(arguments)
    if arguments.runs and not arguments.qrels:
        raise UsageError("--runs needs --qrels", do="Name the file with the labels")
    if arguments.units and not arguments.truth:
        raise UsageError("--units needs --truth", do="Name the column with each unit's label")
    setting = Setting(
        "default",
        0,
        arguments.goal,
        tuple(dict.fromkeys(arguments.estimator or ["default"])),
        tuple(dict.fromkeys(arguments.interval or ["default"])),
        arguments.level,
        arguments.over,
        arguments.seed,
    )
    asked = Trials(
        setting,
        tuple(arguments.design or ["default"]),
        tuple(arguments.budget or ()),
        arguments.width,
        arguments.reps,
        tuple(arguments.measure or ()),
    )
    asked.check()  # before anything is read
    return *read(arguments), asked


def read(arguments: Namespace) -> tuple[Frame, Truth]:
    """Read the frame and the labels that count as true."""
    from aliquot.wiring import simulate

    if arguments.runs:
        if arguments.truth:
            raise UsageError("--truth belongs to --units", do="Give --qrels with --runs")
        return init.read(arguments), simulate.from_qrels(arguments.qrels)
    if arguments.qrels:
        raise UsageError("--qrels belongs to --runs", do="Give --truth with --units")
    spec = init.spec(arguments)
    return simulate.from_table(str(arguments.units), spec, arguments.truth)


def columns(rows: list[dict[str, Any]]) -> list[str]:
    """Choose the columns of the text: estimator and interval only where there are several."""
    more = [name for name in ("estimator", "interval") if _differs(rows, name)]
    return [SHOWN[0], *more, *SHOWN[1:]]


def _differs(rows: list[dict[str, Any]], name: str) -> bool:
    seen: dict[tuple[Any, ...], set[Any]] = {}
    for row in rows:
        seen.setdefault((row["design"], row["measure"], row["system"], row["budget"]), set()).add(
            row[name]
        )
    return any(len(found) > 1 for found in seen.values())


def lines(rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """Return the lines of the text, and over how many systems each is a mean: 0 if it is none."""
    systems = {row["system"] for row in rows}
    if len(systems) <= FEW:
        return rows, 0
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        parts = ("design", "estimator", "budget", "measure")
        groups.setdefault(tuple(row[part] for part in parts), []).append(row)
    return [_mean(group) for group in groups.values()], len(systems)


def _mean(rows: list[dict[str, Any]]) -> dict[str, Any]:
    found = dict(rows[0]) | {"system": f"({len(rows)})"}
    for name in ("truth", "mean", "bias", "bias_se", "rmse", "coverage", "width", "labels"):
        known = [row[name] for row in rows if row[name] is not None]
        found[name] = sum(known) / len(known) if known else None
    return found

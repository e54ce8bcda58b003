"""The calculator: an interval from counts, without a study.

N units, n of them sampled at random, r of these relevant: for what is retrieved and what is not, or
by stratum from a file. `--method all` sets every method side by side.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from aliquot.cli import out
from aliquot.errors import UsageError

if TYPE_CHECKING:
    from aliquot.intervals.counts.answer import Limits
    from aliquot.intervals.counts.tally import Tally

EXAMPLE = """examples:
  aliquot interval recall --retrieved 2000,100,50 --unretrieved 100000,100,3
  aliquot interval recall --retrieved 2000,100,80 --unretrieved 9000,900,1 --side lower
  aliquot interval f1 --retrieved 2000,100,50 --unretrieved 100000,100,3 --method all
  aliquot interval proportion 1000,100,0 --method exact
  aliquot interval recall --strata strata.csv --json"""
MEASURES = ("recall", "precision", "f1", "elusion", "proportion", "prevalence", "yield")
SHOWN = ("method", "estimate", "low", "high")
NEEDS = {
    "recall": ("retrieved", "unretrieved"),
    "f1": ("retrieved", "unretrieved"),
    "precision": ("retrieved",),
    "elusion": ("unretrieved",),
}


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("measure", choices=MEASURES, help="what the interval is of")
    parser.add_argument("counts", nargs="?", metavar="N,n,r", help="for proportion and yield")
    parser.add_argument("--retrieved", metavar="N,n,r", help="units, sampled, relevant; or N,n,r,a")
    parser.add_argument("--unretrieved", metavar="N,n,r", help="the same of what is not retrieved")
    parser.add_argument(
        "--strata", type=Path, metavar="FILE", help="columns stratum,N,n,r,[a] and one a system"
    )
    parser.add_argument("--level", type=float, default=0.95, help="the confidence (0.95)")
    parser.add_argument("--side", default="two", help="two (the default), lower or upper")
    parser.add_argument("--method", default="betabin-half", help="NAME, or all (betabin-half)")
    parser.add_argument("--beta", type=float, default=1.0, help="the beta of F (1)")
    parser.add_argument("--draws", type=int, default=0, help="draw instead of compute, so often")
    parser.add_argument("--seed", type=int, default=1, help="the number behind the draws (1)")


def run(arguments: Namespace) -> int:
    """Answer."""
    from aliquot.intervals.counts.tally import question
    from aliquot.wiring.interval import ask

    asked = {name: getattr(arguments, name) for name in ("level", "side")}
    found: list[tuple[str, Limits]] = []
    for system, parts in _parts(arguments):
        one = question(arguments.measure, parts, weight=arguments.beta, **asked)
        answers = ask(one, arguments.method, draws=arguments.draws, seed=arguments.seed)
        found += [(system, answer) for answer in answers]
    estimates = {system: one.estimate for system, one in found}
    rows = [
        {"system": system, **{name: getattr(one, name) for name in SHOWN}} for system, one in found
    ]
    notes = list(dict.fromkeys(note for _, one in found for note in one.notes))
    data = {"measure": arguments.measure, **asked} | {
        "estimate": estimates if len(estimates) > 1 else found[0][1].estimate,
        "rows": rows,
        "notes": notes,
    }
    out.emit(arguments, "interval", data, _text(found, rows))
    out.note(notes)
    return 0


def _text(found: list[tuple[str, Limits]], rows: list[dict[str, object]]) -> str:
    """Lay the rows out; with one method, say what may be claimed."""
    from aliquot.report.limits import sentence
    from aliquot.report.table import text

    several = len({system for system, _ in found}) > 1
    table = text(rows, ("system", *SHOWN) if several else SHOWN)
    said = [
        sentence(one.measure, (one.low, one.high), (one.level, one.side), system)
        for system, one in found
    ]
    closing = said if len({one.method for _, one in found}) == 1 else []
    return "\n\n".join([table, "\n".join(closing)])


def _parts(arguments: Namespace) -> list[tuple[str, tuple[Tally, Tally]]]:
    """Return what each system retrieves and what it does not."""
    given = [arguments.counts, arguments.retrieved, arguments.unretrieved]
    if arguments.strata is not None:
        if any(one is not None for one in given):
            raise UsageError("counts and --strata are given", do="Give one of them")
        return _from_file(arguments.strata, arguments.measure)
    from aliquot.intervals.counts.tally import Tally

    _check_given(arguments)
    counts, retrieved, unretrieved = (_numbers(text) for text in given)
    first = Tally.of([*counts, *retrieved], "counts" if counts else "--retrieved")
    return [("", (first, Tally.of(unretrieved, "--unretrieved")))]


def _check_given(arguments: Namespace) -> None:
    measure = arguments.measure
    needed = NEEDS.get(measure, ())
    missing = [f"--{name} N,n,r" for name in needed if getattr(arguments, name) is None]
    if missing:
        raise UsageError(f"{measure} needs {' and '.join(missing)}", do="Give it, or --strata FILE")
    if needed and arguments.counts is not None:
        raise UsageError(f"{measure} takes no bare N,n,r", do=f"Write --{needed[0]} N,n,r")
    if not any((arguments.counts, arguments.retrieved, arguments.unretrieved)):
        raise UsageError(f"{measure} needs counts", do="Give N,n,r or --strata FILE")


def _numbers(text: str | None) -> list[tuple[float, ...]]:
    if text is None:
        return []
    try:
        return [tuple(float(part) for part in text.split(","))]
    except ValueError:
        raise UsageError(f"'{text}' is not N,n,r", do="Write such as 2000,100,50") from None


def _from_file(path: Path, measure: str) -> list[tuple[str, tuple[Tally, Tally]]]:
    from aliquot.errors import InputError
    from aliquot.intervals.counts.tally import Tally, check
    from aliquot.io.strata import read_strata

    systems, strata = read_strata(path)
    rows = [(check(counts, at, InputError), has) for at, counts, has in strata]
    if measure not in NEEDS:
        return [("", (Tally.of([row for row, _ in rows]), Tally.of([])))]
    if not systems:
        raise InputError(
            f"no column of a system, which {measure} needs",
            where=str(path),
            do="Add a column such as retrieved, with 1 where the stratum is retrieved",
        )
    return [
        (
            name,
            (
                Tally.of([row for row, has in rows if has[name]]),
                Tally.of([row for row, has in rows if not has[name]]),
            ),
        )
        for name in systems
    ]

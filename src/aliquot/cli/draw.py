"""Choose the units to judge next, and log with which probability each was chosen."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from shlex import quote

from aliquot.cli import out, scales
from aliquot.report.words import counted

EXAMPLE = """examples:
  aliquot draw news --budget 300
  aliquot draw news --budget 100 --goal pair:bm25,dense
  aliquot draw spam --budget 500 --design 'stratified(strata=8)'
  aliquot draw spam --budget 4000 --goal curve:svm --design 'adastrat(start=1000)'

goals: each | relative | pair:A,B | the name of a system | curve:A, precision of A at every rank
designs: default, uniform, pps, pareto, poisson, headtail, stratified, wr, ubis;
    options: pps(floor=0.2)
strategies for a curve: random, logstrat, paula, adastrat, band; they draw what they ask for next"""


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument("--budget", type=int, required=True, help="how many more units to judge")
    parser.add_argument("--goal", default="each", help="what the labels are for (each)")
    parser.add_argument("--design", default="default", help="how units are chosen")
    parser.add_argument(
        "--rel", type=float, help="for a strategy: the least grade or number that is positive"
    )


def run(arguments: Namespace) -> int:
    """Draw."""
    from aliquot.wiring.study import Study

    with Study.open(arguments.study) as study:
        batch = study.draw(
            arguments.budget, goal=arguments.goal, design=arguments.design, rel=arguments.rel
        )
    data = batch.to_dict()
    name = quote(str(arguments.study))
    twice = data["draws"] > data["drawn"]
    hit = f"; {data['draws']} draws in all hit {data['drawn']} units" if twice else ""
    text = (
        f"batch {data['batch']}: {counted(data['new'], 'unit')} to judge ({data['reused']} judged "
        f"or waiting from before{hit}), design {data['design']}, seed {data['seed']}\n"
        f"next: aliquot queue {name} > sheet.csv, fill in the label column, then "
        f"aliquot record {name} sheet.csv"
    )
    out.emit(arguments, "draw", data, text)
    return 0

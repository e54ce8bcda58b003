"""Record judgments from a file: all of it, or nothing."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from shlex import quote

from aliquot.cli import out, scales
from aliquot.report.words import counted

EXAMPLE = """examples:
  aliquot record news sheet.csv --annotator ann
  aliquot record news trec8.qrels --as qrels
  aliquot record spam export.json --as label-studio

Columns: unit (or the id column's name, or topic and doc), label; optional annotator, at, note.
The labels skip and unsure are what they say. An empty label means: not judged yet."""

FORMATS = ("csv", "tsv", "jsonl", "parquet", "qrels", "label-studio", "asreview", "splink")


def options(parser: ArgumentParser) -> None:
    """Add the options."""
    scales.study(parser)
    parser.add_argument("file", metavar="FILE", help="the judgments")
    parser.add_argument("--annotator", default="", help="who judged")
    parser.add_argument(
        "--as",
        dest="format",
        choices=FORMATS,
        help="the file's format, if its name does not tell",
    )


def run(arguments: Namespace) -> int:
    """Record."""
    from aliquot.wiring.study import Study

    with Study.open(arguments.study) as study:
        found = study.record(arguments.file, annotator=arguments.annotator, fmt=arguments.format)
        done = study.progress
    out.note(found.notes)
    left_out = found.not_drawn + found.unknown
    if left_out:
        why = "left out, because only drawn units can enter a design-based estimate"
        out.note([f"{counted(left_out, 'label')} of units that were not drawn: {why}"])
    text = (
        f"{counted(found.added, 'judgment')} recorded, {found.unchanged} known already; "
        f"{done.judged} of {done.drawn} drawn units judged, {found.waiting} waiting\n"
        f"next: aliquot estimate {quote(str(arguments.study))}"
    )
    out.emit(arguments, "record", asdict(found) | {"progress": asdict(done)}, text)
    return 0

"""The files of the demonstration, as a user would have them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from aliquot.io.atomic import text_sink
from aliquot.io.export import write_rows
from aliquot.io.qrels import write_qrels
from aliquot.wiring.demo_data import QUERIES, World, answers, review
from aliquot.wiring.study import Study

README = """\
Made data of `aliquot demo`. The truth files are what nobody has in real life: here they stand for
the people who label.

runs/*.run           what five search systems return: TREC runs, 100 documents a query
queries.tsv          the queries
truth.qrels          the true grade, 0 to 3, of every document returned
study                a study of them: 300 pairs drawn and judged; try  aliquot estimate study
sheet.csv            the 300 labels, as a person would hand them in
documents.csv        20,000 documents of a review with a classifier's score
documents-truth.csv  which of them are responsive
answers.csv          3,000 answers of a chatbot with an LLM judge's opinion
answers-truth.csv    what people say of them
"""
COLUMNS = ("unit", "topic", "doc", "query", "label")


def write_search(folder: Path, made: World) -> dict[str, str]:
    """Write runs, queries and the truth; return where each run is."""
    runs = {name: folder / "runs" / f"{name}.run" for name in made.rankings}
    (folder / "runs").mkdir()
    for name, path in runs.items():
        with text_sink(path, overwrite=False) as sink:
            for topic, doc, rank in made.run(name):
                sink.write(f"{topic} Q0 {doc} {rank} {1.0 / rank:.6f} {name}\n")
    with text_sink(folder / "queries.tsv", overwrite=False) as sink:
        for topic, query in zip(made.topics, QUERIES, strict=True):
            sink.write(f"{topic}\t{query}\n")
    judged = ((*unit.split(" "), grade) for unit, grade in made.labels.items())
    write_qrels(folder / "truth.qrels", ((t, d, grade) for t, d, grade in judged))
    return {name: str(path) for name, path in runs.items()}


def write_sheet(study: Study, made: World, path: Path) -> None:
    """Write the queue with its labels filled in."""
    rows = [row.to_dict() | {"label": made.labels[row.unit]} for row in study.queue()]
    write_rows(rows, COLUMNS, fmt="csv", out=path, stdout=sys.stdout)


def write_rest(folder: Path) -> None:
    """Write what the tutorials for reviews and for judges start from, and a word on each file."""
    for name, (table, truth) in (("documents", review()), ("answers", answers())):
        _write(folder / f"{name}.csv", table)
        _write(folder / f"{name}-truth.csv", truth)
    with text_sink(folder / "README.txt", overwrite=False) as sink:
        sink.write(README)


def _write(path: Path, table: Mapping[str, list[str]]) -> None:
    rows = [dict(zip(table, cells, strict=True)) for cells in zip(*table.values(), strict=True)]
    write_rows(rows, tuple(table), fmt="csv", out=path, stdout=sys.stdout)

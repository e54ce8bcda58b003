"""Look a file over before it becomes a study: what it is, and what is odd about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from aliquot.errors import AliquotError
from aliquot.io.qrels import read_qrels
from aliquot.io.runs import read_run
from aliquot.io.tables import format_of, read_table
from aliquot.io.text import read_text
from aliquot.study.doctor import Finding

if TYPE_CHECKING:
    import pyarrow as pa

SHORT, FIELDS = 4, 6


def inspect(path: Path) -> list[Finding]:
    """Read a file as what it looks like; what can't be read is a problem."""
    try:
        if format_of(path):
            return _table(read_table(path))
        return _trec(path)
    except AliquotError as error:
        return [Finding("problem", "file", str(error))]


def _trec(path: Path) -> list[Finding]:
    lines = read_text(path).split("\n", 1)
    width = len(lines[0].split())
    if width == SHORT:
        return _qrels(path)
    if width == FIELDS:
        return _run(path)
    return [
        Finding(
            "problem",
            "file",
            f"{path}: neither a table (.csv, .tsv, .jsonl, .parquet) nor a TREC run or qrels: "
            f"its first line has {width} fields, where a run has 6 and qrels 4",
        )
    ]


def _run(path: Path) -> list[Finding]:
    run = read_run(path)
    sizes = np.bincount(run.topic, minlength=len(run.topics))
    found = [
        Finding(
            "fine",
            "run",
            f"{run.name}: {len(run)} documents in {len(run.topics)} topics, "
            f"{sizes.min()} to {sizes.max()} a topic",
        )
    ]
    found += [Finding("note", "run", text) for text in run.notes]
    return found


def _qrels(path: Path) -> list[Finding]:
    qrels = read_qrels(path)
    grades = sorted(set(qrels.rel), key=int)
    text = (
        f"{len(qrels.doc)} judgments of {len(set(qrels.topic))} topics, grades {', '.join(grades)}"
    )
    found = [Finding("fine", "qrels", text)]
    if qrels.unjudged:
        found.append(Finding("note", "qrels", f"{qrels.unjudged} lines are marked as unjudged"))
    return found


def _table(table: pa.Table) -> list[Finding]:
    found = [Finding("fine", "table", f"{table.num_rows} rows, {table.num_columns} columns")]
    for name in table.column_names:
        column = table.column(name)
        distinct, missing = len(column.drop_null().unique()), column.null_count
        text = f"{column.type}, {distinct} different values"
        if distinct == table.num_rows and not missing:
            text += "; it could be the id"
        if missing:
            text += f"; {missing} of {table.num_rows} rows have none"
        found.append(Finding("note" if missing else "fine", f"column {name}", text))
    return found

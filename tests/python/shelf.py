"""What the tests of the Python face share: one table and two runs in every kind that is taken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow.parquet import write_table

import aliquot as aq

COUNT = 40
Columns = dict[str, list[Any]]


def columns(*, whole: bool = False) -> Columns:
    """Forty units: a score, a label, a flag; ids as text, or as whole numbers."""
    ids = list(range(1, COUNT + 1))
    return {
        "id": ids if whole else [str(n) for n in ids],
        "score": [n / COUNT for n in ids],
        "said": ["yes" if n % 3 == 0 else "no" for n in ids],
        "flag": [int(n > 25) for n in ids],
        "text": [f"number {n}" for n in ids],
    }


def label(unit: str) -> str:
    return "yes" if int(unit) > 20 and int(unit) % 4 else "no"


LABELS = {str(n): label(str(n)) for n in range(1, COUNT + 1)}

Make = Callable[[Columns], object]


def as_duckdb(found: Columns) -> object:
    table = pa.table(found)
    return duckdb.connect().from_arrow(table)


def as_file(name: str) -> Make:
    def make(found: Columns) -> object:
        path = Path(name)
        frame = pd.DataFrame(found)
        if name.endswith(".parquet"):
            write_table(pa.table(found), path)
        elif ".csv" in name:
            frame.to_csv(path, index=False)
        elif name.endswith(".tsv"):
            frame.to_csv(path, index=False, sep="\t")
        else:
            frame.to_json(path, orient="records", lines=True)
        return path

    return make


KINDS: dict[str, Make] = {
    "dict": dict,
    "rows": lambda found: [
        dict(zip(found, row, strict=True)) for row in zip(*found.values(), strict=True)
    ],
    "pandas": pd.DataFrame,
    "pandas with an index": lambda found: pd.DataFrame(found, index=range(7, 7 + COUNT)),
    "pandas of Arrow": lambda found: pd.DataFrame(found).convert_dtypes(dtype_backend="pyarrow"),
    "pandas categories": lambda found: pd.DataFrame(found).astype({"said": "category"}),
    "polars": pl.DataFrame,
    "Arrow": pa.table,
    "a record batch": pa.RecordBatch.from_pydict,
    "DuckDB": as_duckdb,
    "CSV": as_file("t.csv"),
    "CSV, packed": as_file("t.csv.gz"),
    "TSV": as_file("t.tsv"),
    "JSON lines": as_file("t.jsonl"),
    "Parquet": as_file("t.parquet"),
    "a path as text": lambda found: str(as_file("u.parquet")(found)),
}


def framed(units: object) -> aq.Frame:
    """Make a frame of the table, whatever kind it comes in."""
    return aq.Frame.from_table(
        units,
        id="id",
        scored={"svm": ("score", 0.5), "raw": "score"},
        predicted={"nb": "said"},
        retrieved={"tar": "flag"},
        text="text",
    )


def study(units: object = None, *, measures: tuple[str, ...] = ("Precision", "Recall")) -> aq.Study:
    """Make a study in memory."""
    return aq.Study.in_memory(
        framed(columns() if units is None else units), measures=measures, rng=7
    )


def run_columns(docs: str) -> Columns:
    """One run: the same documents for two topics."""
    topics = ["q1"] * len(docs) + ["q2"] * len(docs)
    return {
        "topic": topics,
        "doc": [f"d{doc}" for doc in docs * 2],
        "score": [9.0 - place for place in range(len(docs))] * 2,
    }

"""The same ids and the same seed give the same draw, whatever a table comes in as."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import aliquot as aq
from tests.python.shelf import KINDS, as_duckdb, columns, framed, run_columns, study

# Drawn once with ids as text in a dict, and written down: seed 7, budget 6.
DRAWN = ("29", "27", "13", "36", "17", "18")


@pytest.mark.parametrize("whole", [False, True], ids=["text", "whole"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_gives_the_same_draw(kind: str, *, whole: bool) -> None:
    units = KINDS[kind](columns(whole=whole))
    with study(units) as made, study() as first:
        assert made.draw(6, design="uniform").new == DRAWN
        assert [row.text for row in made.queue()] == [f"number {unit}" for unit in DRAWN]
        first.draw(6, design="uniform")
        assert made.draw(6).to_dict() == first.draw(6).to_dict()  # by size, from all columns


def test_another_seed_gives_another_draw() -> None:
    with aq.Study.in_memory(framed(columns()), measures=["Precision", "Recall"], rng=8) as made:
        assert made.draw(6, design="uniform").new != DRAWN


def test_other_ids_give_another_draw() -> None:
    found = columns()
    found["id"] = [f"0{unit}" for unit in found["id"]]
    with study(found) as made:
        assert [unit.lstrip("0") for unit in made.draw(6, design="uniform").new] != list(DRAWN)


def test_the_order_of_the_rows_does_not_matter() -> None:
    found = {name: cells[::-1] for name, cells in columns().items()}
    with study(found) as made:
        assert made.draw(6, design="uniform").new == DRAWN


RUN_KINDS = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "Arrow": pa.table,
    "DuckDB": as_duckdb,
}


@pytest.mark.parametrize("kind", [*RUN_KINDS, "file"])
def test_every_kind_of_run_gives_the_same_draw(kind: str) -> None:
    found = {"bm25": run_columns("12345"), "dense": run_columns("56789")}
    if kind == "file":
        runs: dict[str, object] = {}
        for name, run in found.items():
            runs[name] = Path(f"{name}.run")
            lines = zip(run["topic"], run["doc"], [*range(1, 6)] * 2, run["score"], strict=True)
            text = "".join(f"{t} Q0 {d} {rank} {s} tag\n" for t, d, rank, s in lines)
            Path(f"{name}.run").write_text(text)
    else:
        runs = {name: RUN_KINDS[kind](run) for name, run in found.items()}
    frame = aq.Frame.from_runs(runs)
    with aq.Study.in_memory(frame, measures=["P@3"], rng=3) as made:
        assert made.draw(5, design="uniform").new == ("q2 d8", "q2 d5", "q1 d3", "q2 d9", "q2 d6")


def test_a_study_on_the_disk_draws_what_one_in_memory_draws() -> None:
    with aq.Study.create("s", framed(columns()), measures=["Precision", "Recall"], rng=7) as made:
        assert made.draw(6, design="uniform").new == DRAWN
    with aq.Study.open("s") as made, study() as other:
        other.draw(6, design="uniform")
        assert made.draw(5).to_dict() == other.draw(5).to_dict()

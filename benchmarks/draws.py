"""How fast units are drawn, as ratios to a plain scan of the same two columns by DuckDB."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from aliquot.core import prn
from aliquot.designs.base import Chunk, Pool
from aliquot.designs.pps import Pps
from aliquot.engine.arrow import ParquetColumns

ROWS, N, SEED, ROUNDS = 10_000_000, 10_000, 7, 3


def make(path: Path) -> None:
    """Write keys and skewed weights."""
    keys = np.arange(ROWS, dtype=np.uint64)
    weights = prn.uniform(keys, "weights") ** -0.6
    pq.write_table(pa.table({"key": keys, "w": weights}), path)


def chunks(path: Path) -> Iterator[Chunk]:
    """Stream the file as a design sees it."""
    start = 0
    for block in ParquetColumns(path).blocks(("key", "w")):
        count = len(block["key"])
        rows, zero = np.arange(start, start + count), np.zeros(count)
        yield Chunk(rows, block["key"], block["w"], zero, zero.astype(np.int64))
        start += count


def kernel(path: Path) -> object:
    """Draw with the blocked kernel: selection, and the passes that find the probabilities."""
    return Pps().draw(Pool(lambda: chunks(path), SEED), N)


def naive(path: Path) -> object:
    """Draw with everything in memory."""
    table = pq.read_table(path)
    keys, w = table.column("key").to_numpy(), table.column("w").to_numpy()
    return np.argpartition(prn.uniform(keys, SEED) / w, N)[:N]


def scan(path: Path) -> object:
    """Read both columns and add them up."""
    query = f"SELECT sum(key), sum(w) FROM '{path}'"  # noqa: S608  (our file)
    return duckdb.connect().execute(query).fetchall()


def seconds(job: Callable[[Path], object], path: Path) -> float:
    """Return the shortest of some rounds."""
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        job(path)
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    """Print one line a way to draw."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weights.parquet"
        make(path)
        plain = seconds(scan, path)
        print(f"{ROWS:,} rows, {N:,} drawn; plain scan {plain:.2f} s")
        for name, job in (("blocked kernel, all passes", kernel), ("all in memory", naive)):
            taken = seconds(job, path)
            print(f"{name:28s} {taken:6.2f} s  {taken / plain:5.1f} scans")


if __name__ == "__main__":
    main()

"""Acknowledged judgments a second: eight threads on one ledger, against eight plain connections.

Run `python benchmarks/store_writes.py`. Both sides write the same rows to the same tables, each
judgment is acknowledged before the next one of its thread is sent, and a commit reaches the disk.
The plain side is what eight clients do without the writing thread: one transaction a judgment.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from aliquot.core.records import DrawRow, DrawUnits, FrameRow, Header, Judgment
from aliquot.store.connections import Options, connect
from aliquot.store.ledger import SqliteLedger
from aliquot.store.writes import record

CLIENTS = 8
UNITS = 1_000
SECONDS = 2.0

Record = Callable[[Judgment], object]


def main() -> None:
    """Print what each side does in a second, the ratio and the longest waits."""
    with tempfile.TemporaryDirectory() as folder:
        path = make(Path(folder) / "study.db")
        alone = clients([plain(path) for _ in range(CLIENTS)])
        with SqliteLedger.open_at(path) as ledger:
            shared = clients([lambda judgment: ledger.record([judgment])] * CLIENTS)
    say = sys.stdout.write
    say(f"{CLIENTS} plain connections: {rate(alone):7.0f} writes/s, {waits(alone)}\n")
    say(f"{CLIENTS} threads, one ledger: {rate(shared):7.0f} writes/s, {waits(shared)}\n")
    say(f"ratio: {rate(shared) / rate(alone):.2f}\n")


def clients(records: list[Record]) -> list[float]:
    """Let each client record for some seconds; return how long each acknowledgement took."""
    waited: list[float] = []
    end = time.perf_counter() + SECONDS

    def work(client: int) -> None:
        number = 0
        while (start := time.perf_counter()) < end:
            number += 1
            unit = f"u{(number * CLIENTS + client) % UNITS}"
            records[client](Judgment(unit, "yes", 1.0, annotator=f"a{client}", note=str(number)))
            waited.append(time.perf_counter() - start)

    threads = [threading.Thread(target=work, args=(client,)) for client in range(len(records))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return waited


def plain(path: Path) -> Record:
    """Return a client with its own connection, which commits each judgment."""
    db = connect(path, "mode=rw", Options(busy_timeout=60))

    def write(judgment: Judgment) -> None:
        while True:
            try:
                db.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError:
                continue
        record(db, [judgment], str(path))
        db.execute("COMMIT")

    return write


def make(path: Path) -> Path:
    """Make a study with one draw."""
    ones = np.ones(UNITS)
    units = DrawUnits(
        unit=tuple(f"u{number}" for number in range(UNITS)),
        key=np.arange(UNITS, dtype=np.uint64),
        pi=ones,
        conditional=ones,
        before=0 * ones,
        stratum=np.zeros(UNITS, dtype=np.int64),
        count=np.ones(UNITS, dtype=np.int64),
        order=np.arange(1, UNITS + 1),
        new=np.ones(UNITS, dtype=np.bool_),
    )
    with SqliteLedger.create_at(path) as ledger:
        ledger.create(
            Header(7, "table", "labels(no,yes)", ("Precision",), "id", ""),
            FrameRow(1, "hash", UNITS, "{}", ""),
        )
        ledger.add_draw(DrawRow(1, "uniform", "each", 7, 1, "hash", UNITS, "{}", "", units))
    return path


def rate(waited: list[float]) -> float:
    """Acknowledgements a second."""
    return len(waited) / SECONDS


def waits(waited: list[float]) -> str:
    """Say how long they took."""
    return f"99 % within {1e3 * np.quantile(waited, 0.99):.1f} ms, all within {max(waited):.2f} s"


if __name__ == "__main__":
    main()

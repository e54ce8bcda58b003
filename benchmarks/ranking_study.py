"""A study of 65 systems from run files to 2,080 comparisons: each command, beside a plain read.

The data are made: 65 systems, 50 topics, 100 ranks, 325,000 rows. A plain read is Python reading
every run and splitting its lines, with nothing checked and nothing kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from aliquot.wiring.rng import generator

SYSTEMS, TOPICS, RANKS, DOCUMENTS = 65, 50, 100, 4000
BUDGET, TARGET = 250, 10.0
ALIQUOT = str(Path(sys.executable).parent / "aliquot")


def make(folder: Path) -> list[str]:
    """Write the runs and the qrels: documents have a worth, and systems see it through noise."""
    rng = generator(1)
    worth = rng.standard_normal((TOPICS, DOCUMENTS))
    ranks = np.arange(1, RANKS + 1)
    for s in range(SYSTEMS):
        lines = []
        for topic in range(TOPICS):
            seen = worth[topic] + (0.4 + 0.02 * s) * rng.standard_normal(DOCUMENTS)
            first = np.argsort(-seen)[:RANKS]
            lines += [
                f"{topic} Q0 d{topic:02d}{doc:05d} {rank} {1000 - rank} system{s:02d}\n"
                for doc, rank in zip(first.tolist(), ranks.tolist(), strict=True)
            ]
        (folder / f"system{s:02d}.run").write_text("".join(lines), encoding="ascii")
    judged = (
        f"{topic} 0 d{topic:02d}{doc:05d} {int(worth[topic, doc] > 1.6)}\n"
        for topic in range(TOPICS)
        for doc in range(DOCUMENTS)
    )
    (folder / "all.qrels").write_text("".join(judged), encoding="ascii")
    return sorted(str(path) for path in folder.glob("*.run"))


def plain(runs: list[str]) -> tuple[float, float]:
    """Read every run and split every line; return the time on the wall and of the processor."""
    start, spent = time.perf_counter(), time.process_time()
    for run in runs:
        with Path(run).open(encoding="ascii") as file:
            for line in file:
                line.split()
    return time.perf_counter() - start, time.process_time() - spent


def timed(arguments: list[str]) -> tuple[float, float]:
    """Run a command as a user does; return the time on the wall and of the processors."""
    start, before = time.perf_counter(), os.times()
    subprocess.run([ALIQUOT, *arguments], check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system
    return time.perf_counter() - start, spent - before.children_user - before.children_system


def main() -> None:
    """Print one line a command."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs, study = make(folder), str(folder / "study")
        read = plain(runs)
        print(f"{SYSTEMS} systems, {SYSTEMS * TOPICS * RANKS:,} rows; times in s (target {TARGET})")
        print("stage         wall     CPU  of a plain read's CPU")
        line("plain read", read, read)
        stages = {
            "init": ["init", study, "--runs", *runs, "--measure", "DCG@100"],
            "draw": ["draw", study, "--budget", str(BUDGET)],
            "record": ["record", study, str(folder / "all.qrels"), "--as", "qrels"],
            "estimate": ["estimate", study],
            "compare": ["compare", study],
        }
        taken = {stage: timed(arguments) for stage, arguments in stages.items()}
        for stage, times in taken.items():
            line(stage, times, read)
        line("all", (sum(t[0] for t in taken.values()), sum(t[1] for t in taken.values())), read)


def line(stage: str, times: tuple[float, float], read: tuple[float, float]) -> None:
    """Print a stage."""
    print(f"{stage:10s} {times[0]:7.2f} {times[1]:7.2f} {times[1] / read[1]:8.1f}")


if __name__ == "__main__":
    main()

"""A small study for the tests of the store: header, frame, draws and judgments to write."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from aliquot.core.records import DrawRow, DrawUnits, FrameRow, Header, Judgment
from aliquot.store.ledger import SqliteLedger

ROOT = Path(__file__).resolve().parents[2]

HEADER = Header(
    seed=7,
    kind="table",
    scale="labels(no,yes)",
    measures=("Recall", "P@10"),
    id_name="doc id",
    created="2025-01-02T03:04:05Z",
)
FRAME = FrameRow(version=1, hash="aa11", units=9, manifest='{"parts": []}', created="2025-01-02")
COLUMNS = ("key", "pi", "conditional", "before", "stratum", "count", "order", "new")


def names(count: int) -> tuple[str, ...]:
    """The units u0, u1, ..."""
    return tuple(f"u{number}" for number in range(count))


def units(unit: Sequence[str], *, new: bool = True) -> DrawUnits:
    """Every column differs from every other, so that two that are swapped are seen."""
    count = len(unit)
    steps = np.arange(count)
    return DrawUnits(
        unit=tuple(unit),
        key=np.uint64(2**64 - 1) - steps.astype(np.uint64),
        pi=1 / (3.0 + steps),
        conditional=1 / (2.0 + steps),
        before=steps / 1000.0,
        stratum=steps + 40,
        count=steps + 1,
        order=np.arange(count, 0, -1) * int(new),
        new=np.full(count, new),
    )


def draw(batch: int, drawn: DrawUnits, *, params: str = '{"tau": 0.25}') -> DrawRow:
    """One draw from the first frame."""
    return DrawRow(
        batch=batch,
        design="pps(size=score)",
        goal="each",
        seed=7,
        frame=1,
        frame_hash="aa11",
        budget=300,
        params=params,
        created="2025-01-03",
        units=drawn,
    )


def label(unit: str, text: str = "yes", *, by: str = "ann", note: str = "") -> Judgment:
    """A judgment with a label."""
    return Judgment(unit, text, float(text == "yes"), "label", by, "2025-01-04", note)


def fill(ledger: SqliteLedger, count: int = 5) -> SqliteLedger:
    """Write the header, the frame and a first draw of `count` units."""
    ledger.create(HEADER, FRAME)
    ledger.add_draw(draw(1, units(names(count))))
    return ledger


def make(path: Path, count: int = 5) -> Path:
    """Make a study file with one draw."""
    with SqliteLedger.create_at(path) as ledger:
        fill(ledger, count)
    return path


def bits(drawn: DrawUnits) -> list[object]:
    """All that a draw's units are: the values, their types and their bits."""
    columns = [getattr(drawn, name) for name in COLUMNS]
    return [drawn.unit, *[(column.dtype.str, column.tobytes()) for column in columns]]


def content(ledger: SqliteLedger) -> list[object]:
    """All that a ledger holds."""
    draws = ledger.draws()
    return [
        *(ledger.header(), ledger.frames(), draws, [bits(row.units) for row in draws]),
        ledger.history(),
    ]


def python(*arguments: str) -> subprocess.Popen[str]:
    """Start a Python of our own, that finds the package and the tests."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src"), *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

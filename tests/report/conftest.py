"""Studies to report on: a plain one, and one whose every text is hostile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aliquot.wiring.frame import Frame
from aliquot.wiring.study import Study

HOSTILE = "<script>alert(1)</script>|`x` & \"y\" 'z' [a](b)"


def rows(count: int) -> list[dict[str, object]]:
    """Units with two scores and a judge, the same each time."""
    return [
        {
            "id": f"u{i}",
            "left": (i * 37 % count) / count,
            "right": (i * 61 % count) / count,
            "judge": (i * 37 % count) / count,
        }
        for i in range(count)
    ]


def answer(unit: str) -> str:
    number = int(unit.removeprefix("u"))
    return "yes" if number * 37 % 400 > 260 or number % 11 == 0 else "no"


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Study]:
    """Two systems, 120 of 150 drawn units judged, five of them skipped."""
    frame = Frame.from_table(
        rows(400), id="id", scored={"left": ("left", 0.6), "right": ("right", 0.6)}
    )
    with Study.create(tmp_path / "plain", frame, measures=["Precision", "Recall"], rng=7) as study:
        batch = study.draw(150)
        labels = {unit: answer(unit) for unit in batch.new[:120]}
        labels |= dict.fromkeys(batch.new[:5], "skip")
        study.record(labels, annotator="ann")
        yield study


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[Study]:
    """Every text that a user can bring wants to be markup."""
    frame = Frame.from_table(
        rows(200),
        id="id",
        scored={HOSTILE: ("left", 0.6), f"{HOSTILE}2": ("right", 0.6)},
        judges={f"judge {HOSTILE}": "judge"},
        labels=("no", f"yes {HOSTILE}"),
    )
    with Study.create(tmp_path / "a <b> study", frame, measures=["Recall"], rng=7) as study:
        batch = study.draw(80)
        said = {"yes": f"yes {HOSTILE}", "no": "no"}
        study.record({unit: said[answer(unit)] for unit in batch.new}, annotator=HOSTILE)
        yield study

"""A draw and the judgments of 100,000 units are written and read in seconds of computing.

Time is that of the processor, which other programs on the machine change little.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aliquot.store.ledger import SqliteLedger
from tests.store.samples import FRAME, HEADER, bits, draw, label, units

MANY = 100_000


@contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


def test_a_hundred_thousand_units_are_no_wait(tmp_path: Path) -> None:
    # 7919 is prime: the units come in an order that suits no index.
    unit = [f"document-{number * 7919 % MANY:012}" for number in range(MANY)]
    drawn = units(unit)
    said = [label(one) for one in unit]
    with SqliteLedger.create_at(tmp_path / "study.db") as ledger:
        ledger.create(HEADER, FRAME)
        with within(1.5):
            ledger.add_draw(draw(1, drawn))
        with within(1.0):
            [row] = ledger.draws()
        with within(3.0):
            assert ledger.record(said) == (MANY, 0)
        with within(1.5):
            assert ledger.record(said) == (0, MANY)
        with within(1.5):
            assert ledger.judgments() == said
        with within(2.5):
            ledger.add_draw(draw(2, units(unit, new=False)))
    assert bits(row.units) == bits(drawn)


def test_what_takes_longer_is_found() -> None:
    with pytest.raises(AssertionError), within(0.0):
        sum(range(1000))

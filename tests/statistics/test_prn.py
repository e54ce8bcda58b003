"""Permanent random numbers: their known answers, the same in SQL, and uniform."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from aliquot.core import prn
from aliquot.designs.base import Chunk, Pool
from aliquot.designs.pps import Pps
from aliquot.engine.sql import order_sample, prn_expression

KNOWN = [  # (id, seed, z): frozen for ever, for studies on every machine rely on them
    (0, 0, 0xA9521B093993ACC8),
    (1, 0, 0xCC3521564E1EB060),
    (12345, 7, 0xE5FE97C97C21819D),
    (1 << 63, 7, 0xF32EBBCE70B62ED4),
    (prn.MASK, 0, 0x8BBAC8A1A0B8D959),
]


def keys(*ids: int) -> NDArray[np.uint64]:
    return np.array(ids, dtype=np.uint64)


@pytest.mark.parametrize(("unit", "seed", "z"), KNOWN)
def test_the_known_answers_come_out(unit: int, seed: int, z: int) -> None:
    assert int(prn.mix(keys(unit), seed)[0]) == z
    assert float(prn.uniform(keys(unit), seed)[0]) == ((z >> 12) + 0.5) * 2.0**-52


def test_another_seed_gives_other_numbers() -> None:
    assert int(prn.mix(keys(0), 1)[0]) != KNOWN[0][2]


@given(unit=st.integers(0, prn.MASK), seed=st.integers(-(2**63), 2**63 - 1))
def test_r_lies_inside_zero_and_one(unit: int, seed: int) -> None:
    assert 0.0 < float(prn.uniform(keys(unit), seed)[0]) < 1.0


@pytest.mark.parametrize("z", [0, prn.MASK])
def test_even_the_ends_of_z_are_inside(z: int) -> None:
    assert 0.0 < ((z >> 12) + 0.5) * 2.0**-52 < 1.0


@given(unit=st.integers(0, prn.MASK))
def test_a_whole_number_is_its_own_key(unit: int) -> None:
    assert prn.key(str(unit)) == unit


@given(st.text(min_size=1))
def test_the_key_of_a_text_fits_64_bits(text: str) -> None:
    assert 0 <= prn.key(text) <= prn.MASK
    assert prn.key(text) == int(prn.keys([text])[0])


# In SQL


def in_sql(ids: NDArray[np.uint64], seed: int) -> NDArray[np.float64]:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (place BIGINT, id UBIGINT)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(ids.tolist())))
        query = f"SELECT {prn_expression('id', seed)} AS r FROM t ORDER BY place"  # noqa: S608
        found: NDArray[np.float64] = connection.execute(query).fetchnumpy()["r"]
        return found


@pytest.mark.parametrize("seed", [0, 7, -1, 2**63 - 1])
def test_sql_gives_the_same_numbers_bit_for_bit(seed: int) -> None:
    spread = np.arange(200, dtype=np.uint64) * np.uint64(0x0123456789ABCDEF)
    ids = np.concatenate([keys(*(unit for unit, _, _ in KNOWN)), spread])
    assert np.array_equal(in_sql(ids, seed), prn.uniform(ids, seed))


def test_sql_with_another_seed_gives_other_numbers() -> None:
    ids = keys(1, 2, 3)
    assert not np.any(in_sql(ids, 8) == prn.uniform(ids, 7))


@pytest.mark.parametrize("n", [1, 40, 300])
def test_an_order_sample_in_sql_is_the_one_in_python(n: int) -> None:
    count = 300
    ids = keys(*range(5, 5 + count))
    size = 0.25 + np.arange(count) % 17 / 16.0
    zero = np.zeros(count, dtype=np.int64)
    chunk = Chunk(np.arange(count), ids, size, np.zeros(count), zero)
    here = Pps().draw(Pool(lambda: iter([chunk]), 7), n)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (id UBIGINT, size DOUBLE)")
        rows = list(zip(ids.tolist(), size.tolist(), strict=True))
        connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
        there = order_sample(connection, "t", key="id", size="size", n=n, seed=7)
    order = np.argsort(there.keys)
    assert np.array_equal(there.keys[order], here.keys)
    assert np.array_equal(there.conditional[order], here.conditional)
    assert there.tau == here.params["tau"]


# Uniform


def chi_square(r: NDArray[np.float64], bins: int = 64) -> float:
    """The p-value of equal shares of (0, 1)."""
    counts = np.bincount((r * bins).astype(np.int64), minlength=bins)
    return float(stats.chisquare(counts).pvalue)


IDS = {
    "counted": np.arange(20_000, dtype=np.uint64),
    "even": np.arange(20_000, dtype=np.uint64) * np.uint64(2),
    "high bits": np.arange(20_000, dtype=np.uint64) << np.uint64(40),
    "hashed": prn.keys([f"unit {i}" for i in range(20_000)]),
}


@pytest.mark.parametrize("ids", IDS.values(), ids=list(IDS))
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_numbers_are_uniform(ids: NDArray[np.uint64], seed: int) -> None:
    r = prn.uniform(ids, seed)
    assert chi_square(r) > 1e-4
    assert chi_square((r * 4096) % 1.0) > 1e-4  # the low bits too


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_neighbours_and_seeds_are_unrelated(seed: int) -> None:
    r = prn.uniform(IDS["counted"], seed)
    for other in (np.roll(r, 1), prn.uniform(IDS["counted"], seed + 1)):
        pair = np.floor(r * 8) / 8 + other / 8  # in (0, 1): uniform if the two are independent
        assert chi_square(pair) > 1e-4


def test_a_number_that_is_not_mixed_is_seen() -> None:
    ids = IDS["high bits"]
    plain = (ids >> np.uint64(12)).astype(np.float64) * 2.0**-52
    assert chi_square(plain) < 1e-9
    r = prn.uniform(IDS["counted"], 0)
    assert chi_square(np.floor(r * 8) / 8 + r / 8) < 1e-9

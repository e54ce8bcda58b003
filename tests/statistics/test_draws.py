"""Draws: the same in one go or two, whatever the order and the blocks of the frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, Design, Drawn, Pool
from aliquot.designs.kernel import CERTAIN, Smallest, capped, first_level, level, pick, smallest
from aliquot.designs.pps import Pps, ratio, toy
from aliquot.designs.registry import DESIGNS
from aliquot.designs.stratified import Stratified, allocate
from aliquot.designs.uniform import Uniform
from aliquot.testing import toys
from aliquot.testing.trial import Trial
from tests.statistics.combos import every_design

FIXED = [design() for design in DESIGNS if design.kind != "poisson"]
MEDIUM = {
    "rankings": toys.rankings(8, 30, depth=15, systems=3),
    "scored": toys.scored(200),
    "graded": toys.graded(150),
}
every_medium = pytest.mark.parametrize("toy", MEDIUM.values(), ids=list(MEDIUM))


def by_unit(toy: toys.Toy, drawn: Drawn, values: NDArray[Any]) -> dict[str, float]:
    names = toy.frame.names(drawn.rows)
    return dict(zip(names, values.tolist(), strict=True))


@pytest.mark.parametrize("design", FIXED, ids=lambda design: design.name)
@every_medium
@pytest.mark.parametrize(("first", "second"), [(20, 1), (20, 20), (27, 34), (40, 60), (70, 5)])
def test_two_draws_are_one_longer_draw(
    design: Design, toy: toys.Toy, first: int, second: int
) -> None:
    trial = Trial(toy, design)
    apart = trial.draw(second, 3, after=trial.draw(first, 3)).drawn
    whole = trial.draw(first + second, 3).drawn
    assert by_unit(toy, apart, apart.count) == by_unit(toy, whole, whole.count)
    for one, other in ((apart.pi, whole.pi), (apart.conditional, whole.conditional)):
        assert by_unit(toy, apart, one) == pytest.approx(by_unit(toy, whole, other), abs=1e-12)


def test_draws_with_two_seeds_are_not_one() -> None:
    trial = Trial(MEDIUM["scored"], Pps())
    apart = trial.draw(20, 4, after=trial.draw(20, 3)).drawn
    assert set(apart.keys.tolist()) != set(trial.draw(40, 3).drawn.keys.tolist())


@every_design
@every_medium
def test_a_longer_draw_holds_the_shorter(design: Design, toy: toys.Toy) -> None:
    trial = Trial(toy, design)
    held = [set(trial.draw(budget, 5).drawn.keys.tolist()) for budget in (20, 40, 80)]
    assert held[0] <= held[1] <= held[2]


@every_design
@every_medium
def test_the_order_of_the_rows_does_not_matter(design: Design, toy: toys.Toy) -> None:
    """Except with replacement, where a stream of numbers is laid along the frame."""
    turned = toy.permuted(np.arange(len(toy))[::-1].copy())
    one, other = (Trial(t, design).draw(40, 6).drawn for t in (toy, turned))
    if design.replacement:
        assert by_unit(toy, one, one.count) != by_unit(turned, other, other.count)
        return
    for name in ("pi", "conditional", "count", "stratum"):
        values = by_unit(toy, one, getattr(one, name))
        assert by_unit(turned, other, getattr(other, name)) == pytest.approx(values, abs=1e-9)


def cut(chunk: Chunk, ends: list[int]) -> list[Chunk]:
    """The chunk in pieces, some of them empty."""
    places = [0, *sorted(end % (len(chunk.rows) + 1) for end in ends), len(chunk.rows)]
    return [pick(chunk, np.arange(start, end)) for start, end in pairwise(places)]


@every_design
@given(ends=st.lists(st.integers(0, 200), max_size=8))
def test_blocks_do_not_matter(design: Design, ends: list[int]) -> None:
    whole = Trial(MEDIUM["scored"], design).chunk
    blocks = cut(whole, ends)
    one = design.draw(Pool(lambda: iter([whole]), 8), 40)
    other = design.draw(Pool(lambda: iter(blocks), 8), 40)
    assert np.array_equal(one.rows, other.rows)
    assert np.array_equal(one.count, other.count)
    assert np.allclose(one.pi, other.pi, rtol=1e-12, atol=0.0)
    assert np.allclose(one.conditional, other.conditional, rtol=1e-12, atol=0.0)


# The kernel against brute force


def heavy(count: int) -> Chunk:
    """Sizes from 1 to the number of units, most of them small."""
    return toy(count / np.arange(1.0, count + 1.0))


def brute_pi(size: Floats, n: int) -> Floats:
    """min(1, n size / sum), again and again until none exceeds 1."""
    certain = np.zeros(len(size), dtype=np.bool_)
    while True:
        left = n - int(certain.sum())
        pi = np.where(certain, 1.0, left * size / size[~certain].sum())
        more = pi > 1.0
        if not more.any():
            return pi
        certain |= more


def test_capping_is_that_of_brute_force_with_many_certainties() -> None:
    chunk = heavy(200_000)
    brute = brute_pi(chunk.size, 7_786)
    assert int((brute >= 1.0).sum()) == 1_288
    blocks = cut(chunk, list(range(0, 200_000, 16_384)))
    for c in (level(lambda: iter(blocks), 7_786), first_level(iter(blocks), 7_786)):
        assert np.allclose(capped(chunk, c), brute, rtol=1e-10, atol=0.0)
        assert float(capped(chunk, c).sum()) == pytest.approx(7_786, abs=1e-6)


def test_the_sample_is_that_of_brute_force_with_many_certainties() -> None:
    chunk, n = heavy(200_000), 7_786
    c = first_level(iter([chunk]), n)
    values = ratio(11, c)(chunk)
    order = np.lexsort((chunk.keys, values))
    blocks = cut(chunk, list(range(0, 200_000, 16_384)))
    drawn = Pps().draw(Pool(lambda: iter(blocks), 11), n)
    assert np.array_equal(drawn.rows, np.sort(order[:n]))
    tau = values[order[n]]
    size = chunk.size[drawn.rows]
    own = np.where(c * size >= CERTAIN, 1.0, np.minimum(1.0, tau * size))
    assert np.array_equal(drawn.conditional, own)


@given(
    sizes=st.lists(st.floats(1e-6, 1e6), min_size=2, max_size=30),
    share=st.floats(0.05, 0.95),
)
def test_capping_is_that_of_brute_force(sizes: list[float], share: float) -> None:
    size = np.array(sizes)
    n = max(1, int(share * len(size)))
    for c in (level(lambda: iter([toy(size)]), n), first_level(iter([toy(size)]), n)):
        assert np.allclose(capped(toy(size), c), brute_pi(size, n), rtol=1e-9, atol=0.0)


@given(
    sizes=st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=20),
    before=st.lists(st.floats(0.0, 1.0), min_size=20, max_size=20),
)
def test_a_later_level_adds_its_budget_to_what_was_before(
    sizes: list[float], before: list[float]
) -> None:
    chunk = toy(np.array(sizes))
    chunk = replace(chunk, before=np.array(before[: len(sizes)]))
    extra = 1
    mass = float(capped(chunk, level(lambda: iter([chunk]), extra)).sum())
    assert mass == pytest.approx(min(chunk.before.sum() + extra, len(sizes)), rel=1e-9)


@given(sizes=st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=20))
def test_drawing_all_makes_every_unit_certain(sizes: list[float]) -> None:
    chunk = toy(np.array(sizes))
    assert np.all(capped(chunk, level(lambda: iter([chunk]), len(sizes))) == 1.0)
    assert np.all(capped(chunk, first_level(iter([chunk]), len(sizes))) == 1.0)


@given(
    values=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=60),
    ends=st.lists(st.integers(0, 60), max_size=5),
    n=st.integers(1, 20),
)
def test_the_smallest_are_those_of_a_sort(values: list[float], ends: list[int], n: int) -> None:
    every = np.array(values)
    whole = toy(np.ones(len(every)))

    def value(chunk: Chunk) -> Floats:
        return every[chunk.rows]

    order = np.lexsort((whole.keys, every))[:n]
    found, kept = smallest(iter(cut(whole, ends)), n, value)
    assert np.array_equal(found.rows, order)
    assert np.array_equal(kept, every[order])
    merged = Smallest(n)
    for part in cut(whole, ends):
        state = Smallest(n)
        state.add(part, value(part))
        merged.merge(state)
    assert np.array_equal(merged.finish()[0].rows, order)


def test_the_kernel_forgets_what_can_not_be_drawn_any_more() -> None:
    def blocks() -> Iterator[Chunk]:
        for start in range(0, 400_000, 50_000):
            keys = np.arange(start, start + 50_000)
            zero = np.zeros(50_000, dtype=np.int64)
            yield Chunk(keys, keys.astype(np.uint64), np.ones(50_000), np.zeros(50_000), zero)

    state, most = Smallest(100), 0
    for chunk in blocks():
        state.add(chunk, ratio(2, 0.0)(chunk))
        most = max(most, len(state.values))
    whole = np.concatenate([ratio(2, 0.0)(chunk) for chunk in blocks()])
    assert np.array_equal(state.finish()[0].rows, np.argsort(whole)[:100])
    assert most < 66_000


def test_a_threshold_that_is_off_is_seen() -> None:
    size = np.array([1.0, 2.0, 3.0, 4.0])
    c = level(lambda: iter([toy(size)]), 2)
    assert not np.allclose(capped(toy(size), 1.001 * c), brute_pi(size, 2), rtol=1e-9, atol=0.0)


# Strata


def test_a_stratum_is_never_left_out_of_an_allocation() -> None:
    counts = np.array([1, 5, 500])
    wanted = allocate(np.array([1.0, 1.0, 100.0]), counts, np.zeros(3, dtype=np.int64), 20)
    assert wanted.tolist() == [1, 2, 17]
    assert wanted.sum() == 20


@pytest.mark.parametrize("allocation", ["equal", "proportional", "size"])
@pytest.mark.parametrize("by", ["size", "topic"])
def test_strata_draw_what_was_asked(by: str, allocation: str) -> None:
    design = Stratified(by=by, strata=5, allocation=allocation)
    trial = Trial(MEDIUM["rankings"], design)
    first = trial.draw(37, 1)
    second = trial.draw(23, 1, after=first)
    for held, budget in ((first, 37), (second, 60)):
        assert len(held.drawn.rows) == budget
        counts = np.bincount(held.drawn.stratum)
        assert counts[counts > 0].min() >= 2
        assert float((1.0 / held.drawn.pi).sum()) == pytest.approx(len(trial.toy), abs=1e-9)
    assert set(first.drawn.rows.tolist()) <= set(second.drawn.rows.tolist())


def test_units_of_one_size_make_one_stratum() -> None:
    held = Trial(MEDIUM["graded"], Stratified(strata=5)).draw(30, 1)
    assert len(set(held.drawn.stratum.tolist())) == 1
    assert held.drawn.pi == pytest.approx(np.full(30, 30 / 150))


# Ends


@every_design
@every_medium
def test_a_census_has_every_unit_for_certain(design: Design, toy: toys.Toy) -> None:
    if design.replacement:
        return
    held = Trial(toy, design).draw(len(toy), 1)
    assert sorted(held.drawn.rows.tolist()) == list(range(len(toy)))
    assert np.all(held.drawn.pi == 1.0)
    assert np.all(held.drawn.conditional == 1.0)
    assert held.sample.census


@every_design
@every_medium
def test_probabilities_lie_in_zero_and_one(design: Design, toy: toys.Toy) -> None:
    trial = Trial(toy, design)
    for drawn in (first := trial.draw(40, 2)).drawn, trial.draw(30, 2, after=first).drawn:
        assert np.all((drawn.conditional > 0.0) & (drawn.conditional <= 1.0))
        assert np.all((drawn.pi > 0.0) & (drawn.pi <= (np.inf if design.replacement else 1.0)))


def test_uniform_and_equal_sizes_are_the_same_draw() -> None:
    one, other = (Trial(MEDIUM["graded"], d).draw(25, 9).drawn for d in (Uniform(), Pps()))
    assert np.array_equal(one.rows, other.rows)
    assert np.allclose(one.pi, other.pi, rtol=1e-12, atol=0.0)

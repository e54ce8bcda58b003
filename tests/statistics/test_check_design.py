"""`check_design`: every design of ours passes, and each kind of fault is found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from aliquot.core.frame import Floats
from aliquot.designs.base import Chunk, Design, Drawn, Pool, Possible, every
from aliquot.designs.poisson import Poisson
from aliquot.designs.pps import Pps
from aliquot.designs.stratified import Stratified
from aliquot.designs.uniform import Uniform
from aliquot.errors import DesignError
from aliquot.testing import toys
from aliquot.testing.check import check_design
from tests.statistics.combos import every_design


@every_design
def test_our_own_designs_pass(design: Design) -> None:
    assert check_design(design) == []


@pytest.mark.parametrize(
    "design",
    [
        Pps(size="shape", floor=0.5),
        Pps(size="uniform", floor=0.0),
        Poisson(size="sqrt_p", floor=0.3),
        Stratified(by="stratum"),
        Stratified(by="stratum", allocation="proportional"),
        Stratified(strata=2, allocation="size"),
    ],
    ids=str,
)
def test_so_they_do_with_options_and_another_toy(design: Design) -> None:
    assert check_design(design, toy=toys.graded(6)) == []


@dataclass(frozen=True)
class Base(Design):
    """Pps by another name, for each of the faulty designs below."""

    name: ClassVar[str] = "mine"
    kind: ClassVar[str] = "order"

    def __str__(self) -> str:
        return "mine"

    @property
    def sized(self) -> tuple[str, float]:
        return Pps().sized

    def draw(self, pool: Pool, budget: int) -> Drawn:
        return Pps().draw(pool, budget)

    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        return Pps().level(chunk, params)

    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        yield from Pps().enumerate(size, n)


class Incomplete(Base):
    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        yield from (one for one in Pps().enumerate(size, n) if 0 in one.rows)


class WrongConditional(Base):
    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        for one in Pps().enumerate(size, n):
            yield replace(one, conditional=one.pi)


class WrongPi(Base):
    def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
        for one in Pps().enumerate(size, n):
            yield replace(one, pi=0.3 * one.pi)


class WrongLevel(Base):
    def level(self, chunk: Chunk, params: dict[str, Any]) -> Floats:
        return 0.9 * Pps().level(chunk, params)


class OneMore(Base):
    def draw(self, pool: Pool, budget: int) -> Drawn:
        return Pps().draw(pool, budget + 1)


class Overfull(Base):
    def draw(self, pool: Pool, budget: int) -> Drawn:
        drawn = Pps().draw(pool, budget)
        return replace(drawn, conditional=3.0 * drawn.conditional)


class Blockwise(Base):
    """It takes its budget from the first block that is large enough."""

    def draw(self, pool: Pool, budget: int) -> Drawn:
        large = (chunk for chunk in pool.chunks() if len(chunk.rows) >= budget)
        first = next(large, every(pool.chunks()))
        return Pps().draw(replace(pool, chunks=lambda: iter([first])), budget)


class Forgetful(Base):
    """A second draw begins anew, with another seed."""

    def draw(self, pool: Pool, budget: int) -> Drawn:
        return Pps().draw(Pool(pool.chunks, pool.seed + len(pool.taken)), budget)


class Favourite(Base):
    """It draws uniformly, whatever it lists."""

    def draw(self, pool: Pool, budget: int) -> Drawn:
        def flat() -> Iterator[Chunk]:
            for chunk in pool.chunks():
                yield replace(chunk, size=np.ones(len(chunk.rows)))

        drawn = Pps().draw(replace(pool, chunks=flat), budget)
        return replace(drawn, params=Pps().draw(pool, budget).params)


class Refusing(Base):
    def draw(self, pool: Pool, budget: int) -> Drawn:
        raise DesignError("no", do="Ask again")


@pytest.mark.parametrize(
    ("design", "fault"),
    [
        (Incomplete(), "the samples it lists have a probability of "),
        (WrongConditional(), "E[1(drawn) / conditional] is "),
        (WrongPi(), "pi is off by "),
        (WrongLevel(), "level() does not say again the pi that draw() declared"),
        (OneMore(), "a budget of 4 drew 5 units"),
        (Overfull(), "conditional of a drawn unit is not in (0, 1]"),
        (Blockwise(), "blocks of 4 units give another draw than one block of all"),
        (Forgetful(), "a second draw lost units of the first"),
        (Favourite(), "it does not draw its samples as often as it lists them (chi-square "),
        (Refusing(), "it refused: no. Ask again."),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, Design) else "",
)
def test_each_fault_is_found(design: Design, fault: str) -> None:
    assert any(found.startswith(fault) for found in check_design(design))


def test_the_base_of_the_faulty_ones_is_right() -> None:
    assert check_design(Base()) == []


def test_a_sample_that_is_not_listed_is_found() -> None:
    class Other(Base):
        kind: ClassVar[str] = "simple"

        def enumerate(self, size: Floats, n: int) -> Iterator[Possible]:
            one, zero = np.ones(n), np.zeros(n, dtype=np.int64)
            yield Possible(1.0, np.arange(n), one, one, zero + 1, zero)

        def draw(self, pool: Pool, budget: int) -> Drawn:
            return Uniform().draw(pool, budget)

    found = check_design(Other())
    assert any("which is none of the 1 samples that it lists" in text for text in found)

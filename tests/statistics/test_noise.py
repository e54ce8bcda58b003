"""Several judgments a unit: every sample and every answer of the judges is listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest

import aliquot as aq
from aliquot.core.columns import Rows
from aliquot.core.frame import Floats
from aliquot.core.sample import Sample
from aliquot.designs.registry import design
from aliquot.estimators.noise import noise
from aliquot.estimators.registry import plain
from aliquot.testing import toys
from aliquot.testing.trial import Trial

EXACT = 1e-9
TOY = toys.graded(4)
CHANCE = np.array([0.1, 0.5, 0.7, 0.9])  # that a judge says yes of a unit: v
VOTES = 2


@dataclass(frozen=True)
class Moments:
    """What an estimate and its two variances are on average, and what they should be."""

    mean: float
    variance: float
    total: float
    judging: float
    design: float  # the design's own formula alone


def answers(rows: Rows, votes: int) -> Iterator[tuple[float, Floats]]:
    """Every way in which the judges of some units can answer, with its probability."""
    chance = np.repeat(CHANCE[rows], votes)
    for said in product((0.0, 1.0), repeat=len(chance)):
        labels = np.array(said)
        yield float(np.where(labels > 0, chance, 1.0 - chance).prod()), labels


def voted(sample: Sample, labels: Floats, votes: int) -> Sample:
    return replace(sample, labels=labels, owner=np.repeat(np.arange(len(sample)), votes))


def enumerated(spelled: str, budget: int, votes: int = VOTES) -> Moments:
    """The mean of four units, from the mean of their judgments."""
    trial, sums = Trial(TOY, design(spelled)), np.zeros(5)
    for one in trial.design.listed(trial.chunk, budget):
        base = trial.possible(one, budget)
        how = plain(base)
        for chance, labels in answers(one.rows, votes):
            sample = voted(base, labels, votes)
            w, psi = how.weights(sample), labels[None, :] / 4.0
            e = sample.averaged(psi)
            found = noise(sample, psi, np.full((1, len(sample)), 0.25), w)
            assert found is not None
            plainly = float(how.covariance(sample, e)[0, 0])
            value = float(e[0] @ w)
            more = (plainly + found.missing[0, 0], found.judging[0, 0], plainly)
            sums += one.probability * chance * np.array([value, value**2, *more])
    return Moments(sums[0], sums[1] - sums[0] ** 2, sums[2], sums[3], sums[4])


def sampling(spelled: str, budget: int) -> float:
    """The variance if every unit's v were known, enumerated."""
    trial = Trial(TOY, design(spelled))
    first = second = 0.0
    for one in trial.design.listed(trial.chunk, budget):
        sample = trial.possible(one, budget)
        value = float(CHANCE[one.rows] / 4.0 @ plain(sample).weights(sample))
        first += one.probability * value
        second += one.probability * value**2
    return second - first**2


@pytest.mark.parametrize("spelled", ["uniform", "ubis(prior=one)", "wr(floor=0.5)"])
def test_the_variance_is_split_without_bias(spelled: str) -> None:
    found = enumerated(spelled, 2)
    alone = sampling(spelled, 2)
    assert found.mean == pytest.approx(CHANCE.mean(), abs=EXACT)
    assert found.total == pytest.approx(found.variance, abs=EXACT)
    assert found.judging == pytest.approx(found.variance - alone, abs=EXACT)
    assert found.total - found.judging == pytest.approx(alone, abs=EXACT)


def test_the_formula_of_the_design_alone_misses_a_part() -> None:
    """Positive control: nearly a census, where the judges are nearly all of the error."""
    found = enumerated("uniform", 3)
    assert found.total == pytest.approx(found.variance, abs=EXACT)
    assert found.design < 0.7 * found.variance


def test_one_judgment_a_unit_says_nothing_of_the_judges() -> None:
    sample = Trial(TOY, design("uniform")).draw(3, 1).sample
    assert noise(sample, np.ones((1, 3)), np.ones((1, 3)), np.ones(3)) is None


def test_units_judged_once_are_taken_to_be_as_noisy() -> None:
    """Alike units, of which one in two is judged twice: the split is right on average."""
    rng = np.random.default_rng(1)
    n, found, values = 40, [], []
    base = Trial(toys.graded(80), design("uniform")).draw(n, 1).sample
    owner = np.concatenate([np.arange(n), np.arange(0, n, 2)])
    for _ in range(3_000):
        labels = (rng.random(len(owner)) < 0.3).astype(float)
        sample = replace(base, labels=labels, owner=owner)
        w = plain(sample).weights(sample)
        part = noise(sample, labels[None, :] / 80, np.full((1, n), 1 / 80), w)
        assert part is not None
        found.append(part.judging[0, 0])
        values.append(float(sample.averaged(labels[None, :] / 80)[0] @ w))
    assert np.mean(found) == pytest.approx(np.var(values), rel=0.06)


def test_a_study_says_which_part_is_the_judging() -> None:
    items = {"id": [f"u{i}" for i in range(40)]}
    with aq.Study.in_memory(aq.Frame.from_table(items, id="id"), measures="Mean", rng=1) as study:
        batch = study.draw(20)
        first = dict.fromkeys(batch.new[:10], "no") | dict.fromkeys(batch.new[10:], "yes")
        study.record(first, annotator="ann")
        assert study.estimate().rows[0].to_dict()["judging_variance"] is None
        study.record(first | dict.fromkeys(batch.new[:2], "yes"), annotator="bob")
        row = study.estimate(estimator="ht", interval="normal").rows[0]
        said = row.to_dict()
        # two units with s^2 = 1/2, r = 2, w = 2, psi = 1/40
        assert said["judging_variance"] == pytest.approx(2 * 4 * 0.5 / 2 / 1600)
        spread = np.var([0.5] * 2 + [0.0] * 8 + [1.0] * 10, ddof=1)
        missing = 2 * 2 * 0.5 / 2 / 1600
        assert row.stderr**2 == pytest.approx((1 - 0.5) * spread / 20 + missing)
        total = said["sampling_variance"] + said["judging_variance"]
        assert total == pytest.approx(row.stderr**2)

"""Chaganty et al. (2017), Theorems 1 to 3: what they claim against what draws do."""

from __future__ import annotations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.estimators.mixture import variance
from aliquot.estimators.pooled import Measured, product, spread
from aliquot.estimators.weights import balance, heuristic
from aliquot.papers.base import Cell, Reproduction, Settings
from aliquot.papers.chaganty_worlds import World, moments, overlapping, sums, world
from aliquot.wiring.rng import generator

ERRORS = 4.0  # standard errors of the simulation that chance may explain
DRAWS = (40.0, 80.0, 60.0, 100.0, 50.0)


def theorem1(settings: Settings) -> Reproduction:
    """The joint estimate of precision: unbiased, with the variance of Theorem 1."""
    reps = 4_000 if settings.fast else 100_000
    made = overlapping(generator(settings.seed, 1), 5, 400, (60, 160), 1.0)
    draws = np.array(DRAWS)
    mixes = np.array([heuristic(own, made.chance, draws) for own in made.chance])
    values = made.chance * made.truth
    found = np.concatenate(list(sums(made, draws, mixes, values, (reps, settings.seed, 11))))
    mean, spreads, mean_error, error = moments(found)
    sources = made.sources(draws)
    cells: list[Cell] = []
    for i, truth in enumerate(made.precision):
        row, claimed = f"system {i + 1}", variance(sources, mixes[i], values[i])
        cells += [
            Cell(row, "mean", float(truth), float(mean[i]), ERRORS * float(mean_error[i])),
            Cell(row, "variance", claimed, float(spreads[i]), ERRORS * float(error[i])),
        ]
    return Reproduction(
        tuple(cells),
        f"printed: the truth, and the theorem's formula with w_ij for w_j and weights that sum to "
        f"1 (B.2 prints 0); ours: {reps:,} repetitions with the heuristic weights; tolerance: "
        f"{ERRORS:g} standard errors of those",
    )


def theorem2(settings: Settings) -> Reproduction:
    """The recall within the pool: a ratio, so it is biased when few are drawn."""
    reps = 20_000 if settings.fast else 200_000
    made = overlapping(generator(settings.seed, 2), 5, 400, (60, 160), 1.0)
    cells: list[Cell] = []
    for n in (3, 10, 100):
        many = reps if n < 100 else reps // 4
        nu, truth = _shares(made, np.full(5, float(n)), (many, settings.seed, 20 + n))
        mean, spreads, mean_error, error = moments(nu)
        row = f"{n} draws a system"
        bias = float(mean[0] - truth[0])
        cells.append(Cell(row, "bias", 0.0, bias, ERRORS * float(mean_error[0])))
        if n == 100:
            draws = np.full(5, 100.0)
            claimed = spread(made.sources(draws), balance(draws), made.truth, made.member)
            off = float(error[0]) * ERRORS + 0.01 * float(claimed[0])  # linearised: to O(1/n)
            cells.append(Cell(row, "variance", float(claimed[0]), float(spreads[0]), off))
    cells += _clusters(settings, reps // 20)
    return Reproduction(
        tuple(cells),
        "Theorem 2's proof says unbiased: a ratio of means is only consistent, and its bias is "
        "there at 3 and 10 draws and goes away as 1/n. Variance: ours by linearisation, which the "
        "paper leaves out. Two clusters of systems without a common unit: weights of one "
        "system (w_ij, as in the released code) see one cluster only and over-estimate its recall; "
        "weights of the whole pool do not",
    )


def _shares(made: World, draws: Floats, asked: tuple[int, int, int]) -> tuple[Floats, Floats]:
    """Return nu of each system in every repetition where something correct was drawn."""
    mixes = np.tile(balance(draws), (len(made) + 1, 1))
    values = np.concatenate([made.member * made.truth, made.truth[None, :]])
    found = np.concatenate(list(sums(made, draws, mixes, values, asked)))
    some = found[:, -1] > 0
    truth = made.member @ made.truth / made.truth.sum()
    return found[some, :-1] / found[some, -1:], truth


def _clusters(settings: Settings, reps: int) -> list[Cell]:
    """Two clusters of three systems that share nothing, of unequal size."""
    rng = generator(settings.seed, 3)
    member = np.zeros((6, 900))
    for s in range(6):
        block = np.arange(300) if s < 3 else np.arange(300, 900)
        member[s, rng.choice(block, size=int(0.75 * len(block)), replace=False)] = 1.0
    made = world(member, (rng.random(900) < 0.6).astype(np.float64))
    draws = np.full(6, 100.0)
    truth = float(made.member[0] @ made.truth / made.truth.sum())
    own = heuristic(made.chance[0], made.chance, draws)
    cells = []
    for name, mix in (("weights of one system", own), ("weights of the pool", balance(draws))):
        values = np.stack([made.member[0] * made.truth, made.truth])
        found = sums(made, draws, np.stack([mix, mix]), values, (reps, settings.seed, 30))
        both = np.concatenate(list(found))
        mean, _, error, _ = moments(both[:, :1] / both[:, 1:])
        off = ERRORS * float(error[0]) + 1.0 / float(draws.sum())  # a ratio: its bias is O(1/n)
        cells.append(Cell("two clusters", name, truth, float(mean[0]), off))
    return cells


def theorem3(settings: Settings) -> Reproduction:
    """The recall theta nu: the printed variance lacks two squares."""
    reps = 20_000 if settings.fast else 200_000
    made = overlapping(generator(settings.seed, 4), 5, 400, (60, 160), 1.0)
    theta, n0, n = 0.4, 100, 100
    nu, truth = _shares(made, np.full(5, float(n)), (reps, settings.seed, 40))
    inside = generator(settings.seed, 41).binomial(n0, theta, size=len(nu)) / n0
    recall = nu * inside[:, None]
    mean, spreads, mean_error, error = moments(recall)
    draws = np.full(5, float(n))
    claimed = spread(made.sources(draws), balance(draws), made.truth, made.member)
    cells: list[Cell] = []
    for i, value in enumerate(truth):
        v, u = float(claimed[i]), theta * (1.0 - theta) / n0
        right = product(Measured(theta, u), Measured(float(value), v))
        printed = theta * v + float(value) * u + v * u
        off = ERRORS * float(error[i]) + 0.01 * right.variance  # Var nu is linearised
        bias = ERRORS * float(mean_error[i]) + theta / n  # nu is a ratio: its bias is O(1/n)
        row = f"system {i + 1}"
        cells += [
            Cell(row, "mean", right.value, float(mean[i]), bias),
            Cell(row, "variance, as printed", printed, float(spreads[i]), off),
            Cell(row, "variance, corrected", right.variance, float(spreads[i]), off),
        ]
    return Reproduction(
        tuple(cells),
        "Theorem 3 prints theta Var nu + nu Var theta + Var Var. Lemma 1 of the same paper has the "
        "squares, theta^2 Var nu + nu^2 Var theta + Var Var, and the simulated variance agrees "
        "with that; as printed it is too large",
    )

"""Schnabel et al. (2016), Table 5: systems that did not exist when labels were drawn."""

from __future__ import annotations

import math

import numpy as np

from aliquot.core.frame import Floats
from aliquot.papers import trec8
from aliquot.papers.base import Cell, Reproduction, Settings
from aliquot.papers.schnabel import FLOOR, SIGMAS, discount
from aliquot.wiring.rng import generator
from aliquot.wiring.workers import spread

TRAIN, TRIALS, A_QUERY = 10, 25, 10
Answer = tuple[float, float, float, float, float]


def table5(settings: Settings) -> Reproduction:
    """P@10 of the other systems from the labels of ten, by pooling and by importance sampling."""
    settings.folder("trec8")
    tasks = [(settings, number) for number in range(4 if settings.fast else 24)]
    found = np.array(list(spread(_world, tasks, what="sets of ten", progress=settings.progress)))
    mean, between = found.mean(axis=0), found.std(axis=0, ddof=1)
    printed = (
        ("TRUE", "mean", 0.418, 0.0),
        ("TOP", "mean", 0.356, 0.0),
        ("UBIS", "mean", 0.413, mean[3] / math.sqrt(TRIALS)),
        ("UBIS", "s.d.", 0.103, mean[3] / math.sqrt(2.0 * (TRIALS - 1))),
    )
    cells = [
        Cell(row, column, print_, float(mean[i]), SIGMAS * math.hypot(between[i], own) + 0.0005)
        for i, (row, column, print_, own) in enumerate(printed)
    ]
    cells.append(Cell("UBIS", "distinct units", None, float(mean[4]), 0.0))
    note = (
        "The ten systems are not named: ours is the mean over ten at random, and the tolerance has "
        "three standard deviations between such sets. Labels are drawn from the mean of the ten "
        "distributions of Table 4, 500 draws; the deviation is that of one system between trials. "
        "What none of the ten returns can't be drawn, so UBIS is a little too low as well. "
    )
    return Reproduction(tuple(cells), note)


def _world(task: tuple[Settings, int]) -> Answer:
    """Choose ten systems, pool their first ten, and draw from their distributions."""
    settings, number = task
    data = trec8.read(settings)
    rng = generator(settings.seed, 5, number)
    weights = data.weights((np.arange(1, trec8.DEPTH + 1) <= 10) / 10.0)
    train = np.sort(rng.choice(len(data.names), TRAIN, replace=False))
    test = np.setdiff1d(np.arange(len(data.names)), train)
    pooled = (weights[train] > 0).any(axis=0)
    runs, distinct = _drawn(data, train, weights[test], rng)
    return (
        float((weights[test] @ data.truth).mean()),
        float((weights[test] @ (data.truth * pooled)).mean()),
        float(runs.mean()),
        float(runs.std(axis=0, ddof=1).mean()),
        distinct,
    )


def _drawn(
    data: trec8.Trec8, train: np.ndarray, weights: Floats, rng: np.random.Generator
) -> tuple[Floats, float]:
    """Return the estimates of every system and trial, and how many units a trial judged."""
    topics = data.units.shape[1]
    ranks = np.arange(1.0, trec8.DEPTH + 1.0)
    base = 16.0 / (ranks + 34.0) * discount(trec8.DEPTH)
    q = (1.0 - FLOOR) * base / base.sum() + FLOOR / trec8.DEPTH
    Q = np.zeros(len(data.truth))
    for system in train:
        Q[data.units[system].ravel()] += np.tile(q, topics) / topics / TRAIN
    draws = A_QUERY * topics
    counts = rng.multinomial(draws, Q / Q.sum(), size=TRIALS)
    over = np.divide(1.0, draws * Q, out=np.zeros(len(Q)), where=Q > 0)
    found: Floats = (counts * over * data.truth) @ weights.T
    return found, float((counts > 0).sum(axis=1).mean())

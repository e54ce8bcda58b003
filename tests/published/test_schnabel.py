"""The worlds and the formulas behind the tables of Schnabel et al. (2016)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from aliquot.errors import InputError
from aliquot.papers import synth, trec8
from aliquot.papers.base import Settings
from aliquot.papers.schnabel import Ranking, Task, discount, repeat
from aliquot.papers.schnabel_pairs import pair
from aliquot.papers.schnabel_pool import Pool, root
from aliquot.wiring.rng import generator


def test_labels_are_drawn_as_often_as_alpha_says() -> None:
    labels = synth.labels(generator(1), rankings=500, items=2_000)
    assert np.all(np.diff(labels.astype(int), axis=1) <= 0)
    shares = np.bincount(labels.ravel()) / labels.size
    assert shares == pytest.approx(synth.ALPHA, abs=0.002)


def test_the_truth_and_its_scatter_are_those_of_print() -> None:
    """U = 284.40, and DEEP scatters by 1.69 with 15 queries; Dirichlet(alpha) scatters wildly."""
    rng = generator(2)
    each = synth.labels(rng, rankings=600).astype(float) @ discount(2_000)
    assert each.mean() == pytest.approx(284.4, abs=1.0)
    assert each.std() / np.sqrt(15) == pytest.approx(1.69, abs=0.2)
    counts = np.stack([rng.multinomial(2_000, rng.dirichlet(synth.ALPHA)) for _ in range(200)])
    labels = np.stack([np.repeat(np.arange(5)[::-1], c[::-1]) for c in counts])
    assert (labels @ discount(2_000)).std() / np.sqrt(15) > 30.0


@pytest.mark.parametrize("system", synth.SYSTEMS)
def test_rank_and_order_are_inverse(system: str) -> None:
    ranks, order = synth.ranks(system, 200), synth.order(system, 200)
    assert sorted(ranks.tolist()) == list(range(1, 201))
    assert np.array_equal(order[ranks - 1], np.arange(200))


def test_a_shifted_system_puts_the_last_first() -> None:
    assert synth.order("SHIFT-5")[:4].tolist() == [1997, 1998, 1999, 0]  # by 3, whatever its name
    assert synth.order("REVERSE-150")[[0, 149, 150]].tolist() == [149, 0, 150]


def ranking() -> Ranking:
    labels = synth.labels(generator(4), rankings=8, items=30)
    return Ranking("OPT", labels, 4, 4.0 * (1.0 - np.arange(1, 31) / 30.0))


def test_the_repetitions_are_unbiased_and_know_their_error() -> None:
    one = ranking()
    runs = repeat(Task(one, one.q("uP"), 60, 4_000, (1,)))
    error = runs.values.std() / np.sqrt(4_000)
    assert abs(runs.values.mean() - one.each.mean()) < 4.0 * error
    assert np.sqrt((runs.stderrs**2).mean()) == pytest.approx(runs.values.std(), rel=0.04)


def test_an_estimate_by_another_distribution_than_drawn_from_is_seen() -> None:
    """Positive control: labels weighed as if they came from P, and drawn uniformly."""
    one = ranking()
    runs = repeat(Task(one, one.q("1"), 60, 400, (1,)))
    wrong = repeat(Task(Ranking("", one.labels[:, ::-1], 4, one.guess), one.q("1"), 60, 400, (1,)))
    assert abs(wrong.values.mean() - one.each.mean()) > 10.0 * runs.values.std() / np.sqrt(400)


def pool() -> Pool:
    rng = generator(9)
    weights = rng.random((3, 12)) * (rng.random((3, 12)) < 0.8) / 12.0
    y = (np.arange(12) % 2).astype(float)
    return Pool(("a", "b", "c"), weights, rng.random((3, 12)) + 0.1, y, y, 4)


def test_the_variance_of_a_contrast_is_that_of_its_draws() -> None:
    made = pool()
    q = root(made.weights) + 0.01
    share = q / q.sum()
    for contrast, found in zip(made.centred, made.variances(made.centred, q), strict=True):
        each = made.first * contrast / share
        mean = float(share @ each)
        assert mean == pytest.approx(float(contrast @ made.first))
        assert found == pytest.approx(float(share @ each**2) - mean**2)


def test_knowing_the_labels_is_the_least_variance_for_the_sum() -> None:
    """Eq. 10: no other of many distributions has a smaller sum of variances."""
    made = pool()
    best = made.ideal(made.weights, root(made.weights)).sum()
    rng = generator(3)
    others = [made.variances(made.weights, rng.random(12) + 0.05).sum() for _ in range(300)]
    others.append(made.variances(made.weights, made.first * root(made.weights) + 1e-9).sum())
    assert min(others) >= best - 1e-9
    assert others[-1] == pytest.approx(best, rel=1e-4)


def test_a_pair_costs_least_when_it_is_what_is_drawn_for() -> None:
    found = pair(pool(), 0, 1)
    assert found.pairwise < found.separate


def test_runs_that_are_not_fully_judged_are_left_out(tmp_path: Path) -> None:
    """Two runs, one topic, the second with a document that nobody judged."""
    folder = tmp_path / "trec8"
    folder.mkdir()
    ranks = np.tile(np.arange(1, 102, dtype=np.int16), 2)
    docs = np.concatenate([np.arange(101), np.arange(101)[::-1] + 1]).astype(np.int32)
    runs = pa.array(["one"] * 101 + ["two"] * 101).dictionary_encode()
    topics = np.full(202, 401, dtype=np.int16)
    pq.write_table(
        pa.table({"run": runs, "topic": topics, "rank": ranks, "doc": docs}),
        folder / "trec8_runs.parquet",
    )
    judged = np.arange(101, dtype=np.int32)
    rel = (judged % 10 == 0).astype(np.int8)
    pq.write_table(
        pa.table({"topic": topics[:101], "doc": judged, "rel": rel}), folder / "trec8_qrels.parquet"
    )
    found = trec8.read(Settings(data=tmp_path))
    assert found.names == ("one",)
    assert found.labels.shape == (1, 1, 100)
    assert found.labels[0, 0, :21].tolist() == [1, *[0] * 9, 1, *[0] * 9, 1]
    assert found.weights(discount(100)).sum() == pytest.approx(discount(100).sum())


def test_a_file_that_is_no_parquet_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "trec8"
    folder.mkdir()
    (folder / "trec8_runs.parquet").write_text("no")
    with pytest.raises(InputError) as error:
        trec8.read(Settings(data=tmp_path))
    where = folder / "trec8_runs.parquet"
    assert str(error.value) == f"{where}: the file can't be read as Parquet. Check --data DIR."

"""Measures in which units don't count alike: a user's weight, or groups that count the same."""

from __future__ import annotations

from collections import defaultdict
from statistics import mean

import numpy as np
import pytest

import aliquot as aq
from aliquot.core import prn
from aliquot.core.columns import ArrayColumns
from aliquot.core.frame import GROUP, KEY, UNIT, WEIGHT, Frame, System
from aliquot.core.scale import scale
from aliquot.designs.replacement import Replacement
from aliquot.designs.uniform import Uniform
from aliquot.errors import AliquotError
from aliquot.estimators.hh import HansenHurwitz
from aliquot.estimators.ht import HorvitzThompson
from aliquot.measures.registry import measure
from aliquot.testing.enumeration import enumerate_estimates
from aliquot.testing.toys import Toy
from aliquot.testing.trial import Trial
from aliquot.testing.whole import Whole

LABELS = (1.0, 0.0, 1.0, 1.0, 0.0, 1.0)
GROUPS = (0, 0, 1, 2, 2, 2)  # group 1 is not in the output
VIEWS = (3.0, 1.0, 0.0, 2.0, 5.0, 1.0)
OUTPUT = (1.0, 1.0, 0.0, 1.0, 0.0, 1.0)
SPELLED = {
    "Mean(weight=views)": 6.0 / 12.0,
    "Mean(macro=kind)": mean([1 / 2, 1.0, 2 / 3]),
    "Precision(weight=views)": 6.0 / 7.0,
    "Precision(macro=kind)": mean([1 / 2, 1.0]),
    "Recall(weight=views)": 6.0 / 6.0,
    "F1(weight=views)": 2 * 6.0 / (7.0 + 6.0),
    "Accuracy(macro=kind)": mean([1 / 2, 0.0, 1.0]),
    "Accuracy(weight=views)": 11.0 / 12.0,
}
LINEAR = [spelled for spelled in SPELLED if measure(spelled).linear]


def toy() -> Toy:
    names = tuple(f"u{i}" for i in range(6))
    columns = {
        UNIT: np.array(names, dtype=object),
        KEY: prn.keys(names),
        "@retrieved:s": np.array(OUTPUT),
        f"{GROUP}kind": np.array(GROUPS),
        f"{WEIGHT}views": np.array(VIEWS),
    }
    systems = (System("s", "retrieved", "@retrieved:s"),)
    labels = scale("labels(no,yes)")
    return Toy(Frame(ArrayColumns(columns), systems), labels, np.array(LABELS), tuple(SPELLED))


@pytest.mark.parametrize(("spelled", "truth"), SPELLED.items())
def test_the_measure_is_its_definition(spelled: str, truth: float) -> None:
    assert Whole(toy(), spelled).truth == pytest.approx([truth])
    assert str(measure(spelled)) == spelled


@pytest.mark.parametrize("spelled", LINEAR)
def test_a_total_is_unbiased_over_all_samples(spelled: str) -> None:
    for design, how in ((Uniform(), HorvitzThompson()), (Replacement(), HansenHurwitz())):
        found = enumerate_estimates(Trial(toy(), design, measures=(spelled,)), how, spelled, 3)
        assert np.abs(found.bias).max() < 1e-9
        assert found.guarantees == {"design-unbiased"}
        assert np.abs(found.expected_variance - found.variance).max() < 1e-9


def test_equal_weights_and_one_group_are_the_plain_measure() -> None:
    table = {"id": range(40), "s": [i % 3 % 2 for i in range(40)], "w": [2.5] * 40, "g": ["x"] * 40}
    frame = aq.Frame.from_table(table, id="id", retrieved={"s": "s"}, weights="w", groups="g")
    names = ("Precision", "Precision(weight=w)", "Precision(macro=g)")
    study = aq.Study.in_memory(frame, measures=names, rng=1)
    study.record({u: "yes" if int(u) % 4 else "no" for u in study.draw(20, design="uniform").new})
    rows = [(r.estimate, r.stderr, r.low, r.high) for r in study.estimate().rows]
    assert rows[1] == pytest.approx(rows[0])
    assert rows[2] == pytest.approx(rows[0])


def test_a_macro_average_is_drawn_for_by_its_own_weights() -> None:
    """p_i of a macro average: every group of the output has the same chance of a draw."""
    kinds = ["big"] * 90 + ["small"] * 10
    table = {"id": range(100), "s": [1] * 100, "kind": kinds}
    frame = aq.Frame.from_table(table, id="id", retrieved={"s": "s"}, groups="kind")
    study = aq.Study.in_memory(frame, measures=["Precision(macro=kind)"], rng=1)
    units = study.draw(20, goal="s", design="ubis(prior=P, floor=0)").draw.units
    chance: dict[str, set[float]] = defaultdict(set)
    for unit, pi in zip(units.unit, units.pi.tolist(), strict=True):
        chance[kinds[int(unit)]].add(round(pi, 6))
    assert chance == {"big": {round(10 / 90, 6)}, "small": {1.0}}


REFUSED = {
    "Precision(macro=who)": "Precision(macro=who) needs a column 'who' of groups, and the study "
    "has none. Make the study with --group who.",
    "Mean(weight=kind)": "Mean(weight=kind) needs a column 'kind' of weights, and the study has "
    "none. Make the study with --weight kind.",
    "Recall(macro=kind)": "'Recall(macro=kind)' is not a measure. Spell it like Recall; its "
    "options are rel, weight, pool.",
    "Mean(weight=w, macro=kind)": "'Mean(weight=w, macro=kind)' counts units in two ways. Use "
    "weight or macro.",
}


@pytest.mark.parametrize(("spelled", "text"), REFUSED.items())
def test_what_cant_be_weighed_is_refused(spelled: str, text: str) -> None:
    table = {"id": [1, 2], "s": [0, 1], "kind": ["a", "b"], "w": [1, 0]}
    frame = aq.Frame.from_table(table, id="id", retrieved={"s": "s"}, groups="kind", weights="w")
    with pytest.raises(AliquotError) as error:
        aq.Study.in_memory(frame, measures=[spelled])
    assert str(error.value) == text


DO = "Give weights from 0 on, and some above."


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ([1, -2], f"row 2, column w: a weight of -2 is below 0. {DO}"),
        ([0, 0], f"row 1, column w: every weight is 0. {DO}"),
    ],
)
def test_weights_are_checked(weights: list[int], text: str) -> None:
    with pytest.raises(AliquotError) as error:
        aq.Frame.from_table({"id": [1, 2], "w": weights}, id="id", weights="w")
    assert str(error.value) == text

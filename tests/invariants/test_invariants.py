"""The seven invariants of the house, through `aliquot.Study`, on the disk and in memory.

That the file itself refuses a broken row is tested in `store/`. Here it is what a user does that
must keep them, and each has a positive control: a study in which it was broken by hand.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aliquot as aq
from aliquot.core.records import DrawRow, DrawUnits
from aliquot.designs.registry import DESIGNS
from aliquot.engine.draft import TableSpec
from aliquot.engine.manifest import SystemRow
from aliquot.errors import StudyDamagedError
from aliquot.store.ledger import SqliteLedger
from aliquot.study import doctor

COUNT = 80
SEED = 7
UNITS = [f"item {i}" for i in range(COUNT)]
SCORE = [round((37 * i % 83) / 83, 6) for i in range(COUNT)]
TRUTH = {
    u: "yes" if s + (i % 5) / 10 > 0.8 else "no"
    for i, (u, s) in enumerate(zip(UNITS, SCORE, strict=True))
}
ITEMS: dict[str, list[Any]] = {
    "id": UNITS,
    "score": SCORE,
    "judge": [round(0.8 * s + 0.1, 6) for s in SCORE],
    "kind": ["a" if i % 3 else "b" for i in range(COUNT)],
}
MEASURES = ("Precision", "Recall")
LEARNS = "headtail(strata=3, hidden=0.1, learn=yes)"
DESIGN_NAMES = [*(str(design()) for design in DESIGNS), LEARNS]
AGAIN = tuple(kind.name for kind in DESIGNS if kind.replacement)
FOLLOWED = [name for name in DESIGN_NAMES if not name.startswith(AGAIN)]


def frame(*, judged: bool = False) -> aq.Frame:
    return aq.Frame.from_table(
        ITEMS,
        id="id",
        scored={"svm": ("score", 0.5)},
        judges={"gpt": "judge"} if judged else {},
        stratum="kind",
    )


Make = Callable[[], aq.Study]


@pytest.fixture(params=["disk", "memory"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Make studies that differ in nothing but where they are."""
    made: list[aq.Study] = []

    def one() -> aq.Study:
        if request.param == "disk":
            path = tmp_path / f"study {len(made)}"
            made.append(aq.Study.create(path, frame(), measures=MEASURES, rng=SEED))
        else:
            made.append(aq.Study.in_memory(frame(), measures=MEASURES, rng=SEED))
        return made[-1]

    yield one
    for study in made:
        study.close()


def labels(units: tuple[str, ...] | list[str], flipped: str = "") -> dict[str, str]:
    """The true labels of some units; `flipped` turns those of units that end so."""
    turn = {"yes": "no", "no": "yes"}
    return {u: turn[TRUTH[u]] if flipped and u.endswith(flipped) else TRUTH[u] for u in units}


def draws(study: aq.Study) -> list[DrawRow]:
    return study.book.ledger.draws()


def frozen(row: DrawRow) -> tuple[object, ...]:
    """Everything that a draw row holds, but the time, in a form that can be compared."""
    units = row.units
    arrays = [getattr(units, f.name) for f in fields(DrawUnits)]
    plain = [tuple(a.tolist()) if isinstance(a, np.ndarray) else a for a in arrays]
    head = [getattr(row, f.name) for f in fields(DrawRow) if f.name not in ("units", "created")]
    return (*head, *plain)


def add_a_system(study: aq.Study) -> None:
    late = {"id": UNITS, "late": [round(1 - s, 6) for s in SCORE]}
    spec = TableSpec("id", (SystemRow("late", "scored", "late", 0.6),), scale=frame().scale)
    study.add_systems(late, spec)


def tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of a study on the disk."""
    with closing(sqlite3.connect(path / "study.db")) as db:
        names = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {n: db.execute(f"SELECT * FROM {n} ORDER BY 1").fetchall() for n in names}  # noqa: S608


def tamper(path: Path, change: str) -> None:
    """Do what another program could: take the triggers away, change a row, and bring them back."""
    with closing(sqlite3.connect(path / "study.db")) as db:
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        found = db.execute(query).fetchall()
        for name, _ in found:
            db.execute(f"DROP TRIGGER {name}")
        db.execute(change)
        for _, text in found:
            db.execute(text)
        db.commit()


def a_story(study: aq.Study) -> None:
    """Two draws, a correction, a skip, and a system that joins late."""
    first = study.draw(15)
    study.record(labels(list(first.new)))
    study.record({first.new[0]: "skip", first.new[1]: "unsure"})
    study.draw(10, design="uniform")


# 1. Every judgment points to one draw row, as it was when it was drawn.


def test_1_every_judgment_points_to_the_draw_that_its_unit_was_new_in(make: Make) -> None:
    study = make()
    a_story(study)
    study.record(labels(list(draws(study)[-1].units.unit)))
    rows = draws(study)
    for judgment in study.book.ledger.judgments():
        [home] = [
            row
            for row in rows
            if judgment.unit in row.units.unit
            and row.units.new[row.units.unit.index(judgment.unit)]
        ]
        at = home.units.unit.index(judgment.unit)
        assert 0 < home.units.pi[at] <= 1
        assert home.design in {"pps(size=influence, floor=0.35)", "uniform"}
        assert home.frame_hash == study.book.frame.hash


def test_1_a_draw_row_stays_as_it_was_drawn(make: Make) -> None:
    study = make()
    batch = study.draw(15)
    before = frozen(draws(study)[0])
    old_hash = draws(study)[0].frame_hash
    study.record(labels(list(batch.new)))
    study.draw(10, design="uniform")
    add_a_system(study)
    study.draw(10, goal="late")
    study.record(labels(list(draws(study)[-1].units.unit), flipped="5"))
    assert frozen(draws(study)[0]) == before
    assert study.book.frame.hash != old_hash
    assert [row.frame_hash == old_hash for row in draws(study)] == [True, True, False]
    assert [row.frame for row in draws(study)] == [1, 1, 2]


def test_1_in_the_file_a_judgment_holds_the_number_of_its_draw_row(tmp_path: Path) -> None:
    path = tmp_path / "study"
    with aq.Study.create(path, frame(), measures=MEASURES, rng=SEED) as study:
        a_story(study)
        study.record(labels(list(draws(study)[-1].units.unit)))
        judged = len(study.book.ledger.history())
    query = """
        SELECT count(*), sum(u.new = 1), sum(d.batch IS NOT NULL), sum(f.hash = d.frame_hash)
        FROM judgments j JOIN draw_units u ON u.id = j.draw_unit
        JOIN draws d ON d.batch = u.batch JOIN frames f ON f.version = d.frame
    """
    with closing(sqlite3.connect(path / "study.db")) as db:
        assert db.execute(query).fetchall() == [(judged, judged, judged, judged)]


def test_1_a_unit_that_was_not_drawn_gets_no_judgment(make: Make) -> None:
    study = make()
    batch = study.draw(5)
    other = next(unit for unit in UNITS if unit not in batch.new)
    done = study.record({other: "yes"})
    assert (done.added, done.not_drawn) == (0, 1)
    assert study.book.ledger.history() == []


def test_1_a_changed_draw_row_is_seen(make: Make) -> None:
    one, other = make(), make()
    one.draw(15)
    other.draw(15, design="pps(size=influence, floor=0.34)")
    assert frozen(draws(one)[0]) != frozen(draws(other)[0])


# 2. Rows are only added.


def steps(path: Path) -> Iterator[dict[str, list[tuple[object, ...]]]]:
    """Everything that a user can do to a study; after each step, what the file holds."""
    with aq.Study.create(path, frame(), measures=MEASURES, rng=SEED) as study:
        yield tables(path)
        batch = study.draw(12)
        yield tables(path)
        for said in (labels(list(batch.new)), labels(list(batch.new), flipped="3")):
            study.record(said, annotator="ann")
            yield tables(path)
        study.record({batch.new[0]: "skip"}, annotator="bob")
        yield tables(path)
        add_a_system(study)
        yield tables(path)
        study.draw(8, goal="late", design="pareto")
        yield tables(path)
        study.estimate()
        study.doctor()
        yield tables(path)


def only_added(before: dict[str, list[Any]], after: dict[str, list[Any]]) -> bool:
    return before.keys() == after.keys() and all(
        after[name][: len(rows)] == rows for name, rows in before.items()
    )


def test_2_rows_are_only_added(tmp_path: Path) -> None:
    states = list(steps(tmp_path / "study"))
    assert len(states) == 8
    for before, after in pairwise(states):
        assert only_added(before, after)
    sizes = [sum(len(rows) for rows in state.values()) for state in states]
    assert sizes == sorted(sizes)
    assert sizes[-1] == sizes[-2] > sizes[-3] > sizes[0]


def test_2_a_correction_is_a_new_row(make: Make) -> None:
    study = make()
    unit = study.draw(5).new[0]
    assert study.record({unit: "yes"}).added == 1
    assert study.record({unit: "no"}).added == 1
    assert study.record({unit: "no"}).added == 0
    assert [j.label for j in study.book.ledger.history()] == ["yes", "no"]
    assert [j.label for j in study.book.ledger.judgments()] == ["no"]


def test_2_a_row_that_was_changed_is_seen(tmp_path: Path) -> None:
    *_, last = steps(tmp_path / "study")
    tamper(tmp_path / "study", "UPDATE judgments SET label = 'yes' WHERE id = 1")
    tamper(tmp_path / "study", "UPDATE judgments SET label = 'no' WHERE id = 2")
    assert not only_added(last, tables(tmp_path / "study"))


# 3. The seed and the batch number redraw any batch, bit for bit.


def problems(study: aq.Study) -> list[str]:
    return [f"{f.topic}: {f.text}" for f in study.doctor() if f.grade == "problem"]


@pytest.mark.parametrize("design", DESIGN_NAMES)
def test_3_every_batch_is_redrawn_bit_for_bit(make: Make, design: str) -> None:
    study = make()
    for budget in (24, 5, 20):
        study.draw(budget, design=design)
    found = doctor.redrawn(study.book, {study.book.frame.hash: study.book})
    assert [f.text for f in found] == [f"redrawn from seed {SEED}, bit for bit"] * 3
    assert problems(study) == []


def test_3_so_are_batches_of_different_designs_and_goals(make: Make) -> None:
    study = make()
    for budget, design, goal in (
        (12, "uniform", "each"),
        (12, "default", "each"),
        (8, "pareto(floor=0.3)", "svm"),
        (8, "poisson(size=p)", "each"),
    ):
        study.draw(budget, design=design, goal=goal)
        study.record(labels(list(draws(study)[-1].units.unit)))
    assert [f.grade for f in doctor.redrawn(study.book, {study.book.frame.hash: study.book})] == [
        "fine"
    ] * 4


def test_3_a_batch_is_redrawn_from_the_frame_that_it_was_drawn_from(make: Make) -> None:
    study = make()
    study.draw(12)
    add_a_system(study)
    study.draw(8, goal="late")
    study.draw(6, goal="late")
    assert [(f.topic, f.text) for f in study.doctor() if f.topic.startswith("batch")] == [
        (f"batch {batch}", f"redrawn from seed {SEED}, bit for bit") for batch in (1, 2, 3)
    ]


def test_3_and_is_not_what_another_frame_gives(make: Make) -> None:
    study = make()
    study.draw(12)
    before = study.book.frame.hash
    add_a_system(study)
    wrong = {before: study.book}  # the frame of now in the place of the frame of then
    assert [f.grade for f in doctor.redrawn(study.book, wrong)] == ["problem"]


@pytest.mark.parametrize("design", DESIGN_NAMES)
def test_3_two_studies_with_one_seed_draw_the_same(make: Make, design: str) -> None:
    one, other = make(), make()
    for study in (one, other):
        study.draw(20, design=design)
        study.draw(10, design=design)
    assert [frozen(row) for row in draws(one)] == [frozen(row) for row in draws(other)]


def test_3_a_study_in_memory_draws_what_one_on_the_disk_draws(tmp_path: Path) -> None:
    with (
        aq.Study.create(tmp_path / "study", frame(), measures=MEASURES, rng=SEED) as one,
        aq.Study.in_memory(frame(), measures=MEASURES, rng=SEED) as other,
    ):
        for study in (one, other):
            study.draw(20)
            study.draw(10, design="uniform")
        for row, same in zip(draws(one), draws(other), strict=True):
            assert row.units.unit == same.units.unit
            assert np.array_equal(row.units.pi, same.units.pi)
            assert np.array_equal(row.units.conditional, same.units.conditional)


def test_3_another_seed_draws_others() -> None:
    with (
        aq.Study.in_memory(frame(), measures=MEASURES, rng=SEED) as one,
        aq.Study.in_memory(frame(), measures=MEASURES, rng=SEED + 1) as other,
    ):
        assert set(one.draw(20).new) != set(other.draw(20).new)


CAUGHT = r"batch [12]: a new draw from seed [78] is not what was recorded"


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE draw_units SET pi = pi * 0.999 WHERE id = 3",
        "UPDATE draw_units SET conditional = conditional * 0.5 WHERE id = 20",
        "UPDATE draw_units SET count = 2 WHERE id = 4",
        "UPDATE draw_units SET ord = 99 WHERE id = 5",
        "UPDATE draw_units SET before = 0.001 WHERE id = 20",
        "UPDATE draw_units SET stratum = 3 WHERE id = 3",
        "UPDATE draw_units SET key = key + 1 WHERE id = 3",
        "UPDATE draws SET seed = '8' WHERE batch = 2",
        "UPDATE draws SET design = 'uniform' WHERE batch = 2",
        "UPDATE draws SET budget = 11 WHERE batch = 1",
        "UPDATE draws SET goal = 'svm', design = 'pps(size=shape, floor=0.1)' WHERE batch = 1",
    ],
)
def test_3_a_study_that_was_tampered_with_is_caught(tmp_path: Path, change: str) -> None:
    path = tmp_path / "study"
    with aq.Study.create(path, frame(), measures=MEASURES, rng=SEED) as study:
        study.draw(12)
        study.draw(10)
        assert problems(study) == []
    tamper(path, change)
    with aq.Study.open(path) as study:
        assert any(re.fullmatch(CAUGHT, problem) for problem in problems(study))


def test_3_a_frame_that_was_tampered_with_is_caught(tmp_path: Path) -> None:
    path = tmp_path / "study"
    with aq.Study.create(path, frame(), measures=MEASURES, rng=SEED) as study:
        study.draw(12)
    [part] = path.glob("*.parquet")
    part.write_bytes(part.read_bytes() + b"x")
    with pytest.raises(StudyDamagedError) as error:
        aq.Study.open(path)
    assert str(error.value) == (
        f"{path}: the frame's file {part.name} is not what was written. "
        "Bring the study back from a copy; its judgments are in study.db."
    )


# 4. A propensity lies in (0, 1]; "skipped" is another state, never a magic pi.


@pytest.mark.parametrize("design", DESIGN_NAMES)
def test_4_propensities_lie_in_zero_and_one(make: Make, design: str) -> None:
    study = make()
    for budget in (24, 20):
        study.draw(budget, design=design)
    for row in draws(study):
        assert np.all((row.units.conditional > 0) & (row.units.conditional <= 1))
        assert np.all(row.units.pi > 0)
        assert np.all(row.units.pi <= 1) or row.design.startswith(AGAIN)
        assert np.all((row.units.before >= 0) & (row.units.before <= row.units.pi))


def test_4_the_last_unit_is_certain(make: Make) -> None:
    study = make()
    study.draw(COUNT)
    assert np.all(draws(study)[0].units.pi == 1)


def test_4_skipped_is_a_state_and_changes_no_propensity(make: Make) -> None:
    study = make()
    batch = study.draw(20)
    before = frozen(draws(study)[0])
    study.record(labels(list(batch.new[:15])))
    study.record(dict.fromkeys(batch.new[15:18], "skip") | {batch.new[18]: "unsure"})
    assert frozen(draws(study)[0]) == before
    states = [(j.state, j.value) for j in study.book.ledger.judgments() if j.state != "label"]
    assert states == [("skip", None)] * 3 + [("unsure", None)]
    done = study.progress
    assert (done.drawn, done.judged, done.skipped, done.waiting) == (20, 15, 4, 1)
    assert len(study.queue()) == 1
    [row, *_] = study.estimate().rows
    assert row.value.judged == 15
    assert any("skipped or unsure" in text for text in row.value.warnings)


def test_4_an_ineligible_unit_has_no_row_at_all() -> None:
    """Precision needs nothing of what is not retrieved: such a unit can't be drawn."""
    with aq.Study.in_memory(frame(), measures=["Precision"], rng=SEED) as study:
        retrieved = {u for u, s in zip(UNITS, SCORE, strict=True) if s >= 0.5}
        study.draw(len(retrieved))
        assert set(draws(study)[0].units.unit) == retrieved
        with pytest.raises(aq.AliquotError) as error:
            study.draw(1)
        assert str(error.value) == (
            "a budget of 1 is more than the 0 units that can still be drawn. "
            "Nothing is left to draw for this goal."
        )


@pytest.mark.parametrize("pi", [0.0, -0.1, 1.5, float("nan")])
def test_4_a_propensity_outside_is_refused(make: Make, pi: float) -> None:
    study = make()
    row = draws_of_a_twin(study)
    wrong = row.units.pi.copy()
    wrong[0] = pi
    units = DrawUnits(**{**vars(row.units), "pi": wrong})
    with pytest.raises(aq.AliquotError):
        study.book.ledger.add_draw(DrawRow(**{**vars(row), "units": units}))
    assert draws(study) == []
    study.book.ledger.add_draw(row)
    assert len(draws(study)) == 1


def draws_of_a_twin(study: aq.Study) -> DrawRow:
    """A draw that this study could make, not yet recorded."""
    from aliquot.study.draw import prepare

    return prepare(study.book, 10, goal="each", spelling="default")


# 5. Stop, restart, continue gives what going straight through gives.


def work(study: aq.Study, step: int) -> None:
    """One step of a study; a partial record in the middle of a batch is one of them."""
    waiting = [row.unit if "unit" in row.values else row.values["id"] for row in study.queue()]
    match step:
        case 0:
            study.draw(14)
        case 1:
            study.record(labels(waiting[:6]))
        case 2:
            study.record(labels(waiting))
        case 3:
            study.draw(9, design="uniform")
        case 4:
            study.record(labels(waiting[:4]) | {waiting[4]: "skip"})
        case 5:
            add_a_system(study)
        case 6:
            study.draw(9, goal="late", design="pareto")
        case _:
            study.record(labels(waiting[:-2]))


def outcome(study: aq.Study) -> tuple[object, ...]:
    """Everything that a study has come to, but the times."""
    said = [(j.unit, j.label, j.value, j.state) for j in study.book.ledger.history()]
    waiting = [row.to_dict() for row in study.queue()]
    rows = study.estimate().to_dicts()
    return [frozen(row) for row in draws(study)], said, waiting, rows, study.compare().to_dict()


STEPS = range(8)


def straight(path: Path, steps: list[int]) -> tuple[object, ...]:
    with aq.Study.create(path, frame(), measures=MEASURES, rng=SEED) as study:
        for step in steps:
            work(study, step)
        return outcome(study)


def test_5_stop_and_continue_is_going_straight_through(tmp_path: Path) -> None:
    whole = straight(tmp_path / "straight", list(STEPS))
    path = tmp_path / "stopped"
    aq.Study.create(path, frame(), measures=MEASURES, rng=SEED).close()
    for step in STEPS:
        with aq.Study.open(path) as study:
            work(study, step)
    with aq.Study.open(path) as study:
        assert outcome(study) == whole
        assert problems(study) == []


def test_5_a_study_that_was_moved_goes_on(tmp_path: Path) -> None:
    whole = straight(tmp_path / "straight", list(STEPS))
    with aq.Study.create(tmp_path / "here", frame(), measures=MEASURES, rng=SEED) as study:
        for step in STEPS[:4]:
            work(study, step)
    (tmp_path / "here").rename(tmp_path / "there")
    with aq.Study.open(tmp_path / "there") as study:
        for step in STEPS[4:]:
            work(study, step)
        assert outcome(study) == whole


def test_5_a_study_in_memory_comes_to_the_same(tmp_path: Path) -> None:
    whole = straight(tmp_path / "straight", list(STEPS))
    with aq.Study.in_memory(frame(), measures=MEASURES, rng=SEED) as study:
        for step in STEPS:
            work(study, step)
        assert outcome(study)[1:] == whole[1:]


def test_5_a_step_that_was_lost_is_seen(tmp_path: Path) -> None:
    whole = straight(tmp_path / "straight", list(STEPS))
    assert straight(tmp_path / "short", [0, 1, 3, 4, 5, 6, 7]) != whole


# 6. Changing a later label never changes an earlier draw.


def told(study: aq.Study, design: str, flipped: str) -> list[tuple[object, ...]]:
    """Draw, judge, draw, judge, draw; the labels turned here and there."""
    for budget in (20, 8, 6):
        batch = study.draw(budget, design=design)
        study.record(labels(list(batch.new), flipped=flipped))
    return [frozen(row) for row in draws(study)]


@pytest.mark.parametrize("design", ["default", *DESIGN_NAMES[:-1]])
def test_6_no_label_changes_a_draw_before_or_after_it(make: Make, design: str) -> None:
    expected = told(make(), design, "")
    for flipped in ("1", "7"):
        assert told(make(), design, flipped) == expected


def test_6_where_a_design_learns_labels_change_later_draws_alone(make: Make) -> None:
    ours, theirs = told(make(), LEARNS, ""), told(make(), LEARNS, "1")
    assert ours[0] == theirs[0]
    assert ours[2] != theirs[2]


@pytest.mark.parametrize("design", ["default", *FOLLOWED])
def test_6_a_corrected_label_changes_no_earlier_draw(make: Make, design: str) -> None:
    study = make()
    if design.startswith(("stratified", "headtail")):  # it goes on with itself only
        study.draw(20, design=design)
    else:
        study.draw(20, design="uniform")
    first = frozen(draws(study)[0])
    study.record(labels(list(draws(study)[0].units.unit)))
    study.draw(8, design=design)
    second = frozen(draws(study)[1])
    study.record(labels(list(draws(study)[1].units.unit), flipped="2"))
    study.draw(6, design=design)
    assert [frozen(row) for row in draws(study)[:2]] == [first, second]
    assert [f.grade for f in doctor.redrawn(study.book, {study.book.frame.hash: study.book})] == [
        "fine"
    ] * 3


def test_6_the_estimate_does_follow_a_label(make: Make) -> None:
    study = make()
    batch = study.draw(30)
    study.record(labels(list(batch.new)))
    before = [row.estimate for row in study.estimate()]
    study.record(labels(list(batch.new), flipped="2"))
    assert [row.estimate for row in study.estimate()] != before


def test_6_a_draw_that_looks_at_labels_is_seen(make: Make) -> None:
    def peeking(*, turned: bool) -> list[tuple[object, ...]]:
        study = make()
        batch = study.draw(20)
        said = labels(list(batch.new), flipped=batch.new[0][-1] if turned else "")
        study.record(said)
        study.draw(8, design="uniform" if said[batch.new[0]] == "yes" else "pps")
        return [frozen(row) for row in draws(study)]

    assert peeking(turned=False) != peeking(turned=True)


# 7. The human-only estimate always stands beside an assisted one.


def unaccompanied(found: list[dict[str, Any]]) -> list[tuple[object, object]]:
    """Assisted rows without a human-only row of the same system and measure."""
    human = {(row["system"], row["measure"]) for row in found if not row["assisted"]}
    helped = [(row["system"], row["measure"]) for row in found if row["assisted"]]
    return [pair for pair in helped if pair not in human]


@pytest.mark.parametrize("judged", [True, False])
@pytest.mark.parametrize("estimator", ["default", "difference", "ht", "hajek"])
@pytest.mark.parametrize("place", ["disk", "memory"])
def test_7_the_human_only_estimate_is_always_there(
    tmp_path: Path, *, judged: bool, estimator: str, place: str
) -> None:
    made = frame(judged=judged)
    study = (
        aq.Study.create(tmp_path / "study", made, measures=(*MEASURES, "Mean"), rng=SEED)
        if place == "disk"
        else aq.Study.in_memory(made, measures=(*MEASURES, "Mean"), rng=SEED)
    )
    with study:
        study.record(labels(list(study.draw(40).new)))
        found = study.estimate(estimator=estimator).to_dicts()
    assert unaccompanied(found) == []
    helped = judged or estimator == "difference"
    assert [row["assisted"] for row in found] == ([False, True] if helped else [False]) * 3


def test_7_the_human_only_estimate_is_what_it_is_without_a_judge() -> None:
    """With one draw of the same units: a judge changes sizes, so uniform is drawn."""
    rows = []
    for judged in (True, False):
        made = frame(judged=judged)
        with aq.Study.in_memory(made, measures=MEASURES, rng=SEED) as study:
            study.record(labels(list(study.draw(40, design="uniform").new)))
            found = study.estimate().to_dicts()
        rows.append([row for row in found if not row["assisted"]])
    assert rows[0] == rows[1]


def test_7_an_assisted_row_alone_is_seen() -> None:
    with aq.Study.in_memory(frame(judged=True), measures=MEASURES, rng=SEED) as study:
        study.record(labels(list(study.draw(40).new)))
        found = study.estimate().to_dicts()
    assert unaccompanied([row for row in found if row["assisted"]]) == [
        ("svm", "Precision"),
        ("svm", "Recall"),
    ]


def test_the_ledger_is_the_real_one(make: Make) -> None:
    assert isinstance(make().book.ledger, SqliteLedger)

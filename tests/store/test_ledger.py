"""What is written is read back, bit for bit; what can't be written is refused by name."""

from __future__ import annotations

import dataclasses
import math
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aliquot.core.records import DrawUnits, FrameRow, Header, Judgment
from aliquot.errors import (
    AliquotError,
    DesignError,
    InputError,
    LabelError,
    StudyError,
    StudyExistsError,
    StudyMissingError,
)
from aliquot.store.ledger import SqliteLedger
from aliquot.study.ports import Ledger
from tests.store.samples import FRAME, HEADER, bits, content, draw, fill, label, names, units

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@pytest.fixture(params=["file", "memory"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteLedger]:
    """Every law of the ledger holds in a file and in memory."""
    if request.param == "file":
        made = SqliteLedger.create_at(tmp_path / "study.db")
    else:
        made = SqliteLedger.in_memory()
    with made:
        yield made


def where(ledger: SqliteLedger) -> str:
    return repr(ledger).removeprefix("<SqliteLedger ").removesuffix(">")


def refusal(kind: type[AliquotError], call: Callable[[], object]) -> str:
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)


def test_it_is_the_ledger_that_the_use_cases_ask_for(ledger: SqliteLedger) -> None:
    port: Ledger = ledger
    port.create(HEADER, FRAME)
    assert port.header() == HEADER
    assert port.frames() == [FRAME]
    assert port.draws() == []
    assert port.judgments() == []


def test_a_draw_comes_back_bit_for_bit(ledger: SqliteLedger) -> None:
    drawn = units(names(5))
    fill(ledger)
    [row] = ledger.draws()
    assert row == draw(1, drawn)
    assert bits(row.units) == bits(drawn)


def test_a_bit_that_differs_is_seen() -> None:
    drawn = units(names(5))
    other = dataclasses.replace(drawn, pi=np.nextafter(drawn.pi, 1))
    assert bits(other) != bits(drawn)
    assert bits(dataclasses.replace(drawn, new=drawn.new.astype(np.int8))) != bits(drawn)


@pytest.mark.parametrize("key", [0, 1, 2**63 - 1, 2**63, 2**64 - 1])
def test_every_key_of_64_bits_is_kept(key: int, ledger: SqliteLedger) -> None:
    ledger.create(HEADER, FRAME)
    drawn = dataclasses.replace(units(["a"]), key=np.array([key], dtype=np.uint64))
    ledger.add_draw(draw(1, drawn))
    assert ledger.draws()[0].units.key.tolist() == [key]


@pytest.mark.parametrize("pi", [5e-324, 0.1, math.nextafter(1, 0), 1.0])
def test_every_probability_is_kept(pi: float, ledger: SqliteLedger) -> None:
    ledger.create(HEADER, FRAME)
    drawn = dataclasses.replace(units(["a"]), pi=np.array([pi]), conditional=np.array([pi]))
    ledger.add_draw(draw(1, drawn))
    assert ledger.draws()[0].units.pi.tolist() == [pi]
    assert ledger.verify() == []


@pytest.mark.parametrize("seed", [0, -1, 2**63, 2**128 + 1])
def test_every_seed_is_kept(seed: int, ledger: SqliteLedger) -> None:
    header = dataclasses.replace(HEADER, seed=seed)
    ledger.create(header, FRAME)
    row = dataclasses.replace(draw(1, units(["a"])), seed=seed)
    ledger.add_draw(row)
    assert ledger.header() == header
    assert ledger.draws() == [row]


@given(texts=st.lists(TEXT, min_size=1, max_size=6, unique=True), note=TEXT)
def test_every_text_is_kept(texts: list[str], note: str) -> None:
    with SqliteLedger.in_memory() as ledger:
        header = Header(1, note, note, tuple(texts), note, note)
        frame = FrameRow(1, note, 2, note, note)
        ledger.create(header, frame)
        row = dataclasses.replace(draw(1, units(texts)), design=note, goal=note, frame_hash=note)
        ledger.add_draw(row)
        said = [Judgment(text, note, 1.0, "label", text, note, note) for text in texts]
        assert ledger.record(said) == (len(texts), 0)
        assert ledger.record(said) == (0, len(texts))
        assert (ledger.header(), ledger.frames(), ledger.draws()) == (header, [frame], [row])
        assert bits(ledger.draws()[0].units) == bits(row.units)
        assert ledger.judgments() == ledger.history() == said


def test_an_empty_draw_is_a_draw(ledger: SqliteLedger) -> None:
    ledger.create(HEADER, FRAME)
    ledger.add_draw(draw(1, units([])))
    [row] = ledger.draws()
    assert bits(row.units) == bits(units([]))


def test_frames_and_draws_come_oldest_first(ledger: SqliteLedger) -> None:
    fill(ledger)
    second = FrameRow(2, "bb22", 12, "{}", "2025-02-01")
    ledger.add_frame(second)
    again = draw(2, units(["u3", "u1"], new=False))
    third = dataclasses.replace(draw(3, units(["x"])), frame=2, frame_hash="bb22")
    ledger.add_draw(again)
    ledger.add_draw(third)
    assert ledger.frames() == [FRAME, second]
    assert [row.batch for row in ledger.draws()] == [1, 2, 3]
    assert bits(ledger.draws()[1].units) == bits(again.units)


def test_expected_draws_may_exceed_one(ledger: SqliteLedger) -> None:
    ledger.create(HEADER, FRAME)
    drawn = dataclasses.replace(units(["a"]), pi=np.array([2.5]), conditional=np.array([3.5]))
    ledger.add_draw(draw(1, drawn, params='{"replacement": true}'))
    assert bits(ledger.draws()[0].units) == bits(drawn)


# --- judgments ---------------------------------------------------------------------------------


def test_a_correction_is_a_new_row_and_stands(ledger: SqliteLedger) -> None:
    fill(ledger)
    first, other = label("u1", "yes"), label("u2", "no")
    corrected = label("u1", "no")
    assert ledger.record([first, other]) == (2, 0)
    assert ledger.record([corrected]) == (1, 0)
    assert ledger.judgments() == [other, corrected]
    assert ledger.history() == [first, other, corrected]


def test_what_was_said_already_adds_nothing(ledger: SqliteLedger) -> None:
    fill(ledger)
    said = [label("u1"), label("u1", by="bob"), Judgment("u2", "skip", None, "skip", "ann")]
    assert ledger.record(said) == (3, 0)
    later = [dataclasses.replace(judgment, at="2031-01-01") for judgment in said]
    assert ledger.record(later) == (0, 3)
    assert ledger.history() == said


@pytest.mark.parametrize(
    "change",
    [
        {"label": "no"},
        {"state": "unsure", "value": None},
        {"note": "again"},
        {"annotator": "bob"},
    ],
)
def test_each_change_of_what_is_said_adds_a_row(
    change: dict[str, str], ledger: SqliteLedger
) -> None:
    fill(ledger)
    first = label("u1")
    ledger.record([first])
    assert ledger.record([dataclasses.replace(first, **change)]) == (1, 0)  # type: ignore[arg-type]


def test_only_the_standing_judgment_counts_as_said(ledger: SqliteLedger) -> None:
    fill(ledger)
    yes, no = label("u1", "yes"), label("u1", "no")
    assert ledger.record([yes, no, no, yes]) == (3, 1)
    assert ledger.history() == [yes, no, yes]
    assert ledger.judgments() == [yes]


def test_one_unit_may_have_a_judgment_of_each_annotator(ledger: SqliteLedger) -> None:
    fill(ledger)
    said = [label("u1", by="bob"), label("u1", by="ann"), label("u1", by="")]
    ledger.record(said)
    assert ledger.judgments() == said


def test_a_reused_unit_is_judged_where_it_was_new(ledger: SqliteLedger) -> None:
    fill(ledger)
    ledger.add_draw(draw(2, units(["u1"], new=False)))
    assert ledger.record([label("u1")]) == (1, 0)
    assert ledger.judgments() == [label("u1")]


def test_nothing_to_record_is_nothing_recorded(ledger: SqliteLedger) -> None:
    fill(ledger)
    assert ledger.record([]) == (0, 0)


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ([], "unit 'x' was never drawn"),
        (["y", "x"], "unit 'x' and 1 other were never drawn"),
        (["y", "z"], "unit 'x' and 2 others were never drawn"),
    ],
)
def test_a_unit_that_was_never_drawn_is_named_and_nothing_recorded(
    others: list[str], says: str, ledger: SqliteLedger
) -> None:
    fill(ledger)
    said = [label(unit) for unit in ("u1", "x", *others, "u2")]
    text = refusal(LabelError, lambda: ledger.record(said))
    assert text == (
        f"{where(ledger)}: {says}. Record units that are in the queue; nothing was recorded."
    )
    assert ledger.history() == []


@pytest.mark.parametrize(
    ("judgment", "says", "do"),
    [
        (
            Judgment("u1", "yes", 1.0, "maybe"),  # type: ignore[arg-type]
            "the state of unit 'u1' is 'maybe'",
            "Use label, skip or unsure",
        ),
        (
            Judgment("u1", "yes", None),
            "the value of unit 'u1' is None, and its state is label",
            "Give a number to a label, and none to skip or unsure",
        ),
        (
            Judgment("u1", "skip", 0.0, "skip"),
            "the value of unit 'u1' is 0.0, and its state is skip",
            "Give a number to a label, and none to skip or unsure",
        ),
        (
            Judgment("u1", "yes", math.nan),
            "the value of unit 'u1' is nan, and its state is label",
            "Give a number to a label, and none to skip or unsure",
        ),
    ],
)
def test_a_judgment_that_contradicts_itself_is_refused(
    judgment: Judgment, says: str, do: str, ledger: SqliteLedger
) -> None:
    fill(ledger)
    text = refusal(LabelError, lambda: ledger.record([label("u2"), judgment]))
    assert text == f"{where(ledger)}: {says}. {do}; nothing was recorded."
    assert ledger.history() == []


def test_half_a_character_is_refused(ledger: SqliteLedger) -> None:
    fill(ledger)
    text = refusal(InputError, lambda: ledger.record([label("u1", note="a\ud800")]))
    assert text == (
        f"{where(ledger)}: the text 'a\\ud800' holds a character that UTF-8 can't write. "
        "Save the file that it comes from as UTF-8, then read it again."
    )
    assert ledger.history() == []


# --- draws and frames that can't be added --------------------------------------------------------


def altered(**change: object) -> DrawUnits:
    """Two units of which the second is wrong."""
    arrays: dict[str, Any] = {name: np.asarray(value) for name, value in change.items()}
    return dataclasses.replace(units(["a", "b"]), **arrays)


LOW = "Raise it to a floor such as 0.01, or drop the unit from the frame"
HIGH = "Correct the design that declared it"
RULE = "an inclusion probability must lie in (0, 1]"
LEAST = "but before and order are at least 0, and count at least 1"


@pytest.mark.parametrize(
    ("drawn", "says", "do"),
    [
        (altered(pi=[0.5, 0.0]), f"pi of unit 'b' is 0.0, but {RULE}", LOW),
        (altered(pi=[0.5, -0.5]), f"pi of unit 'b' is -0.5, but {RULE}", LOW),
        (altered(pi=[0.5, 1.5]), f"pi of unit 'b' is 1.5, but {RULE}", HIGH),
        (altered(pi=[0.5, math.nan]), f"pi of unit 'b' is nan, but {RULE}", HIGH),
        (altered(conditional=[0.5, 0.0]), f"pi of unit 'b' is 0.0, but {RULE}", LOW),
        (altered(conditional=[0.5, 1.5]), f"pi of unit 'b' is 1.5, but {RULE}", HIGH),
        (
            altered(count=[1, 0]),
            f"unit 'b' has before 0.001, count 0 and order 1, {LEAST}",
            "Leave out the units that were not drawn",
        ),
        (
            altered(order=[1, -1]),
            f"unit 'b' has before 0.001, count 2 and order -1, {LEAST}",
            "Leave out the units that were not drawn",
        ),
        (
            altered(before=[0, math.nan]),
            f"unit 'b' has before nan, count 2 and order 1, {LEAST}",
            "Leave out the units that were not drawn",
        ),
        (
            dataclasses.replace(units(["a", "b"]), unit=("a", "a")),
            "unit 'a' is in the draw twice",
            "Give each unit one row, and how often it was drawn as its count",
        ),
        (
            altered(pi=[0.5]),
            "the draw's columns have different lengths (2, 2, 1, 2, 2, 2, 2, 2, 2)",
            "Give every column one entry a unit",
        ),
    ],
)
def test_a_draw_that_can_not_be_one_is_refused(
    drawn: DrawUnits, says: str, do: str, ledger: SqliteLedger
) -> None:
    ledger.create(HEADER, FRAME)
    text = refusal(DesignError, lambda: ledger.add_draw(draw(1, drawn)))
    assert text == f"batch 1, design pps(size=score): {says}. {do}."
    assert ledger.draws() == []


def test_expected_draws_are_finite(ledger: SqliteLedger) -> None:
    ledger.create(HEADER, FRAME)
    row = draw(1, altered(pi=[0.5, math.inf]), params='{"replacement": true}')
    text = refusal(DesignError, lambda: ledger.add_draw(row))
    assert text == (
        "batch 1, design pps(size=score): pi of unit 'b' is inf, but an expected number of draws "
        "must be positive and finite. Correct the design that declared it."
    )


@pytest.mark.parametrize("params", ["", "[1]", "{'a': 1}", '{"tau": Infinity}', '{"tau": NaN}'])
def test_params_are_a_json_object(params: str, ledger: SqliteLedger) -> None:
    ledger.create(HEADER, FRAME)
    row = draw(1, units(["a"]), params=params)
    text = refusal(DesignError, lambda: ledger.add_draw(row))
    assert text == (
        f"batch 1, design pps(size=score): params is not a JSON object: {params!r}. Write it as "
        'JSON, such as {"replacement": true}; JSON has no NaN and no Infinity.'
    )


@pytest.mark.parametrize(
    ("batch", "unit", "new", "says"),
    [
        (1, "x", 1, "batch 1 can't follow batch 1"),
        (0, "x", 1, "batch 0 can't follow batch 1"),
        (2, "u4", 1, "unit 'u4' is new in batch 2, but batch 1 holds it"),
        (2, "x", 0, "unit 'x' is not new in batch 2, but no earlier draw holds it"),
    ],
)
def test_a_draw_that_another_one_overtook_is_refused(
    batch: int, unit: str, new: int, says: str, ledger: SqliteLedger
) -> None:
    fill(ledger)
    before = content(ledger)
    row = draw(batch, units([unit], new=bool(new)))
    text = refusal(StudyError, lambda: ledger.add_draw(row))
    assert text == (
        f"{where(ledger)}: {says}. Another process may have drawn meanwhile: open the study again, "
        "then draw."
    )
    assert content(ledger) == before


@pytest.mark.parametrize(("version", "digest"), [(1, "other"), (2, "aa11")])
def test_a_draw_from_a_frame_that_is_not_held_is_refused(
    version: int, digest: str, ledger: SqliteLedger
) -> None:
    ledger.create(HEADER, FRAME)
    row = dataclasses.replace(draw(1, units(["a"])), frame=version, frame_hash=digest)
    text = refusal(StudyError, lambda: ledger.add_draw(row))
    assert text == (
        f"{where(ledger)}: batch 1 was drawn from frame {version} with hash '{digest}', which the "
        "study does not hold. Add the frame first, or draw from one that the study holds."
    )


def test_a_frame_comes_after_the_last_one(ledger: SqliteLedger) -> None:
    fill(ledger)
    text = refusal(StudyError, lambda: ledger.add_frame(FRAME))
    assert text == (
        f"{where(ledger)}: frame version 1 can't follow version 1. Another process may have added "
        "one: open the study again, then add the next."
    )
    assert ledger.frames() == [FRAME]


def test_there_is_one_study_in_a_file(ledger: SqliteLedger) -> None:
    fill(ledger)
    before = content(ledger)
    text = refusal(StudyExistsError, lambda: ledger.create(HEADER, FRAME))
    assert text == (f"{where(ledger)}: there is a study already. Open it, or choose another place.")
    assert content(ledger) == before


def test_a_study_that_was_not_created_has_no_header(ledger: SqliteLedger) -> None:
    text = refusal(StudyMissingError, ledger.header)
    assert text == (
        f"{where(ledger)}: there is no study in this file: it is empty, or its creation was cut "
        "short. Create the study again."
    )


def test_a_number_beyond_64_bits_is_refused(ledger: SqliteLedger) -> None:
    frame = dataclasses.replace(FRAME, units=2**63)
    text = refusal(InputError, lambda: ledger.create(HEADER, frame))
    assert text == f"{where(ledger)}: a whole number does not fit in 64 bits. Use a smaller number."
    assert refusal(StudyMissingError, ledger.header)


def test_numbers_of_numpy_are_numbers(ledger: SqliteLedger) -> None:
    nine: Any = np.int64(9)
    one: Any = np.int32(1)
    half: Any = np.float32(0.5)
    ledger.create(HEADER, dataclasses.replace(FRAME, units=nine))
    ledger.add_draw(dataclasses.replace(draw(1, units(["a"])), batch=one))
    ledger.record([Judgment("a", "yes", half)])
    assert ledger.judgments() == [Judgment("a", "yes", 0.5)]


def test_a_value_that_is_no_text_is_refused(ledger: SqliteLedger) -> None:
    fill(ledger)
    wrong = dataclasses.replace(label("u1"), note=["a"])  # type: ignore[arg-type]
    text = refusal(InputError, lambda: ledger.record([wrong]))
    assert text.startswith(f"{where(ledger)}: a value can't be stored (")
    assert text.endswith("). Give texts and numbers.")


# --- open and closed -----------------------------------------------------------------------------


def test_a_closed_ledger_says_so(ledger: SqliteLedger) -> None:
    fill(ledger)
    ledger.close()
    ledger.close()
    says = f"{where(ledger)}: the study was closed. Open it again."
    assert refusal(StudyError, ledger.header) == says
    assert refusal(StudyError, lambda: ledger.record([label("u1")])) == says


def test_what_one_thread_writes_all_threads_read(ledger: SqliteLedger) -> None:
    fill(ledger, 40)
    seen: list[int] = []

    def work(number: int) -> None:
        for unit in names(40):
            ledger.record([label(unit, by=str(number))])
            seen.append(len([one for one in ledger.judgments() if one.annotator == str(number)]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == sorted([*range(1, 41)] * 4)
    assert len(ledger.history()) == 160
    assert ledger.verify() == []

"""What a study keeps for ever: its header, its frames, its draws and its judgments.

These are plain frozen values. The store writes them and never changes one; a correction is a new
row. All arrays of one draw have the same length, one entry a unit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

State = Literal["label", "skip", "unsure"]


@final
@dataclass(frozen=True)
class Header:
    """What `init` fixes: everything that later draws and labels rely on."""

    seed: int
    kind: str  # "runs" or "table"
    scale: str  # the spelling of the label scale, such as "labels(no,yes)"
    measures: tuple[str, ...]
    id_name: str  # the name of the id column in the user's own file
    created: str  # ISO 8601, UTC


@final
@dataclass(frozen=True)
class FrameRow:
    """One version of the frame: which files it is made of, and the hash of their content."""

    version: int
    hash: str
    units: int
    manifest: str  # JSON: the parts and the systems, in order
    created: str


@final
@dataclass(frozen=True)
class DrawUnits:
    """The units of one draw, with the probabilities as they were when it was drawn."""

    unit: tuple[str, ...]
    key: NDArray[np.uint64]  # the 64-bit number that the permanent random number comes from
    pi: NDArray[np.float64]  # first-order inclusion probability (with replacement: expected draws)
    conditional: NDArray[np.float64]  # inclusion probability given the other units' numbers
    before: NDArray[np.float64]  # what pi was before this draw; 0 in the first
    stratum: NDArray[np.int64]  # 0 where the design has no strata
    count: NDArray[np.int64]  # times drawn; 1 without replacement
    order: NDArray[np.int64]  # place in this batch's queue, from 1; 0 for a unit drawn before
    new: NDArray[np.bool_]  # False: an earlier draw holds it already, so its label is re-used


@final
@dataclass(frozen=True)
class DrawRow:
    """One draw: its design, the frame it was made on, and its constants."""

    batch: int
    design: str
    goal: str
    seed: int
    frame: int
    frame_hash: str
    budget: int
    params: str  # JSON: thresholds and sums, taken once and never recomputed
    created: str
    units: DrawUnits = field(repr=False, compare=False)


@final
@dataclass(frozen=True)
class Judgment:
    """One person's word on one unit. `label` is the text as given, `value` its number."""

    unit: str
    label: str
    value: float | None  # None where `state` is not "label"
    state: State = "label"
    annotator: str = ""
    at: str = ""
    note: str = ""

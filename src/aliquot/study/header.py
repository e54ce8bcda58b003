"""What `init` fixes: the scale, the measures and the seed, checked against the frame."""

from __future__ import annotations

from collections.abc import Sequence

from aliquot.core.frame import Frame
from aliquot.core.records import Header
from aliquot.core.scale import Scale
from aliquot.errors import UsageError
from aliquot.measures.registry import measure
from aliquot.measures.targets import family


def header(
    frame: Frame, scale: Scale, measures: Sequence[str], *, seed: int, id_name: str
) -> Header:
    """Build the header of a new study; a measure that can't be taken of this frame is refused.

    `created` stays empty: the time is filled in by whoever has a clock.
    """
    if not -(2**63) <= seed < 2**63:
        raise UsageError(f"seed {seed} is not a 64-bit number", do="Use a whole number such as 7")
    spelled = [measure(text) for text in measures or usual(frame)]
    for one in spelled:
        family(one, frame, scale)
    kind = "runs" if frame.topics else "table"
    names = tuple(dict.fromkeys(str(one) for one in spelled))
    return Header(seed, kind, str(scale), names, id_name, "")


def usual(frame: Frame) -> tuple[str, ...]:
    """Return the measures of a study that names none."""
    if frame.topics:
        return ("P@10",)
    if any(system.retrieves for system in frame.systems):
        return ("Precision", "Recall", "F1")
    if any(system.kind == "predicted" for system in frame.systems):
        return ("Accuracy",)
    return ("Mean",)

"""Everything that a simulation can try, as a user spells it, with one line each."""

from __future__ import annotations

from aliquot.designs.registry import DESIGNS
from aliquot.estimators.registry import ESTIMATORS
from aliquot.intervals.registry import INTERVALS
from aliquot.study.baselines import BASELINES

USUAL = (
    ("default", "design", "the design that aliquot draw uses unless told otherwise"),
    ("default", "estimator", "the estimator that suits the sample and the measure"),
    ("default", "interval", "the interval that suits the estimate"),
)


def spellings() -> list[dict[str, str]]:
    """List designs, baselines, estimators and intervals."""
    found = [*USUAL]
    found += [(str(one()), "design", _line(one)) for one in DESIGNS]
    found += [(str(one()), "baseline", one.what) for one in BASELINES]
    found += [(one.name, "estimator", _line(one)) for one in ESTIMATORS]
    found += [(one.name, "interval", _line(one)) for one in INTERVALS]
    kinds = ("design", "baseline", "estimator", "interval")
    found.sort(key=lambda row: kinds.index(row[1]))
    return [{"kind": kind, "spelling": name, "what": what} for name, kind, what in found]


def _line(kind: type) -> str:
    """Return the first line of what a class says of itself."""
    return (kind.__doc__ or "").strip().split("\n")[0].strip()

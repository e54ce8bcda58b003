"""Every estimator, and the parser of their spellings."""

from __future__ import annotations

from aliquot.core.sample import Sample
from aliquot.core.spelling import parse
from aliquot.errors import SpellingError
from aliquot.estimators.base import Estimator
from aliquot.estimators.calibrated import Calibrated
from aliquot.estimators.difference import Difference
from aliquot.estimators.hajek import Hajek
from aliquot.estimators.hh import HansenHurwitz
from aliquot.estimators.ht import HorvitzThompson
from aliquot.estimators.joint import MIXES, Joint, Simple
from aliquot.estimators.priority import Priority
from aliquot.estimators.ratio import Ratio
from aliquot.measures.base import Measure

ESTIMATORS: tuple[type[Estimator], ...] = (
    HorvitzThompson,
    Priority,
    Ratio,
    Hajek,
    HansenHurwitz,
    Joint,
    Simple,
    Calibrated,
    Difference,
)


def estimator(text: str) -> Estimator:
    """Read an estimator from its spelling.

    >>> str(estimator("ht"))
    'ht'
    """
    spelled = parse(text)
    if spelled.name == "joint":
        return _joint(text)
    for kind in ESTIMATORS:
        if str(spelled) == kind.name:
            return kind()
    names = ", ".join(kind.name for kind in ESTIMATORS)
    raise SpellingError(f"'{text}' is not an estimator", do=f"Estimators are default, {names}")


def _joint(text: str) -> Joint:
    spelled = parse(text)
    by = dict(spelled.options).get("weights", "heuristic")
    if spelled.args or spelled.cutoff is not None or set(dict(spelled.options)) - {"weights"}:
        raise SpellingError(f"'{text}' is not an estimator", do="joint takes weights=heuristic")
    if by not in MIXES:
        raise SpellingError(f"weights={by} is not known", do=f"Use one of {', '.join(MIXES)}")
    return Joint(str(by))


def usual(sample: Sample, measure: Measure) -> Estimator:
    """Return the estimator that suits a sample and a measure best.

    Totals are calibrated, unless all units weigh the same anyway. Ratios take the plain weights of
    the design: `hh` with replacement, `ratio` for Poisson samples, else `ht`. A sample by `ubis`
    keeps the estimator of its paper, `hh`.
    """
    if all(part.startswith("ubis(") for part in sample.design.split(" + ")):
        return HansenHurwitz()
    even = sample.kind == "simple" and measure.needs in ("nothing", "predicted")
    return Calibrated() if measure.linear and not even else plain(sample)


def plain(sample: Sample) -> Estimator:
    """Return the estimator with nothing but the design's own weights."""
    if sample.kind == "replacement":
        return HansenHurwitz()
    return Ratio() if sample.kind == "poisson" else HorvitzThompson()

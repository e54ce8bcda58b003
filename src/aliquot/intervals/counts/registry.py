"""Every interval from counts, and the parser of their names."""

from __future__ import annotations

from aliquot.core.spelling import parse
from aliquot.errors import SpellingError
from aliquot.intervals.counts.base import Counted
from aliquot.intervals.counts.bayes import BetaJeffreys, Half, MostConservative, Uniform
from aliquot.intervals.counts.exact import Exact
from aliquot.intervals.counts.koopman import Koopman
from aliquot.intervals.counts.linear import AgrestiCoull, Laplace, Normal, NormalNaive
from aliquot.intervals.counts.naive_binomial import NaiveBinomial

COUNTED: tuple[type[Counted], ...] = (
    NaiveBinomial,
    Normal,
    NormalNaive,
    Laplace,
    AgrestiCoull,
    Koopman,
    BetaJeffreys,
    Uniform,
    MostConservative,
    Half,
    Exact,
)
DEFAULT = Half.name


def method(text: str) -> Counted:
    """Read a method from its name.

    >>> str(method("betabin-half"))
    'betabin-half'
    """
    spelled = str(parse(text))
    for kind in COUNTED:
        if spelled == kind.name:
            return kind()
    names = ", ".join(kind.name for kind in COUNTED)
    raise SpellingError(f"'{text}' is not an interval from counts", do=f"They are {names}")

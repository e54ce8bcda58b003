"""Every baseline, the parser of their spellings, and why a study refuses them.

They can be tried beside a design, so that their bias is seen.
"""

from __future__ import annotations

from typing import Any

from aliquot.core.spelling import parse
from aliquot.errors import DesignError, SpellingError
from aliquot.estimators.joint import MIXES
from aliquot.study.baseline import Baseline
from aliquot.study.deep import Deep
from aliquot.study.reuse import JointDraws, SimpleDraws
from aliquot.study.separate import Separate
from aliquot.study.top import Pooling, Top

BASELINES: tuple[type[Baseline], ...] = (Top, Deep, Pooling, Separate, SimpleDraws, JointDraws)

_OPTIONS: dict[str, tuple[str, ...]] = {"pooling": ("share",), "joint": ("weights",)}


def baseline(text: str) -> Baseline | None:
    """Read a baseline from its spelling; None if it is none.

    >>> str(baseline("pooling(share=0.2)")), baseline("uniform")
    ('pooling(share=0.2)', None)
    """
    spelled = parse(text)
    kind = next((kind for kind in BASELINES if kind.name == spelled.name), None)
    if kind is None:
        return None
    options: dict[str, Any] = dict(spelled.options)
    allowed = _OPTIONS.get(kind.name, ())
    extra = [*map(str, spelled.args), *(name for name in options if name not in allowed)]
    if extra or spelled.cutoff is not None:
        raise SpellingError(
            f"{kind.name} has no option '{extra[0] if extra else spelled.cutoff}'",
            do=f"It takes {', '.join(allowed)}" if allowed else "It takes no options",
        )
    share = options.get("share", 0.5)
    if not (isinstance(share, int | float) and 0 < share < 1):
        raise SpellingError(f"share={share} is not between 0 and 1", do="Use one such as 0.5")
    if options.get("weights", MIXES[0]) not in MIXES:
        raise SpellingError(
            f"weights={options['weights']} is not known", do=f"Use one of {', '.join(MIXES)}"
        )
    return kind(**options)


def refuse(text: str) -> None:
    """Say why no study can draw with a baseline."""
    found = baseline(text)
    if found is not None:
        raise DesignError(
            f"{found.name} is a baseline, and no study draws with it: {found.why}",
            do="Draw with default, or see with aliquot simulate how far off it is",
        )

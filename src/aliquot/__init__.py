"""aliquot: measure rankings, classifiers, extractors and generators on a budget of human labels."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aliquot.core.estimate import Estimate as Estimate
    from aliquot.core.estimate import Interval as Interval
    from aliquot.errors import AliquotError as AliquotError
    from aliquot.wiring import curve as curve
    from aliquot.wiring import interval as interval
    from aliquot.wiring.frame import Frame as Frame
    from aliquot.wiring.plan import plan as plan
    from aliquot.wiring.simulate import simulate as simulate
    from aliquot.wiring.study import Study as Study

__version__ = "0.1.0.dev0"
__all__ = [
    "AliquotError",
    "Estimate",
    "Frame",
    "Interval",
    "Study",
    "curve",
    "interval",
    "plan",
    "simulate",
]

_HOME = {
    "AliquotError": "aliquot.errors",
    "Estimate": "aliquot.core.estimate",
    "Frame": "aliquot.wiring.frame",
    "Interval": "aliquot.core.estimate",
    "Study": "aliquot.wiring.study",
    "plan": "aliquot.wiring.plan",
    "simulate": "aliquot.wiring.simulate",
}
_MODULES = {"curve": "aliquot.wiring.curve", "interval": "aliquot.wiring.interval"}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import aliquot` costs nothing."""
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    msg = f"module 'aliquot' has no attribute '{name}'"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]

"""Every measure, and the parser of their spellings."""

from __future__ import annotations

from collections.abc import Callable

from aliquot.core.spelling import Spelling, parse
from aliquot.errors import SpellingError
from aliquot.measures.accuracy import Accuracy
from aliquot.measures.average import AP
from aliquot.measures.base import Measure
from aliquot.measures.deviation import MAE, MSE
from aliquot.measures.mean import Mean
from aliquot.measures.ranks import DCG, Judged, P, R
from aliquot.measures.sets import F, Precision, Recall
from aliquot.measures.swaps import Swaps, WSwaps
from aliquot.measures.weighing import ALIKE, By

MEASURES: tuple[type[Measure], ...] = (
    Mean, Accuracy, Precision, Recall, F, P, DCG, R, Judged, AP, Swaps, WSwaps, MAE, MSE,
)  # fmt: skip

Build = Callable[[dict[str, int | float | str | Spelling], int | None], Measure]


def measure(text: str) -> Measure:
    """Read a measure from its spelling, as ir_measures spells it.

    >>> str(measure("P(rel=2)@10")), str(measure("F(beta=2)")), str(measure("F1"))
    ('P(rel=2)@10', 'F(beta=2.0)', 'F1')
    """
    spelled = parse(text)
    found = _NAMES.get(spelled.name)
    if found is None or spelled.args:
        raise _unknown(text)
    allowed, ranked, build = found
    options = dict(spelled.options)
    if set(options) - set(allowed) or (spelled.cutoff is not None) != ranked:
        usage = f"{spelled.name}{'@10' if ranked else ''}"
        more = f"; its options are {', '.join(allowed)}" if allowed else ""
        raise SpellingError(f"'{text}' is not a measure", do=f"Spell it like {usage}{more}")
    _check(text, options)
    if "weight" in options and "macro" in options:
        raise SpellingError(f"'{text}' counts units in two ways", do="Use weight or macro")
    if spelled.cutoff == 1 and spelled.name in ("Swaps", "wSwaps"):
        raise SpellingError(f"'{text}' has no pairs", do=f"Use a rank from 2, as {spelled.name}@10")
    return build(options, spelled.cutoff)


def _check(text: str, options: dict[str, int | float | str | Spelling]) -> None:
    rel, beta = options.get("rel", 1), options.get("beta", 1.0)
    if not isinstance(rel, int) or rel < 1:
        raise SpellingError(f"rel={rel} in '{text}' is not a grade", do="Use a whole number from 1")
    if not isinstance(beta, int | float) or not 0 < beta <= 1000:
        raise SpellingError(
            f"beta={beta} in '{text}' is not above 0 and at most 1000", do="Use F(beta=2) or F1"
        )
    pool = options.get("pool", 1.0)
    if not isinstance(pool, int | float) or not 0 < pool <= 1:
        raise SpellingError(
            f"pool={pool} in '{text}' is no share above 0", do="Use one such as Recall(pool=0.6)"
        )
    for option, allowed in (("base", ("2", "e")), ("gain", ("label", "exp"))):
        if option in options and str(options[option]) not in allowed:
            raise SpellingError(
                f"{option}={options[option]} in '{text}' is not known",
                do=f"Use {option}={' or '.join(allowed)}",
            )


def _unknown(text: str) -> SpellingError:
    return SpellingError(
        f"'{text}' is not a measure",
        do="Measures are Mean, Accuracy, Precision, Recall, F1, F(beta=2), P@10, DCG@20, R@100, "
        "Judged@10, AP@100, Swaps@10, wSwaps@10, MAE, MSE",
    )


def _rel(options: dict[str, int | float | str | Spelling]) -> int:
    rel = options.get("rel", 1)
    return rel if isinstance(rel, int) else 1


def _pool(options: dict[str, int | float | str | Spelling]) -> float:
    """Read the share of what is relevant that lies in the frame."""
    found = options.get("pool", 1.0)
    return float(found) if isinstance(found, int | float) else 1.0


def _by(options: dict[str, int | float | str | Spelling]) -> By:
    """Read by which column units count; a column may be called 1."""
    return next((By(k, str(options[k])) for k in ("weight", "macro") if k in options), ALIKE)


def _f(options: dict[str, int | float | str | Spelling], _: int | None) -> Measure:
    beta = options.get("beta", 1.0)
    return F(
        float(beta) if isinstance(beta, int | float) else 1.0,
        _rel(options),
        _by(options),
        _pool(options),
    )


_NAMES: dict[str, tuple[tuple[str, ...], bool, Build]] = {
    "Mean": (("weight", "macro"), False, lambda o, _: Mean(_by(o))),
    "Accuracy": (("weight", "macro"), False, lambda o, _: Accuracy(_by(o))),
    "Precision": (("rel", "weight", "macro"), False, lambda o, _: Precision(_rel(o), _by(o))),
    "Recall": (("rel", "weight", "pool"), False, lambda o, _: Recall(_rel(o), _by(o), _pool(o))),
    "F": (("beta", "rel", "weight", "pool"), False, _f),
    "F1": (("rel", "weight", "pool"), False, _f),
    "P": (("rel",), True, lambda o, k: P(k or 1, _rel(o))),
    "R": (("rel",), True, lambda o, k: R(k or 1, _rel(o))),
    "Judged": ((), True, lambda _, k: Judged(k or 1)),
    "AP": (("rel",), True, lambda o, k: AP(k or 1, _rel(o))),
    "Swaps": ((), True, lambda _, k: Swaps(k or 2)),
    "wSwaps": ((), True, lambda _, k: WSwaps(k or 2)),
    "MAE": ((), False, lambda _o, _k: MAE()),
    "MSE": ((), False, lambda _o, _k: MSE()),
    "DCG": (
        ("base", "gain"),
        True,
        lambda o, k: DCG(k or 1, str(o.get("base", "2")), str(o.get("gain", "label"))),
    ),
}

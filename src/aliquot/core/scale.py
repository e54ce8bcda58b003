"""Label scales: which labels a judge may give, and the number each stands for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, final

from aliquot.core.spelling import Spelling, parse
from aliquot.errors import LabelError, SpellingError

Kind = Literal["labels", "classes", "grades", "number"]

LARGEST = 1e100  # its square is a number too
PASSED: dict[str, Literal["skip", "unsure"]] = {"skip": "skip", "unsure": "unsure"}  # no label
_TRUTH = {"0": 0.0, "false": 0.0, "no": 0.0, "1": 1.0, "true": 1.0, "yes": 1.0}


@final
@dataclass(frozen=True)
class Scale:
    """What a judge may answer.

    * `labels(no,yes)`: two labels, the negative one first; 0/1 and true/false are understood.
    * `classes(a,b,c)`: one of several classes.
    * `grades(0..3)`: whole numbers.
    * `number(0..1)`: any number of a range.
    """

    kind: Kind
    names: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0

    def __str__(self) -> str:
        if self.names:
            return str(Spelling(self.kind, self.names))
        return f"{self.kind}({_number(self.low)}..{_number(self.high)})"

    def value(self, label: str) -> float:
        """Return the number of a label.

        >>> scale("labels(no,yes)").value("yes"), scale("grades(0..3)").value("2")
        (1.0, 2.0)
        """
        found = self._find(label.strip())
        if found is None:
            raise LabelError(f"label '{label}' is not on the scale {self}", do=self._advice())
        return found

    def _find(self, label: str) -> float | None:
        if self.names:
            if label in self.names:
                return float(self.names.index(label))
            return _TRUTH.get(label.lower()) if self.kind == "labels" else None
        try:
            number = float(label)
        except ValueError:
            return None
        if "_" in label:  # Python would read 1_0 as 10
            return None
        whole = self.kind != "grades" or number.is_integer()
        return number if whole and self.low <= number <= self.high else None

    def _advice(self) -> str:
        if self.names:
            return f"Use {', '.join(self.names)}, skip or unsure"
        whole = "a whole number" if self.kind == "grades" else "a number"
        low, high = _number(self.low), _number(self.high)
        return f"Use {whole} from {low} to {high}, skip or unsure"

    @property
    def levels(self) -> tuple[float, ...]:
        """Every number a label can be; the two ends where any number may be given."""
        if self.names:
            return tuple(float(i) for i in range(len(self.names)))
        if self.kind == "grades":
            return tuple(float(i) for i in range(int(self.low), int(self.high) + 1))
        return (self.low, self.high)


def scale(text: str) -> Scale:
    """Read a scale from its spelling.

    >>> str(scale("labels(no,yes)")), str(scale("grades(0..3)"))
    ('labels(no, yes)', 'grades(0..3)')
    """
    spelled = parse(text)
    if spelled.options or spelled.cutoff is not None:
        raise _bad(text)
    words = tuple(str(arg) for arg in spelled.args)
    if spelled.name in ("labels", "classes"):
        return named(spelled.name, words)
    if spelled.name in ("grades", "number") and len(words) == 1:
        return ranged(spelled.name, words[0])
    raise _bad(text)


def named(kind: str, names: tuple[str, ...]) -> Scale:
    """Build a scale of named labels: exactly two for `labels`, two or more for `classes`."""
    counted = len(names) == 2 if kind == "labels" else len(names) >= 2
    if not counted or len(set(names)) != len(names) or not all(names):
        wanted = "two labels, the negative one first" if kind == "labels" else "two or more classes"
        raise SpellingError(
            f"{kind} '{','.join(names)}' are not {wanted}, all different",
            do="Spell them like no,yes" if kind == "labels" else "Spell them like a,b,c",
        )
    taken = next((name for name in names if name.lower() in PASSED), None)
    if taken is not None:
        raise SpellingError(
            f"'{taken}' is not a label: it says that a judge gave none", do="Give it another name"
        )
    if kind == "labels" and tuple(_TRUTH.get(name.lower()) for name in names) == (1.0, 0.0):
        raise SpellingError(
            f"labels '{','.join(names)}' stand in the wrong order, the negative one comes first",
            do=f"Spell them {names[1]},{names[0]}",
        )
    high = float(len(names) - 1)
    return Scale("labels" if kind == "labels" else "classes", names, 0.0, high)


def ranged(kind: str, text: str) -> Scale:
    """Build a scale of numbers from `low..high`."""
    low, dots, high = text.partition("..")
    try:
        ends = float(low), float(high)
    except ValueError:
        raise _bad(f"{kind}({text})") from None
    whole = kind == "number" or (ends[0].is_integer() and ends[1].is_integer())
    if not dots or not ends[0] < ends[1] or not whole or not all(map(math.isfinite, ends)):
        raise _bad(f"{kind}({text})")
    if max(map(abs, ends)) > LARGEST:
        raise SpellingError(
            f"the scale {kind}({text}) is too large to calculate with",
            do="Use numbers between -1e100 and 1e100",
        )
    return Scale("grades" if kind == "grades" else "number", (), *ends)


def _bad(text: str) -> SpellingError:
    return SpellingError(
        f"'{text}' is not a scale of labels",
        do="Use labels(no,yes), classes(a,b,c), grades(0..3) or number(0..1)",
    )


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)

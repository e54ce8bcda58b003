"""Every exception that aliquot raises on purpose.

```text
AliquotError                 exit code 1
├── UsageError               exit code 64: the call itself is wrong
│   └── SpellingError        a design, measure, estimator, interval or scale that does not parse
├── InputError               a file or a table that can't be used
│   ├── FrameError           units or systems that don't make a frame
│   └── LabelError           judgments that can't be recorded
├── DesignError              a draw that can't be made
├── EstimateError            an estimate that the data can't support
├── StudyError               the study directory itself
│   ├── StudyExistsError     there is one already
│   ├── StudyMissingError    there is none
│   ├── StudyVersionError    written by a newer aliquot
│   └── StudyDamagedError    what is on the disk is not what was written
└── MissingExtraError        an optional part is not installed
```

Every message says what is wrong, where, and what to do.
"""

from __future__ import annotations


class AliquotError(Exception):
    """Something aliquot could not do: what is wrong, where, and what to do."""

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", do: str = "") -> None:
        self.what = what.rstrip(".")
        self.where = where
        self.do = do.rstrip(".")
        super().__init__(self._text())

    def _text(self) -> str:
        head = f"{self.where}: {self.what}." if self.where else f"{self.what}."
        return f"{head} {self.do}." if self.do else head

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.what, self.where, self.do))


def _rebuild(kind: type[AliquotError], what: str, where: str, do: str) -> AliquotError:
    return kind(what, where=where, do=do)


class UsageError(AliquotError):
    """The call itself is wrong: an option, a combination, a name."""

    exit_code = 64


class SpellingError(UsageError):
    """A design, measure, estimator, interval or scale that does not parse."""


class InputError(AliquotError):
    """A file or a table that can't be used."""


class FrameError(InputError):
    """Units or systems that don't make a frame."""


class LabelError(InputError):
    """Judgments that can't be recorded; nothing of their file was."""


class DesignError(AliquotError):
    """A draw that can't be made."""


class EstimateError(AliquotError):
    """An estimate that the data can't support."""


class StudyError(AliquotError):
    """Something is wrong with the study directory itself."""


class StudyExistsError(StudyError):
    """There is a study already."""


class StudyMissingError(StudyError):
    """There is no study here."""


class StudyVersionError(StudyError):
    """The study was written by a newer aliquot."""


class StudyDamagedError(StudyError):
    """What is on the disk is not what was written."""


class MissingExtraError(AliquotError):
    """An optional part of aliquot is not installed."""

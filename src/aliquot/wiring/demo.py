"""The demonstration: one study of made data, told from the first draw to the last doubt."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, final

from aliquot.errors import StudyError, StudyExistsError
from aliquot.study.book import Book
from aliquot.study.estimate import estimate
from aliquot.study.scratch import sampled
from aliquot.wiring.demo_data import QUERIES, World, world
from aliquot.wiring.demo_files import write_rest, write_search, write_sheet
from aliquot.wiring.frame import Frame
from aliquot.wiring.results import EstimateRow, cover
from aliquot.wiring.study import Study

MEASURE, BUDGET, SEED, LEVEL = "DCG@100", 300, 7, 0.95
SAMPLES = 100  # other samples, to see whether the first was luck
STEP, STEPS = 30, 2  # samples simulated at each step of the search for a sample size
Progress = Callable[[str, int, int], None]


@final
@dataclass(frozen=True)
class Line:
    """One system: the truth, our estimate, the same budget spent uniformly, and from the top."""

    system: str
    measure: str
    truth: float
    estimate: float
    low: float
    high: float
    holds: bool
    uniform_estimate: float
    uniform_low: float
    uniform_high: float
    uniform_holds: bool
    top_only: float


@final
@dataclass(frozen=True)
class Trials:
    """Many samples of one design: how many intervals hold the truth, and their mean width."""

    intervals: int
    hold: int
    width: float


@final
@dataclass(frozen=True)
class Story:
    """All that the demonstration tells."""

    topics: int
    units: int
    budget: int
    seed: int
    rows: tuple[Line, ...]
    tiers: tuple[tuple[str, ...], ...]
    samples: int
    chosen: Trials
    uniform: Trials
    same_width: int
    searched: int

    def to_dict(self) -> dict[str, Any]:
        """Return the story as plain values."""
        return asdict(self)


@final
@dataclass(frozen=True, eq=False)
class Stage:
    """The study and the truth behind it: another sample is drawn, judged and estimated at once."""

    book: Book
    made: World
    progress: Progress | None

    def say(self, what: str, done: int, total: int) -> None:
        """Say how far a step is, if anyone listens."""
        if self.progress is not None:
            self.progress(what, done, total)

    def once(self, design: str, seed: int, budget: int = BUDGET) -> tuple[EstimateRow, ...]:
        """Draw one sample, judge it and estimate."""
        book = sampled(self.book, seed, budget, design, self.made.labels)
        return tuple(cover(row, "default", LEVEL) for one in estimate(book) for row in one.rows)

    def many(self, design: str, count: int, budget: int = BUDGET) -> Trials:
        """Draw many samples, each from a seed of its own."""
        hold, widths = 0, []
        for i in range(count):
            self.say(f"{count} samples of {budget}, {design}", i, count)
            for row in self.once(design, 1000 + i, budget):
                hold += row.interval.low <= self.made.truth[row.system] <= row.interval.high
                widths.append(row.interval.width)
        self.say("", count, count)
        return Trials(len(widths), hold, sum(widths) / len(widths))

    def same_width(self, width: float, uniform: Trials) -> int:
        """Find how many labels give a width under uniform sampling, by simulation.

        A width goes as `sqrt(1/n - 1/N)`: from the width measured at one n that gives a better n,
        where the width is measured again.
        """
        total, n, measured = len(self.book.frame), BUDGET, uniform.width
        for _ in range(STEPS):
            n = _scaled(n, total, width / measured)
            measured = self.many("uniform", STEP, n).width
        return _scaled(n, total, width / measured)


def _scaled(n: int, total: int, factor: float) -> int:
    """Return the n that changes a width by a factor, finite population correction included.

    >>> _scaled(100, 10**9, 0.5), _scaled(50, 100, 0.0)
    (400, 100)
    """
    return round(1.0 / ((1.0 / n - 1.0 / total) * factor**2 + 1.0 / total))


def tell(out: Path | None = None, *, seed: int = SEED, progress: Progress | None = None) -> Story:
    """Play the whole story. With `out` the study and its files stay there."""
    if out is None:
        with tempfile.TemporaryDirectory(prefix="aliquot-") as folder:
            return play(Path(folder), seed, progress)
    with _whole(out) as building:
        write_rest(building)
        return play(building, seed, progress)


def play(folder: Path, seed: int, progress: Progress | None) -> Story:
    """Draw, judge, estimate and compare in a folder; then see whether it was luck."""
    made = world()
    texts = dict(zip(made.topics, QUERIES, strict=True))
    runs = write_search(folder, made)
    frame = Frame.from_runs(runs, grades="0..3", queries=texts)
    with Study.create(folder / "study", frame, measures=[MEASURE], rng=seed) as study:
        study.draw(BUDGET)
        write_sheet(study, made, folder / "sheet.csv")
        study.record(folder / "sheet.csv")
        ours, tiers = study.estimate(level=LEVEL).rows, study.compare().tiers[0][1]
        stage = Stage(study.book, made, progress)
        lines = tuple(_lines(made, ours, stage.once("uniform", seed)))
        return _story(stage, seed, lines, tiers)


def _story(
    stage: Stage, seed: int, lines: tuple[Line, ...], tiers: tuple[tuple[str, ...], ...]
) -> Story:
    """Put the one sample beside many others."""
    chosen, uniform = stage.many("default", SAMPLES), stage.many("uniform", SAMPLES)
    return Story(
        len(stage.made.topics),
        len(stage.book.frame),
        BUDGET,
        seed,
        lines,
        tiers,
        SAMPLES,
        chosen,
        uniform,
        stage.same_width(chosen.width, uniform),
        STEP,
    )


def _lines(
    made: World, ours: tuple[EstimateRow, ...], theirs: tuple[EstimateRow, ...]
) -> Iterator[Line]:
    top = made.top(BUDGET)
    for a, b in zip(ours, theirs, strict=True):
        truth, one, other = made.truth[a.system], a.interval, b.interval
        yield Line(
            a.system,
            a.measure,
            truth,
            a.estimate,
            one.low,
            one.high,
            one.low <= truth <= one.high,
            b.estimate,
            other.low,
            other.high,
            other.low <= truth <= other.high,
            made.dcg(a.system, top),
        )


@contextmanager
def _whole(out: Path) -> Iterator[Path]:
    """Give a folder beside `out` to build in; it becomes `out`, or nothing is left of it."""
    if out.exists() or out.is_symlink():
        raise StudyExistsError(
            "this place is taken", where=str(out), do="Choose the name of a new directory"
        )
    try:
        out.absolute().parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.absolute().parent))
    except (FileExistsError, NotADirectoryError):
        raise StudyError(
            "a part of this path is a file", where=str(out), do="Choose another place"
        ) from None
    except OSError as error:
        raise StudyError(
            f"the files can't be written ({error.strerror})",
            where=str(out),
            do="Choose a directory that you may write to and that has room",
        ) from None
    try:
        yield building
        building.chmod(0o755)
        building.rename(out)
    finally:
        shutil.rmtree(building, ignore_errors=True)

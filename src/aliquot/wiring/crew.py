"""The crew that repeats a simulation: one process or several, the same numbers whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import final

from aliquot.errors import DesignError
from aliquot.study.labelled import Labelled
from aliquot.study.replay import Setting, Tried
from aliquot.study.simulate import check, least, tried
from aliquot.study.tally import Tally, tally, undefined
from aliquot.wiring.workers import Progress, cores, spread, stopping

FIRST, PILOT = 100, 50  # labels and repetitions that a search for a width begins with
AT_ONCE = 20  # repetitions after which a process looks up: progress, and a wish to stop
Truths = Mapping[tuple[str, str], float]
Group = tuple[str, str, str]  # estimator, interval as asked, measure


@final
@dataclass(frozen=True)
class Task:
    """Some repetitions of one setting, for a process that opens the frame at a place."""

    open: Callable[[str], Labelled]
    place: str
    setting: Setting
    numbers: range


_opened: dict[str, Labelled] = {}  # in each process: the last frame, so that it is read once


def work(task: Task) -> list[Tried]:
    """Make the repetitions of a task."""
    if task.place not in _opened:
        _opened.clear()
        _opened[task.place] = task.open(task.place)
    return [tried(_opened[task.place], task.setting, i) for i in task.numbers if not stopping()]


@final
@dataclass(frozen=True)
class Crew:
    """Who repeats: the frame with its labels, where it lies, and the processes if there are any."""

    world: Labelled
    open: Callable[[str], Labelled]
    place: str
    pool: Executor | None
    progress: Progress | None
    notes: list[str] = field(default_factory=list)
    drawn: dict[str, str] = field(default_factory=dict)  # what each design stood for

    def budgets(self, settings: list[Setting], reps: int) -> list[Tally]:
        """Repeat every setting; all are checked before the first is tried."""
        truths = [check(self.world, setting) for setting in settings]
        done = self._repeated(settings, reps, "simulating")
        rows: list[Tally] = []
        for setting, truth in zip(settings, truths, strict=True):
            rows += self._counted(setting, [next(done) for _ in range(reps)], truth)
        return rows

    def widths(self, settings: list[Setting], reps: int, width: float) -> list[Tally]:
        """Search the labels that each design needs for each measure, estimator and interval."""
        rows: list[Tally] = []
        for setting in settings:
            search = Search(self, setting, check(self.world, setting), reps)
            for group in search.groups():
                rows += search.least(group, width)
        return rows

    def _repeated(self, settings: list[Setting], reps: int, what: str) -> Iterator[Tried]:
        step = min(-(-reps // (4 * cores())), AT_ONCE)
        tasks = [
            Task(self.open, self.place, setting, range(start, min(start + step, reps)))
            for setting in settings
            for start in range(0, reps, step)
        ]
        if self.pool is None:  # this process knows the frame
            _opened.clear()
            _opened[self.place] = self.world
        batches = spread(
            work, tasks, processes=1, within=self.pool, what=what, progress=self.progress
        )
        for batch in batches:
            yield from batch

    def _counted(self, setting: Setting, found: list[Tried], truth: Truths) -> list[Tally]:
        for measure, (times, cases) in undefined(found).items():
            self.notes.append(
                f"{measure} could not be estimated in {times} of {cases} cases of {setting.design} "
                f"at {setting.budget}: no label counted; they are left out of mean and bias, and "
                "their intervals hold everything"
            )
        self.drawn[setting.design] = found[0].design
        return tally(setting, found, truth)

    def counted(self, setting: Setting, reps: int, truth: Truths) -> list[Tally]:
        """Repeat one setting and count it up."""
        what = f"{setting.design} at {setting.budget}"
        return self._counted(setting, list(self._repeated([setting], reps, what)), truth)


@final
@dataclass(frozen=True)
class Search:
    """A search for labels: the budgets that were tried for one design, each once."""

    crew: Crew
    setting: Setting
    truth: Truths
    reps: int
    seen: dict[tuple[int, int], list[Tally]] = field(default_factory=dict)

    def rows(self, budget: int, reps: int) -> list[Tally]:
        """Return the rows of a budget; of a pair, those of the difference."""
        reps = min(reps, self.reps)
        if (budget, reps) not in self.seen:
            setting = replace(self.setting, budget=budget)
            found = self.crew.counted(setting, reps, self.truth)
            apart = [row for row in found if row.difference]
            self.seen[budget, reps] = apart if setting.pair else found
        return self.seen[budget, reps]

    def groups(self) -> list[Group]:
        """List what is searched apart, at the first budget that the design can draw."""
        budget, units = self.setting.budget, len(self.crew.world.labels)
        while True:
            try:
                return list(dict.fromkeys(row.group for row in self.rows(budget, PILOT)))
            except DesignError:
                if budget >= units:
                    raise
                budget = min(2 * budget, units)

    def least(self, group: Group, width: float) -> list[Tally]:
        """Return the rows of the fewest labels that give a mean width."""

        def of(budget: int, reps: int) -> list[Tally]:
            return [row for row in self.rows(budget, reps) if row.group == group]

        units = len(self.crew.world.labels)
        found = least(lambda n: of(n, PILOT), width, units, self.setting.budget)
        return of(found, self.reps)

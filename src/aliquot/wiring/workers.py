"""Work on all cores: the same results in the same order, however many processes there are."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from types import ModuleType
from typing import TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
Progress = Callable[[str, int, int], None]


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def team(processes: int = 0) -> Iterator[Executor | None]:
    """Keep processes together for several rounds of work; None where one is enough."""
    many = processes or cores()
    if many <= 1:
        yield None
        return
    context = get_context("spawn")
    stop = context.Event()
    with ProcessPoolExecutor(many, context, initializer=_deaf, initargs=(stop,)) as pool:
        try:
            yield pool
        except BaseException:
            stop.set()  # the executor waits for what was handed out already
            raise


_stop: list[Event] = []  # in each process of a team: whether the first one wants to stop


def _deaf(stop: Event) -> None:
    """Leave it to the first process to hear that the user wants to stop, and to say so."""
    _stop[:] = [stop]
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def stopping() -> bool:
    """Say whether the first process has given up: what is computed now is for nobody."""
    return any(stop.is_set() for stop in _stop)


def spread(  # noqa: PLR0913  (work and tasks, and named options)
    work: Callable[[Task], Answer],
    tasks: Sequence[Task],
    *,
    processes: int = 0,
    within: Executor | None = None,
    what: str = "",
    progress: Progress | None = None,
) -> Iterator[Answer]:
    """Yield `work(task)` for each task, in order, computed on all cores.

    `work` is a function of a module and a task can be pickled: each process starts afresh, so that
    threads of the caller's libraries can't be caught in the middle of something. `within` is a team
    that is there already.
    """
    if within is not None:
        own = nullcontext() if work.__module__ == "__main__" else _own_main()
        with own, _one_thread():
            answers = within.map(work, tasks)
        yield from _said(answers, len(tasks), what, progress)
        return
    with team(min(processes or cores(), len(tasks))) as pool:
        if pool is None:
            yield from _said(map(work, tasks), len(tasks), what, progress)
        else:
            yield from spread(work, tasks, within=pool, what=what, progress=progress)


@contextmanager
def _own_main() -> Iterator[None]:
    """Hide the caller's script while processes start: a new process would run it once more.

    Work that is a function of that script is the exception: a new process must read it there.
    """
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let each new process do its matrix products alone: the others have the other cores."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _said(
    answers: Iterator[Answer], total: int, what: str, progress: Progress | None
) -> Iterator[Answer]:
    try:
        for done, answer in enumerate(answers, 1):
            if progress is not None:
                progress(what, done, total)
            yield answer
    except BrokenProcessPool:  # the system has killed one, as it does when memory runs out
        raise MemoryError from None

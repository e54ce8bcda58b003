"""Work on all cores: the same results in the same order, however many processes there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Progress = Callable[[str, int, int], None]


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    work: Callable[[Task], Answer],
    tasks: Sequence[Task],
    *,
    processes: int = 0,
    what: str = "",
    progress: Progress | None = None,
) -> Iterator[Answer]:
    """Yield `work(task)` for each task, in order, computed on all cores.

    `work` is a function of a module and a task can be pickled: each process starts afresh, so that
    threads of the caller's libraries can't be caught in the middle of something.
    """
    many = min(processes or cores(), len(tasks))
    if many <= 1:
        yield from _said(map(work, tasks), len(tasks), what, progress)
        return
    with ProcessPoolExecutor(many, mp_context=get_context("spawn")) as pool:
        yield from _said(pool.map(work, tasks), len(tasks), what, progress)


def _said(
    answers: Iterator[Answer], total: int, what: str, progress: Progress | None
) -> Iterator[Answer]:
    for done, answer in enumerate(answers, 1):
        if progress is not None:
            progress(what, done, total)
        yield answer

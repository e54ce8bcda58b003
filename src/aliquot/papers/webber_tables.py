"""Webber (2013), Tables IX and X and Figures 10 to 14: coverage on three scenarios."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from aliquot.core.frame import Floats
from aliquot.papers.base import Cell, Reproduction, Settings
from aliquot.papers.webber_coverage import LEVEL, METHODS, Row, Task, run
from aliquot.papers.webber_worlds import SCENARIOS
from aliquot.wiring.workers import spread

REALISATIONS, SAMPLES, PIECE = 500, 1_000, 10
THEIRS = 1_000  # realisations in the paper
RMSE = {
    "naive-binomial": (0.252, 0.281, 0.063),
    "normal": (0.225, 0.189, 0.155),
    "laplace": (0.107, 0.110, 0.034),
    "agresti-coull": (0.215, 0.251, 0.120),
    "koopman": (0.016, 0.011, 0.026),
    "beta-jeffreys": (0.026, 0.014, 0.042),
    "betabin-uniform": (0.072, 0.014, 0.012),
    "betabin-mcp": (0.020, 0.015, 0.014),
    "betabin-half": (0.014, 0.013, 0.012),
}
WIDTH_COVER = {
    "naive-binomial": ((0.23, 0.83), (0.21, 0.80), (0.29, 0.95)),
    "normal": ((0.18, 0.86), (0.21, 0.87), (0.21, 0.89)),
    "laplace": ((0.22, 0.92), (0.23, 0.90), (0.22, 0.94)),
    "agresti-coull": ((0.19, 0.87), (0.19, 0.82), (0.21, 0.89)),
    "koopman": ((0.22, 0.96), (0.26, 0.95), (0.24, 0.97)),
    "beta-jeffreys": ((0.22, 0.94), (0.26, 0.95), (0.19, 0.92)),
    "betabin-uniform": ((0.21, 0.94), (0.24, 0.95), (0.22, 0.95)),
    "betabin-mcp": ((0.22, 0.95), (0.26, 0.95), (0.21, 0.95)),
    "betabin-half": ((0.22, 0.95), (0.26, 0.95), (0.21, 0.95)),
}
Runs = dict[str, list[dict[str, Row]]]
OPEN = (
    "naive-binomial depends on an n that the text does not define (here all sampled positives), "
    "beta-jeffreys never covers a recall of 1, which some small realisations have: with yields "
    "rounded to whole numbers it would, and betabin-uniform covers next to never in one neutral "
    "realisation of 600 (recall above .99, few sampled of the rest): which 500 are drawn decides "
    "whether its RMSE is .02 or .06, more than three standard errors of 500 without any can tell"
)


def gathered(settings: Settings, scenarios: tuple[str, ...] = SCENARIOS) -> Runs:
    """Run realisations of each scenario on all cores."""
    count = 4 if settings.fast else REALISATIONS
    tasks = [
        Task(scenario, first, min(PIECE, count - first), SAMPLES, settings.seed)
        for scenario in scenarios
        for first in range(0, count, PIECE)
    ]
    processes = 1 if settings.fast else 0  # a few seconds: not worth a process
    done = spread(run, tasks, processes=processes, what="scenarios", progress=settings.progress)
    found: Runs = {scenario: [] for scenario in scenarios}
    for task, rows in zip(tasks, done, strict=True):
        found[task.scenario] += rows
    return found


def _column(rows: list[dict[str, Row]], method: str, what: str) -> Floats:
    return np.array([getattr(row[method], what) for row in rows])


def _rmse(coverage: Floats) -> tuple[float, float]:
    """Return the root mean squared error of coverage, and what chance explains on both sides."""
    square = (coverage - LEVEL) ** 2
    rmse = math.sqrt(square.mean())
    one = float(square.std(ddof=1)) / (2.0 * rmse)
    return rmse, 3.0 * one * math.sqrt(1.0 / square.size + 1.0 / THEIRS) + 0.0005


def _mean(values: Floats) -> tuple[float, float]:
    chance = float(values.std(ddof=1)) * math.sqrt(1.0 / values.size + 1.0 / THEIRS)
    return float(values.mean()), 3.0 * chance + 0.005


def table9(settings: Settings) -> Reproduction:
    """Root mean squared error of coverage from 95 %, by method and scenario."""
    runs = gathered(settings)
    cells = []
    for method in METHODS:
        for scenario, printed in zip(SCENARIOS, RMSE[method], strict=True):
            ours, tolerance = _rmse(_column(runs[scenario], method, "coverage"))
            cells.append(Cell(method, scenario, printed, ours, tolerance))
    cells += [_order(cells, scenario) for scenario in SCENARIOS]
    return Reproduction(tuple(cells), f"{_size(runs)}; {OPEN}")


def _order(cells: list[Cell], scenario: str) -> Cell:
    """How many pairs of methods stand in another order than in print, beyond chance."""
    here = [cell for cell in cells if cell.column == scenario]
    turned = 0
    for one, other in combinations(here, 2):
        if one.printed is None or other.printed is None:
            continue
        gap = one.printed - other.printed
        clear = abs(gap) > one.tolerance + other.tolerance
        turned += clear and (one.ours - other.ours) * gap < 0
    return Cell("pairs in another order", scenario, 0.0, float(turned), 0.0)


def table10(settings: Settings) -> Reproduction:
    """Mean width and mean coverage, by method and scenario."""
    runs = gathered(settings)
    cells = []
    for method in METHODS:
        for scenario, printed in zip(SCENARIOS, WIDTH_COVER[method], strict=True):
            for what, value in zip(("width", "coverage"), printed, strict=True):
                ours, tolerance = _mean(_column(runs[scenario], method, what))
                cells.append(Cell(method, f"{scenario} {what}", value, ours, tolerance))
    return Reproduction(tuple(cells), f"{_size(runs)}; widths within 0 and 1; {OPEN}")


def _size(runs: Runs) -> str:
    many = len(next(iter(runs.values())))
    return f"{many} realisations of {SAMPLES} samples; tolerances are three standard errors"


def _boxes(scenario: str, settings: Settings) -> Reproduction:
    """Quartiles and mean of coverage over realisations; the mean is printed in Table X."""
    runs = gathered(settings, (scenario,))
    place = SCENARIOS.index(scenario)
    cells = []
    for method in METHODS:
        coverage = _column(runs[scenario], method, "coverage")
        mean, tolerance = _mean(coverage)
        cells.append(Cell(method, "mean", WIDTH_COVER[method][place][1], mean, tolerance))
        for name, q in (
            ("least", 0.0),
            ("quarter", 0.25),
            ("median", 0.5),
            ("three quarters", 0.75),
        ):
            cells.append(Cell(method, name, None, float(np.quantile(coverage, q)), 0.0))
    return Reproduction(
        tuple(cells), f"a picture; its means stand in Table X; {_size(runs)}; {OPEN}"
    )


def figure10(settings: Settings) -> Reproduction:
    """Coverage on the neutral scenario."""
    return _boxes("neutral", settings)


def figure11(settings: Settings) -> Reproduction:
    """Coverage on the legal scenario."""
    return _boxes("legal", settings)


def figure12(settings: Settings) -> Reproduction:
    """Coverage on the small scenario."""
    return _boxes("small", settings)


def figure13(settings: Settings) -> Reproduction:
    """How often the truth lies above or below the interval, neutral scenario."""
    runs = gathered(settings, ("neutral",))
    cells = []
    for method in METHODS:
        for name, what in (("truth above", "below"), ("truth below", "above")):
            gap = _column(runs["neutral"], method, what)
            cells.append(Cell(method, f"{name}, mean", None, float(gap.mean()), 0.0))
            cells.append(Cell(method, f"{name}, median", None, float(np.median(gap)), 0.0))
    balance = [abs(cells[i].ours - cells[i + 2].ours) for i in range(0, len(cells), 4)]
    best = METHODS[int(np.argmin(balance))]
    note = f"a picture; best balanced in the mean: {best}; {_size(runs)}"
    return Reproduction(tuple(cells), note)


def figure14(settings: Settings) -> Reproduction:
    """On which share of realisations each method comes closest to 95 %; ties are split."""
    runs = gathered(settings)
    cells = []
    for scenario, rows in runs.items():
        off = np.array([[abs(row[method].coverage - LEVEL) for method in METHODS] for row in rows])
        best = np.isclose(off, off.min(1, keepdims=True), atol=1e-9)
        shares = (best / best.sum(1, keepdims=True)).mean(0)
        cells += [
            Cell(method, scenario, None, float(share), 0.0)
            for method, share in zip(METHODS, shares, strict=True)
        ]
    return Reproduction(tuple(cells), f"a picture; {_size(runs)}")

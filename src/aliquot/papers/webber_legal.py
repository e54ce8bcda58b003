"""Webber (2013), Table XII, and the official scores of the TREC 2009 Legal Track."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import NamedTuple

from aliquot.intervals.counts.registry import method
from aliquot.intervals.counts.tally import Tally, question
from aliquot.papers.base import Cell, Reproduction, Settings

METHODS = ("betabin-half", "normal", "laplace")
TABLE12 = {  # topic, team: recall, then two ends by betabin-half, normal and laplace
    ("201", "UW"): (0.778, 0.451, 0.929, 0.485, 1.070, 0.351, 0.916),
    ("201", "CS"): (0.489, 0.287, 0.593, 0.304, 0.673, 0.226, 0.593),
    ("201", "CB"): (0.204, 0.119, 0.250, 0.126, 0.282, 0.093, 0.247),
    ("201", "UP"): (0.167, 0.097, 0.208, 0.102, 0.231, 0.076, 0.205),
    ("202", "UW"): (0.673, 0.523, 0.768, 0.542, 0.803, 0.501, 0.771),
    ("202", "CS"): (0.579, 0.451, 0.662, 0.467, 0.692, 0.432, 0.664),
    ("203", "UW"): (0.865, 0.625, 0.881, 0.832, 0.897, 0.552, 0.940),
    ("203", "UB"): (0.592, 0.427, 0.621, 0.552, 0.631, 0.378, 0.652),
    ("203", "ZL-NoCull"): (0.175, 0.123, 0.185, 0.157, 0.192, 0.105, 0.185),
    ("203", "ZL-Cull"): (0.029, 0.019, 0.034, 0.023, 0.035, 0.016, 0.033),
    ("204", "H5"): (0.762, 0.572, 0.882, 0.595, 0.930, 0.538, 0.874),
    ("204", "AD"): (0.305, 0.229, 0.360, 0.235, 0.374, 0.216, 0.358),
    ("204", "CB"): (0.198, 0.148, 0.240, 0.151, 0.246, 0.140, 0.238),
    ("205", "CS"): (0.673, 0.593, 0.738, 0.599, 0.747, 0.587, 0.737),
    ("205", "EQ"): (0.463, 0.404, 0.509, 0.409, 0.516, 0.399, 0.505),
    ("205", "IN"): (0.292, 0.253, 0.327, 0.254, 0.329, 0.250, 0.325),
    ("206", "CB-High"): (0.076, 0.052, 0.112, 0.046, 0.106, 0.049, 0.109),
    ("206", "LO"): (0.042, 0.025, 0.069, 0.020, 0.063, 0.023, 0.067),
    ("206", "CB-Mid"): (0.011, 0.007, 0.015, 0.007, 0.015, 0.007, 0.014),
    ("206", "CB-Low"): (0.009, 0.006, 0.013, 0.006, 0.013, 0.005, 0.012),
    ("207", "CB"): (0.768, 0.698, 0.798, 0.723, 0.813, 0.689, 0.802),
    ("207", "UW"): (0.761, 0.689, 0.791, 0.714, 0.807, 0.677, 0.791),
    ("207", "LO"): (0.538, 0.489, 0.566, 0.503, 0.573, 0.484, 0.569),
    ("207", "EQ"): (0.483, 0.437, 0.507, 0.451, 0.515, 0.430, 0.507),
}
DRAWN = 0.003  # of print: 10,000 draws a posterior, and rounding
ROUNDED = 0.001  # of print: rounding, twice


class Team(NamedTuple):
    """One team on one topic: what it retrieved, and the rest."""

    year: str
    topic: str
    name: str
    parts: tuple[Tally, Tally]


def teams(settings: Settings) -> Iterator[Team]:
    """Read the strata: each is a pattern of who retrieved it."""
    path = settings.folder("trec_legal_2009") / "strata.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for year, topic in dict.fromkeys((row["year"], row["topic"]) for row in rows):
        here = [row for row in rows if row["topic"] == topic]
        for place, name in enumerate(here[0]["teams"].split()):
            parts = [
                Tally.of([_counts(row) for row in here if row["pattern"][place] == flag])
                for flag in "RN"
            ]
            yield Team(year, topic, name, (parts[0], parts[1]))


def _counts(row: dict[str, str]) -> tuple[float, ...]:
    return tuple(float(row[name]) for name in ("N", "n", "r_post", "a"))


def table12(settings: Settings) -> Reproduction:
    """Recall of 24 runs of 2009 with three intervals each."""
    cells = []
    for team in teams(settings):
        printed = TABLE12.get((team.topic, team.name))
        if printed is None:
            continue
        asked = question("recall", team.parts)
        row = f"t{team.topic} {'UD' if team.name == 'AD' else team.name}"
        cells.append(Cell(row, "recall", printed[0], asked.estimate, ROUNDED))
        for place, name in enumerate(METHODS):
            ends = method(name).ends(asked)
            tolerance = DRAWN if name == "betabin-half" else ROUNDED
            for end, column in enumerate(("low", "high")):
                value = printed[1 + 2 * place + end]
                cells.append(Cell(row, f"{name} {column}", value, ends[end], tolerance))
    note = (
        "betabin-half within 0.003: print has 10,000 draws; normal and laplace are not cut at 1, "
        "and have a finite population correction; the team printed as UD stands as AD in the data"
    )
    return Reproduction(tuple(cells), note)


def official(settings: Settings) -> Reproduction:
    """Recall, precision and F1 as NIST reported them."""
    path = settings.folder("trec_legal_2009") / "official_scores.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        printed = {(row["year"], row["topic"], row["team"]): row for row in csv.DictReader(stream)}
    cells = []
    for team in teams(settings):
        row = printed.get((team.year, team.topic, team.name))
        if row is None:
            continue
        for measure in ("recall", "precision", "f1"):
            value = float(row[f"{measure}_official"])
            ours = question(measure, team.parts).estimate
            cells.append(Cell(f"t{team.topic} {team.name}", measure, value, ours, 0.0005001))
    note = (
        "relevant N r / n, not relevant N (a - r) / n: sampled units that could not be assessed "
        "stay in n; print has three decimals"
    )
    return Reproduction(tuple(cells), note)

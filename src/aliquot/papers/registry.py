"""Every table and figure that can be run again, each imported when it is asked for."""

from __future__ import annotations

import importlib
from dataclasses import asdict, dataclass
from typing import Any, final

from aliquot.errors import UsageError
from aliquot.papers.base import Run


@final
@dataclass(frozen=True)
class Entry:
    """One table or figure: its name, `module:function` in this room, and what it shows."""

    name: str
    home: str
    title: str
    data: bool = False  # whether it needs --data

    def load(self) -> Run:
        """Import what runs it."""
        module, _, function = self.home.partition(":")
        found: Run = getattr(importlib.import_module(f"aliquot.papers.{module}"), function)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as a row."""
        return asdict(self)


PAPERS: tuple[Entry, ...] = (
    Entry("schnabel.table3", "schnabel_single:table3", "sampling against judging the top, or few"),
    Entry("schnabel.table4", "schnabel_single:table4", "what a prior gains in unbiased sampling"),
    Entry("schnabel.table5", "schnabel_reuse:table5", "new systems on old labels", data=True),
    Entry(
        "schnabel.table6", "schnabel_many:table6", "all systems at once: root of squares or mean"
    ),
    Entry("schnabel.table7", "schnabel_pairs:table7", "the difference of two systems"),
    Entry("schnabel.table8", "schnabel_many:table8", "each system against the mean of all"),
    Entry("schnabel.table9", "schnabel_cover:table9", "intervals: normal, Hoeffding, betting"),
    Entry(
        "schnabel.figure1", "schnabel_pairs:figure1", "two systems over budgets, TREC-8", data=True
    ),
    Entry("schnabel.pair", "schnabel_goal:pair", "what naming a pair as the goal saves"),
    Entry(
        "chaganty.theorem1",
        "chaganty_theorems:theorem1",
        "joint precision: mean and variance, claimed against simulated",
    ),
    Entry(
        "chaganty.theorem2",
        "chaganty_theorems:theorem2",
        "recall within the pool: unbiased in print, consistent in truth; which weights it needs",
    ),
    Entry(
        "chaganty.theorem3",
        "chaganty_theorems:theorem3",
        "the variance of recall, as printed and corrected, against simulated",
    ),
    Entry(
        "chaganty.weights",
        "chaganty_weights:weights",
        "variance of joint precision by mixture weights, relative to own draws",
    ),
    Entry(
        "chaganty.labels",
        "chaganty_labels:labels",
        "labels for 15 overlapping systems, with and without re-use",
    ),
    Entry(
        "chaganty.kbp",
        "chaganty_kbp:kbp",
        "widths of 69 systems from 5,000 draws; with --data the published tables as well",
    ),
    Entry("sabharwal.table1", "sabharwal_tables:table1", "queries of precision by length"),
    Entry("sabharwal.table2", "sabharwal_tables:table2", "labels by length, four strategies"),
    Entry("sabharwal.figure1", "sabharwal_figures:figure1", "the envelope of one known point"),
    Entry("sabharwal.figure2", "sabharwal_tables:figure2", "how many times fewer queries"),
    Entry("sabharwal.figure3", "sabharwal_tables:figure3", "how many fewer labels"),
    Entry(
        "sabharwal.figure4",
        "sabharwal_figures:figure4",
        "curves of a list 100 times as long; with --data the judged pairs of PPDB as well",
    ),
    Entry("sabharwal.figure5", "sabharwal_figures:figure5", "no algorithm needs fewer queries"),
    Entry(
        "webber.table3", "webber_bias:table3", "the bias of the recall estimator in one scenario"
    ),
    Entry("webber.figure2", "webber_bias:figure2", "the distribution of the recall estimator"),
    Entry("webber.figure3", "webber_bias:figure3", "its bias by sample size and yield"),
    Entry("webber.figure4", "webber_binomial:figure4", "coverage of Clopper and Pearson, n = 20"),
    Entry("webber.figure5", "webber_binomial:figure5", "coverage of Wald, n = 20"),
    Entry("webber.figure6", "webber_binomial:figure6", "coverage of Wilson, n = 20"),
    Entry("webber.figure7", "webber_binomial:figure7", "coverage of Jeffreys, n = 20"),
    Entry("webber.figure8", "webber_design:figure8", "the most conservative prior"),
    Entry(
        "webber.table9", "webber_tables:table9", "error of coverage, nine methods, three scenarios"
    ),
    Entry("webber.table10", "webber_tables:table10", "width and coverage of the same"),
    Entry("webber.figure10", "webber_tables:figure10", "coverage on the neutral scenario"),
    Entry("webber.figure11", "webber_tables:figure11", "coverage on the legal scenario"),
    Entry("webber.figure12", "webber_tables:figure12", "coverage on the small scenario"),
    Entry("webber.figure13", "webber_tables:figure13", "misses above and below, neutral scenario"),
    Entry("webber.figure14", "webber_tables:figure14", "which method is closest, how often"),
    Entry("webber.figure15", "webber_design:figure15", "width by allocation and yield"),
    Entry("webber.figure16", "webber_design:figure16", "width by allocation and quality"),
    Entry("webber.figure17", "webber_design:figure17", "width by labels, best allocation"),
    Entry(
        "webber.table12", "webber_legal:table12", "TREC 2009: 24 runs, three intervals", data=True
    ),
    Entry("webber.official", "webber_legal:official", "TREC 2009: official scores", data=True),
)


def entry(name: str) -> Entry:
    """Return the entry of a name."""
    for one in PAPERS:
        if one.name == name:
            return one
    near = [one.name for one in PAPERS if name and name.partition(".")[0] in one.name][:6]
    raise UsageError(
        f"'{name}' is not a table or figure that can be run again",
        do=f"Names near it: {', '.join(near)}" if near else "See aliquot reproduce list",
    )

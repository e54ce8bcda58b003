"""Made data for the demonstration: a search world whose truth is known, and two tables.

Every number comes from permanent random numbers, so the same world is made everywhere and for ever.
A document's number says nothing of its relevance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from aliquot.core import prn
from aliquot.core.frame import Floats

Ints = NDArray[np.int64]
QUERIES = (
    "solar panel cost",
    "sourdough without yeast",
    "night trains in Europe",
    "knee pain after running",
    "lithium recycling",
    "history of zero",
    "tomato blight",
    "noise at work rules",
    "coral bleaching",
    "used car checklist",
    "learn to read music",
    "urban bee keeping",
    "heat pump old house",
    "peat bog carbon",
    "visa for students",
    "moss on roof tiles",
    "first aid burns",
    "tides and moon",
    "open data licences",
    "bicycle lane width",
    "sleep and memory",
    "wool or cotton",
    "volcano monitoring",
    "bread oven bricks",
    "rent deposit return",
    "migraine triggers",
    "ship ballast water",
    "chess opening traps",
    "frost on vines",
    "paper from hemp",
)
CANDIDATES = 500  # documents a query
DEPTH = 100  # how many of them a system returns
SEEN = np.array([0.0, 1.3, 2.0, 2.6])  # how much of a grade shows in a score
REVIEWED, ANSWERS = 20_000, 3_000


def coins(count: int, name: str) -> Floats:
    """Return numbers in (0, 1), the same whenever a name is asked for."""
    return prn.uniform(np.arange(count, dtype=np.uint64), f"demo:{name}")


def noise(count: int, name: str) -> Floats:
    """Return logistic noise of standard deviation 1."""
    r = coins(count, name)
    found: Floats = np.log(r / (1.0 - r)) * (3.0**0.5 / np.pi)
    return found


@final
@dataclass(frozen=True, eq=False)
class World:
    """Queries, the true grade of each candidate document, and what five systems return.

    `grades` has shape (topics, candidates); a ranking, shape (topics, DEPTH), holds candidates.
    """

    grades: Ints
    rankings: Mapping[str, Ints]

    @property
    def topics(self) -> tuple[str, ...]:
        """The numbers of the queries, as text."""
        return tuple(str(i) for i in range(1, len(self.grades) + 1))

    @cached_property
    def labels(self) -> dict[str, str]:
        """The true grade of every unit that some system returns."""
        found: dict[str, str] = {}
        for topic, row in enumerate(self.grades):
            pool = np.unique(np.concatenate([ranks[topic] for ranks in self.rankings.values()]))
            found |= {unit(topic, doc): str(row[doc]) for doc in pool.tolist()}
        return found

    @cached_property
    def truth(self) -> dict[str, float]:
        """The true DCG@100 of every system."""
        return {name: self.dcg(name, self.labels) for name in self.rankings}

    def run(self, name: str) -> Iterator[tuple[str, str, int]]:
        """Yield (topic, document, rank) of one system."""
        for topic, docs in enumerate(self.rankings[name]):
            for rank, doc in enumerate(docs.tolist(), 1):
                yield self.topics[topic], document(topic, doc), rank

    def dcg(self, name: str, labels: Mapping[str, str]) -> float:
        """Return the DCG@100 that some labels give, if the rest are taken for irrelevant."""
        total = sum(
            float(labels.get(f"{topic} {doc}", "0")) / np.log2(1.0 + rank)
            for topic, doc, rank in self.run(name)
        )
        return float(total / len(self.grades))

    def top(self, budget: int) -> dict[str, str]:
        """Return the labels of the pairs nearest the top of some ranking, as many as are paid."""
        best: dict[str, int] = {}
        for name in self.rankings:
            for topic, doc, rank in self.run(name):
                pair = f"{topic} {doc}"
                best[pair] = min(rank, best.get(pair, rank))
        order = sorted(best, key=lambda pair: (best[pair], prn.key(pair)))
        return {pair: self.labels[pair] for pair in order[:budget]}


def document(topic: int, doc: int) -> str:
    """Return a document's id."""
    return f"d{topic * CANDIDATES + doc:05d}"


def unit(topic: int, doc: int) -> str:
    """Return the id of a query and a document."""
    return f"{topic + 1} {document(topic, doc)}"


def world() -> World:
    """Make the search world: relevance first, then scores that see it through shared noise."""
    shape = (len(QUERIES), CANDIDATES)
    count = shape[0] * shape[1]
    share = 0.015 + 0.1 * coins(shape[0], "topics") ** 2  # of relevant documents, by query
    r = coins(count, "grade").reshape(shape)
    grades = np.stack([r < part * share[:, None] for part in (1.0, 0.5, 0.2)]).sum(axis=0)
    signal = 0.65 * SEEN[grades]

    def part(name: str) -> Floats:
        return noise(count, name).reshape(shape)

    words, meaning = part("words"), part("meaning")
    bm25 = 0.85 * signal + words + 0.3 * part("bm25")
    rm3 = 1.0 * signal + 0.95 * words + 0.4 * part("rm3")
    dense = 1.3 * signal + meaning + 0.4 * part("dense")
    hybrid = best(bm25 + dense)
    second = 2.0 * signal + 0.5 * (words + meaning) + 0.9 * part("rerank")
    inner = best(np.take_along_axis(second, hybrid, axis=1))
    rerank = np.take_along_axis(hybrid, inner, axis=1)
    rankings = {"bm25": best(bm25), "rm3": best(rm3), "dense": best(dense)}
    return World(grades, rankings | {"hybrid": hybrid, "rerank": rerank})


def best(score: Floats) -> Ints:
    """Return the places of the DEPTH highest scores of each row, the highest first."""
    return np.argsort(-score, axis=1, kind="stable")[:, :DEPTH].astype(np.int64)


def review() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Make a review: documents with a classifier's score, and apart from them the true coding.

    About 3 % are responsive, and one responsive document in twelve looks like any other: to those
    the score is blind.
    """
    count = REVIEWED
    truth = coins(count, "responsive") < 0.03
    blind = coins(count, "blind") < 1 / 12
    logit = -4.0 + 1.1 * noise(count, "score") + np.where(truth & ~blind, 5.0, 0.0)
    score = 1.0 / (1.0 + np.exp(-logit))
    ids = [f"DOC-{i:06d}" for i in range(1, count + 1)]
    coding = np.where(truth, "yes", "no").tolist()
    return {"id": ids, "score": [f"{s:.4f}" for s in score]}, {"id": ids, "label": coding}


def answers() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Make a chatbot's answers with an LLM judge's opinion, and apart from them what people say.

    The judge is good, and too kind: it passes more than people do.
    """
    count = ANSWERS
    quality = noise(count, "quality")
    passed = quality + 0.3 * noise(count, "people") > -0.7
    judged = 1.0 / (1.0 + np.exp(-(3.0 * quality + 4.0 + 0.8 * noise(count, "judge"))))
    ids = [f"a{i:04d}" for i in range(1, count + 1)]
    asked = [f"{QUERIES[i % len(QUERIES)]}?" for i in range(count)]
    table = {"id": ids, "question": asked, "judge": [f"{p:.3f}" for p in judged]}
    return table, {"id": ids, "label": np.where(passed, "yes", "no").tolist()}

"""The paragraph on methods: every method has words, and every citation leads to a reference."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from aliquot.designs.registry import DESIGNS
from aliquot.designs.size import KINDS
from aliquot.estimators.registry import ESTIMATORS
from aliquot.intervals.registry import INTERVALS
from aliquot.report import methods
from aliquot.report.references import REFERENCES
from aliquot.wiring.frame import Frame
from aliquot.wiring.reporting import facts
from aliquot.wiring.study import Study

WORDS = {
    "designs": (methods.DESIGNS, [kind.name for kind in DESIGNS]),
    "variances": (methods.VARIANCES, [kind.name for kind in DESIGNS]),
    "sizes": (methods.SIZES, list(KINDS)),
    "estimators": (methods.ESTIMATORS, [kind.name for kind in ESTIMATORS]),
    "intervals": (methods.INTERVALS, [kind.name for kind in INTERVALS]),
}


def keys(text: str) -> list[str]:
    """The citations of a text: [A 1999; B 2000]."""
    return [
        key for group in re.findall(r"\[([A-Z][^\[\]]+ \d{4})\]", text) for key in group.split("; ")
    ]


@pytest.mark.parametrize("kind", WORDS)
def test_every_method_has_words_and_no_word_is_left_over(kind: str) -> None:
    words, names = WORDS[kind]
    assert set(words) == set(names)


def test_every_citation_leads_to_a_reference_and_none_is_idle() -> None:
    source = Path(methods.__file__).read_text("utf-8").replace('"\n    "', "")
    assert set(keys(source)) == set(REFERENCES)


def test_the_paragraph_names_what_was_done(plain: Study) -> None:
    text = methods.paragraph(facts(plain, level=0.9, over="these"))
    for part in (
        "We estimated Precision and Recall of 2 systems from a probability sample of labels.",
        "The sampling frame holds 400 units.",
        "(seed 7) by permanent random numbers [Brewer et al. 1972]",
        "150 units were drawn by stratified simple random sampling with labels shared by Neyman's",
        "if 10% of the positives have any score (goal: each).",
        "115 of 150 drawn units were judged by 1 annotator on the scale labels(no, yes)",
        "5 were skipped or left unsure.",
        "p-values are adjusted for the number of comparisons [Holm 1979]",
        "The estimates are about these units, and not about others like them.",
    ):
        assert part in text, part
    assert [key for key, _ in methods.cited(text)] == sorted(set(keys(text)))


def test_inference_to_a_population_is_named(plain: Study) -> None:
    text = methods.paragraph(facts(plain, level=0.95, over="like-these"))
    assert "The estimates are about the population that these units or clusters came from." in text


def test_two_batches_are_told_apart(plain: Study) -> None:
    plain.draw(20, goal="pair:left,right")
    text = methods.paragraph(facts(plain, level=0.95, over="these"))
    assert "In batch 1, 150 units were drawn by" in text
    assert "In batch 2, 20 units were drawn by" in text
    assert "(goal: pair:left,right)." in text


def test_a_design_that_learns_says_so() -> None:
    units = [{"id": f"u{i}", "s": i / 300} for i in range(300)]
    frame = Frame.from_table(units, id="id", scored={"svm": ("s", 0.5)})
    for spelling, said in (("headtail", False), ("headtail(learn=yes)", True)):
        made = Study.in_memory(frame, measures=["Recall"], rng=7)
        made.record(dict.fromkeys(made.draw(60, design=spelling).new, "yes"))
        text = methods.paragraph(facts(made, level=0.95, over="these"))
        assert (methods.LEARNED in text) == said


def test_a_guarantee_is_explained_where_it_is_given(plain: Study) -> None:
    found = facts(plain, level=0.95, over="these")
    rows = tuple({**row, "guarantee": "design-unbiased"} for row in found.rows)
    assert methods.GUARANTEES["design-unbiased"] not in methods.assumptions(found)
    assert methods.GUARANTEES["design-unbiased"] in methods.assumptions(replace(found, rows=rows))

"""The paragraph on methods that a paper or a filing needs, and what it assumes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aliquot.core.spelling import Spelling, parse
from aliquot.report.facts import Facts
from aliquot.report.references import REFERENCES
from aliquot.report.words import counted

Row = Mapping[str, Any]

DESIGNS = {
    "uniform": "simple random sampling without replacement [Cochran 1977]",
    "pps": "sequential Poisson sampling, a fixed number of units with probabilities in proportion "
    "to size [Ohlsson 1998]",
    "pareto": "Pareto sampling, a fixed number of units with probabilities in proportion to size "
    "[Rosen 1997]",
    "poisson": "Poisson sampling with probabilities in proportion to size [Brewer et al. 1972]",
    "headtail": "stratified simple random sampling with labels shared by Neyman's rule "
    "[Neyman 1934]",
    "stratified": "stratified simple random sampling [Cochran 1977]",
    "wr": "independent draws with replacement, with probabilities in proportion to size "
    "[Hansen and Hurwitz 1943]",
    "ubis": "unbiased importance sampling, independent draws with replacement [Schnabel et al. "
    "2016]",
}
SIZES = {
    "influence": "the root of the unit's expected squared influence on the measures "
    "[Schnabel et al. 2016]",
    "shape": "the unit's largest influence on the measures, whatever its label",
    "sqrt_p": "the unit's largest influence on the measures times the root of the prior "
    "probability of a positive label",
    "p": "the unit's largest influence on the measures times the prior probability of a positive "
    "label",
    "uniform": "the same for every unit",
}
ESTIMATORS = {
    "ht": "the Horvitz-Thompson estimator [Horvitz and Thompson 1952]",
    "priority": "the priority sampling estimator, which divides by the inclusion probability given "
    "the other units' random numbers [Duffield et al. 2007]",
    "ratio": "the Horvitz-Thompson estimator, calibrated to the expected sample size "
    "[Sarndal et al. 1992]",
    "hajek": "the Hajek estimator [Hajek 1971]",
    "hh": "the Hansen-Hurwitz estimator [Hansen and Hurwitz 1943]",
    "joint": "the joint estimator, which weighs the draws made for each system by how much their "
    "outputs overlap [Chaganty et al. 2017]",
    "simple": "the mean of a system's own draws, each weighed by its probability [Chaganty et al. "
    "2017]",
    "calibrated": "the regression estimator, which brings the sample in line with what is known of "
    "the systems' output over the frame [Cochran 1977]",
    "difference": "the difference estimator, in which a prediction is used as far as the labels "
    "bear it out [Sarndal et al. 1992; Angelopoulos et al. 2023]",
}
INTERVALS = {
    "normal": "the normal approximation",
    "t": "Student's t with effective degrees of freedom",
    "log": "the normal approximation on the logarithmic scale",
    "logit": "the normal approximation on the logit scale",
    "wilson": "Wilson's score interval with the effective sample size [Wilson 1927]",
    "guarded": "the normal approximation on the logit scale, with the variance of one more unit "
    "that was not drawn",
    "betabin": "quantiles of beta-binomial posteriors of the positives in each stratum, of what is "
    "retrieved and of what is not [Webber 2013]",
    "gamma": "gamma intervals for weighted totals, which allow for one more unit that was not "
    "drawn [Fay and Feuer 1997]",
    "hoeffding": "Hoeffding's bound [Hoeffding 1963]",
    "hoeffding-printed": "twice Hoeffding's bound, as printed [Schnabel et al. 2016]",
    "bernstein": "the empirical Bernstein bound [Maurer and Pontil 2009]",
    "betting": "betting, valid for every sample size [Waudby-Smith and Ramdas 2024]",
    "edgeworth": "the normal approximation, corrected for skewness [Hall 1992]",
    "unseen": "the rule of three where nothing was found [Hanley and Lippman-Hand 1983]",
}
VARIANCES = {
    "uniform": "the finite population correction [Cochran 1977]",
    "pps": "Hajek's variance for a fixed sample size [Hajek 1964]",
    "pareto": "Hajek's variance for a fixed sample size [Hajek 1964]",
    "poisson": "the variance of independent inclusions [Sarndal et al. 1992]",
    "headtail": "the variance of a stratified sample [Cochran 1977]",
    "stratified": "the variance of a stratified sample [Cochran 1977]",
    "wr": "the variance of the draws [Hansen and Hurwitz 1943]",
    "ubis": "the variance of the draws [Hansen and Hurwitz 1943]",
}
GUARANTEES = {
    "exact": "Exact values were counted or judged in full: no sampling error is left.",
    "design-unbiased": "Design-unbiased: over all samples that the design could have drawn, the "
    "mean of the estimate is the truth.",
    "design-consistent": "Design-consistent: the estimate goes to the truth as labels are added; "
    "its bias is of order 1/n. This is no proof for this sample size.",
    "anytime": "Anytime: the interval holds whenever you look.",
    "model-based": "Model-based: it holds if the model of the labels does.",
}
LEARNED = (
    "labels of later batches were shared by the mean of this rule and of the same rule with the "
    "share of positives among the labels of each stratum that were known when the batch was drawn"
)
UNSAID = ("count", "none", "exact")  # no estimate and no interval was made
ALWAYS = (
    (
        "Units were judged in the order of the queue, which is random; a unit judged out of order "
        "is reported as a warning."
    ),
    (
        "A label is taken for the truth. Where several people judged a unit their labels are "
        "averaged, so the target is what such people say on average."
    ),
    (
        "Nothing here relies on scores, ranks or automatic judges being right. They decide how "
        "many labels are needed, not what may be claimed."
    ),
)


def paragraph(facts: Facts) -> str:
    """Write the methods down, each with its source in square brackets."""
    parts = [_frame(facts), *_sampling(facts), _judging(facts), *_estimation(facts)]
    return " ".join(part for part in parts if part)


def cited(text: str) -> list[tuple[str, str]]:
    """Return the references that a text cites, in the order of their names."""
    return [(key, REFERENCES[key]) for key in sorted(REFERENCES) if _mentions(text, key)]


def _mentions(text: str, key: str) -> bool:
    return any(f"{left}{key}{right}" in text for left in ("[", "; ") for right in ("]", ";"))


def _frame(facts: Facts) -> str:
    measures = " and ".join(facts.measures)
    systems = f" of {counted(len(facts.systems), 'system')}" if facts.systems else ""
    over = f" over {counted(facts.topics, 'topic')}" if facts.topics else ""
    frame = (
        f"The sampling frame is the pool of the {facts.units:,} pairs of a topic and a document "
        "that at least one system returned."
        if facts.kind == "runs"
        else f"The sampling frame holds {facts.units:,} units."
    )
    return f"We estimated {measures}{systems}{over} from a probability sample of labels. {frame}"


def _sampling(facts: Facts) -> list[str]:
    if not facts.draws:
        return []
    tool = (
        f"Units were drawn with aliquot {facts.version} (seed {facts.seed}) by permanent random "
        "numbers [Brewer et al. 1972], so that every draw can be repeated and later draws extend "
        "earlier ones."
    )
    return [tool, *(_draw(row, len(facts.draws)) for row in facts.draws)]


def _draw(row: Row, count: int) -> str:
    spelled = parse(row["design"])
    options = {name: value for name, value in spelled.options if not isinstance(value, Spelling)}
    head = f"In batch {row['batch']}, {row['new']}" if count > 1 else f"{row['new']}"
    text = f"{head} units were drawn by {DESIGNS.get(spelled.name, spelled.name)}"
    if spelled.name == "stratified":
        text += f", {_strata(options)}"
    if spelled.name == "headtail":
        text += f", {_head(options)}"
    if "size" in options:
        text += f"; the size is {SIZES.get(str(options['size']), options['size'])}"
        floor = float(options.get("floor", 0.0))
        text += f", mixed with {floor:.0%} of a size that ignores the prior" if floor else ""
    return f"{text} (goal: {row['goal']})."


def _strata(options: Mapping[str, int | float | str]) -> str:
    if options.get("by") == "size":
        return (
            f"with up to {options['strata']} strata of equal cumulated size "
            f"[Dalenius and Hodges 1959] and {options['allocation']} allocation"
        )
    return f"with strata by {options.get('by')} and {options.get('allocation')} allocation"


def _head(options: Mapping[str, int | float | str]) -> str:
    hidden = float(options.get("hidden", 0.0))
    return (
        f"with up to {options['strata']} strata of equal cumulated size [Dalenius and Hodges 1959] "
        "among the retrieved units and the others above a tail, which holds the 5% least expected "
        "of the positives; the size is the root of the variance of the unit's influence, if "
        f"{hidden:.0%} of the positives have any score"
    ) + (f"; {LEARNED}" if options.get("learn") == "yes" else "")


def _judging(facts: Facts) -> str:
    done = facts.progress
    if not done["judged"]:
        return ""
    by = f" by {counted(len(facts.annotators), 'annotator')}" if facts.annotators else ""
    skipped = done["skipped"]
    passed = f" {skipped} were skipped or left unsure." if skipped else ""
    return (
        f"{done['judged']} of {done['drawn']} drawn units were judged{by} on the scale "
        f"{facts.scale}, from a list in random order that shows no system, score or "
        f"probability.{passed}"
    )


def _estimation(facts: Facts) -> list[str]:
    if not facts.rows:
        return []
    names = {parse(row["design"]).name for row in facts.draws}
    last = names.pop() if len(names) == 1 else "pps"  # a union is an order sample at heart
    variance = VARIANCES.get(last, "the design's own variance")
    return [
        _totals(facts, variance),
        _covered(facts),
        _compared(facts),
        _unseen(facts),
        _over(facts),
    ]


def _totals(facts: Facts, variance: str) -> str:
    used = _used(facts.rows, "estimator", ESTIMATORS)
    if not used:
        return ""
    return (
        f"Totals were estimated by {used}, with {variance}, and measures that are not totals by "
        "linearisation [Sarndal et al. 1992]."
    )


def _covered(facts: Facts) -> str:
    used = _used(facts.rows, "interval", INTERVALS)
    return f"{facts.percent} intervals are by {used}." if used else ""


def _compared(facts: Facts) -> str:
    if not facts.differences:
        return ""
    return (
        "Differences between systems use the joint covariance of their estimates, and p-values "
        "are adjusted for the number of comparisons [Holm 1979]."
    )


def _unseen(facts: Facts) -> str:
    if not any("no draw could" in text for _, text in facts.warned):
        return ""
    return (
        "Units that no draw could have chosen were given the worst and the best labels there are "
        "[Manski 2003]."
    )


def _used(rows: Iterable[Row], column: str, words: Mapping[str, str]) -> str:
    names = dict.fromkeys(row[column] for row in rows)
    return ", and by ".join(words.get(name, name) for name in names if name not in UNSAID)


def _over(facts: Facts) -> str:
    if facts.over == "these":
        what = "topics and documents" if facts.kind == "runs" else "units"
        return f"The estimates are about these {what}, and not about others like them."
    groups = "topics" if facts.kind == "runs" else "units or clusters"
    return f"The estimates are about the population that these {groups} came from."


def assumptions(facts: Facts) -> list[str]:
    """List what has to hold for the numbers to mean what they say."""
    found = [*ALWAYS]
    if facts.kind == "runs":
        found.append("A document that no system returned within the pool is taken for irrelevant.")
    if facts.progress["skipped"]:
        found.append("Skipped and unsure units are taken to be like the judged ones.")
    if any(row["assisted"] for row in facts.rows):
        found.append(
            "Assisted estimates lean on a prediction as far as the labels bear it out; the "
            "human-only estimate stands beside each of them."
        )
    found.append(
        "Intervals are approximate: they hold the truth about as often as the level says where "
        "enough judged units bear on the estimate (effective n)."
    )
    seen = dict.fromkeys(row["guarantee"] for row in facts.rows)
    return found + [text for name, text in GUARANTEES.items() if name in seen]

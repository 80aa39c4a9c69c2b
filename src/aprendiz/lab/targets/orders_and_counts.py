"""Targets with more to them than their task says: classes with an order, and numbers that are counts.

Ordered classes: accuracy takes a neighbour for as wrong as the other end, so the ranks count too,

    mean distance of ranks = 1/n·Σ |rank(ŷ) − rank(y)|                                                        (1)

Counts: whole numbers down to about 0 whose errors grow with their mean, as those of a Poisson distribution do. That is asked of
the test rows: the rank correlation of the prediction with the distance from the mean of rows with similar predictions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from aprendiz.core.rows import Array
from aprendiz.evaluation.evaluation import Evaluation
from aprendiz.lab.methods import BASELINE
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.locale import _, format_whole, number, percent

FEWEST_GRADES, MOST_GRADES = 4, 12  # numbers that are taken for grades; fewer may be codes
LARGEST_COUNT = 1000
LOW_COUNT = 0.05  # share of the mean: scores in whole numbers end far from zero, counts whose errors matter come near it
LEVEL = 0.001
MOST_PARTS, ROWS_OF_PART = 20, 15  # of rows with similar predictions
SCALES = tuple(  # words whose order everybody knows
    tuple(scale.split(", "))
    for scale in (
        "very low, low, medium, high, very high",
        "low, mid, high",
        "low, middle, high",
        "low, moderate, high",
        "very small, small, medium, large, very large",
        "none, mild, moderate, severe",
        "very bad, bad, fair, good, very good, excellent",
        "very poor, poor, fair, good, very good, excellent",
        "never, rarely, sometimes, often, always",
        "strongly disagree, disagree, neutral, agree, strongly agree",
        "muy bajo, bajo, medio, alto, muy alto",
        "muy baja, baja, media, alta, muy alta",
        "muy pequeño, pequeño, mediano, grande, muy grande",
        "ninguno, leve, moderado, grave",
        "ninguna, leve, moderada, grave",
        "muy malo, malo, regular, bueno, muy bueno, excelente",
        "nunca, raras veces, a veces, a menudo, siempre",
    )
)


def order_of(outcome: Outcome) -> dict[str, Any] | None:
    """The order of the classes, and how far predictions are off in ranks; None if they have none."""
    question, found = outcome.results.question, outcome.evaluation
    if question.task != "classification" or found.classes is None:
        return None
    levels = ordered_levels(outcome)
    if levels is None or set(levels) != set(map(str, found.classes)):
        return None
    baseline = outcome.results.evaluations.get(BASELINE[question.task])
    distance = distances(found, levels)
    return {
        "levels": list(levels),
        "mean_distance": float(distance.mean()),
        "within_one": float((distance <= 1).mean()),
        "baseline": None if baseline is None else float(distances(baseline, levels).mean()),
    }


def ordered_levels(outcome: Outcome) -> tuple[str, ...] | None:
    """Words whose order is known, or whole numbers in a row."""
    question, table = outcome.results.question, outcome.experiment.table
    labels = [str(label) for label in np.unique(outcome.experiment.y)]
    facts = next(one for one in table.facts if one.name == question.target)
    if facts.ordered and facts.levels is not None:
        return tuple(level for level in facts.levels if level in labels)
    plain = {label.strip().lower(): label for label in labels}
    for scale in SCALES:
        if len(plain) == len(labels) > 2 and plain.keys() <= set(scale):
            return tuple(plain[word] for word in scale if word in plain)
    if FEWEST_GRADES <= len(labels) <= MOST_GRADES and all(label.isdecimal() for label in labels):
        numbers = sorted(map(int, labels))
        if numbers[-1] - numbers[0] == len(numbers) - 1:
            return tuple(map(str, numbers))
    return None


def distances(found: Evaluation, levels: tuple[str, ...]) -> Any:
    """|rank(ŷ) − rank(y)| of each test row."""
    rank = {level: place for place, level in enumerate(levels)}
    answers = found.pooled
    return np.array(
        [abs(rank[str(said)] - rank[str(true)]) for said, true in zip(answers.prediction, answers.truth, strict=True)]
    )


def counts_of(outcome: Outcome) -> dict[str, Any] | None:
    """What shows that a target counts something; None if it does not."""
    y, answers = outcome.experiment.y, outcome.evaluation.pooled
    if outcome.results.question.task != "regression" or y.min() < 0 or y.max() > LARGEST_COUNT or (y != np.floor(y)).any():
        return None
    if np.ptp(answers.prediction) == 0 or y.min() > LOW_COUNT * y.mean():
        return None
    found = spearmanr(answers.prediction, spread_around(answers.prediction, answers.truth), alternative="greater")
    if not found.pvalue < LEVEL:
        return None
    return {
        "low": float(y.min()),
        "high": float(y.max()),
        "correlation": float(found.statistic),
        "p_value": float(found.pvalue),
    }


def spread_around(prediction: Array, truth: Array) -> Array:
    """How far each target is from the mean of those with similar predictions, so that a bend of the model does not matter."""
    order = np.argsort(prediction, kind="stable")
    found = np.empty(len(truth))
    for part in np.array_split(order, max(2, min(MOST_PARTS, len(truth) // ROWS_OF_PART))):
        found[part] = np.abs(truth[part] - truth[part].mean())
    return found


def about_orders_and_counts(outcome: Outcome) -> Iterator[Finding]:
    """Both, told."""
    order, counts = order_of(outcome), counts_of(outcome)
    if order is not None:
        yield of_order(order)
    if counts is not None:
        yield of_counts(counts)


def of_order(order: dict[str, Any]) -> Finding:
    """How far predictions are off in ranks."""
    shown = order["levels"] if len(order["levels"]) <= 6 else [*order["levels"][:3], "…", order["levels"][-1]]
    return Finding(
        "classes_ordered",
        "note",
        _(
            "The classes seem to be ordered ({levels}): predictions are {distance} classes off on average, the baseline "
            "{plain}."
        ).format(
            levels=" < ".join(shown),
            distance=number(order["mean_distance"], 3),
            plain="–" if order["baseline"] is None else number(order["baseline"], 3),
        ),
        _(
            "Accuracy takes a neighbour for as wrong as the other end; {share} of the predictions are at most one class off."
        ).format(share=percent(order["within_one"])),
        _("To let distances count, give them as costs (--costs); for grades in numbers, also compare with --task regression."),
    )


def of_counts(counts: dict[str, Any]) -> Finding:
    """How errors grow."""
    return Finding(
        "target_counts",
        "note",
        _("The target may be a count: whole numbers from {low} to {high}, whose errors grow with the prediction.").format(
            low=format_whole(int(counts["low"])), high=format_whole(int(counts["high"]))
        ),
        _(
            "Rank correlation of prediction and error: {correlation} (p = {p}). Least squares lets the largest counts decide."
        ).format(correlation=number(counts["correlation"], 2), p=number(counts["p_value"], 2)),
        _(
            "If it is a count, a Poisson regression would suit, or a negative binomial one where counts vary more (neither is "
            "here); of the methods here, trees, forests and neighbours ask least of the errors."
        ),
    )

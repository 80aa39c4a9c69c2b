"""Rare classes that are hardly found: what deciding by the shares of the classes would change, measured on the test rows.

Deciding the most probable class overlooks a rare class: few of its rows have a probability above one half. Where each error of
class k costs 1/π_k, π_k its share, the decision is

    argmax_k p(k | x)/π_k:    of two classes, the rare one from p(x) ≥ π                                      (1)

which has the largest balanced accuracy if the probabilities are right. Nothing is chosen by looking at the test rows: (1) uses
the shares of all rows, and the probabilities come from models that had not seen the row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from aprendiz.evaluation.evaluation import Evaluation
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.targets.costs import Decision
from aprendiz.locale import _, number, percent

RARE, FEWEST = 0.2, 10  # share below which a class is rare, and rows that it needs for numbers about it
FOUND = 0.6  # share of its rows from which a class is found well enough
GAIN = 0.05  # of balanced accuracy
SURE = 3.0  # standard errors


def rare_class_of(outcome: Outcome) -> dict[str, Any] | None:
    """The rare class that is found least, and what (1) would change; None if there is none, or (1) is not clearly better."""
    found = outcome.evaluation
    answers = found.pooled
    if outcome.results.question.decision is not None or answers.probability is None or found.classes is None:
        return None
    counts = np.array([(found.y == label).sum() for label in found.classes])
    shares = counts / counts.sum()
    found_of_class = [share_of_right(answers.prediction == label, answers.truth == label) for label in found.classes]
    recall = np.array(found_of_class, dtype=np.float64)  # NaN of a class without a test row
    rare = (shares < RARE) & (counts >= FEWEST) & (recall < FOUND)
    if not rare.any():
        return None
    k = int(np.flatnonzero(rare)[np.argmin(recall[rare])])
    weighed = by_shares(found, shares)
    label, after = found.classes[k], weighed.pooled
    gain, error = gain_of(answers, after)
    if not gain > max(GAIN, SURE * error):
        return None
    return {
        "class": str(label),
        "share": float(shares[k]),
        "recall": {"before": float(recall[k]), "after": share_of_right(after.prediction == label, after.truth == label)},
        "precision": {
            "before": share_of_right(answers.truth == label, answers.prediction == label),
            "after": share_of_right(after.truth == label, after.prediction == label),
        },
        "balanced_accuracy": {
            "before": found.score("balanced_accuracy").value,
            "after": weighed.score("balanced_accuracy").value,
        },
        "two_classes": len(found.classes) == 2,
    }


def by_shares(found: Evaluation, shares: Any) -> Evaluation:
    """The same probabilities, decided by (1)."""
    assert found.classes is not None
    loss = tuple(tuple(0.0 if i == j else 1.0 / shares[i] for j in range(len(shares))) for i in range(len(shares)))
    return replace(Decision(tuple(found.classes), loss, None).of_evaluation(found), rule=None)


def gain_of(before: Answers, after: Answers) -> tuple[float, float]:
    """What balanced accuracy gains, and its standard error: the mean over classes of the mean gain of their rows."""
    assert before.classes is not None
    change = (after.prediction == after.truth).astype(float) - (before.prediction == before.truth)
    parts = [change[before.truth == label] for label in before.classes if (before.truth == label).any()]
    variances = [part.var() / len(part) for part in parts]
    return float(np.mean([part.mean() for part in parts])), float(np.sqrt(np.sum(variances)) / len(parts))


def share_of_right(right: Any, among: Any) -> float | None:
    """The share of some rows among others; None if there are no others."""
    return float(right[among].mean()) if among.any() else None


def about_rare_classes(outcome: Outcome) -> Iterator[Finding]:
    """A rare class that a lower threshold would find."""
    known = rare_class_of(outcome)
    if known is None:
        return
    label, share = repr(known["class"]), percent(known["share"])
    words = _(
        "Decided from a probability of {share} instead of the most probable class, {after} of its rows are found, balanced "
        "accuracy goes from {low} to {high}, and of the rows that are called so {precision} are right instead of {before}."
    )
    if not known["two_classes"]:
        words = _(
            "With weights of the classes in inverse proportion to their shares, {after} of its rows are found, balanced "
            "accuracy goes from {low} to {high}, and of the rows that are called so {precision} are right instead of {before}."
        )
    before, after = (known["precision"][when] for when in ("before", "after"))
    yield Finding(
        "rare_class",
        "note",
        _("Class {label} is rare ({share} of the rows), and {recall} of its rows are found.").format(
            label=label, share=share, recall=percent(known["recall"]["before"])
        ),
        words.format(
            share=share,
            after=percent(known["recall"]["after"]),
            low=number(known["balanced_accuracy"]["before"], 3),
            high=number(known["balanced_accuracy"]["after"], 3),
            precision=percent(float("nan") if after is None else after),
            before=percent(float("nan") if before is None else before),
        ),
        _("If overlooking it costs more than a false alarm, say how much with --costs: all methods then decide by the costs."),
    )

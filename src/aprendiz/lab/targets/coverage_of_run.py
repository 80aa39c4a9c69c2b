"""Intervals and sets of classes for the model of a run, from the predictions of its folds, and how often they hold the truth.

Each row was predicted by a model that had not seen it. The scores of these predictions, tᵢ, calibrate the model of all rows:

    f(x) − t₍ₖ₎ to f(x) + t₍ₖ₎,  or all classes with 1 − p(y | x) ≤ t₍ₖ₎,     k = ⌈(n + 1)·coverage⌉           (1)

That is conformal prediction by the scores of folds around one model (method "base" of aprendiz.conformal): no guarantee is
proved, so the coverage is measured. The rows of each fold are judged by the scores of the other folds alone; the rows of a
single split in two halves, each by the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.conformal import ConformalClassifier, ConformalRegressor
from aprendiz.conformal.scores.bands import Band
from aprendiz.conformal.scores.class_scores import class_scores
from aprendiz.conformal.shared.coverage import Coverage
from aprendiz.conformal.shared.rank import rank, smallest
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.evaluation.evaluation import Evaluation

COVERAGES = (0.8, 0.9, 0.95)  # that are measured
DRAWN = 0.9  # that is drawn
SCORE = "lac"


def conformal_of(model: Any, found: Evaluation) -> ConformalRegressor | ConformalClassifier | None:
    """The model of all rows, calibrated by the predictions of its folds; None for a classifier without probabilities."""
    answers, once = found.pooled, first_tests(found)
    if found.task == "regression":
        return ConformalRegressor.from_predictions(model, answers.truth[once], answers.prediction[once])
    if answers.probability is None or found.classes is None or not np.array_equal(model.classes_, found.classes):
        return None
    return ConformalClassifier.from_predictions(model, answers.truth[once], answers.probability[once], conformity_score=SCORE)


def coverage_of(found: Evaluation) -> dict[str, Any] | None:
    """The measured coverage of (1) for the usual coverages, as plain data; None where there is nothing to measure."""
    if found.task == "classification" and found.pooled.probability is None:
        return None
    checked = [one for one in (check(found, coverage) for coverage in COVERAGES) if one is not None]
    if not checked:
        return None
    return {
        "kind": "intervals" if found.task == "regression" else "sets",
        "method": "base",
        "score": "absolute" if found.task == "regression" else SCORE,
        "calibration_rows": len(first_tests(found)),
        "checked": [of_coverage(one, found) for one in checked],
    }


def of_coverage(one: Coverage, found: Evaluation) -> dict[str, Any]:
    known: dict[str, Any] = {"asked": one.wanted, "found": one.share, "low": one.low, "high": one.high}
    known |= {"rows": one.rows, "mean_size": one.size}
    if found.classes is not None:
        known["classes"] = {str(label): share for label, share in (one.classes or {}).items()}
    return known


def check(found: Evaluation, coverage: float) -> Coverage | None:
    """The coverage of the test rows, each judged by the scores of other folds; None where these are too few."""
    answers, once = found.pooled, first_tests(found)
    if found.task == "regression":
        known = ends_of_folds(found, coverage)
        return None if known is None else Coverage.of_intervals(coverage, known[0], known[2])
    assert found.classes is not None
    assert answers.probability is not None
    scores = class_scores(SCORE, answers.probability[once])
    codes = np.searchsorted(found.classes, answers.truth[once])
    ends = limits(scores[np.arange(len(codes)), codes], fold_numbers(found)[once], coverage)
    if not np.isfinite(ends).all():
        return None
    return Coverage.of_sets(coverage, codes, scores <= ends[:, None], found.classes)


def limits(scores: Array, part: Array, coverage: float) -> Array:
    """t₍ₖ₎ for each row, of the scores of the other parts."""
    found = np.empty(len(scores))
    for one in np.unique(part):
        others = scores[part != one]
        found[part == one] = smallest(others, rank(coverage, len(others)))
    return found


def first_tests(found: Evaluation) -> Array:
    """Places in the predictions of all folds where a row is tested for the first time: repeated folds test it again."""
    return np.sort(np.unique(np.concatenate([fold.test for fold in found.folds]), return_index=True)[1])


def fold_numbers(found: Evaluation) -> Array:
    """The fold of each prediction; of a single split, one of two halves."""
    sizes = [len(fold.test) for fold in found.folds]
    if len(sizes) > 1:
        return np.repeat(np.arange(len(sizes)), sizes)
    return (uniforms(0, 1, sizes[0]) < 0.5).astype(int)


def ends_of_folds(found: Evaluation, coverage: float = DRAWN) -> tuple[Array, Array, Array] | None:
    """Truth, prediction and intervals of the test rows of a regression, as they are checked; None where rows are too few."""
    answers, once = found.pooled, first_tests(found)
    truth, said = answers.truth[once], answers.prediction[once]
    ends = limits(np.abs(truth - said), fold_numbers(found)[once], coverage)
    if not np.isfinite(ends).all():
        return None
    return truth, said, np.column_stack(Band(said, said, np.ones(len(said))).ends(ends))

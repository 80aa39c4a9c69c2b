"""The scores of a class in each fold of a cross-validation, for curves of folds: of `evaluate`, or of scikit-learn's
`cross_validate(…, return_estimator=True, return_indices=True)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, plain
from aprendiz.evaluation import Evaluation
from aprendiz.evaluation.evaluation import NO_CURVE
from aprendiz.evaluation.folds.predictions import take
from aprendiz.evaluation.inputs.labels_and_numbers import list_labels
from aprendiz.plots.models.responses import numbers_predicted, score_of


def positive_class(positive: Any, pos_label: Any) -> Any:
    """The positive class, by our name of the parameter or by scikit-learn's."""
    if positive is not None and pos_label is not None and positive != pos_label:
        raise ValueError(f"positive={positive!r} and pos_label={pos_label!r} are two names of one parameter: give one of them.")
    return pos_label if positive is None else positive


def fold_scores(
    cv_results: Any, X: Any, y: Any, positive: Any, sample_weight: Any
) -> Iterator[tuple[Array, Array, Any, Array | None]]:
    """Of each fold whose test rows hold the class and others: truth, scores, the class and the weights."""
    found = (
        of_evaluation(cv_results, positive) if isinstance(cv_results, Evaluation) else of_results(cv_results, X, y, positive)
    )
    weight = None if sample_weight is None else as_target(sample_weight)
    for rows, truth, score, label in found:
        if 0 < (truth == label).sum() < len(truth):
            yield truth, score, label, None if weight is None else weight[rows]


def of_evaluation(found: Evaluation, positive: Any) -> Iterator[tuple[Array, Array, Array, Any]]:
    """The folds of `evaluate`."""
    if found.classes is None or found.pooled.scores is None:
        raise ValueError(NO_CURVE)
    if positive is None and len(found.classes) != 2:
        example = f"positive={plain(found.classes[0])!r}"
        known = f"There are {len(found.classes)} classes ({list_labels(found.classes)})"
        raise ValueError(f"{known}: say which is positive, as in {example}.")
    label = found.classes[-1] if positive is None else positive
    if label not in found.classes:
        raise ValueError(f"There is no class {label!r}: choose one of {list_labels(found.classes)}.")
    column = int(np.flatnonzero(found.classes == label)[0])
    for fold, answers in zip(found.folds, found.by_fold, strict=True):
        assert answers.scores is not None
        yield fold.test, answers.truth, answers.scores[:, column], label


def of_results(cv_results: Mapping[str, Any], X: Any, y: Any, positive: Any) -> Iterator[tuple[Array, Array, Array, Any]]:
    """The models that `cross_validate` kept, asked about the rows that each was not fitted to."""
    for model, test, part, truth in models_and_rows(cv_results, X, y):
        score, label = score_of(model, part, positive)
        yield test, truth, score, label


def models_and_rows(cv_results: Mapping[str, Any], X: Any, y: Any) -> Iterator[tuple[Any, Array, Any, Array]]:
    """Each model that `cross_validate` kept, with the numbers, the table and the target of its test rows."""
    for key, option in (("estimator", "return_estimator"), ("indices", "return_indices")):
        if not isinstance(cv_results, Mapping) or key not in cv_results:
            raise ValueError(
                f"cv_results has no {key!r}: give what cross_validate(…, {option}=True) returns, or an Evaluation."
            )
    if X is None or y is None:
        raise ValueError("The results of cross_validate hold no rows: give X and y too.")
    target = as_target(y)
    for model, test in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
        yield model, test, take(X, test), target[test]


def fold_predictions(cv_results: Any, X: Any, y: Any) -> tuple[Array, Array, Array]:
    """Numbers, targets and predictions of the test rows of all folds, of a regression."""
    if isinstance(cv_results, Evaluation):
        if cv_results.task != "regression":
            raise TypeError("The evaluation is one of classes, and has no residuals: give one of a regression.")
        rows = np.concatenate([fold.test for fold in cv_results.folds])
        return rows, cv_results.pooled.truth, cv_results.pooled.prediction
    parts = [(test, truth, numbers_predicted(model, part)) for model, test, part, truth in models_and_rows(cv_results, X, y)]
    rows, truth, predicted = (np.concatenate(one) for one in zip(*parts, strict=True))
    return rows, truth, predicted

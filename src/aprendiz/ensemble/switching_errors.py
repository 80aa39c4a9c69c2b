"""The error of class switching against the number of members, for several fractions of switched labels.

Errors are counted on rows that no fit has seen. With few members the smallest p is best, with many a larger one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import ParameterError, check_parameters
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target
from aprendiz.ensemble import ClassSwitchingClassifier
from aprendiz.ensemble.members.any_members import AnyMembers
from aprendiz.ensemble.members.switching import class_counts

SHOWN = 8  # sizes of the ensemble in the table


@dataclass(frozen=True, eq=False)
class SwitchingErrors:
    """Error rates by the fraction of switched labels and the number of members.

    Attributes
    ----------
    p : ndarray of shape (fractions,)
    members : ndarray of shape (n_estimators,)
        1, 2, …, n_estimators.
    errors : ndarray of shape (fractions, n_estimators)
        The error rate of the first members on the test rows.
    """

    p: Array
    members: Array
    errors: Array

    @property
    def best(self) -> Array:
        """The p with the least error for each number of members; of equal ones the smallest."""
        return self.p[self.errors.argmin(axis=0)]

    def __str__(self) -> str:
        last = len(self.members) - 1
        shown = np.unique(np.geomspace(1, last + 1, min(SHOWN, last + 1)).round().astype(np.int64)) - 1
        lines = [f"{'members':>8}" + "".join(f"  p = {p:<5.3g}" for p in self.p)]
        for at in shown:
            lines.append(f"{self.members[at]:8d}" + "".join(f"  {error:9.4f}" for error in self.errors[:, at]))
        return "\n".join(lines)


def switching_errors(
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    p: Sequence[float] = (0.1, 0.2, 0.3, 0.4),
    n_estimators: int = 100,
    *,
    estimator: Any = None,
    voting: Literal["soft", "hard"] = "soft",
    keep_counts: bool = True,
    random_state: Any = None,
) -> SwitchingErrors:
    """The error of class switching on test rows for several p and every number of members.

    Parameters
    ----------
    X, y : rows to learn from
    X_test, y_test : rows to judge by
    p : sequence of float, default=(0.1, 0.2, 0.3, 0.4)
        Fractions of switched labels.
    n_estimators, estimator, voting, keep_counts, random_state
        As in ClassSwitchingClassifier.

    Returns
    -------
    SwitchingErrors
    """
    fractions, truth = np.atleast_1d(np.asarray(p, dtype=np.float64)), as_target(y_test)
    if fractions.ndim != 1 or not len(fractions):
        raise ParameterError(f"p must be some fractions of labels, such as (0.1, 0.2), got {p!r}.")
    others = {"voting": voting, "keep_counts": keep_counts, "random_state": random_state}
    models = [ClassSwitchingClassifier(float(q), n_estimators, estimator, **others) for q in fractions]
    refuse(models, X, y)
    curves = [[error_of(said, truth) for said in model.fit(X, y).staged_predict(X_test)] for model in models]
    return SwitchingErrors(fractions, np.arange(1, n_estimators + 1), np.array(curves))


def refuse(models: list[ClassSwitchingClassifier], X: Any, y: Any) -> None:
    """What is wrong with any of the fits, before the first of them."""
    rows = AnyMembers.open(models[0], X, y)
    assert rows.labels is not None
    counts = class_counts(rows)
    for model in models:
        check_parameters(model)
        model.rule(counts).refuse(rows.labels)


def error_of(said: Array, truth: Array) -> float:
    """The error rate."""
    if truth.shape != said.shape:
        raise ValueError(f"y_test has shape {truth.shape}, but X_test has {len(said)} rows: give a class for each.")
    return float(np.mean(said != truth))

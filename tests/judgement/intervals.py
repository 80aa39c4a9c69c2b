"""How often the intervals and sets of a run hold what they should.

Tables are drawn, a model is calibrated by the predictions of its ten folds as `aprendiz run` does it, and new rows from the
same distribution are asked.

    numbers    a linear target with errors that are normal, of Student's t with three degrees, skewed, or wider along a column
    classes    three normal classes; the same with shares of 70, 15 and 15 %
"""

from __future__ import annotations

from typing import Any

import numpy as np

import aprendiz
from aprendiz.core.rows import Array
from aprendiz.evaluation import KFolds, evaluate
from aprendiz.lab.targets.coverage_of_run import conformal_of

ERRORS = ("normal", "t3", "skewed", "wider")
CLASSES = ("even classes", "uneven classes")
NEW_ROWS = 1000


def held(kind: str, rows: int, coverage: float, seed: int) -> float:
    """The share of new rows that the intervals or sets of one table hold."""
    rng = np.random.default_rng([seed, rows, (*ERRORS, *CLASSES).index(kind)])
    X, y = drawn(kind, rows, rng)
    new, truth = drawn(kind, NEW_ROWS, rng)
    learner: Any = aprendiz.Ridge() if kind in ERRORS else aprendiz.GaussianNB()
    found = evaluate(learner, X, y, protocol=KFolds(10, 0))
    calibrated: Any = conformal_of(learner.fit(X, y), found)
    if kind in ERRORS:
        low, high = np.asarray(calibrated.predict_interval(new, coverage)).T
        return float(((low <= truth) & (truth <= high)).mean())
    return float(np.asarray(calibrated.predict_set(new, coverage))[np.arange(NEW_ROWS), truth].mean())


def drawn(kind: str, rows: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Rows and their targets."""
    if kind in CLASSES:
        shares = [1 / 3] * 3 if kind == "even classes" else [0.7, 0.15, 0.15]
        y = rng.choice(3, rows, p=shares)
        return rng.normal(size=(rows, 4)) + 0.9 * y[:, None] * [1, 1, 0, 0], y
    X = rng.normal(size=(rows, 5))
    errors = {
        "normal": rng.normal(size=rows),
        "t3": rng.standard_t(3, size=rows),
        "skewed": rng.exponential(size=rows),
        "wider": np.exp(X[:, 0]) * rng.normal(size=rows),
    }[kind]
    return X, X @ [1.0, 0.5, 0.5, 0.0, 0.0] + errors

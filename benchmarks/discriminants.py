"""Discriminant analysis and nearest centroids: one pass that sums, then a factor of each covariance; and penalties chosen by
ten folds, which ours takes from the sums of the folds.

Fits are judged by what the models say of the same rows. The case names the solver of scikit-learn: "svd" is its default, and
"eigen" finds the same posteriors from the covariances, faster if there are many rows. scikit-learn-intelex has none of these.

scikit-learn has no regularized discriminant analysis: its grid search refits ours for every pair of penalties and every fold,
in processes, the start of which is part of the time and the memory of which is not counted. For shrunken centroids it refits
its own nearest centroid with the distances of the paper (grid_search.py), in threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import QUICK
from benchmarks.bayes import CLASSES, POSTERIORS, clouds, size
from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data, Settings, fixed
from benchmarks.quality import Answer

FOLDS = 10
VALUES = 5 if QUICK else 20  # of each penalty
THRESHOLDS = 30
GENES = 10_000
SHARES = (0.4, 0.3, 0.2, 0.1)  # of the classes of the table of genes


def ellipsoids(columns: int) -> Callable[[int], Data]:
    """A cloud for each class, of a shape of its own; they overlap."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        X, y = random.normal(size=(rows, columns)), random.integers(0, CLASSES, rows)
        for k in range(CLASSES):
            shape = np.eye(columns) + 0.3 * random.normal(size=(columns, columns)) / np.sqrt(columns)
            X[y == k] = X[y == k] @ shape + 0.3 * random.normal(size=columns)
        return X, y

    return make


def genes(rows: int) -> Data:
    """Four classes of different sizes that differ in a hundred of 10 000 columns, each of a spread of its own."""
    random = np.random.default_rng(0)
    y = random.permutation(np.repeat(np.arange(len(SHARES)), np.round(np.array(SHARES) * rows).astype(int)))
    X = random.normal(size=(len(y), GENES)) * random.uniform(0.5, 2.0, GENES)
    X[:, :100] += 0.7 * random.normal(size=(len(SHARES), 100))[y]
    return X, y


def products(columns: int) -> Callable[[int], float]:
    """Operations of the symmetric product of the table with itself."""
    return lambda rows: float(rows * columns * (columns + 1) if rows >= columns else rows * (rows + 1) * columns)


# ---- quality -----------------------------------------------------------------------------------------------------------


def errors(data: Data, model: Any) -> Any:
    """The share of errors of every fold, for all candidates in the order of the grid."""
    if hasattr(model, "cv_errors_"):
        return np.reshape(model.cv_errors_, (-1, FOLDS))
    scores = [model.cv_results_[f"split{number}_test_score"] for number in range(FOLDS)]
    return 1.0 - np.column_stack(scores)


SAID = Answer("posteriors", lambda data, model: model.predict_proba(data[0]), 1e-9)
SCORES = Answer("decision function", lambda data, model: model.decision_function(data[0]), 1e-8)
ERRORS = Answer("errors of all folds", errors, 1e-9)


# ---- contenders --------------------------------------------------------------------------------------------------------


def both(topic: str, learner: str, method: str = "fit", **theirs: Any) -> dict[str, Contender]:
    """Ours with its defaults, and scikit-learn's with some settings."""
    return {
        OURS: Contender(OURS, "aprendiz.bayes", learner, method=method),
        SKLEARN: Contender(SKLEARN, f"sklearn.{topic}", learner, fixed(**theirs), method),
    }


def ours_and_search(learner: str, ours: Settings, search: Settings) -> dict[str, Contender]:
    """Ours, which chooses by itself, and scikit-learn's grid search."""
    return {
        OURS: Contender(OURS, "aprendiz.bayes", learner, ours),
        SKLEARN: Contender(SKLEARN, "benchmarks.grid_search", "searched", search, None),
    }


def pairs(data: Data, seed: int) -> dict[str, Any]:
    """All pairs of penalties, in the order of ours."""
    from aprendiz.bayes import RegularizedDiscriminantAnalysis

    values = np.linspace(0.0, 1.0, VALUES)
    grid = [{"toward_pooled": [pooled], "toward_identity": values} for pooled in values]
    return {"workers": "loky", "estimator": RegularizedDiscriminantAnalysis(), "param_grid": grid, "cv": FOLDS}


def thresholds(data: Data, seed: int) -> dict[str, Any]:
    """Those that ours tries: from none to the one that leaves no column."""
    from benchmarks.grid_search import PaperCentroid

    centroid = PaperCentroid(priors="empirical")
    largest = np.abs(centroid.fit(*data).deviations_).max()
    grid = {"shrink_threshold": [None, *np.linspace(0.0, largest, THRESHOLDS)[1:]]}
    return {"workers": "threading", "estimator": centroid, "param_grid": grid, "cv": FOLDS}


# ---- cases -------------------------------------------------------------------------------------------------------------


def long(name: str, who: dict[str, Contender], quality: Answer, flops: Callable[[int], float] | None = None) -> Case:
    """50 000 × 30, three classes; limited by the products if they are given, else by reading the table."""
    return Case(
        name=name,
        rows=50_000,
        make=ellipsoids(30),
        contenders=who,
        quality=quality,
        flops=flops,
        bytes=None if flops else size(30),
    )


def fits(learner: str, solvers: tuple[str, ...]) -> tuple[Case, ...]:
    return tuple(
        long(
            f"{learner}, 50 000 × 30 (scikit-learn: {solver})",
            both("discriminant_analysis", learner, solver=solver),
            SAID,
            products(30),
        )
        for solver in solvers
    )


def posteriors(topic: str, learner: str) -> Case:
    return long(f"{learner}, predict_proba, 50 000 × 30", both(topic, learner, "predict_proba"), POSTERIORS)


LINEAR, QUADRATIC, REGULARIZED = (f"{kind}DiscriminantAnalysis" for kind in ("Linear", "Quadratic", "Regularized"))

CASES = (
    *fits(LINEAR, ("svd", "eigen")),
    posteriors("discriminant_analysis", LINEAR),
    Case(
        name=f"{LINEAR}, 2 000 × 5 000 (scikit-learn: svd)",
        rows=2_000,
        make=clouds(5_000),
        contenders=both("discriminant_analysis", LINEAR),
        quality=SCORES,
        flops=products(5_000),
        grows=False,
    ),
    *fits(QUADRATIC, ("svd", "eigen")),
    posteriors("discriminant_analysis", QUADRATIC),
    long("NearestCentroid, 50 000 × 30", both("neighbors", "NearestCentroid"), SAID),
    posteriors("neighbors", "NearestCentroid"),
    Case(
        name=f"{REGULARIZED}, {FOLDS} folds, {VALUES} × {VALUES} penalties, 5 000 × 50 (scikit-learn: grid of ours)",
        rows=5_000,
        make=ellipsoids(50),
        contenders=ours_and_search(
            REGULARIZED,
            fixed(toward_pooled="cv", toward_identity="cv", cv=FOLDS, n_values=VALUES),
            pairs,
        ),
        quality=ERRORS,
        grows=False,
        once=(SKLEARN,),
    ),
    Case(
        name=f"NearestShrunkenCentroids, {FOLDS} folds, {THRESHOLDS} thresholds, 100 × 10 000 (scikit-learn: grid)",
        rows=100,
        least=100,
        make=genes,
        contenders=ours_and_search(
            "NearestShrunkenCentroids",
            fixed(shrink_threshold="cv", cv=FOLDS, n_thresholds=THRESHOLDS),
            thresholds,
        ),
        quality=ERRORS,
        grows=False,
    ),
)

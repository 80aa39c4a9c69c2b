"""Logistic regression: squared and absolute penalties on long, wide and sparse tables, and softmax of ten classes.

The case names the solver of scikit-learn. Tolerances are powers of ten with which each library reaches the quality asked for,
aprendiz too: with the defaults, several stop before. liblinear penalises the intercept as well; `intercept_scaling` makes that
penalty small. scikit-learn-intelex has no solver for sparse tables or for ‖w‖₁. skglm has ‖w‖₁; on the long table it did not
come to an end within a minute, and is left out.

An objective is scikit-learn's: F = Σ ℓ + ‖w‖²/(2C), or Σ ℓ + ‖w‖₁/C.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit, log_softmax

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKGLM, SKLEARN, USUAL, Data, also, contenders, fixed
from benchmarks.quality import Objective

CLOSE = 1e-6  # excess of F, relative
MANY = 10_000  # iterations that nobody needs


def two_classes(rows: int) -> Data:
    """scikit-learn's generator: ten columns that matter among thirty."""
    from sklearn.datasets import make_classification

    return make_classification(rows, 30, n_informative=10, random_state=0)


def wide_classes(rows: int) -> Data:
    """2 000 independent columns, of which fifty matter."""
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, 2_000))
    return X, (random.uniform(size=rows) < expit(0.3 * X[:, :50].sum(axis=1))).astype(int)


def sparse_classes(rows: int) -> Data:
    """50 000 columns, 0.2 % of the cells filled, of which a tenth matters."""
    random = np.random.default_rng(0)
    X = sparse.random(rows, 50_000, 0.002, format="csr", random_state=random)
    w = np.where(random.uniform(size=50_000) < 0.1, 2.0 * random.normal(size=50_000), 0.0)
    return X, (random.uniform(size=rows) < expit(X @ w)).astype(int)


def ten_classes(rows: int) -> Data:
    """A round cloud for each class, in 100 dimensions."""
    random = np.random.default_rng(0)
    y = random.integers(0, 10, rows)
    return random.normal(size=(rows, 100)) + 0.2 * random.normal(size=(10, 100))[y], y


def log_loss(data: Data, model: Any) -> float:
    """The sum of the losses."""
    X, y = data
    t = X @ np.atleast_2d(model.coef_).T + model.intercept_
    T = np.column_stack([np.zeros(len(t)), t]) if t.shape[1] == 1 else t
    return float(-log_softmax(T, axis=1)[np.arange(len(y)), np.searchsorted(model.classes_, y)].sum())


def squared(data: Data, model: Any) -> float:
    """F with ‖w‖², C = 1."""
    return log_loss(data, model) + float((model.coef_**2).sum()) / 2


def absolute(C: float) -> Objective:
    """F with ‖w‖₁."""
    return Objective("objective", lambda data, model: log_loss(data, model) + float(np.abs(model.coef_).sum()) / C, CLOSE)


LOSS = Objective("objective", squared, CLOSE)


def smooth(
    name: str,
    rows: int,
    make: Callable[[int], Data],
    own: Mapping[str, Mapping[str, Any]],
    who: tuple[str, ...] = USUAL,
) -> Case:
    """A case with ‖w‖², C = 1."""
    return Case(
        name=f"LogisticRegression, L2, {name} (scikit-learn: {own[SKLEARN]['solver']})",
        rows=rows,
        make=make,
        contenders=contenders("linear_model", "LogisticRegression", who=who, own=own),
        quality=LOSS,
        grows=False,
    )


def cornered(
    name: str,
    rows: int,
    make: Callable[[int], Data],
    C: float,
    theirs: Mapping[str, Any],
    tolerance: float | None,
    once: tuple[str, ...] = (),
) -> Case:
    """A case with ‖w‖₁. `theirs` is for scikit-learn, the tolerance for skglm, if it takes part."""
    common = fixed(C=C, l1_ratio=1.0)
    who = contenders("linear_model", "LogisticRegression", common, who=(OURS, SKLEARN), own={SKLEARN: theirs})
    if tolerance is not None:
        who |= also(SKGLM, "SparseLogisticRegression", lambda data, seed: {"alpha": 1 / (C * len(data[1])), "tol": tolerance})
    return Case(
        name=f"LogisticRegression, L1, C = {C:g}, {name} (scikit-learn: {theirs['solver']})",
        rows=rows,
        make=make,
        contenders=who,
        quality=absolute(C),
        grows=False,
        once=once,
    )


LONG, WIDE, THIN = "50 000 × 30", "5 000 × 2 000", "20 000 × 50 000, 0.2 % filled"

CASES = (
    smooth(LONG, 50_000, two_classes, {SKLEARN: {"solver": "newton-cholesky"}}),
    smooth(
        WIDE,
        5_000,
        wide_classes,
        {
            OURS: {"tol": 1e-6, "max_iter": MANY},
            SKLEARN: {"solver": "newton-cg", "tol": 1e-5},
        },
    ),
    smooth(
        THIN,
        20_000,
        sparse_classes,
        {OURS: {"tol": 1e-7, "max_iter": MANY}, SKLEARN: {"solver": "newton-cg", "tol": 1e-6}},
        who=(OURS, SKLEARN),
    ),
    smooth("ten classes, 50 000 × 100", 50_000, ten_classes, {OURS: {"tol": 1e-5}, SKLEARN: {"solver": "newton-cg"}}),
    cornered(LONG, 50_000, two_classes, 1.0, {"solver": "saga", "max_iter": MANY}, None, once=(SKLEARN,)),
    cornered(WIDE, 5_000, wide_classes, 0.05, {"solver": "liblinear", "intercept_scaling": 100}, 1e-4),
    cornered(THIN, 20_000, sparse_classes, 1.0, {"solver": "liblinear", "intercept_scaling": 10}, 1e-6),
)

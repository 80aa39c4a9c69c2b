"""Lasso and elastic net: single fits, paths of 100 penalties, and a penalty chosen by five folds.

    P(w) = ½‖y − b − Xw‖² + nα‖w‖₁,     D(θ) = ½‖y‖² − ½‖y − θ‖²,     |Xᵀθ| ≤ nα                              (1)

with centred y in D, and θ the centred residual, scaled to fit: D is a lower bound of P. All are asked for a gap of 10⁻⁶‖y‖².
α is a part of α_max = max |x_jᵀy|/n, where all coefficients are zero. Dense tables are in Fortran order and sparse ones by
columns, as scikit-learn, celer and skglm want them.

skglm does not stop by the gap, but where no slope is off by more than its tolerance: 10⁻³·α is the loosest power of ten with
which its objective is low enough in all cases. celer's learners with folds cannot be made with scikit-learn 1.9.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import signal, sparse

from benchmarks.harness import Case
from benchmarks.peers import CELER, OURS, SKGLM, SKLEARN, THREADS, Contender, Data, Settings, also, contenders, fixed
from benchmarks.quality import Answer, Bound

GAP = 1e-6
MANY = 100_000  # iterations that nobody needs
MATTER = 100  # columns with a coefficient


def neighbours(columns: int) -> Callable[[int], Data]:
    """Columns correlated with their neighbours, a hundred of which matter, and as much noise as signal."""

    def make(rows: int) -> Data:
        random = np.random.default_rng(0)
        X = signal.lfilter([0.75**0.5], [1.0, -0.5], random.normal(size=(rows, columns)), axis=1)
        return np.asfortranarray(X), noisy(X, random)

    return make


def scattered(rows: int) -> Data:
    """100 000 columns, 0.1 % of the cells filled."""
    random = np.random.default_rng(0)
    X = sparse.random(rows, 100_000, 0.001, format="csc", random_state=random)
    return X, noisy(X, random)


def noisy(X: Any, random: np.random.Generator) -> Any:
    """A linear function of a hundred columns, and as much noise."""
    columns = random.choice(X.shape[1], min(MATTER, X.shape[1]), replace=False)
    signal = X[:, columns] @ random.normal(size=len(columns))
    return 3.0 + signal + signal.std() * random.normal(size=len(signal))


def centred(data: Data) -> Data:
    """Paths have no intercept."""
    X, y = data
    return np.asfortranarray(X - X.mean(axis=0)), y - y.mean()


def largest(data: Data) -> float:
    """α_max."""
    X, y = data
    return float(np.abs(X.T @ (y - y.mean())).max()) / len(y)


# ---- quality ---------------------------------------------------------------------------------------------------------


def primal_and_dual(data: Data, w: Any, b: float, alpha: float) -> tuple[float, float]:
    """(1), as parts of ‖y‖²."""
    X, y = data
    strength, around = len(y) * alpha, y - y.mean()
    residual = y - b - X @ w
    theta = residual - residual.mean()
    room = strength / np.abs(X.T @ theta).max()
    theta *= np.clip(around @ theta / (theta @ theta), -room, room)
    energy = around @ around
    primal = 0.5 * residual @ residual + strength * np.abs(w).sum()
    return primal / energy, 0.5 * (energy - ((around - theta) ** 2).sum()) / energy


def of_fit(part: float) -> Bound:
    """Of a model at a part of α_max."""

    def function(data: Data, model: Any) -> tuple[float, float]:
        return primal_and_dual(data, np.ravel(model.coef_), float(np.ravel(model.intercept_)[0]), part * largest(data))

    return Bound("objective", function, GAP)


def along_path(data: Data, answer: Any) -> tuple[Any, Any]:
    """Of all penalties of a path, which begins with α_max, where w = 0."""
    alphas, W = answer[:2]
    values = [primal_and_dual(data, w, 0.0, alpha) for w, alpha in zip(W.T, alphas, strict=True)]
    return tuple(np.array(values).T)


def penalty_and_predictions(data: Data, model: Any) -> Any:
    """ln α and the fitted values in standard deviations of y: both of the order of 1. Neighbouring α differ by 0.07."""
    X, y = data
    return np.append((X @ model.coef_ + model.intercept_ - y.mean()) / y.std(), np.log(model.alpha_))


PATH = Bound("objective", along_path, GAP)
CHOSEN = Answer("penalty and predictions", penalty_and_predictions, 2e-3)


# ---- cases -----------------------------------------------------------------------------------------------------------


def at(part: float, tolerance: float | None = GAP, **more: Any) -> Settings:
    """α as a part of α_max; without a tolerance, skglm's."""

    def settings(data: Data, seed: int) -> dict[str, Any]:
        alpha = part * largest(data)
        return {"alpha": alpha, "tol": 1e-3 * alpha if tolerance is None else tolerance, **more}

    return settings


def lassos(part: float) -> dict[str, Contender]:
    """Everybody who has a lasso."""
    return {
        **contenders("linear_model", "Lasso", at(part), own={SKLEARN: {"max_iter": MANY}}),
        **also(CELER, "Lasso", at(part)),
        **also(SKGLM, "Lasso", at(part, None)),
    }


def fits(name: str, rows: int, make: Callable[[int], Data], once: tuple[str, ...] = ()) -> tuple[Case, ...]:
    return tuple(
        Case(
            name=f"Lasso, α = {part:g}·α_max, {name}",
            rows=rows,
            make=make,
            contenders=lassos(part),
            quality=of_fit(part),
            grows=False,
            once=once,
        )
        for part in (0.1, 0.02)
    )


def path(name: str, rows: int, columns: int) -> Case:
    make = neighbours(columns)
    return Case(
        name=f"lasso_path, 100 penalties, {name}",
        rows=rows,
        make=lambda rows: centred(make(rows)),
        contenders={
            **contenders("linear_model", "lasso_path", fixed(tol=GAP), None, own={SKLEARN: {"max_iter": MANY}}),
            **also(CELER, "celer_path", fixed(pb="lasso", tol=GAP, max_iter=100), None),
        },
        quality=PATH,
        grows=False,
        once=(SKLEARN, CELER),
    )


def chosen(learner: str, name: str, rows: int, columns: int) -> Case:
    settings = fixed(cv=5, tol=GAP, **({"l1_ratio": 0.5} if learner == "ElasticNetCV" else {}))
    return Case(
        name=f"{learner}, 5 folds, 100 penalties, {name}",
        rows=rows,
        make=neighbours(columns),
        contenders=contenders("linear_model", learner, settings, own={SKLEARN: {"max_iter": MANY, "n_jobs": THREADS}}),
        quality=CHOSEN,
        grows=False,
        once=(SKLEARN,),
    )


def petals(rows: int) -> Data:
    """The last column of iris from the others."""
    from sklearn.datasets import load_iris

    X = load_iris().data
    return np.asfortranarray(X[:, :3]), X[:, 3].copy()


CASES = (
    *fits("5 000 × 2 000", 5_000, neighbours(2_000)),
    *fits("1 000 × 20 000", 1_000, neighbours(20_000)),
    *fits("10 000 × 100 000, 0.1 % filled", 10_000, scattered, once=(OURS, CELER)),
    path("5 000 × 2 000", 5_000, 2_000),
    path("1 000 × 20 000", 1_000, 20_000),
    *(chosen(learner, "50 000 × 100", 50_000, 100) for learner in ("LassoCV", "ElasticNetCV")),
    *(chosen(learner, "1 000 × 5 000", 1_000, 5_000) for learner in ("LassoCV", "ElasticNetCV")),
    fits("iris (petal width)", 150, petals)[1],
)

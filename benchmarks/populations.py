"""Tables drawn from distributions in which the true score of a fitted model has a closed form.

Two normal classes with unit variances, each as likely as the other, one of them moved in every column. A linear model of log
odds w·x + b has normal log odds in both classes, with means μ₀ = b, μ₁ = w·m + b and variance |w|², so that

    share of class 1 that is called 1 = Φ(μ₁/|w|),     of class 0 that is called 0 = Φ(−μ₀/|w|)                 (1)
    area under the ROC curve = Φ((μ₁ − μ₀)/(|w|·√2))                                                          (2)

from which accuracy, F, Matthews' coefficient follow; the log loss and the Brier score are integrals over one normal variable.

A linear regression y = x·β + ε with normal x and ε of unit variances. A model with coefficients β + δ and intercept c errs by a
normal variable with mean 0 and variance

    MSE = 1 + |δ|² + c²,     MAE = √(2·MSE/π),     R² = 1 − MSE/(1 + |β|²)                                    (3)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, log1p, ndtr, roots_hermitenorm

from benchmarks.peers import Data

NODES, WEIGHTS = roots_hermitenorm(60)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True)
class NormalClasses:
    """Two classes; class 1 is moved by `shift` in each of its columns."""

    shift: tuple[float, ...]

    @property
    def learner(self) -> Any:
        from aprendiz import LinearDiscriminantAnalysis

        return LinearDiscriminantAnalysis()

    def draw(self, rows: int, random: Any) -> Data:
        y = random.integers(0, 2, rows)
        return random.normal(size=(rows, len(self.shift))) + np.outer(y, self.shift), y

    def truth(self, model: Any) -> dict[str, float]:
        """Every measure of a linear model, on infinitely many rows."""
        w, b = np.ravel(model.coef_), float(np.ravel(model.intercept_)[0])
        length = float(np.linalg.norm(w))
        low, high = b, b + float(w @ self.shift)
        right0, right1 = ndtr(-low / length), ndtr(high / length)  # (1)
        wrong0, wrong1 = 1 - right0, 1 - right1
        odds = (-(low + length * NODES), high + length * NODES)  # of the true class, for rows of each class
        cross = right0 * right1 - wrong0 * wrong1
        called = right1 + wrong0
        return {
            "accuracy": (right0 + right1) / 2,
            "balanced_accuracy": (right0 + right1) / 2,
            "f1": (2 * right0 / (2 * right0 + wrong0 + wrong1) + 2 * right1 / (2 * right1 + wrong0 + wrong1)) / 2,
            "matthews": cross / np.sqrt(called * (2 - called)),
            "auc": ndtr((high - low) / (length * np.sqrt(2))),
            "log_loss": float(np.mean([WEIGHTS @ (np.maximum(-s, 0) + log1p(np.exp(-np.abs(s)))) for s in odds])),
            "brier": float(np.mean([WEIGHTS @ expit(-s) ** 2 for s in odds])),
        }


@dataclass(frozen=True)
class LinearTarget:
    """A linear regression with coefficients `slopes` and noise of variance 1."""

    slopes: tuple[float, ...]

    @property
    def learner(self) -> Any:
        from aprendiz import LinearRegression

        return LinearRegression()

    def draw(self, rows: int, random: Any) -> Data:
        X = random.normal(size=(rows, len(self.slopes)))
        return X, X @ np.array(self.slopes) + random.normal(size=rows)

    def truth(self, model: Any) -> dict[str, float]:
        """(3)."""
        mse = 1.0 + float(((model.coef_ - self.slopes) ** 2).sum() + model.intercept_**2)
        nmse = mse / (1.0 + float(np.square(self.slopes).sum()))
        return {"mse": mse, "rmse": mse**0.5, "mae": (2 * mse / np.pi) ** 0.5, "r2": 1 - nmse, "nmse": nmse}

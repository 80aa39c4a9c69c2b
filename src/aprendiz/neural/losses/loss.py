"""A loss, as training sees it: errors of a batch, the value for complex outputs, and what is predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.neural.elementary.functions import absolute, sigmoid, softplus
from aprendiz.neural.losses.classes import logistic_errors, softmax_errors
from aprendiz.neural.losses.numbers import ABSOLUTE, HUBER, NUMBER_LOSSES, POISSON, SQUARED, number_errors


class Loss(Protocol):
    """Of outputs V (rows × outputs), targets y and weights."""

    @property
    def link(self) -> str:
        """What turns V into predictions, as scikit-learn calls it."""

    def targets(self, y: Array) -> Array:
        """y as the loss reads it."""

    def errors(self, V: Array, y: Array, weights: Array, scale: float) -> float:
        """V becomes ∂loss/∂V times `scale`; the loss of the batch, not scaled."""

    def of_complex(self, V: Array, y: Array, weights: Array) -> Any:
        """The same loss of complex outputs."""

    def predictions(self, V: Array) -> Array:
        """Probabilities or numbers."""


@dataclass(frozen=True)
class SoftmaxLoss:
    """Cross entropy of several classes, y their codes."""

    link = "softmax"

    def targets(self, y: Array) -> Array:
        return y

    def errors(self, V: Array, y: Array, weights: Array, scale: float) -> float:
        return softmax_errors(V, y, weights, scale)

    def of_complex(self, V: Array, y: Array, weights: Array) -> Any:
        own = np.arange(len(V)), y
        U = V - V[own][:, None]  # ln Σ e^u, u = 0 for the own class: the others alone, so that no digits cancel
        highest = U.real.max(axis=1)
        others = np.exp(U - highest[:, None])
        others[own] = 0
        total = others.sum(axis=1)
        return weights @ (highest + np.where(highest > 0, np.log(np.exp(-highest) + total), np.log1p(total)))

    def predictions(self, V: Array) -> Array:
        V -= V.max(axis=1, keepdims=True)
        np.exp(V, out=V)
        V /= V.sum(axis=1, keepdims=True)
        return V


@dataclass(frozen=True)
class LogisticLoss:
    """Cross entropy of labels that are there or not, y zeros and ones."""

    link = "logistic"

    def targets(self, y: Array) -> Array:
        return y.reshape(len(y), -1)

    def errors(self, V: Array, y: Array, weights: Array, scale: float) -> float:
        return logistic_errors(V, y, weights, scale)

    def of_complex(self, V: Array, y: Array, weights: Array) -> Any:
        return (weights @ (softplus(V) - V * y)).sum()

    def predictions(self, V: Array) -> Array:
        return np.asarray(sigmoid(V))


@dataclass(frozen=True)
class NumberLoss:
    """A loss of numbers."""

    name: str
    epsilon: float = 1.0

    @property
    def link(self) -> str:
        return "exp" if self.name == "poisson" else "identity"

    def targets(self, y: Array) -> Array:
        return y.reshape(len(y), -1)

    def errors(self, V: Array, y: Array, weights: Array, scale: float) -> float:
        return number_errors(V, y, weights, scale, NUMBER_LOSSES[self.name], self.epsilon)

    def of_complex(self, V: Array, y: Array, weights: Array) -> Any:
        kind, r = NUMBER_LOSSES[self.name], V - y
        if kind == POISSON:
            positive = np.where(y > 0, y, 1.0)
            each = np.where(y > 0, y * (np.log(positive) - V) - y, 0.0) + np.exp(V)
        elif kind == SQUARED:
            each = 0.5 * r * r
        elif kind == ABSOLUTE:
            each = absolute(r)
        else:
            assert kind == HUBER
            each = np.where(np.abs(r.real) <= self.epsilon, 0.5 * r * r, self.epsilon * (absolute(r) - 0.5 * self.epsilon))
        return (weights @ each).sum()

    def predictions(self, V: Array) -> Array:
        return np.exp(V) if self.name == "poisson" else V

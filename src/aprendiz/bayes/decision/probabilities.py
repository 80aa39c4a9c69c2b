"""Probabilities, priors and losses as they are given, checked: every refusal names the row or the entry."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from scipy.special import logsumexp

from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target

SUM = 1e-4  # how far from 1 probabilities in single precision may add


def shift_priors(log_posterior: Array, old: Array, new: Array) -> Array:
    """(3) in logarithms, rows × classes."""
    if (old == 0).any():
        raise ValueError(f"The old prior of class {int(old.argmin())} is 0: leave out a class that was never seen.")
    with np.errstate(divide="ignore"):
        logs = log_posterior + np.log(new) - np.log(old)
    impossible = np.isneginf(logs).all(axis=1)
    if impossible.any():
        row = int(np.flatnonzero(impossible)[0])
        raise ValueError(
            f"Row {row} has probability 0 in every class whose new prior is above 0: give all classes a prior above 0."
        )
    return np.asarray(logs - logsumexp(logs, axis=1, keepdims=True))


def probabilities(P: Any) -> Array:
    """Rows of probabilities, one for each class."""
    P = as_target(P)
    if P.ndim != 2 or P.shape[1] < 1 or P.dtype.kind not in "biuf":
        raise ValueError(
            f"P must have a row for each row of the table and a column of numbers for each class, got shape {P.shape} "
            f"and type {P.dtype}: give what predict_proba returns."
        )
    P = P.astype(np.float64)
    bad = ~((P >= -SUM) & (P <= 1 + SUM))
    if bad.any():
        row, k = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"P holds {P[row, k]:g} in row {row}, class {k}: give probabilities, between 0 and 1.")
    if (off := np.abs(P.sum(axis=1) - 1.0) > SUM).any():
        row = int(np.flatnonzero(off)[0])
        raise ValueError(f"The probabilities of row {row} of P add up to {P[row].sum():.6g}: make them add up to 1.")
    return np.clip(P, 0.0, 1.0)


def loss_matrix(loss: Any) -> Array:
    """A square matrix of finite numbers of at least 0."""
    L = as_target(loss)
    if L.ndim != 2 or L.shape[0] != L.shape[1] or len(L) < 2 or L.dtype.kind not in "biuf":
        raise ValueError(
            f"loss must be a square table of numbers, rows the true classes and columns the decisions, got {loss!r}."
        )
    L = L.astype(np.float64)
    if not np.isfinite(L).all():
        k, l = (int(i) for i in np.argwhere(~np.isfinite(L))[0])
        raise ValueError(f"loss holds {L[k, l]} in row {k}, column {l}: give a finite number.")
    if (L < 0).any():
        k, l = (int(i) for i in np.argwhere(L < 0)[0])
        raise ValueError(
            f"loss holds {L[k, l]} in row {k}, column {l}: a cost is at least 0. Adding a number to a whole row, one true "
            "class, changes no decision."
        )
    return L


def two_priors(priors: Any) -> tuple[Array, Array]:
    """The old shares and the new ones."""
    if len(priors) != 2 or np.ndim(priors[0]) != 1 or np.shape(priors[0]) != np.shape(priors[1]):
        raise ValueError("priors must be a pair: the shares of the classes that were learned from, and those to decide for.")
    return shares("priors[0]", priors[0]), shares("priors[1]", priors[1])


def shares(name: str, values: Any) -> Array:
    """Numbers of at least 0 that add up to 1."""
    prior = np.asarray(values, dtype=np.float64)
    if prior.ndim != 1 or not (prior >= 0).all() or abs(prior.sum() - 1.0) > SUM:
        raise ValueError(f"{name} must hold a number of at least 0 for each class, with the sum 1, got {prior.tolist()}.")
    return prior / prior.sum()


def number_within(name: str, value: Any, low: float, high: float) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not low <= float(value) <= high:
        between = f" between {low:g} and {high:g}" if np.isfinite(low) else ""
        raise ValueError(f"{name} must be a number{between}, got {value!r}.")
    return float(value)

"""EM: maximum likelihood where part of each row is hidden.

Rows x are seen, z is hidden and takes finitely many values (the component of a mixture, the filling of an empty cell). Wanted
is a large ℓ(θ) = Σ ln Σ_z p(x, z | θ). With r(z) = p(z | x, θ'), at any θ' and for any θ,

    Q(θ, θ') = Σ_rows Σ_z r(z) ln p(x, z | θ),      H(θ, θ') = Σ_rows Σ_z r(z) ln p(z | x, θ)                    (1)
    ℓ(θ) = Q(θ, θ') − H(θ, θ')                                                                               (2)

H is largest at θ = θ' (Gibbs' inequality: −H(θ', θ') is the entropy of z, −H(θ, θ') a cross entropy). Therefore

    ℓ(θ) − ℓ(θ') ≥ Q(θ, θ') − Q(θ', θ')                                                                       (3)

and a step that raises Q raises ℓ by at least as much:

    E    r(z) = p(x, z | θ') / Σ_z p(x, z | θ')                                                               (4)
    M    θ = argmax Q(θ, θ')                                                                                  (5)

ℓ never falls; θ tends to a stationary point of ℓ, usually a local maximum. Several starts help.

Cost: that of the two steps, for each pass; with `trace` one more E-step.
Reference: Dempster, Laird & Rubin, "Maximum likelihood from incomplete data via the EM algorithm", JRSS B 39, 1977.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special
from sklearn.exceptions import ConvergenceWarning

from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array

ROUNDING = 1e-10  # of the sum of the sizes of all ln p(x): more than rounding can take


@dataclass(frozen=True)
class Trace:
    """(1) of each pass from θ' to θ: Q and H at θ', and at θ."""

    Q: Array
    H: Array
    Q_after: Array
    H_after: Array


@dataclass(frozen=True)
class EMResult:
    """Where EM ended.

    Attributes
    ----------
    parameters : object
        θ, as `m_step` returned it last.
    log_likelihoods : ndarray
        ℓ before the first pass and after each.
    responsibilities : ndarray of shape (n_rows, n_values)
        r at the parameters.
    converged : bool
        Whether the last gain in ℓ was below `tol`.
    certificate : Certificate
        That ℓ never fell; with a trace, also (2) and (3).
    trace : Trace or None
    """

    parameters: Any
    log_likelihoods: Array
    responsibilities: Array
    converged: bool
    certificate: Certificate
    trace: Trace | None


def em(
    e_step: Callable[[Any], Any],
    m_step: Callable[[Array], Any],
    start: Any,
    *,
    tol: float = 1e-8,
    max_iter: int = 1000,
    trace: bool = False,
) -> EMResult:
    """Alternate (4) and (5) from a start.

    Parameters
    ----------
    e_step : function
        θ ↦ ln p(x, z | θ), an array of shape (n_rows, n_values of z); −∞ for values that a row excludes.
    m_step : function
        Responsibilities of the same shape ↦ θ that maximises (or at least raises) Q.
    start : object
        The first θ, anything that `e_step` takes.
    tol : float, default=1e-8
        EM ends when ℓ gains less in a pass.
    max_iter : int, default=1000
        Passes.
    trace : bool, default=False
        Whether to keep Q and H of each pass.

    Examples
    --------
    Two coins, of which each row of ten tosses used one at random; only the heads were written down.

    >>> heads = np.array([5, 9, 8, 4, 7])
    >>> def e_step(p):
    ...     return np.log(0.5) + heads[:, None] * np.log(p) + (10 - heads[:, None]) * np.log(1 - p)
    >>> def m_step(r):
    ...     return heads @ r / (10 * r.sum(axis=0))
    >>> found = em(e_step, m_step, np.array([0.6, 0.5]))
    >>> found.parameters.round(2)
    array([0.8 , 0.52])
    >>> found.certificate.holds
    True
    """
    refuse_count("max_iter", max_iter)
    joint = joint_of(e_step, start, None)
    theta, log, kept = start, [total(joint)], []
    converged = False
    for _ in range(max_iter):
        shares = responsibilities(joint)
        theta = m_step(shares)
        before, joint = joint, joint_of(e_step, theta, joint.shape)
        log.append(total(joint))
        refuse_fall(log, joint)
        if trace:
            kept.append((*expectations(shares, before), *expectations(shares, joint)))
        if converged := bool(log[-1] - log[-2] < tol):
            break
    if not converged:
        warnings.warn(f"em stopped after max_iter={max_iter} passes: raise it, or tol.", ConvergenceWarning, stacklevel=2)
    traced = Trace(*np.array(kept).T) if trace else None
    return EMResult(theta, np.array(log), responsibilities(joint), converged, proof(np.array(log), traced), traced)


def joint_of(e_step: Callable[[Any], Any], theta: Any, shape: tuple[int, ...] | None) -> Array:
    """ln p(x, z | θ), checked."""
    joint = np.asarray(e_step(theta), dtype=np.float64)
    if joint.ndim != 2 or 0 in joint.shape or (shape is not None and joint.shape != shape):
        raise ValueError(f"e_step returned the shape {joint.shape}: give ln p(x, z) as a table of rows × values of z.")
    if (bad := np.isnan(joint) | (joint == np.inf)).any():
        row, value = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"e_step returned {joint[row, value]} for row {row}, value {value}: ln p(x, z) is finite or −∞.")
    if (lost := np.isneginf(joint).all(axis=1)).any():
        raise ValueError(f"Row {int(np.argmax(lost))} has probability 0 for every value of z: start elsewhere, or leave it out")
    return joint


def total(joint: Array) -> float:
    """ℓ."""
    return float(special.logsumexp(joint, axis=1).sum())


def responsibilities(joint: Array) -> Array:
    """(4)."""
    return np.asarray(special.softmax(joint, axis=1))


def expectations(shares: Array, joint: Array) -> tuple[float, float]:
    """(1): Q and H; 0·(−∞) counts as 0."""
    posterior = joint - special.logsumexp(joint, axis=1, keepdims=True)
    taken = shares > 0
    return float(shares[taken] @ joint[taken]), float(shares[taken] @ posterior[taken])


def refuse_fall(log: list[float], joint: Array) -> None:
    """ℓ must not fall by more than rounding takes."""
    fall, size = log[-2] - log[-1], float(np.abs(special.logsumexp(joint, axis=1)).sum())
    if fall > ROUNDING * max(1.0, size):
        raise ValueError(
            f"The log-likelihood fell from {log[-2]:.10g} to {log[-1]:.10g} in pass {len(log) - 1}: m_step does not raise Q, "
            "or e_step is not ln p(x, z) of the same model."
        )


def proof(log: Array, trace: Trace | None) -> Certificate:
    """That ℓ never fell, and (2) and (3) where they were traced, each up to `ROUNDING` of the largest |ℓ|."""
    scale = max(1.0, float(np.abs(log).max()))
    values: dict[str, Any] = {"log_likelihood": float(log[-1]), "fall": float(np.max(-np.diff(log), initial=0.0)) / scale}
    holds = values["fall"] <= ROUNDING
    if trace is not None:
        gap = np.abs(np.concatenate([log[:-1] - (trace.Q - trace.H), log[1:] - (trace.Q_after - trace.H_after)]))
        short = (trace.Q_after - trace.Q) - np.diff(log)
        values |= {"identity": float(gap.max()) / scale, "shortfall": float(np.max(short, initial=0.0)) / scale}
        holds = holds and values["identity"] <= ROUNDING and values["shortfall"] <= ROUNDING
    return Certificate("the log-likelihood never fell", bool(holds), {**values, "log": log})

"""Temperature scaling: one number that makes all probabilities more cautious, or more certain.

    p(k | x) = exp(β·z_k) / Σ_j exp(β·z_j),     β = 1/T                                                        (1)
    minimise  L(β) = Σ w·[log Σ_k exp(β·z_k) − β·z_y]                                                          (2)
    L′ = Σ w·(E_p[z] − z_y),     L″ = Σ w·Var_p[z]                                                             (3)

L is convex in β, so L′ has one zero at most: Newton's step, kept between two numbers at which L′ has different signs; where the
step would leave them, it goes to their geometric middle. β is sought from e⁻¹⁰ to e¹⁰. Scores worse than chance end at the
lower end, scores that put every row into its class at the upper one. The order of the classes never changes.

Rows of a class that the classifier has not seen have the probability 0 at any β, and have no say in it.

The certificate is the slope at the end, on the scale of log β and divided by the weight of the rows.

Cost: O(n·classes) for each step, about ten steps.
Reference: Guo, Pleiss, Sun & Weinberger, "On calibration of modern neural networks", ICML 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt
from typing import Self

import numpy as np
from scipy.special import softmax

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array

LOWEST, HIGHEST = exp(-10.0), exp(10.0)  # of β
MAX_STEPS = 200
EPS = float(np.finfo(np.float64).eps)
REST = 1e-15  # relative width of a step that changes nothing
PROMISED = 1e-10  # L′ of the certificate, as a part of the weight of the rows


@dataclass(frozen=True)
class TemperatureCalibrator:
    """(1), fitted.

    Attributes
    ----------
    beta_ : float
        β, the inverse of the temperature.
    certificate : Certificate
        `slope` is β·L′(β)/Σ w, which at an end of the range need not be 0; `rounding` is what the scores leave open.
    """

    beta_: float
    certificate: Certificate

    @classmethod
    def fitted(cls, logits: Array, codes: Array, weight: Array) -> Self:
        """(2) for a row of z of each row, −∞ for classes that it cannot have, the number of its class, and weights above 0."""
        own = logits[np.arange(len(codes)), codes]
        possible = np.isfinite(own)
        if not possible.any():
            return cls(1.0, Certificate("no row has a class that the classifier knows: nothing is scaled", True, {}))
        z, weight = logits[possible].T[np.isfinite(logits).all(axis=0)], weight[possible]  # classes × rows
        beta, claim = best_beta(z - own[possible], weight)
        return cls(beta, certify(beta, claim, z, z - own[possible], weight))

    def predict(self, logits: Array) -> Array:
        """(1)."""
        return np.asarray(softmax(self.beta_ * logits, axis=1))


def best_beta(apart: Array, weight: Array) -> tuple[float, str]:
    """β of (2), from z − z_y, classes × rows, and what is claimed of it."""
    slope, curvature = slope_and_curvature(apart, weight, 1.0)
    if slope >= 0 and slope_and_curvature(apart, weight, LOWEST)[0] >= 0:
        return LOWEST, "the scores are worse than chance: the temperature is as high as it may be"
    if slope <= 0 and slope_and_curvature(apart, weight, HIGHEST)[0] <= 0:
        return HIGHEST, "the scores leave no row in doubt: the temperature is as low as it may be"
    low, high, beta = LOWEST, HIGHEST, 1.0
    for _ in range(MAX_STEPS):
        low, high = (beta, high) if slope < 0 else (low, beta)
        after = beta - slope / curvature if 0 < curvature < np.inf else np.inf
        after = after if low < after < high else sqrt(low * high)
        if slope == 0.0 or abs(after - beta) <= REST * beta:
            break
        beta = after
        slope, curvature = slope_and_curvature(apart, weight, beta)
    return beta, "the log loss does not change along log β, to 10⁻¹⁰ a row"


def slope_and_curvature(apart: Array, weight: Array, beta: float) -> tuple[float, float]:
    """(3), from z − z_y, classes × rows; the curvature is no number where squares of z are none."""
    with np.errstate(over="ignore", invalid="ignore"):
        p = np.exp(beta * (apart - apart.max(axis=0)))
        p /= p.sum(axis=0)
        pull = p * apart
        mean = pull.sum(axis=0)
        return float(weight @ mean), float(weight @ ((pull * apart).sum(axis=0) - mean**2))


def certify(beta: float, claim: str, z: Array, apart: Array, weight: Array) -> Certificate:
    """β·L′ a row, and what the rounding of z may add to it. At an end of the range the sign of the slope is what is claimed."""
    slope = beta * slope_and_curvature(apart, weight, beta)[0] / float(weight.sum())
    rounding = 4.0 * EPS * beta * float(np.abs(z).max())
    missed = {LOWEST: -slope, HIGHEST: slope}.get(beta, abs(slope))
    return Certificate(claim, missed + rounding <= PROMISED, {"slope": slope, "rounding": rounding})

"""Noise, bias and variance row by row, from what many models say of each row.

What is known of the true value of a row is its distribution: mean m and variance σ² of a number, probabilities p_k of classes.
What the models say of it is another: mean f̄ and variance of their predictions, or shares q_k of votes.

    squared error    σ² + (m − f̄)² + 1/B Σ_b (f_b − f̄)²  =  1/B Σ_b E(y − f_b)²                               (1)

    0–1 loss         ½(1 − Σp²) + ½Σ(p − q)² + ½(1 − Σq²)  =  1 − Σ p q               Kohavi and Wolpert       (2)

Domingos asks for the class that most models vote for, the main prediction z, and for the best one, y* with the largest p:

    bias B = 1 if z ≠ y*, else 0;     variance V = 1 − q_z;     noise N = 1 − p_{y*}
    error of the votes against y*:    1 − q_{y*} = B + V where B = 0, B − q_{y*} where B = 1                      (3)
    0–1 loss:                         1 − Σ p q = c·N + (3),   c·N = q_{y*} − Σ p q                              (4)

Where a row is biased, models that deviate from the main prediction may be right, so variance lowers the error: what it adds in
all is the net variance, its part on unbiased rows less its part on biased ones.

References: Geman, Bienenstock & Doursat, Neural Computation 4, 1992; Kohavi & Wolpert, ICML 1996; Domingos, ICML 2000.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from aprendiz.core.rows import Array


@dataclass(frozen=True)
class Parts:
    """Noise, bias and variance of each row, their sum as it was measured, and the main prediction."""

    noise: Array
    bias: Array
    variance: Array
    total: Array
    main: Array


@dataclass(frozen=True)
class Domingos:
    """(3) and (4), averaged over the rows.

    total = noise_effect + bias + net_variance, and net_variance = unbiased_variance − biased_variance.
    """

    total: float
    noise: float  # mean of N
    noise_effect: float  # mean of c·N
    bias: float
    variance: float  # mean of V
    unbiased_variance: float
    biased_variance: float

    @property
    def net_variance(self) -> float:
        return self.unbiased_variance - self.biased_variance


# ---- numbers -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spreads:
    """Of each row: how many models spoke, their mean, and the means of the squares around it and around two other numbers."""

    times: Array
    mean: Array
    variance: Array
    around_truth: Array
    around_label: Array


def spreads(predictions: Iterable[tuple[Array, Array]], truth: Array, label: Array) -> Spreads:
    """One model after the other: mean and squares are updated (Welford), so that no prediction need be kept."""
    times, mean, square, around, away = np.zeros((5, len(truth)))
    for rows, f in predictions:
        times[rows] += 1.0
        step = f - mean[rows]
        mean[rows] += step / times[rows]
        square[rows] += step * (f - mean[rows])
        around[rows] += (f - truth[rows]) ** 2
        away[rows] += (f - label[rows]) ** 2
    often = np.maximum(times, 1.0)
    return Spreads(times, mean, square / often, around / often, away / often)


def squared_parts(found: Spreads, truth: Array, noise: float, inside: bool) -> Parts:
    """(1). `inside`: the noise is in the squares around the numbers that stand for the truth, and taken from their bias."""
    sigma = np.full(len(truth), noise)
    bias = (truth - found.mean) ** 2
    if inside:
        return Parts(sigma, bias - noise, found.variance, found.around_truth, found.mean)
    return Parts(sigma, bias, found.variance, found.around_truth + noise, found.mean)


# ---- classes -----------------------------------------------------------------------------------------------------------


def votes(predictions: Iterable[tuple[Array, Array]], rows: int) -> tuple[Array, Array]:
    """Classes that are predicted, and how many models vote for each: a row for each row, a column for each class."""
    found: dict[object, Array] = {}
    for some, prediction in predictions:
        for label in np.unique(prediction).tolist():
            found.setdefault(label, np.zeros(rows))[some] += prediction == label
    labels = np.array(sorted(found))  # type: ignore[type-var]
    return labels, np.stack([found[label] for label in labels.tolist()], axis=1)


def kohavi_wolpert(p: Array, q: Array, classes: Array) -> Parts:
    """(2)."""
    noise, variance = ((1.0 - (one**2).sum(axis=1)) / 2.0 for one in (p, q))
    return Parts(noise, ((p - q) ** 2).sum(axis=1) / 2.0, variance, (q * (1.0 - p)).sum(axis=1), classes[q.argmax(axis=1)])


def domingos(p: Array, q: Array) -> Domingos:
    """(3) and (4); of classes with the same number of votes the first is the main prediction."""
    rows, best, main = np.arange(len(p)), p.argmax(axis=1), q.argmax(axis=1)
    biased, for_best, variance = main != best, q[rows, best], 1.0 - q[rows, main]
    return Domingos(
        total=float((q * (1.0 - p)).sum(axis=1).mean()),
        noise=float((1.0 - p[rows, best]).mean()),
        noise_effect=float((for_best - (p * q).sum(axis=1)).mean()),
        bias=float(biased.mean()),
        variance=float(variance.mean()),
        unbiased_variance=float(np.where(biased, 0.0, variance).mean()),
        biased_variance=float(np.where(biased, for_best, 0.0).mean()),
    )

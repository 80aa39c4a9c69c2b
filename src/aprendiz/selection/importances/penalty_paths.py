"""When columns enter the path of a lasso, from the largest penalty to the smallest.

    w(λ) = argmin of loss + λ‖w‖₁,        e_j = largest λ at which w_j is not zero                             (1)

The loss is ½‖y − b − Zw‖² of a quantity, and the logistic one of classes. The penalties fall by a constant factor and each fit
starts from the one before. Between two of them, a column enters the earlier the harder it was pulled at the first,

    e_j = λ_k + (λ_{k−1} − λ_k)·|q_j(λ_{k−1})|/λ_{k−1},       q the slopes of the loss                        (2)

and a column that has not entered at the last penalty λ_m has e_j = |q_j(λ_m)| < λ_m, so that all columns have an order. All are
given as parts of the largest penalty, λ₀ = max_j |q_j(∞)|.

A penalty compares columns, so they must have one unit: `standardised` gives them mean 0 and mean square 1; constant columns are
zeros, and never enter.

Cost: one or two passes over the table for each penalty; a walk ends as soon as enough columns have entered.
References: Tibshirani, JRSS B 58, 1996; Friedman, Hastie & Tibshirani, J. Statistical Software 33, 2010.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax

from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.linear.designs.design import designs
from aprendiz.linear.paths.elastic_net_path import extrapolate
from aprendiz.linear.paths.logistic_path import Path
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.working_set import WorkingSet, solve

GAP = 1e-6  # of a fit, as a part of ‖y‖²
ROUNDS = 100
SLOPE = 1e-4  # largest slope that is left in a logistic fit
PASSES = 50
FLAT = 64 * float(np.finfo(float).eps)  # deviation, relative to the largest cell, of a column that is constant


@dataclass(frozen=True)
class PathStep:
    """A fit on the path: its penalty as a part of the largest, coefficients (classes × columns, or columns), and the sizes of
    the slopes of all columns, in the same unit as the penalty."""

    number: int
    penalty: float
    coefficients: Array
    pulls: Array

    @property
    def inside(self) -> Array:
        """Which coefficients are not zero, in some class."""
        w = self.coefficients
        return np.asarray((w != 0) if w.ndim == 1 else (w != 0).any(axis=0))


@dataclass(frozen=True)
class Entries:
    """e of (1) as a part of the largest penalty, of each column, and the number of the penalty at which it was inside first
    (that of penalties, if it never was)."""

    entry: Array
    step: Array
    penalties: Array

    @property
    def order(self) -> Array:
        """The columns as they enter; of equal ones the first."""
        return np.argsort(-self.entry, kind="stable")


def standardised(X: Array, weight: Array | None = None) -> Array:
    """Columns of (weighted) mean 0 and mean square 1; constant ones are zeros."""
    sizes = np.abs(X).max(axis=0)
    power = np.frexp(sizes)[1]
    Z = np.ldexp(np.asarray(X, np.float64), -power)  # so that squares are numbers
    shares = np.full(len(Z), 1.0 / len(Z)) if weight is None else weight / weight.sum()
    Z -= shares @ Z
    spread = np.sqrt(np.einsum("i,ij,ij->j", shares, Z, Z))
    flat = spread <= FLAT
    Z /= np.where(flat, 1.0, spread)
    Z[:, flat] = 0.0
    return Z


def falling(penalties: int, least: float) -> Array:
    """Penalties from 1 to the least, by a constant factor."""
    return np.geomspace(1.0, least, penalties)


def least_penalty(rows: int, columns: int) -> float:
    """Where paths end: with fewer rows than columns all is explained before."""
    return 1e-3 if rows > columns else 1e-2


def path_of(Z: Array, y: Array, labels: Array | None, penalties: Array, weight: Array | None = None) -> Iterator[PathStep]:
    """The fits for falling penalties."""
    rows = ArrayRows(Z, y, weight)
    rows.labels, rows.width = labels, Z.shape[1] + 1
    return lasso_steps(rows, penalties) if labels is None else logistic_steps(rows, penalties)


def lasso_steps(rows: ArrayRows, penalties: Array) -> Iterator[PathStep]:
    """Those of a quantity; each starts a step further on along the line through the last two."""
    design = next(iter(designs(rows, True, many=True)))
    largest = float(np.abs(design.c).max(initial=0.0))
    if not largest > 0:
        return
    working, before, last, guess = WorkingSet(design), np.empty(0), np.empty(0), None
    for number, penalty in enumerate(penalties.tolist()):
        start = working.w
        if number > 1:
            ahead = (penalties[number - 1] - penalty) / (penalties[number - 2] - penalties[number - 1])
            guess = working.slopes + ahead * (working.slopes - before)
            known = np.append(last, np.zeros(len(start) - len(last)))
            working.w = extrapolate(known, start, ahead)
        before, last = working.slopes, start
        found = solve(working, ElasticPenalty(largest * penalty), GAP, ROUNDS, guess)
        yield PathStep(number, penalty, found.w, np.abs(working.slopes) / largest)


def logistic_steps(rows: ArrayRows, penalties: Array) -> Iterator[PathStep]:
    """Those of classes."""
    assert rows.labels is not None
    K = len(rows.labels)
    count = np.bincount(np.asarray(rows.y), rows.weight, minlength=K)
    plane = np.zeros((1 if K == 2 else K, rows.columns + 1))
    shares = np.log(np.maximum(count / count.sum(), 1e-300))
    plane[:, -1] = shares[1] - shares[0] if K == 2 else shares
    largest = float(pulls_of(rows, plane).max(initial=0.0))
    if not largest > 0:
        return
    fits = Path.of(rows, 1.0, True, SLOPE, PASSES).fits(largest * penalties)
    for number, (penalty, fit) in enumerate(zip(penalties.tolist(), fits, strict=True)):
        yield PathStep(number, penalty, fit.plane[:, :-1], pulls_of(rows, fit.plane) / largest)


def pulls_of(rows: ArrayRows, plane: Array) -> Array:
    """The largest slope of each column over the classes."""
    T = rows.X @ plane[:, :-1].T + plane[:, -1]
    apart = expit(T) - rows.y[:, None] if T.shape[1] == 1 else softmax(T, axis=1) - np.eye(T.shape[1])[rows.y]  # type: ignore[index]
    if rows.weight is not None:
        apart *= rows.weight[:, None]
    return np.asarray(np.abs(apart.T @ rows.X).max(axis=0))


def entries(
    Z: Array,
    y: Array,
    labels: Array | None,
    penalties: Array,
    most: int | None = None,
    weight: Array | None = None,
) -> Entries:
    """(1) and (2), until `most` columns have entered."""
    d = Z.shape[1]
    entry, step = np.zeros(d), np.full(d, len(penalties))
    before: PathStep | None = None
    for now in quietly(path_of(Z, y, labels, penalties, weight)):
        new = np.flatnonzero(now.inside & (step == len(penalties)))
        part = np.ones(len(new)) if before is None else np.minimum(1.0, before.pulls[new] / before.penalty)
        above = now.penalty if before is None else before.penalty
        entry[new], step[new], before = now.penalty + (above - now.penalty) * part, now.number, now
        if most is not None and (step < len(penalties)).sum() >= most:
            break
    if before is not None:
        outside = step == len(penalties)
        entry[outside] = np.minimum(before.pulls[outside], np.nextafter(before.penalty, 0.0))
    return Entries(entry, step, penalties)


def quietly(steps: Iterator[PathStep]) -> Iterator[PathStep]:
    """The steps, without warnings of overflow: a coefficient that no column limits is infinite on the way."""
    while True:
        with np.errstate(over="ignore"):
            try:
                step = next(steps)
            except StopIteration:
                return
        yield step

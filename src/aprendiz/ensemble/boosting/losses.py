"""What boosting lowers: losses of a target y and a raw prediction f, with their slopes g and curvatures h in f.

    squared error     ½ (y − f)²                    g = f − y               h = 1
    absolute error    |y − f|                       g = ±1                  h = 1 (taken, not derived)
    quantile          ρ(y − f)                      g = 1 − q or −q         h = 1 (taken, not derived)
    poisson           exp f − y f                   g = exp f − y           h = exp f
    gamma             f + y exp(−f)                 g = 1 − y exp(−f)       h = y exp(−f)
    two classes       log(1 + exp f) − y f          g = p − y               h = p (1 − p),   p = 1/(1 + exp(−f))
    K classes         log Σ exp f_k − f_y           g = p_k − [y = k]       h = p_k (1 − p_k)                        (1)

each times the weight of the row. A prediction is f itself, exp f, or the shares p. The start is the best constant.

log(1 + exp f) and log Σ exp f are not taken row by row: products of what stands inside the logarithm are, until they are large.

Cost: one exponential for each row and class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

SQUARED, ABSOLUTE, QUANTILE, POISSON, GAMMA, TWO_CLASSES, CLASSES = range(7)
CODES = {"squared_error": SQUARED, "absolute_error": ABSOLUTE, "quantile": QUANTILE, "poisson": POISSON, "gamma": GAMMA}
BLOCK = 2**15  # rows whose losses are summed together
LARGE = 1e100  # a product whose logarithm is taken
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Slopes:
    """The mean loss of some predictions, and the gradients and curvatures of all rows there (K rows of n numbers; None where
    all curvatures are 1), with their largest and mean sizes."""

    loss: float
    gradient: Array
    curvature: Array | None
    largest: Array
    mean: Array


@dataclass(frozen=True)
class Loss:
    """A loss, by its number, for so many raw predictions of a row."""

    code: int
    outputs: int = 1
    quantile: float = 0.5

    @classmethod
    def of(cls, name: str, classes: int, quantile: float | None) -> Loss:
        """By the name of the parameter."""
        if name == "log_loss":
            return cls(TWO_CLASSES) if classes == 2 else cls(CLASSES, classes)
        return cls(CODES[name], 1, float(quantile) if name == "quantile" and quantile is not None else 0.5)

    @property
    def renews(self) -> bool:
        """Are the steps of the leaves medians or quantiles of what is left, rather than ratios of sums?"""
        return self.code in (ABSOLUTE, QUANTILE)

    @property
    def equal_curvatures(self) -> bool:
        """Is the curvature of all rows 1, but for their weights?"""
        return self.code in (SQUARED, ABSOLUTE, QUANTILE)

    def start(self, y: Array, weight: Array | None) -> Array:
        """The best constant raw predictions."""
        if self.renews:
            return np.array([self.renewed(y, weight)])
        if self.code == CLASSES:
            shares = np.bincount(y, weight, self.outputs) / (len(y) if weight is None else weight.sum())
            logs = np.log(np.clip(shares, EPSILON, 1.0 - EPSILON))
            return np.asarray(logs - logs.mean())
        mean = float(np.average(y, weights=weight))
        if self.code == SQUARED:
            return np.array([mean])
        mean = max(mean, 10.0 * EPSILON)
        if self.code == TWO_CLASSES:
            mean = min(mean, 1.0 - 10.0 * EPSILON)
            return np.array([np.log(mean / (1.0 - mean))])
        return np.array([np.log(mean)])

    def renewed(self, left: Array, weight: Array | None) -> float:
        """The best constant step for what is left of the targets of some rows: their median or quantile."""
        if weight is not None:
            order = np.argsort(left, kind="stable")
            below = np.cumsum(weight[order])
            return float(left[order[min(int(np.searchsorted(below, self.quantile * below[-1])), len(left) - 1)]])
        return float(np.median(left) if self.code == ABSOLUTE else np.quantile(left, self.quantile))

    def slopes(self, y: Array, weight: Array | None, raw: Array, rows: int | None = None) -> Slopes:
        """(1) at raw predictions (K rows of n numbers), and the mean loss of the first `rows`."""
        k, n = raw.shape
        gradient = np.empty((k, n))
        curvature = None if self.equal_curvatures and weight is None else np.empty((k, n))
        kernel: Any = descend_classes if self.code == CLASSES else descend

        def part(first: int) -> Array:
            sizes = np.zeros((4, k))
            total = kernel(self.code, self.quantile, y, weight, raw, first, min(first + BLOCK, n), gradient, curvature, sizes)
            return np.concatenate([[total], sizes.ravel()])

        found = np.array(list(ordered_map(part, range(0, n, BLOCK))))
        largest, mean = found[:, 1 : 1 + 2 * k].max(axis=0), found[:, 1 + 2 * k :].sum(axis=0) / n
        whole = n if weight is None else float(weight.sum())
        return Slopes(float(found[:, 0].sum()) / whole, gradient, curvature, largest.reshape(2, k), mean.reshape(2, k))

    def mean_loss(self, y: Array, weight: Array | None, raw: Array) -> float:
        """The mean loss of raw predictions."""
        return self.slopes(y, weight, raw).loss

    def predict(self, raw: Array) -> Array:
        """From raw predictions (n rows of K numbers) to numbers, or the shares of the classes."""
        if self.code in (POISSON, GAMMA):
            with np.errstate(over="ignore"):
                return np.asarray(np.exp(raw[:, 0]))
        if self.code == TWO_CLASSES:
            from scipy.special import expit

            second = expit(raw[:, 0])
            return np.column_stack([1.0 - second, second])
        if self.code == CLASSES:
            shares = np.exp(raw - raw.max(axis=1, keepdims=True))
            return np.asarray(shares / shares.sum(axis=1, keepdims=True))
        return np.ascontiguousarray(raw[:, 0])

    def refuse_targets(self, y: Array, name: str) -> None:
        """Numbers outside of the domain of the loss."""
        wrong: dict[int, tuple[Callable[[Array], Any], str]] = {
            GAMMA: (lambda y: y <= 0, "requires strictly positive y"),
            POISSON: (lambda y: y < 0, "requires non-negative y and sum(y) > 0"),
        }
        if self.code not in wrong:
            return
        test, need = wrong[self.code]
        rows = np.flatnonzero(test(y))
        if len(rows):
            raise ValueError(
                f"loss={name!r} {need}: y is {y[rows[0]]:g} in row {rows[0]}. Choose another loss, or leave such rows out."
            )
        if self.code == POISSON and not y.any():
            raise ValueError(f"loss={name!r} {need}: all of y is 0, so that there is nothing to learn.")


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def descend(
    code: int, quantile: float, y: Array, weight: Array | None, raw: Array, first: int, last: int, gradient: Array,
    curvature: Array | None, sizes: Array,
) -> float:  # fmt: skip
    """(1) for one raw prediction of each row. `sizes` gets the largest and the summed sizes of gradients and curvatures.
    Returns the sum of the losses."""
    total, product = 0.0, 1.0
    for i in range(first, last):
        f, target = raw[0, i], np.float64(y[i])
        w = 1.0 if weight is None else weight[i]
        loss, g, h = 0.0, 0.0, 1.0
        if code == SQUARED:
            g = f - target
            loss = 0.5 * g * g
        elif code == ABSOLUTE:
            g = 1.0 if f > target else -1.0
            loss = abs(f - target)
        elif code == QUANTILE:
            g = 1.0 - quantile if f > target else -quantile
            loss = g * (f - target)
        elif code == POISSON:
            h = np.exp(f)
            g, loss = h - target, h - target * f
        elif code == GAMMA:
            h = target * np.exp(-f)
            g, loss = 1.0 - h, f + h
        else:
            small = np.exp(-abs(f))
            part = 1.0 / (1.0 + small)
            p = part if f >= 0.0 else small * part
            g, h = p - target, small * part * part
            loss = max(f, 0.0) - target * f
            if weight is None:
                product *= 1.0 + small
                if product > LARGE:
                    total += np.log(product)
                    product = 1.0
            else:
                loss += np.log1p(small)
        g, h = w * g, w * h
        total += w * loss
        gradient[0, i] = g
        if curvature is not None:
            curvature[0, i] = h
        sizes[0, 0], sizes[1, 0] = max(sizes[0, 0], abs(g)), max(sizes[1, 0], h)
        sizes[2, 0] += abs(g)
        sizes[3, 0] += h
    return total + np.log(product)


@compiled
def descend_classes(
    code: int, quantile: float, y: Array, weight: Array | None, raw: Array, first: int, last: int, gradient: Array,
    curvature: Array, sizes: Array,
) -> float:  # fmt: skip
    """(1) for K classes; `descend` says what else."""
    total, product, classes = 0.0, 1.0, len(raw)
    for i in range(first, last):
        w, highest, whole = 1.0, raw[0, i], 0.0
        if weight is not None:
            w = weight[i]
        for k in range(1, classes):
            highest = max(highest, raw[k, i])
        for k in range(classes):
            gradient[k, i] = np.exp(raw[k, i] - highest)
            whole += gradient[k, i]
        if weight is None:
            product *= whole
            if product > LARGE:
                total += np.log(product)
                product = 1.0
        else:
            total += w * np.log(whole)
        total += w * (highest - raw[y[i], i])
        for k in range(classes):
            p = gradient[k, i] / whole
            g, h = w * (p - (1.0 if y[i] == k else 0.0)), w * p * (1.0 - p)
            gradient[k, i], curvature[k, i] = g, h
            sizes[0, k], sizes[1, k] = max(sizes[0, k], abs(g)), max(sizes[1, k], h)
            sizes[2, k] += abs(g)
            sizes[3, k] += h
    return total + np.log(product)

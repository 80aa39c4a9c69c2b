"""Attributes of a support vector machine with a single function f(x) = Σβ_i K(x_i, x) + b: of numbers, and of one class."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.kernel.dual.solver import DualState
from aprendiz.kernel.kernels import Linear, Precomputed
from aprendiz.kernel.shared.kernel_machine import Training
from aprendiz.kernel.shared.linear_plane import intercepts, plane


def answer_of_rows(training: Training, beta: Array, b: float, one: DualState) -> dict[str, Any]:
    """Support vectors, coefficients and intercept."""
    table = training.table
    support = np.flatnonzero(beta).astype(np.int32)
    kernel = training.chosen
    given, thin = isinstance(kernel, Precomputed), sparse.issparse(table)
    dual_coef = beta[support][None, :]
    return {
        "kernel_": kernel,
        "support_": support,
        "support_vectors_": np.empty((0, 0)) if given else table[support],
        "n_support_": np.array([len(support)], np.int32),
        "dual_coef_": sparse.csr_array(dual_coef) if thin and not given else dual_coef,
        "intercept_": intercepts(training.pivot, dual_coef, table[support], np.array([b])),
        "centre_": training.pivot,
        "centred_intercept_": np.array([b]),
        "n_iter_": int(one.steps),
        "shape_fit_": tuple(table.shape),
        "fit_status_": int(not one.settled),
    }


def plane_of(machine: Any) -> Any:
    """Σβ_i x_i of the linear kernel."""
    if not isinstance(machine.kernel_, Linear):
        raise AttributeError("coef_ is only available when using a linear kernel")
    return plane(machine, machine.dual_coef_, machine.support_vectors_)

"""Gram matrices of kernels: a product of matrices and a function of each of its entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data, fixed
from benchmarks.quality import Answer

KERNELS = {
    "RBF": ("rbf_kernel", {"gamma": 0.05}),
    "Polynomial": ("polynomial_kernel", {"degree": 3, "gamma": 0.05, "coef0": 1.0}),
    "Laplacian": ("laplacian_kernel", {"gamma": 0.05}),
}
SIZES = ((1_000, 10), (5_000, 30))
GRAM = Answer("Gram matrix", lambda data, K: K, 1e-9)


def our_gram(X: Any, kernel: str, gamma: float, degree: int = 3, coef0: float = 0.0) -> Any:
    from aprendiz.kernel import kernels

    more = {"degree": degree, "c": coef0} if kernel == "Polynomial" else {}
    return getattr(kernels, kernel)(gamma=gamma, **more)(X)


def cloud(columns: int) -> Callable[[int], Data]:
    """One round cloud."""
    return lambda rows: (np.random.default_rng(0).normal(size=(rows, columns)),)


def case(kernel: str, rows: int, columns: int) -> Case:
    name, settings = KERNELS[kernel]
    return Case(
        name=f"Gram matrix, {kernel}, {rows // 1000} 000 × {columns}",
        rows=rows,
        make=cloud(columns),
        contenders={
            OURS: Contender(OURS, "benchmarks.gram_matrices", "our_gram", fixed(kernel=kernel, **settings), method=None),
            SKLEARN: Contender(SKLEARN, "sklearn.metrics.pairwise", name, fixed(**settings), method=None),
        },
        quality=GRAM,
        bytes=lambda n: 8.0 * n * n,
    )


CASES = tuple(case(kernel, *size) for kernel in KERNELS for size in SIZES)

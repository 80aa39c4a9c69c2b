"""Kernel ridge regression and kernel principal components: a dense matrix of all pairs of rows, and what is done with it.

A path of penalties is compared with a loop of fits, since scikit-learn has none. Its KernelPCA calls the dense solver of LAPACK
for ten components or more; "arpack" is its solver for few of them. scikit-learn-intelex has neither.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data, Settings
from benchmarks.quality import Answer

ALPHAS = np.logspace(-3, 3, 20)


def waves(rows: int) -> Data:
    """Twenty columns and a target that bends in two of them."""
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, 20))
    return X, np.sin(X[:, 0]) + X[:, 1] ** 2 + 0.1 * random.normal(size=rows)


def matrix_bytes(rows: int) -> float:
    """Bytes of the Gram matrix."""
    return 8.0 * rows * rows


def given(settings: dict[str, Any]) -> Settings:
    """The same settings for any data."""
    return lambda data, seed: settings


def ridge(method: str = "fit", **settings: Any) -> dict[str, Contender]:
    modules = {OURS: "aprendiz.kernel", SKLEARN: "sklearn.kernel_ridge"}
    return {name: Contender(name, module, "KernelRidge", given(settings), method) for name, module in modules.items()}


def components(solver: str) -> dict[str, Contender]:
    """Ten components; `solver` is scikit-learn's."""
    settings = {"n_components": 10, "kernel": "rbf", "random_state": 0}
    return {
        OURS: Contender(OURS, "aprendiz.kernel", "KernelPCA", given(settings)),
        SKLEARN: Contender(SKLEARN, "sklearn.decomposition", "KernelPCA", given({**settings, "eigen_solver": solver})),
    }


def our_path(X: Any, y: Any) -> Any:
    from aprendiz.kernel import KernelRidge

    return np.column_stack([model.dual_coef_ for model in KernelRidge(kernel="rbf").path(X, y, ALPHAS)])


def their_path(X: Any, y: Any) -> Any:
    from sklearn.kernel_ridge import KernelRidge

    return np.column_stack([KernelRidge(alpha, kernel="rbf").fit(X, y).dual_coef_ for alpha in ALPHAS])


COEFFICIENTS = Answer("coefficients", lambda data, model: model.dual_coef_, 1e-8)
PREDICTIONS = Answer("predictions", lambda data, predictions: predictions, 1e-9)
PATH = Answer("coefficients of all penalties", lambda data, found: found, 1e-8)
EIGENVALUES = Answer("eigenvalues", lambda data, model: model.eigenvalues_, 1e-9)

CASES = (
    Case("KernelRidge, rbf, 1 000 × 20", 1_000, waves, ridge(kernel="rbf"), COEFFICIENTS, bytes=matrix_bytes),
    Case("KernelRidge, rbf, 5 000 × 20", 5_000, waves, ridge(kernel="rbf"), COEFFICIENTS, bytes=matrix_bytes),
    Case("KernelRidge, linear, 5 000 × 20", 5_000, waves, ridge(), COEFFICIENTS, bytes=matrix_bytes),
    Case(
        "KernelRidge, rbf, predict, 5 000 × 20", 5_000, waves, ridge("predict", kernel="rbf"), PREDICTIONS, bytes=matrix_bytes
    ),
    Case(
        "KernelRidge, rbf, 20 penalties, 5 000 × 20",
        5_000,
        waves,
        {
            OURS: Contender(OURS, "benchmarks.kernel_ridge", "our_path", method=None),
            SKLEARN: Contender(SKLEARN, "benchmarks.kernel_ridge", "their_path", method=None),
        },
        PATH,
        bytes=matrix_bytes,
        once=(SKLEARN,),
        grows=False,
    ),
    *(
        Case(
            f"KernelPCA, rbf, 10 components, 5 000 × 20, beside {solver}",
            5_000,
            waves,
            components(solver),
            EIGENVALUES,
            bytes=matrix_bytes,
            once=(SKLEARN,) if solver == "dense" else (),
            grows=False,
        )
        for solver in ("dense", "arpack")
    ),
)

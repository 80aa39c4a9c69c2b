"""The kernel that a user chose: a kernel object, one of scikit-learn's names, or a function.

"rbf" → RBF(gamma)      "poly" → Polynomial(degree, gamma, c=coef0)      "precomputed" → Precomputed()      …
"""

from __future__ import annotations

from typing import Any

from aprendiz.core.parameters import ParameterError, fits, shown
from aprendiz.kernel import kernels
from aprendiz.kernel.gram.kernel_function import Kernel

NAMES = (*("additive_chi2", "chi2", "cosine", "laplacian", "linear", "poly", "polynomial", "precomputed", "rbf", "sigmoid"),)


def kernel_of(
    kernel: Any, *, gamma: Any = "scale", degree: Any = 3, coef0: Any = 0.0, params: Any = None, of_pairs: bool = False
) -> Kernel:
    """The kernel object. γ = None is 1/(number of columns), of "chi2" 1, as in scikit-learn's pairwise kernels. `of_pairs`: a
    function takes two rows, not two tables."""
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        return kernel_called(kernel, gamma, degree, coef0)
    if isinstance(kernel, type) and issubclass(kernel, Kernel):
        raise ParameterError(f"kernel is the class {kernel.__name__}, not one of its kernels: write {kernel.__name__}().")
    if callable(kernel):
        tables = not of_pairs or is_of_tables(kernel)
        return kernels.Function(kernel, of_pairs=not tables, params=None if params is None else dict(params))
    raise ParameterError(f"kernel must be {listed()}, a kernel such as RBF(gamma=0.5), or a function, got {shown(kernel)}.")


def kernel_called(name: str, gamma: Any, degree: Any, coef0: Any) -> Kernel:
    """One of scikit-learn's names."""
    if name == "linear":
        return kernels.Linear()
    if name == "precomputed":
        return kernels.Precomputed()
    if name == "cosine":
        return kernels.Cosine()
    if name == "additive_chi2":
        return kernels.AdditiveChiSquared()
    if name == "chi2":
        return kernels.ChiSquared(1.0 if gamma is None or isinstance(gamma, str) else gamma)
    gamma = "auto" if gamma is None else gamma
    if name == "rbf":
        return kernels.RBF(gamma)
    if name == "laplacian":
        return kernels.Laplacian(gamma)
    if name == "sigmoid":
        return kernels.Sigmoid(gamma, c=coef0)
    if name in ("poly", "polynomial"):
        return polynomial(degree, gamma, coef0)
    raise ParameterError(f"kernel must be {listed()}, a kernel such as RBF(gamma=0.5), or a function, got {name!r}.")


def polynomial(degree: Any, gamma: Any, coef0: Any) -> Kernel:
    """(γ·xᵀz + coef0)ᵈ, where it is a kernel."""
    if not fits(degree, float) or degree < 0 or degree != int(degree):
        raise ParameterError(
            f"degree must be a whole number of at least 0, got {shown(degree)}: (γ·xᵀz + c) to a broken power is no kernel."
        )
    if fits(coef0, float) and coef0 < 0:
        raise ParameterError(
            f"coef0 of the polynomial kernel must be at least 0, got {shown(coef0)}: with a negative constant (γ·xᵀz + c)ᵈ is "
            "no kernel, since Gram matrices have negative eigenvalues."
        )
    return kernels.Polynomial(int(degree), gamma=gamma, c=coef0)


def is_of_tables(function: Any) -> bool:
    """Kernels of scikit-learn's Gaussian processes are functions of tables."""
    return hasattr(function, "diag") and hasattr(function, "theta")


def listed() -> str:
    return ", ".join(repr(name) for name in NAMES)

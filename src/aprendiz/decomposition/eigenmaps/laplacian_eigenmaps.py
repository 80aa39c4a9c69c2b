"""Coordinates of the vertices of a graph in which joined ones are near: eigenvectors of its Laplacian.

    minimise  Σ_ij w_ij ‖y_i − y_j‖² = 2·Tr YᵀLY     such that  YᵀDY = I                                      (1)
    Lu = λDu,     0 = λ_0 ≤ λ_1 ≤ …,     Y = (u_1, …, u_k)                                                    (2)

with the degrees D and L = D − W (cluster/graph/laplacians.py); u_0 is constant, and says nothing. Without D on the right side
of (2) the Laplacian is not normalised.

Cost: that of a few eigenvectors (cluster/spectral/laplacian_eigen.py).
Reference: Belkin & Niyogi, "Laplacian eigenmaps for dimensionality reduction and data representation", Neural Computation 15,
2003.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from aprendiz.cluster.spectral.laplacian_eigen import Eigenpairs, Laplacian, smallest_eigenpairs
from aprendiz.cluster.spectral.loops import degrees_and_parts, without_loops
from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.centred_spectrum import upright
from aprendiz.locale import _

PRECISE = 1e-11  # residual of the eigenvectors, if no other is asked for
LEAST = 1e-13


def eigenmaps(W: Any, count: int, *, tolerance: Any, seed: int, normalised: bool = True) -> dict[str, Any]:
    """u_0, …, u_{count − 1} of (2) as columns, the entry of largest size positive, and what is known of them; W is a checked
    table of similarities."""
    n = W.shape[0]
    if count > n:
        raise ValueError(f"The graph has {n} vertices, and so no {count} eigenvectors: use fewer components.")
    with without_loops(W) as bare:
        degree, part = degrees_and_parts(bare)
        warn_of_parts(int(part.max()) + 1)
        tolerance = PRECISE if tolerance == "auto" else max(float(tolerance), LEAST)
        pairs = smallest_eigenpairs(bare, degree, part, count, normalised=normalised, tolerance=tolerance, seed=seed)
        if not pairs.settled:
            said = _("The eigenvectors are not yet exact (see certificate_): raise eigen_tol, or use fewer components.")
            warnings.warn(said, ConvergenceWarning, stacklevel=5)
        L = Laplacian.of(bare, degree, normalised)
        return {
            "embedding_": upright(pairs.vectors / L.root[:, None]),
            "eigenvalues_": pairs.values,
            "method_": pairs.method,
            "certificate_": exactness(L, pairs, tolerance),
        }


def warn_of_parts(count: int) -> None:
    """The first coordinates tell parts apart, and nothing else."""
    if count > 1:
        said = _(
            "Graph is not fully connected, spectral embedding may not work as expected: it has {count} connected components, "
            "and the first coordinates only tell them apart. Join more rows (more neighbours, a smaller gamma)."
        )
        warnings.warn(said.format(count=count), UserWarning, stacklevel=6)


def exactness(L: Laplacian, pairs: Eigenpairs, tolerance: float) -> Certificate:
    """That ‖Lv − λv‖ ≤ 10·eigen_tol + 10⁻¹² of ‖L‖ for the symmetric form v = D^½u, and right angles to 10⁻⁹. (Whether they
    belong to the smallest eigenvalues is not shown.)"""
    off = L.times(pairs.vectors) - pairs.vectors * pairs.values
    residual = float(np.linalg.norm(off, axis=0).max()) / L.size
    angle = float(np.abs(pairs.vectors.T @ pairs.vectors - np.eye(len(pairs.values))).max())
    return Certificate(
        "the coordinates are eigenvectors of the Laplacian, at right angles to each other",
        bool(residual <= 10 * tolerance + 1e-12 and angle <= 1e-9),
        {"residual": residual, "orthogonality": angle},
    )


def without_first(found: dict[str, Any]) -> dict[str, Any]:
    """The coordinates but the first."""
    values: Array = found["eigenvalues_"]
    return {**found, "embedding_": found["embedding_"][:, 1:], "eigenvalues_": values[1:]}

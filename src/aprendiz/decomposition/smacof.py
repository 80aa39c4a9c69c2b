"""Multidimensional scaling by majorization, as a function of dissimilarities: see mds.py."""

from __future__ import annotations

from typing import Any, Literal

from aprendiz.core.rows import Array
from aprendiz.decomposition import MDS


def smacof(
    dissimilarities: Any,
    *,
    metric: bool = True,
    n_components: int = 2,
    init: Any = None,
    n_init: int = 1,
    n_jobs: int | None = None,
    max_iter: int = 300,
    verbose: int = 0,
    eps: float = 1e-6,
    random_state: Any = None,
    return_n_iter: bool = False,
    normalized_stress: bool | Literal["auto"] = "auto",
) -> tuple[Array, float] | tuple[Array, float, int]:
    """Points whose distances are near to the dissimilarities (drop-in for scikit-learn's).

    Parameters
    ----------
    dissimilarities : array of shape (n_samples, n_samples)
        Symmetric, with zeros on the diagonal.
    metric : bool, default=True
        False for ordinal scaling.
    init : array of shape (n_samples, n_components), optional
        The points to start from, which say the number of components too; random ones by default.
    n_components, n_init, max_iter, eps, random_state, normalized_stress
        As of `MDS`.
    return_n_iter : bool, default=False
        Whether to return the number of passes too.
    n_jobs, verbose
        No effect.

    Returns
    -------
    X : ndarray of shape (n_samples, n_components)
        The points.
    stress : float
        Σ_{i<j} (d_ij − δ_ij)², or stress-1.
    n_iter : int
        Number of passes of the best start, if `return_n_iter`.

    Examples
    --------
    >>> X, stress = smacof([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]], eps=1e-12, random_state=0)
    >>> X.shape, bool(stress < 1e-6)
    ((3, 2), True)
    """
    model = MDS(
        n_components,
        metric="precomputed",
        metric_mds=metric,
        n_init=n_init,
        init="random",
        max_iter=max_iter,
        eps=eps,
        random_state=random_state,
        normalized_stress=normalized_stress,
    ).fit(dissimilarities, init=init)
    found = model.embedding_, model.stress_
    return (*found, model.n_iter_) if return_n_iter else found

"""Non-negative matrix factorisation as a function of a table: see nmf.py."""

from __future__ import annotations

import warnings
from typing import Any, Literal

from aprendiz.core.rows import Array
from aprendiz.decomposition import NMF
from aprendiz.locale import _


def non_negative_factorization(
    X: Any,
    W: Any = None,
    H: Any = None,
    n_components: int | Literal["auto"] | None = "auto",
    *,
    init: Any = None,
    update_H: bool = True,
    solver: Literal["cd", "mu"] = "cd",
    beta_loss: Any = "frobenius",
    tol: float = 1e-4,
    max_iter: int = 200,
    alpha_W: float = 0.0,
    alpha_H: float | Literal["same"] = "same",
    l1_ratio: float = 0.0,
    random_state: Any = None,
    verbose: int = 0,
    shuffle: bool = False,
) -> tuple[Array, Array, int]:
    """Factors W and H of at least 0 whose product is near to X (drop-in for scikit-learn's).

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
    W, H : arrays of shape (n_samples, n_components) and (n_components, n_features), optional
        The start of init="custom". H is the answer of update_H=False.
    update_H : bool, default=True
        Whether to find H too. If not, W is the best one for the H that is given, as by `NMF.transform`.
    n_components, init, solver, beta_loss, tol, max_iter, alpha_W, alpha_H, l1_ratio, random_state
        As of `NMF`.
    verbose, shuffle
        No effect.

    Returns
    -------
    W : ndarray of shape (n_samples, n_components)
        The best one for H.
    H : ndarray of shape (n_components, n_features)
    n_iter : int
        Number of passes; 1 with update_H=False.

    Examples
    --------
    >>> X = [[1.0, 1, 0, 0], [2, 2, 0, 0], [0, 0, 3, 1], [1, 1, 3, 1]]
    >>> W, H, n_iter = non_negative_factorization(X, n_components=2)
    >>> (W @ H).round(3)[3].tolist()
    [1.0, 1.0, 3.0, 1.0]
    """
    model = NMF(
        n_components,
        init=init,
        solver=solver,
        beta_loss=beta_loss,
        tol=tol,
        max_iter=max_iter,
        random_state=random_state,
        alpha_W=alpha_W,
        alpha_H=alpha_H,
        l1_ratio=l1_ratio,
        verbose=verbose,
        shuffle=shuffle,
    ).set_output(transform="default")
    if update_H:
        return model.fit_transform(X, W=W, H=H), model.components_, model.n_iter_
    if W is not None:
        warnings.warn(_("When update_H=False, the provided initial W is not used."), RuntimeWarning, stacklevel=2)
    model.take_parts(X, H)
    return model.transform(X), model.components_, 1

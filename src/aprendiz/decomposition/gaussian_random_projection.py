"""Random projection by normal numbers: k coordinates that keep the distances of any rows, whatever their columns.

    v = P u,     P_ij ~ N(0, 1/k),     E‖v‖² = ‖u‖²,     k·‖v‖²/‖u‖² ~ χ²_k                                    (1)
    (1 − ε)‖u_i − u_j‖² ≤ ‖v_i − v_j‖² ≤ (1 + ε)‖u_i − u_j‖²   for all pairs of n rows, with high probability   (2)

How large k must be follows from n and ε alone (near_isometry/dimension.py). With k for probability ½, (2) holds after two draws
on average: `retry` draws until it does.

Cost: k·d numbers to draw, k·d multiplications a row.
Reference: Dasgupta & Gupta, "An elementary proof of a theorem of Johnson and Lindenstrauss", Random Structures & Algorithms 22,
2003.
"""

from __future__ import annotations

from typing import Any, Literal

from aprendiz.core.parameters import Count, PositiveFraction, Seed
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.rows import Array
from aprendiz.decomposition.near_isometry.draws import normal_matrix
from aprendiz.decomposition.near_isometry.random_projection import RandomProjection
from aprendiz.decomposition.randomized.products import times


class GaussianRandomProjection(RandomProjection):
    """Random projection by normal numbers (drop-in for scikit-learn's; also from files and Dask).

    Parameters
    ----------
    n_components : int or "auto", default="auto"
        How many coordinates; "auto": as many as keep the distances between the rows to within 1 ± eps.
    eps : float, default=0.1
        ε of (2), above 0 and below 1.
    compute_inverse_components : bool, default=False
        Whether to keep the pseudo-inverse, for the way back.
    random_state : int, RandomState or None
        The seed of the matrix.
    retry : int, default=1
        Matrices to draw at most, until (2) holds for the rows that are looked at.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        P.
    n_components_ : int
        k.
    inverse_components_ : ndarray of shape (n_features, n_components)
        P⁺, if `compute_inverse_components`.
    draws_ : int
        How many matrices were drawn.
    certificate_ : Certificate
        Whether (2) holds for the pairs of all rows, or of some of them (`all_rows`), and how much they stretch and shrink.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.eye(6, 500)
    >>> model = GaussianRandomProjection(200, eps=0.3, retry=20, random_state=0).fit(X)
    >>> model.transform(X).shape, model.certificate_.holds
    ((6, 200), True)
    """

    differences = {
        "eps": "another form: below 1 also where n_components is a number",
    }

    def __init__(
        self,
        n_components: Count | Literal["auto"] = "auto",
        *,
        eps: PositiveFraction = 0.1,
        compute_inverse_components: bool = False,
        random_state: Seed = None,
        retry: Count = 1,
    ):
        self.n_components = n_components
        self.eps = eps
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state
        self.retry = retry

    def draw(self, k: int, columns: int, seed: int, number: int) -> Array:
        return normal_matrix(k, columns, seed, number)

    def image(self, X: Any, P: Array) -> Array:
        return in_dtype_of(times(X, double(P).T), X, P)

"""Random projection by a sparse matrix of signs: as good as normal numbers for rows that are not sparse, and cheaper.

    v = P u,     P_ij = ±√(1/(p·k)) with probability p/2 each, else 0,     E‖v‖² = ‖u‖²                        (1)

p = 1/√d is the smallest density for which coordinates of ordinary rows are still nearly normal; p = ⅓ has the bounds of the
normal matrix for all rows. A row with few cells that are not zero may be missed by a sparse matrix: `certificate_` says what
became of the distances, and `retry` draws again until they are kept.

Cost: p·k·d numbers to draw, p·k·d multiplications a row.
References: Achlioptas, "Database-friendly random projections", JCSS 66, 2003; Li, Hastie & Church, "Very sparse random
projections", KDD 2006.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import sparse

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.parameters import Count, PositiveFraction, Seed
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.rows import Array, Rows
from aprendiz.core.threads import ordered_map
from aprendiz.decomposition.near_isometry.draws import sparse_matrix
from aprendiz.decomposition.near_isometry.random_projection import RandomProjection
from aprendiz.decomposition.near_isometry.sparse_images import dense_images, sparse_images
from aprendiz.decomposition.randomized.products import times


class SparseRandomProjection(RandomProjection):
    """Random projection by a sparse matrix of signs (drop-in for scikit-learn's; also from files and Dask).

    Parameters
    ----------
    n_components : int or "auto", default="auto"
        How many coordinates; "auto": as many as keep the distances between the rows to within 1 ± eps.
    density : float or "auto", default="auto"
        p of (1), above 0 and at most 1; "auto": 1/√d.
    eps : float, default=0.1
        ε, above 0 and below 1.
    dense_output : bool, default=False
        Whether images of sparse rows are dense.
    compute_inverse_components : bool, default=False
        Whether to keep the pseudo-inverse, for the way back.
    random_state : int, RandomState or None
        The seed of the matrix.
    retry : int, default=1
        Matrices to draw at most, until the distances between the rows that are looked at are kept.

    Attributes
    ----------
    components_ : sparse matrix of shape (n_components, n_features)
        P, dense if the density is 1.
    n_components_ : int
        k.
    inverse_components_ : ndarray of shape (n_features, n_components)
        The pseudo-inverse of P, if `compute_inverse_components`.
    density_ : float
        p.
    draws_ : int
        How many matrices were drawn.
    certificate_ : Certificate
        Whether the distances between all rows, or some of them (`all_rows`), are kept to within 1 ± ε, and how much they
        stretch and shrink.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.ones((3, 400)) * [[1.0], [2.0], [4.0]]
    >>> model = SparseRandomProjection(100, random_state=0).fit(X)
    >>> model.transform(X).shape, model.density_
    ((3, 100), 0.05)
    """

    differences = {
        "eps": "another form: below 1 also where n_components is a number",
    }

    def __init__(
        self,
        n_components: Count | Literal["auto"] = "auto",
        *,
        density: PositiveFraction | Literal["auto"] = "auto",
        eps: PositiveFraction = 0.1,
        dense_output: bool = False,
        compute_inverse_components: bool = False,
        random_state: Seed = None,
        retry: Count = 1,
    ):
        self.n_components = n_components
        self.density = density
        self.eps = eps
        self.dense_output = dense_output
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state
        self.retry = retry

    def learned(self, rows: Rows) -> dict[str, Any]:
        return {**super().learned(rows), "density_": self.share(rows.columns)}

    def share(self, columns: int) -> float:
        """p."""
        return float(1.0 / np.sqrt(columns) if self.density == "auto" else self.density)

    def draw(self, k: int, columns: int, seed: int, number: int) -> Any:
        P = sparse_matrix(k, columns, self.share(columns), seed, number)
        return P.toarray() if self.share(columns) == 1 else P

    def image(self, X: Any, P: Any) -> Array:
        if not sparse.issparse(P):
            found = times(X, double(P).T)
        else:
            found = sparse_images(X, P) if sparse.issparse(X) else dense_images(X, P)
        return in_dtype_of(found, X, P)

    def transform(self, X: Any) -> Any:
        """The images of the rows; those of a sparse matrix are sparse, unless `dense_output` or the density is 1."""
        if self.dense_output or is_read_in_blocks(X) or not sparse.issparse(X):
            return super().transform(X)
        rows = self.new_rows(X)
        if not sparse.issparse(self.components_):
            return rows.apply_transform(self.change)

        def images(group: Any) -> list[Any]:
            return [sparse.csr_matrix(self.change(block.X)) for block in group]

        pieces = [piece for part in ordered_map(images, rows.groups()) for piece in part]
        found = sparse.vstack(pieces, format="csr")
        return sparse.csr_array(found) if isinstance(X, sparse.sparray) else found

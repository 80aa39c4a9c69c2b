"""Completion of a matrix with the nuclear norm: the unknown cells are those of a table of low rank that is near the known ones.

With P_Ω for the known cells and ‖M‖_* for the sum of the singular values of M,

    min over M of F(M) = ½‖P_Ω(A − M)‖² + λ‖M‖_*                                                              (1)

is convex. From λ = ‖P_Ω(A)‖, the largest singular value with zeros in the unknown cells, M = 0; below it M has the rank that λ
leaves. At a minimum M = U·diag(s)·Vᵀ,

    P_Ω(A − M) = λ(UVᵀ + W),   UᵀW = 0,   WV = 0,   ‖W‖ ≤ 1                                                    (2)

M is kept as factors, which are found by alternating ridge regressions of the known cells (completion/factor_search.py). A new
row is one more of them: with B the factors of the columns and o its known cells,

    m(x) = B (B_oᵀB_o + λI)⁻¹ B_oᵀx_o                                                                         (3)

and for a row of the fit this is its row of M. Known cells stay as they are.

Cost of a pass: r² multiplications for each known cell. Memory: the known cells, and r numbers for each row and column.
References: Mazumder, Hastie & Tibshirani, "Spectral regularization algorithms for learning large incomplete matrices", JMLR 11,
2010; Hastie, Mazumder, Lee & Zadeh, JMLR 16, 2015.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aprendiz.core.parameters import Count, NonNegative, PositiveFinite, Seed
from aprendiz.core.random import draw_seed
from aprendiz.decomposition.completion.completer import Completer
from aprendiz.decomposition.completion.factor_search import FactorState, Problem, search, strongest_penalty
from aprendiz.decomposition.completion.known_cells import Biases, CompletionRows


class SoftImpute(Completer):
    """Fill missing cells with those of a table of low rank, found with the nuclear norm.

    Parameters
    ----------
    penalty : float above 0, optional
        λ of (1), in the units of the cells (with `scale`, of the scaled ones). By default a fiftieth of the λ from which M = 0.
    max_rank : int, optional
        The largest rank of M. The problem is not convex where that is less than λ leaves.
    biases : {"columns", "both"}, optional
        What is subtracted first: the mean of the known cells of each column; "both" then the mean of what is left of each row.
    scale : bool, default=False
        Whether each column is divided by the standard deviation of its known cells.
    tol : float, default=1e-4
        The search ends when the duality gap, as it is estimated, is at most this part of the objective.
    max_iter : int, default=500
        Maximum number of passes.
    keep_empty_features : bool, default=False
        Whether a column without any known cell is filled with 0 rather than left out.
    random_state : int, RandomState or None
        The seed of the directions in which Lanczos begins. The answer is the same to `tol`.

    Attributes
    ----------
    row_factors_ : ndarray of shape (n_samples, rank)
    column_factors_ : ndarray of shape (n_features, rank)
        M is row_factors_ @ column_factors_.T: the table, without its biases, divided by `column_scales_`.
    singular_values_ : ndarray of shape (rank,)
        Those of M, descending.
    components_ : ndarray of shape (rank, n_features)
        The right singular vectors of M, the entry of largest size positive.
    rank_ : int
    penalty_ : float
        λ, as given or computed.
    objective_ : float
        F(M).
    column_means_, column_scales_ : ndarray of shape (n_features,)
        What is subtracted from the columns, and what they are divided by.
    row_means_ : ndarray of shape (n_samples,)
        What is then subtracted from the rows.
    known_counts_ : ndarray of shape (n_features,)
        How many known cells each column has.
    exponent_ : int
        Cells are divided by 2^exponent_ before anything is squared, so that none is too large or too small for that.
    n_iter_ : int
        Passes.
    stopped_ : str
        "converged", or why the fit ended earlier.
    certificate_ : Certificate
        The duality gap as a part of F(M), the spectral norm of the residuals beside λ, and the gradient in the factors.

    Examples
    --------
    >>> X = [[5, None, 4], [None, 3, 4], [4, 4, None]]
    >>> SoftImpute(penalty=0.5, tol=1e-8).fit_transform(X).round(1)
    array([[5. , 3.8, 4. ],
           [3.8, 3. , 4. ],
           [4. , 4. , 3.3]])
    """

    State = FactorState
    exceptions = {
        "memory": "the known cells are kept in memory: factors of rows are not a sum",
        "sparse": "what a sparse table does not store is not 0 but unknown",
        "shift": "the filled table moves with its columns",
    }

    def __init__(
        self,
        penalty: PositiveFinite | None = None,
        *,
        max_rank: Count | None = None,
        biases: Biases | None = None,
        scale: bool = False,
        tol: NonNegative = 1e-4,
        max_iter: Count = 500,
        keep_empty_features: bool = False,
        random_state: Seed = None,
    ):
        self.penalty = penalty
        self.max_rank = max_rank
        self.biases = biases
        self.scale = scale
        self.tol = tol
        self.max_iter = max_iter
        self.keep_empty_features = keep_empty_features
        self.random_state = random_state

    def states(self, rows: Any, since: FactorState | None = None) -> Iterator[FactorState]:
        seed = draw_seed(self.random_state) if since is None else since.seed
        yield from search(self.chosen_problem(rows, seed), self.max_iter, since)

    def chosen_problem(self, rows: CompletionRows, seed: int) -> Problem:
        """(1) for the known cells."""
        penalty = strongest_penalty(rows.cells, rows.units) / 50.0 or 1.0 if self.penalty is None else self.penalty
        return self.problem(rows.cells, rows.units, penalty, self.max_rank, seed)

    def attributes(self, state: FactorState, rows: Any) -> dict[str, Any]:
        found = self.factors(self.chosen_problem(rows, state.seed), rows, state.V)
        return {**found, "n_iter_": state.iteration}

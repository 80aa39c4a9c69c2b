"""What NMF and MiniBatchNMF share: rows that are never negative, the best W for given H, and what is known of both.

With H fixed, W = argmin J row by row: exactly for the squared error (active_set.py), by multiplication for other divergences
(new_rows.py). The rows of the fit get their W as new rows do.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.naive.column_totals import cells_of, first_cell
from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import features
from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import Transformer
from aprendiz.core.pictures import display
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.stored import Check, has_shape
from aprendiz.core.sums import Sums
from aprendiz.decomposition.nonnegative.divergences import BY_NAME, Divergence
from aprendiz.decomposition.nonnegative.new_rows import settled_rows
from aprendiz.decomposition.nonnegative.penalties import Penalty
from aprendiz.decomposition.nonnegative.starts import given_start, refuse_factor
from aprendiz.decomposition.nonnegative.stationarity import RISE, best_rows, best_rows_with_gaps, end_of_least_squares, risen
from aprendiz.decomposition.nonnegative.table_facts import TableFacts, dense, facts_of, refuse_negative, stay_thin
from aprendiz.locale import _


def parts_fit_columns(held: Mapping[str, Any]) -> bool:
    """Is there an entry of each part for each column?"""
    return has_shape(held, "components_", None, held.get("n_features_in_"))


FLOORED = "the objective never rose; in it, the estimate of a cell x is at least 10⁻⁵⁰·x and 10⁻²⁰⁰"
PARTS = Check(parts_fit_columns, "components_ and n_features_in_ do not go together; fit it again")


class AllowedGaps:
    """`allows`: sparse tables, and missing cells where they count as unobserved."""

    def __get__(self, learner: Any, owner: Any) -> frozenset[str]:
        gaps = getattr(learner, "missing", "refuse") == "unobserved"
        return frozenset({"sparse", "missing"} if gaps else {"sparse"})


class Parts(ClassNamePrefixFeaturesOutMixin, Transformer, Iterative):
    """Writes rows as sums of parts."""

    stored_check = PARTS
    allows = AllowedGaps()
    in_data_dtype = frozenset({"components_"})
    frames: ClassVar[int] = 4

    n_components: Any
    beta_loss: Any
    alpha_W: float  # noqa: N815  scikit-learn's name
    alpha_H: Any  # noqa: N815
    l1_ratio: float
    tol: float
    max_iter: int
    init: Any
    random_state: Any
    components_: Array

    # ---- the rows ------------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows; a sparse table stays sparse where the method knows it."""
        rows = super().open(X, y, sample_weight, reset=reset)
        self.refuse_loss()
        return stay_thin(rows) if self.stays_thin() else rows

    def stays_thin(self) -> bool:
        """Does the method know sparse blocks?"""
        return self.squared

    def refuse_loss(self) -> None:
        """Stop at a divergence that the method does not know."""

    def starts_as_given(self) -> bool:
        return self.init == "custom" or isinstance(self.init, tuple)

    def given_factors(self, facts: TableFacts) -> tuple[Array, Array]:
        """U and V as given."""
        k = self.n_components if isinstance(self.n_components, int) else None
        return given_start(self.init, (facts.rows, facts.columns), k, type(self).__name__)

    def number_of_parts(self, facts: TableFacts) -> int:
        """k, where no start says it."""
        return facts.columns if self.n_components in ("auto", None) else int(self.n_components)

    def facts(self, rows: Rows) -> TableFacts:
        """The facts of a table that D can be asked for."""
        facts = facts_of(rows, type(self).__name__)
        self.refuse_zeros(rows, facts)
        return facts

    @property
    def squared(self) -> bool:
        """Is D half the squared error?"""
        return self.divergence.beta == 2

    def penalties(self, facts: TableFacts) -> tuple[Penalty, Penalty]:
        """On U = W, and on V = Hᵀ."""
        alpha_H = self.alpha_W if self.alpha_H == "same" else self.alpha_H
        share = float(self.l1_ratio)
        return Penalty.of(self.alpha_W, share, facts.columns), Penalty.of(alpha_H, share, facts.rows)

    def refuse_zeros(self, rows: Rows, facts: TableFacts) -> None:
        """Stop at cells that are 0 where D of them is infinite."""
        if facts.least > 0 or self.divergence.beta > 0:
            return
        rows.sum(self.refuse_zero, rows.names)

    def refuse_zero(self, names: Any, block: Block) -> int:
        X: Any = block.X
        if sparse.issparse(X) and X.nnz < X.shape[0] * X.shape[1]:
            X = X.toarray()
        if cells_of(X).min(initial=np.inf) == 0:
            row, column, _value = first_cell(X, lambda cells: cells == 0)
            where = column if names is None else repr(names[column])
            raise ValueError(
                "When beta_loss <= 0 and X contains zeros, the solver may diverge. Please add small values to X, or use a "
                f"positive beta_loss. The first zero is in row {block.start + row}, column {where}."
            )
        return 0

    def warn_of_start(self) -> None:
        warnings.warn(
            _("When init!='custom', provided W or H are ignored. Set init='custom' to use them as initialization."),
            RuntimeWarning,
            stacklevel=4,
        )

    def fit(self, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Self:
        """Find parts of the rows of X. W and H are the start of init="custom". Returns the learner itself."""
        given, self.init = self.init, self.with_start(W, H)
        try:
            return super().fit(X)
        finally:
            self.init = given

    def with_start(self, W: Any, H: Any) -> Any:
        """`init`, with the start that was passed."""
        if W is None and H is None:
            return self.init
        if self.init != "custom":
            self.warn_of_start()
            return self.init
        return W, H

    def take_parts(self, X: Any, H: Any) -> Self:
        """Parts that are given are those of the fit; the rows are only checked."""
        rows = self.open(X)
        k = self.n_components if isinstance(self.n_components, int) else None
        if H is None:
            raise ValueError("update_H=False needs H: pass the parts that are to stay as they are.")
        parts = np.asarray(H)
        refuse_factor(parts, (k, rows.columns), f"{type(self).__name__} (input H)")
        return self.settle({**rows.noted, "components_": parts.astype(np.float64), "n_components_": len(parts)})

    def fit_transform(self, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Any:
        """Fit, and return the W of the rows."""
        return self.fit(X, W=W, H=H).transform(X)

    # ---- W for given H -------------------------------------------------------------------------------------------------

    def change(self, X: Any) -> Array:
        """The best W of some rows."""
        refuse_negative(Block(X, None, None, 0), type(self).__name__, getattr(self, "feature_names_in_", None))
        V = np.ascontiguousarray(double(self.components_).T)
        penalty = Penalty.of(self.alpha_W, float(self.l1_ratio), len(V))
        if "missing" in self.allows:
            found = best_rows_with_gaps(dense(X), V, penalty)
        elif self.squared:
            found = best_rows(X, V, penalty)
        else:
            found = settled_rows(X, V, self.divergence, penalty, self.tol, self.most_steps())[0]
        return in_dtype_of(found, X, self.components_)

    @property
    def divergence(self) -> Divergence:
        """D. A β that is 0 or 1, but for 10⁻⁶, is 0 or 1, near which D loses its digits."""
        beta = BY_NAME[self.beta_loss] if isinstance(self.beta_loss, str) else float(self.beta_loss)
        whole = round(beta)
        return Divergence(float(whole) if abs(beta - whole) < 1e-6 else beta)

    def most_steps(self) -> int:
        """Of multiplication, for new rows."""
        return self.max_iter

    def transform(self, X: Any) -> Any:
        """How much of each part the rows have: W, for the H of the fit."""
        rows = self.new_rows(X)
        return rows.map(self.change) if isinstance(X, Rows) else stay_thin(rows).apply_transform(self.change)

    def inverse_transform(self, X: Any) -> Array:
        """W H: the rows that are made of the parts in the amounts of W."""
        check_is_fitted(self)
        if isinstance(X, Rows):
            raise TypeError("Opened rows cannot be transformed back: give an array of W.")
        if not sparse.issparse(X):
            X, _noted = features(self, X, reset=True)
        if X.shape[1] != len(self.components_):
            needed = f"{len(self.components_)} components need as many coordinates"
            raise ValueError(f"X has {X.shape[1]} features, but {needed}: give one for each.")
        with single_blas(float(X.shape[0]) * self.components_.size):
            return in_dtype_of(np.asarray(X @ double(self.components_)), X, self.components_)

    def plot(self, ax: Any = None, *, shape: tuple[int, int] | None = None) -> Any:
        """A picture of the parts; `shape` says how many rows and columns of pixels they have, if they are pictures."""
        return display("PartsDisplay").from_estimator(self, shape=shape, ax=ax)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    # ---- what is known -------------------------------------------------------------------------------------------------

    def known_of(self, V: Array, log: Array, rows: Rows) -> dict[str, Any]:
        """The error, and the certificate."""
        facts = facts_of(rows, type(self).__name__)
        on_rows, on_columns = self.penalties(facts)
        if self.squared:
            error, known = end_of_least_squares(rows, V, log, facts, (on_rows, on_columns))
            return {"reconstruction_err_": error, "certificate_": known}
        divergence = self.divergence
        total = rows.sum(best_divergence, V, divergence, on_rows, self.tol, self.most_steps())
        objective = total.divergence + total.penalty + on_columns.on(V)
        rise = risen(log, max(float(log[0]), total.size)) if len(log) else 0.0
        cost = float(log[-1]) if len(log) else objective
        values = {"objective": objective, "rise": rise, "cost": cost, "log": log}
        return {
            "reconstruction_err_": float(np.sqrt(2.0 * max(total.divergence, 0.0))),
            "certificate_": Certificate(
                FLOORED if self.divergence.beta < 2 else "the objective never rose", rise <= RISE, values
            ),
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


@dataclass(frozen=True)
class Total(Sums):
    """ΣD, its size, and the penalty on the rows."""

    divergence: float
    size: float
    penalty: float


def best_divergence(V: Array, divergence: Divergence, penalty: Penalty, tol: float, most: int, block: Block) -> Total:
    """ΣD of some rows at their best U."""
    U, total = settled_rows(block.X, V, divergence, penalty, tol, most)
    return Total(total, divergence.size(block.X), penalty.on(U))

"""Knockoffs: every column against a copy of itself that knows nothing of the target.

    X̃ with the correlations of X, independent of y given X;     W_j > 0 if column j says more of y than its copy     (1)
    keep W_j ≥ T,     T so that #{W_j ≤ −T} / #{W_j ≥ T} is small                                             (2)

Copies are made in knockoffs/copies.py, T in knockoffs/stopping.py. Whatever the learner that looks at columns and copies: on
average at most a share `fdr` of what is kept is of no use. By default it is the path of the lasso, of classes the logistic
one, and with e the penalty at which a column enters

    W_j = max(e_j, ẽ_j)·sign(e_j − ẽ_j)                                                                       (3)

Column and copy change places at random before they are looked at, so that no order is preferred.

Cost: a path of 2d columns, and the copies.
References: Barber & Candès, "Controlling the false discovery rate via knockoffs", Annals of Statistics 43, 2015; Candès, Fan,
Janson & Lv, "Panning for gold", JRSS B 80, 2018.
"""

from __future__ import annotations

import warnings
from typing import Annotated, Any, Literal, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone

from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import ParameterError, Seed, Within, check_parameters
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.locale import _
from aprendiz.selection.importances.importance_threshold import norms
from aprendiz.selection.importances.penalty_paths import entries, falling, least_penalty, standardised
from aprendiz.selection.keeping.order import best_first, ranks
from aprendiz.selection.knockoffs.copies import MANY_COLUMNS, SOME_COLUMNS, Copies, fixed_copies, gaussian_copies
from aprendiz.selection.knockoffs.distances import Distance
from aprendiz.selection.knockoffs.stopping import knockoff_qvalues, knockoff_threshold
from aprendiz.selection.search.wrapper import refuse_no_estimator
from aprendiz.selection.shared.feature_importances import raw_importances
from aprendiz.selection.shared.selector import IN_MEMORY, Selector, refuse_nothing
from aprendiz.selection.shared.target_of_task import Task, as_floats, open_for_task, refuse_few_rows

PENALTIES = 200
STREAM = 0x6B6F  # beside the seed: the table itself may have been drawn from it
Share = Annotated[float, Within(0, 1, above=True)]


class KnockoffSelection(MetaEstimatorMixin, Selector):
    """Keep columns that beat their knockoffs, with a bound on the share of false findings.

    Parameters
    ----------
    estimator : learner, optional
        With `coef_` or `feature_importances_`, fitted to columns and copies: W is the importance of the column less that of
        its copy. By default (3).
    fdr : float, default=0.1
        The share of columns of no use among those kept, on average at most. With offset 1, fewer than 1/fdr columns are
        never kept.
    offset : {1, 0}, default=1
        1 bounds the false discovery rate (knockoff+); 0 the modified one, which keeps more where few columns matter.
    method : {"auto", "fixed", "gaussian"}, default="auto"
        "fixed": nothing is assumed of the columns, and a linear model with normal noise of a target that is a quantity; needs
        more rows than columns. "gaussian": nothing is assumed of the target, and rows with two moments of a normal
        distribution. "auto": "fixed" for a quantity if n ≥ 2d, else "gaussian".
    distance : {"auto", "largest_entropy", "largest_sum", "equicorrelated"}, default="auto"
        How far copies are from their columns. "largest_entropy": as far as all can be without depending on each other;
        "largest_sum": far in sum, which may leave some copies next to their columns; "equicorrelated": the same for all. Other
        programs call them "maxent", "sdp" and "equi". "auto": the first, above 500 columns the last.
    task : {"auto", "classification", "regression"}, default="auto"
        Whether the target is one of classes or a quantity, as in `VariableRanking`.
    random_state : int, RandomState or None, default=0

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        W; 0 of a constant column.
    qvalues_ : ndarray of shape (n_features,)
        The smallest `fdr` at which each column is kept; 1 if there is none.
    threshold_ : float
        T of (2); infinite if nothing is kept.
    ranking_ : ndarray of shape (n_features,)
        1 for the largest W; equal columns share a place.
    order_ : ndarray
        The kept columns, that of the largest W first.
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    distances_ : ndarray of shape (n_features,)
        s: one less the correlation of each column with its copy.
    method_ : {"fixed", "gaussian"}
    shrinkage_ : float
        How far the correlations are shrunk towards 0.
    classes_ : ndarray or None
    certificate_ : Certificate
        The estimated share of false findings at T, and that it is at most `fdr`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(300, 60))
    >>> y = X[:, :12].sum(axis=1) + np.random.default_rng(1).normal(size=300)
    >>> KnockoffSelection().fit(X, y).get_support(indices=True)
    array([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 21])
    """

    allows = frozenset()
    least_classes = 2
    several_targets = False
    exceptions = {
        **Selector.exceptions,
        "files": IN_MEMORY,
        "dask": IN_MEMORY,
        "row order": "copies are drawn row by row",
        "column order": "copies are drawn column by column",
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        fdr: Share = 0.1,
        offset: Literal[0, 1] = 1,
        method: Literal["auto", "fixed", "gaussian"] = "auto",
        distance: Distance | Literal["auto"] = "auto",
        task: Task = "auto",
        random_state: Seed = 0,
    ):
        self.estimator = estimator
        self.fdr = fdr
        self.offset = offset
        self.method = method
        self.distance = distance
        self.task = task
        self.random_state = random_state

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, **refused: Any) -> Self:
        """Make the copies, and compare. Weights are refused. Returns the selector itself."""
        refuse_weights(refused)
        check_parameters(self)
        if self.estimator is not None:
            refuse_no_estimator(self.estimator)
        rows = open_for_task(self, X, y, self.task)
        refuse_few_rows(rows.count or 0, 4, "correlations need")
        random = np.random.default_rng([draw_seed(self.random_state), STREAM])
        Z = standardised(as_floats(rows.X))
        varies = np.asarray(Z.any(axis=0))
        refuse_nothing(varies, "every column is constant. Check how the table was read.")
        W, s = np.zeros(rows.columns), np.zeros(rows.columns)
        with single_blas():
            copies, method = self.copies(Z[:, varies], rows, random)
            W[varies], s[varies] = self.compared(copies, rows, random), copies.distance
        found = self.chosen(W)
        told = {"distances_": s, "method_": method, "shrinkage_": copies.shrinkage, "classes_": rows.labels}
        return self.settle({**rows.noted, **found, **told})

    def copies(self, Z: Array, rows: ArrayRows, random: np.random.Generator) -> tuple[Copies, str]:
        """The copies, and how they were made."""
        n, d = Z.shape
        method = self.method
        if method == "auto":
            method = "fixed" if rows.labels is None and 2 * d <= n else "gaussian"
        if method == "fixed" and rows.labels is not None:
            raise ValueError("method='fixed' is for a target that is a quantity: choose method='gaussian' for classes.")
        kind = self.distance
        if kind == "auto":
            kind = "largest_entropy" if d <= SOME_COLUMNS else "equicorrelated"
        if kind != "equicorrelated" and d > MANY_COLUMNS and method == "gaussian":
            raise ParameterError(
                f"distance={kind!r} takes d³ for each of many steps, and there are {d} columns: choose 'equicorrelated'."
            )
        assert rows.y is not None
        if method == "fixed":
            return fixed_copies(Z, rows.y.astype(np.float64), kind, random), method
        y = rows.y if rows.labels is not None else rows.y.astype(np.float64) - rows.y.mean()
        return gaussian_copies(Z, y, kind, random), method

    def compared(self, copies: Copies, rows: ArrayRows, random: np.random.Generator) -> Array:
        """W of each column."""
        Z, copy, d = copies.Z, copies.copy, copies.Z.shape[1]
        changed = random.random(d) < 0.5
        both = np.empty((len(Z), 2 * d))
        both[:, :d], both[:, d:] = np.where(changed, copy, Z), np.where(changed, Z, copy)
        first, second = self.importances(both, copies.y, rows)
        sign = np.where(changed, -1.0, 1.0)
        if self.estimator is None:
            return np.asarray(sign * np.sign(first - second) * np.maximum(first, second))
        return np.asarray(sign * (first - second))

    def importances(self, both: Array, y: Array, rows: ArrayRows) -> tuple[Array, Array]:
        """How much the columns say in each of the two places."""
        d = both.shape[1] // 2
        if self.estimator is None:
            penalties = falling(PENALTIES, least_penalty(*both.shape))
            entry = entries(both, y, rows.labels, penalties).entry
        else:
            entry = norms(raw_importances(clone(self.estimator).fit(both, y)), 2)
        return entry[:d], entry[d:]

    def chosen(self, W: Array) -> dict[str, Any]:
        """The fitted attributes."""
        T = knockoff_threshold(W, self.fdr, self.offset)
        support = W >= T
        kept, against = int(support.sum()), int((-T >= W).sum()) if np.isfinite(T) else 0
        share = (self.offset + against) / max(1, kept) if kept else 0.0
        qvalues = knockoff_qvalues(W, self.offset)
        if not kept:
            self.warn_of_none(W, qvalues)
        order = best_first(W)
        claim = "the share of false findings, estimated by the copies that win, is at most the one allowed"
        known = {"share": share, "allowed": self.fdr, "kept": kept, "copies": against, "threshold": T}
        return {
            "scores_": W,
            "qvalues_": qvalues,
            "threshold_": T,
            "ranking_": ranks(W, order=order),
            "order_": order[support[order]],
            "support_": support,
            "certificate_": Certificate(claim, bool(share <= self.fdr), known),
        }

    def warn_of_none(self, W: Array, qvalues: Array) -> None:
        """That no column is kept."""
        words = _(
            "No column is kept at fdr={fdr}: {won} of {columns} columns beat their copies, and the smallest fdr that keeps any "
            "is {smallest}. Raise fdr; with offset=1, fewer than {least} columns are never kept at {fdr}, with offset=0 they "
            "may be."
        )
        shown = {"fdr": f"{self.fdr:g}", "won": int((W > 0).sum()), "columns": len(W)}
        told = {"smallest": f"{qvalues.min():.3g}", "least": int(np.ceil(1.0 / self.fdr - 1e-9))}
        warnings.warn(words.format(**shown, **told), UserWarning, stacklevel=4)

    def transform(self, X: Any) -> Any:
        """The kept columns of X."""
        refuse_nothing(self.get_support(), f"none beats its copy clearly enough for fdr={self.fdr:g}. See `qvalues_`.")
        return super().transform(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def refuse_weights(told: dict[str, Any]) -> None:
    """Stop at weights: a row of weight two is no second independent row, and rows chosen by weight have other correlations."""
    if "sample_weight" in told:
        raise TypeError(
            "KnockoffSelection takes no sample_weight: its promise is for rows that are independent and of one distribution. "
            "Leave the weights out, or use StabilitySelection, which takes them."
        )
    if told:
        raise TypeError(f"KnockoffSelection.fit takes X and y, and got {', '.join(sorted(told))} too: leave that out.")

"""A set of columns judged on inner folds: the learner is fitted to the training rows in these columns, and its test rows are
scored.

    J(S) = mean over folds of score(fit(X_train,S, y_train), X_test,S, y_test)                                 (1)

Sets that were judged before are remembered. A learner of one pass is fitted from the sums of the other folds, where the folds
divide the rows; what follows from sums by updating stands in `selection/updating`. A fit that fails scores NaN
(failed_fits.py).

These fits are parts of a search: `training` watches, limits and stores the search, not them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from aprendiz.core.blas import single_blas
from aprendiz.core.iteration import _training
from aprendiz.core.learner import OnePass
from aprendiz.core.routing import of_some_rows
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.locale import _
from aprendiz.selection.search.failed_fits import FailedFit, FailedFits
from aprendiz.selection.updating.updated_scores import FoldData, UpdatedScores, updated_scores
from aprendiz.summaries.other_folds import OtherFolds

MOST_SETS = 100_000  # whose scores are remembered
OF_CONSTANT_COLUMNS = ("The rows do not vary within their classes", "Column [0-9]+ is constant in each class")
LARGEST = 2.0**100  # whose fourth power, times many rows and columns, is a number in double precision


class InnerFolds:
    """(1). `X` is an array, a sparse matrix or a frame, `y` the target as it was given (None for none)."""

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        splits: Sequence[tuple[Array, Array]],
        scoring: Any,
        scorer: Any,
        of_fit: Mapping[str, Any],
        of_score: Mapping[str, Any],
        n_jobs: int | None = None,
    ):
        self.estimator, self.X, self.y, self.splits = estimator, X, y, splits
        self.scoring, self.scorer, self.of_fit, self.of_score = scoring, scorer, of_fit, of_score
        self.n_jobs, self.rows = n_jobs, X.shape[0]
        self.known: dict[bytes, Array] = {}
        self.from_sums: dict[bytes, Array] = {}
        self.failed = FailedFits()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"known": {}, "from_sums": {}, "failed": FailedFits()}  # for another process

    def on(self, splits: Sequence[tuple[Array, Array]]) -> InnerFolds:
        """The same with other folds, and the learner's own measure."""
        return InnerFolds(self.estimator, self.X, self.y, splits, None, None, self.of_fit, {})

    # ---- one set -----------------------------------------------------------------------------------------------------------

    def scores(self, chosen: Array) -> Array:
        """The scores of the folds for a set, a mask of the columns; NaN where the learner fails."""
        found = self.known.get(key_of(chosen))
        return self.remembered(chosen, *self.judged(chosen)) if found is None else found

    def scores_of_each(self, sets: Iterable[Array]) -> Array:
        """The scores of several sets, one below the other, by several processes if asked."""
        if self.n_jobs is None:
            return np.stack([self.scores(chosen) for chosen in sets])
        sets = list(sets)
        new = [chosen for chosen in sets if key_of(chosen) not in self.known]
        judged = Parallel(n_jobs=self.n_jobs)(delayed(self.judged)(chosen) for chosen in new)
        found = {key_of(chosen): self.remembered(chosen, *one) for chosen, one in zip(new, judged, strict=True)}
        return np.stack([found[key] if (key := key_of(chosen)) in found else self.scores(chosen) for chosen in sets])

    def remembered(self, chosen: Array, found: Array, failed: list[FailedFit]) -> Array:
        """The scores of a set, when they are known and its fits have been counted."""
        if len(self.known) >= MOST_SETS:
            self.known = {}
        self.known[key_of(chosen)] = found
        return self.counted(found, failed)

    def refitted(self, chosen: Array) -> Array:
        """The scores of plain fits, without the sums of other folds."""
        if not isinstance(self.estimator, OnePass):
            return self.scores(chosen)
        return self.counted(*self.judged(chosen, sums=False))

    def counted(self, found: Array, failed: list[FailedFit]) -> Array:
        """The scores of a set, when its fits have been counted."""
        self.failed.count(len(found), failed)
        return found

    def quick_scores(self, chosen: Array, labels: Array | None, codes: Any, weight: Array | None) -> Array:
        """The scores of a set from sums in its columns alone, where the learner's answers follow from them; else as above."""
        key = key_of(chosen)
        if key not in self.from_sums:
            part = self.on_columns(chosen).updated(labels, codes, weight)
            found = np.full(len(self.splits), np.nan)
            if part is not None:
                part.go(np.ones(int(chosen.sum()), dtype=bool), ())
                found = part.here()
            self.from_sums[key] = self.scores(chosen) if np.isnan(found).any() else found
        return self.from_sums[key]

    def on_columns(self, chosen: Array) -> InnerFolds:
        """The same folds of some columns."""
        X = columns_of(self.X, chosen)
        return InnerFolds(self.estimator, X, self.y, self.splits, self.scoring, self.scorer, self.of_fit, self.of_score)

    def judged(self, chosen: Array, *, sums: bool = True) -> tuple[Array, list[FailedFit]]:
        """(1) without the mean, and the fits that failed. That a set does not vary within the classes needs no warning: its
        score says it."""
        with warnings.catch_warnings():
            for said in OF_CONSTANT_COLUMNS:
                warnings.filterwarnings("ignore", said)
            return self.scores_of_fits(chosen, sums)

    def scores_of_fits(self, chosen: Array, sums: bool) -> tuple[Array, list[FailedFit]]:
        """The scores of the folds, and the fits that failed."""
        X, columns = columns_of(self.X, chosen), np.flatnonzero(chosen)
        found, failed = np.full(len(self.splits), np.nan), list[FailedFit]()
        others = self.other_folds(X) if sums else None
        for fold in range(len(self.splits)):
            try:
                score = self.score_of_fit(X, fold, others)
            except MemoryError:
                raise
            except Exception as error:
                failed.append(FailedFit.of(fold, columns, error))
            else:
                found[fold] = one_number(score)
        return found, failed

    def score_of_fit(self, X: Any, fold: int, others: OtherFolds | None) -> Any:
        """What the measure says of a fold. A fit from sums that cannot vouch for its digits is made anew from the rows."""
        train, test = self.splits[fold]
        model = clone(self.estimator)
        if others is None or not vouched(model, others, fold):
            self.fit(model, X, train)
        return self.score(model, X, test)

    def other_folds(self, X: Any) -> OtherFolds | None:
        """The sums of the other folds, for a learner of one pass. Where they cannot be had, fits will say why."""
        if not isinstance(self.estimator, OnePass) or self.of_fit or not isinstance(X, np.ndarray):
            return None
        try:
            with np.errstate(over="raise", invalid="raise"):
                return OtherFolds.of(self.estimator, X, self.y, self.splits)
        except (ValueError, FloatingPointError):
            return None

    def fit(self, model: Any, X: Any, rows: Array | None = None) -> Any:
        """A learner fitted to some rows of a table, or to all."""
        table = X if rows is None else _safe_indexing(X, rows)
        told = of_some_rows(self.of_fit, rows, self.rows)
        target = () if self.y is None else (self.y if rows is None else self.y[rows],)
        with apart():
            return model.fit(table, *target, **told)

    def score(self, model: Any, X: Any, test: Array) -> Any:
        """What the measure says of the test rows."""
        table, told = _safe_indexing(X, test), of_some_rows(self.of_score, test, self.rows)
        target = () if self.y is None else (self.y[test],)
        with np.errstate(over="ignore", invalid="ignore"):  # errors without bounds have the worst score, or none
            return self.scorer(model, table, *target, **told)

    # ---- all sets that are one column away -----------------------------------------------------------------------------------

    def updated(
        self, labels: Array | None, codes: Any, weight: Array | None, *, shrinking: bool = False
    ) -> UpdatedScores | None:
        """The learner's answers without new fits, where there is a way (selection/updating): for any sets, or for `shrinking`
        ones, from which columns only leave."""
        told = set(self.of_fit) - {"sample_weight"}
        X = self.X.toarray() if sparse.issparse(self.X) and self.X.shape[0] * self.X.shape[1] <= 2**22 else self.X
        if told or self.of_score or not isinstance(X, np.ndarray) or X.dtype.kind not in "fiu" or codes is None:
            return None
        if not has_fourth_powers(X):
            return None
        data = FoldData(X, codes, labels, weight, self.splits)
        return updated_scores(self.estimator, data, self.scoring, self.scorer, shrinking=shrinking)


def has_fourth_powers(X: Any) -> bool:
    """Are the numbers so far from the ends of the range that products of their sums of squares are numbers, too? Elsewhere
    answers are not updated: the learner knows what it takes."""
    low, high = X.min(axis=0), X.max(axis=0)
    varies = high > low  # not where a cell is missing
    if max(-low.min(), high.max()) > LARGEST:
        return False
    return bool((high[varies] - low[varies] > 1.0 / LARGEST).all())


def vouched(model: Any, others: OtherFolds, fold: int) -> bool:
    """Fit from the sums of the other folds: is there a fit, and does its certificate hold?"""
    try:
        with single_blas():
            others.fit(model, fold)
        return bool(model.certificate_.holds)
    except (ValueError, np.linalg.LinAlgError):
        return False


def one_number(score: Any) -> float:
    """A score, if it is a number."""
    if np.ndim(score) or isinstance(score, dict):
        raise ValueError(f"scoring must give one number for each fold, got {score!r}.")
    return float(score)


@contextmanager
def apart() -> Iterator[None]:
    """Fits inside are no affair of `training`: an interrupt goes on to the search, and its budget does not break them off."""
    token = _training.set(None)
    try:
        yield
    finally:
        _training.reset(token)


def key_of(chosen: Array) -> bytes:
    """A name of a set: a hash, since there may be many sets of many columns."""
    return blake2b(np.packbits(chosen).tobytes(), digest_size=16).digest()


def columns_of(X: Any, chosen: Array) -> Any:
    """Some columns of a table of any kind."""
    if isinstance(X, np.ndarray):
        return X if chosen.all() else np.ascontiguousarray(X[:, chosen])
    if sparse.issparse(X):
        return X[:, np.flatnonzero(chosen)]
    return _safe_indexing(X, np.flatnonzero(chosen), axis=1)


def look_for_classes(splits: Sequence[tuple[Array, Array]], codes: Array, labels: Array) -> None:
    """Say which fold lacks a class among its training rows; stop where fewer than two are left."""
    for fold, (train, _test) in enumerate(splits):
        counts = np.bincount(codes[train], minlength=len(labels))
        if (counts > 0).all():
            continue
        lacking, rows = plain(labels[counts.argmin()]), int((codes == counts.argmin()).sum())
        said = _(
            "Fold {fold} of cv: its training rows hold no row of the class {lacking}, which has {rows} in all. Give fewer "
            "folds, stratified ones (a number as cv makes such), or leave the class out."
        ).format(fold=fold, lacking=repr(lacking), rows=rows)
        if (counts > 0).sum() < 2:
            raise ValueError(said)
        warnings.warn(said, UserWarning, stacklevel=7)
        return


def refuse_single_rows(splits: Sequence[tuple[Array, Array]]) -> None:
    """Stop at a fold for which R² is not defined."""
    for fold, (_train, test) in enumerate(splits):
        if len(test) < 2:
            raise ValueError(
                f"Fold {fold} of cv has a single test row, and R² needs two: give fewer folds, or another measure, such as "
                "scoring='neg_mean_squared_error'."
            )

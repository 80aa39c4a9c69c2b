"""The penalty of logistic regression chosen by cross-validation, along paths.

For each fold the penalty is lowered step by step on the training rows, each fit started from the one before (logistic_path.py),
and the score of each on the test rows is kept. The C with the largest mean score is taken; or, with `rule="one_se"`, the
smallest one whose mean score is within a standard error of it,

    C_1SE = min{C: s(C) ≥ s(C*) − σ(C*)/√k},     σ the standard deviation over the k folds                    (1)

a simpler model that cannot be told from the best one. Then all rows are fitted with it (logistic_regression.py).

The folds are fitted side by side. Rows that are not in memory stay where they are: a fold leaves its test rows out by giving
them no weight, and only the accuracy is known of them.

Cost: k paths over the rows, about three passes for each C.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., sections 4.4 and 7.10.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import check_cv

from aprendiz.core.certificate import Certificate
from aprendiz.core.class_weights import reweighted
from aprendiz.core.inputs import with_own_target
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, ParameterError, Seed, Whole, Within
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.sums import Sums
from aprendiz.core.targets import plain
from aprendiz.core.threads import ordered_map
from aprendiz.linear import LogisticRegression
from aprendiz.linear.designs.fold_sums import chosen, refuse_folds
from aprendiz.linear.paths.logistic_path import Fit, Path
from aprendiz.linear.shared.linear_classifier import LinearClassifier

Rule = Literal["best", "one_se"]


class LogisticRegressionCV(LinearClassifier, Passes):
    """Logistic regression with its penalty chosen by cross-validation (drop-in for scikit-learn's; along warm paths).

    Parameters
    ----------
    Cs : int or array of floats, default=10
        Number of values of C between 10⁻⁴ and 10⁴ to try, or the values; `np.inf` is no penalty.
    l1_ratios : array of floats between 0 and 1, or None
        The values of ρ (logistic_regression.py) that are tried; None (and the default) is 0.
    fit_intercept : bool, default=True
    cv : int, splitter, splits or None, default=None
        Cross-validation folds, stratified if a number; None is 5.
    penalty : "l1", "l2" or "elasticnet"
        Deprecated in scikit-learn, accepted here: ρ = 1, ρ = 0, ρ of `l1_ratios`.
    scoring : str, function or None
        The score to maximise, also used by `score`; None (and the default) is the accuracy.
    tol, max_iter
        See LogisticRegression.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes in the fits; "balanced" is computed from all rows. Scores use sample weights only.
    refit : bool, default=True
        Whether to refit all rows with the best mean score; otherwise average the best fit of each fold.
    use_legacy_attributes : bool, default=True
        The form of C_, l1_ratio_, coefs_paths_, scores_ and n_iter_: the first or the second below.
    rule : "best" or "one_se", default="best"
        Choose the C with the best mean score, or the smallest one within one standard error of it.
    dual, intercept_scaling
        Not supported: only the default is accepted.
    solver, random_state, n_jobs, verbose
        No effect.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    Cs_ : ndarray of shape (n_cs,)
    l1_ratios_ : ndarray of shape (n_l1_ratios,)
    C_, l1_ratio_ : ndarray of shape (n_classes,) or float
        What was chosen, repeated for each class.
    scores_ : dict of ndarray of shape (n_folds, n_cs), or ndarray of shape (n_folds, n_l1_ratios, n_cs)
        By class, the same for each of them; (n_folds, n_cs, n_l1_ratios) if `l1_ratios` are given.
    coefs_paths_ : dict of ndarray of shape (n_folds, n_cs, n_dof), or ndarray (n_folds, n_l1_ratios, n_cs, n_classes, n_dof)
        Coefficients, and the intercept last, likewise.
    n_iter_ : ndarray of shape (1, n_folds, n_cs) or (n_folds, n_l1_ratios, n_cs)
        Passes over the rows of each fit, likewise.
    certificate_ : Certificate
        Whether the best C lies inside the grid; its mean score and the standard error of that.
    """

    allows = frozenset({"sparse"})
    differences = {
        "penalty": "another form: deprecated in scikit-learn; here l1, l2 and elasticnet mean what they did",
        "dual": "refused: the primal problem is solved",
        "intercept_scaling": "refused: the intercept is not penalised",
        "random_state": "no effect: nothing depends on chance",
        "solver": "no effect: chosen by the penalty and the size",
        "verbose": "no effect: nothing is printed",
        "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
        "n_iter_": "another form: passes over the rows",
        "l1_ratio_": "another form: with refit=False the mean of what was best in each fold, for l1 too",
        "use_legacy_attributes": "another form: the defaults 'warn' mean what they do in scikit-learn, without a warning",
    }
    exceptions = {
        "scaling": "the penalty is not invariant to the scale of the columns",
        "weights": "folds are counted in rows: a row that stands twice moves the others to other folds",
        "row order": "folds are counted in rows, as in scikit-learn",
        "files": "rows that are not in memory are summed in other groups, with the test rows of a fold at weight 0",
        "check_sparsify_coefficients": "three rows of each class cannot be divided among five folds",
        "dask": "rows that are not in memory are summed in other groups, with the test rows of a fold at weight 0",
    }

    def __init__(
        self,
        *,
        Cs: Count | ArrayLike = 10,
        l1_ratios: ArrayLike | Literal["warn"] | None = "warn",
        fit_intercept: bool = True,
        cv: Any = None,
        dual: bool = False,
        penalty: Literal["deprecated", "l1", "l2", "elasticnet"] = "deprecated",
        scoring: str | Callable[..., float] | None = "warn",
        solver: Literal["lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"] = "lbfgs",
        tol: NonNegative = 1e-4,
        max_iter: Whole = 100,
        class_weight: dict[Any, Any] | Literal["balanced"] | None = None,
        n_jobs: int | None = None,
        verbose: Whole | bool = 0,
        refit: bool = True,
        intercept_scaling: float = 1.0,
        random_state: Seed = None,
        use_legacy_attributes: bool | Literal["warn"] = "warn",
        rule: Rule = "best",
    ):
        self.Cs = Cs
        self.l1_ratios = l1_ratios
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.dual = dual
        self.penalty = penalty
        self.scoring = scoring
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.refit = refit
        self.intercept_scaling = intercept_scaling
        self.random_state = random_state
        self.use_legacy_attributes = use_legacy_attributes
        self.rule = rule

    # ---- what is asked for ---------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        for name, usual in {"dual": False, "intercept_scaling": 1}.items():
            if getattr(self, name) != usual:
                raise ValueError(f"{name}={getattr(self, name)!r} is not available: {self.differences[name]}.")
        rows = super().open(X, y, sample_weight, reset=reset)
        if in_memory(rows):
            rows = rows.compact()
        rows.width = (0 if rows.labels is None else len(rows.labels)) * (1 + rows.columns)
        return rows

    def refuse_combinations(self, rows: Rows) -> None:
        """What cannot go together."""
        if self.rule == "one_se" and not self.refit:
            raise ValueError('rule="one_se" compares means over the folds: it needs refit=True.')
        if self.penalty == "elasticnet" and self.given_shares is None:
            raise ValueError(f"penalty={self.penalty!r} needs l1_ratios: give numbers between 0 and 1.")
        said = {"l1": 1.0, "l2": 0.0}.get(self.penalty)
        if said is not None and any(share != said for share in self.shares):
            raise ValueError(f"penalty={self.penalty!r} and l1_ratios={self.l1_ratios!r} contradict each other: leave one out.")
        if self.judge is not None and not in_memory(rows):
            raise TypeError(f'scoring={self.scoring!r} needs the rows in memory: use "accuracy", or fit a sample of the rows.')

    @property
    def grid(self) -> Array:
        """The values of C."""
        if isinstance(self.Cs, (int, np.integer)):
            return np.logspace(-4, 4, int(self.Cs))
        return numbers_of("Cs", self.Cs, Within(0, above=True))

    @property
    def given_shares(self) -> Any:
        """`l1_ratios`, or None."""
        return None if isinstance(self.l1_ratios, str) else self.l1_ratios

    @property
    def shares(self) -> list[float]:
        """The values of ρ."""
        if self.given_shares is None:
            return [1.0 if self.penalty == "l1" else 0.0]
        return [float(share) for share in numbers_of("l1_ratios", self.given_shares, Within(0, 1))]

    @property
    def judge(self) -> Any:
        """A scorer, or None for the accuracy."""
        return None if self.scoring in (None, "warn", "accuracy") else get_scorer(self.scoring)

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def learned(self, rows: Rows) -> dict[str, Any]:
        """Scores of all penalties in all folds, the best of them, and a fit to all rows with it."""
        Cs = self.grid
        self.refuse_combinations(rows)
        splits = self.splits(rows)
        weighted = rows if self.class_weight is None else reweighted(rows, self.class_weight)
        paths, passes = self.paths(weighted, splits, Cs)
        scores = self.scored(rows, splits, paths)
        best = highest(scores)
        if self.refit:
            place, number = self.simplest(scores, Cs, best)
            C, share = float(Cs[number]), self.shares[place]
            planes = self.refitted(weighted, C, share, paths[:, place, number].mean(axis=0))
        else:
            planes, C, share = self.averaged(scores, paths, Cs)
        return {
            "classes_": rows.labels,
            **as_attributes(planes),
            "Cs_": Cs,
            "l1_ratios_": np.array([None]) if self.given_shares is None else np.asarray(self.l1_ratios),
            **self.formed(rows.labels, paths, scores, passes, C, share),
            "certificate_": certified(scores, Cs, best, C),
        }

    def splits(self, rows: Rows) -> list[tuple[Array, Array]]:
        """The numbers of the training rows and of the test rows of each fold."""
        assert rows.labels is not None
        codes = np.asarray(rows.y) if in_memory(rows) else rows.each(lambda block: block.y)
        X, y = (rows.X if in_memory(rows) else np.empty((len(codes), 1))), rows.labels[codes]
        cv = 5 if self.cv is None else self.cv
        if isinstance(cv, (int, np.integer)):
            refuse_folds(cv, len(y))
            refuse_thin_classes(cv, y)
        found = [(row_numbers(train), row_numbers(test)) for train, test in check_cv(cv, y, classifier=True).split(X, y)]
        for number, (train, test) in enumerate(found):
            if len(train) == 0 or len(test) == 0:
                raise ValueError(f"Fold {number} of cv has {len(train)} training rows and {len(test)} test rows: give it both.")
            if (codes[train] == codes[train[0]]).all():
                only = plain(y[train[0]])
                raise ValueError(f"Fold {number} of cv trains on one class, {only!r}: give fewer or stratified folds.")
        return found

    def paths(self, rows: Rows, splits: Sequence[tuple[Array, Array]], Cs: Array) -> tuple[Array, Array]:
        """Planes (folds, shares, Cs, outputs, coefficients and the intercept) and passes (folds, shares, Cs)."""
        upwards = np.argsort(Cs, kind="stable")

        def followed(item: tuple[tuple[Array, Array], float]) -> list[Fit]:
            (train, test), share = item
            path = Path.of(rows_of_fold(rows, train, test), share, self.fit_intercept, self.tol, self.max_iter)
            fits = list(path.fits(1.0 / Cs[upwards]))
            return [fits[place] for place in np.argsort(upwards)]

        items = [(split, share) for split in splits for share in self.shares]
        found = [fit for fits in (ordered_map if in_memory(rows) else map)(followed, items) for fit in fits]
        if early := sum(not fit.ended for fit in found):
            message = f"{early} of the {len(found)} fits in the folds of LogisticRegressionCV stopped early."
            remedy = f"Raise max_iter (it is {self.max_iter}), or scale the columns."
            warnings.warn(f"{message} {remedy}", ConvergenceWarning, stacklevel=5)
        shape = (len(splits), len(self.shares), len(Cs))
        planes = np.array([fit.plane for fit in found])
        return planes.reshape(*shape, *planes.shape[1:]), np.array([fit.passes for fit in found], np.int32).reshape(shape)

    def simplest(self, scores: Array, Cs: Array, best: tuple[int, int]) -> tuple[int, int]:
        """Numbers of ρ and C that are chosen: the best, or (1)."""
        place, number = best
        if self.rule == "one_se":
            mean = scores.mean(axis=0)
            within = np.flatnonzero(mean[place] >= mean[best] - standard_error(scores, best))
            number = int(within[Cs[within].argmin()])
        return place, number

    def refitted(self, rows: Rows, C: float, share: float, near: Array) -> Array:
        """All rows fitted with the penalty that was chosen, from a plane that is near."""
        model = LogisticRegression(
            C=C, l1_ratio=share, tol=self.tol, max_iter=self.max_iter, fit_intercept=self.fit_intercept, warm_start=True
        )
        *_, state = model.settle(as_attributes(near)).states(rows)
        model.settle(model.attributes(state, rows))
        if not state.settled:
            message = f"The last fit of LogisticRegressionCV stopped early ({model.reason(state)})."
            warnings.warn(f"{message} {model.remedy()}", ConvergenceWarning, stacklevel=5)
        return np.column_stack([model.coef_, model.intercept_])

    def averaged(self, scores: Array, paths: Array, Cs: Array) -> tuple[Array, float, float]:
        """The mean of the planes that were best in each fold, of their C and of their ρ."""
        places, numbers = np.array([highest(scores[[fold]]) for fold in range(len(scores))]).T
        planes = paths[np.arange(len(scores)), places, numbers].mean(axis=0)
        return planes, float(Cs[numbers].mean()), float(np.mean(np.array(self.shares)[places]))

    # ---- scores --------------------------------------------------------------------------------------------------------

    def scored(self, rows: Rows, splits: Sequence[tuple[Array, Array]], paths: Array) -> Array:
        """Scores (folds, shares, Cs)."""
        found = []
        for number, ((_, test), planes) in enumerate(zip(splits, paths, strict=True)):
            flat = planes.reshape(-1, *planes.shape[2:])
            scores = self.judged(rows, test, flat) if in_memory(rows) else rows.sum(Hits.among, test, flat).share
            if not np.isfinite(scores).all():
                why = "all its test rows have weight 0" if self.judge is None else f"scoring={self.scoring!r} gives none"
                raise ValueError(f"Fold {number} of cv has no score, {why}: give fewer folds, or other ones.")
            found.append(scores.reshape(planes.shape[:2]))
        return np.array(found)

    def judged(self, rows: ArrayRows, test: Array, planes: Array) -> Array:
        """The score of each plane in the test rows of a fold."""
        part = chosen(rows.X, rows, test)
        if self.judge is None:
            return Hits.of(planes, Block(part["X"], part["y"], part["weight"], 0)).share
        assert rows.labels is not None
        judge, y, model = told_of(self.judge, rows.labels), rows.labels[part["y"]], LogisticRegression()
        known = {} if part["weight"] is None else {"sample_weight": part["weight"]}
        model.settle({"classes_": rows.labels, "n_features_in_": rows.columns})
        return np.array([judge(model.settle(as_attributes(plane)), part["X"], y, **known) for plane in planes], float)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The score by `scoring`; opened rows bring their own target and weights."""
        if self.judge is None:
            return super().score(X, y, sample_weight)
        X, y, sample_weight = with_own_target(self, X, y, sample_weight)
        return float(self.judge(self, X, y, **({} if sample_weight is None else {"sample_weight": sample_weight})))

    predict_proba = LogisticRegression.predict_proba
    predict_log_proba = LogisticRegression.predict_log_proba

    # ---- attributes ----------------------------------------------------------------------------------------------------

    def formed(self, labels: Any, paths: Array, scores: Array, passes: Array, C: float, share: float) -> dict[str, Any]:
        """What has two forms."""
        paths = paths if self.fit_intercept else paths[..., :-1]
        if not self.use_legacy_attributes:
            return {"C_": C, "l1_ratio_": share, "coefs_paths_": paths, "scores_": scores, "n_iter_": passes}
        by_class, scores, passes = paths.transpose(3, 0, 2, 1, 4), scores.swapaxes(1, 2), passes.swapaxes(1, 2)
        ratio: float | None = share
        if self.given_shares is None:
            by_class, scores, passes = by_class[:, :, :, 0], scores[:, :, 0], passes[:, :, 0]
            ratio = None if self.refit else 0.0
        names = labels.tolist()[-len(by_class) :]  # of two classes the second
        return {
            "C_": np.full(len(names), C),
            "l1_ratio_": np.array([ratio] * len(names)),
            "coefs_paths_": {name: planes.copy() for name, planes in zip(names, by_class, strict=True)},
            "scores_": {name: scores.copy() for name in names},
            "n_iter_": passes[None].copy(),
        }


def numbers_of(name: str, given: Any, rule: Within) -> Array:
    """The numbers of a parameter, checked."""
    try:
        values = np.asarray(given, float)
    except (TypeError, ValueError):
        values = np.array([])
    if values.ndim != 1 or len(values) == 0 or not all(rule.contains(value) for value in values):
        raise ParameterError(f"{name} must be a list of one or more numbers {rule}, got {given!r}.")
    return values


def row_numbers(chosen_rows: Any) -> Array:
    """Rows of a split by number, which may be given as a mask."""
    rows = np.asarray(chosen_rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows


def refuse_thin_classes(cv: Any, y: Array) -> None:
    """Each fold should have a row of some class, at least; of a class with fewer rows scikit-learn warns."""
    labels, counts = np.unique(y, return_counts=True)
    if counts.max() < cv:
        largest = plain(labels[counts.argmax()])
        raise ValueError(
            f"cv={cv} folds need a class of {cv} rows; the largest, {largest!r}, has {counts.max()}: give fewer folds."
        )


def highest(scores: Array) -> tuple[int, int]:
    """Numbers of ρ and C with the best mean score; of equals the first C, then the first ρ."""
    total = scores.sum(axis=0).T
    number, place = np.unravel_index(total.argmax(), total.shape)
    return int(place), int(number)


def standard_error(scores: Array, best: tuple[int, int]) -> float:
    """Of a mean score over the folds."""
    folds = len(scores)
    return float(scores[:, best[0], best[1]].std(ddof=1) / np.sqrt(folds)) if folds > 1 else 0.0


def certified(scores: Array, Cs: Array, best: tuple[int, int], C: float) -> Certificate:
    inside = len(Cs) == 1 or Cs.min() < Cs[best[1]] < Cs.max()
    claim = "the best penalty lies inside the grid, not at one of its ends"
    known = {"C": C, "score": float(scores.mean(axis=0)[best]), "error": standard_error(scores, best)}
    return Certificate(claim, bool(inside), known)


def as_attributes(plane: Array) -> dict[str, Any]:
    """A plane with its intercept last, as attributes."""
    return {"coef_": plane[:, :-1], "intercept_": plane[:, -1]}


def told_of(scorer: Any, labels: Array) -> Any:
    """A scorer that knows all the classes, where its measure asks for them: a fold may lack some."""
    measure = getattr(scorer, "_score_func", None)
    asked = {} if measure is None else inspect.signature(measure).parameters
    if "labels" not in asked:
        return scorer
    second = {"pos_label": labels[-1]} if len(labels) == 2 and "pos_label" in asked else {}
    known = {"labels": labels, **second, **scorer._kwargs}
    return make_scorer(measure, response_method=scorer._response_method, greater_is_better=scorer._sign == 1, **known)


def rows_of_fold(rows: Rows, train: Array, test: Array) -> Rows:
    """The training rows; where the rows are not in memory, all of them, the others at weight 0."""
    if in_memory(rows):
        return rows.like(**chosen(rows.X, rows, train))
    counted = np.isin(np.arange(1 + max(train.max(), test.max())), train).astype(float)
    return rows.changed(lambda block: replace(block, weight=read_only(block.weights * counted[block.numbers])))


@dataclass(frozen=True)
class Hits(Sums):
    """Σ ω of the rows whose class each plane says, and of all rows."""

    right: Array
    weight: float

    @classmethod
    def of(cls, planes: Array, block: Block) -> Self:
        """`planes` are of shape (planes, outputs, coefficients and the intercept)."""
        count, outputs = planes.shape[:2]
        T = np.asarray(block.X @ planes[:, :, :-1].reshape(count * outputs, -1).T)
        T = T.reshape(-1, count, outputs) + planes[:, :, -1]
        said = T[:, :, 0] > 0 if outputs == 1 else T.argmax(axis=2)
        weight = block.weights
        return cls(np.array([weight[hit].sum() for hit in (said == block.y[:, None]).T]), float(weight.sum()))

    @classmethod
    def among(cls, test: Array, planes: Array, block: Block) -> Self:
        """The same for the test rows of the block."""
        inside = np.isin(block.numbers, test)
        return cls.of(planes, replace(block, weight=block.weights * inside))

    @property
    def share(self) -> Array:
        return self.right / self.weight if self.weight > 0 else np.full(len(self.right), np.nan)

"""The penalty of logistic regression chosen by cross-validation, along paths.

For each fold the penalty is lowered step by step on the training rows, each fit started from the one before (logistic_path.py),
and the score of each on the test rows is kept. The C with the largest mean score is taken; or, with `rule="one_se"`, the
smallest one whose mean score is within a standard error of it,

    C_1SE = min{C: s(C) ≥ s(C*) − σ(C*)/√k},     σ the standard deviation over the k folds                    (1)

a simpler model that cannot be told from the best one. Then all rows are fitted with it (logistic_regression.py).

The folds are fitted side by side (logistic_folds.py). A state is what is known after some of them: a fit that is stopped
chooses by those, and gives the mean of their planes.

Cost: k paths over the rows, about three passes for each C.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., sections 4.4 and 7.10.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import get_scorer
from sklearn.utils.metadata_routing import UNUSED, MethodMapping, process_routing

from aprendiz.core.class_weights import reweight
from aprendiz.core.inputs import with_own_target
from aprendiz.core.iteration import Iterative
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, ParameterError, Seed, Whole, Within
from aprendiz.core.routing import refuse_unrouted, routes_metadata
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import ordered_map
from aprendiz.linear import LogisticRegression
from aprendiz.linear.paths.elastic_net_path import MAX_PENALTIES
from aprendiz.linear.paths.logistic_folds import (
    LogisticFolds,
    as_attributes,
    grid_certificate,
    highest,
    numbers_of,
    rows_of_fold,
    scores_of,
    splits_of,
    standard_error,
)
from aprendiz.linear.paths.logistic_path import Fit, Path
from aprendiz.linear.penalties.sparse_penalty import strength_of
from aprendiz.linear.shared.linear_classifier import LinearClassifier
from aprendiz.linear.shared.routed_folds import RoutedFolds
from aprendiz.locale import _

Rule = Literal["best", "one_se"]


class LogisticRegressionCV(RoutedFolds, LinearClassifier, Iterative):
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

    State = LogisticFolds
    frames = 5
    __metadata_request__score = {"sample_weight": UNUSED}  # goes to the scorer, not to the learner itself
    allows = frozenset({"sparse"})
    differences = {
        "penalty": "another form: deprecated in scikit-learn; here l1, l2 and elasticnet mean what they did",
        "dual": "refused: the primal problem is solved",
        "intercept_scaling": "refused: the intercept is not penalised",
        "random_state": "no effect: nothing depends on chance",
        "solver": "no effect: chosen by the penalty and the size",
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
        "n_iter_": "another form: passes over the rows",
        "l1_ratio_": "another form: with refit=False the mean of what was best in each fold, for l1 too",
        "scoring": "another form: the default 'warn' means the accuracy, as in scikit-learn, without a warning",
        "l1_ratios": "another form: the default 'warn' and None mean 0, as in scikit-learn, without a warning",
        "use_legacy_attributes": "another form: the defaults 'warn' mean what they do in scikit-learn, without a warning",
    }
    exceptions = {
        "scaling": "the penalty is not invariant to the scale of the columns",
        "monotone": "the mean score over more folds may be lower",
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
        if self.scorer is not None and not in_memory(rows):
            raise TypeError(f'scoring={self.scoring!r} needs the rows in memory: use "accuracy", or fit a sample of the rows.')

    @property
    def grid(self) -> Array:
        """The values of C."""
        if isinstance(self.Cs, (int, np.integer)):
            if self.Cs > MAX_PENALTIES:
                raise ParameterError(f"Cs = {self.Cs} must be at most {MAX_PENALTIES}: 10 is usual.")
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
    def folds(self) -> Any:
        """`cv`, 5 folds by default."""
        return 5 if self.cv is None else self.told_folds

    def path_shape(self, rows: Rows) -> tuple[int, ...]:
        """Of the planes of a fold: shares, Cs, outputs, coefficients and the intercept."""
        assert rows.labels is not None
        return len(self.shares), len(self.grid), 1 if len(rows.labels) == 2 else len(rows.labels), rows.columns + 1

    @property
    def scorer(self) -> Any:
        """A scorer, or None for the accuracy."""
        return None if self.scoring in (None, "warn", "accuracy") else get_scorer(self.scoring)

    def routed_scorer(self) -> Any:
        return self.scorer or get_scorer("accuracy")

    def scored_by(self) -> MethodMapping:
        return super().scored_by().add(caller="score", callee="score")

    # ---- the loop ------------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: LogisticFolds | None = None) -> Iterator[LogisticFolds]:
        """Paths and scores, fold by fold; then a fit to all rows with the best penalty."""
        Cs, shape = self.grid, self.path_shape(rows)
        self.refuse_combinations(rows)
        state = since
        if state is not None and state.settled:
            return
        splits = splits_of(rows, self.folds)
        weighted = rows if self.class_weight is None else reweight(rows, self.class_weight)
        if state is None:
            none = np.empty((0, *shape[:2]))
            state = LogisticFolds(0, np.inf, False, np.empty((0, *shape)), none.astype(np.int32), none, 0, np.empty(0))
            yield state
        planes, done = np.empty((len(splits), *shape)), len(state.planes)
        planes[:done] = state.planes
        with closing(self.paths(weighted, splits[done:], Cs)) as folds:
            for number, fits in enumerate(folds, done):
                planes[number] = np.array([fit.plane for fit in fits]).reshape(shape)
                state = state.after(
                    planes[: number + 1], fits, self.score_fold(rows, number, splits[number][1], planes[number])
                )
                yield state
        yield self.conclude(state, weighted)

    def paths(self, rows: Rows, splits: Sequence[tuple[Array, Array]], Cs: Array) -> Generator[list[Fit], None, None]:
        """The fits of each fold: for each share those of all Cs, in their order."""
        upwards = np.argsort(Cs, kind="stable")

        def follow(item: tuple[tuple[Array, Array], float]) -> list[Fit]:
            (train, test), share = item
            path = Path.of(rows_of_fold(rows, train, test), share, self.fit_intercept, self.tol, self.max_iter)
            fits = list(path.fits(strength_of(Cs[upwards])))
            return [fits[place] for place in np.argsort(upwards)]

        items = [(split, share) for split in splits for share in self.shares]
        found = (ordered_map if in_memory(rows) else map)(follow, items)
        for _split in splits:
            yield [fit for fits in islice(found, len(self.shares)) for fit in fits]

    def score_fold(self, rows: Rows, number: int, test: Array, planes: Array) -> Array:
        """Scores in a fold (shares × Cs)."""
        scores = scores_of(planes.reshape(-1, *planes.shape[2:]), rows, test, self.scorer, self.told.weighted_scores)
        if not np.isfinite(scores).all():
            why = "all its test rows have weight 0" if self.scorer is None else f"scoring={self.scoring!r} gives none"
            raise ValueError(f"Fold {number} of cv has no score, {why}: give fewer folds, or other ones.")
        return scores.reshape(planes.shape[:2])

    def conclude(self, state: LogisticFolds, rows: Rows) -> LogisticFolds:
        """The last state: all rows fitted with the penalty that was chosen, from the mean of the folds."""
        if state.early:
            words = _("{early} of the {fits} fits in the folds of {learner} stopped early. {remedy}")
            remedy = _("Raise max_iter (it is {max_iter}), or scale the columns.").format(max_iter=self.max_iter)
            message = words.format(early=state.early, fits=state.passes.size, learner="LogisticRegressionCV", remedy=remedy)
            warnings.warn(message, ConvergenceWarning, stacklevel=8)
        plane, C, share = self.choice(state)
        if self.refit:
            plane = self.refit_all(rows, C, share, plane)
        return replace(state, iteration=state.iteration + 1, settled=True, plane=plane)

    def refit_all(self, rows: Rows, C: float, share: float, near: Array) -> Array:
        """All rows fitted with the penalty that was chosen, from a plane that is near."""
        model = LogisticRegression(
            C=C, l1_ratio=share, tol=self.tol, max_iter=self.max_iter, fit_intercept=self.fit_intercept, warm_start=True
        )
        state = list(model.settle(as_attributes(near)).states(rows))[-1]
        model.settle(model.attributes(state, rows))
        if not state.settled:
            why, words = model.reason(state), _("The last fit of {learner} stopped early ({why}). {remedy}")
            message = words.format(learner="LogisticRegressionCV", why=_(why), remedy=model.remedy())
            warnings.warn(message, ConvergenceWarning, stacklevel=9)
        return np.column_stack([model.coef_, model.intercept_])

    # ---- the choice ----------------------------------------------------------------------------------------------------

    def choice(self, state: LogisticFolds) -> tuple[Array, float, float]:
        """By the folds so far: the mean of their planes, C and ρ; before the first fold nothing but the first of them."""
        scores, planes, Cs = state.scores, state.planes, self.grid
        if not len(scores):
            return np.zeros(planes.shape[3:]), float(Cs[0]), self.shares[0]
        if self.refit:
            place, number = self.simplest(scores, Cs, highest(scores))
            return planes[:, place, number].mean(axis=0), float(Cs[number]), self.shares[place]
        places, numbers = np.array([highest(scores[[fold]]) for fold in range(len(scores))]).T
        mean = planes[np.arange(len(scores)), places, numbers].mean(axis=0)
        return mean, float(Cs[numbers].mean()), float(np.mean(np.array(self.shares)[places]))

    def simplest(self, scores: Array, Cs: Array, best: tuple[int, int]) -> tuple[int, int]:
        """Numbers of ρ and C that are chosen: the best, or (1)."""
        place, number = best
        if self.rule == "one_se":
            mean = scores.mean(axis=0)
            within = np.flatnonzero(mean[place] >= mean[best] - standard_error(scores, best))
            number = int(within[Cs[within].argmin()])
        return place, number

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def attributes(self, state: LogisticFolds, rows: Rows) -> dict[str, Any]:
        """Of a fit that was stopped: what is best in the folds so far, and the mean of their planes."""
        plane, C, share = self.choice(state)
        return {
            "classes_": rows.labels,
            **as_attributes(state.plane.copy() if state.settled else plane),
            "Cs_": self.grid,
            "l1_ratios_": np.array([None]) if self.given_shares is None else np.asarray(self.l1_ratios),
            **self.legacy_attributes(rows.labels, state, C, share),
            "certificate_": grid_certificate(state.scores, self.grid, C),
        }

    def legacy_attributes(self, labels: Any, state: LogisticFolds, C: float, share: float) -> dict[str, Any]:
        """What has two forms."""
        paths, scores, passes = state.planes if self.fit_intercept else state.planes[..., :-1], state.scores, state.passes
        if not self.use_legacy_attributes:
            known = {"coefs_paths_": paths.copy(), "scores_": scores.copy(), "n_iter_": passes.copy()}
            return {"C_": C, "l1_ratio_": share, **known}
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

    def decisive(self) -> frozenset[str]:
        return frozenset({"max_iter"})

    def most_states(self) -> int | None:
        return int(self.folds) + 2 if isinstance(self.folds, (int, np.integer)) else None

    # ---- what it says of rows ------------------------------------------------------------------------------------------

    def score(self, X: Any, y: Any = None, sample_weight: Any = None, **score_params: Any) -> float:
        """The score by `scoring`, which is told what it asks for; opened rows bring their own target and weights."""
        refuse_unrouted(self, "score", score_params)
        if routes_metadata():
            passed = score_params if sample_weight is None else {**score_params, "sample_weight": sample_weight}
            routed = process_routing(self, "score", **passed).scorer.score
            return float(self.routed_scorer()(self, X, y, **routed))
        if self.scorer is None:
            return super().score(X, y, sample_weight)
        X, y, sample_weight = with_own_target(self, X, y, sample_weight)
        return float(self.scorer(self, X, y, **({} if sample_weight is None else {"sample_weight": sample_weight})))

    predict_proba = LogisticRegression.predict_proba
    predict_log_proba = LogisticRegression.predict_log_proba

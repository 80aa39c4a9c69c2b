"""Ranking of variables: each column scored by itself, the best kept.

    keep the columns of largest J(x_j, y)                                                                     (1)

J is a statistic of one column and the target: F of the analysis of variance, |r|, H of ranks, χ², or the information that they
share. scores/ has the formulas; scores/mixed_columns.py says which of them words and numbers allow. Quick, and nothing is
assumed of what will be learned from the columns. But a column that says something only together with another one is not seen,
and two columns that say the same are both kept: see `MRMR`, `JMI` and the wrappers for that.

Whoever chooses columns with rows on which a model is judged afterwards judges it too well: in a comparison the ranking belongs
inside the folds, as a step of a pipeline.

Cost: one pass, O(n·d), for sums; O(n·log n) for each column where ranks or neighbours are needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, cast

import numpy as np
from sklearn.utils import check_random_state

from aprendiz.core.certificate import Certificate
from aprendiz.core.columns import Mixed
from aprendiz.core.inputs import Target, open_collection, open_rows, refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import Count, ParameterError, Seed, Whole, check_parameters
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.selection.information.column_codes import is_quantity
from aprendiz.selection.keeping.evidence import clear_cut, clear_limit, clear_steps
from aprendiz.selection.keeping.false_findings import FalseFindings, adjusted, is_kept, nearest_pvalue
from aprendiz.selection.keeping.order import best_first, ranks, refuse_unscored
from aprendiz.selection.scores.mixed_columns import LEVELS, Task, mutual_information_of, score_table
from aprendiz.selection.scores.scored import Scored
from aprendiz.selection.shared.scored_columns import called
from aprendiz.selection.shared.selector import Selector, refuse_nothing

Score = Literal[
    "anova",
    "correlation",
    "squared_correlation",
    "kruskal",
    "chi2",
    "mutual_info",
    "information_gain",
    "gain_ratio",
    "symmetric_uncertainty",
]
RULES = ("threshold", "fdr", "fpr", "fwe")


class VariableRanking(Selector, Passes):
    """Score each column by itself, and keep the best.

    Numbers and words may stand side by side. Missing cells are left out column by column.

    Parameters
    ----------
    score : str or function, default="anova"
        "anova": F of the classes (of the regression, if the target is a quantity; χ² of columns of words).
        "correlation", "squared_correlation": |r| and r²; two classes, or a quantity.
        "kruskal": the same as "anova" on ranks. "chi2": of counts, and of words.
        "mutual_info": mutual information, corrected for its bias; `method` says how it is estimated.
        "information_gain", "gain_ratio", "symmetric_uncertainty": the information of the observed frequencies: as it is,
        relative to the entropy of the column, and to that of both; numbers are cut where the classes differ.
        A function of X and y gives scores, or scores and p-values.
    keep : int, fraction, "all", "fdr" or (rule, number), default=0.2
        How many columns, or which share of them (at least one); all; or, by their p-values, so that a share of 0.05 of those
        kept is of no use on average. ("threshold", t) keeps scores of at least t; ("fdr", α), ("fpr", α) and ("fwe", α) are the
        rules of `SelectFdr`, `SelectFpr` and `SelectFwe`, among the columns that have a p-value.
    task : {"auto", "classification", "regression"}, default="auto"
        Whether the target is one of classes or a quantity. "auto": a quantity if some of its numbers are not whole, or if more
        than 20, and more than a quarter of the rows, are different.
    missing : {"leave_out", "spread"}, default="leave_out"
        Of scores of words: whether rows without the cell are left out, or count in all levels, as often as these occur.
    unit : {"nats", "bits"}, default="nats"
        Of scores that are an information.
    method : {"counts", "adaptive", "neighbors"}, default="counts"
        Of "mutual_info": see `mutual_information`.
    n_neighbors : int, default=3
        Of the method "neighbors".
    permutations : int, default=0
        Of "mutual_info": permutations of the target that the p-values come from.
    random_state : int, RandomState or None, default=0
        Of "mutual_info".

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        NaN where a column allows no statement: all cells equal, or missing.
    pvalues_ : ndarray of shape (n_features,) or None
        How probable so large a score, or a larger one, is in a column that is independent of the target.
    adjusted_pvalues_ : ndarray of shape (n_features,) or None
        The smallest α at which ("fdr", α) keeps the column.
    ranking_ : ndarray of shape (n_features,)
        1 for the best column; equal columns share a place.
    order_ : ndarray
        The kept columns, the best first; of equal ones the first.
    support_ : ndarray of shape (n_features,)
        Which columns are kept.
    statistic_ : list of str
        What the score of each column is. Where they differ, columns are ranked by their p-values.
    classes_ : ndarray or None
        The labels of the fit, if the target is one of classes.
    columns_ : Columns or None
        The schema of a table with words.
    certificate_ : Certificate
        How clear the choice is: the last score that is kept and the next one, further apart than rounding, or equal (`ties`).

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True, as_frame=True)
    >>> model = VariableRanking(keep=2).fit(X, y)
    >>> model.get_feature_names_out().tolist(), model.ranking_
    (['petal length (cm)', 'petal width (cm)'], array([3, 4, 1, 2]))
    """

    allows = frozenset({"sparse", "missing", "categories"})
    least_classes: ClassVar[int] = 2
    several_targets: ClassVar[bool] = False
    target: ClassVar[Target] = "classes"
    cuts_quantities: ClassVar[bool] = True  # or takes them as they are: a target of measurements is no mistake
    exceptions = {
        "shift": "the kept cells move with their columns",
        **dict.fromkeys(
            ("check_fit_score_takes_y", "check_n_features_in_after_fitting", "check_pipeline_consistency"),
            "`score` is the parameter that names the statistic, not a method",
        ),
    }
    tuning: ClassVar[dict[str, tuple[Any, ...]]] = {"keep": (0.05, 0.2, 0.5)}

    def __init__(
        self,
        score: Score | Callable[..., Any] = "anova",
        keep: Any = 0.2,
        *,
        task: Literal["auto", "classification", "regression"] = "auto",
        missing: Literal["leave_out", "spread"] = "leave_out",
        unit: Literal["nats", "bits"] = "nats",
        method: Literal["counts", "adaptive", "neighbors"] = "counts",
        n_neighbors: Count = 3,
        permutations: Whole = 0,
        random_state: Seed = 0,
    ):
        self.score = score
        self.keep = keep
        self.task = task
        self.missing = missing
        self.unit = unit
        self.method = method
        self.n_neighbors = n_neighbors
        self.permutations = permutations
        self.random_state = random_state

    # ---- the target ----------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        check_parameters(self)
        rule_of(self.keep)
        X, y, sample_weight = open_collection(X, y, sample_weight, target="classes")
        task = self.task_of(X, y)
        if task == "regression" and self.score in ("chi2", "kruskal", *LEVELS) and isinstance(X, Rows):
            raise ValueError(f"score={self.score!r} compares classes, but the target is a quantity: choose 'correlation'.")
        numbers = task == "regression" or self.score in ("correlation", "squared_correlation")
        if not numbers:
            return open_rows(self, X, y, sample_weight, target="classes", reset=reset)
        if task == "classification":
            return self.two_classes(open_rows(self, X, y, sample_weight, target="classes", reset=reset))
        rows = open_rows(self, X, y, sample_weight, target="numbers", reset=reset)
        if (shape := rows.target_shape()) not in ((), (1,)):
            raise ValueError(f"y should be a 1d array, but it has {shape[0]} columns: rank for one target at a time.")
        return rows

    def task_of(self, X: Any, y: Any) -> Task:
        """Whether the target is one of classes."""
        if self.task != "auto":
            return self.task
        if isinstance(X, Rows) and y is None:
            rows = X.with_missing()
            kind = rows.first(lambda block: None if block.y is None else np.asarray(block.y[:1]).dtype.kind)
            if kind is None or kind not in "iuf":
                return "classification"
            y = rows.each(lambda block: np.asarray(block.y).reshape(len(block), -1)[:, 0])
        return "regression" if is_quantity(y) else "classification"

    def two_classes(self, rows: Rows) -> Rows:
        """Rows whose target is 0 and 1, for a correlation; more classes have no order."""
        assert rows.labels is not None
        if len(rows.labels) > 2:
            raise ValueError(
                f"y has {len(rows.labels)} classes, which have no order that a correlation could speak of: choose "
                "score='anova' or 'mutual_info', or task='regression' if the labels are quantities."
            )
        return rows

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def learned(self, rows: Rows) -> dict[str, Any]:
        task: Task = "regression" if rows.labels is None else "classification"
        found, names = self.scored(rows, task)
        if np.isnan(found.scores).all():
            refuse_empty_sums(rows.sum(lambda block: float(block.weights.sum())), True, rows)
            if rows.sum(lambda block: float(len(block))) == 1.0:
                raise ValueError("X has 1 sample, and columns are compared by several: give more rows.")
        one = len(set(names)) == 1
        chief, less = (found.scores, None) if one else (-cast(Array, found.pvalues), found.scores)
        order = best_first(chief, less)
        support, certificate = self.chosen(found, order, one)
        return {
            "scores_": found.scores,
            "pvalues_": found.pvalues,
            "adjusted_pvalues_": None if found.pvalues is None else adjusted(found.pvalues),
            "ranking_": ranks(chief, less, order),
            "order_": order[support[order]],
            "support_": support,
            "statistic_": names,
            "classes_": rows.labels,
            "certificate_": certificate,
        }

    def scored(self, rows: Rows, task: Task) -> tuple[Scored, list[str]]:
        """The scores of all columns, and the statistic that each is."""
        if callable(self.score):
            table, y = in_full(rows, self.score)
            return called(self.score, table, y), [getattr(self.score, "__name__", "score")] * rows.columns
        if self.score == "mutual_info":
            seed = draw_seed(check_random_state(self.random_state))
            found = mutual_information_of(rows, self.method, self.n_neighbors, self.permutations, seed)
            names = ["mutual_info"] * rows.columns
        else:
            if task == "regression" and self.score in LEVELS:
                raise ValueError(f"score={self.score!r} counts classes, but the target is a quantity: choose 'mutual_info'.")
            found, names = score_table(rows, self.score, task, self.missing)
        if self.unit == "bits" and self.score in ("mutual_info", "information_gain"):
            bits = None if found.rounding is None else found.rounding / np.log(2.0)
            found = found._replace(scores=found.scores / np.log(2.0), rounding=bits)
        return found, names

    def chosen(self, found: Scored, order: Array, one: bool) -> tuple[Array, Certificate]:
        """Which columns are kept, and how clear that is."""
        rule, number = rule_of(self.keep)
        scores, columns = found.scores, len(found.scores)
        if rule in ("fdr", "fpr", "fwe"):
            return self.chosen_by_p(found, cast(FalseFindings, rule), number)
        if rule == "threshold":
            if not one:
                raise ParameterError(
                    "keep=('threshold', …) compares scores, but the columns have different statistics (words and numbers): "
                    "keep so many, a share, or ('fpr', …), which compares p-values."
                )
            with np.errstate(invalid="ignore"):
                support = scores >= number
            best = "no column has a score" if np.isnan(scores).all() else f"the best score is {np.nanmax(scores):.6g}"
            refuse_nothing(support, f"no score is at least {number:.6g}; {best}. Lower the threshold.")
        else:
            if rule == "k" and number > columns:
                raise ParameterError(f"keep={int(number)}, but X has {columns} columns: keep at most so many, or 'all'.")
            if rule != "all":
                refuse_nothing(
                    ~np.isnan(scores),
                    "no column has a score: each is constant or missing, or the rows are too few. Check the table.",
                )
            if rule == "k":
                refuse_unscored(type(self).__name__, int(number), scores)
            count = columns if rule == "all" else int(number) if rule == "k" else max(1, round(number * columns))
            support = np.zeros(columns, bool)
            support[order[:count]] = True
        if one:
            return support, clear_cut(scores, found.rounding, support)
        return support, clear_cut(-cast(Array, found.pvalues), None, support)

    def chosen_by_p(self, found: Scored, rule: FalseFindings, alpha: float) -> tuple[Array, Certificate]:
        """The columns of few false findings."""
        p = found.pvalues
        if p is None or np.isnan(p).all():
            raise ValueError(
                f"keep=({rule!r}, {alpha:g}) needs p-values, and score={self.score!r} gives none here: keep so many columns, "
                "choose another score, or, with 'mutual_info', give permutations."
            )
        tested = int((~np.isnan(p)).sum())
        support = is_kept(rule, p, alpha, tested)
        refuse_nothing(
            support,
            f"no p-value is small enough for {rule}={alpha:g} among {tested} columns; {nearest_pvalue(found)}. "
            "Raise the limit, or keep the k best.",
        )
        if rule == "fdr":
            return support, clear_steps(p, support, alpha, tested)
        return support, clear_limit(p, support, alpha if rule == "fpr" else alpha / tested)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags


def rule_of(keep: Any) -> tuple[str, float]:
    """What `keep` asks for: the rule and its number."""
    if isinstance(keep, str):
        keep = (keep, 0.05) if keep == "fdr" else (keep, 1.0)
        if keep[0] in ("all", "fdr"):
            return keep
    elif isinstance(keep, (tuple, list)) and len(keep) == 2 and keep[0] in RULES and is_number(keep[1]):
        rule, number = str(keep[0]), float(keep[1])
        if rule == "threshold" or 0 < number <= 1:
            return rule, number
    elif isinstance(keep, (int, np.integer)) and not isinstance(keep, (bool, np.bool_)) and keep >= 1:
        return "k", float(keep)
    elif is_number(keep) and 0 < keep <= 1:
        return "fraction", float(keep)
    raise ParameterError(
        "keep of VariableRanking must be a whole number of at least 1, a fraction above 0 and at most 1, 'all', 'fdr', "
        f"('threshold', number) or ('fdr', 'fpr' or 'fwe', fraction), got {keep!r}."
    )


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool) and value == value


def in_full(rows: Rows, score: Callable[..., Any]) -> tuple[Any, Any]:
    """The table and the target for a user's function."""
    name = getattr(score, "__name__", type(score).__name__)
    if not in_memory(rows):
        raise TypeError(f"{name} needs the whole table in memory: read it first, or choose a score by its name.")
    if isinstance(rows.X, Mixed):
        raise ValueError(f"{name} is called with numbers, but some columns hold words: choose a score by its name.")
    if rows.weight is not None:
        raise ValueError(f"sample_weight cannot be given to {name}, a function of X and y: leave it out.")
    return rows.X, rows.y if rows.labels is None else rows.labels[rows.y]

"""Outliers: rows far from the others, reported, clipped, or left out of what is learned from.

    method           a row is an outlier if                                  threshold, by default
    "z"              a cell is more than t·s from the mean                   t = 3
    "iqr"            a cell is more than t·(Q₃ − Q₁) beyond the quartiles    t = 1.5
    "mahalanobis"    d²(x) > χ²_r(t)                                         t = 0.975
    "density"        ln p(x) is below its quantile of level t                t = 0.01

The formulas stand in outliers/cell_limits.py, ellipsoids.py and density_limit.py. What is typical belongs to the training rows:
fit the filter inside the folds of a cross-validation, with a pipeline.

`action="clip"` moves cells to the limits (z, iqr) or rows onto the ellipsoid (mahalanobis); `action="report"` leaves the rows
as they are. Rows can be left out of what is learned from, never of what must be predicted, so no `transform` drops any:
`fit_resample` gives the rows that are kept with their targets, and `DropOutliers` is a learner that fits to those and predicts
every row. An outlier may be an error, or the most interesting row of the table: look before it goes.

Cost: z and mahalanobis one pass, iqr two, and one to list the rows; density a fit of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import OneToOneFeatureMixin, clone, is_classifier
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import Target, is_read_in_blocks, open_rows
from aprendiz.core.learner import Passes, Transformer
from aprendiz.core.parameters import NonNegative, ParameterError, check_parameters
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.tables import first_bad_cell, refuse_bad_block, refuse_cell
from aprendiz.core.targets import as_target, same_length
from aprendiz.preprocessing.outliers.cell_limits import CellLimits, iqr_limits, robust_z_limits, z_limits
from aprendiz.preprocessing.outliers.density_limit import DensityLimit, density_limit, refuse_no_density
from aprendiz.preprocessing.outliers.ellipsoids import OutlierEllipsoid, classical_ellipsoid, robust_ellipsoid
from aprendiz.preprocessing.outliers.outlier_report import OutlierReport, report_rows
from aprendiz.preprocessing.shared.some_rows import chosen

THRESHOLDS = {"z": 3.0, "iqr": 1.5, "mahalanobis": 0.975, "density": 0.01}
RULES: Mapping[str, Any] = {"z": CellLimits, "iqr": CellLimits, "mahalanobis": OutlierEllipsoid, "density": DensityLimit}
FINDERS: Mapping[tuple[str, bool], Any] = {  # by method, and whether it is robust
    ("z", False): z_limits,
    ("z", True): robust_z_limits,
    ("iqr", False): iqr_limits,
    ("mahalanobis", False): classical_ellipsoid,
    ("mahalanobis", True): robust_ellipsoid,
}


class OutlierFilter(OneToOneFeatureMixin, Transformer, Passes):
    """Find outliers; report them, clip them, or leave their rows out of what is learned from.

    Parameters
    ----------
    method : {"z", "iqr", "mahalanobis", "density"}, default="z"
        What makes a row an outlier: see above.
    action : {"clip", "report", "drop"}, default="clip"
        What `transform` does: "clip" moves cells or rows to the limits, "report" nothing. "drop" is for `fit_resample` and
        `DropOutliers`: a transformer in a pipeline cannot leave rows out, since their targets would stay.
    threshold : number, optional
        t above: standard deviations, interquartile ranges, a probability of χ², or a share of the rows.
    robust : bool, default=False
        Whether medians replace means: of "z" and "mahalanobis".
    model : generative model with `log_density`, optional
        Of "density": GaussianMixture, NaiveBayes, QuadraticDiscriminantAnalysis, … A copy of it is fitted, with y if it is a
        classifier.

    Attributes
    ----------
    outliers_ : OutlierReport
        Which rows of the fit are outliers, and why.
    low_, high_ : ndarray of shape (n_features,)
        Limits of the cells ("z" and "iqr").
    middle_, unit_ : ndarray of shape (n_features,)
        What distances are measured from, and in: mean and standard deviation, or their robust forms ("z" and "iqr").
    centre_, whitening_ : ndarray of shape (n_features,) and (n_features, rank)
        d² = ‖(x − centre_)·whitening_‖² ("mahalanobis").
    model_ : the fitted model ("density")
    limit_ : float
        Largest d² ("mahalanobis") or smallest ln p(x) ("density") that is no outlier.
    certificate_ : Certificate
        Digits of the sums ("z"), or whether every column or direction varies, or what the model knows of its fit.

    Examples
    --------
    >>> found = OutlierFilter("iqr").fit([[1.0], [2.0], [3.0], [4.0], [50.0]])
    >>> print(found.outliers_)
    1 of 5 rows is an outlier (more than 1.5 interquartile ranges beyond the quartiles):
      row 4, column 0: 50, 23.5 interquartile ranges from their middle
    >>> found.transform([[50.0], [2.5]]).ravel().tolist()
    [7.0, 2.5]
    """

    allows = frozenset({"missing"})
    exceptions = {"shift": "the clipped table moves with its columns"}
    least_classes, several_targets = 2, False  # of y, where the model of "density" is a classifier

    def __init__(
        self,
        method: Literal["z", "iqr", "mahalanobis", "density"] = "z",
        *,
        action: Literal["clip", "report", "drop"] = "clip",
        threshold: NonNegative | None = None,
        robust: bool = False,
        model: Any = None,
    ):
        self.method = method
        self.action = action
        self.threshold = threshold
        self.robust = robust
        self.model = model

    # ---- fit -----------------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        check_parameters(self)
        self.refuse_parameters()
        target: Target = "classes" if self.method == "density" and is_classifier(self.model) else "none"
        return self.complete(open_rows(self, X, y, sample_weight, target=target, reset=reset))

    def refuse_parameters(self) -> None:
        """Parameters that do not go together."""
        if self.method == "density":
            refuse_no_density(self.model)
            if self.action == "clip":
                raise ParameterError(
                    "action='clip' has nowhere to move a row of low density: use action='report' or 'drop' with "
                    "method='density'."
                )
        if self.robust and self.method in ("iqr", "density"):
            raise ParameterError(f"robust=True is of method='z' and 'mahalanobis', not of {self.method!r}: leave it out.")
        if self.method in ("mahalanobis", "density") and not 0 < self.used_threshold < 1:
            raise ParameterError(
                f"threshold of OutlierFilter must lie between 0 and 1 for method={self.method!r}, got {self.threshold!r}."
            )

    @property
    def used_threshold(self) -> float:
        """The threshold, or the usual one of the method."""
        return THRESHOLDS[self.method] if self.threshold is None else float(self.threshold)

    def complete(self, rows: Rows) -> Rows:
        """Rows for a method that needs every cell; the others leave missing cells as they are."""
        if self.method != "mahalanobis":
            return rows
        if not in_memory(rows):
            return rows.changed(refuse_bad_block)
        if bad := first_bad_cell(rows.X, missing_is_fine=False):
            refuse_cell(*bad, rows.names)
        return rows

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        return self.complete(super().new_rows(X, sample_weight))

    def learned(self, rows: Rows) -> dict[str, Any]:
        if self.method == "density":
            rule, certificate = self.fitted_density(rows)
        else:
            rule, certificate = FINDERS[self.method, bool(self.robust)](rows, self.used_threshold)
        parts = {f"{field.name}_": getattr(rule, field.name) for field in fields(rule)}
        return {**parts, "outliers_": self.report(rule, rows), "certificate_": certificate}

    def fitted_density(self, rows: Rows) -> tuple[DensityLimit, Certificate]:
        """The model fitted to the rows, without the names of their columns, and its limit."""
        model, weight = clone(self.model), getattr(rows, "weight", None)
        if weight is not None and not has_fit_parameter(model, "sample_weight"):
            raise ParameterError(f"{type(model).__name__} takes no sample_weight: leave the weights out, or use another model.")
        if in_memory(rows):
            y = () if rows.y is None else (rows.y,)
            model.fit(rows.X, *y, **({} if weight is None else {"sample_weight": weight}))
        else:
            model.fit(rows.map(lambda X: X))
        logs = rows.each(lambda block: np.asarray(model.log_density(block.X), dtype=np.float64))
        has_weight = rows.first(lambda block: block.weight is not None)
        weight = rows.each(lambda block: np.asarray(block.weight)) if has_weight else None
        return density_limit(model, logs, weight, self.used_threshold)

    def report(self, rule: Any, rows: Rows) -> OutlierReport:
        """The outliers among some rows."""
        robust = "robust " if self.robust and self.method == "z" else ""
        return report_rows(rule, rows, f"{robust}{self.method}", self.used_threshold)

    # ---- what follows --------------------------------------------------------------------------------------------------

    @property
    def rule(self) -> Any:
        """What finds outliers among new rows, from the fitted attributes."""
        check_is_fitted(self)
        kind = RULES[self.method]
        return kind(*(getattr(self, f"{field.name}_") for field in fields(kind)))

    def what_stays(self) -> Mapping[str, Any]:
        """Parameters: a fit by another method has other attributes."""
        return {name: value for name, value in vars(self).items() if not name.endswith("_")}

    def change(self, X: Array) -> Array:
        return self.rule.clipped(X) if self.action == "clip" else X.copy()

    def find(self, X: Any) -> OutlierReport:
        """The outliers among new rows: which they are, and why."""
        return self.report(self.rule, self.new_rows(X))

    def score_rows(self, X: Any) -> Array:
        """How far each row is: 0 or the distance of its farthest outlying cell, d², or ln p(x)."""
        rule = self.rule
        return self.new_rows(X).each(lambda block: np.asarray(rule.scores(block.X)))

    # ---- rows that are left out ----------------------------------------------------------------------------------------

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fit, and transform the same rows. Refused for action="drop", which would leave the targets behind."""
        if self.action == "drop":
            raise ParameterError(
                "OutlierFilter(action='drop') cannot leave rows out inside a pipeline, where their targets would stay: "
                "wrap the learner, DropOutliers(learner, OutlierFilter(…)), or use fit_resample(X, y)."
            )
        return super().fit_transform(X, y, **fit_params)

    def fit_resample(self, X: Any, y: Any = None) -> tuple[Any, Any]:
        """Fit, and return X and y without the rows of the outliers, in the form they have."""
        kept = self.fit_kept(X, y)
        return chosen(X, kept), chosen(y, kept)

    def fit_kept(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the numbers of the rows that are no outliers."""
        if is_read_in_blocks(X):
            raise TypeError(
                "Rows can be left out of a table in memory, got rows that are read in blocks: read the table, or use "
                "action='clip'."
            )
        fitted: Self = self.fit(X, y, sample_weight)
        count = X.shape[0] if hasattr(X, "shape") else len(np.asarray(X, dtype=object))
        for name, values in (("y", y), ("sample_weight", sample_weight)):
            if values is not None:
                same_length(name, len(as_target(values)), count)
        return np.setdiff1d(np.arange(count), fitted.outliers_.rows, assume_unique=True)

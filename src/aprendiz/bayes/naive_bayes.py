"""Naive Bayes for mixed columns: each column has a family of its own, and all of them multiply.

    log P(k, x) = log π_k + Σ_j log p_j(x_j | k)                                                              (1)

    gaussian      N(μ, σ² + ε),  ε = var_smoothing · v                                                        (2)
    bernoulli     θ = (N₁ + α)/(n + 2α)                                                                       (3)
    categorical   θ_l = (N_l + α)/(n + α·L)                                                                   (4)
    poisson       λ = (Σx + α·m)/(n + α)                                                                      (5)

n, μ, σ² and the counts N are those of the known cells of column j in class k; m and v are mean and variance of the column
over all rows. Maximum likelihood ("ml") is α = 0; "map" is the mode under the conjugate prior that counts α further rows.
"bayes" averages p over the posterior of its parameters instead. (3) and (4) are such averages already; the others become

    gaussian      Student's t with ν = n + α, centre (n·μ + α·m)/ν, scale² = (1 + 1/ν)·S/ν,
                  S = n·σ² + α·v + (μ − m)²·n·α/ν                                                             (6)
    poisson       negative binomial with Σx + α·m events in n + α rows                                        (7)

so a class with few rows has long tails. Missing cells are left out of (1) and of the sums.

Cost: one pass, O(n·d); prediction O(n·d·K); memory O(K·d + K·Σ L_j).
Reference: Gelman et al., Bayesian Data Analysis, CRC 2013, 2.6 and 3.3 (the conjugate priors).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any, Literal

import numpy as np
from scipy import special
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes.gaussian.class_spread import class_pivots, smoothed
from aprendiz.bayes.naive.column_factors import ColumnFactors, FactorTable
from aprendiz.bayes.naive.column_families import ColumnLayout, MixedSums, asked_families, kinds_asked, layout_of
from aprendiz.bayes.naive.counted_columns import log_shares, warn_of_zeros
from aprendiz.bayes.naive.independent_columns import IndependentColumns, checked_priors
from aprendiz.bayes.naive.stored_tables import MIXED
from aprendiz.core.cells import MISSING, Column, tidy
from aprendiz.core.certificate import Certificate
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.one_row import table_of_row
from aprendiz.core.parameters import ArrayLike, NonNegative, ParameterError
from aprendiz.core.random import draw_seed, uniforms
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.targets import plain
from aprendiz.locale import _

TINY = np.finfo(float).tiny


class NaiveBayes(IndependentColumns):
    """Naive Bayes for mixed columns (measurements, counts, yes and no, words; missing cells, exact `partial_fit`, files).

    Parameters
    ----------
    families : dict of column to str, optional
        "gaussian", "bernoulli", "categorical" or "poisson", by the name or the number of a column. By default words are
        categorical, columns of 0 and 1 bernoulli, other numbers gaussian.
    estimate : {"map", "ml", "bayes"}, default="map"
        How the parameters of a column are found, or averaged over.
    alpha : float, default=1.0
        α of (3) to (7): how many rows the prior counts for. No effect with "ml".
    priors : array of shape (n_classes,), optional
        Class priors π; by default, the class proportions.
    var_smoothing : float, default=1e-9
        ε of (2), as a part of the variance of the column over all rows, so that its unit does not matter; a class that is much
        wider than the others raises it for all of them. No effect with "bayes".

    Attributes
    ----------
    classes_, class_count_, class_prior_ : ndarray of shape (n_classes,)
        Labels, rows (or weight) and π of each class.
    families_ : list of str
        The family of each column.
    theta_, var_ : ndarray of shape (n_classes, n_features)
        μ, θ or λ; and σ² + ε, or scale² of (6). NaN where the family has none.
    strength_ : ndarray of shape (n_classes, n_features) or None
        n + α of (6) and (7), with "bayes".
    category_log_prob_ : list of ndarray of shape (n_classes, L)
        log θ_l, for each column that has categories.
    columns_ : Columns or None
        The schema, where columns have categories.
    n_parameters_ : int
        Numbers that describe a class, beside its prior.
    sums_ : MixedSums
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        How many values have probability zero in a class, and the digits of the variances.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("tumour", return_X_y=True, as_frame=True)
    >>> model = NaiveBayes().fit(X, y)
    >>> print(model.explain({"size": "large", "smoothness": "medium", "symmetry": None}))
                          benign  malignant
    prior                 0.6429     0.3571
    size = large          0.1667      0.625
    smoothness = medium      0.5       0.25
    product              0.05357     0.0558
    posterior             0.4898     0.5102
    """

    stored_check = MIXED

    allows = frozenset({"missing", "categories"})
    tuning = {"alpha": (0.1, 1.0, 10.0)}

    def __init__(
        self,
        *,
        families: dict[Any, str] | None = None,
        estimate: Literal["map", "ml", "bayes"] = "map",
        alpha: NonNegative = 1.0,
        priors: ArrayLike | None = None,
        var_smoothing: NonNegative = 1e-9,
    ):
        self.families = families
        self.estimate = estimate
        self.alpha = alpha
        self.priors = priors
        self.var_smoothing = var_smoothing

    # ---- learning ------------------------------------------------------------------------------------------------------

    def schema(self, X: Any) -> Columns:
        """Words are categories; 0 and 1, True and False are numbers; otherwise as asked."""
        found = Columns.of(X)
        return Columns.of(X, kinds=kinds_asked(found, asked_families(self.families, found.names)))

    def summarise(self, rows: Rows) -> MixedSums:
        assert rows.labels is not None
        mixed = rows.X.columns if in_memory(rows) and isinstance(rows.X, Mixed) else None
        layout = layout_of(rows, mixed, self.families)
        numbers = rows if layout.schema is None else rows.map(layout.numbers)
        record = rows.sum(MixedSums.of, rows.labels, class_pivots(numbers, len(rows.labels)), layout)
        if layout.schema is not None and not record.finite:
            strange = ~np.isfinite(record.spread.spread.second).all(axis=0)
            name = layout.names[layout.numeric[int(np.argmax(strange))]]
            raise ValueError(f"Column {name!r} holds values too large to be squared: scale the column.")
        return record

    def conclude(self, record: MixedSums) -> dict[str, Any]:
        """The certificate: no stored probability is 0, and means and variances before smoothing keep eight digits
        (`Spread.digits`). Nothing is claimed of the digits of ε, nor of variances that vanish, below 10⁻³⁰⁰."""
        families, alpha = record.families(), self.smoothing()
        refuse_many_levels(record, families)
        record.spread.refuse_vanished()
        numeric = [j for j in range(record.columns) if not record.is_coded(j)]
        theta, var, strength = self.estimates(record, [families[j] for j in numeric], alpha)
        tables = [log_shares(N, alpha, record.total) for N in record.words.counts]
        zeros = self.count_zeros(record, families, theta, tables)
        digits = float(record.spread.spread.digits.min(initial=15.95))
        return {
            "columns_": record.schema,
            "classes_": record.labels,
            "class_count_": record.total,
            "class_prior_": checked_priors(self.priors, record.labels, record.total),
            "families_": families,
            "theta_": place_columns(theta, numeric, record.columns),
            "var_": place_columns(var, numeric, record.columns),
            "strength_": place_columns(strength, numeric, record.columns) if self.estimate == "bayes" else None,
            "category_log_prob_": tables,
            "n_parameters_": sum(1 + (families[j] == "gaussian") for j in numeric)
            + sum(table.shape[1] - 1 for table in tables),
            "certificate_": Certificate(
                "no value has probability zero in a class, and variances keep at least eight digits",
                zeros == 0 and digits >= 8,
                {"zeros": zeros, "digits": digits},
            ),
        }

    def smoothing(self) -> float:
        """α, 0 for maximum likelihood."""
        if not np.isfinite(self.alpha):
            raise ParameterError(f"alpha of NaiveBayes must be finite, got {self.alpha!r}.")
        if self.estimate == "bayes" and self.alpha == 0:
            raise ParameterError('alpha of NaiveBayes must be above 0 with estimate="bayes", whose prior counts α rows; got 0.')
        return 0.0 if self.estimate == "ml" else float(self.alpha)

    def estimates(self, record: MixedSums, families: list[str], alpha: float) -> tuple[Array, Array, Array]:
        """θ, variance and n + α of the columns of numbers: (2) to (7)."""
        spread, (m, v) = record.spread.spread, record.spread.pool()
        n, own = spread.weight, np.where(spread.weight > 0, spread.mean, m)
        strength = n + alpha
        drawn = own + np.divide(alpha, strength, out=np.zeros_like(n), where=strength > 0) * (m - own)  # towards all rows
        if self.estimate == "bayes":
            S = spread.scatter + alpha * v + n * alpha / strength * (own - m) ** 2
            centre, var = drawn, (1.0 + 1.0 / strength) * S / strength  # (6)
        else:
            centre, var = own, smoothed(np.where(n > 0, record.spread.variance, v), self.var_smoothing, v)  # (2)
        both = record.zeros + record.ones + 2.0 * alpha
        yes = np.divide(record.ones + alpha, both, out=np.full_like(n, 0.5), where=both > 0)
        of = np.array(families, dtype=object)
        theta = np.where(of == "bernoulli", yes, np.where(of == "poisson", np.maximum(drawn, 0.0), centre))
        var = np.where(var > TINY, var, 1.0)  # nothing varies at all: every class says the same
        return theta, np.where(of == "gaussian", var, np.nan), strength

    def count_zeros(self, record: MixedSums, families: list[str], theta: Array, tables: list[Array]) -> int:
        """How many values have probability zero in a class; the first is named, with what to do about it."""
        found = list(zeros_of(record, families, theta, tables))
        if found:
            name, value, label = found[0]
            what = _("Column {column}: {value}").format(column=repr(name), value=value)
            warn_of_zeros(what, label, len(found), _('Give estimate="map" and alpha > 0.'))
        return len(found)

    # ---- probabilities -------------------------------------------------------------------------------------------------

    def log_prior(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.class_prior_)

    def advice(self) -> str:
        return _('Give estimate="map" and alpha > 0, or check such rows.')

    def layout(self) -> ColumnLayout:
        """The columns of the fit."""
        names = getattr(self, "feature_names_in_", range(self.n_features_in_))
        return ColumnLayout(
            tuple(names if self.columns_ is None else self.columns_.names), tuple(self.families_), self.columns_
        )

    def factors(self) -> ColumnFactors:
        """p_j of (1) for all columns."""
        at = self.layout().numeric
        families, strength = [self.families_[j] for j in at], None if self.strength_ is None else self.strength_[:, at]
        return ColumnFactors(families, self.theta_[:, at], self.var_[:, at], strength, self.category_log_prob_)

    def log_joint_function(self) -> Callable[[Block], Array]:
        layout, factors, prior = self.layout(), self.factors(), self.log_prior()
        return lambda block: prior + factors(*layout.checked_parts(block))

    def log_density(self, X: Any) -> Array:
        """log p(x) of each row, whatever its class, from its known cells. Outliers have the lowest."""
        log_joint = self.log_joint_function()
        return self.new_rows(X).each(lambda block: special.logsumexp(log_joint(block), axis=1))

    def explain(self, row: Any) -> FactorTable:
        """The factors of one row: prior, a factor for each known cell, their product, and the posterior.

        Parameters
        ----------
        row : dict of column to cell, sequence of cells, row of a data frame, or table with one row
        """
        check_is_fitted(self)
        rows, layout, factors = self.new_rows(table_of_row(row, self.column_names())), self.layout(), self.factors()
        numbers, codes = layout.checked_parts(next(rows.blocks()))
        cells, logs = {}, {}
        for at, j in enumerate(layout.numeric):
            if not np.isnan(numbers[0, at]):
                cells[j] = tidy(numbers[0, at])
                logs[j] = factors(only(numbers, at, np.nan), np.full_like(codes, MISSING))[0]
        for at, (j, column) in enumerate(zip(layout.at_codes, layout.coded, strict=True)):
            if codes[0, at] != MISSING:
                cells[j] = column.levels[codes[0, at]]
                logs[j] = factors(np.full(numbers.shape, np.nan), only(codes, at, MISSING))[0]
        known = sorted(cells)
        table = np.array([logs[j] for j in known]).reshape(-1, len(self.classes_))
        classes = tuple(plain(label) for label in self.classes_)
        return FactorTable(classes, self.log_prior(), tuple((layout.names[j], cells[j]) for j in known), table)

    # ---- new rows ------------------------------------------------------------------------------------------------------

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Any, Array]:
        """New rows from the fitted distributions, and their classes: a data frame if the columns have names, else an array."""
        check_is_fitted(self)
        if not isinstance(n_samples, Integral) or n_samples < 1:
            raise ValueError(f"n_samples must be a whole number of at least 1, got {n_samples!r}.")
        n, seed, layout, factors = int(n_samples), draw_seed(random_state), self.layout(), self.factors()
        k = np.searchsorted(np.cumsum(self.class_prior_)[:-1], uniforms(seed, 0, n), side="right")
        columns: dict[int, Any] = {}
        for at, j in enumerate(layout.numeric):
            columns[j] = factors.draw_number(at, k, uniforms(seed, 1 + j, n))
        for at, (j, column) in enumerate(zip(layout.at_codes, layout.coded, strict=True)):
            words = any(isinstance(level, str) for level in column.levels)
            levels = np.array(column.levels, dtype=object if words else float)
            columns[j] = levels[factors.draw_code(at, k, uniforms(seed, 1 + j, n))]
        names, y = self.column_names(), self.classes_[k]
        if names is None:
            return np.column_stack([columns[j] for j in range(len(columns))]), y
        import pandas as pd

        return pd.DataFrame({name: pd.Series(columns[j]).infer_objects() for j, name in enumerate(names)}), y

    def column_names(self) -> list[Any] | None:
        """The names of the columns, if they have names."""
        found = getattr(self, "feature_names_in_", None)
        return None if found is None else list(found)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags


def zeros_of(record: MixedSums, families: list[str], theta: Array, tables: list[Array]) -> Iterator[tuple[Any, Any, Any]]:
    """Column, value and class of every probability that is zero, in classes that have rows."""
    numbers, coded = iter(theta.T), iter(tables)
    for j, family in enumerate(families):
        column = Column(j, "numeric") if record.schema is None else record.schema.columns[j]
        table = np.exp(next(coded)) if column.kind != "numeric" else next(numbers)[:, None]
        values = [repr(level) for level in column.levels]
        if column.kind == "numeric" and family == "bernoulli":
            table, values = np.hstack([1.0 - table, table]), ["0", "1"]
        elif column.kind == "numeric":
            if family == "gaussian" or not table.any():  # densities, or counts that are 0 in all classes
                continue
            values = [_("a count above 0")]
        for k, value in np.argwhere((table == 0.0) & (record.total > 0)[:, None]):
            yield column.name, values[value], record.labels[k]


def refuse_many_levels(record: MixedSums, families: list[str]) -> None:
    """A bernoulli column of more than two words."""
    for column, family in zip(record.schema or (), families, strict=False):
        if family == "bernoulli" and len(column.levels) > 2:
            shown = ", ".join(map(repr, column.levels[:5]))
            raise ValueError(
                f"Column {column.name!r} has {len(column.levels)} levels ({shown}{', …' * (len(column.levels) > 5)}), "
                "but a bernoulli column has two: give it the family 'categorical'."
            )


def place_columns(values: Array, where: list[int], columns: int) -> Array:
    """Columns at their places in the table, NaN in the others."""
    wide = np.full((len(values), columns), np.nan)
    wide[:, where] = values
    return wide


def only(row: Array, column: int, missing: Any) -> Array:
    """A row with one known cell."""
    alone = np.full_like(row, missing)
    alone[0, column] = row[0, column]
    return alone

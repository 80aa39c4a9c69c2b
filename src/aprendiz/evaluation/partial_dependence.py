"""Partial dependence: what a fitted model predicts on average if a column had one value in all rows, for each of some values.

    f_i(v) = f(x_i with v in the columns S)          of one row: individual conditional expectation           (1)
    f_S(v) = Σ ω_i·f_i(v) / Σ ω_i                    the average                                              (2)

(1) shows what (2) hides: curves of rows that differ in shape are an interaction. Rows with such a value may not exist, if S
goes with other columns; then the model is asked about rows that it has never seen the like of.

Numbers are asked at all their values, if they are few, else at places at equal distances between two percentiles; words at
their levels, the most frequent ones if there are many.

Of sums of trees (2) can also be found by recursion (dependence/recursion.py), which averages along the branches instead.

Cost: a prediction of all rows for each value; by recursion, a pass through the trees.
References: Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29, 2001; Goldstein et
al., "Peeking inside the black box", Journal of Computational and Graphical Statistics 24, 2015.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import refuse_count
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed, uniforms
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.targets import plain
from aprendiz.evaluation.dependence.columns import Cell, TableColumns
from aprendiz.evaluation.dependence.grids import given_cells, grid_of, is_number
from aprendiz.evaluation.dependence.recursion import Method, averages_at, uses_recursion
from aprendiz.evaluation.inputs.labels_and_numbers import row_weights

Kind = Literal["average", "individual", "both"]
Response = Literal["auto", "predict_proba", "decision_function", "predict"]


def partial_dependence(
    estimator: Any,
    X: Any,
    features: Any,
    *,
    kind: Kind = "average",
    grid_resolution: int = 100,
    percentiles: tuple[float, float] = (0.05, 0.95),
    custom_values: Mapping[Any, Sequence[Any]] | None = None,
    response_method: Response = "auto",
    method: Method = "auto",
    sample_weight: Any = None,
    subsample: int | float | None = None,
    random_state: Any = None,
) -> PartialDependence:
    """The predictions of a fitted model along one or two columns.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        Of this library or of scikit-learn, or a pipeline.
    X : table of numbers and words
    features : name or number of a column, or a list of one or two
    kind : {"average", "individual", "both"}, default="average"
        (2), (1) or both.
    grid_resolution : int, default=100
        Values of a column at most.
    percentiles : pair of float, default=(0.05, 0.95)
        Between which the values of a column of many numbers lie.
    custom_values : dict of columns to values, optional
    response_method : {"auto", "predict_proba", "decision_function", "predict"}, default="auto"
        Of a classifier: "auto" is the probability, or the decision values if there is none.
    method : {"auto", "recursion", "brute"}, default="auto"
        "brute" predicts all rows for each value. "recursion" averages trees, forests and boosted trees of this library along
        their branches, by the weights of the fit, and needs no rows; as in scikit-learn, "auto" does so for averages of
        regression trees and forests without sample_weight.
    sample_weight : array-like of shape (n_rows,), optional
    subsample : int or float, optional
        Rows that are used, or their share; by default all.
    random_state : int, RandomState or None
        Of the subsample.

    Returns
    -------
    PartialDependence

    Examples
    --------
    >>> from aprendiz import LinearRegression
    >>> X = np.array([[0.0, 0.0], [1.0, 3.0], [2.0, 1.0], [3.0, 2.0]])
    >>> found = partial_dependence(LinearRegression().fit(X, 2 * X[:, 0] - X[:, 1]), X, 0)
    >>> found.average[0].round(6).tolist()
    [-1.5, 0.5, 2.5, 4.5]
    """
    check_is_fitted(estimator)
    refuse_count("grid_resolution", grid_resolution)
    if kind not in ("average", "individual", "both"):
        raise ValueError(f"kind = {kind!r} must be 'average', 'individual' or 'both'.")
    if not (len(percentiles) == 2 and 0 <= percentiles[0] < percentiles[1] <= 1):
        raise ValueError(f"percentiles = {percentiles!r} must be two numbers from 0 to 1, the smaller one first.")
    columns = TableColumns(X)
    weight = row_weights(sample_weight, columns.rows)
    places = chosen_places(columns, features)
    custom = {columns.place(name): values for name, values in (custom_values or {}).items()}
    grids = [
        given_cells(custom[j], columns.values(j), columns.names[j])
        if j in custom
        else grid_of(columns.values(j), columns.names[j], grid_resolution, percentiles)
        for j in places
    ]
    shape, individual = tuple(map(len, grids)), None
    if uses_recursion(estimator, method, kind, response_method, weight is not None):
        average = averages_at(estimator, columns, places, grids)
    else:
        part = columns
        if subsample is not None:
            rows = rows_of_subsample(columns.rows, subsample, random_state)
            part, weight = columns.taken(rows), None if weight is None else weight[rows]
        tables = (part.replaced(dict(zip(places, cells, strict=True)), columns) for cells in product(*grids))
        found = np.array([response_of(estimator, table, response_method) for table in tables])  # (values, rows, outputs)
        individual = np.moveaxis(found, 0, -1).transpose(1, 0, 2)  # (outputs, rows, values)
        average = np.average(individual, axis=1, weights=weight)
        individual = None if kind == "average" else individual.reshape(*individual.shape[:2], *shape)
    return PartialDependence(
        names=tuple(columns.names[j] for j in places),
        grid_values=tuple(as_array(grid) for grid in grids),
        average=average.reshape(-1, *shape),
        individual=individual,
        numbers=tuple(is_number(columns.values(j)) for j in places),
        values=tuple(numbers_of(columns, j) for j in places),
        classes=classes_of(estimator, len(average), response_method),
        kind=kind,
    )


def chosen_places(columns: TableColumns, features: Any) -> list[int]:
    """The numbers of one or two columns."""
    listed = list(features) if isinstance(features, (list, tuple, np.ndarray)) else [features]
    places = [columns.place(column) for column in listed]
    if not 1 <= len(places) <= 2 or len(set(places)) < len(places):
        raise ValueError(f"features = {features!r} must be one column, or two different ones.")
    return places


def rows_of_subsample(count: int, wanted: int | float, random_state: Any) -> Array:
    """Some of the rows, in their order."""
    whole = isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool)
    if not (wanted >= 1 if whole else isinstance(wanted, float) and 0 < wanted < 1):
        raise ValueError(f"subsample = {wanted!r} must be a number of rows, or a share between 0 and 1.")
    size = min(count, int(wanted) if whole else max(1, int(wanted * count)))
    return np.sort(np.argsort(uniforms(draw_seed(random_state), 0, count), kind="stable")[:size])


def response_of(model: Any, X: Any, method: Response) -> Array:
    """What a model says of rows, a column for each output: of two classes, the second alone."""
    if method not in ("auto", "predict_proba", "decision_function", "predict"):
        raise ValueError(f"response_method = {method!r} must be 'auto', 'predict_proba', 'decision_function' or 'predict'.")
    if is_classifier(model):
        wanted = ("predict_proba", "decision_function") if method == "auto" else (method,)
        name = next((one for one in wanted if one != "predict" and hasattr(model, one)), None)
        if name is None:
            raise TypeError(f"{type(model).__name__} gives neither probabilities nor decision values that can be averaged.")
        said = np.asarray(getattr(model, name)(X), dtype=np.float64)
        said = said[:, 1:] if name == "predict_proba" and said.shape[1] == 2 else said
    elif is_regressor(model):
        said = np.asarray(model.predict(X), dtype=np.float64)
    else:
        raise TypeError(f"{type(model).__name__} predicts neither classes nor numbers: it has no partial dependence.")
    return said.reshape(len(said), -1)


def classes_of(model: Any, outputs: int, method: Response) -> tuple[Any, ...]:
    """The class of each output; empty for numbers."""
    if not is_classifier(model):
        return ()
    labels = [plain(label) for label in model.classes_]
    return tuple(labels[1:] if outputs == 1 else labels)


def as_array(grid: Sequence[Cell]) -> Array:
    values = [cell.value for cell in grid]
    return np.array(values) if all(isinstance(value, (int, float, np.number)) for value in values) else np.array(values, object)


def numbers_of(columns: TableColumns, j: int) -> Array | None:
    """The numbers of a column, for the marks below a picture."""
    column = columns.values(j)
    if not is_number(column):
        return None
    values = np.asarray(column if isinstance(column, np.ndarray) else column.to_numpy(), dtype=np.float64)
    return values[np.isfinite(values)]


@dataclass(frozen=True, eq=False, repr=False)
class PartialDependence(ShortRepr):
    """The predictions of a model along one or two columns.

    Attributes
    ----------
    names : tuple
        Of the columns.
    grid_values : tuple of ndarray
        The values of each column at which the model was asked.
    average : ndarray of shape (n_outputs, n_values) or (n_outputs, n_values, n_values)
        (2). An output for each class, one if there are two classes; for numbers, one for each target.
    individual : ndarray of shape (n_outputs, n_rows, n_values, …) or None
        (1).
    numbers : tuple of bool
        Whether each column holds numbers.
    values : tuple of ndarray or None
        The numbers of each column in these rows.
    classes : tuple
        The class of each output; empty for numbers.
    kind : str
    """

    names: tuple[Any, ...]
    grid_values: tuple[Array, ...]
    average: Array
    individual: Array | None
    numbers: tuple[bool, ...]
    values: tuple[Array | None, ...]
    classes: tuple[Any, ...]
    kind: Kind

    @property
    def strength(self) -> Array:
        """How much the average varies along the columns: its largest minus its smallest value, for each output."""
        flat = self.average.reshape(len(self.average), -1)
        return flat.max(axis=1) - flat.min(axis=1)

    def plot(self, ax: Any = None, *, target: Any = None) -> Picture:
        """The curves, or the map of two columns, a `PartialDependenceDisplay`; `target` is the class, or the number of the
        output. Needs matplotlib."""
        return display("PartialDependenceDisplay")([self], target=target).plot(ax)

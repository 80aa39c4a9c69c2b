"""The error of an ensemble as it grows: of its first 1, 2, …, M members, on three kinds of rows.

    train     the rows of the fit: usually far too small an error
    oob       the rows of the fit, predicted out of bag: by the members that did not learn from them (out_of_bag.py)
    test      rows that no member has seen

The error is the share of wrong predictions, or the mean squared error. Each member is asked once for each row: the prediction
of m + 1 members is that of m with one more vote.

Cost: the predictions of all members for all rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.targets import as_target, same_length
from aprendiz.ensemble.out_of_bag.out_of_bag import OutOfBag
from aprendiz.ensemble.out_of_bag.rows_of_fit import leaves_rows_out, rows_of_fit, task_of, weight_of

ROWS_OF_TABLE = 8  # sizes of a table in words


@dataclass(frozen=True, eq=False)
class EnsembleCurve:
    """The error of the first members of an ensemble.

    Attributes
    ----------
    members : ndarray of int
        1, 2, …, M.
    train, oob, test : ndarray of shape (M,), or None
        The error on training rows, on out-of-bag rows, on test rows; None where it is not known.
    task : {"classification", "regression"}
        Errors are shares of rows, or mean squared errors.
    name : str
        Name of the learner.
    """

    members: Array
    train: Array | None
    oob: Array | None
    test: Array | None
    task: str
    name: str

    @property
    def known(self) -> dict[str, Array]:
        """The errors that are known, by name."""
        errors = {"train": self.train, "oob": self.oob, "test": self.test}
        return {name: values for name, values in errors.items() if values is not None}

    def plot(self, ax: Any = None) -> Picture:
        """The errors against the number of members, an `EnsembleCurveDisplay`. Needs matplotlib."""
        return display("EnsembleCurveDisplay")(self).plot(ax)

    def __str__(self) -> str:
        last = len(self.members)
        sizes = sorted({*np.unique(np.geomspace(1, last, ROWS_OF_TABLE).round().astype(int)), last})
        lines = ["members" + "".join(f"{name:>10}" for name in self.known)]
        for size in sizes:
            lines.append(f"{size:7d}" + "".join(f"{values[size - 1]:10.4g}" for values in self.known.values()))
        return "\n".join(lines)


def ensemble_curve(model: Any, X: Any = None, y: Any = None, *, X_test: Any = None, y_test: Any = None) -> EnsembleCurve:
    """The error of the first 1, 2, … members of a fitted ensemble.

    Parameters
    ----------
    model : fitted ensemble
    X, y : the rows of the fit, in their order, optional
        The model keeps small tables, so they need not be given. If it does not, the curve has no training error.
    X_test, y_test : rows that the ensemble has not seen, optional

    Examples
    --------
    >>> from aprendiz import RandomForestClassifier, ensemble_curve
    >>> from sklearn.datasets import load_iris
    >>> curve = ensemble_curve(RandomForestClassifier(50, random_state=0).fit(*load_iris(return_X_y=True)))
    >>> len(curve.members), float(curve.train[-1]), bool(curve.oob[-1] < 0.1), curve.test
    (50, 0.0, True, None)
    """
    check_is_fitted(model)
    if (X_test is None) != (y_test is None):
        raise ValueError("X_test and y_test belong together: give both, or neither.")
    train, oob, test = None, getattr(model, "oob_errors_", None), None
    if X is not None or y is not None or model.__dict__.get("_table") is not None:
        rows = rows_of_fit(model, X, y, "ensemble_curve")
        truth, weight = true_target(model, rows), weight_of(model, rows)
        train = errors_of(model, rows, truth, weight)
        if oob is None and leaves_rows_out(model.bags_):
            oob = out_of_bag_errors(model, rows, truth, weight)
    if X_test is not None:
        rows = model.new_rows(X_test)
        test = errors_of(model, rows, as_target(y_test), None)
    return EnsembleCurve(np.arange(1, len(model) + 1), train, oob, test, task_of(model), type(model).__name__)


def true_target(model: Any, rows: ArrayRows) -> Array:
    """The target as the model says it: labels, or numbers."""
    assert rows.y is not None
    return np.asarray(model.classes_[rows.y] if hasattr(model, "classes_") else rows.y)


def errors_of(model: Any, rows: Rows, truth: Array, weight: Array | None) -> Array:
    """The error of the first 1, 2, … members."""
    return np.array([np.average(losses(model, said, truth), weights=weight) for said in model.staged_predict(rows)])


def losses(model: Any, said: Array, truth: Array) -> Array:
    """The loss of each row."""
    same_length("y_test", len(truth), len(said))
    if hasattr(model, "classes_"):
        return (said != truth.reshape(len(said))).astype(np.float64)
    said, truth = (one[:, None] if one.ndim == 1 else one for one in (said, truth))
    return np.asarray(((said - truth) ** 2).mean(axis=1))


def out_of_bag_errors(model: Any, rows: ArrayRows, truth: Array, weight: Array | None) -> Array:
    """The same, of out-of-bag predictions."""

    def loss(total: Array, votes: Array, some: Array) -> Array:
        return losses(model, model.decide(total, votes[:, None]), truth[some])

    found, outputs = np.empty(len(model)), len(model.classes_) if hasattr(model, "classes_") else model.n_outputs_
    tally = OutOfBag(np.zeros((len(truth), outputs)), np.zeros(len(truth), np.int32), weight, loss)
    for member, said in enumerate(model.each_member(rows)):
        out = model.bags_.left_out(member)
        tally.add(out, model.votes(said[out], model.costs_))
        found[member] = tally.error
    return found

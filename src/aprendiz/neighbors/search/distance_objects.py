"""scikit-learn's DistanceMetric objects as a name and parameters.

They are known by the names of their classes, and give their numbers as they would to a pickle: scikit-learn's metrics need not
be imported for it.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Mapping
from typing import Any

import numpy as np

CLASSES = {
    "EuclideanDistance": "euclidean",
    "ManhattanDistance": "manhattan",
    "ChebyshevDistance": "chebyshev",
    "MinkowskiDistance": "minkowski",
    "SEuclideanDistance": "seuclidean",
    "MahalanobisDistance": "mahalanobis",
    "HammingDistance": "hamming",
    "CanberraDistance": "canberra",
    "BrayCurtisDistance": "braycurtis",
    "JaccardDistance": "jaccard",
    "DiceDistance": "dice",
    "RogersTanimotoDistance": "rogerstanimoto",
    "RussellRaoDistance": "russellrao",
    "SokalMichenerDistance": "sokalmichener",
    "SokalSneathDistance": "sokalsneath",
    "HaversineDistance": "haversine",
}


class DistanceMetric(metaclass=ABCMeta):  # noqa: B024  known by a name, not by methods
    """The type of scikit-learn's objects, for annotations."""

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        return any(base.__name__ == "DistanceMetric" and base is not cls for base in other.__mro__)


def metric_and_parameters(metric: Any, parameters: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
    """A metric as a name, a function or what it is otherwise, and its parameters."""
    given = dict(parameters or {})
    if isinstance(metric, str) and metric == "pyfunc" and callable(given.get("func")):
        return given.pop("func"), given
    if not isinstance(metric, DistanceMetric):
        return metric, given
    kind = type(metric).__name__.rstrip("0123456789")
    state: tuple[Any, ...] = metric.__getstate__()  # type: ignore[assignment]
    if kind == "PyFuncDistance":
        return state[3], dict(state[4])
    if kind not in CLASSES:
        raise ValueError(f"metric: {kind} is not known; give the name of a metric, or a function of two rows.")
    p, vector, matrix = state[:3]
    if kind == "MinkowskiDistance":
        return "minkowski", {"p": p, **({"w": np.array(vector)} if len(vector) else {})}
    if kind == "SEuclideanDistance":
        return "seuclidean", {"V": np.array(vector)}
    return CLASSES[kind], {"VI": np.array(matrix)} if kind == "MahalanobisDistance" else {}


def rows_of_index(X: Any) -> tuple[Any, Any, dict[str, Any]] | None:
    """The rows, the metric and its parameters of a KDTree, a BallTree or a fitted learner of neighbours, of scikit-learn or of
    aprendiz; None for all else."""
    if hasattr(X, "_fit_X") and hasattr(X, "effective_metric_"):
        return X._fit_X, X.effective_metric_, dict(X.effective_metric_params_)
    if type(X).__name__ not in ("KDTree", "BallTree", "KDTree32", "BallTree32", "KDTree64", "BallTree64"):
        return None
    if hasattr(X, "metric_and_parameters"):
        return X.data, *X.metric_and_parameters
    metric = next(one for one in X.__getstate__() if isinstance(one, DistanceMetric))
    return np.array(X.data), *metric_and_parameters(metric)

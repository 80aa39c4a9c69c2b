"""The class of rules that a fitted classifier is from, as far as a bound over it is known.

A bound over a class holds for every rule of it, however it was found: penalised, pruned, by whatever criterion. So what counts
is the form of the frontiers alone:

    linear        a function wᵀx + b for each class, or one of two classes                     space of dimension d + 1
    quadratic     (x − μ)ᵀΣ⁻¹(x − μ) for each class; without products of columns               (d + 1)(d + 2)/2; 2d + 1
    trees         binary splits x_j ≤ c                                                        leaves
    finite        constant rules                                                               K

The number of leaves is found on the rows, not fixed before them. Then the trees of ℓ leaves get the share 1/(ℓ(ℓ + 1)) of δ:
the shares of all ℓ sum to 1, so the bounds of all sizes hold at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import ParameterError

Kind = Literal["functions", "trees", "finite", "unbounded", "unknown"]
LINEAR = ("MultinomialNB", "ComplementNB", "NearestShrunkenCentroids")  # and all that have coef_, or the nearest centroid
QUADRATIC = ("QuadraticDiscriminantAnalysis", "RegularizedDiscriminantAnalysis")
QUADRATIC_BY_COLUMN = ("GaussianNB", "DiagonalDiscriminantAnalysis")
NEIGHBOURS = ("KNeighborsClassifier", "RadiusNeighborsClassifier")
AFFINE = ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "PCA")  # of all columns at once


@dataclass(frozen=True)
class ModelClass:
    """A class of rules, or why nothing is known of it."""

    kind: Kind
    classes: int = 2
    columns: int = 0
    functions: int = 0  # dimension of the space of functions
    leaves: int = 0
    size: int = 1
    reason: str = ""

    @property
    def share(self) -> float:
        """Of δ, where the rows chose among classes."""
        return 1.0 / (self.leaves * (self.leaves + 1)) if self.kind == "trees" and self.leaves > 2 else 1.0


def class_of(model: Any) -> ModelClass:
    """The class of a fitted classifier."""
    if not hasattr(model, "predict"):
        raise ParameterError(f"rules must be the name of a class of rules or a fitted classifier, got {model!r}.")
    check_is_fitted(model)
    if isinstance(model, Pipeline):
        return of_pipeline(model)
    name, d = type(model).__name__, getattr(model, "n_features_in_", None)
    labels = getattr(model, "classes_", None)
    if d is None or labels is None or (len(labels) and np.ndim(labels[0]) > 0):
        return ModelClass("unknown", reason="unknown")
    K = max(2, len(labels))
    if name == "DummyClassifier":
        fixed = model.strategy in ("prior", "most_frequent", "constant")
        return ModelClass("finite", K, size=K) if fixed else ModelClass("unknown", reason="unknown")
    if name in NEIGHBOURS:
        return ModelClass("unbounded", K, reason="neighbours")
    if name == "StollerCut":
        return ModelClass("trees", K, d, leaves=2)
    if hasattr(model, "tree_"):
        return of_tree(model, K, d)
    if hasattr(model, "estimators_"):
        return of_members(model, K, d)
    return of_frontiers(model, name, K, d)


def of_frontiers(model: Any, name: str, K: int, d: int) -> ModelClass:
    """Functions of the columns, one for each class."""
    if getattr(model, "columns_", None) is not None or name == "CategoricalNB":
        return ModelClass("unknown", reason="categories")
    if name in LINEAR or is_linear(model, d) or getattr(model, "metric", "") == "euclidean":
        return ModelClass("functions", K, d, d + 1)
    if name in QUADRATIC:
        return ModelClass("functions", K, d, (d + 1) * (d + 2) // 2)
    if name in QUADRATIC_BY_COLUMN or (name == "NaiveBayes" and model.estimate != "bayes"):
        return ModelClass("functions", K, d, 2 * d + 1)
    return ModelClass("unknown", reason="unknown")


def is_linear(model: Any, d: int) -> bool:
    """Whether the coefficients are those of the columns."""
    shape = np.shape(getattr(model, "coef_", 0.0))
    return len(shape) > 0 and shape[-1] == d


def of_tree(model: Any, K: int, d: int) -> ModelClass:
    """A tree whose splits are all of the form x_j ≤ c (where cells are missing there are others: the class is for whole
    rows)."""
    tree = model.tree_
    branches = np.diff(tree.child_start).max(initial=0) if hasattr(tree, "child_start") else 2
    if branches > 2 or len(getattr(tree, "level_branch", ())):
        return ModelClass("unknown", K, d, reason="branches")
    return ModelClass("trees", K, d, leaves=int(model.get_n_leaves()))


def of_members(model: Any, K: int, d: int) -> ModelClass:
    """One linear rule for each class or pair of classes, the largest or the most wins; other votes are not known."""
    if type(model).__name__ in ("OneVsRestClassifier", "OneVsOneClassifier") and all(
        is_linear(m, d) for m in model.estimators_
    ):
        return ModelClass("functions", K, d, d + 1)
    return ModelClass("unknown", K, d, reason="votes")


def of_pipeline(pipeline: Any) -> ModelClass:
    """A linear or quadratic rule after affine maps is one in the columns of the table: with as many columns as went in."""
    *preparation, (_last, model) = pipeline.steps
    plain = all(step in (None, "passthrough") or type(step).__name__ in AFFINE for _name, step in preparation)
    found = class_of(model)
    d = getattr(pipeline, "n_features_in_", None)
    if found.kind in ("unbounded", "unknown", "finite"):
        return found
    if found.functions == 2 * found.columns + 1 or found.kind == "trees":  # bound to the axes, which PCA turns
        plain = plain and all(type(step).__name__ != "PCA" for _name, step in preparation)
    if not plain or d is None:
        return ModelClass("unknown", found.classes, reason="preparation")
    return found

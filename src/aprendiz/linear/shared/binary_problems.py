"""Many classes as problems of two: what one against the rest and one against one share.

A binary problem is the table with another target (0 or 1), given to a copy of the base learner. The table is handed through
as it is: what the base takes (frames, missing cells, sparse matrices, texts), the reduction takes. A learner of this library
is also given opened rows of files and Dask collections, whose targets are changed block by block as they are read.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import signature
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.parallel import Parallel, delayed

from aprendiz.core.certificate import Certificate
from aprendiz.core.frames import as_frame
from aprendiz.core.inputs import as_vector, first_target, is_read_in_blocks, open_collection, with_own_target
from aprendiz.core.learner import Learner, kind_of
from aprendiz.core.routing import of_some_rows, routes_metadata
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.targets import Levels, as_target, classes, plain, refuse_few_classes, refuse_measurements
from aprendiz.linear.shared.constant_label import ConstantLabel, row_count

Recode = Callable[[Any], tuple[Array, Array]]  # numbers of classes → 0 or 1, and whether the row belongs to the problem


class BinaryProblems(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier of many classes made of classifiers (or regressors) of two."""

    estimator: Any
    n_jobs: int | None
    verbose: int
    estimators_: list[Any]
    classes_: Array
    least_classes: ClassVar[int] = 2

    @property
    def kind_(self) -> str:
        """ "discriminative" if it gives posteriors, else "discriminant"."""
        return kind_of(self)

    @abstractmethod
    def problems(self, number: int) -> list[Recode]:
        """The binary problems of so many classes."""

    def fitted_to(self, X: Any, y: Any, params: Mapping[str, Any]) -> tuple[Array, list[Any]]:
        """The labels, and the base learner fitted to each problem."""
        refuse_no_learner(self.estimator)
        routed = self.route("fit", params)
        if is_read_in_blocks(X):
            refuse_foreign(self.estimator)
            rows, labels = open_labelled(X, y, dict(routed), self.least_classes)
            return labels, [fitted_rows(self.estimator, rows, labels, recode) for recode in self.problems(len(labels))]
        labels, codes = labels_of(X, y, self.least_classes)
        if "sample_weight" in routed:
            refuse_class_without_weight(labels, codes, routed["sample_weight"])
        return labels, self.fit_all(X, codes, self.problems(len(labels)), routed)

    def fit_all(self, X: Any, codes: Any, problems: list[Recode], params: Mapping[str, Any]) -> list[Any]:
        """The base learner fitted to each problem."""
        tasks = [delayed(fit_base)(self.estimator, X, codes, recode, params) for recode in problems]
        return list(Parallel(n_jobs=self.n_jobs, verbose=self.verbose)(tasks))

    def learned_more(self, X: Any, y: Any, announced: Any, params: Mapping[str, Any]) -> tuple[Array, list[Any]]:
        """The labels, and the base learner of each problem after some more rows."""
        refuse_no_learner(self.estimator)
        routed, known = self.route("partial_fit", params), getattr(self, "classes_", None)
        if known is None and announced is None:
            raise ValueError("classes must be passed on the first call to partial_fit: all the labels that may come.")
        labels = np.unique(np.asarray(known if announced is None else announced))
        if known is not None and not np.array_equal(labels, known):
            raise ValueError(f"`classes={labels}` is not the same as on last call to partial_fit, was: {known}.")
        refuse_few_classes(labels, self.least_classes)
        codes = classes(y, row_count(X), labels)[1]
        problems = self.problems(len(labels))
        before = [clone(self.estimator) for _ in problems] if known is None else self.estimators_
        pairs = zip(before, problems, strict=True)
        return labels, [told_more(model, X, codes, recode, routed) for model, recode in pairs]

    def route(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the base is given beside X and y: as routing asks, where it is enabled, else everything."""
        if not routes_metadata():
            return {name: value for name, value in params.items() if value is not None}
        return dict(process_routing(self, method, **params).estimator[method])

    def attributes_of(self, labels: Array, models: list[Any]) -> dict[str, Any]:
        """The attributes that follow from the fitted models. The certificate: that of every binary fit holds."""
        first = next((model for model in models if not isinstance(model, ConstantLabel)), models[0])
        names = {name: getattr(first, name) for name in ("n_features_in_", "feature_names_in_") if hasattr(first, name)}
        attributes = {"classes_": labels, "estimators_": models, **names}
        fitted = [model for model in models if not isinstance(model, ConstantLabel)]
        if fitted and all(hasattr(model, "certificate_") for model in fitted):
            held = [model.certificate_.holds for model in fitted]
            known = {"fits": len(fitted), "kept": sum(held)}
            attributes["certificate_"] = Certificate("every binary fit keeps its own promise", all(held), known)
        return attributes

    def keep(self, attributes: Mapping[str, Any]) -> None:
        """Set the fitted attributes, once all fits have succeeded, and remove those that only an earlier base had."""
        for name in ("n_features_in_", "feature_names_in_", "certificate_"):
            self.__dict__.pop(name, None)
        for name, value in attributes.items():
            setattr(self, name, value)

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Accuracy of the predictions; opened rows bring their own target and weights."""
        if isinstance(self.estimator, Learner):
            X, y, sample_weight = with_own_target(self.estimator, X, y, sample_weight)
        return float(super().score(X, y, sample_weight))

    def get_metadata_routing(self) -> MetadataRouter:
        """Fit parameters go to the base learner."""
        same = MethodMapping().add(caller="fit", callee="fit").add(caller="partial_fit", callee="partial_fit")
        return MetadataRouter(owner=self).add_self_request(self).add(estimator=self.estimator, method_mapping=same)

    def __sklearn_tags__(self) -> Any:
        tags, base = super().__sklearn_tags__(), get_tags(self.estimator).input_tags
        for name in ("pairwise", "sparse", "allow_nan", "categorical", "string"):
            setattr(tags.input_tags, name, getattr(base, name))
        return tags


def base_has(name: str) -> Callable[[Any], bool]:
    """Whether the base learner has a method, for `available_if`."""

    def check(self: BinaryProblems) -> bool:
        fitted = (model for model in getattr(self, "estimators_", []) if not isinstance(model, ConstantLabel))
        getattr(next(fitted, self.estimator), name)
        return True

    return check


# ---- what is refused -----------------------------------------------------------------------------------------------------


def refuse_no_learner(estimator: Any) -> None:
    if not hasattr(estimator, "fit") or isinstance(estimator, type):
        raise ValueError(f"estimator must be a classifier or a regressor, such as LogisticRegression(), got {estimator!r}.")


def refuse_foreign(estimator: Any) -> None:
    if not isinstance(estimator, Learner):
        raise TypeError(
            f"Opened rows and Dask collections need a learner of aprendiz as estimator, {type(estimator).__name__} is none: "
            "give it the rows as an array."
        )


def refuse_several_labels(y: Any) -> None:
    if y.ndim == 2 and y.shape[1] > 1:
        raise ValueError(
            f"y should be a 1d array, got a table of shape {y.shape}: for several targets in a row, use "
            "sklearn.multioutput.MultiOutputClassifier, a classifier for each column; for several labels in a row "
            "(multilabel, a table of 0 and 1), OneVsRestClassifier."
        )


def refuse_class_without_weight(labels: Array, codes: Array, sample_weight: Any) -> None:
    weight = as_target(sample_weight)
    if weight.shape != codes.shape or weight.dtype.kind not in "biuf":  # the base says what is wrong with it
        return
    counts = np.bincount(codes, weight > 0, len(labels))
    if (counts == 0).any():
        label = plain(labels[counts.argmin()])
        raise ValueError(f"All rows of the class {label!r} have the weight 0 in sample_weight: leave these rows out.")


# ---- targets -------------------------------------------------------------------------------------------------------------


def target_of(y: Any) -> Any:
    """A target as an array, or as the sparse matrix that it is."""
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    return y if sparse.issparse(y) else as_target(y)


def labels_of(X: Any, y: Any, least: int = 2) -> tuple[Array, Array]:
    """The classes in order, at least so many, and for each row the number of its class."""
    target, count = target_of(y), row_count(X)
    refuse_several_labels(target)
    if count == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    return classes(target, count, least=least)


def open_labelled(X: Any, y: Any, params: dict[str, Any], least: int) -> tuple[Rows, Array]:
    """Rows of files or of Dask with their labels in them, and the classes in order."""
    X, y, weight = open_collection(X, y, params.pop("sample_weight", None), target="classes")
    if y is not None or weight is not None or params:
        raise TypeError(
            "y and fit parameters cannot be given beside opened rows: name their columns when you open them, "
            'as in aprendiz.rows("table.parquet", target="y", weight="w").'
        )
    if X.first(first_target) is None:
        raise ValueError('The rows have no target: open them with one, as in aprendiz.rows("table.parquet", target="y").')
    rows = X.changed(as_vector)
    labels = rows.sum(Levels.of).values
    refuse_measurements(labels, "somewhere")
    refuse_few_classes(labels, least)
    return rows, labels


# ---- one problem -----------------------------------------------------------------------------------------------------------


def fit_base(estimator: Any, X: Any, codes: Array, recode: Recode, params: Mapping[str, Any]) -> Any:
    """A copy of the base fitted to one problem."""
    y, inside = recode(codes)
    if y.min() == y.max():
        return ConstantLabel(int(y[0]))
    table, params = part(estimator, X, inside), of_some_rows(params, None if inside.all() else inside, len(inside))
    return clone(estimator).fit(table, y[inside] if not inside.all() else y, **params)


def told_more(model: Any, X: Any, codes: Array, recode: Recode, params: Mapping[str, Any]) -> Any:
    """One problem after some more rows; none of them may belong to it."""
    y, inside = recode(codes)
    if inside.any():
        both = {"classes": np.array([0, 1])} if "classes" in signature(model.partial_fit).parameters else {}
        model.partial_fit(part(model, X, inside), y[inside], **both, **of_some_rows(params, inside, len(inside)))
    return model


def fitted_rows(estimator: Any, rows: Rows, labels: Array, recode: Recode) -> Any:
    """The same for opened rows: those outside the problem stay with the weight 0."""
    if len(labels) == 1:
        return ConstantLabel(0)

    def change(block: Block) -> Block:
        y, inside = recode(np.searchsorted(labels, block.y))
        weight = block.weight if inside.all() else read_only(block.weights * inside)
        return replace(block, y=read_only(y), weight=weight)

    return clone(estimator).fit(rows.changed(change))


def part(estimator: Any, X: Any, inside: Array) -> Any:
    """Some rows of a table of any library; of a table of pairs, the same columns too."""
    if inside.all():
        return X
    numbers = np.flatnonzero(inside)
    if (frame := as_frame(X)) is not None:
        return frame[numbers].to_native()
    if not hasattr(X, "shape") and not hasattr(X, "__array__"):
        return [X[number] for number in numbers]
    X = X.tocsr() if sparse.issparse(X) else np.asarray(X)
    return X[numbers][:, numbers] if get_tags(estimator).input_tags.pairwise else X[numbers]


# ---- what a binary model says ----------------------------------------------------------------------------------------------


def score_of(model: Any, X: Any) -> Array:
    """How much a fitted model is for 1: its decision, else its probability; of a regressor, its prediction."""
    if is_regressor(model):
        return np.ravel(model.predict(X))
    if hasattr(model, "decision_function"):
        return np.ravel(model.decision_function(X))
    return np.asarray(model.predict_proba(X)[:, 1])


def middle_of(model: Any) -> float:
    """The score above which a model is for 1."""
    return 0.0 if hasattr(model, "decision_function") and is_classifier(model) else 0.5

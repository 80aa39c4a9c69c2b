"""What every learner is: a scikit-learn estimator whose data come through one door and whose answer is set in one place.

    Learner → Classifier | Regressor | Transformer | Clusterer          what it is for (abstract)
            → Passes → OnePass | Iterative (core/iteration.py)          how it learns  (abstract)
            → leaf                                                      the method     (final: leaves have no children)

A one-pass learner is two functions, `summarise(rows) → record` and `conclude(record) → attributes`. Since records add,

    fit(A ∪ B) = conclude(summarise(A) + summarise(B)),                                                       (1)

`partial_fit` is exact, and cross-validation fits each fold from the sums of the others (`fit_sums`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, RegressorMixin, TransformerMixin
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.columns import Columns
from aprendiz.core.inputs import Target, open_rows, refuse_empty_sums, with_own_target
from aprendiz.core.pages import address_of
from aprendiz.core.parameters import check_parameters
from aprendiz.core.precision import handed_out
from aprendiz.core.rows import Array, Rows
from aprendiz.core.stored import Check


class Learner(BaseEstimator, CallbackSupportMixin):
    """The base of all learners.

    Class attributes
    ----------------
    target : what y is: "none", "numbers" or "classes".
    allows : what X may hold beside finite dense numbers: "sparse", "missing", "categories", "infinite".
    differences : parameters and attributes of scikit-learn's estimator of the same name that differ here, with a sentence
        that begins with the kind of difference: "no effect", "another form" or "refused".
    exceptions : laws (tests/laws) that do not hold for this learner, with the reason.
    not_iterative : why a learner with `max_iter` yields no states (core/iteration.py), where it does not.
    tuning : parameters worth trying, with a few values each, for a comparison of methods.
    target_powers : powers of two between which the largest target must lie. By default its square is then a number.
    in_data_dtype : fitted attributes that are float32 where X is (core/precision.py).
    stored_check : whether attributes that came from a file go together, where compiled code trusts that they do.
    """

    target: ClassVar[Target] = "none"
    allows: ClassVar[frozenset[str]] = frozenset()
    differences: ClassVar[Mapping[str, str]] = {}
    exceptions: ClassVar[Mapping[str, str]] = {}
    not_iterative: ClassVar[str] = ""
    tuning: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    target_powers: ClassVar[tuple[int, int]] = (-480, 480)
    in_data_dtype: ClassVar[frozenset[str]] = frozenset()
    stored_check: ClassVar[Check | None] = None

    def _get_doc_link(self) -> str:
        """Where scikit-learn's diagram of the learner links to: its page (core/pages.py)."""
        return address_of(type(self))

    def target_range(self) -> tuple[int, int]:
        """`target_powers`, unless the parameters have a say in them."""
        return self.target_powers

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows."""
        check_parameters(self)
        return open_rows(self, X, y, sample_weight, target=self.target, reset=reset)

    def new_rows(self, X: Any, sample_weight: Any = None) -> Rows:
        """New data for a fitted learner, as checked rows with the columns of the fit."""
        check_is_fitted(self)
        return open_rows(self, X, None, sample_weight, reset=False)

    def schema(self, X: Any) -> Columns:
        """What the columns of a table with words in it hold (for learners that allow categories)."""
        return Columns.of(X)

    def declares_levels(self) -> bool:
        """Do the parameters say which columns hold levels, so that a table of numbers has a schema too?"""
        return False

    def settle(self, attributes: Mapping[str, Any]) -> Self:
        """Set the fitted attributes: the only place where that happens, in one step, before or after which an interrupt may
        come. Without names, `feature_names_in_` is removed."""
        settled = handed_out(self, {**self.what_stays(), **attributes})
        if settled.get("feature_names_in_", "") is None:
            del settled["feature_names_in_"]
        self.__dict__ = settled
        return self

    def what_stays(self) -> Mapping[str, Any]:
        """Parameters, and attributes that a new fit may leave as they are."""
        return vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = "sparse" in self.allows
        tags.input_tags.allow_nan = "missing" in self.allows
        return tags


class Classifier(ClassifierMixin, Learner):
    """Predicts a class.

    `kind_` says how: "generative" (a density of each class, and Bayes' rule), "discriminative" (posteriors without densities)
    or "discriminant" (regions without posteriors; losses and rejections can be applied only once it is calibrated).
    `least_classes` is how many classes y must hold: 1 for a method that has something to say of a single one. With
    `several_targets`, y may have several columns, each a target of classes (core/several_targets.py).
    """

    target: ClassVar[Target] = "classes"
    least_classes: ClassVar[int] = 2
    several_targets: ClassVar[bool] = False
    generative: ClassVar[bool] = False

    @property
    def kind_(self) -> str:
        """What the classifier is (see above)."""
        return "generative" if self.generative else kind_of(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = tags.classifier_tags.multi_label = self.several_targets
        return tags

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Accuracy of the predictions; opened rows bring their own target and weights."""
        X, y, sample_weight = with_own_target(self, X, y, sample_weight)
        return float(super().score(X, y, sample_weight))


def kind_of(classifier: Any) -> str:
    """ "discriminative" if it gives posteriors, else "discriminant"."""
    return "discriminative" if hasattr(classifier, "predict_proba") else "discriminant"


class Regressor(RegressorMixin, Learner):
    """Predicts numbers."""

    target: ClassVar[Target] = "numbers"

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """R² of the predictions; opened rows bring their own target and weights."""
        X, y, sample_weight = with_own_target(self, X, y, sample_weight)
        return float(super().score(X, y, sample_weight))


class Transformer(TransformerMixin, Learner):
    """Maps rows to rows: `change` of an array, applied to arrays at once and to opened rows as they are read."""

    @abstractmethod
    def change(self, X: Array) -> Array:
        """The transform of some rows of the table."""

    def transform(self, X: Any) -> Any:
        """Transform X: a table at once, opened rows as they are read, a lazy collection when it is computed."""
        rows = self.new_rows(X)
        return rows.map(self.change) if isinstance(X, Rows) else rows.apply_transform(self.change)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class Clusterer(ClusterMixin, Learner):
    """Groups rows."""


class Passes(Learner):
    """Learns from a few sums over the rows: `learned(rows) → attributes`."""

    @abstractmethod
    def learned(self, rows: Rows) -> dict[str, Any]:
        """The fitted attributes, from all the rows."""

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to X (and y), with optional sample weights. Returns the learner itself."""
        rows = self.open(X, y, sample_weight)
        with reporting(self, X, y, sample_weight), single_blas(rows.work):
            return self.settle({**rows.noted, **self.learned(rows)})


class OnePass(Passes):
    """Learns from one sum over the rows: (1)."""

    @abstractmethod
    def summarise(self, rows: Rows) -> Any:
        """The record of some rows; records add, and know the number of their `columns`."""

    @abstractmethod
    def conclude(self, record: Any) -> dict[str, Any]:
        """The fitted attributes that follow from a record."""

    def fit_sums(self, record: Any) -> Self:
        """Fit from a record: a sum of `summarise`d parts, such as the other folds of a cross-validation."""
        with single_blas():
            noted = {"n_features_in_": record.columns, "feature_names_in_": None}
            return self.settle({**noted, **self.conclude(record), "sums_": record})

    def learned(self, rows: Rows) -> dict[str, Any]:
        """The fitted attributes, from all the rows."""
        record = self.summed_up(rows)
        return {**self.conclude(record), "sums_": record}

    def summed_up(self, rows: Rows) -> Any:
        """A record that says something."""
        record = self.summarise(rows)
        refuse_empty_sums(record.weight, record.finite, rows)
        return record

    @with_callbacks
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Update the fit with more rows. Any number of calls gives, up to rounding, the same as one `fit` on all rows."""
        before = getattr(self, "sums_", None)
        rows = self.open(X, y, sample_weight, reset=before is None)
        told = (
            reporting(self, X, y, sample_weight) if hasattr(self, "_skl_callbacks") else nullcontext()
        )  # small batches: quick
        with told, single_blas(rows.work):
            record = self.summed_up(rows)
            if before is not None:
                if getattr(before, "target", None) != getattr(record, "target", None):
                    raise ValueError(
                        "y has another number of targets than in the calls before: give the same targets each time."
                    )
                record = before + record
            return self.settle({**rows.noted, **self.conclude(record), "sums_": record})

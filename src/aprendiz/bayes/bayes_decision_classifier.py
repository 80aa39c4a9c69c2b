"""Bayes decisions over a classifier: it gives the probabilities, a decision rule the action.

    p(k | x) from the base  →  shares of the classes  →  loss  →  class, or rejected                          (1)

Inference and decision are two steps (decision_rule.py): losses, a reject option or other shares of the classes need no new fit.
A discriminant, a classifier that gives classes but no probabilities, has nothing to weigh and is refused:
calibrate it first (calibrated_classifier_cv.py).

Cost: one fit of the base.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import compute_sample_weight, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from aprendiz.bayes import DecisionRule
from aprendiz.bayes.decision.cost_curve import ChosenThreshold, CostCurve
from aprendiz.bayes.decision.probabilities import loss_matrix, shares, shift_priors
from aprendiz.bayes.decision.risk_coverage import RiskCoverage
from aprendiz.core.inputs import is_read_in_blocks, with_own_target
from aprendiz.core.learner import Learner
from aprendiz.core.routing import routes_metadata
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, classes, plain, weights


class BayesDecisionClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Decisions of least expected loss over any classifier that gives probabilities, with a reject option.

    Parameters
    ----------
    estimator : classifier with predict_proba
        The base, of this library or of scikit-learn; `FrozenEstimator(fitted)` is not fitted again.
    loss : array-like of shape (n_classes, n_classes), optional
        Rows are true classes, columns decisions, in the order of `classes_`. By default every error costs 1.
    reject_below : float between 0 and 1, optional
        Reject a row whose most probable class is less probable than this.
    reject_cost : float, optional
        Reject a row whose decision is expected to cost more than this; one of both can be given.
    priors : array-like of shape (n_classes,), optional
        Prior probabilities of the classes where the model is used, if they differ from those of the training rows.
    reject_label : label, optional
        Prediction for a rejected row: by default "reject" where the classes are words, −1 where they are numbers.

    Attributes
    ----------
    estimator_ : the fitted base
    classes_ : ndarray of shape (n_classes,)
    prior_ : ndarray of shape (n_classes,)
        Shares of the classes that the base has learned: its own priors, where it has some, else those of the training rows.
    n_features_in_, feature_names_in_, certificate_
        Those of the base, where it has them.

    The parameters but `estimator` are read when a decision is made: `set_params(loss=…)` needs no new fit.
    """

    estimator_: Any
    classes_: Array
    prior_: Array

    def __init__(
        self,
        estimator: Any,
        *,
        loss: Any = None,
        reject_below: float | None = None,
        reject_cost: float | None = None,
        priors: Any = None,
        reject_label: Any = None,
    ):
        self.estimator = estimator
        self.loss = loss
        self.reject_below = reject_below
        self.reject_cost = reject_cost
        self.priors = priors
        self.reject_label = reject_label

    # ---- fit -------------------------------------------------------------------------------------------------------------

    @property
    def kind_(self) -> str:
        """ "discriminative": it decides by posteriors."""
        return "discriminative"

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        """Fit a copy of the base; `fit_params`, such as weights, go to it."""
        refuse_discriminant(self.estimator)
        DecisionRule(self.loss, self.reject_below, self.reject_cost)
        if y is not None:
            refuse_several_targets(y)
        params = self.route(fit_params)
        if y is not None and "sample_weight" in params and not is_read_in_blocks(params["sample_weight"]):
            refuse_class_without_weight(as_target(y), params["sample_weight"])
        model = clone(self.estimator).fit(X, y, **params)
        refuse_discriminant(model)
        labels = np.asarray(model.classes_)
        self.check_sizes(labels)
        prior = learned_prior(model, labels, X, y, params.get("sample_weight"))
        of_base = ("n_features_in_", "feature_names_in_", "certificate_")
        settled = {name: value for name, value in vars(self).items() if name not in of_base}
        settled |= {name: getattr(model, name) for name in of_base if hasattr(model, name)}
        self.__dict__ = {**settled, "estimator_": model, "classes_": labels, "prior_": prior}  # in one step
        return self

    def route(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """What the base is given beside X and y: as routing asks, where it is enabled, else everything."""
        if not routes_metadata():
            return {name: value for name, value in params.items() if value is not None}
        return dict(process_routing(self, "fit", **params).estimator["fit"])

    def check_sizes(self, labels: Array) -> None:
        for name in ("loss", "priors"):
            value = getattr(self, name)
            if value is not None and len(value) != len(labels):
                known = ", ".join(repr(plain(label)) for label in labels[:10])
                raise ValueError(
                    f"{name} has {len(value)} entries, there are {len(labels)} classes: give one for each of {known}."
                )
        if self.rejecting:
            reject_table(labels, self.reject_label)

    @property
    def rejecting(self) -> bool:
        return self.reject_below is not None or self.reject_cost is not None

    # ---- decisions -------------------------------------------------------------------------------------------------------

    def predict_log_proba(self, X: Any) -> Array:
        """log p(k | x) of each row and class, for the shares `priors`."""
        check_is_fitted(self)
        self.check_sizes(self.classes_)
        base = self.estimator_
        with np.errstate(divide="ignore"):
            has_logs = hasattr(base, "predict_log_proba")
            logs = np.asarray(base.predict_log_proba(X) if has_logs else np.log(base.predict_proba(X)), dtype=np.float64)
        return logs if self.priors is None else shift_priors(logs, self.prior_, shares("priors", self.priors))

    def predict_proba(self, X: Any) -> Array:
        """p(k | x) of each row and class, for the shares `priors`."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(X)) if self.priors is None else np.exp(self.predict_log_proba(X))

    def rule(self) -> DecisionRule:
        """The rule that decides."""
        return DecisionRule(self.loss, self.reject_below, self.reject_cost)

    def decide(self, X: Any) -> Array:
        """The number of the class of each row, −1 for a rejected one."""
        P = self.predict_proba(X)
        self.check_sizes(self.classes_)
        return self.rule().decide(P)

    def predict(self, X: Any) -> Array:
        """The decision for each row, `reject_label` for a rejected one."""
        found = self.decide(X)
        return reject_table(self.classes_, self.reject_label)[found] if self.rejecting else self.classes_[found]

    def risk(self, X: Any) -> Array:
        """What each decision is expected to cost, rows × decisions."""
        return self.rule().risk(self.predict_proba(X))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Share of the rows whose class is decided; a rejected row is none of them."""
        X, y, sample_weight = self.unpack_rows(X, y, sample_weight)
        found = self.decide(X)
        right = (found >= 0) & (self.classes_[found] == as_target(y).ravel())
        return float(np.average(right, weights=weights(sample_weight, len(found))))

    # ---- choosing a rule ---------------------------------------------------------------------------------------------------

    def risk_coverage(self, X: Any, y: Any = None, sample_weight: Any = None) -> RiskCoverage:
        """Mean loss against the share of the rows that are decided, for every `reject_cost`; best on rows of no fit."""
        P, truth, weight = self.predict_for_evaluation(X, y, sample_weight)
        rule = self.rule()
        risk = rule.risk(P)
        met = (1.0 - np.eye(len(self.classes_)) if rule.loss is None else rule.loss)[truth, rule.choose(P, risk)]
        return RiskCoverage.of(risk.min(axis=1), met, weight)

    def cost_curve(self, X: Any, y: Any = None, *, cost: Any = None, sample_weight: Any = None) -> CostCurve:
        """Cost of the decision between two classes at every threshold; `cost` is a loss, by default the model's own."""
        check_is_fitted(self)
        if len(self.classes_) != 2:
            raise ValueError(f"A threshold needs two classes, there are {len(self.classes_)}: give a loss instead.")
        loss = loss_matrix([[0, 1], [1, 0]] if cost is None and self.loss is None else self.loss if cost is None else cost)
        if loss.shape != (2, 2):
            raise ValueError(
                f"cost has shape {loss.shape}: give 2 × 2 numbers, rows the true classes and columns the decisions."
            )
        P, truth, weight = self.predict_for_evaluation(X, y, sample_weight)
        for k in range(2):
            if not weight[truth == k].any():
                raise ValueError(
                    f"No row is of the class {plain(self.classes_[k])!r}: a threshold needs rows of both, add some."
                )
        priors = None if self.priors is None else shares("priors", self.priors)
        return CostCurve.of(P, truth == 1, weight, loss, priors, plain(self.classes_[1]))

    def choose_threshold(
        self,
        X: Any,
        y: Any = None,
        *,
        fpr: float | None = None,
        fnr: float | None = None,
        cost: Any = None,
        sample_weight: Any = None,
    ) -> ChosenThreshold:
        """The best threshold with at most this rate of false positives, or of false negatives, or with the lowest cost.

        The second class is the positive one; `cost` is a 2 × 2 loss. Nothing is changed: `set_params(loss=found.loss)` makes
        the model decide by it. Choose on rows of no fit.
        """
        if sum(wanted is not None for wanted in (fpr, fnr, cost)) != 1:
            raise ValueError("Give one of fpr, fnr and cost: each of them determines the threshold.")
        curve = self.cost_curve(X, y, cost=cost, sample_weight=sample_weight)
        if fpr is not None:
            return curve.for_fpr(fpr)
        return curve.for_fnr(fnr) if fnr is not None else curve.cheapest()

    def predict_for_evaluation(self, X: Any, y: Any, sample_weight: Any) -> tuple[Array, Array, Array]:
        """Probabilities, numbers of the true classes and weights of some rows."""
        X, y, sample_weight = self.unpack_rows(X, y, sample_weight)
        P = self.predict_proba(X)
        weight = weights(sample_weight, len(P))
        return P, classes(y, len(P), self.classes_)[1], np.ones(len(P)) if weight is None else weight

    def unpack_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
        """Opened rows bring their own target and weights."""
        if not isinstance(self.estimator, Learner):
            return X, y, sample_weight
        return with_own_target(self.estimator, X, y, sample_weight)

    # ---- scikit-learn --------------------------------------------------------------------------------------------------------

    def get_metadata_routing(self) -> MetadataRouter:
        """Fit parameters go to the base."""
        same = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add_self_request(self).add(estimator=self.estimator, method_mapping=same)

    def __sklearn_tags__(self) -> Any:
        tags, base = super().__sklearn_tags__(), get_tags(self.estimator)
        for name in ("pairwise", "sparse", "allow_nan", "categorical", "string"):
            setattr(tags.input_tags, name, getattr(base.input_tags, name))
        if base.classifier_tags is not None:
            tags.classifier_tags.multi_class = base.classifier_tags.multi_class
        return tags


# ---- what is refused -----------------------------------------------------------------------------------------------------


def refuse_discriminant(estimator: Any) -> None:
    if not hasattr(estimator, "fit") or isinstance(estimator, type):
        raise ValueError(f"estimator must be a classifier, such as LogisticRegression(), got {estimator!r}.")
    if not hasattr(estimator, "predict_proba"):
        name = type(estimator).__name__
        raise ValueError(
            f"{name} is a discriminant: it gives no probabilities of the classes, so losses and rejections have nothing "
            f"to weigh. Calibrate it, as in BayesDecisionClassifier(aprendiz.CalibratedClassifierCV({name}()))."
        )


def refuse_several_targets(y: Any) -> None:
    shape = y.shape if hasattr(y, "shape") else as_target(y).shape
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(
            f"y should be a 1d array, got a table of shape {shape}: for several labels in a row (multilabel), use "
            "sklearn.multioutput.MultiOutputClassifier, a classifier for each column."
        )


def refuse_class_without_weight(y: Array, sample_weight: Any) -> None:
    weight = as_target(sample_weight)
    if weight.shape != y.shape or weight.dtype.kind not in "biuf":  # the base says what is wrong with it
        return
    for label in set(y.tolist()) - set(y[weight > 0].tolist()):
        raise ValueError(f"All rows of the class {label!r} have the weight 0 in sample_weight: leave these rows out.")


def reject_table(labels: Array, reject_label: Any) -> Array:
    """The labels and, at the end, that of a rejected row."""
    words = labels.dtype.kind in "US" or (labels.dtype == object and all(isinstance(label, str) for label in labels))
    label = ("reject" if words else -1) if reject_label is None else reject_label
    if any(plain(one) == label for one in labels):
        raise ValueError(f"reject_label = {label!r} is one of the classes: choose another label.")
    if isinstance(label, str) == words:
        return np.append(labels, label)
    return np.array([*labels.tolist(), label], dtype=object)


# ---- what the base has learned -------------------------------------------------------------------------------------------


def learned_prior(model: Any, labels: Array, X: Any, y: Any, sample_weight: Any) -> Array:
    """The priors of the base, where it has some, else the shares of the classes, by weights of rows and of classes."""
    last = model.steps[-1][1] if isinstance(model, Pipeline) else model
    for name in ("class_prior_", "priors_"):
        if hasattr(last, name):
            return np.asarray(getattr(last, name), dtype=np.float64)
    if hasattr(last, "class_log_prior_"):
        return np.exp(last.class_log_prior_)
    if isinstance(model, Learner):
        X, y, sample_weight = with_own_target(model, X, y, sample_weight)
    target = as_target(y).ravel()
    weight = np.ones(len(target)) if sample_weight is None else np.asarray(weights(sample_weight, len(target)))
    if getattr(last, "class_weight", None) is not None:
        weight = weight * compute_sample_weight(last.class_weight, target)
    counts = np.bincount(np.searchsorted(labels, target), weight, len(labels))
    return np.asarray(counts / counts.sum())

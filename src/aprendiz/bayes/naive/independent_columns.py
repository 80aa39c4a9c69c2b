"""Naive Bayes: columns that are independent within each class.

    P(k | x) ∝ π_k · Π_j p_j(x_j | k)                                                                         (1)

A learner of this family gives the logarithm of (1) up to a constant, as the function that `log_joint_function` returns;
posteriors and classes follow. A missing cell is left out of the product: summing p_j over all values it might have gives 1,
so that is what Bayes' rule says.

Everything is a sum over the rows of a class, so `partial_fit` is exact: batches in any order and of any size, and classes
that come late, give what one `fit` would give.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from aprendiz.core.arriving_classes import ArrivingClasses
from aprendiz.core.learner import Classifier
from aprendiz.core.precision import in_dtype_of
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.targets import plain, refuse_two_kinds
from aprendiz.locale import ngettext

CLASSES_AS_THEY_COME = {
    "classes_": "another form: learned as they come, unless the first `partial_fit` lists them; a refused fit keeps them"
}


class JointOfClasses(Classifier):
    """Posteriors and classes from log P(k, x)."""

    generative = True
    least_classes = 1
    classes_: Array

    @abstractmethod
    def log_joint_function(self) -> Callable[[Block], Array]:
        """The function that gives log P(k, x) of a block, rows × classes; in a row, a constant may be missing."""

    @abstractmethod
    def log_prior(self) -> Array:
        """log π_k."""

    @abstractmethod
    def advice(self) -> str:
        """What to do about rows that no class allows."""

    def check_rows(self, rows: Rows) -> Rows:
        """New rows, after a look at what the fit did not see."""
        return rows

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log P(k, x) for each row and class."""
        rows, log_joint, prior = self.check_rows(self.new_rows(X)), self.log_joint_function(), self.log_prior()
        return rows.each(lambda block: in_dtype_of(log_joint(block), block.X, prior))

    def predict_log_proba(self, X: Any) -> Array:
        """log P(k | x) for each row and class."""
        rows, log_joint, prior = self.check_rows(self.new_rows(X)), self.log_joint_function(), self.log_prior()
        found = rows.each(lambda block: in_dtype_of(log_posterior(log_joint(block)), block.X, prior))
        impossible = np.isnan(found[:, 0])
        if impossible.any():
            count, first = int(impossible.sum()), int(np.argmax(impossible))
            words = ngettext(
                "{count} row has probability 0 in every class (row {row}): it gets the prior. {advice}",
                "{count} rows have probability 0 in every class (the first is row {row}): they get the prior. {advice}",
                count,
            )
            warnings.warn(words.format(count=count, row=first, advice=self.advice()), UserWarning, stacklevel=2)
            found[impossible] = prior
        return found

    def predict_proba(self, X: Any) -> Array:
        """P(k | x) for each row and class."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        rows, log_joint = self.check_rows(self.new_rows(X)), self.log_joint_function()
        return self.classes_[rows.each(lambda block: self.most_probable_class(log_joint(block)))]

    def most_probable_class(self, joint: Array) -> Array:
        """The number of the class; by the prior where no class allows a row."""
        joint[np.isneginf(joint).all(axis=1)] = self.log_prior()
        return joint.argmax(axis=1)


class IndependentColumns(JointOfClasses, ArrivingClasses):
    """(1): what the members of the family share."""


def log_posterior(joint: Array) -> Array:
    """log P(k | x) from log P(k, x); NaN for a row that has probability 0 in every class."""
    with np.errstate(invalid="ignore"):
        joint -= joint.max(axis=1, keepdims=True)
        joint -= np.log(np.exp(joint).sum(axis=1, keepdims=True))
    return joint


def checked_priors(priors: Any, labels: Array, total: Array) -> Array:
    """π as given, or the share of each class in the total weight."""
    if priors is None:
        return total / total.sum()
    priors = np.asarray(priors, dtype=float)
    if len(priors) != len(labels):
        raise ValueError(f"Number of priors must match number of classes: {len(priors)} for {len(labels)}.")
    if (priors < 0).any():
        raise ValueError(f"Priors must be non-negative, got {priors.min()} for {plain(labels[priors.argmin()])!r}.")
    if not np.isclose(priors.sum(), 1.0):
        raise ValueError(f"The sum of the priors should be 1, but it is {priors.sum():.6g}.")
    return priors


def unite_labels(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """The labels of two records, and where those of each stand among them."""
    if np.array_equal(a, b):
        here = np.arange(len(a))
        return a, here, here
    refuse_two_kinds(a, b)
    labels = np.union1d(a, b)
    return labels, np.searchsorted(labels, a), np.searchsorted(labels, b)


def spread_out(values: Array, where: Array, size: int) -> Array:
    """Rows of values at their new places, zeros between them."""
    wide = np.zeros((size, *values.shape[1:]), values.dtype)
    wide[where] = values
    return wide

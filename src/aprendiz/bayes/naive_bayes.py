"""Naive Bayes: columns that are independent within each class.

    P(k | x) ∝ π_k · Π_j p_j(x_j | k)                                                                         (1)

A learner of this family gives the logarithm of (1) up to a constant, `log_joint`; posteriors and classes follow. A missing
cell is left out of the product: summing p_j over all values it might have gives 1, so that is what Bayes' rule says.

Everything is a sum over the rows of a class, so `partial_fit` is exact: batches in any order and of any size, and classes
that come late, give what one `fit` would give.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from aprendiz.core.engines.threads import single_blas
from aprendiz.core.inputs import open_rows
from aprendiz.core.learner import Classifier, OnePass
from aprendiz.core.parameters import check_parameters
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.targets import refuse_two_kinds


class NaiveBayes(Classifier, OnePass):
    """(1): what the members of the family share."""

    classes_: Array
    advice: ClassVar[str]  # what to do about rows that no class allows

    @abstractmethod
    def log_joint(self, block: Block) -> Array:
        """log π_k + Σ_j log p_j(x_j | k), rows × classes."""

    @abstractmethod
    def log_prior(self) -> Array:
        """log π_k."""

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:  # type: ignore[override]
        """Learn more rows. `classes` may announce all classes at the first call; labels that are none of them are then
        refused. Without it, classes are learned as they come."""
        check_parameters(self)
        before = getattr(self, "sums_", None)
        among = np.array([]) if before is None or not before.declared else before.labels
        if classes is not None:
            wanted = np.unique(np.asarray(classes))
            if before is not None and not np.array_equal(wanted, before.labels):
                raise ValueError(f"`classes={wanted}` is not the same as on last call to partial_fit, was: {before.labels}.")
            among = wanted
        rows = open_rows(self, X, y, sample_weight, target="classes", reset=before is None, among=among)
        with single_blas(rows.work):
            record = self.summed_up(rows).announced(bool(len(among)))
            record = record if before is None else before + record
            return self.settle({**rows.noted, **self.conclude(record), "sums_": record})

    def checked(self, rows: Rows) -> Rows:
        """New rows, after a look at what the fit did not see."""
        return rows

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log P(k, x) for each row and class."""
        return self.checked(self.new_rows(X)).each(self.log_joint)

    def predict_log_proba(self, X: Any) -> Array:
        """log P(k | x) for each row and class."""
        found = self.checked(self.new_rows(X)).each(lambda block: log_posterior(self.log_joint(block)))
        impossible = np.isnan(found[:, 0])
        if impossible.any():
            warnings.warn(
                f"{impossible.sum()} rows have probability 0 in every class (the first is row {np.argmax(impossible)}): "
                f"they get the prior. {self.advice}",
                UserWarning,
                stacklevel=2,
            )
            found[impossible] = self.log_prior()
        return found

    def predict_proba(self, X: Any) -> Array:
        """P(k | x) for each row and class."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        most = self.checked(self.new_rows(X)).each(lambda block: self.most_probable(self.log_joint(block)))
        return self.classes_[most]

    def most_probable(self, joint: Array) -> Array:
        """The number of the class; by the prior where no class allows a row."""
        joint[np.isneginf(joint).all(axis=1)] = self.log_prior()
        return joint.argmax(axis=1)


def log_posterior(joint: Array) -> Array:
    """log P(k | x) from log P(k, x); NaN for a row that has probability 0 in every class."""
    with np.errstate(invalid="ignore"):
        joint -= joint.max(axis=1, keepdims=True)
        joint -= np.log(np.exp(joint).sum(axis=1, keepdims=True))
    return joint


def united(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """The labels of two records, and where those of each stand among them."""
    if np.array_equal(a, b):
        here = np.arange(len(a))
        return a, here, here
    refuse_two_kinds(a, b)
    labels = np.union1d(a, b)
    return labels, np.searchsorted(labels, a), np.searchsorted(labels, b)


def spaced(values: Array, where: Array, size: int) -> Array:
    """Rows of values at their new places, zeros between them."""
    wide = np.zeros((size, *values.shape[1:]), values.dtype)
    wide[where] = values
    return wide

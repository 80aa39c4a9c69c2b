"""Discretisation by minimal description length: cuts of a column where they tell the classes apart, and nowhere else.

A column is cut at the place that lowers the entropy of the classes most, if that shortens the description of the labels by
more bits than the cut takes to describe; then each part is cut in turn (binning/entropy_cuts.py has the formulas). So the data
decide how many bins a column has; one that says nothing about the classes by itself has a single bin.

    bin of x = number of cuts below x                                                                         (1)

The cuts use the target: in a comparison of methods they belong inside the folds, as a step of a pipeline.

Cost: O(n·log n) for each column, and O(n·K) for each level of cuts; memory O(n) for each column.
Reference: Fayyad & Irani, "Multi-interval discretization of continuous-valued attributes for classification learning",
IJCAI 1993.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import OneToOneFeatureMixin

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import Target
from aprendiz.core.learner import Passes, Transformer
from aprendiz.core.rows import Array, Rows
from aprendiz.preprocessing.binning.bin_codes import bin_codes
from aprendiz.preprocessing.binning.entropy_cuts import EntropyCuts, cuts_of_columns


class MDLDiscretizer(OneToOneFeatureMixin, Transformer, Passes):
    """Columns of numbers as bins 0, 1, …, cut where the classes differ.

    Missing cells stay missing. Equal values are never separated: a cut lies halfway between two values, and a cell up to the
    cut is on its left.

    Attributes
    ----------
    cuts_ : list of ndarray
        The cuts of each column, in order.
    n_bins_ : ndarray of shape (n_features,)
        The number of bins of each column: cuts and one.
    gain_ : ndarray of shape (n_features,)
        What the bins of each column say about the class: its mutual information with the class, in bits.
    classes_ : ndarray
        The labels of the fit.
    certificate_ : Certificate
        That each cut saves more bits than it costs, by how many at least (`saved`), and that the best further cut would not
        (`lost`, the bits by which the closest one fails), and how far rounding can move these numbers.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> model = MDLDiscretizer().fit(X, y)
    >>> [cuts.tolist() for cuts in model.cuts_][2:]
    [[2.45, 4.75], [0.8, 1.75]]
    """

    target: ClassVar[Target] = "classes"
    several_targets: ClassVar[bool] = False
    least_classes: ClassVar[int] = 1  # which leave nothing to cut
    allows = frozenset({"missing"})
    exceptions = {"memory": "the different values of each column, with their classes, are kept in memory until it is cut"}
    cuts_: list[Array]

    def learned(self, rows: Rows) -> dict[str, Any]:
        """The cuts of each column."""
        assert rows.labels is not None
        found, weight = cuts_of_columns(rows, len(rows.labels))
        gain = np.array([one.gain for one in found]) / np.where(weight > 0, weight, 1.0)
        return {
            "classes_": rows.labels,
            "cuts_": [one.cuts for one in found],
            "n_bins_": np.array([len(one.cuts) + 1 for one in found]),
            "gain_": np.where(gain > 0, gain, 0.0),
            "certificate_": clear_decisions(found, float(weight.max(initial=0.0)), len(rows.labels)),
        }

    def change(self, X: Array) -> Array:
        """(1)."""
        codes = bin_codes(X, self.cuts_)
        return np.where(codes < 0, np.nan, codes).astype(X.dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def clear_decisions(found: list[EntropyCuts], weight: float, classes: int) -> Certificate:
    """That no decision is so close that rounding could have made it: W·H and k·H are sums of K terms, each right to a few units
    of rounding of W·log₂ W."""
    saved, lost = min(one.least for one in found), -max(one.refused for one in found)
    rounding = 16 * (classes + 4) * np.finfo(float).eps * (weight * np.log2(2.0 + weight) + classes**2 + 64.0)
    claim = "every cut saves more bits than it costs, and the best further cut of no bin would"
    known = {"saved": saved, "lost": lost, "rounding": float(rounding)}
    return Certificate(claim, bool(saved > rounding and lost > rounding), known)

"""Classifiers that learn from one sum over the rows, and whose classes may arrive batch by batch.

`partial_fit` adds the record of a batch to those before. `classes` may announce all classes at the first call, as scikit-learn
wants it; labels that are none of them are then refused. Without it, classes are learned as they come: a record knows its
labels, and records of different labels add.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.inputs import open_rows
from aprendiz.core.learner import Classifier, OnePass
from aprendiz.core.parameters import check_parameters


class ArrivingClasses(Classifier, OnePass):
    """The base of classifiers whose records have `labels`, `declared` and `mark_declared`."""

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Update the fit with more rows. The first call may list all `classes`; labels that are none of them are then
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
            record = self.summed_up(rows).mark_declared(bool(len(among)))
            record = record if before is None else before + record
            return self.settle({**rows.noted, **self.conclude(record), "sums_": record})

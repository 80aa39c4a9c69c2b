"""scikit-learn's grid search, and the nearest centroid that it refits.

    u = s + median(s)                                                                                        (1)

scikit-learn's nearest centroid shrinks the centres in units of u, as the paper does, but then measures distances in units of s.
Here they are in units of u too, so that it gives the same classes as NearestShrunkenCentroids and their times can be compared.
With equal priors it would measure in the units of the columns: the classes must differ in size.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from joblib import parallel_config
from joblib.externals.loky import get_reusable_executor
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import NearestCentroid

from benchmarks import THREADS


def searched(X: Any, y: Any, workers: Literal["threading", "loky"], **settings: Any) -> GridSearchCV:
    """The grid search by threads, or by processes. These end with it: if they lived on they would count as other programs."""
    with parallel_config(backend=workers, n_jobs=THREADS):
        search = GridSearchCV(**settings).fit(X, y)
    if workers == "loky":
        get_reusable_executor().shutdown(wait=True)
    return search


class PaperCentroid(NearestCentroid):
    """Nearest centroid with (1) in its distances."""

    within_class_std_dev_: Any

    def fit(self, X: Any, y: Any) -> PaperCentroid:
        super().fit(X, y)
        self.within_class_std_dev_ = self.within_class_std_dev_ + np.median(self.within_class_std_dev_)
        return self

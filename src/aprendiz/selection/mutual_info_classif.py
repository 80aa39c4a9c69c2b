"""Mutual information of each column with a target of classes, estimated by nearest neighbours.

    I(x; y) = E log p(x, y) / p(x)p(y)                                                                        (1)

in nats: 0 if and only if x and y are independent, of whatever form their dependence is. Measured columns are estimated by
Ross's neighbours (information/neighbor_information.py has the formulas), columns of codes by counts. Words are codes, and rows
count for a column if its cell is known.

Cost: O(n·log n) for each column.
"""

from __future__ import annotations

from typing import Any

from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array
from aprendiz.selection.information.estimates import of_neighbors
from aprendiz.selection.information.table_of_columns import read_columns


def mutual_info_classif(
    X: Any,
    y: Any,
    *,
    discrete_features: Any = "auto",
    n_neighbors: int = 3,
    copy: bool = True,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> Array:
    """Mutual information of each column with the class (drop-in for scikit-learn's; words and missing cells too).

    Parameters
    ----------
    X : table of numbers or words, sparse matrix, or opened rows
    y : array of shape (n_samples,)
        Classes: numbers or words.
    discrete_features : "auto", bool, mask or numbers of columns, default="auto"
        Which columns hold codes rather than measurements. "auto": those of words, and all of a sparse matrix.
    n_neighbors : int, default=3
        k: more neighbours vary less and are more biased.
    copy : bool, default=True
        No effect: the data passed in are never changed.
    random_state : int, RandomState or None
        The noise that tells equal cells apart. With the same seed it is scikit-learn's.
    n_jobs : int, optional
        No effect: `APRENDIZ_NUM_THREADS` says how many threads work.

    Returns
    -------
    ndarray of shape (n_features,)
        In nats; estimates below 0 are 0.

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> mutual_info_classif(X, y, random_state=0).round(2)
    array([0.47, 0.29, 0.99, 0.97])
    """
    refuse_count("n_neighbors", n_neighbors)
    table = read_columns(X, y, "classes", discrete_features)
    return of_neighbors(table, int(n_neighbors), random_state)(table.y)

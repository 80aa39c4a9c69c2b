"""The map of a report: rows that are alike stand together, by t-SNE of the standardised columns.

The rows are those that the plane of principal components draws, so that both pictures can be compared; of a table with more
than `WIDE` columns after preparation, their first `WIDE` components. How far the map can be trusted is measured
by scikit-learn's function: ours would compile a search in the plane for this number alone. With 2 000 rows all this takes about
a second and a half of processor, and a second more when it is compiled.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.manifold import trustworthiness
from sklearn.pipeline import make_pipeline

from aprendiz.core.rows import Array
from aprendiz.decomposition import PCA, TSNE
from aprendiz.evaluation.folds.predictions import take
from aprendiz.locale import _, format_fixed, number
from aprendiz.preprocessing.simple_imputer import SimpleImputer
from aprendiz.preprocessing.standard_scaler import StandardScaler

WIDE = 50  # columns that neighbours are looked for in
FEWEST = 20  # rows that make a map
PERPLEXITY = 30.0  # of maps of many rows
NEIGHBOURS = 5  # that trustworthiness asks about


@dataclass(frozen=True)
class MapOfRows:
    """A map, how it was made, and how far it can be trusted."""

    chosen: Array  # numbers of the rows
    y: Array  # their targets
    count: int  # rows of the table
    points: Array
    perplexity: float
    divergence: float
    trustworthiness: float


def map_of(numbers: Any, y: Array, chosen: Array) -> MapOfRows | None:
    """The map of some rows of a prepared table; None where there are too few, or nothing to tell them apart."""
    if len(chosen) < FEWEST:
        return None
    X = make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler()).fit_transform(take(numbers, chosen))
    X = np.asarray(X, np.float64)
    if not np.ptp(X, axis=0).any():
        return None
    if X.shape[1] > WIDE:
        X = PCA(min(WIDE, len(X))).fit_transform(X)
    perplexity = min(PERPLEXITY, (len(X) - 1) // 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of maps that are not quite at rest
        model = TSNE(perplexity=perplexity, random_state=0).fit(X)
    trust = trustworthiness(X, model.embedding_, n_neighbors=NEIGHBOURS)
    return MapOfRows(chosen, y[chosen], len(y), model.embedding_, perplexity, model.kl_divergence_, trust)


def how_to_read_the_map(of_rows: MapOfRows) -> str:
    """What the places mean, and how far they can be trusted."""
    return _(
        "Each point is a row, beside the rows most like it (t-SNE, perplexity {perplexity}). Distances between groups, "
        "and their sizes, mean nothing. Trustworthiness {value}: 1 if all neighbours here are neighbours in the table."
    ).format(perplexity=number(of_rows.perplexity), value=format_fixed(of_rows.trustworthiness))

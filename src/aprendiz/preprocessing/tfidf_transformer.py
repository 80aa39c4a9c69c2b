"""Weights of counted terms: each count times how much its term says, in rows of unit length.

    x_dt = tf_dt · (log((n + 1)/(df_t + 1)) + 1),     z_d = x_d/‖x_d‖                                          (1)

Cost: one look at the stored cells.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from aprendiz.core.pages import address_of
from aprendiz.core.parameters import check_parameters
from aprendiz.preprocessing.text.weights import Norm, handed_out, inverse_frequencies, weighed


class TfidfTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Counts of terms as weights (drop-in for scikit-learn's).

    Parameters
    ----------
    norm : "l1", "l2" or None, default="l2"
        What is 1 for each row: the sum of the absolute weights, or of their squares; None: neither.
    use_idf : bool, default=True
        Whether terms count by their rarity.
    smooth_idf : bool, default=True
        Whether one row more, with every term, is added to the frequencies.
    sublinear_tf : bool, default=False
        Whether a count tf becomes 1 + log tf.

    Attributes
    ----------
    idf_ : ndarray of shape (n_features,)
        log((n + 1)/(df + 1)) + 1 of each term, if `use_idf`.
    """

    def __init__(self, *, norm: Norm | None = "l2", use_idf: bool = True, smooth_idf: bool = True, sublinear_tf: bool = False):
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn how much each term says, from a table of counts."""
        check_parameters(self)
        X = validate_data(self, X, accept_sparse=("csr", "csc"))
        if self.use_idf:
            self.idf_ = inverse_frequencies(X if sparse.issparse(X) else sparse.csr_array(X), self.smooth_idf)
        return self

    def transform(self, X: Any, copy: bool = True) -> Any:
        """A table of counts as weights. `copy=False` changes a sparse table of numbers in place."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], copy=copy, reset=False)
        X = X if sparse.issparse(X) else sparse.csr_array(X)
        return handed_out(weighed(X, getattr(self, "idf_", None), self.sublinear_tf, self.norm))

    def _get_doc_link(self) -> str:
        """Where scikit-learn's diagram links to."""
        return address_of(type(self))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

"""Weights of words: the counts of terms (`CountVectorizer`), each times how much the term says, in documents of unit length.

    x_dt = tf_dt · (log((n + 1)/(df_t + 1)) + 1),     z_d = x_d/‖x_d‖                                          (1)

tf_dt: how often term t occurs in document d; df_t: in how many of the n documents of the fit it occurs. A word that is in every
document says little, a rare one much.

Cost: as `CountVectorizer`, and one more look at the counts. Reference: Manning, Raghavan and Schütze, Introduction to
Information Retrieval, chapter 6.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.exceptions import NotFittedError

from aprendiz.core.parameters import Count, Fraction
from aprendiz.core.rows import Array
from aprendiz.preprocessing.text.analysis import PATTERN
from aprendiz.preprocessing.text.vectorizer import Accents, Errors, Kind, Source
from aprendiz.preprocessing.text.vocabulary_vectorizer import VocabularyVectorizer
from aprendiz.preprocessing.text.weights import Norm, handed_out, inverse_frequencies, weighed


class TfidfVectorizer(VocabularyVectorizer):
    """Documents as weights of their terms (drop-in for scikit-learn's).

    Parameters
    ----------
    input, encoding, decode_error, strip_accents, lowercase, preprocessor, tokenizer, analyzer, stop_words, token_pattern, \
ngram_range, max_df, min_df, max_features, vocabulary, binary
        As for `CountVectorizer`.
    dtype : type, default=float64
    norm : "l1", "l2" or None, default="l2"
        What is 1 for each document: the sum of the absolute weights, or of their squares; None: neither.
    use_idf : bool, default=True
        Whether terms count by their rarity.
    smooth_idf : bool, default=True
        Whether one document more, with every term, is added to the frequencies.
    sublinear_tf : bool, default=False
        Whether a count tf becomes 1 + log tf.

    Attributes
    ----------
    vocabulary_ : dict of term to column
    fixed_vocabulary_ : bool
        Whether the vocabulary was given.
    idf_ : ndarray of shape (n_features,)
        log((n + 1)/(df + 1)) + 1 of each term, if `use_idf`.
    terms_ : Terms
        The vocabulary as it is stored: text and ends.
    weights_ : ndarray or None
        `idf_` as it is stored.

    Examples
    --------
    >>> from aprendiz import TfidfVectorizer
    >>> words = TfidfVectorizer()
    >>> words.fit_transform(["the cat", "the other cat, the dog"]).toarray().round(2)
    array([[0.71, 0.  , 0.  , 0.71],
           [0.33, 0.47, 0.47, 0.67]])
    """

    weights_: Array | None

    def __init__(
        self,
        *,
        input: Source = "content",
        encoding: str = "utf-8",
        decode_error: Errors = "strict",
        strip_accents: Accents | Callable[[str], str] | None = None,
        lowercase: bool = True,
        preprocessor: Callable[[Any], Any] | None = None,
        tokenizer: Callable[[Any], Any] | None = None,
        analyzer: Kind | Callable[[Any], Any] = "word",
        stop_words: Any = None,
        token_pattern: str | None = PATTERN,
        ngram_range: Any = (1, 1),
        max_df: Count | Fraction = 1.0,
        min_df: Count | Fraction = 1,
        max_features: Count | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.float64,
        norm: Norm | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
    ):
        self.input = input
        self.encoding = encoding
        self.decode_error = decode_error
        self.strip_accents = strip_accents
        self.lowercase = lowercase
        self.preprocessor = preprocessor
        self.tokenizer = tokenizer
        self.analyzer = analyzer
        self.stop_words = stop_words
        self.token_pattern = token_pattern
        self.ngram_range = ngram_range
        self.max_df = max_df
        self.min_df = min_df
        self.max_features = max_features
        self.vocabulary = vocabulary
        self.binary = binary
        self.dtype = dtype
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf

    @property
    def idf_(self) -> Array:
        """The weight of each term."""
        weights: Array | None = self.__dict__.get("weights_")
        if weights is None:
            raise AttributeError(f"{type(self).__name__} has no idf_: fit it, with use_idf=True.")
        return weights

    @idf_.setter
    def idf_(self, value: Any) -> None:
        if not self.use_idf:
            raise ValueError("`idf_` cannot be set when `use_idf=False`.")
        weights = np.asarray(value)
        if (self.vocabulary is not None or "terms_" in self.__dict__) and len(self.known_terms()) != len(weights):
            raise ValueError(f"idf length = {len(weights)} must be equal to vocabulary size = {len(self.known_terms())}")
        self.weights_ = weights

    def fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Learn the vocabulary and the weights of its terms."""
        self.weigh(raw_documents)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn the vocabulary and the weights, and give the table of the documents."""
        X = self.weigh(raw_documents)
        return handed_out(weighed(X, self.weights_, self.sublinear_tf, self.norm))

    def transform(self, raw_documents: Any) -> Any:
        """The table of other documents; terms that are not in the vocabulary do not count."""
        if "weights_" not in self.__dict__ and self.use_idf:
            raise NotFittedError("The TF-IDF vectorizer is not fitted: call fit with some documents first.")
        X = self.count(raw_documents).astype(self.kind_of_number())
        return handed_out(weighed(X, self.__dict__.get("weights_"), self.sublinear_tf, self.norm))

    def weigh(self, documents: Any) -> Any:
        """Learn, and give the counts."""
        X = self.learn(documents).astype(self.kind_of_number())
        self.weights_ = inverse_frequencies(X, self.smooth_idf) if self.use_idf else None
        return X

    def kind_of_number(self) -> Any:
        """float32 or float64; anything else becomes float64, with a warning."""
        if self.dtype in (np.float64, np.float32):
            return self.dtype
        warnings.warn(
            f"Only float64 and float32 'dtype' should be used. {self.dtype} 'dtype' will be converted to np.float64.",
            UserWarning,
            stacklevel=3,
        )
        return np.float64

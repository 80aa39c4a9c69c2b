"""Counts of words: a row for each document, a column for each term (a word, or n words or characters in a row).

    X_dt = how often term t occurs in document d

Terms are in alphabetical order. Columns are kept for terms that are in at least `min_df` and at most `max_df` documents, and
of these for the `max_features` that occur most often.

Cost: one pass over the text; a token costs a look into a dictionary, an n-gram some arithmetic (text/occurrences.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from aprendiz.core.parameters import Count, Fraction
from aprendiz.preprocessing.text.analysis import PATTERN
from aprendiz.preprocessing.text.vectorizer import Accents, Errors, Kind, Source
from aprendiz.preprocessing.text.vocabulary_vectorizer import VocabularyVectorizer
from aprendiz.preprocessing.text.weights import handed_out


class CountVectorizer(VocabularyVectorizer):
    """Documents as counts of their terms (drop-in for scikit-learn's).

    Parameters
    ----------
    input : "content", "file" or "filename", default="content"
        What the documents are: strings or bytes, open files, or names of files.
    encoding, decode_error : str, default="utf-8", "strict"
        How bytes become text, and what is done with bytes that do not.
    strip_accents : "ascii", "unicode" or callable, optional
    lowercase : bool, default=True
    preprocessor, tokenizer : callable, optional
        Functions of the user's in place of the steps. A model with functions cannot be stored in a file.
    stop_words : "english" or list of str, optional
        Words that are left out.
    token_pattern : str, default=r"(?u)\\b\\w\\w+\\b"
    ngram_range : (shortest, longest), default=(1, 1)
        Terms of so many tokens.
    analyzer : "word", "char", "char_wb" or callable, default="word"
    max_df, min_df : share or number of documents, default=1.0, 1
    max_features : int, optional
    vocabulary : mapping or iterable, optional
        The terms, if they are known.
    binary : bool, default=False
        Whether only presence counts.
    dtype : type, default=int64

    Attributes
    ----------
    vocabulary_ : dict of term to column
    fixed_vocabulary_ : bool
        Whether the vocabulary was given.
    terms_ : Terms
        The vocabulary as it is stored: text and ends.

    Examples
    --------
    >>> from aprendiz import CountVectorizer
    >>> words = CountVectorizer()
    >>> words.fit_transform(["the cat", "the other cat, the dog"]).toarray()
    array([[1, 0, 0, 1],
           [1, 1, 1, 2]])
    >>> words.get_feature_names_out()
    array(['cat', 'dog', 'other', 'the'], dtype=object)
    """

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
        stop_words: Any = None,
        token_pattern: str | None = PATTERN,
        ngram_range: Any = (1, 1),
        analyzer: Kind | Callable[[Any], Any] = "word",
        max_df: Count | Fraction = 1.0,
        min_df: Count | Fraction = 1,
        max_features: Count | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.int64,
    ):
        self.input = input
        self.encoding = encoding
        self.decode_error = decode_error
        self.strip_accents = strip_accents
        self.lowercase = lowercase
        self.preprocessor = preprocessor
        self.tokenizer = tokenizer
        self.stop_words = stop_words
        self.token_pattern = token_pattern
        self.ngram_range = ngram_range
        self.analyzer = analyzer
        self.max_df = max_df
        self.min_df = min_df
        self.max_features = max_features
        self.vocabulary = vocabulary
        self.binary = binary
        self.dtype = dtype

    def fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Learn the vocabulary of documents."""
        self.learn(raw_documents)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn the vocabulary of documents, and count."""
        return handed_out(self.learn(raw_documents).astype(self.dtype, copy=False))

    def transform(self, raw_documents: Any) -> Any:
        """Count the terms of the vocabulary in documents; other terms do not count."""
        return handed_out(self.count(raw_documents).astype(self.dtype, copy=False))

"""Terms by the hash of their letters: a row for each document, a fixed number of columns, nothing to learn.

    column(t) = |h(t)| mod m,     sign(t) = sign of h(t),     X_dj = Σ_{t: column(t) = j} sign(t)·tf_dt         (1)

h is MurmurHash 3 of the UTF-8 letters. Two terms may share a column; with signs, what they add is 0 on average. There is no
vocabulary to keep, so documents may come in any number of pieces; but a column has no name.

Cost: O(letters of all terms), no term is written out (text/hashes.py).
Reference: Weinberger et al. (2009), Feature Hashing for Large Scale Multitask Learning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Self

import numpy as np
from scipy import sparse

from aprendiz.core.parameters import Within
from aprendiz.core.rows import Array
from aprendiz.preprocessing.text.analysis import PATTERN
from aprendiz.preprocessing.text.hashes import hashes_of, hashes_of_runs
from aprendiz.preprocessing.text.occurrences import NewColumns, counts, tokens_of
from aprendiz.preprocessing.text.vectorizer import Accents, Errors, Kind, Source, Vectorizer, column_of, refuse_single
from aprendiz.preprocessing.text.weights import Norm, handed_out, of_unit_length

Columns = Annotated[int, Within(1, 2**31 - 1)]


class HashingVectorizer(Vectorizer):
    """Documents as hashed counts of their terms (drop-in for scikit-learn's).

    Parameters
    ----------
    input, encoding, decode_error, strip_accents, lowercase, preprocessor, tokenizer, stop_words, token_pattern, ngram_range, \
analyzer
        As for `CountVectorizer`.
    n_features : int, default=2**20
        Number of columns.
    binary : bool, default=False
        Whether only presence counts.
    norm : "l1", "l2" or None, default="l2"
        What is 1 for each document: the sum of the absolute values, or of their squares; None: neither.
    alternate_sign : bool, default=True
        Whether a term counts with the sign of its hash.
    dtype : type, default=float64

    Examples
    --------
    >>> from aprendiz import HashingVectorizer
    >>> HashingVectorizer(n_features=8, norm=None).transform(["the cat", "the other cat, the dog"]).toarray()
    array([[ 0.,  0.,  0.,  0.,  0.,  0., -1.,  1.],
           [-1.,  0.,  0.,  0.,  0., -1., -2.,  1.]])
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
        n_features: Columns = 2**20,
        binary: bool = False,
        norm: Norm | None = "l2",
        alternate_sign: bool = True,
        dtype: Any = np.float64,
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
        self.n_features = n_features
        self.binary = binary
        self.norm = norm
        self.alternate_sign = alternate_sign
        self.dtype = dtype

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters: nothing is learned."""
        self.check(X)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters: nothing is learned."""
        return self.fit(X)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The table of some documents."""
        return self.fit(X).transform(X)

    def transform(self, X: Any) -> Any:
        """The table of some documents, by (1)."""
        refuse_single(X)
        self.check_lengths()
        analysis = self.analysis()
        if analysis.kind in ("word", "char"):
            tokens = tokens_of(column_of(X), analysis)
            joint, shortest, longest = analysis.joint, analysis.shortest, analysis.longest
            hashes, ends = hashes_of_runs(tokens.codes, tokens.ends, tokens.words, joint, shortest, longest)
            times = np.ones(len(hashes), np.int64)
        else:
            seen = NewColumns(in_order=False)
            found = counts(column_of(X), analysis, seen)
            hashes, ends, times = own_hashes(seen.terms)[found.indices], found.indptr[1:], found.data
        table = self.hashed(hashes, ends, times)
        if self.binary:
            table.data.fill(1)
        return handed_out(table if self.norm is None else of_unit_length(table, self.norm))

    def hashed(self, hashes: Array, ends: Array, times: Array) -> Any:
        """The table from the hashes of the terms of each document and how often they occur, by (1); those that fall together
        are added."""
        width = self.n_features
        indices = np.int32 if max(width, len(hashes)) < 2**31 else np.int64
        values = np.where(hashes >= 0, times, -times) if self.alternate_sign else times
        columns, starts = (np.abs(hashes) % width).astype(indices), np.concatenate([[0], ends]).astype(indices)
        table = sparse.csr_array((values.astype(self.dtype), columns, starts), shape=(len(ends), width))
        table.sum_duplicates()
        return table

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


def own_hashes(terms: list[Any]) -> Array:
    """The hashes of distinct terms; those of a user's own analyser may be anything, of which only text has letters."""
    for term in terms:
        if not isinstance(term, str):
            raise TypeError(f"Terms must be strings, got {term!r} from the analyzer: give str(term).")
    return hashes_of(terms)

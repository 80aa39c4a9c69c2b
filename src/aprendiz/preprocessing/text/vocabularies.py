"""Vocabularies: given by the user, or learned and cut to the terms that are neither too rare nor too common."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.preprocessing.text.analysis import Analysis
from aprendiz.preprocessing.text.occurrences import NewColumns, counts, known_columns
from aprendiz.preprocessing.text.terms import Terms
from aprendiz.preprocessing.text.weights import document_frequencies


def given_terms(vocabulary: Any) -> Terms:
    """The terms of a vocabulary that is given as a mapping to columns, or as a collection in their order."""
    if isinstance(vocabulary, Mapping):
        found = sorted(vocabulary, key=vocabulary.__getitem__)
        numbers = [vocabulary[term] for term in found]
        if len({*numbers}) < len(numbers):
            raise ValueError("Vocabulary contains repeated indices: give each term a column of its own.")
        if absent := sorted({*range(len(numbers))} - {*numbers}):
            raise ValueError(f"Vocabulary of size {len(numbers)} doesn't contain index {absent[0]}.")
    else:
        found = sorted(vocabulary) if isinstance(vocabulary, (set, frozenset)) else list(vocabulary)
        if twice := [term for term in found if found.count(term) > 1][:1] if len({*found}) < len(found) else []:
            raise ValueError(f"Duplicate term in vocabulary: {twice[0]!r}")
    if not found:
        raise ValueError("empty vocabulary passed to fit")
    return Terms.of(found)


def warn_of_capitals(terms: Terms, lowercase: bool) -> None:
    if lowercase and any(any(map(str.isupper, term)) for term in terms.words if isinstance(term, str)):
        warnings.warn(
            "Upper case characters found in vocabulary while 'lowercase' is True. These entries will not be matched with any "
            "documents",
            stacklevel=3,
        )


def learned(
    documents: Any, analysis: Analysis, *, max_df: float, min_df: float, max_features: int | None, binary: bool
) -> tuple[Terms, Any]:
    """The terms of documents, and how often each occurs in each of them."""
    columns = NewColumns()
    X = counts(documents, analysis, columns)
    if not columns.terms:
        raise ValueError(
            "empty vocabulary; perhaps the documents only contain stop words: look at a few documents, or at token_pattern."
        )
    if binary:
        X.data.fill(1)
    kept = kept_terms(X, max_df, min_df, max_features)
    if len(kept) == len(columns.terms):
        return Terms.of(columns.terms), X
    return Terms.of([columns.terms[j] for j in kept.tolist()]), X[:, kept]


def kept_terms(X: Any, max_df: float, min_df: float, max_features: int | None) -> Array:
    """The columns of terms that are in enough documents and in few enough; of these the most frequent ones."""
    most = max_df if isinstance(max_df, Integral) else max_df * X.shape[0]
    least = min_df if isinstance(min_df, Integral) else min_df * X.shape[0]
    if most < least:
        raise ValueError("max_df corresponds to < documents than min_df: give a larger max_df, or a smaller min_df.")
    frequencies = document_frequencies(X)
    kept = np.flatnonzero((frequencies <= most) & (frequencies >= least))
    if max_features is not None and len(kept) > max_features:
        totals = np.bincount(X.indices, weights=X.data, minlength=X.shape[1])
        kept = np.sort(kept[(-totals[kept]).argsort()[:max_features]])
    if not len(kept):
        raise ValueError("After pruning, no terms remain. Try a lower min_df or a higher max_df.")
    return kept


def counted_terms(documents: Any, analysis: Analysis, terms: Terms, binary: bool) -> Any:
    """How often each term of a vocabulary occurs in each document."""
    X = counts(documents, analysis, known_columns(terms.numbers))
    if binary:
        X.data.fill(1)
    return X

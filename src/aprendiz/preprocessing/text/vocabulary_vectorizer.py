"""What the transformers of text with a vocabulary share: learning it, counting with it, and showing it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_array

from aprendiz.core.rows import Array
from aprendiz.preprocessing.text.terms import Terms
from aprendiz.preprocessing.text.vectorizer import Vectorizer, column_of, refuse_single
from aprendiz.preprocessing.text.vocabularies import counted_terms, given_terms, learned, warn_of_capitals


class VocabularyVectorizer(Vectorizer):
    """Documents to a sparse table with a column for each term of a vocabulary."""

    max_df: Any
    min_df: Any
    max_features: Any
    vocabulary: Any
    binary: bool
    dtype: Any
    terms_: Terms
    fixed_vocabulary_: bool

    @property
    def vocabulary_(self) -> dict[Any, int]:
        """The column of each term."""
        if "terms_" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no vocabulary_ before it is fitted.")
        return self.terms_.numbers

    @vocabulary_.setter
    def vocabulary_(self, vocabulary: Any) -> None:
        self.terms_ = given_terms(vocabulary)

    def learn(self, documents: Any) -> Any:
        """The counts of documents, whose terms are learned unless they are given."""
        documents = self.check(documents)
        if self.vocabulary is not None:
            terms = given_terms(self.vocabulary)
            warn_of_capitals(terms, self.lowercase)
            X = counted_terms(documents, self.analysis(), terms, self.binary)
        else:
            limits = {"max_df": self.max_df, "min_df": self.min_df, "max_features": self.max_features}
            terms, X = learned(documents, self.analysis(), binary=self.binary, **limits)
        self.__dict__.update(terms_=terms, fixed_vocabulary_=self.vocabulary is not None)  # in one step
        return X

    def count(self, documents: Any) -> Any:
        """The counts of documents in the columns of the vocabulary."""
        refuse_single(documents)
        terms = self.known_terms()
        self.check_lengths()
        return counted_terms(column_of(documents), self.analysis(), terms, self.binary)

    def known_terms(self) -> Terms:
        """The vocabulary that was learned or given."""
        if "terms_" not in self.__dict__:
            if self.vocabulary is None:
                raise NotFittedError("Vocabulary not fitted or provided: call fit with some documents first.")
            self.__dict__.update(terms_=given_terms(self.vocabulary), fixed_vocabulary_=True)
        return self.terms_

    def inverse_transform(self, X: Any) -> list[Array]:
        """The terms of each document, without their counts."""
        terms = np.array(self.known_terms().words)
        table = sparse.csr_array(check_array(X, accept_sparse="csr"))
        rows = zip(table.indptr[:-1], table.indptr[1:], strict=True)
        return [terms[np.sort(table.indices[a:b][table.data[a:b] != 0])] for a, b in rows]

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The terms, in the order of their columns."""
        words = self.known_terms().words
        names = np.empty(len(words), dtype=object)
        names[:] = words
        return names

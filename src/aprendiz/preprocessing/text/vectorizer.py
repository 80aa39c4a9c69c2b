"""What the transformers of text share: their parameters, the steps of the analysis, and what is refused or warned of."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from aprendiz.core.pages import address_of
from aprendiz.core.parameters import check_parameters
from aprendiz.preprocessing.text.analysis import (
    PATTERN,
    Analysis,
    Separators,
    decoder,
    inconsistent,
    preprocessing,
    stop_words_of,
    tokenizer,
    warn_of_stop_words,
)

Source = Literal["content", "file", "filename"]
Errors = Literal["strict", "ignore", "replace"]
Accents = Literal["ascii", "unicode"]
Kind = Literal["word", "char", "char_wb"]


class Vectorizer(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Documents to a sparse table with a row for each."""

    differences: ClassVar[Mapping[str, str]] = {}

    input: Any
    encoding: str
    decode_error: str
    strip_accents: Any
    lowercase: bool
    preprocessor: Any
    tokenizer: Any
    stop_words: Any
    token_pattern: Any
    ngram_range: Any
    analyzer: Any

    @abstractmethod
    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn from documents, and give their table."""

    def _get_doc_link(self) -> str:
        """Where scikit-learn's diagram links to."""
        return address_of(type(self))

    # ---- the steps, as scikit-learn hands them out ---------------------------------------------------------------------

    def decode(self, doc: Any) -> Any:
        """A document as a string."""
        return decoder(self.input, self.encoding, self.decode_error)(doc)

    def build_preprocessor(self) -> Callable[[Any], Any]:
        """The function that makes small letters and takes accents away."""
        return self.preprocessor or preprocessing(self.lowercase, self.strip_accents)

    def build_tokenizer(self) -> Callable[[Any], Any]:
        """The function that splits a string into tokens."""
        return self.tokenizer or tokenizer(self.token_pattern)

    def get_stop_words(self) -> frozenset[str] | None:
        """The words that are left out."""
        return stop_words_of(self.stop_words)

    def build_analyzer(self) -> Callable[[Any], list[Any]]:
        """The function that gives the terms of one document."""
        return self.analysis().terms_of

    def analysis(self) -> Analysis:
        """How documents become terms, with a warning where stop words do not fit the tokens."""
        decode = decoder(self.input, self.encoding, self.decode_error)
        shortest, longest = self.ngram_range
        if callable(self.analyzer):
            return Analysis("own", decode, str, self.analyzer, None, 1, 1)
        preprocess = self.build_preprocessor()
        if self.analyzer != "word":
            return Analysis(self.analyzer, decode, preprocess, list, None, shortest, longest)
        tokenize, stop_words = self.build_tokenizer(), self.get_stop_words()
        if stop_words and self.stop_words != "english":
            warn_of_stop_words(inconsistent(stop_words, preprocess, tokenize))
        usual = self.tokenizer is None and self.token_pattern == PATTERN
        return Analysis("word", decode, preprocess, tokenize, stop_words, shortest, longest, Separators() if usual else None)

    # ---- what is refused, and what is said -----------------------------------------------------------------------------

    def check(self, documents: Any) -> Any:
        """Refuse what is no collection of documents, and parameters that say nothing."""
        check_parameters(self)
        refuse_single(documents)
        self.check_lengths()
        for sentence in self.unused():
            warnings.warn(sentence, stacklevel=3)
        return column_of(documents)

    def check_lengths(self) -> None:
        pair = self.ngram_range
        if len(pair) != 2 or not all(isinstance(n, (int, np.integer)) and n >= 1 for n in pair):
            raise ValueError(f"ngram_range must be two whole numbers of at least 1, such as (1, 2), got {pair!r}.")
        if pair[0] > pair[1]:
            raise ValueError(
                f"Invalid value for ngram_range={pair} lower boundary larger than the upper boundary: give them in order."
            )

    def unused(self) -> list[str]:
        """Sentences about parameters without effect."""
        own, words = callable(self.analyzer), self.analyzer == "word"
        pattern = self.token_pattern is not None
        told = {
            ("token_pattern", "'tokenizer' is not None'"): self.tokenizer is not None and pattern,
            ("preprocessor", "'analyzer' is callable'"): self.preprocessor is not None and own,
            ("ngram_range", "'analyzer' is callable'"): tuple(self.ngram_range) != (1, 1) and own,
            ("stop_words", "'analyzer' != 'word'"): self.stop_words is not None and not words,
            ("token_pattern", "'analyzer' != 'word'"): pattern and self.token_pattern != PATTERN and not words,
            ("tokenizer", "'analyzer' != 'word'"): self.tokenizer is not None and not words,
        }
        return [f"The parameter '{name}' will not be used since {why}" for (name, why), idle in told.items() if idle]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def refuse_single(documents: Any) -> None:
    if isinstance(documents, (str, bytes)) or not isinstance(documents, Iterable):
        raise ValueError(
            "Iterable over raw text documents expected, string object received: give a list of documents, such as [text]."
            if isinstance(documents, (str, bytes))
            else f"Iterable over raw text documents expected, got {type(documents).__name__}: give a list of strings."
        )


def column_of(documents: Any) -> Any:
    """The documents of a data frame with a single column; anything else as it is."""
    shape: tuple[int, ...] = getattr(documents, "shape", ())
    if len(shape) == 2 and shape[1] != 1:
        raise ValueError(f"Documents are one column of text, but the table has {shape[1]} columns: choose one of them.")
    if len(shape) == 2:
        return np.asarray(documents, dtype=object).ravel().tolist()
    return documents.tolist() if isinstance(documents, np.ndarray) else documents

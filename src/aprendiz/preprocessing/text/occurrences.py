"""How often each term occurs in each document, for many documents at once.

Every token gets a number when it is first met (a look into a dictionary, made by the interpreter's own loop); all else is done
with arrays of these numbers. Terms of n tokens are numbered from those of n − 1:

    key of t_i … t_{i+n−1}  =  number(t_i … t_{i+n−2})·2³² + number(t_{i+n−1})                                   (1)

Distinct keys are the distinct terms: only these are written out as strings, never the single occurrences. The n-grams inside
words (`char_wb`) depend on the word alone: they are listed once for each distinct word, and

    documents × terms  =  (documents × words)·(words × terms).                                                   (2)

Cost: O(tokens) for words, O(n · tokens · log tokens) for n-grams; memory: four bytes for each token, and the result.
Documents are read some at a time, so that a stream of them is never held.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.preprocessing.text.analysis import Analysis

TOGETHER = 1024  # documents that are read at a time
NOWHERE = -1  # the column of a term that has none


@dataclass(frozen=True)
class Tokens:
    """The tokens of some documents: their numbers one after the other, where each document ends, and what each number means."""

    codes: Array
    ends: Array
    words: list[Any]

    @property
    def documents(self) -> int:
        return len(self.ends)


def tokens_of(documents: Iterable[Any], analysis: Analysis) -> Tokens:
    """Number the tokens of documents, without stop words."""
    numbers: dict[Any, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # type: ignore[attr-defined]
    codes, lengths = [np.zeros(0, np.int32)], [np.zeros(0, np.int64)]
    for block in blocks(documents):
        tokens = analysis.tokens_of_several(block)
        length = np.fromiter(map(len, tokens), np.int64, len(tokens))
        codes.append(np.fromiter(map(numbers.__getitem__, chain.from_iterable(tokens)), np.int32, int(length.sum())))
        lengths.append(length)
    found = Tokens(np.concatenate(codes), np.cumsum(np.concatenate(lengths)), list(numbers))
    return counted_ones(found, analysis)


def blocks(documents: Iterable[Any]) -> Iterator[list[Any]]:
    source = iter(documents)
    while block := list(islice(source, TOGETHER)):
        yield block


def counted_ones(tokens: Tokens, analysis: Analysis) -> Tokens:
    """The tokens without stop words, and without those that are too short."""
    if analysis.kind != "word" or (analysis.letters is None and analysis.stop_words is None):
        return tokens
    kept = np.fromiter(map(analysis.counting, tokens.words), bool, len(tokens.words))
    if kept.all():
        return tokens
    stay = kept[tokens.codes]
    ends = np.concatenate([[0], np.cumsum(stay)])[tokens.ends]
    words = [word for word, keep in zip(tokens.words, kept.tolist(), strict=True) if keep]
    return Tokens((np.cumsum(kept) - 1)[tokens.codes[stay]], ends, words)


def counts(documents: Iterable[Any], analysis: Analysis, columns: Callable[[list[Any]], tuple[Array, int]]) -> Any:
    """How often each term occurs in each document: a matrix of whole numbers.

    `columns(terms)` gives the column of each of the distinct terms (or NOWHERE), and the number of columns.
    """
    tokens = tokens_of(documents, analysis)
    if analysis.kind == "char_wb":
        return inside_words(tokens, analysis, columns)
    parts = list(runs(tokens, analysis)) if analysis.kind != "own" else [(tokens.codes, tokens.ends, tokens.words)]
    terms = list(chain.from_iterable(words for _codes, _ends, words in parts))
    places, width = columns(terms)
    first, whole = 0, None
    for codes, ends, words in parts:
        part = counted(places[first : first + len(words)][codes], ends, width)
        whole, first = part if whole is None else whole + part, first + len(words)
    return whole if whole is not None else counted(np.zeros(0, np.int64), np.zeros(tokens.documents, np.int64), width)


def counted(places: Array, ends: Array, width: int) -> Any:
    """A matrix of counts from the column of each occurrence, document after document."""
    known = places != NOWHERE
    if not known.all():
        ends, places = np.concatenate([[0], np.cumsum(known)])[ends], places[known]
    indices = np.int32 if max(width, len(places)) < 2**31 else np.int64
    starts = np.concatenate([[0], ends]).astype(indices)
    found = sparse.csr_array((np.ones(len(places), np.int64), places.astype(indices), starts), shape=(len(ends), width))
    found.sum_duplicates()
    return found


# ---- tokens in a row -----------------------------------------------------------------------------------------------------


def runs(tokens: Tokens, analysis: Analysis) -> Iterator[tuple[Array, Array, list[str]]]:
    """For each length, the numbers of the terms of so many tokens in a row, where each document ends, and the terms."""
    codes, ends, words = tokens.codes, tokens.ends, tokens.words
    last = tokens.codes
    for n in range(1, analysis.longest + 1):
        if n > 1:
            codes, ends, last, words = longer(codes, ends, last, words, tokens.words, analysis.joint)
        if n >= analysis.shortest:
            yield codes, ends, words


def longer(
    codes: Array, ends: Array, last: Array, words: list[str], tokens: list[str], joint: str
) -> tuple[Array, Array, Array, list[str]]:
    """Terms with one token more, by (1): `last` is the number of the last token of each term."""
    if not len(codes):
        return codes, ends, last, []
    follows = np.ones(len(codes), bool)  # has a term a next one in its document?
    lengths = np.diff(np.concatenate([[0], ends]))
    follows[ends[lengths > 0] - 1] = False
    here = np.flatnonzero(follows)
    keys = (codes[here].astype(np.int64) << 32) | last[here + 1]
    distinct, numbers = np.unique(keys, return_inverse=True)
    heads, tails = (distinct >> 32).tolist(), (distinct & 0xFFFFFFFF).tolist()
    written = [f"{words[head]}{joint}{tokens[tail]}" for head, tail in zip(heads, tails, strict=True)]
    return numbers, ends - np.cumsum(lengths > 0), last[here + 1], written


# ---- n-grams inside words ------------------------------------------------------------------------------------------------


def inside_words(tokens: Tokens, analysis: Analysis, columns: Callable[[list[Any]], tuple[Array, int]]) -> Any:
    """The counts of n-grams inside words, by (2)."""
    grams: dict[Any, int] = defaultdict()
    grams.default_factory = grams.__len__  # type: ignore[attr-defined]
    lists = [analysis.inside(word) for word in tokens.words]
    ends = np.cumsum(np.fromiter(map(len, lists), np.int64, len(lists)))
    codes = np.fromiter(map(grams.__getitem__, chain.from_iterable(lists)), np.int64, int(ends[-1]) if len(ends) else 0)
    places, width = columns(list(grams))
    of_words = counted(places[codes] if len(codes) else codes, ends, width)
    found = counted(tokens.codes, tokens.ends, len(tokens.words)) @ of_words
    found.sort_indices()
    return found


# ---- which column --------------------------------------------------------------------------------------------------------


def known_columns(numbers: dict[Any, int]) -> Callable[[list[Any]], tuple[Array, int]]:
    """The columns of a vocabulary; other terms have none."""

    def columns(terms: list[Any]) -> tuple[Array, int]:
        found = np.fromiter((numbers.get(term, NOWHERE) for term in terms), np.int64, len(terms))
        return found, max(numbers.values(), default=-1) + 1

    return columns


class NewColumns:
    """A column for each term that occurs, in the order of the terms; or, if they are not sorted, of their first occurrence."""

    terms: list[Any]

    def __init__(self, *, in_order: bool = True):
        self.in_order = in_order

    def __call__(self, terms: list[Any]) -> tuple[Array, int]:
        self.terms = sorted({*terms}) if self.in_order else list(dict.fromkeys(terms))
        numbers = {term: number for number, term in enumerate(self.terms)}
        return np.fromiter((numbers[term] for term in terms), np.int64, len(terms)), len(self.terms)

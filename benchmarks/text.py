"""Vectorizers of text: many short documents and few long ones, whose words are as frequent as those of languages (Zipf).

Documents are counted, hashed and weighed by both libraries with the same settings. The tables are the same if their products
with a random vector and their numbers of entries are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.peers import OURS, SKLEARN, Contender, Data, fixed
from benchmarks.quality import Answer

WORDS = 20_000  # different ones
SHORT, LONG = 12, 400  # words of a document, on average


def documents(rows: int, length: int) -> Data:
    """Documents of random words, word k as frequent as 1/k."""
    random = np.random.default_rng(0)
    letters = np.array([*"abcdefghijklmnopqrstuvwxyz"])
    words = np.array(["".join(random.choice(letters, random.integers(2, 11))) for _ in range(WORDS)], dtype=object)
    share = 1 / np.arange(1, WORDS + 1)
    lengths = random.poisson(length, rows) + 1
    drawn, ends = words[random.choice(WORDS, lengths.sum(), p=share / share.sum())], np.cumsum(lengths)
    return ([" ".join(drawn[end - count : end]) for count, end in zip(lengths, ends, strict=True)],)


def short(rows: int) -> Data:
    return documents(rows, SHORT)


def long(rows: int) -> Data:
    return documents(rows, LONG)


def trace(data: Data, table: Any) -> Any:
    """A product with a random vector, and the number of entries."""
    return np.append(table @ np.random.default_rng(1).random(table.shape[1]), table.nnz)


def vectorized(name: str, terms: str, **settings: Any) -> list[Case]:
    """A vectorizer on both kinds of documents."""
    contenders = {
        OURS: Contender(OURS, "aprendiz.preprocessing", name, fixed(**settings), "fit_transform"),
        SKLEARN: Contender(SKLEARN, "sklearn.feature_extraction.text", name, fixed(**settings), "fit_transform"),
    }
    kinds = (("20 000 short documents", 20_000, short), ("2 000 long documents", 2_000, long))
    return [
        Case(
            name=f"{name}, {terms}, {what}",
            rows=rows,
            make=make,
            contenders=contenders,
            quality=Answer("table", trace, 1e-9),
        )
        for what, rows, make in kinds
    ]


CASES = tuple(
    case
    for name in ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer")
    for terms, settings in (
        ("words", {}),
        ("words and pairs", {"ngram_range": (1, 2)}),
        ("characters in words", {"analyzer": "char_wb", "ngram_range": (2, 4)}),
    )
    for case in vectorized(name, terms, **settings)
)

"""From a document to its terms, as scikit-learn's vectorizers say it:

    document ──decode──▶ string ──preprocess──▶ plain string ──tokenize──▶ tokens ──n-grams──▶ terms

    word       tokens that match a pattern, without stop words; n-grams are n tokens in a row, joined by spaces
    char       n characters in a row, runs of white space taken for one space
    char_wb    n characters in a row inside a word with a space before and behind it; a word that is shorter counts once

`terms_of` says it for one document, plainly; `occurrences.py` counts the same terms of many documents at once.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

WHITE = re.compile(r"\s\s+")
BOUNDARY = "\0"  # between documents whose letters are changed together
PATTERN = r"(?u)\b\w\w+\b"


@dataclass(frozen=True)
class Analysis:
    """How documents become terms.

    `decode`, `preprocess` and `tokenize` are the steps; `stop_words` are left out; `kind` is "word", "char", "char_wb", or
    "own" for an analyser of the user's, which `tokenize` then is. Terms are `shortest` to `longest` tokens in a row.
    """

    kind: str
    decode: Callable[[Any], Any]
    preprocess: Callable[[Any], Any]
    tokenize: Callable[[Any], Any]
    stop_words: frozenset[str] | None
    shortest: int
    longest: int
    letters: Separators | None = None  # for a quicker `tokenize`, whose tokens of one letter do not count

    def tokens(self, document: Any, *, quick: bool = False) -> Sequence[Any]:
        """The tokens of a document: words, characters, or words whose inner n-grams are the terms. If `quick`, some for which
        `counting` is false may be among them."""
        text = self.decode(document)
        if self.kind == "own":
            found = self.tokenize(text)
        elif self.kind == "char":
            return WHITE.sub(" ", self.preprocess(text))
        elif self.kind == "char_wb":
            return self.preprocess(text).split()
        elif quick and self.letters is not None:
            found = self.preprocess(text).replace(BOUNDARY, " ").translate(self.letters).split()
        else:
            found = self.tokenize(self.preprocess(text))
        return found if isinstance(found, list) else list(found)

    def tokens_of_several(self, documents: Sequence[Any]) -> list[Sequence[Any]]:
        """The quick tokens of each document: letters are changed in all documents at once, where nothing but their letters
        matters."""
        if self.letters is not None and self.preprocess in (small, same):
            texts = [self.decode(document) for document in documents]
            if all(type(text) is str and BOUNDARY not in text for text in texts):
                whole = self.preprocess(BOUNDARY.join(texts)).translate(self.letters)
                return [text.split() for text in whole.split(BOUNDARY)]
            documents = texts
        return [self.tokens(document, quick=True) for document in documents]

    def counting(self, token: Any) -> bool:
        """Is a token counted?"""
        return not (self.letters is not None and len(token) < 2) and (self.stop_words is None or token not in self.stop_words)

    @property
    def joint(self) -> str:
        """What stands between the tokens of an n-gram."""
        return " " if self.kind == "word" else ""

    def terms_of(self, document: Any) -> list[Any]:
        """The terms of one document, one for each time that it occurs."""
        tokens = self.tokens(document)
        if self.kind == "own":
            return list(tokens)
        if self.kind == "char_wb":
            return list(chain.from_iterable(map(self.inside, tokens)))
        if self.stop_words is not None:
            tokens = [token for token in tokens if token not in self.stop_words]
        return list(self.in_a_row(tokens))

    def in_a_row(self, tokens: Sequence[str]) -> Iterator[str]:
        for n in range(self.shortest, min(self.longest, len(tokens)) + 1):
            for start in range(len(tokens) - n + 1):
                yield self.joint.join(tokens[start : start + n])

    def inside(self, word: str) -> list[str]:
        """The n-grams of characters inside a word."""
        padded, found = f" {word} ", list[str]()
        for n in range(self.shortest, self.longest + 1):
            found += [padded[start : start + n] for start in range(max(1, len(padded) - n + 1))]
            if len(padded) <= n:
                break
        return found


def decoder(source: str, encoding: str, errors: str) -> Callable[[Any], Any]:
    """What makes a string of a document: of bytes, of a file, or of the name of one."""

    def decode(document: Any) -> Any:
        if source == "filename":
            with open(document, "rb") as file:
                document = file.read()
        elif source == "file":
            document = document.read()
        if isinstance(document, bytes):
            return document.decode(encoding, errors)
        if document is None or (isinstance(document, float) and np.isnan(document)):
            raise ValueError(
                "np.nan is an invalid document, expected byte or unicode string: a document is missing; "
                "leave its row out, or give an empty string."
            )
        return document

    return decode


def preprocessing(lowercase: bool, strip_accents: Any) -> Callable[[Any], Any]:
    """Small letters, and letters without their accents."""
    strips: dict[Any, Any] = {"ascii": ascii_letters, "unicode": plain_letters}
    strip = strip_accents if callable(strip_accents) else strips.get(strip_accents)
    if strip is None:
        return small if lowercase else same
    return (lambda text: strip(text.lower())) if lowercase else strip


def small(text: str) -> str:
    return text.lower()


def same(text: Any) -> Any:
    return text


def plain_letters(text: str) -> str:
    """Letters without their marks: é becomes e, ñ becomes n."""
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def ascii_letters(text: str) -> str:
    """The same, and letters that have no plain form in ASCII are left out."""
    return unicodedata.normalize("NFKD", text).encode("ASCII", "ignore").decode("ASCII")


def tokenizer(pattern: str) -> Callable[[str], list[str]]:
    """What finds the tokens: all matches of a pattern, or of the one group in it."""
    found = re.compile(pattern)
    if found.groups > 1:
        raise ValueError("More than 1 capturing group in token pattern. Only a single group should be captured.")
    return found.findall


class Separators(dict[int, Any]):
    r"""A table for `str.translate`: a space for every character that is no letter, digit or underscore; others stay, and so
    does what stands between documents. What is left between spaces are the tokens of the usual pattern, \w\w+ between
    boundaries, and words of one letter: twice as quick."""

    def __init__(self) -> None:
        self[ord(BOUNDARY)] = BOUNDARY

    def __missing__(self, character: int) -> Any:
        word = chr(character) == "_" or chr(character).isalnum()
        self[character] = found = character if word else " "
        return found


def stop_words_of(given: Any) -> frozenset[str] | None:
    """The words to be left out."""
    if given is None:
        return None
    if isinstance(given, str):
        if given == "english":
            return ENGLISH_STOP_WORDS
        raise ValueError(f"not a built-in stop list: {given}; give 'english' or a list of words.")
    return frozenset(given)


def inconsistent(words: Iterable[str], preprocess: Callable[[Any], Any], tokenize: Callable[[Any], Any]) -> list[str]:
    """Tokens of the stop words that are no stop words, so that a part of such a word would stay."""
    words = frozenset(words)
    try:
        return sorted({token for word in words for token in tokenize(preprocess(word)) if token not in words})
    except Exception:  # a tokenizer of the user's own that takes no single words
        return []


def warn_of_stop_words(found: list[str]) -> None:
    if found:
        warnings.warn(
            "Your stop_words may be inconsistent with your preprocessing. Tokenizing the stop words generated tokens "
            f"{found} not in stop_words.",
            stacklevel=2,
        )

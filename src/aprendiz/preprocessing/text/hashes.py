"""Hashes of terms without writing them: MurmurHash 3 (32 bits, seed 0) of tokens in a row.

The letters of t_i … t_{i+n−1} are those of t_i … t_{i+n−2}, a joint, and those of t_{i+n−1}. So one walk over the letters from
token i on passes all terms that begin there; four letters at a time change the state of the hash, and where a term ends the
remaining ones and the length are mixed into a copy of it:

    k ← c₂·(k·c₁, 15 bits rotated);   h ← 5·(h ⊕ k, 13 bits rotated) + c₃              for four letters k             (1)
    h ← h ⊕ length;   h ← (h ⊕ h»16)·c₄;   h ← (h ⊕ h»13)·c₅;   h ⊕ h»16               at the end                     (2)

Numbers of 32 bits are held in 64, so that products do not overflow.

Cost: the letters of all terms, a few operations each; nothing is sorted, no string is made.
Reference: Appleby, MurmurHash3_x86_32 (2011).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array

LOW = np.uint64(0xFFFFFFFF)
C1, C2, C3 = np.uint64(0xCC9E2D51), np.uint64(0x1B873593), np.uint64(0xE6546B64)
C4, C5 = np.uint64(0x85EBCA6B), np.uint64(0xC2B2AE35)


@compiled(inner=True)
def scrambled(k: np.uint64) -> np.uint64:
    """The first half of (1)."""
    k = (k * C1) & LOW
    return (((k << np.uint64(15)) | (k >> np.uint64(17))) & LOW) * C2 & LOW


@compiled(inner=True)
def advanced(h: np.uint64, k: np.uint64) -> np.uint64:
    """(1): the state after four letters."""
    h = h ^ scrambled(k)
    h = ((h << np.uint64(13)) | (h >> np.uint64(19))) & LOW
    return (h * np.uint64(5) + C3) & LOW


@compiled(inner=True)
def finished(h: np.uint64, k: np.uint64, length: int) -> int:
    """(2), with a sign: the hash of a term whose last letters, fewer than four, are in k."""
    if length % 4:
        h = h ^ scrambled(k)
    h = h ^ np.uint64(length)
    h = ((h ^ (h >> np.uint64(16))) * C4) & LOW
    h = ((h ^ (h >> np.uint64(13))) * C5) & LOW
    found = int64(h ^ (h >> np.uint64(16)))
    return found - 4294967296 if found >= 2147483648 else found


@compiled
def hash_runs(
    codes: Array,
    starts: Array,
    letters: Array,
    firsts: Array,
    space: bool,
    shortest: int,
    longest: int,
    hashes: Array,
    ends: Array,
) -> None:
    """Hash the terms of all documents, document after document.

    `codes` has the tokens of the documents, which begin at `starts`; token t has the letters `firsts[t]` to `firsts[t + 1]`.
    `hashes` and the end of each document in it, `ends`, are filled.
    """
    filled = int64(0)
    for document in range(len(starts) - 1):
        stop = starts[document + 1]
        for first in range(starts[document], stop):
            h, k, length = np.uint64(0), np.uint64(0), int64(0)
            for n in range(1, min(longest, stop - first) + 1):
                token = codes[first + n - 1]
                for place in range(firsts[token] - (space and n > 1), firsts[token + 1]):
                    letter = np.uint64(32) if place < firsts[token] else np.uint64(letters[place])
                    k = k | (letter << np.uint64(8 * (length % 4)))
                    length += 1
                    if length % 4 == 0:
                        h, k = advanced(h, k), np.uint64(0)
                if n >= shortest:
                    hashes[filled] = finished(h, k, length)
                    filled += 1
        ends[document] = filled


def hashes_of_runs(
    codes: Array, ends: Array, words: Sequence[str], joint: str, shortest: int, longest: int
) -> tuple[Array, Array]:
    """The hash of each term of `shortest` to `longest` tokens in a row, and where each document ends among them. The joint is a
    space or nothing."""
    if longest == 1:
        return hashes_of(words)[codes], ends
    starts = np.concatenate([[0], ends]).astype(np.int64)
    lengths = np.diff(starts)
    longest = min(longest, int(lengths.max(initial=1)))
    terms = sum(int(np.maximum(lengths - n + 1, 0).sum()) for n in range(shortest, longest + 1))
    hashes, until = np.empty(terms, np.int64), np.empty(len(lengths), np.int64)
    hash_runs(codes.astype(np.int32), starts, *letters_of(words), bool(joint), shortest, longest, hashes, until)
    return hashes, until


def hashes_of(terms: Sequence[str]) -> Array:
    """The hash of each of some strings."""
    hashes, until = np.empty(len(terms), np.int64), np.empty(len(terms), np.int64)
    each = np.arange(len(terms) + 1)
    hash_runs(each[:-1].astype(np.int32), each, *letters_of(terms), False, 1, 1, hashes, until)
    return hashes


def letters_of(words: Sequence[str]) -> tuple[Array, Array]:
    """The letters of words in UTF-8 one after the other, and where each begins."""
    parts = [word.encode("utf-8") for word in words]
    firsts = np.concatenate([[0], np.cumsum([len(part) for part in parts], dtype=np.int64)])
    return np.frombuffer(b"".join(parts), np.uint8), firsts

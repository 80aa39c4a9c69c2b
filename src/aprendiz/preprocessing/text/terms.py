"""The terms of a vocabulary, in the order of their columns: one long text in UTF-8, and where each term ends.

A model file keeps two arrays (no pickle, no entry for each word); the list and the dictionary are made when they are asked for.
Terms of an analyser of the user's own may be anything; those that are no strings are kept as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.core.rows import Array, read_only


@dataclass(frozen=True, eq=False)
class Terms:
    """Terms: their letters (bytes of UTF-8) one after the other, the end of each, and terms that are no strings."""

    letters: Array
    ends: Array
    others: tuple[Any, ...] = ()

    @classmethod
    def of(cls, words: Sequence[Any]) -> Terms:
        if not all(isinstance(word, str) for word in words):
            return cls(np.zeros(0, np.uint8), np.zeros(0, np.int64), tuple(words))
        parts = [word.encode("utf-8", "surrogatepass") for word in words]
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        return cls(read_only(np.frombuffer(b"".join(parts), np.uint8).copy()), read_only(ends))

    def __len__(self) -> int:
        return len(self.others) or len(self.ends)

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def words(self) -> list[Any]:
        """The terms as a list."""
        if self.others:
            return list(self.others)
        whole, ends = self.letters.tobytes(), self.ends.tolist()
        starts = [0, *ends[:-1]]
        return [whole[start:end].decode("utf-8", "surrogatepass") for start, end in zip(starts, ends, strict=True)]

    @cached_property
    def numbers(self) -> dict[Any, int]:
        """The column of each term."""
        return {word: number for number, word in enumerate(self.words)}

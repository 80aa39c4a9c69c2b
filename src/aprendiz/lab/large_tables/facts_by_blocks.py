"""The facts of a column (facts.py) from its blocks: what `facts(name, column)` says of the whole column, in one pass.

Missing cells, ranges, levels and their rows are exact. So is the number of different values up to 65 536 of them, and of
numbers that only grow; beyond it is estimated (distinct_values.py).

Cost: a few looks at each cell; memory for the levels and the hashes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from aprendiz.core.rows import Array
from aprendiz.lab.facts import BYTES_OF_A_SIGN, MOST_PHRASES, PROSE, Facts
from aprendiz.lab.large_tables.distinct_values import DistinctValues, hashes_of_numbers, hashes_of_words
from aprendiz.lab.series import FEW_LEVELS, MOST_LEVELS, label_of

MOST_COUNTED = 100  # values whose rows are counted
PARTS = {"year": "year", "month": "month", "weekday": "day_of_week", "hour": "hour"}


class ColumnFacts(ABC):
    """What is known of a column so far."""

    kind: str

    def __init__(self) -> None:
        self.rows = self.missing = 0
        self.distinct = DistinctValues()

    @property
    def known(self) -> int:
        return self.rows - self.missing

    def add(self, values: Any) -> None:
        """Add a block of cells, an arrow array."""
        missing = self.gaps(values)
        if missing < len(values):
            self.learn(values)
        self.rows += len(values)
        self.missing += missing

    def gaps(self, values: Any) -> int:
        """How many cells are missing."""
        return int(values.null_count)

    @abstractmethod
    def learn(self, values: Any) -> None:
        """Look at cells of which some are known."""

    def rows_of_levels(self) -> dict[str, int] | None:
        """How many rows have each value, written as a class is; None where there are many."""
        return None

    @abstractmethod
    def facts(self, name: str) -> Facts:
        """The facts of the whole column."""


class NumberFacts(ColumnFacts):
    kind = "number"

    def __init__(self) -> None:
        super().__init__()
        self.low, self.high, self.whole, self.infinite, self.first_infinite = np.inf, -np.inf, True, 0, -1
        self.values: Counter[float] | None = Counter()
        self.last, self.grows, self.steps = -np.inf, True, True  # are all numbers larger than the one before, by 1

    def gaps(self, values: Any) -> int:
        return int(np.isnan(values.to_numpy(zero_copy_only=False)).sum())

    def learn(self, values: Any) -> None:
        cells = values.to_numpy(zero_copy_only=False)
        known = cells[~np.isnan(cells)]
        low, high = float(known.min()), float(known.max())
        if (np.isinf(low) or np.isinf(high)) and (infinite := np.flatnonzero(np.isinf(cells))).size:
            self.first_infinite = self.rows + int(infinite[0]) if self.infinite == 0 else self.first_infinite
            self.infinite += infinite.size
        self.whole = self.whole and bool(np.all(known == np.floor(known)))
        if self.grows:
            with np.errstate(invalid="ignore"):
                steps = np.diff(np.concatenate([[self.last], known]))
            self.grows = bool(np.all(steps > 0))
            self.steps = self.steps and bool(np.all(steps[0 if self.known else 1 :] == 1))
        self.low, self.high, self.last = min(self.low, low), max(self.high, high), float(known[-1])
        self.distinct.add(hashes_of_numbers(known, self.distinct))
        if self.values is not None:
            self.count(known)

    def count(self, known: Array) -> None:
        """Count each value, as long as they are few."""
        assert self.values is not None
        found, counts = np.unique(known, return_counts=True)
        if len(found) <= MOST_COUNTED:
            self.values.update(dict(zip(found.tolist(), counts.tolist(), strict=True)))
        if len(found) > MOST_COUNTED or len(self.values) > MOST_COUNTED:
            self.values = None

    def rows_of_levels(self) -> dict[str, int] | None:
        return None if self.values is None else {label_of(value): rows for value, rows in self.values.items()}

    def facts(self, name: str) -> Facts:
        if not self.known:
            return Facts(name, "number", self.rows, self.missing, 0)
        counts = self.whole and self.grows and self.steps and self.low in (0, 1) and self.known > 2 and not self.missing
        distinct = self.known if self.grows else self.distinct.count(self.known)
        about = (name, "number", self.rows, self.missing, distinct, self.low, self.high)
        return Facts(*about, self.whole, counts, infinite=self.infinite, first_infinite=self.first_infinite)


class BooleanFacts(ColumnFacts):
    kind = "boolean"

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[bool] = Counter()

    def learn(self, values: Any) -> None:
        true = pc.sum(values).as_py() or 0
        self.counts += Counter({True: true, False: len(values) - values.null_count - true})

    def rows_of_levels(self) -> dict[str, int]:
        return {label_of(value): rows for value, rows in self.counts.items()}

    def facts(self, name: str) -> Facts:
        found = sorted(self.counts)
        low, high = (found[0], found[-1]) if found else (None, None)
        return Facts(name, "boolean", self.rows, self.missing, len(found), low, high)


class DateFacts(ColumnFacts):
    kind = "date"

    def __init__(self) -> None:
        super().__init__()
        self.low, self.high = pd.NaT, pd.NaT
        self.parts: dict[str, set[int]] = {part: set() for part in PARTS}

    def learn(self, values: Any) -> None:
        known = pd.Series(values.drop_null().unique().to_pandas())
        self.low, self.high = min(known.min(), self.low), max(known.max(), self.high)
        self.distinct.add(hashes_of_numbers(known.to_numpy().astype("datetime64[us]").astype(np.int64), self.distinct))
        for part, seen in self.parts.items():
            if len(seen) < 2:
                seen |= set(getattr(known.dt, PARTS[part]).unique()[:2].tolist())

    def facts(self, name: str) -> Facts:
        low, high = (self.low, self.high) if self.known else (None, None)
        parts = ("days", *(part for part, seen in self.parts.items() if len(seen) > 1))
        return Facts(name, "date", self.rows, self.missing, self.distinct.count(self.known), low, high, parts=parts)


class TextFacts(ColumnFacts):
    """Of words: their levels with the number of cells, as long as these are few enough to be categories."""

    kind = "text"

    def __init__(self) -> None:
        super().__init__()
        self.levels: Counter[str] | None = Counter()
        self.declared: tuple[tuple[str, ...], bool] | None = None  # levels that the file declares, and whether they are ordered
        self.spaces = self.letters = self.bytes = 0

    def learn(self, values: Any) -> None:
        coded = values.dictionary_encode()
        coded = coded.combine_chunks() if hasattr(coded, "combine_chunks") else coded
        words, codes = coded.dictionary, coded.indices.drop_null().to_numpy()
        counts = np.bincount(codes, minlength=len(words))
        for name, measure in (("spaces", spaces), ("letters", pc.utf8_length), ("bytes", pc.binary_length)):
            setattr(self, name, getattr(self, name) + int(measure(words).to_numpy(zero_copy_only=False) @ counts))
        if self.levels is not None:
            for word, count in zip(words.to_pylist(), counts.tolist(), strict=True):
                self.levels[word] += count
            if len(self.levels) > MOST_LEVELS:
                self.give_up_levels()
        else:
            self.distinct.add(hashes_of_words(words))

    def give_up_levels(self) -> None:
        """From here on the different words are only counted."""
        assert self.levels is not None
        self.distinct.add(hashes_of_words(pa.array(list(self.levels), pa.string())))
        self.levels = None

    def rows_of_levels(self) -> dict[str, int] | None:
        return None if self.levels is None or len(self.levels) > MOST_COUNTED else dict(self.levels)

    @property
    def ordered(self) -> bool:
        return self.declared is not None and self.declared[1]

    def category(self) -> tuple[str, ...] | None:
        """The levels, if the words are categories (series.py)."""
        if self.declared is not None:
            return self.declared[0]
        if self.levels is None or len(self.levels) > max(FEW_LEVELS, min(self.known / 2, MOST_LEVELS)):
            return None
        return tuple(sorted(self.levels))

    def facts(self, name: str) -> Facts:
        levels, known = self.category(), max(1, self.known)
        distinct = len(self.levels) if self.levels is not None else self.distinct.count(self.known)
        words = 1 + self.spaces / known if self.known else 0.0
        if levels is None:
            letters = self.letters / known if self.bytes >= BYTES_OF_A_SIGN * self.letters else 0.0
            return Facts(name, "text", self.rows, self.missing, distinct, words=words, letters=letters)
        if words >= PROSE and len(levels) > MOST_PHRASES and not self.ordered:
            return Facts(name, "text", self.rows, self.missing, distinct, words=words)
        return Facts(name, "text", self.rows, self.missing, distinct, levels=levels, ordered=self.ordered, words=words)


def spaces(words: Any) -> Any:
    return pc.count_substring(words, " ")


KINDS: dict[str, type[ColumnFacts]] = {one.kind: one for one in (NumberFacts, BooleanFacts, DateFacts, TextFacts)}

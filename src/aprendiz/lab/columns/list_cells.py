"""Cells that hold several items (red;blue or a, b, c or a|b or {1,2} or ["x", "y"]): how they are written, and whether a column
holds them.

    brackets      [ ] and { } stand around the cell, and quotes around an item then protect what is inside
    separator     ; | , 、 or a line break

A column of text holds lists if the rows say so:

    enough cells have the separator, and the pieces are short
    the pieces come again: in many rows, and in different cells                    (not "12 Elm Street, Springfield")
    their number varies, or they change places                                     (not "Smith, John", "Austin, Texas")
    nearly all pairs of them meet in some cell                                     (not "shirt, red, L", where S and L never do)
    no piece stands twice in a cell, numbers are not parts of one number           (not 1,234 and 3,5)

Brackets around all cells speak for themselves: then only the second is asked. Vectors (numbers, always as many) are no lists.

Cost: each distinct cell is taken apart once, of very many an even sample.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from aprendiz.core.rows import Array
from aprendiz.locale import _

SEPARATORS = (";", "|", "\n", "、", ",")  # the first that the rows speak for is taken
BRACKETS = {"[": "]", "{": "}"}
MOST_CELLS = 20_000  # different ones, that are taken apart to find out
SHARE = 0.1  # of the rows that must have several pieces
RECURRING, TIMES = 0.8, 3  # share of the pieces that must occur in so many rows
FEWEST_ITEMS = 3
LENGTH, WORDS = 40, 4  # characters and words of a piece, on average
TWICE = 0.05  # share of the rows that may have a piece twice
SAME_SIZE = 0.95  # share of the rows from which on their number of pieces is always the same
MOVES, MOVES_IN_PAIRS = 0.12, 0.2  # share of the pieces in another than their usual place, also if their number is the same
EXPECTED, STRANGERS = 3.0, 0.15  # times that two pieces should meet by chance; share of such pairs that may never do
MOST_PAIRED = 200  # pieces whose pairs are looked at
MOST_ITEMS = 10_000  # that are known by name
NUMBER = re.compile(r"[+-]?\d+([.]\d*)?")
KEY = re.compile(r"\{\s*(\"[^\"]*\"|'[^']*')\s*:")


@dataclass(frozen=True)
class ListsFound:
    """A column whose cells are lists: what separates the items, the items from the most frequent one, and an example."""

    name: str
    separator: str
    items: tuple[str, ...]
    example: str
    words: tuple[str, ...] = ()

    def sentence(self) -> str:
        """What was done."""
        items = ", ".join(map(repr, items_of(self.example, self.separator)[:5]))
        words = _(
            "column {name} holds lists: {example} is read as the items {items}; types[{name}]='text' keeps each list as a text"
        )
        return words.format(name=repr(self.name), example=repr(self.example[:60]), items=items)


# ---- one cell ---------------------------------------------------------------------------------------------------------------


def items_of(cell: Any, separator: str) -> tuple[str, ...]:
    """The items of a cell, each once: of a text, or of a list in Python."""
    pieces = pieces_of(cell, separator) if isinstance(cell, str) else map(str, cell)
    return tuple(dict.fromkeys(piece for piece in pieces if piece))


def pieces_of(cell: str, separator: str) -> list[str]:
    """The pieces of a cell of text."""
    inner = cell.strip()
    if not in_brackets(inner):
        return [piece.strip() for piece in inner.split(separator)]
    if inner[0] == "[":
        try:
            return [str(item) for item in json.loads(inner) if item is not None]
        except ValueError:  # items without quotes, or as Python writes them
            pass
    return [first or second or third.strip() for first, second, third in quoted_pieces(separator).findall(inner[1:-1])]


def in_brackets(cell: str) -> bool:
    return len(cell) > 1 and BRACKETS.get(cell[0]) == cell[-1]


@cache
def quoted_pieces(separator: str) -> re.Pattern[str]:
    """Pieces that may stand in quotes."""
    sign = re.escape(separator)
    return re.compile(rf"\s*(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|([^{sign}]+))\s*(?:{sign}|$)")


# ---- a column ---------------------------------------------------------------------------------------------------------------


def distinct_cells(column: Any) -> tuple[list[Any], Array]:
    """The different cells of a column of a frame, and which of them each row has: −1 where it is missing."""
    if isinstance(getattr(column, "dtype", None), pd.CategoricalDtype):
        return column.cat.categories.tolist(), np.asarray(column.cat.codes, np.int64)
    series = pd.Series(column)
    if series.dtype == object:  # perhaps of lists, which have no hash
        series = series.map(lambda cell: cell if isinstance(cell, str) or np.ndim(cell) == 0 else tuple(cell))
        codes, cells = pd.factorize(series)
        return list(cells), codes
    coded = pa.array(series, from_pandas=True).dictionary_encode()
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    return coded.dictionary.to_pylist(), coded.indices.fill_null(-1).to_numpy().astype(np.int64)


def lists_in(name: str, column: Any) -> ListsFound | None:
    """The lists of a column of text; None if it holds none."""
    cells, codes = distinct_cells(column)
    counts = np.bincount(codes[codes >= 0], minlength=len(cells))
    known = np.flatnonzero(counts)
    some = known[np.linspace(0, len(known) - 1, MOST_CELLS).astype(int)] if len(known) > MOST_CELLS else known
    taken, weights = [cells[k] for k in some.tolist()], counts[some]
    for separator in SEPARATORS:
        with_it = np.array([separator in cell for cell in taken])
        if len(taken) and weights @ with_it >= SHARE * weights.sum() and speaks_for_lists(taken, weights, separator):
            return of_separator(name, cells, counts, separator)
    return None


def of_separator(name: str, cells: Sequence[str], counts: Array, separator: str) -> ListsFound:
    """The items of a column whose cells are lists."""
    found: Counter[str] = Counter()
    example, best = "", (False, 0)
    for cell, count in zip(cells, counts.tolist(), strict=True):
        items = items_of(cell, separator) if count else ()
        for item in items:
            found[item] += count
        if (len(items) > 1, count) > best:
            example, best = cell, (len(items) > 1, count)
    order = sorted(found, key=lambda item: (-found[item], item))[:MOST_ITEMS]
    return ListsFound(name, separator, tuple(order), example)


def usual_separator(column: Any) -> str:
    """The separator of a column that is given as one of lists: the one that most cells have."""
    cells, codes = distinct_cells(column)
    counts = np.bincount(codes[codes >= 0], minlength=len(cells))
    return max(SEPARATORS, key=lambda sign: sum(counts[k] for k, cell in enumerate(cells) if sign in cell))


def speaks_for_lists(cells: Sequence[str], weights: Array, separator: str) -> bool:
    """Are these cells lists, by all that the header asks?"""
    if any(KEY.match(cell) for cell in cells):
        return False
    lists = [[piece for piece in pieces_of(cell, separator) if piece] for cell in cells]
    sizes = np.array([len(one) for one in lists])
    several, rows = sizes > 1, weights.sum()
    pieces = {piece for one in lists for piece in one}
    if weights @ several < SHARE * rows or not FEWEST_ITEMS <= len(pieces) <= len(cells) or not come_again(lists, weights):
        return False
    same = max(weights @ (sizes == k) for k in np.unique(sizes)) >= SAME_SIZE * rows
    numbers = all(NUMBER.fullmatch(piece) for piece in pieces)
    if numbers and same:
        return False
    if all(in_brackets(cell.strip()) for cell in cells):
        return True
    if numbers and separator == "," and (weights @ (sizes > 2) < SHARE * rows or all(map(grouped, lists))):
        return False
    short = np.mean([len(piece) for piece in pieces]) <= LENGTH and np.mean([len(piece.split()) for piece in pieces]) <= WORDS
    twice = np.array([len(set(one)) < len(one) for one in lists])
    if not short or weights @ twice > TWICE * rows or moved(lists, weights) < (MOVES_IN_PAIRS if same else MOVES):
        return False
    return never_meet(lists, weights) <= STRANGERS


def come_again(lists: Sequence[Sequence[str]], weights: Array) -> bool:
    """Do the pieces occur in many rows, and in different cells?"""
    rows, different = Counter[str](), Counter[str]()
    for one, weight in zip(lists, weights.tolist(), strict=True):
        for piece in set(one):
            rows[piece] += weight
            different[piece] += 1
    often = sum(count for count in rows.values() if count >= TIMES)
    return often >= RECURRING * rows.total() and different.total() >= 2 * len(different)


def grouped(pieces: Sequence[str]) -> bool:
    """Could the pieces be groups of three digits?"""
    return all(len(piece) == 3 for piece in pieces[1:])


def moved(lists: Sequence[Sequence[str]], weights: Array) -> float:
    """The share of the pieces that stand in another place than theirs usually do, from the front or from the back: the smaller
    one of the two shares."""
    return min(away(lists, weights, 1), away(lists, weights, -1))


def away(lists: Iterable[Sequence[str]], weights: Array, step: int) -> float:
    places: Counter[tuple[str, int]] = Counter()
    for one, weight in zip(lists, weights.tolist(), strict=True):
        for place, piece in enumerate(one[::step]):
            places[piece, place] += weight
    usual: dict[str, int] = {}
    for (piece, _place), count in places.items():
        usual[piece] = max(usual.get(piece, 0), count)
    return 1 - sum(usual.values()) / places.total()


def never_meet(lists: Sequence[Sequence[str]], weights: Array) -> float:
    """The share of the pairs of pieces that never stand in one cell, of those that should by chance: of T pairs in all cells,
    2·T·q_i·q_j / (1 − Σ q²) with the shares q of the pieces."""
    several = [(set(one), weight) for one, weight in zip(lists, weights.tolist(), strict=True) if len(set(one)) > 1]
    times: Counter[str] = Counter()
    for one, weight in several:
        times.update(dict.fromkeys(one, weight))
    places = {piece: k for k, (piece, _count) in enumerate(times.most_common(MOST_PAIRED))}
    met, pairs = np.zeros((len(places), len(places))), 0
    for one, weight in several:
        at = [places[piece] for piece in one if piece in places]
        met[np.ix_(at, at)] += weight
        pairs += weight * len(one) * (len(one) - 1) // 2
    q = np.array([times[piece] for piece in places]) / times.total()
    chance = 2 * pairs * np.outer(q, q) / (1 - q @ q)
    asked = np.triu(chance >= EXPECTED, 1)
    return float((met[asked] == 0).mean()) if asked.any() else 0.0

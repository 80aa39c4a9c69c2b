"""A table to learn from: its columns as one reads them, and X and y as a learner takes them.

The columns hold numbers and words. X holds the features, y the target; a target of classes is coded 0, 1, …, K − 1 in the
order of `classes`, as scikit-learn's loaders do, so `classes[y]` are the words. All arrays are closed for writing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aprendiz.datasets.card import Card
from aprendiz.datasets.files import read_only
from aprendiz.datasets.frames import data_frame


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table with its card.

    Attributes
    ----------
    card : Card
        What the table is, column by column; `print(dataset.card)`.
    columns : mapping of str to ndarray of shape (n,)
        The columns by name: floats for numbers (NaN where missing), strings for words.
    X : ndarray of shape (n, d)
        The features: floats if all are numbers, else objects. A frame after `load(name, as_frame=True)`.
    y : ndarray of shape (n,) or (n, n_targets), or None
        The target: numbers, or codes of the classes. A series, or frame, of the words after `load(name, as_frame=True)`.
    name, target : str
        The name of the dataset, and of the column to learn (a tuple if there are several, None if there is none).
    features : tuple of str
        The names of the columns of X; `feature_names` is the same as a list.
    classes : ndarray of str, or None
        The words of the codes in y, if the target is one of classes.
    levels : mapping of str to tuple of str
        The words of each column of words, in order.
    ordered : tuple of str
        The columns whose levels have an order that means something.
    """

    card: Card
    columns: Mapping[str, NDArray[Any]]
    X: Any
    y: Any

    @classmethod
    def of(cls, card: Card, columns: Mapping[str, NDArray[Any]]) -> Dataset:
        """The table with these columns, those of the features first."""
        closed = {name: read_only(values) for name, values in columns.items()}
        features = [values for name, values in closed.items() if name not in card.targets]
        kind = float if all(values.dtype == float for values in features) else object
        X = np.column_stack([values.astype(kind) for values in features])
        return cls(card, closed, read_only(X), target_array(card, closed))

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def target(self) -> str | tuple[str, ...] | None:
        return self.card.target

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(name for name in self.columns if name not in self.card.targets)

    @property
    def feature_names(self) -> list[str]:
        return list(self.features)

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        return {column.name: column.levels for column in self.card.columns if column.levels}

    @property
    def ordered(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.card.columns if column.ordered)

    @property
    def classes(self) -> NDArray[Any] | None:
        return np.array(self.levels[self.target]) if isinstance(self.target, str) and self.target in self.levels else None

    @property
    def frame(self) -> Any:
        """All columns as a new data frame, words as categories: pandas, else polars, else pyarrow."""
        return self.frame_of(tuple(self.columns))

    def frame_of(self, names: tuple[str, ...]) -> Any:
        """Some columns as a new data frame."""
        return data_frame({name: self.columns[name] for name in names}, self.levels, self.ordered)

    def with_frames(self) -> Dataset:
        """The same table with X and y as frames; y is a series if there is one target."""
        if self.target is None:
            return replace(self, X=self.frame_of(self.features))
        y = self.frame_of(self.card.targets)
        return replace(self, X=self.frame_of(self.features), y=y[self.target] if isinstance(self.target, str) else y)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __repr__(self) -> str:
        target = f"; target {', '.join(self.card.targets)}" if self.card.targets else ""
        codes = [] if self.classes is None else [f"{code} {word}" for code, word in enumerate(self.classes)]
        coded = f" ({shorten(codes)})" if codes else ""
        return f"<Dataset {self.name!r}: {len(self)} rows; features {shorten(self.features)}{target}{coded}>"


def target_array(card: Card, columns: Mapping[str, NDArray[Any]]) -> NDArray[Any] | None:
    """y: numbers, or the places of the words among their levels; a matrix if there are several targets."""
    if card.target is None:
        return None
    if isinstance(card.target, tuple):
        return read_only(np.column_stack([columns[name] for name in card.target]))
    values = columns[card.target]
    levels = next(column.levels for column in card.columns if column.name == card.target)
    return read_only(np.array([levels.index(word) for word in values])) if levels else values


def shorten(words: Sequence[str]) -> str:
    """The first four words, and how many there are."""
    return ", ".join(words[:4]) + (f", … ({len(words)})" if len(words) > 4 else "")

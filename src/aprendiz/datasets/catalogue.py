"""All datasets behind one function.

    >>> from aprendiz.datasets import load
    >>> load("tumour")
    <Dataset 'tumour': 14 rows; features size, smoothness, symmetry; target diagnosis (0 benign, 1 malignant)>
    >>> X, y = load("iris", return_X_y=True)

A dataset is read anew at every call, so nobody can damage it for the next caller.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import numpy as np

from aprendiz.datasets.card import Card
from aprendiz.datasets.dataset import Dataset
from aprendiz.datasets.files import known_names, read_columns, read_facts
from aprendiz.datasets.hypotheses import HypothesisSets
from aprendiz.datasets.matrix import Matrix
from aprendiz.datasets.network import Network
from aprendiz.datasets.scikit_learn import bundled_columns


def names() -> list[str]:
    """The names that `load` knows, sorted."""
    return known_names()


def load(name: str, *, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Load a dataset by its name.

    Parameters
    ----------
    name : str
        One of `names()`.
    return_X_y : bool, default=False
        Return the pair (X, y), arrays of your own to change, instead of the record. y is None without a target.
    as_frame : bool, default=False
        X and y are a data frame and a series (pandas, else polars, else pyarrow), with words as categories.

    Returns
    -------
    Dataset, Matrix, HypothesisSets or Network; or (X, y)
        Most are tables: `Dataset`. Each has `name` and `card`.
    """
    card, facts = open_card(name)
    record = READERS[card.kind](card, facts)
    if not (return_X_y or as_frame):
        return record
    if not isinstance(record, Dataset):
        raise ValueError(f"{name!r} is not a table, it has no X and y: call load({name!r}) without return_X_y and as_frame.")
    if as_frame:
        record = record.with_frames()
    return (own(record.X), own(record.y)) if return_X_y else record


def open_card(name: str) -> tuple[Card, dict[str, Any]]:
    """The card of a dataset and all that stands in its file; a wrong name is refused with the nearest right ones."""
    if not isinstance(name, str):
        raise TypeError(f"The name of a dataset is a string, not {name!r}: `aprendiz.datasets.names()` lists all.")
    known = known_names()
    if name not in known:
        close = " or ".join(repr(match) for match in get_close_matches(name.lower(), known))
        hint = f"did you mean {close}? " if close else ""
        raise ValueError(f"There is no dataset {name!r}: {hint}`aprendiz.datasets.names()` lists all.")
    facts = read_facts(name)
    return Card.of(name, facts), facts


def read_table(card: Card, facts: dict[str, Any]) -> Dataset:
    """A table of our own, or one of scikit-learn's."""
    columns = bundled_columns(facts["loader"], card) if "loader" in facts else read_columns(card)
    return Dataset.of(card, columns)


def own(values: Any) -> Any:
    """A copy that may be written to, of an array; frames and None as they are."""
    return values.copy() if isinstance(values, np.ndarray) else values


READERS: dict[str, Callable[[Card, dict[str, Any]], Any]] = {
    "table": read_table,
    "matrix": lambda card, facts: Matrix.of(card),
    "sets": HypothesisSets.of,
    "network": Network.of,
}

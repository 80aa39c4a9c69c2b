"""The files of the datasets: a card of facts in TOML and, for tables and matrices, the cells in CSV.

Both lie in `tables`, under the name of the dataset. An empty cell of a column of numbers is a missing value (NaN).
"""

from __future__ import annotations

import csv
import tomllib
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aprendiz.datasets.card import Card

FOLDER = files("aprendiz.datasets") / "tables"


def known_names() -> list[str]:
    """The names of all datasets, sorted."""
    return sorted(file.name.removesuffix(".toml") for file in FOLDER.iterdir() if file.name.endswith(".toml"))


def read_facts(name: str) -> dict[str, Any]:
    """What stands in the TOML file of a dataset."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def read_cells(name: str) -> tuple[list[str], list[list[str]]]:
    """The header and the rows of the CSV file of a dataset."""
    header, *rows = csv.reader((FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines())
    return header, rows


def read_columns(card: Card) -> dict[str, NDArray[Any]]:
    """The columns of a table: words where the card lists levels, else numbers."""
    words = {column.name for column in card.columns if column.levels}
    header, rows = read_cells(card.name)
    cells = zip(*rows, strict=True)
    return {name: np.array(column) if name in words else numbers(column) for name, column in zip(header, cells, strict=True)}


def numbers(cells: tuple[str, ...] | list[str]) -> NDArray[Any]:
    """Cells as floats, NaN where they are empty."""
    return np.array([float(cell) if cell else np.nan for cell in cells])


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, closed for writing."""
    array.setflags(write=False)
    return array

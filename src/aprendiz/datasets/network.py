"""A Bayesian network as data: who is whose parent, which values, and with which probabilities.

    p(x) = Π p(x_v | x_parents(v)),     tables[v][x_parents(v), x_v] = p(x_v | x_parents(v))                  (1)

The record holds the numbers of (1); it computes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aprendiz.datasets.card import Card
from aprendiz.datasets.files import read_only

MOST_ARROWS = 8  # that are shown all


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """A network with its card.

    Attributes
    ----------
    card : Card
        What the network is.
    parents : mapping of str to tuple of str
        The parents of each variable; parents stand before their children.
    levels : mapping of str to tuple of str
        The values of each variable.
    tables : mapping of str to ndarray
        The conditional tables of (1): one axis for each parent, in order, the last for the variable. Empty where the source
        gives none.
    nodes : tuple of str
        The variables, parents before children.
    edges : tuple of (str, str)
        The arrows (parent, child).
    """

    card: Card
    parents: Mapping[str, tuple[str, ...]]
    levels: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, NDArray[Any]]

    @classmethod
    def of(cls, card: Card, facts: dict[str, Any]) -> Network:
        """The network of the file of this card: sections `columns` (levels), `parents` and, if known, `tables`."""
        return cls(
            card,
            parents={name: tuple(parents) for name, parents in facts["parents"].items()},
            levels={column.name: column.levels for column in card.columns},
            tables={name: read_only(np.array(table)) for name, table in facts.get("tables", {}).items()},
        )

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def nodes(self) -> tuple[str, ...]:
        return tuple(self.parents)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        return tuple((parent, child) for child, parents in self.parents.items() for parent in parents)

    def __len__(self) -> int:
        return len(self.parents)

    def __repr__(self) -> str:
        tables = "with tables" if self.tables else "without tables"
        arrows = [f"{a} → {b}" for a, b in self.edges]
        shown = arrows if len(arrows) <= MOST_ARROWS else [*arrows[:4], f"… ({len(arrows)} arrows)"]
        return f"<Network {self.name!r}: {', '.join(shown)}; {tables}>"

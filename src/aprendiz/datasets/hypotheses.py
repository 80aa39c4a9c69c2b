"""Finite hypotheses: sets of numbers, each with a weight that says how plausible it is before any example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aprendiz.datasets.card import Card


@dataclass(frozen=True, eq=False, repr=False)
class HypothesisSets:
    """Sets with prior weights, with their card.

    Attributes
    ----------
    card : Card
        What the sets are.
    sets : mapping of str to frozenset of int
        The members of each set, by its name.
    weights : mapping of str to float
        The weight of each set, as given.
    prior : mapping of str to float
        The weights divided by their sum.
    """

    card: Card
    sets: Mapping[str, frozenset[int]]
    weights: Mapping[str, float]

    @classmethod
    def of(cls, card: Card, facts: dict[str, Any]) -> HypothesisSets:
        """The sets of the file of this card: sections `sets` and `weights`."""
        return cls(card, {name: frozenset(members) for name, members in facts["sets"].items()}, dict(facts["weights"]))

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def prior(self) -> dict[str, float]:
        total = sum(self.weights.values())
        return {name: weight / total for name, weight in self.weights.items()}

    def __len__(self) -> int:
        return len(self.sets)

    def __repr__(self) -> str:
        return f"<HypothesisSets {self.name!r}: {', '.join(f'{name} ({len(members)})' for name, members in self.sets.items())}>"

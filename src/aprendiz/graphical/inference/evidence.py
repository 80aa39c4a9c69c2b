"""What is known when a question is asked: levels of some nodes, and likelihoods of the levels of others.

{"xray": "yes"}                                  hard: the level is known
{"xray": {"yes": 0.9, "no": 0.2}}                soft: p(what was seen | level) for each level, up to a factor
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, log
from numbers import Real
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array, read_only
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork


@dataclass(frozen=True)
class Evidence:
    """Codes of the nodes that are known, and likelihoods of the levels of others, by place."""

    levels: tuple[tuple[int, int], ...]
    likelihoods: tuple[tuple[int, tuple[float, ...]], ...] = field(default=())

    @classmethod
    def of(cls, network: DiscreteNetwork, evidence: Mapping[Any, Any] | None) -> Self:
        """Evidence by name, checked."""
        if evidence is not None and not isinstance(evidence, Mapping):
            raise TypeError(f"Evidence is a mapping of node to level, such as {{'xray': 'yes'}}, got {evidence!r}.")
        hard, soft = dict[int, int](), dict[int, tuple[float, ...]]()
        for name, said in (evidence or {}).items():
            v = network.graph.at(name)
            if isinstance(said, Mapping):
                soft[v] = likelihood_of(network, name, said)
            else:
                hard[v] = network.code(name, said)
        return cls(tuple(sorted(hard.items())), tuple(sorted(soft.items())))

    @property
    def known(self) -> frozenset[int]:
        """The nodes whose level is known."""
        return frozenset(v for v, _ in self.levels)

    @property
    def told(self) -> frozenset[int]:
        """The nodes of which anything is said."""
        return self.known | {v for v, _ in self.likelihoods}

    def codes(self, nodes: int) -> Array:
        """A row of codes."""
        row = np.full((1, nodes), -1, dtype=np.int32)
        for v, level in self.levels:
            row[0, v] = level
        return row

    def vectors(self) -> dict[int, Array]:
        """The likelihoods as arrays, divided by the largest of each node."""
        return {v: read_only(np.array(likelihood) / max(likelihood)) for v, likelihood in self.likelihoods}

    @property
    def log_scale(self) -> float:
        """The logarithm of what `vectors` divides by."""
        return sum(log(max(likelihood)) for _, likelihood in self.likelihoods)


def likelihood_of(network: DiscreteNetwork, name: Any, said: Mapping[Any, Any]) -> tuple[float, ...]:
    """A likelihood for each level of a node: numbers of at least 0, not all of them 0."""
    codes = {network.code(name, level): value for level, value in said.items()}
    levels = network.levels[network.graph.at(name)]
    if missing := [level for code, level in enumerate(levels) if code not in codes]:
        raise ValueError(
            f"Soft evidence for {name!r} says nothing of the level {missing[0]!r}: give a likelihood for each level "
            "(the same one for levels that are equally likely to have led to what was seen)."
        )
    values = tuple(codes[code] for code in range(len(levels)))
    if not all(isinstance(value, Real) and 0 <= float(value) < inf for value in values) or not any(values):
        raise ValueError(f"Soft evidence for {name!r} must be numbers of at least 0, one of them above 0, got {dict(said)!r}.")
    return tuple(map(float, values))

"""A query by hand: variable elimination, with every table on the way.

    restrict     f(rest) = p(x_v | x_parents) with what is known put in                                       (1)
    product      g(all their nodes) = Π of the factors that have x                                            (2)
    sum          f(the others) = Σ_x g                                                                        (3)
    normalise    p(targets | evidence) = f(targets) / Σ f                                                     (4)

(2) and (3) for each node that is neither asked nor known, in a good order. This is the textbook's way, one array for each
factor, for networks that fit on paper; the engine does the same in junction trees.

Reference: Zhang & Poole, "A simple approach to Bayesian network computations", Canadian AI 1994.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from aprendiz.core.rows import Array, read_only
from aprendiz.graphical.inference.answers import aligned
from aprendiz.graphical.inference.elimination_orders import best_order, neighbours_in
from aprendiz.graphical.inference.evidence import Evidence
from aprendiz.graphical.inference.relevance import needed_families
from aprendiz.graphical.tables.discrete_network import MOST_AXES, DiscreteNetwork
from aprendiz.locale import _

MOST_CELLS = 4096  # of a factor on paper


@dataclass(frozen=True, eq=False)
class Factor:
    """A table of numbers over some nodes, with a name to speak of it."""

    name: str
    nodes: tuple[int, ...]
    values: Array

    def along(self, nodes: Sequence[int]) -> Array:
        """The values with one axis for each of more nodes; of length 1 where the factor does not have the node."""
        order = sorted(range(len(self.nodes)), key=lambda axis: nodes.index(self.nodes[axis]))
        moved = np.transpose(self.values, order)
        shape = iter(moved.shape)
        return moved.reshape([next(shape) if v in self.nodes else 1 for v in nodes])


@dataclass(frozen=True, eq=False)
class Step:
    """What is done, and the factor that comes out."""

    kind: str  # "restrict", "product", "sum", "normalise"
    words: str
    factor: Factor


@dataclass(frozen=True, eq=False, repr=False)
class WorkedQuery:
    """A query with all its steps. It prints.

    Attributes
    ----------
    question : str
    left_out : tuple
        Nodes whose tables the answer does not need.
    steps : tuple of Step
    total : float
        The sum that (4) divides by.
    answer : ndarray
        p(targets | evidence), an axis for each target.
    """

    network: DiscreteNetwork
    question: str
    left_out: tuple[str, ...]
    steps: tuple[Step, ...]
    total: float
    answer: Array

    @classmethod
    def of(cls, network: DiscreteNetwork, targets: tuple[int, ...], evidence: Evidence) -> WorkedQuery:
        """The steps of a query."""
        names = [str(name) for name in network.graph.nodes]
        needed = needed_families(network.graph, targets, evidence.told, evidence.known)
        steps = restricted(network, names, sorted(needed), evidence)
        factors = [step.factor for step in steps]
        order = best_order(neighbours_in([*(f.nodes for f in factors), targets]), network.sizes, targets)
        for v in order.nodes:
            if v not in targets:
                done = eliminated(network, names, factors, v)
                steps += done
                factors = [f for f in factors if v not in f.nodes] + [done[-1].factor]
        last = multiplied(network, "g", factors, targets)
        steps.append(Step("product", _("multiply what is left: {factors}").format(factors=listed(factors)), last))
        total = float(last.values.sum())
        answer = Factor("p", targets, read_only(last.values / total))
        steps.append(Step("normalise", _("divide by the sum, {total:.6g}").format(total=total), answer))
        left_out = tuple(names[v] for v in range(len(names)) if v not in needed)
        return cls(network, question(network, names, targets, evidence), left_out, tuple(steps), total, answer.values)

    def __repr__(self) -> str:
        names = [str(name) for name in self.network.graph.nodes]
        parts = [self.question]
        if self.left_out:
            parts.append(_("Not needed: {nodes}").format(nodes=", ".join(self.left_out)))
        for number, step in enumerate(self.steps, 1):
            scope = f"({', '.join(names[v] for v in step.factor.nodes)})" if step.factor.nodes else ""
            parts.append(f"{number}. {step.factor.name}{scope}: {step.words}\n{self.table(step.factor, names)}")
        return "\n\n".join(parts)

    def table(self, factor: Factor, names: Sequence[str]) -> str:
        """A factor, a line for each cell."""
        levels = [map(str, self.network.levels[v]) for v in factor.nodes]
        lines = [[*cell, f"{value:.6g}"] for cell, value in zip(product(*levels), factor.values.ravel().tolist(), strict=True)]
        return aligned([[*(names[v] for v in factor.nodes), factor.name], *lines])


def question(network: DiscreteNetwork, names: Sequence[str], targets: Iterable[int], evidence: Evidence) -> str:
    """What is asked, as a formula."""
    said = [f"{names[v]} = {network.levels[v][code]}" for v, code in evidence.levels]
    said += [_("signs of {name}").format(name=names[v]) for v, _likelihood in evidence.likelihoods]
    asked = ", ".join(names[v] for v in targets)
    return f"P({asked} | {', '.join(said)})" if said else f"P({asked})"


def restricted(network: DiscreteNetwork, names: Sequence[str], needed: Iterable[int], evidence: Evidence) -> list[Step]:
    """(1) for each table that is needed, and the likelihoods of soft evidence."""
    known, steps = dict(evidence.levels), list[Step]()
    for v in needed:
        family = (*network.graph.parents[v], v)
        values = network.tables[v][tuple(known.get(u, slice(None)) for u in family)]
        below = ", ".join(names[u] for u in network.graph.parents[v])
        words = f"P({names[v]} | {below})" if below else f"P({names[v]})"
        if put_in := [f"{names[u]} = {network.levels[u][known[u]]}" for u in family if u in known]:
            words = _("{table} with {levels}").format(table=words, levels=", ".join(put_in))
        steps.append(Step("restrict", words, Factor(f"f{len(steps) + 1}", tuple(u for u in family if u not in known), values)))
    for v, likelihood in evidence.likelihoods:
        if any(v in step.factor.nodes for step in steps):
            factor = Factor(f"f{len(steps) + 1}", (v,), np.array(likelihood))
            steps.append(Step("restrict", _("likelihood of what was seen, for each level"), factor))
    return steps


def eliminated(network: DiscreteNetwork, names: Sequence[str], factors: Sequence[Factor], v: int) -> list[Step]:
    """(2) and (3)."""
    own = [factor for factor in factors if v in factor.nodes]
    nodes = (*dict.fromkeys(u for factor in own for u in factor.nodes if u != v), v)
    both = multiplied(network, f"g_{names[v]}", own, nodes)
    words = _("to sum over {name}, multiply {factors}").format(name=names[v], factors=listed(own))
    summed = Factor(f"s_{names[v]}", nodes[:-1], read_only(both.values.sum(axis=-1)))
    return [Step("product", words, both), Step("sum", _("sum over {name}").format(name=names[v]), summed)]


def multiplied(network: DiscreteNetwork, name: str, factors: Sequence[Factor], nodes: tuple[int, ...]) -> Factor:
    """The product of some factors, over all these nodes."""
    shape = tuple(network.sizes[v] for v in nodes)
    if (cells := prod(shape)) > MOST_CELLS or len(shape) > MOST_AXES:
        raise ValueError(
            f"A factor of this query has {cells} cells of {len(shape)} nodes: too many to be worked by hand (at most "
            f"{MOST_CELLS} of {MOST_AXES}). Use query."
        )
    values = np.ones(shape)
    try:
        with np.errstate(under="raise", over="raise"):
            for factor in factors:
                values = values * factor.along(nodes)
    except FloatingPointError:
        raise ValueError(
            "A product of this query is too small or too large for a number: it cannot be worked by hand. Use query."
        ) from None
    return Factor(name, nodes, read_only(values))


def listed(factors: Sequence[Factor]) -> str:
    """Names of factors."""
    return " · ".join(factor.name for factor in factors)

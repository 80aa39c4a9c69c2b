"""Questions to a network whose tables are known, by name.

    p(targets | evidence) = Σ_others p(all nodes) / p(evidence)                                               (1)

`query` leaves out what the question does not need (relevance.py), finds an order in which the others are summed, and sends
messages towards the targets (messages.py). What that costs is known first: beyond the budget, the question is refused, or
answered from samples, as asked. `posteriors` has all nodes at once, by messages in both directions.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isinf
from numbers import Real
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import ParameterError, refuse_count
from aprendiz.core.random import draw_seed
from aprendiz.graphical.inference.answers import EstimatedAnswer, JointAnswer, by_level, refuse_wide_answer
from aprendiz.graphical.inference.evidence import Evidence
from aprendiz.graphical.inference.impossible_evidence import impossible_evidence
from aprendiz.graphical.inference.junction_tree import Cost, JunctionTree
from aprendiz.graphical.inference.likelihood_weighting import estimate
from aprendiz.graphical.inference.network_inference import NetworkInference
from aprendiz.graphical.inference.worked_query import WorkedQuery
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.locale import _

DEFAULT_BUDGET = 2**26  # cells, 1 GiB

Given = Mapping[Any, Any] | None


class Queries:
    """Questions about the joint distribution, of a class that has a `network_`.

    Evidence is a mapping of node to level; of node to a mapping of level to likelihood, where the level itself was not seen.
    """

    network_: DiscreteNetwork
    random_state: Any

    def query(
        self,
        targets: Any,
        evidence: Given = None,
        *,
        budget: int = DEFAULT_BUDGET,
        beyond: Literal["refuse", "sample"] = "refuse",
        n_samples: int = 100_000,
        random_state: Any = None,
    ) -> dict[Any, float] | JointAnswer:
        """p(targets | evidence): of one node a mapping of level to probability, of several (a list) a table.

        Parameters
        ----------
        targets : node, or list of nodes
        evidence : mapping, optional
        budget : int
            The number of cells that cliques may have in all.
        beyond : {"refuse", "sample"}, default="refuse"
            What to do beyond the budget: refuse with what it would cost, or estimate from weighted samples. An estimate has its
            `standard_error`.
        n_samples, random_state
            Of an estimate. By default the seed of the network.
        """
        if beyond not in ("refuse", "sample"):
            raise ValueError(f"beyond must be 'refuse' or 'sample', got {beyond!r}.")
        refuse_count("n_samples", n_samples)
        refuse_no_budget(budget)
        engine, network = self.engine(), self.network_
        asked, given = self.asked(targets, evidence)
        names, levels = tuple(network.graph.nodes[v] for v in asked), tuple(network.levels[v] for v in asked)
        single = not network.graph.are_several(targets)
        refuse_wide_answer(names, levels)
        cost = engine.tree_of_query(asked, given).cost
        if cost.cells > budget and beyond == "sample":
            seed = draw_seed(getattr(self, "random_state", None) if random_state is None else random_state)
            found = estimate(network, asked, given, int(n_samples), seed)
            values, error = found.values, found.standard_error
            if single:
                return EstimatedAnswer.of(levels[0], values, error, found.effective_samples)
            return JointAnswer(names, levels, values, error)
        self.refuse_beyond(budget, cost)
        log_p, values = engine.posterior(asked, given)
        self.refuse_impossible(log_p, given, budget)
        return by_level(levels[0], values) if single else JointAnswer(names, levels, values)

    def posteriors(self, evidence: Given = None, *, budget: int = DEFAULT_BUDGET) -> dict[Any, dict[Any, float]]:
        """p(node | evidence) of every node, as a mapping of name to a mapping of level to probability."""
        engine, network = self.engine(), self.network_
        given = Evidence.of(network, evidence)
        self.refuse_beyond(budget, engine.tree_of_all(given).cost)
        values = engine.all_posteriors(given).tolist()
        if values and np.isnan(values[0]):
            self.refuse_impossible(-np.inf, given, budget)
        answers, at = {}, 0
        for name, levels in zip(network.graph.nodes, network.levels, strict=True):
            answers[name] = dict(zip(levels, values[at : at + len(levels)], strict=True))
            at += len(levels)
        return answers

    def evidence_probability(self, evidence: Given, *, budget: int = DEFAULT_BUDGET) -> float:
        """p(evidence); of soft evidence, the mean of its likelihood. 0 where it cannot be."""
        with np.errstate(over="ignore"):
            return float(np.exp(self.log_evidence_probability(evidence, budget=budget)))

    def log_evidence_probability(self, evidence: Given, *, budget: int = DEFAULT_BUDGET) -> float:
        """ln p(evidence), which is a number where p(evidence) is too small for one; −∞ where it cannot be."""
        engine, given = self.engine(), Evidence.of(self.network_, evidence)
        self.refuse_beyond(budget, engine.tree_of_query((), given).cost)
        return engine.log_probability(given)

    def most_probable(self, evidence: Given = None, *, budget: int = DEFAULT_BUDGET) -> dict[Any, Any]:
        """The levels of all nodes that are most probable together, given the evidence (MPE). They need not be the most probable
        ones of each node by itself. Among equals, the levels that come first in a clique."""
        engine, network = self.engine(), self.network_
        given = Evidence.of(network, evidence)
        self.refuse_beyond(budget, engine.tree_of_all(given).cost)
        log_p, found = engine.most_probable(None, given)
        self.refuse_impossible(log_p, given, budget)
        return {name: network.levels[v][found[v]] for v, name in enumerate(network.graph.nodes)}

    def map_query(self, targets: Any, evidence: Given = None, *, budget: int = DEFAULT_BUDGET) -> dict[Any, Any]:
        """The levels of the targets that are most probable together, all other nodes summed over (MAP). It may cost far more
        than the posterior of each, since what is summed must be summed first."""
        engine, network = self.engine(), self.network_
        asked, given = self.asked(targets, evidence)
        self.refuse_beyond(budget, engine.tree_of_query(asked, given, best=True).cost)
        log_p, found = engine.most_probable(asked, given)
        self.refuse_impossible(log_p, given, budget)
        return {network.graph.nodes[v]: network.levels[v][found[v]] for v in asked}

    def cost(self, targets: Any = None, evidence: Given = None) -> Cost:
        """What a query takes, without asking it: cells of the largest clique, of all, bytes. Without targets, of all
        posteriors."""
        if targets is None:
            return self.engine().tree_of_all(Evidence.of(self.network_, evidence)).cost
        asked, given = self.asked(targets, evidence)
        return self.engine().tree_of_query(asked, given).cost

    def junction_tree(self) -> JunctionTree:
        """The cliques of the network, and how they hang together."""
        return self.engine().whole

    def worked(self, targets: Any, evidence: Given = None) -> WorkedQuery:
        """A query by hand: every factor, restricted, multiplied, summed and normalised, as a record that prints."""
        engine = self.engine()
        asked, given = self.asked(targets, evidence)
        refuse_wide_answer(asked, [self.network_.levels[v] for v in asked])
        self.refuse_beyond(DEFAULT_BUDGET, engine.tree_of_query(asked, given).cost)
        self.refuse_impossible(engine.posterior(asked, given)[0], given, DEFAULT_BUDGET)
        return WorkedQuery.of(self.network_, asked, given)

    # ---- small parts -----------------------------------------------------------------------------------------------------

    def engine(self) -> NetworkInference:
        """What inference keeps of this network."""
        return NetworkInference.of(fitted_network(self))

    def asked(self, targets: Any, evidence: Given) -> tuple[tuple[int, ...], Evidence]:
        """The places of the targets, and the evidence; no node may be asked and known."""
        graph, given = fitted_network(self).graph, Evidence.of(self.network_, evidence)
        asked = graph.places(targets)
        if not asked:
            raise ValueError("There is no target: name at least one node.")
        if both := [graph.nodes[v] for v in asked if v in given.known]:
            raise ValueError(f"{both[0]!r} is both a target and known: leave it out of one of them.")
        return asked, given

    def refuse_beyond(self, budget: int, cost: Cost) -> None:
        """Stop at a question that is too large."""
        refuse_no_budget(budget)
        if cost.cells > budget:
            words = _(
                "This takes {cost}; the budget is {budget} cells. Give a larger budget=, ask for fewer nodes at once or with "
                "more evidence, or let a query be estimated (beyond='sample')."
            )
            raise ValueError(words.format(cost=cost, budget=budget))

    def refuse_impossible(self, log_p: float, given: Evidence, budget: int) -> None:
        """Stop at evidence of probability zero, with the part of it that contradicts itself. A query leaves out what cannot
        change its answer; whether that part is possible is asked where tables hold zeros, if the budget allows."""
        engine = self.engine()
        if not isinf(log_p):
            if not given.told or not engine.has_zeros or engine.tree_of_query((), given).cost.cells > budget:
                return
            if not isinf(engine.log_probability(given)):
                return
        raise impossible_evidence(self.network_, given)


def refuse_no_budget(budget: Any) -> None:
    """Stop at what is no number of cells."""
    if not (isinstance(budget, Real) and float(budget) >= 0):
        raise ParameterError(f"budget must be a number of cells of at least 0, got {budget!r}.")


def fitted_network(model: Any) -> DiscreteNetwork:
    """The network of a fitted model."""
    check_is_fitted(model, "network_")
    network: DiscreteNetwork = model.network_
    return network

"""Rows drawn from a network: new ones, those that agree with evidence, or weighted ones.

    exact                  rows of p(x | evidence)                                                            (1)
    likelihood weighting   rows of Π_{v not known} p(x_v | parents), with the weights Π_{v known} p(x_v | parents)    (2)

Of soft evidence, the likelihood of its level is a factor in both.

(2) needs no junction tree, so it also serves networks too dense for one. The mean weight estimates p(evidence), and weighted
means over the rows estimate those of (1).

Reference: Fung & Chang, "Weighing and integrating evidence for stochastic simulation in Bayesian networks", UAI 1989.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import ParameterError, refuse_count
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.graphical.generation.draws import ancestral_steps, conditional_steps, draw_rows
from aprendiz.graphical.inference.evidence import Evidence
from aprendiz.graphical.inference.impossible_evidence import impossible_evidence
from aprendiz.graphical.learning.row_answers import RowAnswers


class Samples(RowAnswers):
    """Draws rows, for a class that has a `network_`."""

    random_state: Any

    def sample(
        self,
        n_samples: int = 1,
        evidence: Mapping[Any, Any] | None = None,
        *,
        method: Literal["exact", "likelihood weighting"] = "exact",
        random_state: Any = None,
    ) -> Any:
        """New rows: an array with the columns of the table, of words or codes.

        Parameters
        ----------
        n_samples : int, default=1
            How many.
        evidence : mapping of node to level, optional
            What all rows have; of a node that was not seen itself, a mapping of level to likelihood.
        method : {"exact", "likelihood weighting"}, default="exact"
            Rows of p(x | evidence), or rows that are drawn parents first, and their weights: (rows, weights).
        random_state : int, RandomState or None
            By default that of the network.
        """
        check_is_fitted(self)
        refuse_count("n_samples", n_samples)
        if method not in ("exact", "likelihood weighting"):
            raise ParameterError(f"method must be 'exact' or 'likelihood weighting', got {method!r}.")
        seed = draw_seed(self.random_state if random_state is None else random_state)
        given = self.evidence_of(evidence)
        known = dict(given.levels)
        if method == "exact" and given.told:
            steps, log_p = conditional_steps(self.network_, given)
            if np.isneginf(log_p):
                raise impossible_evidence(self.network_, given)
        else:
            steps = ancestral_steps(self.network_, known)
        codes = draw_rows(self.network_, steps, known, n_samples, seed)
        rows = self.decoded(codes[:, : self.n_features_in_])
        return rows if method == "exact" else (rows, self.weights_of(codes, given))

    def evidence_of(self, evidence: Mapping[Any, Any] | None) -> Evidence:
        """What is said of some nodes, by name or, of columns, by position."""
        if evidence is not None and not isinstance(evidence, Mapping):
            raise ParameterError(f"evidence must be a mapping of nodes to levels, got {evidence!r}.")
        nodes = self.network_.graph.nodes
        return Evidence.of(self.network_, {nodes[self.place_of(name)]: said for name, said in (evidence or {}).items()})

    def weights_of(self, codes: Array, given: Evidence) -> Array:
        """The weights of (2)."""
        weights = np.ones(len(codes))
        for v, likelihood in given.likelihoods:
            weights *= np.array(likelihood)[codes[:, v]]
        for v in given.known:
            weights *= self.network_.tables[v][tuple(codes[:, u] for u in (*self.network_.graph.parents[v], v))]
        if not weights.any():
            raise ValueError(
                "All weights are 0: the evidence is too improbable for so few rows, or for a double. Use method='exact'."
            )
        return weights

"""Pessimistic pruning: C4.5's, which needs no rows beside those of the fit.

A leaf that got E of its N rows wrong would get more wrong of new ones. C4.5 takes the E errors for a binomial sample and the
upper limit of the error rate at confidence CF for the rate itself: the U at which E errors or fewer have probability CF,

    Σ_{e ≤ E} C(N, e) U^e (1 − U)^(N−e) = CF,     U_CF(0, N) = 1 − CF^(1/N)                                   (1)

For any N and E (rows have weights, and those with missing cells are divided) it is a quantile of the beta distribution,

    U_CF(E, N) = the 1 − CF quantile of Beta(E + 1, N − E),     U_CF(N, N) = 1                                (2)

From the leaves to the root, a node becomes a leaf where N·U_CF(E, N) is at most the sum over the leaves that are left below it.
A smaller CF prunes more, as a rule. Subtrees are not raised to the place of their parents, which C4.5 tries as well. N is a
number of cases, and so is a weight: ten times the weight prunes less. Weights whose mean is below 1 are no numbers of cases;
they count as if their mean were 1, so that weights that sum to 1 prune as none do.

The rows are those that grew the tree, so the limit is a rule that works, and no confidence interval.

Cost: O(nodes).
Reference: Quinlan, "C4.5: Programs for Machine Learning", 1993, section 4.2.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv

from aprendiz.core.rows import Array
from aprendiz.tree.pruning.reduced_error import cut_where_not_worse
from aprendiz.tree.pruning.risk import equal_costs, refuse_other_costs
from aprendiz.tree.shared.nodes import Tree

CONFIDENCE = 0.25
TIE = 1e-12  # errors, as a share of the rows, that differ by rounding


def pessimistic_stumps(tree: Tree, costs: Array | None, confidence: float = CONFIDENCE) -> Array:
    """The nodes that become leaves; `costs` must be those of equal errors."""
    refuse_what_is_no_error(tree, costs)
    return cut_where_not_worse(tree, pessimistic_errors(tree, confidence), TIE * tree.weighted_n_node_samples[0])


def pessimistic_errors(tree: Tree, confidence: float = CONFIDENCE) -> Array:
    """N·U_CF(E, N) of each node: the errors among as many new rows, if it is a leaf."""
    weight = tree.weighted_n_node_samples
    cases = weight * max(1.0, float(tree.n_node_samples[0] / weight[0]))
    wrong = cases * np.clip(1.0 - tree.value[:, 0, :].max(axis=1), 0.0, 1.0)
    return weight * upper_limit(wrong, cases, confidence)


def upper_limit(errors: Array | float, rows: Array | float, confidence: float = CONFIDENCE) -> Array:
    """U_CF(E, N) of (2)."""
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence = {confidence!r} must lie between 0 and 1: C4.5 takes {CONFIDENCE}.")
    errors, rows = np.broadcast_arrays(np.asarray(errors, np.float64), np.asarray(rows, np.float64))
    if not ((errors >= 0) & (errors <= rows)).all():
        raise ValueError("errors must lie between 0 and the number of rows: count the rows that are wrong among them.")
    right = rows - errors
    return np.where(right > 0, betaincinv(errors + 1.0, np.where(right > 0, right, 1.0), 1.0 - confidence), 1.0)


def refuse_what_is_no_error(tree: Tree, costs: Array | None) -> None:
    """(1) counts errors: it knows neither costs nor distances."""
    if costs is None:
        raise ValueError("Pessimistic pruning counts wrong classes, a regression has none: prune by cost complexity.")
    refuse_other_costs(tree, costs)
    if not np.array_equal(costs, equal_costs(len(costs))):
        raise ValueError(
            "Pessimistic pruning counts errors and knows no costs: prune by cost complexity, or leave the costs out."
        )

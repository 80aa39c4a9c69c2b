"""Cost-complexity pruning: every leaf has a price α, and the tree with the least R(T) + α·leaves(T) is kept.

    R_α(T) = R(T) + α·leaves(T),     R(T) = Σ R(t) over the leaves of T  (risk.py)                            (1)
    g(t) = (R(t) − R(T_t)) / (leaves(T_t) − 1)                                                                (2)

T_t is what hangs on t. g(t) is the price at which it is no better than the single leaf t. The nodes of least g, the weakest
links, are cut, all at once; their g is the next α; and so on until the root is left. The trees so found are nested, and each is
the smallest of those that minimise (1), from its α up to the next one.

A node stands as a leaf from the stage at which it is cut to the stage at which a node above it is. So sums over the leaves of
all subtrees are one running sum (`totals`).

Cost: O(nodes·depth): each node knows the least g from it downwards, so the weakest link is found by going down, and what is
above it is summed up again.
Reference: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984, chapter 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.tree.pruning.resubstitution import Resubstitution, costs_below
from aprendiz.tree.shared.nodes import Tree

LARGEST = float(np.finfo(np.float64).max)
SAME = 1e-12  # prices, relative to each other, that differ by rounding
TIE = 1e-13  # values of g, as a share of the largest risk, that differ by rounding


@dataclass(frozen=True, eq=False)
class CostComplexityPath:
    """The subtrees of a tree that minimise (1) for some α.

    Attributes
    ----------
    full : Tree
        The tree that is pruned.
    alphas : ndarray of shape (stages,)
        The α from which each subtree is the smallest best one, rising from 0.
    leaves : ndarray of shape (stages,)
    risks : ndarray of shape (stages,)
        R(T) of each subtree.
    stage : ndarray of shape (nodes,)
        The stage from which a node is a leaf; `len(alphas)` for a node that is a leaf of no subtree of the path.
    end : ndarray of shape (nodes,)
        The stage at which a node is cut off with a node above it; `len(alphas)` for the root.
    node_risks : ndarray of shape (nodes,)
        R(t) of each node of the full tree.
    """

    full: Tree
    alphas: Array
    leaves: Array
    risks: Array
    stage: Array
    end: Array
    node_risks: Array

    @classmethod
    def of(cls, tree: Tree, risk: Array) -> Self:
        """The path of a tree whose nodes have the given risks."""
        risk = np.ascontiguousarray(risk, dtype=np.float64)
        if risk.shape != (tree.node_count,):
            raise ValueError(f"risk has shape {risk.shape}, the tree has {tree.node_count} nodes: give a number for each.")
        refuse_bad_number("risk", risk)
        if np.abs(risk).max() > LARGEST / tree.node_count:
            raise ValueError(f"risk is too large to be summed (up to {np.abs(risk).max():.3g}): divide it by a constant.")
        tie = TIE * float(np.abs(risk).max())
        alphas, stage = weakest_links(tree, risk, tie)
        end = np.full(tree.node_count, len(alphas))
        first_above(tree.parent, stage, end)
        stage = np.where(stage < end, stage, len(alphas))
        leaves = standing_sums(stage, end, np.ones(tree.node_count), len(alphas))
        total = standing_sums(stage, end, risk, len(alphas))
        return cls(tree, alphas, leaves.astype(np.int64), total, stage, end, risk)

    def totals(self, amounts: Array) -> Array:
        """Σ amount over the leaves of each subtree, from an amount for each node."""
        return standing_sums(self.stage, self.end, amounts, len(self.alphas))

    def number(self, alpha: Array | float) -> Array:
        """The number of the subtree for each α."""
        alpha = np.asarray(alpha, dtype=np.float64)
        if not (alpha >= 0).all():
            raise ValueError(
                f"alpha = {alpha[~(alpha >= 0)].flat[0]} must be a number of at least 0: it is the complexity parameter."
            )
        return np.searchsorted(self.alphas, alpha * (1.0 + SAME), side="right") - 1

    def stumps(self, alpha: float) -> Array:
        """The nodes at which the tree is cut to get the smallest of the trees that minimise (1)."""
        stage = int(self.number(alpha))
        return (self.stage <= stage) & (self.end > stage) & ~self.full.is_leaf

    def nodes(self, alpha: float = 0.0) -> Resubstitution:
        """R(t), R(T_t) and g(t) of each node of the subtree for α, by its number in the full tree: the node with the least g is
        cut next. Nodes that are cut off are NaN, leaves have an infinite g."""
        return costs_below(self.full, self.node_risks, self.stumps(alpha) | self.full.is_leaf)

    def tree(self, alpha: float) -> Tree:
        """The smallest of the trees that minimise (1)."""
        return self.full.pruned(self.stumps(alpha))

    def __str__(self) -> str:
        width = max(len("leaves"), len(str(self.leaves[0])))
        lines = [f"{'alpha':>10}  {'leaves':>{width}}  {'risk':>10}"]
        for alpha, leaves, risk in zip(self.alphas, self.leaves, self.risks, strict=True):
            lines.append(f"{alpha:10.4g}  {leaves:{width}d}  {risk:10.4g}")
        return "\n".join(lines)


def standing_sums(stage: Array, end: Array, amounts: Array, stages: int) -> Array:
    """Σ amount over the nodes that are leaves at each stage."""
    stands = stage < end
    begun = np.bincount(stage[stands], amounts[stands], stages + 1)
    ended = np.bincount(end[stands], amounts[stands], stages + 1)
    return np.cumsum(begun - ended)[:stages]


# ---- kernels -----------------------------------------------------------------------------------------------------------


def weakest_links(tree: Tree, risk: Array, tie: float) -> tuple[Array, Array]:
    """The prices of all stages, and the stage at which each node is cut: 0 for leaves, the number of stages for the others."""
    nodes, leaf = tree.node_count, tree.is_leaf
    below, leaves = np.where(leaf, risk, 0.0), np.where(leaf, 1, 0)
    (price, lowest), alphas, stage = np.full((2, nodes), np.inf), np.zeros(nodes), np.where(leaf, 0, nodes)
    stages = cut_links(tree.parent, tree.child_start, tree.children, risk, tie, below, leaves, price, lowest, alphas, stage)
    return alphas[:stages].copy(), np.where(stage == nodes, stages, stage)


@compiled
def first_above(parent: Array, stage: Array, end: Array) -> None:
    """The first stage at which some node above each node is cut."""
    for t in range(1, len(parent)):
        end[t] = min(end[parent[t]], stage[parent[t]])


@compiled(exact=True)
def cut_links(
    parent: Array, child_start: Array, children: Array, risk: Array, tie: float, below: Array, leaves: Array, price: Array,
    lowest: Array, alphas: Array, stage: Array,
) -> int:  # fmt: skip
    """Cut the weakest link, the first of equals, again and again. For each node: risk and number of the leaves below it, its
    price (2), and the lowest price from it downwards, which leads to the weakest link. Returns the number of stages."""
    stages = int64(1)
    for t in range(len(parent) - 1, -1, -1):
        if child_start[t] < child_start[t + 1]:
            sum_up(t, child_start, children, risk, below, leaves, price, lowest)
    while leaves[0] > 1:
        t, g = 0, lowest[0]
        while price[t] != g:
            child = child_start[t]
            while lowest[children[child]] != g:
                child += 1
            t = children[child]
        if g > alphas[stages - 1] + tie:
            alphas[stages] = g
            stages += 1
        stage[t] = stages - 1
        below[t], leaves[t], lowest[t], t = risk[t], 1, np.inf, parent[t]
        while t >= 0:
            sum_up(t, child_start, children, risk, below, leaves, price, lowest)
            t = parent[t]
    return stages


@compiled(exact=True, inner=True)
def sum_up(
    t: int, child_start: Array, children: Array, risk: Array, below: Array, leaves: Array, price: Array, lowest: Array
) -> None:
    """What is known of a node, from its children."""
    r, count, low = 0.0, int64(0), np.inf
    for child in range(child_start[t], child_start[t + 1]):
        under = children[child]
        r, count, low = r + below[under], count + leaves[under], min(low, lowest[under])
    below[t], leaves[t], price[t] = r, count, (risk[t] - r) / (count - 1)
    lowest[t] = min(low, price[t])

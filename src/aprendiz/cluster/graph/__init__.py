"""Graphs of similarities: how to make them from rows, their Laplacians, the cost of cutting them, the walk on them.

A graph of n vertices is a symmetric table W of weights w_ij ≥ 0, dense or sparse; a weight is a similarity, and 0 is no edge.
"""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    connections=["components", "isolated"],
    cut_costs=["cut", "ncut", "ratio_cut"],
    laplacians=["degrees", "laplacian"],
    random_walks=["Walk", "random_walk", "walk"],
    similarity_graphs=["epsilon_graph", "gaussian_graph", "k_nearest_graph", "mutual_k_nearest_graph"],
)

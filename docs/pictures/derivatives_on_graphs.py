"""A graph with its values and derivatives; and how many paths and edges a graph of layers has."""

import matplotlib.pyplot as plt

from aprendiz.neural import Graph
from aprendiz.plots.shared.style import BLUE, VERMILION, legend_below, tidy

LAYERS = range(2, 13)


def layered(layers):
    """Layers of two products each, over one input."""
    nodes = {"a1": "w", "b1": "w"}
    for layer in range(2, layers + 1):
        nodes |= {name + str(layer): f"a{layer - 1} * b{layer - 1}" for name in "ab"}
    return Graph({**nodes, "O": f"a{layers} * b{layers}"})


def draw(path):
    """Write the picture."""
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
    Graph({"a": "x", "b": "y", "g": "a**2 + b", "h": "a - b", "F": "g / h"}).plot({"x": 3, "y": 1}, axes[0])
    graphs = [layered(layers) for layers in LAYERS]
    edges = [sum(map(len, graph.graph.parents)) for graph in graphs]
    axes[1].semilogy(LAYERS, [graph.count_paths("w") for graph in graphs], "o-", color=VERMILION, label="paths")
    axes[1].semilogy(LAYERS, edges, "o-", color=BLUE, label="edges")
    tidy(axes[1], x="layers of two nodes", y="terms", title="A sum over paths, and the same by edges")
    legend_below(axes[1], columns=2)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)

"""The network of which rows were drawn, and their Chow–Liu tree with the share of bootstrap samples that have each edge."""

import matplotlib.pyplot as plt
import pandas as pd

from aprendiz import BayesianNetwork, ChowLiuTree, datasets, edge_confidence
from aprendiz.plots import NetworkDisplay


def draw(path):
    """Write the picture."""
    asia = BayesianNetwork.from_tables(datasets.load("asia"))
    rows = pd.DataFrame(asia.sample(2000, random_state=0), columns=list(asia.graph_.nodes))
    tree = ChowLiuTree("smoke").fit(rows)
    confidence = edge_confidence(ChowLiuTree("smoke"), rows, n=100, random_state=0)
    place = {name: v for v, name in enumerate(confidence.nodes)}
    shares = {(a, b): float(confidence.strength[place[a], place[b]]) for a, b in tree.edges_}
    figure, axes = plt.subplots(1, 2, figsize=(8.6, 4.0), layout="constrained")
    NetworkDisplay(asia).plot(axes[0])
    NetworkDisplay(tree, confidence=shares).plot(axes[1])
    for ax, title in zip(axes, ("the network", "the tree of its rows"), strict=True):
        ax.set_title(title, fontsize=10)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)

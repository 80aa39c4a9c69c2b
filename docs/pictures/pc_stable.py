"""The states of PC on rows of a network: all pairs, what sets of no and of one node leave, and the directions."""

import matplotlib.pyplot as plt
import pandas as pd

from aprendiz import BayesianNetwork, PCStable, datasets
from aprendiz.graphical.structure.orientation import as_graph
from aprendiz.plots import NetworkDisplay


def draw(path):
    """Write the picture."""
    student = BayesianNetwork.from_tables(datasets.load("student"))
    table = pd.DataFrame(student.sample(2000, random_state=0), columns=list(student.graph_.nodes))
    rows = table[["Diff", "Int", "Grade", "SAT", "Letter"]]
    search = PCStable(alpha=0.01).fit(rows)
    titles = ["before any test", "sets of no column", "sets of one column", "directions"]
    figure, axes = plt.subplots(1, 4, figsize=(10.4, 3.2), layout="constrained")
    for ax, state in zip(axes[:3], search.steps(rows), strict=False):
        NetworkDisplay(as_graph(state.adjacent, search.nodes_)).plot(ax)
    search.plot(axes[3])
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title, fontsize=10)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)

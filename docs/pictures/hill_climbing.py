"""The climb to a local maximum and out of it, move by move, and the network of asia as it was found."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from aprendiz import BayesianNetwork, HillClimbing
from aprendiz.datasets import load
from aprendiz.plots import NetworkDisplay
from aprendiz.plots.shared.style import GREY, INK, MARKERS, PALETTE, tidy


def rows_of(name, count):
    """Rows drawn from a network, and the network."""
    network = BayesianNetwork.from_tables(load(name))
    return pd.DataFrame(network.sample(count, random_state=0), columns=network.graph_.nodes)


def draw(path):
    """Write the picture."""
    figure, axes = plt.subplots(1, 2, figsize=(10.6, 4.2), layout="constrained", width_ratios=[1.4, 1.0])
    search, rows = HillClimbing(n_restarts=4, random_state=2), rows_of("alarm", 1_000)
    states = list(search.steps(rows))
    value = search.open(rows).space.tables.score.value
    for start in range(5):
        own = [state for state in states if state.start == start]
        scores = [value(state.units) for state in own]
        axes[0].plot([state.iteration for state in own], scores, color=PALETTE[start], linewidth=1.4)
        axes[0].plot(own[0].iteration, scores[0], MARKERS[0], color=PALETTE[start], markersize=4)
    best = np.maximum.accumulate([value(state.top_units) for state in states])
    axes[0].plot(best, color=INK, linewidth=0.9, linestyle="--")
    axes[0].set_ylim(best[-1] - 800, best[-1] + 80)
    axes[0].annotate("best so far", (len(best) - 1, best[-1]), (-4, 4), textcoords="offset points", ha="right", color=GREY)
    tidy(axes[0], x="moves", y="BIC", title="alarm, 1 000 rows: five starts")
    NetworkDisplay(HillClimbing().fit(rows_of("asia", 10_000))).plot(axes[1])
    axes[1].set_title("asia, 10 000 rows", fontsize=10, color=INK)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)

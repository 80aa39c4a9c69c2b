"""How far learned tables are from the true ones when cells are missing, by EM and by the complete rows; EM from five starts."""

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from aprendiz import BayesianNetwork
from aprendiz.datasets import load
from aprendiz.plots.shared.style import MARKERS, PALETTE, in_percent, legend_below, tidy

SHARES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)


def draw(path):
    """Write the picture."""
    figure, axes = plt.subplots(1, 2, figsize=(10.0, 4.4), layout="constrained")
    draw_errors(axes[0])
    draw_starts(axes[1])
    figure.savefig(path, dpi=100)
    plt.close(figure)
    Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)


def draw_errors(ax):
    """The mean error of the probabilities, by the share of cells that are missing."""
    asia = BayesianNetwork.from_tables(load("asia"))
    codes = coded(asia, asia.sample(2000, random_state=0))
    edges = [tuple(map(asia.graph_.at, edge)) for edge in asia.edges_]
    errors = {"EM, all rows": [], "only the rows without a hole": []}
    for share in SHARES:
        X = np.where(np.random.default_rng(0).random(codes.shape) < share, np.nan, codes)
        model = BayesianNetwork(edges, levels=dict.fromkeys(range(8), 2), prior="bdeu")
        errors["EM, all rows"].append(error_of(model.fit(X), asia))
        errors["only the rows without a hole"].append(error_of(model.fit(X[~np.isnan(X).any(axis=1)]), asia))
    tidy(ax, x="missing cells", y="mean error of a probability", title="Asia from 2000 rows")
    for number, (name, found) in enumerate(errors.items()):
        ax.plot(SHARES, found, color=PALETTE[number], marker=MARKERS[number], label=name)
    ax.set_ylim(0, None)
    in_percent(ax.xaxis)
    legend_below(ax)


def coded(network, rows):
    """Words as codes."""
    return np.column_stack([[levels.index(x) for x in rows[:, v]] for v, levels in enumerate(network.network_.levels)]) * 1.0


def error_of(model, truth):
    """The mean distance of the probabilities, each row of a table weighed by how often its parents occur."""
    total = 0.0
    for v, (found, true) in enumerate(zip(model.network_.tables, truth.network_.tables, strict=True)):
        often = shares_of([truth.graph_.nodes[u] for u in truth.graph_.parents[v]], truth)
        total += (often * np.abs(found - true).mean(axis=-1)).sum()
    return total / len(truth.graph_)


def shares_of(parents, truth):
    """How often each configuration of parents occurs."""
    if len(parents) < 2:
        return np.array(list(truth.query(parents[0]).values())) if parents else np.ones(())
    return truth.query(parents).values


def draw_starts(ax):
    """What a pass of each start is worth, for a hidden class of four levels."""
    rng = np.random.default_rng(2)
    kind = rng.integers(0, 4, 200)
    X = (rng.random((200, 6)) < rng.choice([0.1, 0.5, 0.9], size=(4, 6))[kind]).astype(float)
    model = BayesianNetwork([("kind", j) for j in range(6)], hidden={"kind": 4}, tol=1e-4, random_state=1)
    tidy(ax, x="pass of EM", y="log-likelihood of a row", title="A hidden class, from five starts")
    ends = [state for state in model.steps(X) if state.still]
    for state in ends:
        ax.plot(np.arange(1, len(state.log) + 1), state.log, color=PALETTE[state.start], label=f"start {state.start + 1}")
    best = max(ends, key=lambda state: state.log[-1])
    ax.plot(len(best.log), best.log[-1], "o", color=PALETTE[best.start], label="kept")
    last = [state.log[-1] for state in ends]
    ax.set_ylim(min(last) - 0.08, max(last) + 0.02)
    legend_below(ax, columns=3)

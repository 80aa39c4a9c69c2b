"""Risk and coverage of a classifier that rejects, and the cost of every threshold."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import BayesDecisionClassifier, GaussianNB
from aprendiz.plots import RiskCoverageDisplay
from aprendiz.plots.shared.style import GREY, INK, VERMILION, in_percent, legend_below, tidy


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(1)
    y = (rng.random(4000) < 0.2).astype(int)
    X = rng.normal(size=(4000, 2)) + 1.2 * y[:, None]
    model = BayesDecisionClassifier(GaussianNB()).fit(X[:2000], y[:2000])
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.6, 3.6), layout="constrained")
    RiskCoverageDisplay.from_estimator(model, X[2000:], y[2000:], reject_cost=0.2, ax=left)
    curve = model.cost_curve(X[2000:], y[2000:], cost=[[0, 1], [10, 0]])
    inner = np.isfinite(curve.threshold)
    best = curve.cheapest()
    right.plot(curve.threshold[inner], curve.cost[inner], color=VERMILION, linewidth=1.4)
    right.plot(best.threshold, best.cost, "o", color=INK, markersize=6, label=f"cheapest on these rows: {best.threshold:.3f}")
    right.axvline(1 / 11, color=GREY, linewidth=1.0, linestyle=(0, (4, 2)), label="1/11, as the loss says")
    right.set(xlim=(0, 1), ylim=(0, None))
    tidy(right, x="threshold of the probability", y="cost of a row")
    in_percent(right.xaxis)
    legend_below(right)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)

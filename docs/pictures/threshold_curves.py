"""Two scores of the same rows: gain and lift, cost curves, DET curves; the scores of one of them at the equal error rate."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz.evaluation import cost_curve, det_curve, lift, roc
from aprendiz.plots import CostCurveDisplay, DetCurveDisplay, LiftDisplay
from aprendiz.plots.shared.style import BLUE, VERMILION


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(0)
    fraud, noise = rng.random(2000) < 0.2, rng.normal(size=2000)
    y = np.where(fraud, "fraud", "fair")
    scores = {"A": (2.0 * fraud + noise, BLUE), "B": (1.2 * fraud + (1.0 + 0.8 * fraud) * noise, VERMILION)}
    figure = plt.figure(figsize=(11.0, 8.6), layout="constrained")
    (gain, times), (costs, errors, values) = (
        part.subplots(1, count) for part, count in zip(figure.subfigures(2, 1, height_ratios=[1, 1.1]), (2, 3), strict=True)
    )
    for name, (score, colour) in scores.items():
        LiftDisplay(lift(y, score)).plot([gain, times], name=name, colour=colour)
        CostCurveDisplay(cost_curve(y, score)).plot(costs, name=name, colour=colour)
        DetCurveDisplay(det_curve(y, score)).plot(errors, name=name, colour=colour)
    curve = roc(y, scores["A"][0])
    curve.plot_distributions(values, point=curve.equal_error())
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)

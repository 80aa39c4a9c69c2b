"""What the cells of a row say for a class, and what averaging over the parameters does to a class of four rows."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from aprendiz import NaiveBayes
from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION, tidy

VISITS = pd.DataFrame(
    {
        "temperature": [36.6, 36.9, 36.4, 37.1, 36.8, 38.9, 38.1, 37.4, None, 39.2],
        "coughs": [0, 2, 1, 0, 1, 6, 3, 5, 4, 8],
        "smoker": [False, True, False, False, True, False, True, False, False, True],
        "throat": ["clear", "clear", "red", "clear", "clear", "red", "red", "swollen", "red", "swollen"],
    }
)
STATE = np.repeat(["well", "ill"], 5)
ROW = {"temperature": 37.2, "coughs": 3, "smoker": None, "throat": "red"}


def draw(path):
    """Write the picture."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.0), layout="constrained")
    models = {e: NaiveBayes(families={"coughs": "poisson"}, estimate=e).fit(VISITS, STATE) for e in ("map", "bayes")}
    lines = models["map"].explain(ROW).lines()
    names = [name for name, _ in lines if name != "product"]
    odds = np.array([logs[0] - logs[1] for name, logs in lines if name != "product"])
    colours = [
        INK if name == "posterior" else VERMILION if value > 0 else BLUE for name, value in zip(names, odds, strict=True)
    ]
    left.barh(np.arange(len(names))[::-1], odds, color=colours, height=0.65)
    left.axvline(0, color=GREY, linewidth=0.8)
    tidy(left, x='log-odds for "ill"', y="", title="each cell adds its part")
    left.set_yticks(np.arange(len(names))[::-1], names)
    grid, known = np.linspace(34, 43, 400), VISITS["temperature"][STATE == "ill"].dropna()
    for (estimate, model), colour, style in zip(models.items(), (BLUE, VERMILION), ("-", "--"), strict=True):
        density = [model.explain({"temperature": t}).factors[0, 0] for t in grid]
        right.plot(grid, density, style, color=colour, label="gaussian (map)" if estimate == "map" else "Student's t (bayes)")
    right.plot(known, np.zeros(len(known)), "|", color=INK, markersize=12, clip_on=False)
    right.legend(frameon=False, loc="upper left", fontsize=8)
    tidy(right, x="temperature, four who are ill", y="density", title="few rows, long tails")
    right.set_ylim(0, 0.85)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)

"""How often tests of 5 % find a difference where there is none, and how often intervals of 95 % hold the truth; from the
stored counts of `python -m benchmarks coverage type_one`."""

import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from aprendiz.plots.shared.style import DASHED, GREY, PALE, SMALL, colour_of, legend_below, marker_of, tidy

STORED = Path(__file__).parents[2] / "benchmarks" / "results"
STABLE, UNSTABLE = ("folds", "held-out rows"), ("folds of unstable learners",)


def results(family):
    runs = json.loads((STORED / f"{family}.json").read_text(encoding="utf-8"))
    return [one for run in runs for one in run["results"]]


def name_of(one):
    return f"{one['test']}: {one['on']}" if "test" in one else f"{one['protocol']}: {one['measure']}, {one['interval']}"


def dots(axes, places, found, count, number, label):
    """Rates with two standard errors."""
    at = [places.index(name_of(one)) for one in found]
    repeats = np.array([one["repeats"] for one in found])
    share = np.array([one[count] for one in found]) / repeats
    error = 200 * np.sqrt(share * (1 - share) / repeats)
    style = {"fmt": marker_of(number), "markersize": 5, "color": colour_of(number), "linewidth": 1.2, "label": label}
    axes.errorbar(100 * share, at, xerr=error, **style)


def finish(axes, places, nominal, x, title):
    """A line at what is said, and the names of the rates."""
    axes.axvline(nominal, color=GREY, linewidth=1.0, linestyle=DASHED)
    axes.set_ylim(len(places) - 0.4, -0.6)
    axes.grid(axis="x", color=PALE)
    axes.set_axisbelow(True)
    tidy(axes, x=x, y="", title=title)
    axes.set_yticks(range(len(places)), places, fontsize=SMALL)
    legend_below(axes)


def draw(path):
    """Write the picture."""
    tests = [one for one in results("type_one") if "rules" not in one["on"]]
    stable, unstable = ([one for one in tests if one["group"] in groups] for groups in (STABLE, UNSTABLE))
    intervals = [one for one in results("coverage") if one["rows"] == 100]
    figure, axes = plt.subplots(1, 2, figsize=(13.0, 9.0), layout="constrained")
    places = [name_of(one) for one in stable]
    dots(axes[0], places, stable, "wrong", 0, "linear discriminants, 200 rows")
    dots(axes[0], places, unstable, "wrong", 1, "stumps that choose a column, 60 rows")
    finish(axes[0], places, 5, "differences found where there is none, %", "tests at the level 5 %")
    places = [name_of(one) for one in sorted(intervals, key=lambda one: one["protocol"])]
    dots(axes[1], places, intervals, "model", 0, "tables of 100 rows; of a holdout 30 test")
    finish(axes[1], places, 95, "intervals that hold the model's score, %", "intervals of 95 %")
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)

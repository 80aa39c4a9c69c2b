"""Mean ranks of six learners over twenty tables, the posterior of two of them, and the differences on one table."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from aprendiz.evaluation import compare, compare_over_tables

NAMES = ["logistic", "bayes", "tree", "neighbours", "forest", "constant"]


def draw(path):
    """Write the picture."""
    rng = np.random.default_rng(3)
    scores = pd.DataFrame(rng.normal([0.80, 0.81, 0.74, 0.77, 0.84, 0.66], 0.03, (20, 6)), columns=NAMES)
    folds = {name: rng.normal(mean, 0.015, 10) for name, mean in zip(NAMES[:4], (0.80, 0.81, 0.76, 0.79), strict=True)}
    figure = plt.figure(figsize=(10.2, 7.2), layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=(1.0, 1.1))
    left, right = upper.subplots(1, 2)
    compare_over_tables(scores).plot(left)
    compare(folds, test="corrected_t", n_test=50, n_train=450, metric="accuracy").plot(right)
    left, right = lower.subplots(1, 2)
    compare_over_tables(scores[["logistic", "bayes"]], test="bayesian_signed_rank", metric="accuracy").plot(left)
    chosen = {"test": "bayesian_t", "control": "logistic", "metric": "accuracy"}
    compare(folds, n_test=50, n_train=450, **chosen).plot(right)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)

"""Noise, bias² and variance of trees of several depths, a bag of trees, and several numbers of neighbours."""

import matplotlib.pyplot as plt
import numpy as np

from aprendiz import BaggingRegressor, DecisionTreeRegressor, KNeighborsRegressor
from aprendiz.evaluation import bias_variance
from aprendiz.plots import BiasVarianceDisplay

MEMBERS = 25


def truth(X):
    return np.sin(2 * np.pi * X[:, 0])


def sample(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 1))
    return X, truth(X) + 0.3 * rng.normal(size=n)


def draw(path):
    """Write the picture."""
    trees = {f"depth {d}": DecisionTreeRegressor(max_depth=d, random_state=0) for d in (1, 2, 4, 8)}
    trees["bagged"] = BaggingRegressor(n_estimators=MEMBERS, random_state=0)
    neighbours = {f"k = {k}": KNeighborsRegressor(k) for k in (1, 5, 15, 40)}
    how = {"draw": sample, "truth": truth, "noise": 0.09, "rows": 60, "test": 300, "replicates": 2 * MEMBERS}
    figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.6), layout="constrained", sharey=True)
    for ax, learners in zip(axes, (trees, neighbours), strict=True):
        BiasVarianceDisplay({name: bias_variance(one, **how) for name, one in learners.items()}).plot(ax)
    figure.savefig(path, dpi=100, pil_kwargs={"optimize": True})
    plt.close(figure)

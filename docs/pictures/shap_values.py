"""What the columns add to the predictions of a forest: all rows, one row, one column."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes

from aprendiz import RandomForestRegressor
from aprendiz.evaluation import shap_values


def draw(path):
    """Write the picture."""
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    found = shap_values(RandomForestRegressor(200, min_samples_leaf=5, random_state=0).fit(X, y), X)
    figure, axes = plt.subplots(1, 3, figsize=(12.6, 3.8), layout="constrained", width_ratios=[1.25, 1.15, 1.0])
    found.plot(axes[0], most=8)
    found.explain(9).plot(axes[1], most=7)
    found.plot_dependence("bmi", axes[2], colour="s5")
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)

"""The wines in two of their thirteen columns, and in the two directions that separate their means."""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

from aprendiz import LinearDiscriminantAnalysis
from aprendiz.plots.plane.regions import mark_rows
from aprendiz.plots.shared.style import tidy


def draw(path):
    """Write the picture."""
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = LinearDiscriminantAnalysis().fit(X, y)
    figure, axes = plt.subplots(1, 2, figsize=(7.4, 3.4), layout="constrained")
    mark_rows(axes[0], X[["alcohol", "malic_acid"]].to_numpy(), y.to_numpy(), model.classes_)
    tidy(axes[0], x="alcohol", y="malic acid", title="two of the columns")
    mark_rows(axes[1], model.transform(X), y.to_numpy(), model.classes_)
    share = model.explained_variance_ratio_
    tidy(axes[1], x=f"first direction ({share[0]:.0%})", y=f"second ({share[1]:.0%})", title="all columns, transformed")
    axes[1].legend(title="grower", frameon=False, fontsize=9, title_fontsize=9)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)

"""What theory says of a classifier, and how many held-out rows an error within 0.05 needs."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from aprendiz import LinearDiscriminantAnalysis
from aprendiz.evaluation import bounds, theory
from aprendiz.plots.shared.style import colour_of, legend_below, tidy


def draw(path):
    """Write the picture."""
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, [7, 21]]
    figure, axes = plt.subplots(1, 2, figsize=(11.0, 4.6), layout="constrained", width_ratios=(1.2, 1.0))
    model = LinearDiscriminantAnalysis().fit(X[::2], y[::2])
    theory(model, X[1::2], y[1::2], training=(X[::2], y[::2])).plot(axes[0])
    rates = np.linspace(0.0, 0.5, 51)
    kinds = {
        "Clopper–Pearson": bounds.clopper_pearson,
        "Wilson": bounds.wilson,
        "empirical Bernstein": bounds.empirical_bernstein,
    }
    for k, (name, bound) in enumerate(kinds.items()):
        needed = [bound(eps=0.05, delta=0.05, rate=rate) for rate in rates]
        axes[1].plot(rates, needed, color=colour_of(k), linewidth=1.4, label=name)
    axes[1].axhline(bounds.hoeffding(eps=0.05, delta=0.05), color=colour_of(3), linewidth=1.4, label="Hoeffding")
    axes[1].set_ylim(bottom=0)
    tidy(axes[1], x="share of errors", y="held-out rows", title="rows for an error within 0.05, δ = 0.05")
    legend_below(axes[1], columns=2)
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)

"""Class switching by the number of members and the fraction of switched labels, beside bagging."""

import matplotlib.pyplot as plt
from matplotlib.ticker import NullLocator
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from aprendiz import BaggingClassifier, EnsembleCurve, EnsembleCurveDisplay, ensemble_curve, switching_errors

MEMBERS, FRACTIONS = 200, (0.1, 0.3, 0.5, 0.7)
SHOWN = (0.04, 0.06, 0.1, 0.2, 0.4, 0.8)  # errors along the axis


def draw(path):
    """Write the picture."""
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, train_size=600, random_state=0, stratify=y)
    found = switching_errors(X, y, X_test, y_test, FRACTIONS, MEMBERS, random_state=0)
    bagging = BaggingClassifier(n_estimators=MEMBERS, random_state=0).fit(X, y)
    curves = {"bagging": ensemble_curve(bagging, X_test=X_test, y_test=y_test).test}
    curves |= {f"p = {p:g}": errors for p, errors in zip(FRACTIONS, found.errors, strict=True)}
    named = {name: EnsembleCurve(found.members, None, None, test, "classification", name) for name, test in curves.items()}
    figure, ax = plt.subplots(figsize=(7.0, 4.4), layout="constrained")
    lines = EnsembleCurveDisplay(named).plot(ax).lines_
    ax.legend(lines, list(named), frameon=False, fontsize=9)
    ax.set_yscale("log")
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set_ylim(0.03, 0.9)
    ax.set_yticks(SHOWN, [f"{error:.0%}".replace("%", " %") for error in SHOWN])
    figure.savefig(path, dpi=110)
    plt.close(figure)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)

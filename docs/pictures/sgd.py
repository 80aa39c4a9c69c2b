"""How far a logistic regression by single rows is above the minimum, epoch after epoch, with four schedules of the rate."""

import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning

from aprendiz import LogisticRegression, SGDClassifier, StandardScaler
from aprendiz.plots import TrainingCurveDisplay
from aprendiz.plots.training_curve_display import TrainingCurve

SCHEDULES = ("constant", "invscaling", "decreasing", "optimal")


def draw(path):
    """Write the picture."""
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    least = LogisticRegression(C=1 / (0.01 * len(X))).fit(X, y).certificate_.objective / len(X)
    curves = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for rule in SCHEDULES:
            model = SGDClassifier("log_loss", alpha=0.01, learning_rate=rule, eta0=0.1, tol=None, max_iter=40, random_state=0)
            curves[rule] = TrainingCurve(model.fit(X, y).history_[:, 0] - least, measure="objective above its minimum")
    display = TrainingCurveDisplay(curves).plot()
    display.ax_.set(yscale="log", ylim=(2e-4, 0.3))
    display.figure_.set_size_inches(6, 3.8)
    display.figure_.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(display.figure_)

"""Certificates of wrappers: what updated sums say of the columns that are kept, against fits of every fold, one by one."""

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import Ridge

import aprendiz as ap

from .checks import insist
from .hostile_tables import hostile_target, two_classes, with_extremes

FOLDS = 3


def folds_of(n):
    """Every third row, beginning with the first, the second and the third."""
    number = np.arange(n)
    return [(number[number % FOLDS != k], number[number % FOLDS == k]) for k in range(FOLDS)]


def hostile_table(seed):
    """A table of three columns or more, a target, and a learner for it, ours or scikit-learn's; None where a fold lacks a
    class."""
    X, words = with_extremes(seed, largest=20, columns=4)
    rng = np.random.default_rng([seed, 4])
    X = np.column_stack([np.resize(X, (max(7, len(X)), X.shape[1])), rng.normal(size=(max(7, len(X)), 2))])
    for name, spoil in SPOILS.items():
        if rng.random() < 0.2:
            X, words = spoil(rng, X), f"{words}, {name}"
    if seed % 2:
        y = two_classes(seed, X)
        learner = [ap.LinearDiscriminantAnalysis(), ap.GaussianNB(var_smoothing=0.01), ap.GaussianNB()][seed // 2 % 3]
        fine = all(len(np.unique(y[train])) == 2 for train, _ in folds_of(len(X)))
    else:
        y, learner = hostile_target(seed, X), [ap.Ridge(), ap.LinearRegression(), Ridge()][seed // 2 % 3]
        fine = True
    return (X, y, learner, words) if fine else None


SPOILS = {
    "far from zero": lambda rng, X: X + 1e8 * rng.integers(-1, 2, size=X.shape[1]),
    "constant in a fold": lambda rng, X: np.where(np.outer(np.arange(len(X)) % FOLDS != 0, X[0] == X[0].max()), X[0], X),
    "few rows": lambda rng, X: X[:7],
    "ties": lambda rng, X: np.column_stack([X[:, ::-1], np.sign(X[:, :1])]),
}


def searches(seed):
    """Where the score of the chosen columns is said to be that of new fits, it is, to 10⁻⁶."""
    case = hostile_table(seed)
    if case is None:
        return None
    X, y, learner, words = case
    cv = folds_of(len(X))
    search = [
        lambda: ap.SequentialSelection(learner, cv=cv, direction=("forward", "backward", "floating")[seed % 3]),
        lambda: ap.SequentialFeatureSelector(learner, cv=cv, n_features_to_select=2),
        lambda: ap.GeneticSelection(learner, cv=cv, population_size=4, max_iter=2, n_iter_no_change=2, random_state=seed),
        lambda: ap.AnnealingSelection(learner, cv=cv, max_iter=3, random_state=seed),
    ][seed // 3 % 4]()
    model = search.fit(X, y)
    kept = np.ascontiguousarray(X[:, model.support_])  # as it lies in memory: predictions from 10¹¹ depend on the order of sums
    scores = [clone(learner).fit(kept[train], y[train]).score(kept[test], y[test]) for train, test in cv]
    if model.certificate_.holds:
        off = abs(float(np.mean(scores)) - model.score_)
        insist(off <= 1e-6 * max(1.0, abs(model.score_)), words, model.certificate_, scores)
    return model.certificate_.holds


def eliminations(seed):
    """Where the importances of the kept columns are said to be those of a new fit, they are, to 10⁻⁶ of the largest."""
    case = hostile_table(seed)
    if case is None or not hasattr(case[2], "tol"):  # naive Bayes has no coefficients
        return None
    X, y, learner, words = case
    cv = folds_of(len(X))
    search = [ap.RFE(learner), ap.RFECV(learner, cv=cv), ap.RecursiveElimination(learner, cv=cv)][seed // 6 % 3]
    model = search.fit(X, y)
    weights = np.atleast_2d(clone(learner).fit(X[:, model.support_], y).coef_)
    expected = np.sqrt((weights**2).sum(axis=0))
    if model.certificate_.holds:
        off = np.abs(model.importances_ - expected).max()
        insist(off <= 1e-6 * expected.max(), words, model.certificate_, model.importances_, expected)
    return model.certificate_.holds

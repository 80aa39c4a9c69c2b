"""Greedy orders are those of brute force: every set of a tiny table is fitted by scikit-learn's learners, and searched."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from sklearn import discriminant_analysis, linear_model, naive_bayes
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import aprendiz as ap

LEARNERS = {  # ours, and an independent one
    "LinearRegression": (ap.LinearRegression(), linear_model.LinearRegression()),
    "Ridge": (ap.Ridge(0.5), linear_model.Ridge(0.5)),
    "Ridge, scaled": (
        make_pipeline(ap.StandardScaler(), ap.Ridge(3.0)),
        make_pipeline(StandardScaler(), linear_model.Ridge(3.0)),
    ),
    "LDA": (ap.LinearDiscriminantAnalysis(), discriminant_analysis.LinearDiscriminantAnalysis()),
    "LDA, lsqr": (
        ap.LinearDiscriminantAnalysis(solver="lsqr"),
        discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr"),
    ),
    "GaussianNB": (ap.GaussianNB(), naive_bayes.GaussianNB()),
    "GaussianNB, smooth": (ap.GaussianNB(var_smoothing=0.1), naive_bayes.GaussianNB(var_smoothing=0.1)),
    "CategoricalNB": (ap.CategoricalNB(), naive_bayes.CategoricalNB()),
}
OF_NUMBERS = ("LinearRegression", "Ridge", "Ridge, scaled")
D, SEEDS = 5, range(3)


def table(name, seed):
    """Columns that say something alone, only together, or the same as others; the last one repeats the first."""
    random = np.random.default_rng([seed, 28])
    Z = random.normal(size=(36, 3))
    X = np.column_stack([Z[:, 0] + Z[:, 1], Z[:, 1] + 0.4 * random.normal(size=36), Z[:, 2], Z[:, 0] + Z[:, 2], Z[:, 0]])
    X += 0.2 * random.normal(size=X.shape)
    X[:, 4] = X[:, seed % 4] if seed % 2 else X[:, 4]
    y = Z[:, 0] + 0.6 * Z[:, 1] - 0.5 * Z[:, 2] + 0.5 * random.normal(size=36)
    if name == "CategoricalNB":
        X = np.digitize(X, [-1.0, 0.0, 1.0]).astype(float)
        X[:4] = np.arange(4.0)[:, None]
    return X, y if name in OF_NUMBERS else np.digitize(y, np.quantile(y, [0.4, 0.7]))


def folds(name):
    return KFold(3) if name in OF_NUMBERS else StratifiedKFold(3)


def rounding_of(name):
    return 1e-9 if name in OF_NUMBERS else 0.0


@cache
def scores_of_all_sets(name, seed):
    """The mean score of each set of columns."""
    X, y = table(name, seed)
    splits = list(folds(name).split(X, y))

    def score(some):
        return np.mean(
            [
                clone(LEARNERS[name][1]).fit(X[np.ix_(train, some)], y[train]).score(X[np.ix_(test, some)], y[test])
                for train, test in splits
            ]
        )

    return {frozenset(some): score(some) for size in range(1, D + 1) for some in combinations(range(D), size)}


def best_of(moves, score, rounding):
    """The first of the best moves. Shares of rows are compared as they are: the same shares have the same bits."""
    found = {column: score[moved] for column, moved in moves.items()}
    best = max(found.values())
    return next(column for column, value in found.items() if value >= best - rounding)


def brute(score, direction, target, rounding):
    """The columns that enter or leave, one after the other."""
    chosen, path, best = frozenset(range(D) if direction == "backward" else ()), [], {}
    while True:
        if direction == "floating" and len(chosen) > 2:
            column = best_of({j: chosen - {j} for j in sorted(chosen - {path[-1]})}, score, rounding)
            if score[chosen - {column}] > best[len(chosen) - 1] + rounding:
                chosen, path = chosen - {column}, [*path, column]
                best[len(chosen)] = score[chosen]
                continue
        if len(chosen) == target:
            return path
        inside = direction == "backward"
        columns = sorted(chosen) if inside else sorted(set(range(D)) - chosen)
        column = best_of({j: chosen ^ {j} for j in columns}, score, rounding)
        chosen, path = chosen ^ {column}, [*path, column]
        best[len(chosen)] = max(score[chosen], best.get(len(chosen), -np.inf))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize(("direction", "target"), [("forward", 4), ("floating", 4), ("backward", 1)])
def test_orders(name, direction, target, seed):
    """The same path, the same scores, and the best sets on the way."""
    X, y = table(name, seed)
    score = scores_of_all_sets(name, seed)
    search = ap.SequentialSelection(LEARNERS[name][0], n_features_to_select=target, direction=direction, cv=folds(name))
    found, path = search.fit(X, y), brute(score, direction, target, rounding_of(name))
    assert found.path_.tolist() == path
    sets, chosen = [], frozenset(range(D) if direction == "backward" else ())
    for column in path:
        chosen ^= {column}
        sets.append(chosen)
    np.testing.assert_allclose(found.path_scores_, [score[some] for some in sets], rtol=1e-9)
    for size in {len(some) for some in sets}:
        assert found.scores_[size] == pytest.approx(max(score[some] for some in sets if len(some) == size), rel=1e-9)
    assert found.certificate_.holds


def test_columns_were_taken_back():
    """The tables above are such that floating goes another way than forward."""
    ways = [(name, seed) for name in LEARNERS for seed in SEEDS]
    assert sum(len(brute(scores_of_all_sets(*way), "floating", 4, rounding_of(way[0]))) > 4 for way in ways) > 2


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", LEARNERS)
def test_the_best_of_all_sets(name, seed):
    """Random searches end at the best of all sets, of equally good ones at one that is as small as any."""
    X, y = table(name, seed)
    score = scores_of_all_sets(name, seed)
    best = max(score.values())
    fewest = min(len(some) for some, value in score.items() if value >= best - 1e-9)
    for search in (
        ap.GeneticSelection(LEARNERS[name][0], cv=folds(name), population_size=20, random_state=seed),
        ap.AnnealingSelection(LEARNERS[name][0], cv=folds(name), max_iter=20, n_moves=15, random_state=seed),
    ):
        found = search.fit(X, y)
        assert found.score_ == pytest.approx(best, rel=1e-9)
        assert found.n_features_ == fewest


def coefficients(model):
    """Σ w² over the classes."""
    return (np.atleast_2d(model.coef_) ** 2).sum(axis=0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["LinearRegression", "Ridge", "LDA"])
def test_eliminations(name, seed):
    """The column with the smallest coefficients leaves, on all rows and in each fold, and J is the mean of the scores."""
    X, y = table(name, seed)
    X[:, 4] += 0.3 * np.random.default_rng(seed).normal(size=36)  # equal columns have equal coefficients, but for rounding
    ours, theirs = LEARNERS[name]

    def order(rows):
        left, gone = list(range(D)), []
        while len(left) > 1:
            weakest = left[int(np.argmin(coefficients(clone(theirs).fit(X[np.ix_(rows, left)], y[rows]))))]
            gone.append(weakest)
            left.remove(weakest)
        return [*gone, *left]

    splits = list(folds(name).split(X, y))
    J = np.zeros((len(splits), D))
    for fold, (train, test) in enumerate(splits):
        gone = order(train)
        for size in range(1, D + 1):
            S = np.sort(gone[D - size :])
            J[fold, size - 1] = clone(theirs).fit(X[np.ix_(train, S)], y[train]).score(X[np.ix_(test, S)], y[test])
    found = ap.RecursiveElimination(ours, cv=splits).fit(X, y)
    np.testing.assert_allclose(found.fold_scores_, J.T, rtol=1e-9, atol=1e-12)
    m = found.n_features_
    assert m == 1 + int(np.flatnonzero(found.scores_ >= found.scores_.max() - 1e-9)[0])
    gone = order(np.arange(36))
    assert set(np.flatnonzero(found.support_)) == set(gone[D - m :])
    assert found.ranking_[gone[: D - m]].tolist() == list(range(1 + D - m, 1, -1))

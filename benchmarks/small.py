"""Small tables: 150 rows, where the time is that of checking, calling and handing over, not of the arithmetic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.bayes import CHANCES, NORMALS, POSTERIORS
from benchmarks.cluster import cost
from benchmarks.decomposition import REBUILT
from benchmarks.harness import Case
from benchmarks.linear import CHOICE, COEFFICIENTS, LOSS, PENALTIES
from benchmarks.peers import Contender, Data, contenders, fixed
from benchmarks.preprocessing import EXTREMES, FILLED, MEAN_AND_SCALE, QUARTILES, with_gaps
from benchmarks.quality import Answer, Objective

ROWS = 150


def iris(rows: int) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)


def features(rows: int) -> Data:
    return (iris(rows)[0],)


def gaps(rows: int) -> Data:
    """The features with missing cells."""
    return (with_gaps(iris(rows)[0]),)


def width_of_petals(rows: int) -> Data:
    """The last column from the others."""
    X, _ = iris(rows)
    return X[:, :3].copy(), X[:, 3].copy()


def whole_centimetres(rows: int) -> Data:
    """Lengths as categories, and the species."""
    X, y = iris(rows)
    return X.astype(int), y


def small(
    name: str,
    make: Callable[[int], Data],
    who: dict[str, Contender],
    quality: Answer | Objective,
    seeds: tuple[int, ...] = (0,),
) -> Case:
    return Case(name=name, rows=ROWS, make=make, contenders=who, quality=quality, seeds=seeds, grows=False)


SCALERS = (
    small("StandardScaler, iris", features, contenders("preprocessing", "StandardScaler"), MEAN_AND_SCALE),
    small("MinMaxScaler, iris", features, contenders("preprocessing", "MinMaxScaler"), EXTREMES),
    small("RobustScaler, iris", features, contenders("preprocessing", "RobustScaler"), QUARTILES),
)
IMPUTERS = tuple(
    small(
        f"SimpleImputer, {strategy}, iris, 5 % missing",
        gaps,
        contenders("impute", "SimpleImputer", fixed(strategy=strategy)),
        FILLED,
    )
    for strategy in ("mean", "median", "most_frequent")
)
COMPONENTS = small("PCA, iris", features, contenders("decomposition", "PCA"), REBUILT)
PLANES = (
    small(
        "LinearRegression, iris (petal width)", width_of_petals, contenders("linear_model", "LinearRegression"), COEFFICIENTS
    ),
    small("Ridge, iris (petal width)", width_of_petals, contenders("linear_model", "Ridge"), COEFFICIENTS),
    *(
        small(
            f"RidgeCV, {how}, 20 penalties, iris (petal width)",
            width_of_petals,
            contenders("linear_model", "RidgeCV", fixed(alphas=PENALTIES, cv=cv)),
            CHOICE,
        )
        for how, cv in {"leave-one-out": None, "5 folds": 5}.items()
    ),
)
SPECIES = (
    small("LogisticRegression, iris (three species)", iris, contenders("linear_model", "LogisticRegression"), LOSS),
    small("GaussianNB, iris", iris, contenders("naive_bayes", "GaussianNB"), NORMALS),
    small("GaussianNB, predict_proba, iris", iris, contenders("naive_bayes", "GaussianNB", method="predict_proba"), POSTERIORS),
    small("CategoricalNB, iris in centimetres", whole_centimetres, contenders("naive_bayes", "CategoricalNB"), CHANCES),
    small(
        "CategoricalNB, predict_proba, iris in centimetres",
        whole_centimetres,
        contenders("naive_bayes", "CategoricalNB", method="predict_proba"),
        POSTERIORS,
    ),
)
CLUSTERS = small(
    "KMeans, iris, k = 3, mean of 5 seeds",
    features,
    contenders("cluster", "KMeans", lambda data, seed: {"n_clusters": 3, "random_state": seed}),
    Objective("mean cost", cost, 1e-3),
    seeds=tuple(range(5)),
)

CASES = (*SCALERS, *IMPUTERS, COMPONENTS, *PLANES, *SPECIES, CLUSTERS)

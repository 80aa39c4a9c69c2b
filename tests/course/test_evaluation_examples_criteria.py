"""The worked examples of the course about numbers of parameters (A-31, D-14, E-03), as the criteria count them."""

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

import aprendiz
from aprendiz import (
    DiagonalDiscriminantAnalysis,
    GaussianMixture,
    LinearDiscriminantAnalysis,
    NaiveBayes,
    NearestMean,
    QuadraticDiscriminantAnalysis,
)

criteria = aprendiz.evaluation.criteria


def test_a_31_naive_bayes_of_mixed_columns():
    """Two real columns, a binary, a 3- and a 4-valued one: 4 + 1 + 2 + 3 = 10 for each class."""
    random = np.random.default_rng(0)
    table = pd.DataFrame({"a": random.normal(size=24), "b": random.normal(size=24), "c": np.arange(24) % 2})
    table["d"], table["e"] = np.array(list("pqr"))[np.arange(24) % 3], np.array(list("wxyz"))[np.arange(24) // 2 % 4]
    for classes in (2, 3):
        model = NaiveBayes().fit(table, np.arange(24) % classes)
        assert criteria.n_parameters(model, priors=False) == 10 * classes
        assert criteria.n_parameters(model) == 10 * classes + classes - 1


def test_d_14_two_gaussians_in_three_dimensions():
    """Spherical 9, diagonal 13, full 19."""
    X = np.random.default_rng(0).normal(size=(40, 3))
    kinds = ("spherical", "diag", "full")
    assert [criteria.n_parameters(GaussianMixture(2, covariance_type=k, random_state=0).fit(X)) for k in kinds] == [9, 13, 19]


def test_e_03_discriminants():
    """K = 3, p = 4, without priors: quadratic 42, linear 22, diagonal 16, nearest mean 12."""
    X, y = load_iris(return_X_y=True)
    kinds = (QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis, DiagonalDiscriminantAnalysis, NearestMean)
    assert [criteria.n_parameters(kind().fit(X, y), priors=False) for kind in kinds] == [42, 22, 16, 12]

"""The pages of the documentation: which page explains a class, and where the pages are.

A page is called after the class (`KMeans`: k_means), after the method that a classifier and a regressor share
(`DecisionTreeRegressor`: decision_tree), or as `PAGES` says. Pages stand beside the code: in `pages/` of the installed package,
in `docs/methods` of a checkout. scikit-learn's diagrams link to them there (`file:`), since they have no home on the web;
`APRENDIZ_DOCS` names one, the address of a folder that holds the pages.
"""

from __future__ import annotations

import os
import re
from functools import cache
from html import escape
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
FOLDERS = (PACKAGE / "pages", PACKAGE.parents[1] / "docs" / "methods")  # of an installed package, and of a checkout
ADDRESS = "APRENDIZ_DOCS"

PAGES = {
    "ClassicalMDS": "mds",
    **dict.fromkeys(("CountVectorizer", "HashingVectorizer", "TfidfTransformer", "TfidfVectorizer"), "text"),
    "C45": "decision_tree",
    "CART": "decision_tree",
    "ID3": "decision_tree",
    "CMIM": "information_filters",
    "DISR": "information_filters",
    "JMI": "information_filters",
    "MRMR": "information_filters",
    "ReliefF": "information_filters",
    "BernoulliNB": "text_naive_bayes",
    "CategoricalNB": "naive_bayes",
    "ComplementNB": "text_naive_bayes",
    "GaussianNB": "naive_bayes",
    "MultinomialNB": "text_naive_bayes",
    "DiagonalDiscriminantAnalysis": "discriminant_family",
    "NearestMean": "discriminant_family",
    "QuadraticDiscriminantAnalysis": "discriminant_family",
    "RegularizedDiscriminantAnalysis": "regularized_discriminant",
    **dict.fromkeys(("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"), "gradient_boosting"),
    "ExtraTreesClassifier": "random_forest",
    "ExtraTreesRegressor": "random_forest",
    "GaussianRandomProjection": "random_projection",
    "SparseRandomProjection": "random_projection",
    "IncrementalPCA": "pca",
    "KNeighborsClassifier": "k_nearest_neighbours",
    "KNeighborsRegressor": "k_nearest_neighbours",
    "NearestNeighbors": "k_nearest_neighbours",
    "RadiusNeighborsClassifier": "k_nearest_neighbours",
    "RadiusNeighborsRegressor": "k_nearest_neighbours",
    "LinearSVC": "linear_svm",
    "LinearSVR": "linear_svm",
    "MLPClassifier": "neural_networks",
    "MLPRegressor": "neural_networks",
    "MiniBatchNMF": "nmf",
    "MixtureModel": "em",
    "NuSVC": "support_vector_machines",
    "NuSVR": "support_vector_machines",
    "OneClassSVM": "support_vector_machines",
    "SVC": "support_vector_machines",
    "SVR": "support_vector_machines",
    "Nystroem": "kernel_approximation",
    "RBFSampler": "kernel_approximation",
    "OutlierFilter": "outliers",
    "SGDClassifier": "sgd",
    "SGDRegressor": "sgd",
    "SampledKMedoids": "k_medoids",
    "SoftImpute": "matrix_completion",
    "SoftImputeCV": "matrix_completion",
    "SpectralEmbedding": "locally_linear_embedding",
    "GenericUnivariateSelect": "variable_ranking",
    "SelectFdr": "variable_ranking",
    "SelectFpr": "variable_ranking",
    "SelectFwe": "variable_ranking",
    "SelectKBest": "variable_ranking",
    "SelectPercentile": "variable_ranking",
    "VarianceThreshold": "variable_ranking",
    "AnnealingSelection": "wrappers",
    "GeneticSelection": "wrappers",
    "SequentialFeatureSelector": "wrappers",
    "SequentialSelection": "wrappers",
    "TwoStageSelection": "embedded_selection",
    "RFE": "wrappers",
    "RFECV": "wrappers",
    "RecursiveElimination": "wrappers",
    "SelectFromModel": "embedded_selection",
    "KnockoffSelection": "stable_selection",
    "StabilitySelection": "stable_selection",
}


def snake(name: str) -> str:
    """`GaussianNB` is gaussian_nb, `KMeans` k_means."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def page_of(cls: type) -> Path | None:
    """The page that explains a class, or the first of its bases that has one; None if there is none."""
    ours = (one for one in cls.__mro__ if one.__module__.startswith("aprendiz."))
    return next((page for one in ours if (page := page_called(one.__name__)) is not None), None)


@cache
def page_called(name: str) -> Path | None:
    """The page of the class of a name."""
    own = snake(name)
    shared = re.sub("_(classifier|regressor|cv)$", "", own)
    wanted = [PAGES[name]] if name in PAGES else [own, shared]
    return next((file for stem in wanted for folder in FOLDERS if (file := folder / f"{stem}.md").is_file()), None)


def address_of(cls: type) -> str:
    """Where a reader finds the page of a class; empty if it has none."""
    page = page_of(cls)
    if page is None:
        return ""
    home = os.environ.get(ADDRESS, "")
    return escape(f"{home.rstrip('/')}/{page.name}") if home else page.as_uri()

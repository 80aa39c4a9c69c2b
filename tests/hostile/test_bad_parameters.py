"""Bad parameters: a value that the annotation in the signature does not let in, and one that it lets in but that means nothing.

The first are tried on every parameter of every learner (what an annotation lets in: tests/core/test_parameters.py). The second
are listed by the name of the parameter, for all learners that have it, or by learner and parameter.
"""

from __future__ import annotations

import numpy as np
import pytest

import aprendiz
from aprendiz.core.parameters import fits, hints
from hostile.attack import LEARNERS, N, answers, attack, changed, every_learner, good, make, report, target, to_run, unsound

NAN, INF = float("nan"), float("inf")
ANYTHING = {
    "None": None,
    "True": True,
    "1": 1,
    "0": 0,
    "-1": -1,
    "2.5": 2.5,
    "-1e-9": -1e-9,
    "1.1": 1.1,
    "NaN": NAN,
    "inf": INF,
    "-inf": -INF,
    "1j": 1j,
    "a word": "no such word",
    "bytes": b"auto",
    "a list": [],
    "a tuple": (),
    "a dict": {},
    "an object": object(),
    "a whole number beyond 64 bits": 2**70,
    "a whole number beyond 64 bits, below 0": -(2**70),
    "a whole number beyond doubles": 10**400,
}
EXTREME = {"1e308": 1e308, "5e-324": 5e-324, "inf": INF}

SHARES = [[0.5], [0.5, 0.6], [1.5, -0.5], [NAN, 1.0]]
CLASS_WEIGHTS = [{"maybe": 1.0}, {"yes": -1.0}, {"yes": NAN}, {"yes": "heavy"}]
TREES = ["RandomForestClassifier", "ExtraTreesClassifier", "DecisionTreeClassifier", "ID3", "C45", "CART"]
NO_CENTRES = [np.zeros((2, 2)), [[NAN] * 3] * 3]
METRICS = {"metric": ["far"], "metric_params": [{"V": 1}]}

MEANINGLESS = {  # parameter → values, for every learner that has it; a value that its annotation does not let in is tried above
    "Cs": [[], [1.0, 0.0], [1.0, -1.0], [1.0, NAN], [[1.0]]],
    "alphas": [[], [1.0, -1.0], [1.0, NAN]],
    "class_prior": SHARES,
    "class_weight": [{"oak": 1.0}],
    "cv": [1, 0, -1, 2.5],
    "costs": [[[0]], [[1.0] * 3] * 3, [[0, -1, 1], [1, 0, 1], [1, 1, 0]], [[0, NAN, 1], [1, 0, 1], [1, 1, 0]]],
    "covariance_estimator": ["ledoit", 3],
    "dual": [True],
    "estimator": [3, []],
    "first": [N],
    "intercept_scaling": [2],
    "l1_ratios": [[], [0.5, 1.5], [-0.1], [NAN], ["half"], [[0.5]]],
    "min_samples_split": [1],
    "n_clusters": [N + 1],
    "n_components": [N + 1],
    "precisions_init": [np.zeros((2, 2)), [-np.eye(3)]],
    "scoring": ["best"],
    "weights_init": [[0.5], [NAN], [0.5, 0.5]],
}
MEANINGLESS_TO = {  # learner → parameter → values
    **{name: {"priors": [[0.5], [1.0] * 4, [-0.5, 0.5, 1.0]]} for name in TREES},
    "AgglomerativeClustering": {
        "n_clusters": [None, 1_000],
        "metric": ["far", "manhattan"],
        "distance_threshold": [1.0],
        "connectivity": [np.ones((2, 3))],
    },
    **{
        name: {"estimator": ["tree"]}
        for name in ("BaggingClassifier", "BaggingRegressor", "AdaBoostClassifier", "AdaBoostRegressor")
    },
    "BasisExpansion": {
        "basis": [[], [3], {"root": 1}, [np.sqrt, np.sqrt]],
        "degree": [(3, 1), (1,), (0.5, 2), (-1, 2), 10**6],
        "width": [INF],
        "period": [INF],
    },
    "BayesianNetwork": {
        "edges": [3, "ab", [(0,)], [(0, 0)], [(0, 9)], [(0, 1), (0, 1)], [(0, 1), (1, 2), (2, 0)]],
        "levels": [[2], {9: 2}, {0: 0}, {0: 1}, {0: "ab"}, {0: [1, 1]}, {0: 2.5}],
        "hidden": [["h"], {"h": 0}, {"h": None}, {0: 2}, {"h": []}],
    },
    "BayesianNetworkClassifier": {
        "structure": [3, "tree", [], [(0,)], [(0, 1)], [("class", 9)], [("class", 0), (0, "class")], {"class": [0, 0]}],
        "class_weight": CLASS_WEIGHTS,
    },
    **{
        name: {"alpha": [INF, [1.0, 1.0], [1.0, -1.0, 1.0], [1.0, NAN, 1.0]]}
        for name in ("BernoulliNB", "ComplementNB", "MultinomialNB")
    },
    "CategoricalNB": {"alpha": [INF], "min_categories": [[2, 2], [1.5, 2.0, 2.0], [[5, 5, 5]]]},
    **{name: {"cv": [True, "ten", None, -3]} for name in ("DecisionTreeClassifier", "DecisionTreeRegressor", "CART")},
    **{name: {"class_weight": CLASS_WEIGHTS} for name in ("DeltaRule", "LogisticRegression", "Perceptron", "SGDClassifier")},
    "ElasticNet": {"alpha": [INF]},
    **{name: {"cv": [N + 1]} for name in ("ElasticNetCV", "LassoCV")},
    "FarthestFirstHierarchy": METRICS,
    "FisherDiscriminant": {"n_components": [2], "weights": [[0.5], [1.0, -1.0], [NAN, 1.0], [0.0, 0.0]]},
    "FuzzyCMeans": {"init": NO_CENTRES},
    "GaussianMixture": {"means_init": NO_CENTRES},
    "KCenters": METRICS,
    "KMeans": {"init": [*NO_CENTRES, lambda X, k, random_state: X[:1]]},
    "KMedoids": {**METRICS, "init": [[0, 1], [0, 1, N], [0, 1, 1], [0.0, 1.0, 2.0]]},
    **{name: {"n_neighbors": [N + 1]} for name in ("KNNDensity", "KNeighborsClassifier", "KNeighborsRegressor")},
    "Lasso": {"alpha": [INF]},
    "LinearDiscriminantAnalysis": {"n_components": [2], "priors": [one for one in SHARES if one != [0.5, 0.6]]},
    "LogisticRegressionCV": {"class_weight": CLASS_WEIGHTS, "cv": [N + 1], "penalty": ["elasticnet"]},
    "MinMaxScaler": {"feature_range": [(1, 0), (1, 1), (0, NAN), (0, INF), (0,), (0, 1, 2), "01", ("0", "1")]},
    "MiniBatchKMeans": {"init": [*NO_CENTRES, lambda X, k, random_state: X[:1]]},
    "MixtureModel": {"components": [[], [3], float]},
    "NaiveBayes": {"alpha": [INF], "families": [{0: "normal"}, {7: "gaussian"}, {"age": "gaussian"}], "priors": SHARES},
    "NearestCentroid": {"priors": [[0.5], [1.5, -0.5], [NAN, 1.0]]},
    **{
        name: {"priors": SHARES}
        for name in (
            *("DiagonalDiscriminantAnalysis", "GaussianNB", "NearestMean", "NearestShrunkenCentroids"),
            *("QuadraticDiscriminantAnalysis", "RegularizedDiscriminantAnalysis"),
        )
    },
    "PCA": {"n_components": [4]},
    "Perceptron": {"class_weight": CLASS_WEIGHTS},
    "RadiusNeighborsClassifier": {"outlier_label": [3, ["no", "yes"]]},
    "Ridge": {"alpha": [INF, [1.0, 2.0], [-1.0]]},
    "RidgeCV": {"alphas": [0.0], "cv": [N + 1]},
    "RobustScaler": {"quantile_range": [(75, 25), (-1, 50), (25, 101), (NAN, 75), (25,), (1, 2, 3), "25", ("25", "75")]},
    "SGDClassifier": {"alpha": [0.0], "class_weight": CLASS_WEIGHTS},  # 0 has no optimal steps
    "SampledKMedoids": {"metric": ["far", "precomputed", "gower", "mahalanobis"], "metric_params": [{"V": 1}]},
    "SimpleImputer": {"missing_values": [[1, 2], {"a": 1}, "?"], "fill_value": [[1, 2], {"a": 1}]},
}
ANY_NUMBER = (  # of components: more than rows are fine
    *("GaussianRandomProjection", "KernelPCA", "MiniBatchNMF", "NMF", "Nystroem", "RBFSampler", "SparseRandomProjection"),
)
LIKE_LIBLINEAR, LIBLINEARS = ("LinearSVC", "LinearSVR"), ("dual", "intercept_scaling")  # which mean something to these
SEARCHES = (
    "NearestNeighbors",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
)


def meaningless(cls):
    """Pairs of a parameter and a value that its annotation lets in."""
    own, known = MEANINGLESS_TO.get(cls.__name__, {}), hints(cls)
    if cls.__name__ in SEARCHES:
        own = {**own, "metric": ["cubic"], "metric_params": [{"V": 1.0}], "p": [None]}
    common = {name: values for name, values in MEANINGLESS.items() if name != "n_components" or cls.__name__ not in ANY_NUMBER}
    common = {name: values for name, values in common.items() if cls.__name__ not in LIKE_LIBLINEAR or name not in LIBLINEARS}
    for lists in (common, own):
        yield from ((name, value) for name in lists.keys() & known.keys() for value in lists[name] if fits(value, known[name]))


MODELS = {}


def fault_of_parameter(cls, name, value, *, must_refuse=True):
    """A fit with a bad parameter is refused with its name and value, and the fit before is as it was."""
    if cls not in MODELS:
        MODELS[cls] = make(cls).fit(good(cls), target(cls))
    model = MODELS[cls]
    before = dict(vars(model))
    setattr(model, name, value)
    found, refusal, fault = attack(lambda: answers(model.fit(good(cls), target(cls)), good(cls)), words=(name,))
    others = [other for other in changed(model, before) if other != name]
    vars(model).clear()
    vars(model).update(before)
    if fault or not refusal:
        return fault or ("not refused" if must_refuse else unsound(found))
    if others:
        return f"refused, but {others} changed"
    return None if not must_refuse or shows(refusal, value) else f"the value is not in: {refusal[:200]}"


def shows(message, value):
    """Is the value in the message? Of a dict one of its parts, of an array its shape; functions and lists go without."""
    if isinstance(value, dict) and value:
        (key, inner), *_ = value.items()
        return repr(key) in message or repr(inner) in message
    if isinstance(value, np.ndarray):
        return str(value.shape) in message
    return callable(value) or isinstance(value, (list, dict)) or value == 10**400 or repr(value) in message


@every_learner
def test_values_that_the_signature_does_not_let_in(cls):
    """Refused by name and value: no parameter takes just anything."""
    faults = {}
    for label, value in to_run(ANYTHING):
        for name, hint in hints(cls).items():
            if not fits(value, hint):
                faults[f"{name}: {label}"] = fault_of_parameter(cls, name, value)
    assert len(faults) >= sum(not fits(object(), hint) for hint in hints(cls).values())
    report(cls, faults)


@every_learner
def test_values_that_mean_nothing(cls):
    """Nor does what the signature lets in always mean something."""
    report(cls, {f"{name}={value!r}": fault_of_parameter(cls, name, value) for name, value in meaningless(cls)})


@every_learner
def test_numbers_at_the_ends(cls):
    """The largest and the smallest numbers that a parameter may be: an answer, or a refusal by name."""
    cases = {f"{n}: {label}": (n, v) for label, v in EXTREME.items() for n, hint in hints(cls).items() if fits(v, hint)}
    report(cls, {case: fault_of_parameter(cls, *given, must_refuse=False) for case, given in to_run(cases)})


def test_lists_speak_of_parameters():
    """Every list is of a parameter that there is, and every value is let in by an annotation."""
    for name, lists in MEANINGLESS_TO.items():
        for parameter, values in lists.items():
            assert all(fits(value, hints(LEARNERS[name])[parameter]) for value in values), (name, parameter)
    everywhere = {name for cls in LEARNERS.values() for name in hints(cls)}
    assert MEANINGLESS.keys() <= everywhere


def test_refusals_are_noticed():
    """A value that is not refused is a fault."""
    assert fault_of_parameter(aprendiz.KMeans, "n_clusters", 2) == "not refused"
    assert fault_of_parameter(aprendiz.KMeans, "n_clusters", 0) is None
    with pytest.raises(AssertionError, match="n_clusters"):
        report(aprendiz.KMeans, {"n_clusters": "not refused"})

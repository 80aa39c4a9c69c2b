"""Drop-in: where scikit-learn has an estimator of the same name, ours has its parameters, attributes, methods and answers."""

import inspect
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from typing import Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.preprocessing import scale
from sklearn.utils import all_estimators
from subjects import (
    LEARNERS,
    Table,
    answer,
    as_codes,
    assert_near,
    assert_same_bits,
    every,
    everything,
    fit,
    fitted,
    learner,
    outputs,
    spread_out,
    table,
    takes,
    takes_codes,
)

import aprendiz
from aprendiz.core.learner import Learner

SCIKIT_LEARN = dict(all_estimators())
DROP_IN = [cls for cls in LEARNERS if cls.__name__ in SCIKIT_LEARN]
# scikit-learn warns of its own defaults, and of its own logarithms of 0
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning:sklearn.linear_model._logistic"),
    pytest.mark.filterwarnings("ignore:divide by zero encountered in log:RuntimeWarning:sklearn.tree"),
    pytest.mark.filterwarnings("ignore:Liblinear failed to converge"),
    pytest.mark.filterwarnings("ignore:Attribute `prob[AB]_` was deprecated:FutureWarning"),
]
KINDS = ("no effect", "another form", "refused")


def twin_of(cls):
    return SCIKIT_LEARN[cls.__name__]


def parameters_of(cls):
    public = getattr(aprendiz, cls.__name__) if issubclass(cls, Learner) else cls  # some of LEARNERS have more defaults
    return {name: p for name, p in inspect.signature(public).parameters.items() if name != "self"}


@cache
def attributes_of(cls):
    """The section "Attributes" of a numpydoc docstring: names, and the types they are said to have."""
    lines = inspect.getdoc(cls).splitlines()
    start = next(i for i, line in enumerate(lines) if line == "Attributes" and lines[i + 1].startswith("---")) + 2
    stop = next((i for i in range(start + 1, len(lines)) if re.fullmatch("-{3,}", lines[i])), len(lines) + 1) - 1
    found = [line.partition(" :") for line in lines[start:stop] if re.match(r"\w+_( :|,|$)", line)]
    return {name.strip(): kind.strip() for names, _, kind in found for name in names.split(",")}


# ---- signatures ------------------------------------------------------------------------------------------------------


def test_there_are_twins():
    """The names that scikit-learn has too are compared, and their docstrings can be read."""
    assert len(DROP_IN) >= 5
    for cls in DROP_IN:
        assert {"n_features_in_", "feature_names_in_"} < attributes_of(twin_of(cls)).keys()


PER_EPOCH = {"loss_curve_", "validation_scores_"}  # whose number depends on the order of the rows


def drop_in_function(mine, their):
    """Is it our function of the same name?"""
    name = getattr(their, "__name__", None)
    return inspect.isfunction(their) and name in aprendiz.__all__ and mine is getattr(aprendiz, name)


@every(DROP_IN)
def test_parameters(cls):
    """Every parameter of scikit-learn's is here: same name, same order, same default, positional where it is there."""
    ours, theirs = parameters_of(cls), parameters_of(twin_of(cls))
    assert [name for name in ours if name in theirs] == list(theirs)
    for name, parameter in theirs.items():
        assert type(ours[name].default) is type(parameter.default), name
        same = ours[name].default == parameter.default or ours[name].default is parameter.default  # NaN ≠ NaN
        assert same or drop_in_function(ours[name].default, parameter.default), name
        assert ours[name].kind == parameter.kind, name


@every(DROP_IN)
def test_added_parameters(cls):
    """What is added stands behind, by name only."""
    ours, theirs = parameters_of(cls), parameters_of(twin_of(cls))
    for name in ours.keys() - theirs.keys():
        assert ours[name].kind is inspect.Parameter.KEYWORD_ONLY, name


@every(LEARNERS)
def test_differences_are_sentences(cls):
    """A difference says of what kind it is, why, and is one of a name that scikit-learn has."""
    if cls not in DROP_IN:
        assert not cls.differences
        return
    known = {*parameters_of(twin_of(cls)), *attributes_of(twin_of(cls))}
    for name, sentence in cls.differences.items():
        assert name in known, f"{name} is no parameter or attribute of scikit-learn's {cls.__name__}"
        kind, _, why = sentence.partition(": ")
        assert kind in KINDS, sentence
        assert len(why.split()) >= 2, sentence


@every(DROP_IN)
def test_methods(cls):
    """Every public method of scikit-learn's is here and takes the same arguments."""
    twin = twin_of(cls)
    for name in dir(twin):
        if name.startswith("_") or not callable(getattr(twin, name)):
            continue
        assert callable(getattr(cls, name, None)), f"{name} is missing"
        ours, theirs = (inspect.signature(getattr(c, name)).parameters for c in (cls, twin))
        if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in ours.values()):
            continue
        missing = [p for p, q in theirs.items() if p not in ours and q.kind is not inspect.Parameter.VAR_KEYWORD]
        assert not missing, f"{name} does not take {missing}"


# ---- attributes ------------------------------------------------------------------------------------------------------


@every(DROP_IN)
def test_attributes(cls):
    """Every documented attribute is there after a fit, of the same shape and kind."""
    import pandas as pd

    data = table(cls, 120, 4)
    X = pd.DataFrame(data.X, columns=["a", "b", "c", "d"])
    ours = learner(cls, data).fit(X, data.y)
    theirs = twin_of(cls)(**shared_parameters(ours)).fit(X, data.y)
    for name, described in attributes_of(twin_of(cls)).items():
        if not hasattr(theirs, name):
            continue
        if cls.differences.get(name, "").startswith("refused"):
            assert not hasattr(ours, name), name
            continue
        assert hasattr(ours, name), f"{name} is missing"
        here, there = spread_out(name, getattr(ours, name)), spread_out(name, getattr(theirs, name))
        assert here.keys() == there.keys()
        for one, array in here.items():
            assert name in PER_EPOCH or array.shape == there[one].shape, one
            if not (
                described.startswith("int") and array.dtype.kind == "i"
            ):  # n_samples_seen_: an int, they say, and give a float
                assert array.dtype.kind == there[one].dtype.kind, one


def shared_parameters(model):
    return {
        name: value for name, value in model.get_params().items() if name in parameters_of(SCIKIT_LEARN[type(model).__name__])
    }


# ---- the table of differences ----------------------------------------------------------------------------------------


def differing(kind):
    return [
        pytest.param(cls, name, id=f"{cls.__name__}-{name}")
        for cls in DROP_IN
        for name, sentence in cls.differences.items()
        if sentence.startswith(kind) and name in parameters_of(cls)
    ]


def other_value(cls, name):
    """A value that scikit-learn would take and that is not the default."""
    default, hint = parameters_of(cls)[name].default, get_type_hints(cls.__init__)[name]
    alternatives = [hint, *get_args(hint)]
    words = [word for one in alternatives if get_origin(one) is Literal for word in get_args(one) if word != default]
    if words:
        return words[0]
    if isinstance(default, bool):
        return not default
    if isinstance(default, float):
        return default + 0.5
    if isinstance(default, int):
        return default + 1
    if name in ("precompute", "memory"):
        return True if name == "precompute" else "folder"
    return {"deprecated": "l2"}.get(default, 3)


@pytest.mark.filterwarnings("ignore:n_jobs=.* has no effect")  # of LogisticRegression, as in scikit-learn
@pytest.mark.parametrize(("cls", "name"), differing("no effect"))
def test_no_effect(cls, name):
    """A parameter without effect has none, not on one bit."""
    data = table(cls, 200, 4)
    changed = learner(cls, data, **{name: other_value(cls, name)})
    assert getattr(changed, name) != parameters_of(cls)[name].default
    assert_same_bits(everything(fit(changed, data)), plain_numbers(cls))


@cache
def plain_numbers(cls):
    """The fitted numbers of the usual parameters."""
    return everything(fitted(cls, table(cls, 200, 4)))


@pytest.mark.parametrize(("cls", "name"), differing("refused"))
def test_refused(cls, name):
    """A refused parameter, if changed, raises a ValueError that names it, before any work."""
    data = table(cls, 50, 3)
    changed = learner(cls, data, **{name: other_value(cls, name)})
    with pytest.raises(ValueError, match=rf"\b{name}\b.*\w+ \w+"):
        fit(changed, data)
    assert not hasattr(changed, "n_features_in_")


# ---- answers ---------------------------------------------------------------------------------------------------------

# scikit-learn's iterative fits are made to go on until nothing changes any more
PROOFS = ("dual_gap_",)  # of what is left to the minimum: each has its own rounding
SWEPT = {"tol": 1e-12, "max_iter": 20_000}  # scikit-learn's coordinate descent comes near the minimum, ours is there
TIGHT = {
    "LogisticRegression": {"tol": 1e-12, "solver": "newton-cholesky", "max_iter": 1000},
    "LogisticRegressionCV": {"tol": 1e-10, "solver": "newton-cholesky", "max_iter": 1000},
    **dict.fromkeys(("Lasso", "ElasticNet"), SWEPT),
    **{name: {"tol": 1e-9, "max_iter": 100_000} for name in ("LassoCV", "ElasticNetCV")},
    "LinearSVC": {"tol": 1e-12, "max_iter": 100_000},
    **{name: {"tol": 1e-10} for name in ("SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM")},
    "QuadraticDiscriminantAnalysis": {"tol": 0.0},  # it refuses small variances
}
# with the usual tol, whether the last of Newton's steps is taken at C = 1e4 is a matter of rounding, so of the BLAS
ALSO_TIGHT = {"LogisticRegressionCV": {"tol": 1e-9}}
# half the digits where the minimum is flat (digits() in subjects.py); elsewhere, condition numbers of up to 1e3, squared
CLOSE = {"LinearSVC": 1e-6, "LogisticRegression": 1e-6, "LogisticRegressionCV": 1e-6, "LassoCV": 1e-5, "ElasticNetCV": 1e-5}
CLOSE |= {"SVC": 1e-5, "NuSVC": 1e-5, "SVR": 1e-5, "NuSVR": 1e-5}  # flat where few rows lie on the margin
ROUNDING = 1e-8
# what scikit-learn takes from the rows without their weights (see `differences`): its value for repeated rows is compared
UNWEIGHTED = {"GaussianNB": {"epsilon_"}}
# directions, whose sign is a matter of taste (see `differences`)
SIGNED = {"LinearDiscriminantAnalysis": ("scalings_", "transform"), "QuadraticDiscriminantAnalysis": ("rotations_",)}


def upright(values):
    """Columns with the sign that makes their largest entry positive."""
    return values * np.sign(values[np.abs(values).argmax(axis=0), np.arange(values.shape[1])])


def unsigned(cls, name, values):
    """The values; of directions, whatever their sign."""
    return upright(values) if name.split("[")[0] in SIGNED.get(cls.__name__, ()) else values


def dataset(name, cls):
    """One of scikit-learn's tables, if its target is of the right kind."""
    X, y = {"iris": load_iris, "diabetes": load_diabetes, "breast cancer": load_breast_cancer}[name](return_X_y=True)
    X = scale(X) if name == "breast cancer" else X
    X = as_codes(X) if takes_codes(cls) else X
    y = {"none": None, "numbers": y.astype(float), "classes": y}[cls.target]
    weight = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    return Table(X, y, weight, X[[0, len(X) // 2, len(X) - 1]])


# with an entry for each row, which has one answer
OF_ROWS = {"KernelRidge": {"dual_coef_"}, "KernelPCA": {"eigenvectors_"}, "ClassicalMDS": {"embedding_"}}
OF_ROWS |= {"Isomap": {"embedding_", "dist_matrix_"}}
SLOW_THERE = {("SequentialFeatureSelector", "breast cancer")}  # seconds of scikit-learn's fits
comparisons = [
    pytest.param(cls, name, id=f"{cls.__name__}-{name}")
    for cls in DROP_IN
    for name in ("iris", "diabetes", "breast cancer")
    if (cls.target != "classes" or name != "diabetes") and "same answer" not in cls.exceptions
    if (cls.__name__, name) not in SLOW_THERE
]


@pytest.mark.parametrize(("cls", "name"), comparisons)
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_same_answer(cls, name, weighted):
    """Where the problem has one answer, it is scikit-learn's."""
    data, twin = dataset(name, cls), twin_of(cls)
    if weighted and not takes(twin.fit, "sample_weight"):
        pytest.skip(f"scikit-learn's {cls.__name__} takes no weights")
    ours = fitted(cls, data, weighted=weighted, **ALSO_TIGHT.get(cls.__name__, {}))
    settings = {**shared_parameters(ours), **TIGHT.get(cls.__name__, {})}
    theirs = fit(twin(**settings), data, weighted=weighted)
    there = everything(theirs)
    if weighted and (unweighted := UNWEIGHTED.get(cls.__name__)):
        assert unweighted <= cls.differences.keys()
        repeated = fit(twin(**settings), data.take(np.repeat(np.arange(len(data)), data.weight.astype(int))))
        there |= {attribute: np.asarray(getattr(repeated, attribute)) for attribute in unweighted}
    tolerance = CLOSE.get(cls.__name__, ROUNDING)
    found = answer(ours) | {name: value for name, value in everything(ours).items() if name in OF_ROWS.get(cls.__name__, ())}
    compared = {attribute: value for attribute, value in found.items() if attribute in there and attribute not in PROOFS}
    for attribute, value in compared.items():
        # a mean of centred columns is nothing but rounding: 1e-6·tolerance is below 1e-13 of their spread
        here, expected = unsigned(cls, attribute, value), unsigned(cls, attribute, there[attribute])
        assert_near(here, expected, tolerance, attribute, smallest=1e-6)
    said, expected = outputs(ours, data.X), outputs(theirs, data.X)
    assert said.keys() >= expected.keys()
    assert compared or not found or expected
    for method, values in expected.items():
        assert_near(unsigned(cls, method, said[method]), unsigned(cls, method, values), tolerance, method)


@every(DROP_IN)
def test_same_shapes_of_what_is_said(cls):
    """What the methods give has scikit-learn's shapes and kinds, for two classes as for three."""
    for kinds in (3, 2):
        data = table(cls, 120, 4)
        if cls.target == "classes" and kinds == 2:
            data = data.take(data.y != "birch")
        ours = fitted(cls, data)
        theirs = fit(twin_of(cls)(**shared_parameters(ours)), data)
        with np.errstate(divide="ignore"):  # scikit-learn's trees take the logarithm of 0
            here, there = outputs(ours, data.X), outputs(theirs, data.X)
        assert here.keys() >= there.keys()
        for method, values in there.items():
            assert here[method].shape == values.shape, method
            assert here[method].dtype == values.dtype, method


# ---- names -----------------------------------------------------------------------------------------------------------


def test_import_is_light():
    """`import aprendiz` loads none of the large libraries."""
    code = "import sys, aprendiz; print(sorted({'sklearn', 'numba', 'pandas', 'scipy', 'numpy'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_flat_and_by_topic():
    """Every public name can be imported flat, and from its topic if it has one."""
    for name in aprendiz.__all__:
        value = getattr(aprendiz, name)
        assert name in dir(aprendiz)
        topics = [topic for topic in aprendiz.TOPICS if name in topic.__all__]
        if isinstance(value, type) and issubclass(value, Learner):
            assert len(topics) == 1, name
        for topic in topics:
            assert getattr(import_module(topic.__name__), name) is value, name
            assert name in dir(topic)


@pytest.mark.parametrize("name", ["nothing", "KMean", "_private"])
def test_unknown_names(name):
    """A name that does not exist raises AttributeError, flat and in every topic."""
    for module in (aprendiz, *aprendiz.TOPICS):
        with pytest.raises(AttributeError, match=name):
            getattr(module, name)


def test_all_learners():
    """Every public learner is listed once, by its own name, and nothing else is."""
    listed = aprendiz.all_learners()
    names = [name for name, _ in listed]
    assert {"KMeans", "LinearRegression", "LogisticRegression", "PCA", "StandardScaler"} <= set(names)
    assert len(set(names)) == len(names)
    for name, cls in listed:
        assert issubclass(cls, Learner)
        assert cls.__name__ == name
        assert not inspect.isabstract(cls)
        assert cls.target in ("none", "numbers", "classes")


def test_leaves_have_no_children():
    """No public learner inherits from another one."""
    for cls in LEARNERS:
        assert not [other for other in LEARNERS if other is not cls and issubclass(cls, other)]

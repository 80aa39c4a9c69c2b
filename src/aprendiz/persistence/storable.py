"""What may stand in a model file: a closed list of classes, records, functions and types, each under a public name.

    aprendiz.KMeans                                every public learner
    aprendiz.evaluation.Tuned, …                   OURS: other models of aprendiz
    Moments, Spread, …                             every record of sums (core/sums.py, and the learners' own)
    Certificate, Columns, …                        RECORDS: other dataclasses that learners keep
    sklearn.pipeline.Pipeline, …                   SCIKIT_LEARN: parts of scikit-learn
    numpy.float64, sklearn.feature_selection.chi2  NAMED: types and functions that parameters mention
    scipy.interpolate.BSpline, …                   BUILT: made by their constructor, which checks what it gets

Reading a file imports and uses these names and no others. A new record or class is one more name in a table below, and one
more round trip in tests/core/test_persistence.py. Classes whose compiled code follows stored indices without looking
(trees, kernel machines, neighbour searches of scikit-learn) are not on the list: a file could make them read or write
outside their arrays. Those on the list that do so too have a check (core/stored.py).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields
from functools import cache
from importlib import import_module
from itertools import pairwise, takewhile
from typing import Any

from sklearn.base import BaseEstimator

from aprendiz.core.learner import Learner
from aprendiz.core.stored import Check
from aprendiz.core.sums import Sums
from aprendiz.persistence.archive import ModelFileError

RECORDS = {
    "aprendiz.bayes.calibration.calibrated_classifier": ("CalibratedClassifier",),
    "aprendiz.bayes.calibration.isotonic_calibrator": ("IsotonicCalibrator",),
    "aprendiz.bayes.calibration.sigmoid_calibrator": ("SigmoidCalibrator",),
    "aprendiz.bayes.calibration.temperature_calibrator": ("TemperatureCalibrator",),
    "aprendiz.bayes.distributions.bernoulli": ("Bernoulli",),
    "aprendiz.bayes.distributions.categorical": ("Categorical",),
    "aprendiz.bayes.distributions.gaussian": ("Gaussian",),
    "aprendiz.bayes.distributions.multivariate_gaussian": ("MultivariateGaussian",),
    "aprendiz.bayes.distributions.poisson": ("Poisson",),
    "aprendiz.bayes.distributions.student_t": ("StudentT",),
    "aprendiz.bayes.gaussian.ellipsoid": ("Ellipsoid",),
    "aprendiz.conformal.scores.bands": ("BandModel",),
    "aprendiz.core.certificate": ("Certificate",),
    "aprendiz.core.cells": ("Column", "Unseen"),
    "aprendiz.core.columns": ("Columns", "Mixed"),
    "aprendiz.datasets.card": ("Card", "ColumnCard"),
    "aprendiz.datasets.network": ("Network",),
    "aprendiz.decomposition.svd.compression": ("Compression",),
    "aprendiz.ensemble.members.bags": ("Bags",),
    "aprendiz.ensemble.forest.forest": ("Forest",),
    "aprendiz.ensemble.members.model_maker": ("Model",),
    "aprendiz.graphical.graph.directed_graph": ("DirectedGraph",),
    "aprendiz.graphical.tables.discrete_network": ("DiscreteNetwork",),
    "aprendiz.lab.preparation": ("ColumnsByName",),
    "aprendiz.preprocessing.text.terms": ("Terms",),
    "aprendiz.preprocessing.outliers.outlier_report": ("OutlierReport",),
    "aprendiz.tree.pruning.cross_validated": ("PruningErrors",),
    "aprendiz.tree.shared.nodes": ("Tree",),
}

OURS = {  # beside the public learners
    "aprendiz.evaluation": ("Tuned",),
    "aprendiz.lab": ("LevelColumns", "LevelNumbers", "LevelWords", "PowerOfTarget", "QuantileBins", "TableModel"),
    "aprendiz.lab.columns": ("DateColumns", "ListColumns", "MixedWithText", "PlaceColumns", "TextColumns", "TextDirections"),
    "aprendiz.bayes": ("BayesDecisionClassifier", "CalibratedClassifierCV"),
    "aprendiz.conformal": ("ConformalClassifier", "ConformalRegressor"),
    "aprendiz.kernel.kernels": (
        *("AdditiveChiSquared", "ChiSquared", "Constant", "Cosine", "Diffusion", "Exponential", "Function", "GammaExponential"),
        *("Laplacian", "Linear", "Mahalanobis", "Matern", "Periodic", "Polynomial", "Precomputed", "Product", "RBF", "Sigmoid"),
        *("Spectrum", "Sum"),
    ),
    "aprendiz.linear": ("OneVsOneClassifier", "OneVsRestClassifier"),
    "aprendiz.linear.shared.constant_label": ("ConstantLabel",),
    "aprendiz.preprocessing": ("CountVectorizer", "DropOutliers", "HashingVectorizer", "TfidfTransformer", "TfidfVectorizer"),
    "aprendiz.selection": (
        *("EmbeddedSelection", "KnockoffSelection", "SelectFromModel", "StabilitySelection", "TwoStageSelection"),
    ),
}

SCIKIT_LEARN = {
    "sklearn.calibration": ("CalibratedClassifierCV", "_CalibratedClassifier", "_SigmoidCalibration", "_TemperatureScaling"),
    "sklearn.compose": ("ColumnTransformer", "TransformedTargetRegressor", "make_column_selector"),
    "sklearn.decomposition": ("PCA", "TruncatedSVD"),
    "sklearn.discriminant_analysis": ("LinearDiscriminantAnalysis",),
    "sklearn.dummy": ("DummyClassifier", "DummyRegressor"),
    "sklearn.ensemble": (
        *("BaggingClassifier", "BaggingRegressor", "StackingClassifier", "StackingRegressor"),
        *("VotingClassifier", "VotingRegressor"),
    ),
    "sklearn.feature_extraction.text": ("CountVectorizer", "TfidfTransformer", "TfidfVectorizer"),
    "sklearn.feature_selection": ("SelectFromModel", "SelectKBest", "SelectPercentile", "VarianceThreshold"),
    "sklearn.frozen": ("FrozenEstimator",),
    "sklearn.impute": ("KNNImputer", "MissingIndicator", "SimpleImputer"),
    "sklearn.isotonic": ("IsotonicRegression",),
    "sklearn.linear_model": (
        *("ElasticNet", "Lasso", "LinearRegression", "LogisticRegression", "Ridge", "RidgeCV", "RidgeClassifier"),
    ),
    "sklearn.metrics": ("_PassthroughScorer", "_Scorer"),
    "sklearn.model_selection": (
        *("GridSearchCV", "RandomizedSearchCV", "KFold", "StratifiedKFold", "GroupKFold", "LeaveOneOut"),
        *("RepeatedKFold", "RepeatedStratifiedKFold", "ShuffleSplit", "StratifiedShuffleSplit", "TimeSeriesSplit"),
    ),
    "sklearn.multiclass": ("OneVsOneClassifier", "OneVsRestClassifier", "_ConstantPredictor"),
    "sklearn.multioutput": ("ClassifierChain", "MultiOutputClassifier", "MultiOutputRegressor", "RegressorChain"),
    "sklearn.naive_bayes": ("BernoulliNB", "CategoricalNB", "GaussianNB", "MultinomialNB"),
    "sklearn.pipeline": ("FeatureUnion", "Pipeline"),
    "sklearn.preprocessing": (
        *("Binarizer", "FunctionTransformer", "KBinsDiscretizer", "LabelBinarizer", "LabelEncoder", "MaxAbsScaler"),
        *("MinMaxScaler", "Normalizer", "OneHotEncoder", "OrdinalEncoder", "PolynomialFeatures", "PowerTransformer"),
        *("QuantileTransformer", "RobustScaler", "SplineTransformer", "StandardScaler", "TargetEncoder"),
    ),
    "sklearn.svm": ("LinearSVC",),
}

NAMED = {
    "builtins": ("bool", "float", "int", "object", "str"),
    "aprendiz.selection": (
        *("chi2", "f_classif", "f_regression", "kruskal", "mutual_info_classif", "mutual_info_regression", "r_regression"),
    ),
    "numpy": (
        *("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"),
        *("complex64", "complex128", "number", "object_", "str_"),
        *("absolute", "cbrt", "exp", "expm1", "log", "log10", "log1p", "log2", "sqrt", "square"),
    ),
    "sklearn.feature_selection": (
        *("chi2", "f_classif", "f_regression", "mutual_info_classif", "mutual_info_regression", "r_regression"),
    ),
    "sklearn.model_selection": ("KFold", "StratifiedKFold"),  # repeated by others
    "sklearn.metrics": (
        *("accuracy_score", "average_precision_score", "balanced_accuracy_score", "brier_score_loss", "f1_score"),
        *("jaccard_score", "log_loss", "matthews_corrcoef", "precision_score", "recall_score", "roc_auc_score"),
        *("explained_variance_score", "max_error", "mean_absolute_error", "mean_absolute_percentage_error"),
        *("mean_squared_error", "median_absolute_error", "r2_score", "root_mean_squared_error"),
    ),
}

BUILT = {  # arguments of the constructor that can be read as attributes
    "scipy.interpolate.BSpline": ("t", "c", "k", "extrapolate", "axis"),
    "scipy.interpolate.interp1d": ("x", "y", "axis", "bounds_error"),
}

PRIVATE_HOMES = {"sklearn.metrics": "sklearn.metrics._scorer"}  # of names that begin with an underscore
FORGOTTEN = {  # attributes of one fit or of one process
    *("_callback_fit_ctx", "_metadata_request", "_parent_callback_ctx", "_skl_callbacks", "_skl_callbacks_to_teardown"),
    *("_correlation", "_state", "_stop_words_id", "_table"),
}


def listed(table: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for module, names in table.items() for name in names)


CLASSES, THINGS = listed(SCIKIT_LEARN) | listed(OURS), listed(NAMED)


# ---- names to things -------------------------------------------------------------------------------------------------


def class_called(name: str) -> Any:
    """The class of a model or of a part of it."""
    module, _, short = name.rpartition(".")
    if module == "aprendiz" and short[:1].isupper() and short in (public := import_module("aprendiz")).__all__:
        found = getattr(public, short)
        if isinstance(found, type) and issubclass(found, Learner):
            return found
    elif name in CLASSES:
        return find(module, short)
    raise ModelFileError(f"it names the class {name[:80]!r}, which this version cannot load: see docs/model-format.md.")


def record_called(name: str) -> Any:
    """A record. Those of a learner's own are known once the learner is: `class_called` comes first."""
    for module, names in RECORDS.items():
        if name in names:
            return find(module, name)
    for cls in kinds_of_sums(Sums):
        if cls.__name__ == name:
            return cls
    raise ModelFileError(f"it names the record {name[:80]!r}, which this version cannot load: see docs/model-format.md.")


def kinds_of_sums(cls: Any) -> Iterator[Any]:
    for kind in cls.__subclasses__():
        if kind.__module__.startswith("aprendiz."):
            yield kind
            yield from kinds_of_sums(kind)


def thing_called(name: str) -> Any:
    """A type or a function that is mentioned, not an object."""
    if name not in THINGS:
        raise ModelFileError(f"it mentions {name[:80]!r}, which this version cannot load: see docs/model-format.md.")
    module, _, short = name.rpartition(".")
    return find(module, short)


def built_called(name: str) -> Any:
    if name not in BUILT:
        raise ModelFileError(f"it names the class {name[:80]!r}, which this version cannot load: see docs/model-format.md.")
    module, _, short = name.rpartition(".")
    return find(module, short)


def find(module: str, name: str) -> Any:
    return getattr(import_module(home(module, name)), name)


def home(module: str, name: str) -> str:
    return PRIVATE_HOMES.get(module, module) if name.startswith("_") else module


# ---- things to names -------------------------------------------------------------------------------------------------


@cache
def name_of(cls: type) -> str | None:
    """The name of a class in a file; None if it is not on the list."""
    if issubclass(cls, Learner):
        return f"aprendiz.{cls.__name__}" if getattr(import_module("aprendiz"), cls.__name__, None) is cls else None
    for module, names in OURS.items():
        if cls.__name__ in names and f"{cls.__module__}.".startswith(f"{module}."):
            return f"{module}.{cls.__name__}"
    name = f"{'.'.join(takewhile(lambda part: not part.startswith('_'), cls.__module__.split('.')))}.{cls.__qualname__}"
    if name in CLASSES:
        return name if class_called(name) is cls else None
    return name if name in BUILT and built_called(name) is cls else None


def record_name(cls: type) -> str | None:
    """The name of a record in a file, whatever module it is in."""
    ours = cls.__name__ in RECORDS.get(cls.__module__, ()) or cls in kinds_of_sums(Sums)
    return cls.__name__ if ours and record_called(cls.__name__) is cls else None


def thing_name(thing: Any) -> str | None:
    """The name of a type or function, if it is one of NAMED."""
    for module, names in NAMED.items():
        for name in names if module in sys.modules else ():
            if getattr(sys.modules[module], name) is thing:
                return f"{module}.{name}"
    return None


# ---- what an object may hold -----------------------------------------------------------------------------------------


@cache
def parameters_of(cls: Any) -> dict[str, Any]:
    """The parameters of the constructor of an estimator, with their defaults."""
    if not issubclass(cls, BaseEstimator):
        return {}
    signature = inspect.signature(cls.__init__).parameters
    return {name: signature[name].default for name in cls._get_param_names()}


def may_hold(cls: Any, name: str) -> bool:
    """Whether an attribute is the object's own: it hides nothing that the class defines."""
    return name.isidentifier() and not name.startswith("__") and name not in FORGOTTEN and not hasattr(cls, name)


def restored(name: str, parameters: dict[str, Any], attributes: dict[str, Any]) -> Any:
    """An object of a listed class, made without calling its constructor or any other method.

    A parameter that the file does not know, because a later version added it, has its default.
    """
    cls = class_called(name)
    known = parameters_of(cls)
    for unknown in parameters.keys() - known.keys():
        raise ModelFileError(f"{name} has no parameter {unknown[:80]!r}: load it with the version that saved it.")
    for hidden in (attribute for attribute in attributes if attribute in known or not may_hold(cls, attribute)):
        raise ModelFileError(f"{name} cannot have an attribute {hidden[:80]!r}: load it with the version that saved it.")
    for parameter in known.keys() - parameters.keys():
        if known[parameter] is inspect.Parameter.empty:
            raise ModelFileError(f"{name} lacks its parameter {parameter!r}: save the model again.")
    model = cls.__new__(cls)
    vars(model).update({**known, **parameters, **attributes})
    if wrong := disagreement(name, vars(model)):
        raise ModelFileError(f"{name}: {wrong}.")
    return model


def record(name: str, values: dict[str, Any]) -> Any:
    """A record from its fields. Those that a later version added have their defaults."""
    cls = record_called(name)
    known = {field.name: field.default for field in fields(cls)}
    complete = {**known, **values}
    if complete.keys() != known.keys() or any(value is MISSING for value in complete.values()):
        raise ModelFileError(f"the record {name} has other fields: load it with the version that saved it.")
    made = cls.__new__(cls)
    for field, value in complete.items():
        object.__setattr__(made, field, value)
    return made


def built(name: str, arguments: dict[str, Any]) -> Any:
    """An object made by its constructor."""
    cls = built_called(name)
    if arguments.keys() != set(BUILT[name]):
        raise ModelFileError(f"{name} has other arguments: save the model again.")
    return cls(**arguments)


# ---- attributes that compiled code trusts ----------------------------------------------------------------------------


def disagreement(name: str, held: Mapping[str, Any]) -> str:
    """What is wrong with the attributes of an object, if anything is."""
    check = CHECKS.get(name) or getattr(class_called(name), "stored_check", None)
    if check is None:
        return ""
    with suppress(Exception):  # what cannot even be compared does not agree
        return "" if check.agrees(held) else check.wrong
    return check.wrong


def levels_agree(held: Mapping[str, Any]) -> bool:
    """One-hot codes stay below the number of columns: levels in order, groups and dropped levels within them."""
    if (levels := held.get("categories_")) is None:
        return True
    nothing = [None] * len(levels)
    rare, groups = held.get("_infrequent_indices") or nothing, held.get("_default_to_infrequent_mappings") or nothing
    dropped = nothing if (dropped := held.get("_drop_idx_after_grouping")) is None else dropped
    parts = list(zip(levels, groups, rare, dropped, strict=True))
    sizes = [len(level) if group is None else int(group.max()) + 1 for level, group, _, _ in parts]
    return all(
        (level.dtype.kind == "O" or all(a < b or b != b for a, b in pairwise(level)))
        and (group is None) == (some is None)
        and (group is None or (len(group) == len(level) and group.dtype.kind == "i" and group.min() >= 0))
        and (drop is None or 0 <= drop < size)
        for (level, group, some, drop), size in zip(parts, sizes, strict=True)
    ) and held.get("_n_features_outs") == [size - (drop is not None) for size, drop in zip(sizes, dropped, strict=True)]


def words_agree(held: Mapping[str, Any]) -> bool:
    """Documents are text, not names of files, and words are numbered 0, 1, …"""
    words = held.get("vocabulary_", {})
    return held.get("input") == "content" and sorted(words.values()) == list(range(len(words)))


WORDS = Check(words_agree, 'only a vectorizer with input="content" and words numbered 0, 1, … can be stored; give it the texts')
CHECKS = {  # of classes that are not ours; ours have their own (`Learner.stored_check`)
    "sklearn.feature_extraction.text.CountVectorizer": WORDS,
    "sklearn.feature_extraction.text.TfidfVectorizer": WORDS,
    "sklearn.preprocessing.OneHotEncoder": Check(levels_agree, "its levels do not go together; fit it again"),
}

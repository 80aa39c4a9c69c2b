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
outside their arrays. Those on the list that do so too have a function in AGREES.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields
from functools import cache
from importlib import import_module
from itertools import pairwise, takewhile
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from aprendiz.core.learner import Learner
from aprendiz.core.sums import Sums
from aprendiz.persistence.archive import ModelFileError
from aprendiz.persistence.forest_agreement import forests_agree
from aprendiz.persistence.tree_agreement import trees_agree

RECORDS = {
    "aprendiz.bayes.distributions.bernoulli": ("Bernoulli",),
    "aprendiz.bayes.distributions.categorical": ("Categorical",),
    "aprendiz.bayes.distributions.gaussian": ("Gaussian",),
    "aprendiz.bayes.distributions.multivariate_gaussian": ("MultivariateGaussian",),
    "aprendiz.bayes.distributions.poisson": ("Poisson",),
    "aprendiz.bayes.distributions.student_t": ("StudentT",),
    "aprendiz.bayes.gaussian.ellipsoid": ("Ellipsoid",),
    "aprendiz.core.certificate": ("Certificate",),
    "aprendiz.core.columns": ("Column", "Columns", "Mixed", "Unseen"),
    "aprendiz.ensemble.members.bags": ("Bags",),
    "aprendiz.ensemble.forest.forest": ("Forest",),
    "aprendiz.ensemble.members.model_maker": ("Model",),
    "aprendiz.tree.pruning.cross_validated": ("PruningErrors",),
    "aprendiz.tree.shared.nodes": ("Tree",),
}

OURS = {  # beside the public learners
    "aprendiz.evaluation": ("Tuned",),
    "aprendiz.lab": ("LevelColumns", "LevelNumbers", "LevelWords", "TableModel"),
    "aprendiz.bayes": ("BayesDecisionClassifier",),
    "aprendiz.linear": ("OneVsOneClassifier", "OneVsRestClassifier"),
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
        if cls.__name__ in names and cls.__module__.startswith(f"{module}."):
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
    agrees, wrong = AGREES.get(name, (None, ""))
    with suppress(Exception):  # what cannot even be compared does not agree
        return "" if agrees is None or agrees(held) else wrong
    return wrong


def shaped(held: Mapping[str, Any], name: str, *lengths: Any) -> bool:
    """Whether an attribute, if there, is an array of floats of that shape; None stands for any length but 0."""
    array = held.get(name)
    if array is None:
        return True
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f" or array.ndim != len(lengths):
        return False
    return all(have == want or (want is None and have > 0) for have, want in zip(array.shape, lengths, strict=True))


def centres_agree(held: Mapping[str, Any]) -> bool:
    """A centre has a coordinate for each column."""
    return shaped(held, "cluster_centers_", None, held.get("n_features_in_"))


def medoids_agree(held: Mapping[str, Any]) -> bool:
    """A medoid has a coordinate for each column; of a table with words, numbers, codes and a range for each measured one."""
    mixed, rod = held.get("_mixed_centers"), held.get("_rod", {})
    if held.get("metric") == "gower" and (centers := held.get("cluster_centers_")) is not None:
        return centres_agree(held) and len(rod["ranges"]) == centers.shape[1]
    if mixed is None:
        return centres_agree(held)
    rows, columns = mixed.shape
    measured = len(mixed.columns.numeric) + sum(mixed.columns.columns[j].kind == "ordinal" for j in mixed.columns.coded)
    sizes = mixed.numbers.shape == (rows, len(mixed.columns.numeric)) and mixed.codes.shape == (rows, len(mixed.columns.coded))
    return bool(sizes and columns == held.get("n_features_in_") and len(rod["ranges"]) == measured)


def order_agrees(held: Mapping[str, Any]) -> bool:
    """Every row stands once in the order, and its parent is a row before it; the first has none."""
    if (order := held.get("order_")) is None:
        return True
    place = np.argsort(order)
    parents = held["parents_"][order]
    rows = np.array_equal(order[place], np.arange(len(order))) and len(parents) == len(order) and parents[0] == -1
    return bool(rows and (parents[1:] >= 0).all() and (place[parents[1:]] < np.arange(1, len(order))).all())


def gaussians_agree(held: Mapping[str, Any]) -> bool:
    """Means and variances have a row for each class and a column for each column."""
    shape = len(held.get("classes_", ())), held.get("n_features_in_")
    return shaped(held, "theta_", *shape) and shaped(held, "var_", *shape) and shaped(held, "class_prior_", shape[0])


def mixed_agree(held: Mapping[str, Any]) -> bool:
    """Means and variances as of Gaussians, a family for each column, a row for each class in each table."""
    classes, tables = len(held.get("classes_", ())), held.get("category_log_prob_", [])
    families = len(held.get("families_", ())) in (0, held.get("n_features_in_"))
    alike = all(shaped({"table": table}, "table", classes, None) for table in tables)
    return gaussians_agree(held) and shaped(held, "strength_", classes, held.get("n_features_in_")) and families and alike


def counts_agree(held: Mapping[str, Any]) -> bool:
    """A table of classes × categories for each column."""
    classes, tables, sizes = len(held.get("classes_", ())), held.get("feature_log_prob_", []), held.get("n_categories_", [])
    alike = all(shaped({"table": table}, "table", classes, int(size)) for table, size in zip(tables, sizes, strict=True))
    return alike and len(tables) in (0, held.get("n_features_in_")) and shaped(held, "class_log_prior_", classes)


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


def neighbours_agree(held: Mapping[str, Any]) -> bool:
    """A row has a number for each column and a target, and targets that are classes are numbered from 0."""
    if (X := held.get("_fit_X")) is None:
        return True
    table, labels, y = X.shape == (held["n_samples_fit_"], held["n_features_in_"]), held.get("classes_"), held.get("_y")
    if isinstance(X, np.ndarray):
        table = table and X.dtype == np.float64 and X.flags.c_contiguous
    elif hasattr(X, "codes"):  # a mixed table
        rows = X.shape[0]
        table = table and X.numbers.shape == (rows, len(X.columns.numeric)) and X.codes.shape == (rows, len(X.columns.coded))
    if y is None:
        return bool(table)
    kinds = y.dtype.kind == "f" if labels is None else y.dtype.kind == "i" and 0 <= y.min() <= y.max() < len(labels)
    return bool(table and kinds and y.ndim <= (2 if labels is None else 1) and len(y) == X.shape[0] and y.flags.c_contiguous)


def merges_agree(held: Mapping[str, Any]) -> bool:
    """A merge joins two of the clusters before it, and heights and labels are as many as merges and rows."""
    children, Z, labels = (held.get(name) for name in ("children_", "linkage_", "labels_"))
    if children is None or Z is None or labels is None:
        return children is Z is labels is None
    merges = len(children)
    before = np.arange(merges)[:, None] + merges + 1
    named = children.dtype.kind == "i" and np.array_equal(np.sort(children, axis=1), Z[:, :2])
    once = np.array_equal(np.sort(children, axis=None), np.arange(2 * merges)) and (children < before).all()
    sizes = np.concatenate([np.ones(merges + 1), Z[:, 3]])
    counted = np.array_equal(sizes[children].sum(axis=1), Z[:, 3])
    shapes = shaped(held, "linkage_", merges, 4) and shaped(held, "distances_", merges) and labels.shape == (merges + 1,)
    return bool(named and once and counted and shapes and len(held["_fit_X"]) == merges + 1)


CENTRES = (centres_agree, "cluster_centers_ and n_features_in_ do not go together; fit it again")
MEDOIDS = (medoids_agree, "its centres and columns do not go together; fit it again")
NEIGHBOURS = (neighbours_agree, "its rows and targets do not go together; fit it again")
WORDS = (words_agree, 'only a vectorizer with input="content" and words numbered 0, 1, … can be stored; give it the texts')
TREES = (trees_agree, "the nodes of its tree do not go together; fit it again")
FORESTS = (forests_agree, "the nodes of its trees do not go together; fit it again")
AGREES: dict[str, tuple[Callable[[Mapping[str, Any]], bool], str]] = {
    "aprendiz.AgglomerativeClustering": (merges_agree, "its merges do not go together; fit it again"),
    "aprendiz.CategoricalNB": (counts_agree, "its tables do not go together; fit it again"),
    "aprendiz.GaussianNB": (gaussians_agree, "theta_, var_ and classes_ do not go together; fit it again"),
    **{f"aprendiz.{name}": CENTRES for name in ("FuzzyCMeans", "KMeans", "MiniBatchKMeans")},
    **{f"aprendiz.{name}": MEDOIDS for name in ("KCenters", "KMedoids", "SampledKMedoids")},
    "aprendiz.FarthestFirstHierarchy": (order_agrees, "its rows and their parents do not go together; fit it again"),
    "aprendiz.KNNDensity": NEIGHBOURS,
    "aprendiz.KNeighborsClassifier": NEIGHBOURS,
    "aprendiz.KNeighborsRegressor": NEIGHBOURS,
    "aprendiz.NearestNeighbors": NEIGHBOURS,
    "aprendiz.RadiusNeighborsClassifier": NEIGHBOURS,
    "aprendiz.RadiusNeighborsRegressor": NEIGHBOURS,
    **{f"aprendiz.{name}": TREES for name in ("C45", "CART", "DecisionTreeClassifier", "DecisionTreeRegressor", "ID3")},
    **{f"aprendiz.{kind}{what}": FORESTS for kind in ("RandomForest", "ExtraTrees") for what in ("Classifier", "Regressor")},
    **{f"aprendiz.AdaBoost{what}": FORESTS for what in ("Classifier", "Regressor")},
    **{f"aprendiz.{name}": FORESTS for name in ("BaggingClassifier", "BaggingRegressor", "ClassSwitchingClassifier")},
    "aprendiz.NaiveBayes": (mixed_agree, "its tables do not go together; fit it again"),
    "sklearn.feature_extraction.text.CountVectorizer": WORDS,
    "sklearn.feature_extraction.text.TfidfVectorizer": WORDS,
    "sklearn.preprocessing.OneHotEncoder": (levels_agree, "its levels do not go together; fit it again"),
}

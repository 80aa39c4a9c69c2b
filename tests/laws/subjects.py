"""The learners that the laws speak of: every public one, with data of its kind, a fixed start and an answer to compare.

A new learner is covered as soon as it is public. What its laws are tested on follows from the class: `target` says which y
it gets, its signature whether it takes a start, a seed or weights. Laws that do not hold for a learner stand, with the
reason, in its class attribute `exceptions`. The names of the laws are

    threads   layout   files   nested   blas   missing           same bits
    split   weights   folds   partial_fit   missing              to rounding
    shift   scaling   row order   column order   relabelling     metamorphic
    monotone                                                     of the objective, in each start
    max_iter                                                     a limit, which is a reason to warn
    same answer                                                  as scikit-learn's
    sparse                                                       cells that are not stored are zeros
    memory                                                       sums take less of it than the rows
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache

import numpy as np
import pytest
from made_around import made_around
from ways import PASSES, distinct

import aprendiz
from aprendiz.bayes.distributions import MultivariateGaussian
from aprendiz.core.inputs import open_rows
from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import OnePass
from aprendiz.core.rows import Rows

LEARNERS = [*(cls for _, cls in aprendiz.all_learners()), *made_around()]
ITERATIVE = [cls for cls in LEARNERS if issubclass(cls, Iterative)]
ONE_PASS = [cls for cls in LEARNERS if issubclass(cls, OnePass)]
TAKES_MISSING = [cls for cls in LEARNERS if "missing" in cls.allows]


AT_LARGE = distinct(LEARNERS, *PASSES)  # each way in which fits go through the rows
DOOR = ("open", "new_rows", "schema")
BY_DOOR = distinct(LEARNERS, *DOOR, "fit")  # each way in which data come in
BY_WAY = distinct(LEARNERS, *DOOR, *PASSES)  # and each way on from there
# the most rows for learners of the pairs of rows: a block of the usual size would take them seconds
ALL_PAIRS = {"AgglomerativeClustering": 2_500, "FarthestFirstHierarchy": 2_500, "KMedoids": 2_500, "SpectralClustering": 6_000}
ALL_PAIRS |= {
    "ClassicalMDS": 1_500,
    "Isomap": 500,
    "LocallyLinearEmbedding": 400,
    "SpectralEmbedding": 1_500,
    "MDS": 500,
    "TSNE": 1_000,
}
ALL_PAIRS |= dict.fromkeys(("KernelKMeans", "SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"), 2_500)


def family(cls):
    """The name of the family of a learner."""
    return cls.__module__.split(".")[1]


def of_each_family(classes):
    """One learner of each family and target; of sums over many rows, if there is one."""
    return list({(family(cls), cls.target): cls for cls in all_pairs_first(classes)}.values())


def all_pairs_first(classes):
    """The learners in an order in which the last of a family takes tables of any size, if one of them does."""
    return sorted(classes, key=lambda cls: cls.__name__ not in ALL_PAIRS)


FAMILIES = list({family(cls): cls for cls in all_pairs_first(LEARNERS) if "dask" not in cls.exceptions}.values())

CLASSES = np.array(["ash", "birch", "cedar"])
DENSITIES = ("score_samples", "predict_joint_log_proba")  # with the units of the columns, unless those hold codes
OUTPUTS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform", *DENSITIES)
RECORDS = {"sums_", "certificate_"}
RECORDS |= {"edges_", "nodes_", "directed_edges_", "undirected_edges_", "conflicts_"}  # names of columns, maybe numbers
PER_ROW = {"labels_", "estimators_samples_", "memberships_", "medoid_indices_", "center_indices_"}  # or numbers of rows
PER_ROW |= {"support_", "margin_support_", "error_support_", "support_vectors_", "shape_fit_", "fit_status_"}
PER_ROW |= {"X_fit_", "X_transformed_fit_", "dual_coef_", "eigenvectors_", "partition_", "shares_"}  # or the rows themselves
PER_ROW |= {"row_factors_", "row_means_"}
PER_ROW |= {"embedding_", "dissimilarity_matrix_", "dist_matrix_", "affinity_matrix_", "graph_"}
PATH = {"log_", "stopped_", "method_"}  # how the fit went, not where it ended


def every(classes):
    """Parametrize a test over some learners, by their names."""
    return pytest.mark.parametrize("cls", classes, ids=lambda cls: cls.__name__)


# one learner for each way in many blocks, and for each way through the door in one block, the usual case of a small table
WAYS = [(cls, "many blocks") for cls in BY_WAY] + [(cls, "one block") for cls in BY_DOOR]
in_blocks = pytest.mark.parametrize(("cls", "blocks"), WAYS, indirect=["blocks"], ids=[f"{c.__name__}-{b}" for c, b in WAYS])


def honour(cls, law):
    """Leave a law out where the learner declares that it does not hold."""
    if law in cls.exceptions:
        pytest.skip(f"{cls.__name__}: {cls.exceptions[law]}")


# ---- data ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """Rows with a target of the right kind (or None), weights, and three points for learners that want a start."""

    X: np.ndarray
    y: np.ndarray | None
    weight: np.ndarray
    start: np.ndarray

    def __len__(self):
        return len(self.X)

    def take(self, chosen):
        """Some of the rows."""
        y = None if self.y is None else self.y[chosen]
        return replace(self, X=self.X[chosen], y=y, weight=self.weight[chosen])


def table(cls, rows=300, columns=5, *, dyadic=False, seed=0, holes=True):
    """Three overlapping groups with correlated columns of different sizes. Dyadic: multiples of 2⁻¹⁰ below 2⁶. With `holes`,
    learners that complete tables get one that needs it."""
    rows = min(rows, ALL_PAIRS.get(cls.__name__, rows))
    rng = np.random.default_rng([seed, rows, columns])
    group = rng.integers(0, 3, rows)
    means = 2.0 * rng.standard_normal((3, columns))
    mixing = np.eye(columns) + 0.3 * rng.standard_normal((columns, columns)) / np.sqrt(columns)
    X = (means[group] + rng.standard_normal((rows, columns))) @ mixing * np.linspace(0.5, 2.0, columns) + 3.0
    weight = rng.integers(1, 5, rows) / 2.0
    start = (means + 0.7 * rng.standard_normal((3, columns))) @ mixing * np.linspace(0.5, 2.0, columns) + 3.0
    if takes_codes(cls):
        X = as_codes(X)
    if grows_trees(cls) and rows < 5_000:  # at most 255 values in a column: more are for other kernels, which large tables have
        X = np.round(8.0 * X) / 8.0
    if dyadic:
        X, start = np.round(X * 2.0**10) / 2.0**10, np.round(start * 2.0**10) / 2.0**10
    numbers = X @ rng.standard_normal(columns) + rng.standard_normal(rows)
    noisy = np.where(rng.random(rows) < 0.1, rng.integers(0, 3, rows), group)  # never separable
    if two_classes_only(cls):
        noisy = np.where(noisy == 1, 0, noisy)
    y = {"none": None, "numbers": numbers, "classes": CLASSES[noisy]}[cls.target]
    return Table(with_unknown_cells(X) if holes and completes(cls) else X, y, weight, start)


@cache
def takes_codes(cls):
    """Does the learner take codes or counts 0, 1, 2, … rather than measurements?"""
    return cls().__sklearn_tags__().input_tags.positive_only


def grows_trees(cls):
    """Is the learner a tree, or one of many?"""
    return family(cls) in ("tree", "ensemble")


@cache
def two_classes_only(cls):
    """Does the learner refuse a third class?"""
    tags = cls().__sklearn_tags__().classifier_tags
    return cls.target == "classes" and tags is not None and not tags.multi_class


def completes(cls):
    """Does the learner complete tables, so that one without unknown cells is no task?"""
    return takes(cls, "biases") or takes(cls, "hidden")


def with_unknown_cells(X):
    """The table without a cell in each of two rows in three, another from row to row."""
    rows = np.flatnonzero(np.arange(len(X)) % 3)
    X = X.copy()
    X[rows, rows * 7 % X.shape[1]] = np.nan
    return X


def as_codes(X):
    """Measurements of the sizes above as codes 0 to 12."""
    return np.clip(np.round(X), -4, 8) + 4


def holed(data):
    """The table with a fifth of its cells missing, and with nothing known of the first column in its first ten rows."""
    X = data.X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    X[:10, 0] = np.nan
    return replace(data, X=X)


# ---- learners --------------------------------------------------------------------------------------------------------


def takes(function, name):
    """Does a function have a parameter of that name?"""
    return name in parameters_of(getattr(function, "__func__", function))


@cache
def parameters_of(function):
    """The names of the parameters of a function or class."""
    return frozenset(inspect.signature(function).parameters)


def slow_to_rest(cls):
    """Does the learner take dozens of passes at its usual tolerance? (Mixtures, fuzzy clusters, the delta rule.)"""
    return takes(cls, "tol") and any(takes(cls, name) for name in ("components", "means_init", "m", "unit"))


SMALL_NETWORK = {"hidden_layer_sizes": (4,), "learning_rate_init": 0.02, "tol": 0.02, "n_iter_no_change": 2}


def learner(cls, data, **parameters):
    """An instance for the laws: defaults, but a fixed start and a fixed seed where the learner takes one."""
    settings = {"random_state": 0} if takes(cls, "random_state") else {}
    if takes(cls, "init") and takes(cls, "n_init") and takes(cls, "n_clusters"):  # until nothing moves any more
        settings |= {"n_clusters": len(data.start), "init": data.start, "n_init": 1, "tol": 0.0}
    if takes(cls, "means_init"):  # a start that follows the rows, and ε in their units
        k, wide = len(data.start), np.diag(1.0 / data.start.var(axis=0))
        settings |= {"n_components": k, "weights_init": np.full(k, 1 / k), "means_init": data.start}
        settings |= {"precisions_init": np.stack([wide] * k), "reg_covar": 1e-4 * data.start.var(axis=0).mean()}
    if takes(cls, "components"):  # the same for members of any family
        settings |= {"components": [MultivariateGaussian(c, np.diag(data.start.var(axis=0))) for c in data.start]}
    if slow_to_rest(cls):  # a few passes will do
        settings |= {"tol": 0.01 if len(data) < 5_000 else 0.05}
    if takes(cls, "n_draws"):  # of a part of the rows
        settings |= {"n_clusters": 3, "n_draws": 4, "sample_size": 60}
    if takes(cls, "n_candidates"):  # few of very many
        settings |= {"n_candidates": 40}
    if takes(cls, "cv") and (takes(cls, "rule") or takes(cls, "Cs")):  # folds enough to differ
        settings |= {"cv": 3}
    if takes(cls, "Cs"):
        settings |= {"Cs": 4}
    if takes(cls, "n_estimators"):  # members enough to differ
        settings |= {"n_estimators": 4}
    if takes(cls, "max_iter") and takes(cls, "max_leaf_nodes"):  # the same
        settings |= {"max_iter": 4}
    if takes(cls, "modified_tol"):  # of groups that lie apart, one part
        settings |= {"n_neighbors": len(data) // 2 if data.X.shape[1] > 10 else min(60, len(data) // 2)}
    if takes(cls, "path_method"):  # the same
        settings |= {"n_neighbors": len(data) // 2}
    elif takes(cls, "radius"):  # a ball with some of the rows in it, not with thousands
        settings |= {"radius": 1.0 if len(data) < 5_000 else 0.1}
    if takes(cls, "cache_size"):  # within tol there are many answers, and γ = "scale" is of the rows without their weights
        settings |= {"tol": 1e-9, "gamma": 0.1}
    if takes(cls, "outlier_label"):
        settings |= {"outlier_label": "most_frequent"}
    if takes(cls, "beta_loss"):  # fewer parts than columns: as many reproduce them, in many ways
        settings |= {"n_components": 2, "tol": 1e-5, "max_iter": 3000}
    if takes(cls, "forget_factor"):  # several batches
        settings |= {"tol": 1e-3, "batch_size": 100}
    if takes(cls, "perplexity"):  # half of the steps will do
        settings |= {"max_iter": 500}
    if takes(cls, "fit_inverse_transform"):  # the way back too
        settings |= {"fit_inverse_transform": True}
    if takes(cls, "hidden"):  # each column depends on the one before it; no zeros; a few passes
        settings |= {"edges": [(j - 1, j) for j in range(1, data.X.shape[1])], "prior": "k2", "tol": 1e-3}
    if takes(cls, "nesterovs_momentum"):  # few neurons, and a few epochs
        settings |= SMALL_NETWORK if cls.target != "none" else {**SMALL_NETWORK, "tol": 0.5}  # a loss of all columns
    if takes(cls, "first_cut"):  # several steps
        settings |= {"keep": data.X.shape[1] - 1}
    if takes(cls, "score_func") and takes(cls, "k"):  # one column, so that the order of the others does not show
        settings |= {"k": 1}
    if takes(cls, "tabu"):  # some edges between columns of many levels
        settings |= {"criterion": "k2"}
    if takes(cls, "metric_mds"):  # scikit-learn warns of another default to come
        settings |= {"init": "random"}
    if takes(cls, "max_rank"):  # until the factors have nine digits
        settings |= {"tol": 1e-11}
    if takes(cls, "retry"):  # fewer coordinates than columns
        settings |= {"n_components": 3}
    if takes(cls, "affinity") and not takes(cls, "n_clusters"):
        settings |= {"affinity": "rbf", "gamma": 0.05}
    elif takes(cls, "affinity"):  # wide enough to join all rows; not all pairs of many rows
        sparse_graph = len(data) >= 500 and data.X.shape[1] <= 20
        settings |= {"n_clusters": 3, "gamma": 0.05} | ({"affinity": "nearest_neighbors"} if sparse_graph else {})
    return cls(**{**settings, **parameters})


def fitted(cls, data, *, weighted=False, **parameters):
    """The learner fitted to a table."""
    return fit(learner(cls, data, **parameters), data, weighted=weighted)


def fit(model, data, *, weighted=False):
    if not weighted:
        return model.fit(data.X, data.y)
    if not takes(model.fit, "sample_weight"):
        pytest.skip(f"{type(model).__name__} takes no weights")
    return model.fit(data.X, data.y, sample_weight=data.weight)


def everything(model):
    """All fitted numbers: what must have the same bits. A list of arrays, one for each column, has an entry for each."""
    found = {}
    for name in dir(model):
        if not name.endswith("_") or name.startswith("_") or name in RECORDS or callable(value := getattr(model, name)):
            continue
        arrays = spread_out(name, value)
        found |= {one: array for one, array in arrays.items() if array.dtype.kind in "biuf"}
    assert found, f"{type(model).__name__} has no fitted numbers"
    return found


def spread_out(name, value):
    """A fitted attribute as arrays by name; a sparse one with its zeros, each array of a list or a dictionary by its place."""
    if hasattr(value, "toarray"):
        value = value.toarray()
    if isinstance(value, list) and any(isinstance(one, np.ndarray) for one in value):
        return {f"{name}[{j}]": np.asarray(one) for j, one in enumerate(value)}
    if isinstance(value, dict) and any(isinstance(one, np.ndarray) for one in value.values()):
        return {f"{name}[{j}]": np.asarray(one) for j, one in enumerate(value.values())}
    return {name: np.asarray(value)}


def answer(model):
    """The fitted numbers that mean the result: neither an entry for each row, nor counts, nor the way there."""
    left_out = PER_ROW | PATH
    numbers = everything(model).items()
    kept = ((n, a) for n, a in numbers if n.partition("[")[0] not in left_out and not n.startswith("n_"))
    return {n: a for n, a in kept if a.dtype.kind in "iuf"}


def outputs(model, X):
    """What a fitted learner says of some rows, method by method."""
    found = {name: as_array(getattr(model, name)(X)) for name in OUTPUTS if hasattr(model, name)}
    if not found and hasattr(model, "kneighbors"):  # how far its neighbours are
        found = {"kneighbors": model.kneighbors(X)[0]}
    places = any(hasattr(model, name) for name in ("labels_", "embedding_", "edges_"))  # of what was fitted alone
    assert found or places, f"{type(model).__name__} says nothing of new rows"
    return found


def as_array(said):
    """What a method said as one array: rows that are changed as they are read, too."""
    return np.concatenate([block.X for block in said.blocks()]) if isinstance(said, Rows) else np.asarray(said)


def record_of(cls, part, weighted=False):
    """The record of some rows, made by a learner that has seen nothing else; some of the classes may be absent."""
    model, weight = learner(cls, part), part.weight if weighted else None
    return model.summarise(open_rows(model, part.X, part.y, weight, target=cls.target, among=np.array([])))


# ---- comparisons -----------------------------------------------------------------------------------------------------


def digits(cls):
    """Relative tolerance of 'to rounding'.

    One pass: the tables of `table` have condition numbers below 100, squared at worst: 1e4 · eps · √n < 1e-9.
    Iterative: a fit may stop when its objective is right to 1e-15 of its size, and near a minimum that leaves half the digits
    to the parameters: 1e-7. The lasso, whose end is exact, and learners whose states are folds have the digits of one pass.
    """
    return 1e-7 if issubclass(cls, Iterative) and not (takes(cls, "selection") or takes(cls, "cv")) else 1e-9


def assert_same_bits(a, b):
    """Two dictionaries of arrays are the same, bit by bit."""
    assert a.keys() == b.keys()
    for name, value in a.items():
        assert value.dtype == b[name].dtype, name
        assert value.shape == b[name].shape, name
        assert np.array_equal(value, b[name], equal_nan=value.dtype.kind == "f"), (
            f"{name} differs by {np.abs(value.astype(float) - b[name].astype(float)).max():.3g}"
            if value.dtype.kind in "biuf"
            else name
        )


def assert_same_record(a, b, name="record"):
    """Two records are the same, bit by bit; their fields may be numbers, arrays, tuples of them, or other records."""
    assert type(a) is type(b), name
    if is_dataclass(a):
        for f in fields(a):
            assert_same_record(getattr(a, f.name), getattr(b, f.name), f"{name}.{f.name}")
    elif isinstance(a, tuple):
        assert len(a) == len(b), name
        for number, (one, other) in enumerate(zip(a, b, strict=True)):
            assert_same_record(one, other, f"{name}[{number}]")
    else:
        assert_same_bits({name: np.asarray(a)}, {name: np.asarray(b)})


def assert_close(a, b, tolerance):
    """Two dictionaries of arrays agree, each entry relative to the largest of its array; words must be equal."""
    assert a.keys() == b.keys()
    for name, value in a.items():
        assert_near(value, b[name], tolerance, name)


def assert_near(a, b, tolerance, name="", *, smallest=1e-300):
    """Two arrays agree relative to the largest entry (or `smallest`, if that is larger); NaN and ∞ stand in the same places."""
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape, name
    if a.dtype.kind != "f":
        assert np.array_equal(a, b), name
        return
    finite = np.isfinite(b)
    assert np.array_equal(a[~finite], b[~finite], equal_nan=True), f"{name}: other cells are missing or infinite"
    size = np.abs(b[finite]).max(initial=smallest)
    error = np.abs(a[finite] - b[finite]).max(initial=0.0) / size
    assert error <= tolerance, f"{name}: relative difference {error:.3g}, allowed {tolerance:.3g}"


# ---- files -----------------------------------------------------------------------------------------------------------


def arrow_table(data, *, null=False):
    """The table as pyarrow's, its missing cells NaN or null."""
    import pyarrow as pa

    columns = {f"x{j}": pa.array(data.X[:, j], from_pandas=null) for j in range(data.X.shape[1])}
    if data.y is not None:
        columns["target"] = data.y
    return pa.table({**columns, "weight": data.weight})


def written(data, path, row_group_size=None, *, null=False):
    """The table as a file, Parquet or CSV by the name of the path."""
    from pyarrow import csv, parquet

    if path.suffix == ".parquet":
        parquet.write_table(arrow_table(data, null=null), path, row_group_size=row_group_size)
    else:
        csv.write_csv(arrow_table(data, null=null), path)
    return path


def opened(data, path, *, weighted=False):
    """The rows of a file that `written` wrote."""
    features = [f"x{j}" for j in range(data.X.shape[1])]
    target = None if data.y is None else "target"
    return aprendiz.rows(path, target=target, weight="weight" if weighted else None, columns=features)

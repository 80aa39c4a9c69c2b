"""Tables in files: what can be opened, what is read, and how little of it is held."""

import gzip
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import dask.dataframe
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from laws.conftest import short_blocks  # noqa: F401  a fixture
from ways import PASSES, distinct

import aprendiz

from aprendiz import AdaBoostClassifier, KMeans, KNeighborsClassifier, LinearRegression, LogisticRegression, PCA, StandardScaler  # isort: skip
from aprendiz.core.learner import OnePass
from aprendiz.core.rows import block_rows

N = 1000


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 3))
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    table["y"] = X @ [1.0, -2.0, 0.5] + rng.normal(size=N)
    table["kind"] = np.where(table["y"] > 0, "up", "down")
    table["w"] = rng.integers(1, 4, size=N).astype(float)
    return table


def write(frame, path, **options):
    """Write a table as the ending of the path says."""
    name = path.name
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), path, **options)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    else:
        frame.to_csv(path, index=False)
    return path


def values(rows):
    """Everything that some rows hold: X, y, weight."""
    blocks = list(rows.blocks())
    return tuple(
        None if getattr(blocks[0], part) is None else np.concatenate([getattr(b, part) for b in blocks])
        for part in ("X", "y", "weight")
    )


KINDS = ["t.parquet", "t.csv", "t.csv.gz"]


# ---- what is read ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_columns_in_the_order_of_the_file(frame, tmp_path, name):
    """By default the features are all columns but target and weight, in the order of the file; numbers arrive exactly."""
    rows = aprendiz.rows(write(frame.drop(columns="kind"), tmp_path / name), target="y", weight="w")
    X, y, weight = values(rows)
    assert list(rows.names) == ["a", "b", "c"]
    assert rows.columns == 3
    assert np.array_equal(X, frame[["a", "b", "c"]])  # repr of a float64 reads back to the same bits
    assert np.array_equal(y, frame["y"])
    assert np.array_equal(weight, frame["w"])


@pytest.mark.parametrize("name", KINDS)
def test_chosen_columns_in_the_order_asked_for(frame, tmp_path, name):
    """Chosen columns come in the order in which they were asked for, and words elsewhere do not disturb."""
    rows = aprendiz.rows(write(frame, tmp_path / name), columns=["c", "a"], target="y")
    X, y, weight = values(rows)
    assert list(rows.names) == ["c", "a"]
    assert np.array_equal(X, frame[["c", "a"]])
    assert np.array_equal(y, frame["y"])
    assert weight is None


@pytest.mark.parametrize("name", KINDS)
def test_number_of_rows(frame, tmp_path, name):
    """Parquet knows its number of rows; CSV does not and says None. Both say it in their representation."""
    rows = aprendiz.rows(write(frame.drop(columns="kind"), tmp_path / name), target="y")
    assert rows.count == (N if name.endswith("parquet") else None)
    assert name in repr(rows)
    assert "'y'" in repr(rows)


@pytest.mark.parametrize("name", KINDS)
def test_target_of_words(frame, tmp_path, name):
    """A target of words is learned as classes, with the words as labels."""
    rows = aprendiz.rows(write(frame, tmp_path / name), columns=["a", "b", "c"], target="kind")
    model = LogisticRegression().fit(rows)
    same = LogisticRegression().fit(frame[["a", "b", "c"]].to_numpy(), frame["kind"].to_numpy(str))
    assert model.classes_.tolist() == ["down", "up"]
    np.testing.assert_allclose(model.coef_, same.coef_, rtol=1e-10)


@pytest.mark.parametrize("name", KINDS)
def test_target_of_numbers(frame, tmp_path, name):
    """A target of whole numbers is learned as classes by a classifier and as numbers by a regressor."""
    frame["kind"] = (frame["y"] > 0).astype(int)
    rows = aprendiz.rows(write(frame, tmp_path / name), columns=["a", "b"], target="kind")
    assert LogisticRegression().fit(rows).classes_.tolist() == [0, 1]
    X = frame[["a", "b"]].to_numpy()
    np.testing.assert_allclose(
        LinearRegression().fit(rows).coef_, LinearRegression().fit(X, frame["kind"].to_numpy()).coef_, rtol=1e-10
    )


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_words_that_begin_like_numbers(tmp_path, name):
    """A target whose first megabyte reads as numbers and then holds a word is either words throughout or refused by column."""
    frame = pd.DataFrame({"a": np.arange(200_000.0), "kind": ["1", "2"] * 99_999 + ["2", "three"]})
    rows = aprendiz.rows(write(frame, tmp_path / name), target="kind")
    try:
        found = str(LogisticRegression().fit(rows).classes_.tolist())
    except ValueError as error:
        found = str(error)
    assert found == "['1', '2', 'three']" or ("'kind'" in found and "three" in found)


@pytest.mark.parametrize("name", KINDS)
def test_weights_count(frame, tmp_path, name):
    """Rows of weight w count w times."""
    rows = aprendiz.rows(write(frame, tmp_path / name), columns=["a", "b", "c"], weight="w")
    times = frame.loc[frame.index.repeat(frame["w"].astype(int)), ["a", "b", "c"]].to_numpy()
    np.testing.assert_allclose(StandardScaler().fit(rows).mean_, times.mean(axis=0), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(PCA().fit(rows).explained_variance_, PCA().fit(times).explained_variance_, rtol=1e-10)


@pytest.mark.parametrize("kind", ["int8", "int64", "uint16", "float32", "bool"])
def test_kinds_of_numbers(tmp_path, kind):
    """Whole numbers, short floats and truth values are read as the numbers they are."""
    column = np.arange(100).astype(kind)
    table = pa.table({"a": pa.array(column), "b": np.arange(100.0)})
    pq.write_table(table, tmp_path / "t.parquet")
    X, _, _ = values(aprendiz.rows(tmp_path / "t.parquet"))
    assert np.array_equal(X[:, 0], column.astype(float))
    assert X.dtype == np.float64


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_header_alone_is_no_table(tmp_path, name):
    """A CSV with a header and no rows is refused: there is nothing to learn from."""
    path = write(pd.DataFrame({"a": [], "b": []}), tmp_path / name)
    with pytest.raises(ValueError, match=r"0 rows|no rows|empty") as error:
        StandardScaler().fit(aprendiz.rows(path))
    assert name in str(error.value)


# ---- several files ---------------------------------------------------------------------------------------------------


@pytest.fixture(params=["parquet", "csv", "csv.gz"])
def parts(request, frame, tmp_path):
    """Three files of unequal length in a folder, and a file of another kind among them."""
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, (start, stop) in enumerate([(0, 100), (100, 750), (750, N)]):
        write(frame.iloc[start:stop], folder / f"part-{number}.{request.param}")
    (folder / "README.txt").write_text("three parts of one table")
    return folder, request.param


def test_folder_pattern_and_list(frame, parts):
    """A folder, a pattern and a list of files are one table, the files in the order of their names or of the list."""
    folder, kind = parts
    files = sorted(str(f) for f in folder.glob("part-*"))
    for path in (folder, str(folder), f"{folder}/part-*.{kind}", files, [Path(f) for f in files]):
        X, _, _ = values(aprendiz.rows(path, columns=["a", "b", "c"]))
        assert np.array_equal(X, frame[["a", "b", "c"]])
    X, _, _ = values(aprendiz.rows(files[::-1], columns=["a"]))
    turned = pd.concat([frame.iloc[750:], frame.iloc[100:750], frame.iloc[:100]])
    assert np.array_equal(X, turned[["a"]])


def test_parts_have_the_bits_of_the_whole(frame, parts, tmp_path):
    """Blocks run across the files: several files give the bits of one."""
    folder, kind = parts
    whole = write(frame, tmp_path / f"whole.{kind}")
    one, many = (PCA().fit(aprendiz.rows(path, columns=["a", "b", "c"])) for path in (whole, folder))
    assert np.array_equal(one.components_, many.components_)
    assert np.array_equal(one.mean_, many.mean_)


def test_files_in_capitals(frame, tmp_path):
    """The ending of a name may be in capitals."""
    write(frame[["a", "b"]], tmp_path / "T.parquet").rename(tmp_path / "T.PARQUET")
    assert aprendiz.rows(tmp_path / "T.PARQUET").columns == 2
    assert aprendiz.rows(tmp_path).columns == 2


# ---- blocks ----------------------------------------------------------------------------------------------------------


def wide(rows=2300, columns=300):
    return np.random.default_rng(3).normal(size=(rows, columns))


@pytest.mark.parametrize("groups", [37, 512, 10_000])
def test_blocks_do_not_depend_on_row_groups(tmp_path, groups):
    """Blocks have the boundaries, the layout and the numbers that they have for an array."""
    X = wide()
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    rows = aprendiz.rows(write(frame, tmp_path / "t.parquet", row_group_size=groups))
    size = block_rows(X.shape[1])
    blocks = list(rows.blocks())
    assert [b.start for b in blocks] == list(range(0, len(X), size))
    for block in blocks:
        assert block.X.flags.c_contiguous
        assert not block.X.flags.writeable
        assert np.array_equal(block.X, X[block.numbers])


def test_read_again_and_again(frame, tmp_path):
    """Every pass reads the file from the start; a pass that was given up half-way does not matter."""
    rows = aprendiz.rows(write(frame[["a"]], tmp_path / "t.parquet"))
    next(rows.blocks())
    assert np.array_equal(values(rows)[0], values(rows)[0])


def test_predictions_from_files(frame, tmp_path):
    """A fitted learner predicts the rows of a file; a transformer maps them for the next learner as they are read."""
    for name in KINDS:
        path = write(frame, tmp_path / name)
        rows = aprendiz.rows(path, columns=["a", "b", "c"], target="y")
        X = frame[["a", "b", "c"]].to_numpy()
        model = LinearRegression().fit(X, frame["y"])
        np.testing.assert_allclose(model.predict(rows), model.predict(X), rtol=1e-12, atol=1e-13)
        scaler = StandardScaler().fit(rows)
        scaled = LinearRegression().fit(scaler.transform(rows))
        np.testing.assert_allclose(scaled.coef_, model.coef_ * scaler.scale_, rtol=1e-9)


@pytest.mark.parametrize("name", KINDS)
def test_missing_cells_are_for_those_who_allow_them(frame, tmp_path, name):
    """The scaler leaves missing cells out; every other learner names column and row."""
    frame.loc[[4, 500], "b"] = np.nan
    rows = aprendiz.rows(write(frame, tmp_path / name), columns=["a", "b", "c"], target="y")
    scaler = StandardScaler().fit(rows)
    np.testing.assert_allclose(scaler.mean_, frame[["a", "b", "c"]].mean(), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(scaler.var_, frame[["a", "b", "c"]].var(ddof=0), rtol=1e-12)
    for cls in (LinearRegression, PCA, KMeans):
        with pytest.raises(ValueError, match="missing") as error:
            cls().fit(rows)
        message = str(error.value)
        assert name in message
        assert "'b'" in message
        assert "row 4" in message


def test_scaled_rows_may_still_miss_cells(frame, tmp_path):
    """Rows that a scaler has passed on still miss their cells: the next learner refuses them rather than learn from NaN."""
    frame.loc[4, "b"] = np.nan
    rows = aprendiz.rows(write(frame, tmp_path / "t.parquet"), columns=["a", "b", "c"])
    scaler = StandardScaler().fit(rows)
    with pytest.raises(ValueError, match=r"missing|NaN"):
        PCA().fit(scaler.transform(rows))


# ---- refusals --------------------------------------------------------------------------------------------------------


def test_unknown_columns(frame, tmp_path):
    """A name that is no column is refused with its role, the file and the columns that there are."""
    path = write(frame, tmp_path / "t.parquet")
    for role, options in {
        "target": {"target": "Y"},
        "weight": {"weight": "Y"},
        "columns": {"columns": ["a", "Y"]},
    }.items():
        with pytest.raises(ValueError, match=role) as error:
            aprendiz.rows(path, **options)
        for part in ("'Y'", "t.parquet", "'a'", "'kind'"):
            assert part in str(error.value)


def test_no_features_left(frame, tmp_path):
    """A table of a target alone has nothing to learn from."""
    with pytest.raises(ValueError, match="no column is left") as error:
        aprendiz.rows(write(frame[["y"]], tmp_path / "t.parquet"), target="y")
    assert "t.parquet" in str(error.value)


def test_target_among_the_features(frame, tmp_path):
    """A target that is also a feature would be learned from itself: refused by its name."""
    path = write(frame, tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="'y'"):
        aprendiz.rows(path, target="y", columns=["a", "y"])
    with pytest.raises(ValueError, match="'a'"):
        aprendiz.rows(path, columns=["a", "b", "a"])


def test_different_kinds(frame, tmp_path):
    """Parquet and CSV together are refused; so is a name that says neither."""
    files = [write(frame, tmp_path / "a.parquet"), write(frame, tmp_path / "b.csv")]
    with pytest.raises(ValueError, match=r"csv, parquet"):
        aprendiz.rows(files)
    (tmp_path / "table.xlsx").write_bytes(b"")
    with pytest.raises(ValueError, match=r"table\.xlsx.*\.parquet.*\.csv"):
        aprendiz.rows(tmp_path / "table.xlsx")


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_files_that_do_not_fit_together(frame, tmp_path, kind):
    """Files with different columns are refused, with the names of both files."""
    files = [write(frame, tmp_path / f"one.{kind}"), write(frame.rename(columns={"b": "B"}), tmp_path / f"two.{kind}")]
    with pytest.raises(ValueError, match="columns") as error:
        aprendiz.rows(files)
    for name in ("one", "two"):
        assert f"{name}.{kind}" in str(error.value)


def test_infinite_cell(frame, tmp_path):
    """An infinite cell is refused with file, column and row, by every learner."""
    frame.loc[77, "c"] = -np.inf
    rows = aprendiz.rows(write(frame, tmp_path / "t.parquet"), columns=["a", "b", "c"])
    with pytest.raises(ValueError, match="inf") as error:
        StandardScaler().fit(rows)
    for part in ("t.parquet", "'c'", "row 77"):
        assert part in str(error.value)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(("weight", "shown"), [(-1.0, "-1"), (np.nan, "missing"), (np.inf, "inf")])
def test_bad_weights(frame, tmp_path, name, weight, shown):
    """A weight below 0, missing or infinite is refused with column and row."""
    frame.loc[12, "w"] = weight
    rows = aprendiz.rows(write(frame, tmp_path / name), columns=["a"], weight="w")
    with pytest.raises(ValueError, match=shown) as error:
        StandardScaler().fit(rows)
    for part in (name, "'w'", "row 12"):
        assert part in str(error.value)


@pytest.mark.parametrize("cls", [StandardScaler, PCA, KMeans])
def test_weights_all_zero(frame, tmp_path, cls):
    """Rows that all have weight 0 are refused, as they are in memory."""
    frame["w"] = 0.0
    rows = aprendiz.rows(write(frame, tmp_path / "t.parquet"), columns=["a", "b"], weight="w")
    with pytest.raises(ValueError, match=r"zero|positive"):
        cls().fit(rows)


def test_bad_cell_in_a_later_file(frame, tmp_path):
    """The file and the row within it are named."""
    files = [write(frame, tmp_path / "one.parquet"), tmp_path / "two.parquet"]
    frame.loc[3, "a"] = np.nan
    write(frame, files[1])
    with pytest.raises(ValueError, match=r"two\.parquet.*'a'.*row 3"):
        PCA().fit(aprendiz.rows(files, columns=["a", "b"]))


def test_target_and_weights_belong_to_the_rows(frame, tmp_path):
    """y or sample_weight beside opened rows is refused with the remedy."""
    rows = aprendiz.rows(write(frame, tmp_path / "t.parquet"), columns=["a"])
    with pytest.raises(TypeError, match="target="):
        LinearRegression().fit(rows, frame["y"])
    with pytest.raises(TypeError, match="weight="):
        StandardScaler().fit(rows, sample_weight=frame["w"])


def test_without_a_target(frame, tmp_path):
    """A learner that needs y says how to name it."""
    rows = aprendiz.rows(write(frame, tmp_path / "t.parquet"), columns=["a"])
    for cls in (LinearRegression, LogisticRegression):
        with pytest.raises(ValueError, match="target="):
            cls().fit(rows)


def test_regression_on_words(frame, tmp_path):
    """A regressor refuses a target of words and shows one."""
    rows = aprendiz.rows(write(frame, tmp_path / "t.parquet"), columns=["a"], target="kind")
    with pytest.raises(ValueError, match=r"'up'|'down'"):
        LinearRegression().fit(rows)


def test_regression_target_missing_as_nan(frame, tmp_path):
    """A target of NaN (no null, but no number either) is refused with its column and row."""
    frame.loc[9, "y"] = np.nan
    table = pa.table({"a": frame["a"].to_numpy(), "y": pa.array(frame["y"].to_numpy(), from_pandas=False)})
    pq.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"'y'.*row 9"):
        LinearRegression().fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))


# ---- memory ----------------------------------------------------------------------------------------------------------

ROWS, COLUMNS = 160_000, 50  # 64 MB of float64
LIMIT = 46  # MB that a fit may add; blocks on their way take half of it whatever the table, and a copy of it would take more
ALLOWED = 62  # MB that the system gives to a fit: less than the file

# A process that has imported everything, with blocks, samples and pieces of a quarter of the usual size: what a fit takes
# whatever the table is a quarter too. For each line, a name and a path, it fits the learner to a small file, which loads
# libraries and kernels, gives back what that took, and forks a child that does so too, then fits to the large one, and says by
# how many MB the peak of its memory has grown.
MEASURE = """
import contextlib, ctypes, os, resource, signal, sys, traceback, warnings
import numpy as np, pyarrow.parquet, scipy.linalg
import aprendiz
from aprendiz import *
from aprendiz.cluster import k_means
from aprendiz.cluster.centroids import random_batches
from aprendiz.core import rows as core_rows
from aprendiz.linear import erm_hyperplane, logistic_regression
from aprendiz.linear.solvers import best_cut
from aprendiz.tree.shared import decision_tree
from aprendiz.tree.growth import sampled_codes
warnings.simplefilter("ignore")
small, allowed = sys.argv[1], int(sys.argv[2]) * 1_000_000
columns = [f"x{j}" for j in range(50)]
gathered = decision_tree.GATHERED
give_back = getattr(ctypes.CDLL(None), "malloc_trim", abs)
for module, name in (
    (core_rows, "CELLS_OF_A_BLOCK"), (k_means, "SAMPLE"), (random_batches, "SMALLEST_SAMPLE"), (erm_hyperplane, "POOL"),
    (logistic_regression, "SAMPLE"), (best_cut, "TOGETHER"), (sampled_codes, "SAMPLE"),
):
    setattr(module, name, getattr(module, name) // 4)
learners = {
    "StandardScaler": (StandardScaler(), None), "PCA": (PCA(5), None), "LinearRegression": (LinearRegression(), "y"),
    "LogisticRegression": (LogisticRegression(max_iter=1, tol=1.0), "kind"),
    "KMeans": (KMeans(4, init=np.linspace(-1, 1, 4)[:, None].repeat(50, axis=1), max_iter=1, tol=1e3), None),
    "GaussianMixture": (GaussianMixture(max_iter=1), None), "MixtureModel": (MixtureModel(n_components=1, max_iter=1), None),
    "FuzzyCMeans": (FuzzyCMeans(4, init=np.linspace(-1, 1, 4)[:, None].repeat(50, axis=1), max_iter=1), None),
    "MiniBatchKMeans": (MiniBatchKMeans(4, batch_size=256, max_iter=1, random_state=0), None),
    "SampledKMedoids": (SampledKMedoids(4, n_draws=1, sample_size=60, random_state=0), None),
    "MinMaxScaler": (MinMaxScaler(), None), "RobustScaler": (RobustScaler(), None), "Ridge": (Ridge(), "y"),
    "SimpleImputer": (SimpleImputer(strategy="median"), None), "RidgeCV": (RidgeCV(), "y"),
    "Perceptron": (Perceptron(max_iter=1), "kind"), "DeltaRule": (DeltaRule(max_iter=1), "kind"),
    "SGDClassifier": (SGDClassifier(max_iter=1), "kind"), "SGDRegressor": (SGDRegressor(max_iter=1), "y"),
    "GaussianNB": (GaussianNB(), "kind"), "CategoricalNB": (CategoricalNB(), "kind"),
    "BernoulliNB": (BernoulliNB(), "kind"), "ComplementNB": (ComplementNB(), "kind"),
    "MultinomialNB": (MultinomialNB(), "kind"), "NaiveBayes": (NaiveBayes(), "kind"),
    "BayesianNetwork": (BayesianNetwork(prior="k2"), None), "ChowLiuTree": (ChowLiuTree(), None),
    "HillClimbing": (HillClimbing(max_iter=1), None), "PCStable": (PCStable(max_conditioning=0), None),
    "TreeAugmentedNaiveBayes": (TreeAugmentedNaiveBayes(), "kind"),
    "Lasso": (Lasso(), "y"), "ElasticNet": (ElasticNet(), "y"),
    "LassoCV": (LassoCV(alphas=5), "y"), "ElasticNetCV": (ElasticNetCV(alphas=5), "y"),
    "BasisExpansion": (BasisExpansion(degree=1), None), "OutlierFilter": (OutlierFilter(), None), "CurveFit": (CurveFit(), "y"),
    "StollerCut": (StollerCut(), "kind"), "FisherDiscriminant": (FisherDiscriminant(), "kind"),
    "ERMHyperplane": (ERMHyperplane(20), "kind"),
    "LeastSquaresClassifier": (LeastSquaresClassifier(), "kind"), "LinearMachine": (LinearMachine(), "kind"),
    "LinearDiscriminant": (LinearDiscriminant(), "kind"),
    "QuadraticDiscriminantAnalysis": (QuadraticDiscriminantAnalysis(), "kind"),
    "LinearDiscriminantAnalysis": (LinearDiscriminantAnalysis(), "kind"),
    "RegularizedDiscriminantAnalysis": (RegularizedDiscriminantAnalysis(), "kind"),
    "DiagonalDiscriminantAnalysis": (DiagonalDiscriminantAnalysis(), "kind"), "NearestMean": (NearestMean(), "kind"),
    "NearestCentroid": (NearestCentroid(), "kind"), "NearestShrunkenCentroids": (NearestShrunkenCentroids(), "kind"),
    "DecisionTreeClassifier": (DecisionTreeClassifier(max_depth=2), "kind"), "ID3": (ID3(max_depth=1), "kind"),
    "DecisionTreeRegressor": (DecisionTreeRegressor(max_depth=1), "y"),
    "LogisticRegressionCV": (LogisticRegressionCV(Cs=1, cv=2, max_iter=1, tol=1.0), "kind"),
    "LinearSVC": (LinearSVC(max_iter=1), "kind"), "LinearSVR": (LinearSVR(max_iter=1), "y"),
    "Nystroem": (Nystroem(n_components=20, random_state=0), None),
    "RBFSampler": (RBFSampler(n_components=20, random_state=0), None),
    "NMF": (NMF(2, max_iter=1), None), "MiniBatchNMF": (MiniBatchNMF(2, max_iter=1), None),
    "TruncatedSVD": (TruncatedSVD(2), None),
    "MLPClassifier": (MLPClassifier((8,), max_iter=1), "kind"),
    "MLPRegressor": (MLPRegressor(hidden_layer_sizes=(8,), max_iter=1), "y"),
    "Autoencoder": (Autoencoder((8,), max_iter=1), None),
    "VarianceThreshold": (VarianceThreshold(), None), "SelectKBest": (SelectKBest(k=2), "kind"),
    "GenericUnivariateSelect": (GenericUnivariateSelect(mode="k_best", param=2), "kind"),
    "VariableRanking": (VariableRanking(keep=2), "kind"),
}
class Hoarder(StandardScaler):  # what must not pass
    def fit(self, rows):
        self.blocks = [block.X.astype(np.float32) for block in rows.blocks()]
learners["Hoarder"] = Hoarder(), None
def suited(model, X):  # codes 0, 1, 2, … for learners of categories
    return np.abs(np.round(X)) if model.__sklearn_tags__().input_tags.positive_only else X
def fit(name, path):
    model, target = learners[name]  # a KeyError: a learner that is not measured
    model.fit(aprendiz.rows(path, columns=columns, target=target).map(lambda X: suited(model, X)))
def status(entry):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(entry))
def warm_up(name, threads):
    os.environ["APRENDIZ_NUM_THREADS"] = threads
    decision_tree.GATHERED = 0  # few rows would be gathered; many become codes, with kernels of their own
    fit(name, small)
    decision_tree.GATHERED = gathered
    give_back(0)
def growth(name, path):
    warm_up(name, "2")
    resource.setrlimit(resource.RLIMIT_DATA, (status("VmData") + allowed,) * 2)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # from here on, the peak
    before, mapped = status("VmRSS"), status("RssFile")
    fit(name, path)
    libraries = max(0, status("RssFile") - mapped)  # how much of them is mapped at once depends on how they were installed
    return (status("VmHWM") - before - libraries) / 2**20
def answer(name, path):
    signal.alarm(600)
    try:
        print(growth(name, path), flush=True)
    except BaseException as error:
        traceback.print_exc()
        print(repr(error).replace(chr(10), " "), flush=True)
for line in sys.stdin:
    name, path = line.split()
    with contextlib.suppress(Exception):  # the child says what is wrong
        warm_up(name, "1")
    child = os.fork()
    if child == 0:
        answer(name, path)
        os._exit(0)
    if ended := os.waitpid(child, 0)[1]:
        print(f"ended by signal {ended}", flush=True)
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """The same 64 MB of numbers as one row group and as many; a few of the rows; and what measures fits to them."""
    folder = tmp_path_factory.mktemp("large")
    part = np.random.default_rng(0).normal(size=(ROWS // 10, COLUMNS))
    y = part[:, 0] + np.random.default_rng(1).normal(size=len(part))
    columns = {f"x{j}": pa.array(part[:, j]) for j in range(COLUMNS)} | {
        "y": pa.array(y),
        "kind": pa.array((y > 0).astype(int)),
    }
    piece = pa.table(columns)
    whole = pa.concat_tables([piece] * 10)
    options = {"use_dictionary": False, "compression": "none", "write_statistics": False, "data_page_size": 2**16}
    pq.write_table(whole, folder / "one.parquet", row_group_size=ROWS, **options)
    pq.write_table(whole, folder / "many.parquet", row_group_size=5_000, **options)
    pq.write_table(piece.slice(0, 300), folder / "small.parquet")
    command = [sys.executable, "-c", MEASURE, folder / "small.parquet", str(ALLOWED)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield folder, process
        process.stdin.close()
    for file in folder.iterdir():
        file.unlink()


def measured(process, name, path):
    """By how many MB the peak of memory grows in a fit, in a process of its own."""
    process.stdin.write(f"{name} {path}\n")
    process.stdin.flush()
    said = process.stdout.readline().strip()
    assert re.fullmatch(r"-?[0-9.]+", said), f"{name}: {said}"
    return float(said)


ALL_FRUGAL = [cls for _, cls in aprendiz.all_learners() if "memory" not in cls.exceptions]
ONE_PASS = {(cls.__module__.split(".")[1], cls.target): cls for cls in ALL_FRUGAL if issubclass(cls, OnePass)}
# the pass of one-pass learners is one and the same: one of each family and target; then a learner for each other way
FRUGAL = [*ONE_PASS.values(), *distinct([cls for cls in ALL_FRUGAL if not issubclass(cls, OnePass)], *PASSES)]


def above_the_limit(large, classes, groups):
    """The learners whose fit takes more than it may, or fails, with what was measured."""
    folder, process = large
    path = folder / f"{groups}.parquet"
    assert path.stat().st_size > 1.3 * LIMIT * 2**20
    assert path.stat().st_size > ALLOWED * 1_000_000
    assert pq.ParquetFile(path).num_row_groups == (1 if groups == "one" else 32)
    found = {cls.__name__: measured(process, cls.__name__, path) for cls in classes}
    above = {name for name, growth in found.items() if growth >= LIMIT}  # again: kernels may have been compiled meanwhile
    return {name: growth for name in above if (growth := measured(process, name, path)) >= LIMIT}


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="the peak of memory is read from /proc")
@pytest.mark.parametrize("target", ["none", "numbers", "classes"])
def test_memory(large, target):
    """A file of 64 MB in one row group is fitted where the system allows 62 MB more, and takes less."""
    assert not above_the_limit(large, [cls for cls in FRUGAL if cls.target == target], "one")


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="the peak of memory is read from /proc")
def test_memory_of_many_row_groups(large):
    """So is one of many row groups, which the reader alone tells apart: a learner of each family, and of each target."""
    some = {key: cls for cls in reversed(FRUGAL) for key in (cls.__module__.split(".")[1], cls.target)}
    assert not above_the_limit(large, set(some.values()), "many")


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="the peak of memory is read from /proc")
def test_a_table_that_is_held_is_noticed(large):
    """A learner that keeps the rows, even as short floats, is above the limit."""
    folder, process = large
    assert measured(process, "Hoarder", folder / "many.parquet") > LIMIT


@pytest.mark.parametrize("weighted", [False, True])
def test_score_of_opened_rows(tmp_path, weighted):
    """Opened rows bring their target and weights to `score`; without a target the remedy is named."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 2)), columns=["a", "b"])
    frame["y"] = frame.a - frame.b + rng.normal(size=300)
    frame["kind"] = np.where(frame.y > 0, "up", "down")
    frame["w"] = rng.integers(1, 4, size=300).astype(float)
    frame.to_parquet(tmp_path / "t.parquet")
    weight, given = ("w", frame.w) if weighted else (None, None)
    for learner, target in ((aprendiz.LinearRegression(), "y"), (aprendiz.LogisticRegression(), "kind")):
        rows = aprendiz.rows(tmp_path / "t.parquet", target=target, weight=weight, columns=["a", "b"])
        model = learner.fit(rows)
        assert model.score(rows) == pytest.approx(model.score(frame[["a", "b"]], frame[target], given), rel=1e-12)
        with pytest.raises(ValueError, match="no target to compare with: open them with one"):
            model.score(aprendiz.rows(tmp_path / "t.parquet", columns=["a", "b"]))


def test_whole_labels_stay_whole(tmp_path):
    """Labels that are whole numbers in a CSV file are whole numbers in `classes_`; a target of numbers stays one."""
    frame = pd.DataFrame({"a": np.arange(20.0), "y": np.arange(20) % 2})
    frame.to_csv(tmp_path / "t.csv", index=False)
    model = LogisticRegression().fit(aprendiz.rows(tmp_path / "t.csv", target="y"))
    assert model.classes_.dtype == np.int64
    assert np.array_equal(model.classes_, LogisticRegression().fit(frame[["a"]], frame.y).classes_)


# ---- numbers that doubles do not hold --------------------------------------------------------------------------------------


LONG = 2**60 + np.arange(300)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet"])
def test_whole_numbers_that_doubles_round(tmp_path, name):
    """Refused in X and in a target of numbers, with column, row and value; as classes they stay different."""
    frame = pd.DataFrame({"a": np.arange(300.0) % 7, "id": LONG, "y": LONG[:2][np.arange(300) % 2]})
    path = write(frame, tmp_path / name)
    with pytest.raises(ValueError, match=rf"'id' holds the whole number {LONG[1]} in row 1, which a double would round"):
        StandardScaler().fit(aprendiz.rows(path, columns=["a", "id"]))
    with pytest.raises(ValueError, match=rf"y holds the whole number {LONG[1]} in row 1, which a double would round"):
        LinearRegression().fit(aprendiz.rows(path, columns=["a"], target="y"))
    model = LogisticRegression().fit(aprendiz.rows(path, columns=["a"], target="y"))
    assert model.classes_.tolist() == LONG[:2].tolist()


def test_whole_numbers_that_doubles_round_later(tmp_path, monkeypatch):
    """Also where they come after pieces of other numbers; large numbers that are written as floats are taken, as in memory."""
    monkeypatch.setattr("aprendiz.core.sources.files.PIECE", 1 << 10)
    cells = [str(number) for number in range(299)] + [str(2**60 + 1)]
    (tmp_path / "t.csv").write_text("\n".join(["a,y", *(f"{cell},{row % 3}" for row, cell in enumerate(cells))]))
    for learner, options in ((StandardScaler(), {"columns": ["a"]}), (LinearRegression(), {"target": "a"})):
        with pytest.raises(ValueError, match=rf"whole number {2**60 + 1} in row 299, which a double would round"):
            learner.fit(aprendiz.rows(tmp_path / "t.csv", **options))
    cells[:3] = ["0.5", "1e20", f"{2**60}"]
    cells[-1] = "1152921504606846977.0"
    (tmp_path / "t.csv").write_text("\n".join(["a", *cells]))
    assert StandardScaler().fit(aprendiz.rows(tmp_path / "t.csv")).n_samples_seen_ == 300


def test_labels_beyond_64_bits(tmp_path):
    """Refused: Arrow reads them as doubles, and two of them would be one class."""
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{row},{10**19 + 1 + row % 2}\n" for row in range(20)))
    with pytest.raises(ValueError, match=rf"'y' holds the whole number {10**19 + 1} in row 0"):
        LogisticRegression().fit(aprendiz.rows(tmp_path / "t.csv", target="y"))


def test_decimals(tmp_path):
    """Decimals are numbers, in X and in a target; whole ones that doubles round are refused."""
    prices = pa.array([Decimal(row) / 4 for row in range(40)], pa.decimal128(10, 2))
    ids = pa.array([Decimal(10**18 + 1 + row) for row in range(40)], pa.decimal128(19, 0))
    pq.write_table(pa.table({"price": prices, "id": ids, "y": prices}), tmp_path / "t.parquet")
    model = LinearRegression().fit(aprendiz.rows(tmp_path / "t.parquet", columns=["price"], target="y"))
    assert model.coef_ == pytest.approx([1.0])
    for options in ({"columns": ["id"]}, {"columns": ["price"], "target": "id"}):
        with pytest.raises(ValueError, match=rf"'id' holds the whole number {10**18 + 1} in row 0"):
            LinearRegression().fit(aprendiz.rows(tmp_path / "t.parquet", **{"target": "y", **options}))


SCALES = {
    "large y": ({"y": 1e200}, 250, "y holds 1e[+]200 in row 250: squares or sums .* Scale the target"),
    "small y": ({"y": 1e-160}, None, "y holds .*e-1.* in row .*, and nothing larger in size"),
    "large w": ({"w": 1e200}, 250, "sample_weight: with a weight, 1e[+]200 in row 250"),
    "small w": ({"w": 1e-200}, None, "sample_weight: with the largest weight, 1e-200 in row 0"),
}


@pytest.mark.parametrize("source", ["csv", "parquet", "dask"])
@pytest.mark.parametrize(("scales", "row", "said"), SCALES.values(), ids=list(SCALES))
def test_targets_and_weights_out_of_range(scales, row, said, source, tmp_path, short_blocks):  # noqa: F811
    """Refused as in memory, with the row: large ones as they come, small ones if nothing larger comes."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 2)), columns=["a", "b"]).assign(y=rng.normal(size=300), w=1.0)
    for name, scale in scales.items():
        frame.loc[slice(None) if row is None else row, name] = scale if row is not None else frame[name] * scale
    if source == "dask":
        cut = dask.dataframe.from_pandas(frame, npartitions=3)
        given = {"X": cut[["a", "b"]], "y": cut["y"], "sample_weight": cut["w"]}
    else:
        given = {"X": aprendiz.rows(write(frame, tmp_path / f"t.{source}"), target="y", weight="w")}
    with pytest.raises(ValueError, match=said):
        LinearRegression().fit(**given)
    with pytest.raises(ValueError, match=said):
        LinearRegression().fit(frame[["a", "b"]], frame["y"], frame["w"])


def test_zeros_come_first(tmp_path, short_blocks):  # noqa: F811
    """Targets and weights that are 0 in the first block are looked for in the others."""
    rng = np.random.default_rng(0)
    late = np.arange(300) >= 200
    frame = pd.DataFrame({"a": rng.normal(size=300), "y": rng.normal(size=300) * late, "w": late * 1.0})
    rows = aprendiz.rows(write(frame, tmp_path / "t.csv"), target="y", weight="w")
    same = LinearRegression().fit(frame[["a"]], frame["y"], frame["w"])
    np.testing.assert_allclose(LinearRegression().fit(rows).coef_, same.coef_, rtol=1e-10)


# ---- the first line of a CSV file ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["1,2\n3,4\n", "1.5,x\n3,y\n", "1990,1\n1991,2\n", "1,2\n", "-1e3,nan\n2,3\n"])
def test_first_row_is_not_taken_for_names(tmp_path, text):
    """Numbers above numbers are a row: it is read, with a warning that says how to settle it."""
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.warns(UserWarning, match="its first line holds numbers, so it is read as a row.*header=False"):
        rows = aprendiz.rows(path, columns=["x1"])
    assert values(rows)[0].ravel().tolist() == [float(line.split(",")[0]) for line in text.splitlines()]
    again = aprendiz.rows(path, columns=["x1"], header=False)
    assert np.array_equal(values(again)[0], values(rows)[0])
    assert aprendiz.rows(path, header=True).names == text.splitlines()[0].split(",")


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "1990,1991\n3,4\n", "0,1,2\n5,6,7\n", "a,2\n1,2\n", "x,y\nu,v\n"])
def test_names_are_names(tmp_path, text):
    """Words, years above other numbers, and the numbers that pandas gives; without a warning."""
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert aprendiz.rows(path).names == text.splitlines()[0].split(",")


def test_without_names_rows_are_counted_from_the_first_line(tmp_path):
    (tmp_path / "t.csv").write_text("1,2,u\n3,4,v\n5,word,u\n")
    rows = aprendiz.rows(tmp_path / "t.csv", columns=["x1", "x2"], target="x3", header=False)
    with pytest.raises(ValueError, match=r"column 'x2': row 2:.*'word'"):
        StandardScaler().fit(rows)


def test_header_of_parquet_and_nonsense(frame, tmp_path):
    with pytest.raises(ValueError, match=r"t\.parquet: Parquet files always have names"):
        aprendiz.rows(write(frame, tmp_path / "t.parquet"), header=False)
    with pytest.raises(ValueError, match="header='no' must be True, False or None"):
        aprendiz.rows(write(frame, tmp_path / "t.csv"), header="no")


@pytest.mark.parametrize("place", [0, 2])
def test_very_long_rows_are_refused(tmp_path, place):
    """Wherever one stands, none is left out: the file is refused."""
    lines = ["1,a\n", "2,b\n", "3,c\n"]
    lines[place] = "5," + "x" * 2_200_000 + "\n"
    (tmp_path / "t.csv").write_text("n,t\n" + "".join(lines))
    with pytest.raises(
        ValueError, match=r"t\.csv: a row is longer than 1 MiB; shorten its cells, or convert the file to Parquet"
    ):
        values(aprendiz.rows(tmp_path / "t.csv", columns=["n"]))


# ---- not enough memory -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [KNeighborsClassifier, AdaBoostClassifier, StandardScaler])
def test_not_enough_memory_in_words(frame, tmp_path, monkeypatch, cls):
    """What there was no room for, how large the table is, and what to do; the learner stays as it was."""
    rows = aprendiz.rows(write(frame, tmp_path / "t.parquet"), columns=["a", "b"], target="kind")
    model = cls().fit(rows)
    before = dict(vars(model))

    def full(self, *given):
        raise MemoryError("Unable to allocate 6.4 GiB")

    for name in ("each", "sum", "first"):
        monkeypatch.setattr("aprendiz.core.sources.files.FileRows." + name, full)
    monkeypatch.setattr(cls, "open", lambda self, *given: rows)
    with pytest.raises(MemoryError, match=r"Unable to allocate 6\.4 GiB.*1000 rows × 2 columns.*fewer rows") as error:
        model.fit(rows)
    assert str(error.value).startswith(cls.__name__)
    assert vars(model) == before

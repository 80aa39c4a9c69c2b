"""`cluster`: planted groups are found, none are invented, and what is written can be used."""

import csv
import json

import numpy as np
import pandas as pd
import pytest

import aprendiz
from aprendiz.core.columns import Columns
from aprendiz.lab import cluster, read
from aprendiz.lab.clustering.differences import differences
from aprendiz.lab.clustering.spread_columns import spread_columns, uniform
from aprendiz.lab.clustering.structure import Cloud, criterion, find_structure, within
from aprendiz.locale import language


def clouds(seed, rows=90, columns=4):
    """A normal cloud with correlated columns, a uniform one, a skewed one, and one of words."""
    rng = np.random.default_rng(seed)
    yield rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns))
    yield rng.uniform(size=(rows, columns))
    yield rng.exponential(size=(rows, columns)) * [1, 10, 100, 1000]
    yield rng.integers(0, 3, size=(rows, columns)).astype(float)


def three_groups(seed, rows=90):
    """Two columns in which the groups lie at the corners of a triangle with sides of six deviations, two without groups."""
    rng = np.random.default_rng(seed)
    labels = np.sort(rng.integers(0, 3, rows))
    corners = np.array([[0, 0], [6, 0], [3, 6 * np.sqrt(0.75)]])
    return np.column_stack([corners[labels] + rng.normal(size=(rows, 2)), rng.normal(size=(rows, 2))]), labels


def prepared(X):
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    return spread_columns(frame, Columns.of(frame))


def mixed(seed=0, rows=120):
    """Three groups in an age, a city and a missing cell now and then, with an identifier and a column without groups."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, rows)
    city = np.where(rng.random(rows) < 0.9, np.array(["Ávila", "León", "Soria"])[labels], "León")
    frame = pd.DataFrame({"age": np.array([25, 50, 75])[labels] + rng.normal(0, 4, rows), "city": city})
    frame["income"] = np.array([30, 10, 50])[labels] + rng.normal(0, 4, rows)
    frame["noise"] = rng.normal(size=rows)
    frame = frame.round(2).mask(rng.random((rows, 4)) < 0.03)
    frame.insert(0, "id", np.arange(1, rows + 1))
    return frame, labels


def same_partition(a, b):
    """The share of pairs of rows that both put together, or both apart."""
    return float(((np.subtract.outer(a, a) == 0) == (np.subtract.outer(b, b) == 0)).mean())


@pytest.fixture(scope="module", autouse=True)
def few_clouds():
    """Eight clouds of each kind are enough where the groups are far apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("aprendiz.lab.clustering.structure.CLOUDS", 8)
        yield


# ---- structure -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_invented(seed, monkeypatch):
    """With as many clouds as the laboratory draws."""
    monkeypatch.setattr("aprendiz.lab.clustering.structure.CLOUDS", 20)
    assert [find_structure(prepared(X)).k for X in clouds(seed)] == [1, 1, 1, 1]


@pytest.mark.parametrize("seed", range(3))
def test_planted_groups_are_found(seed):
    X, labels = three_groups(seed)
    found = find_structure(prepared(X * [1, 1000, 0.001, 1] + [0, 0, 1e6, 0]))
    assert found.k == 3
    assert same_partition(found.labels, labels) > 0.95


def test_criterion_is_wilks_lambda():
    """det(W + δT)/det((1 + δ)T), the same in all units."""
    X, labels = three_groups(0)
    Z = X - X.mean(axis=0)
    T = Z.T @ Z
    W = sum(np.cov(Z[labels == g].T, bias=True) * (labels == g).sum() for g in range(3))
    assert within(Z, labels)[1] == pytest.approx(W)
    wanted = np.log(np.linalg.det(W + 0.01 * T) / np.linalg.det(1.01 * T))
    assert criterion(Z, labels) == pytest.approx(wanted)
    assert criterion(Z @ np.diag([1.0, 1e3, 1e-3, 5.0]), labels) == pytest.approx(wanted)


@pytest.mark.parametrize("uniform_scores", [False, True])
def test_drawn_clouds_have_the_covariance(uniform_scores):
    X = three_groups(0)[0]
    cloud = Cloud.of(X)
    drawn = cloud.draw(np.random.default_rng(0), uniform_scores)
    assert drawn.T @ drawn == pytest.approx(cloud.scores.T @ cloud.scores, abs=1e-8)
    assert drawn.mean(axis=0) == pytest.approx(0, abs=1e-9)


def test_few_values_are_spread_evenly():
    """The distributional transform is uniform, and keeps the order."""
    rng = np.random.default_rng(0)
    codes = rng.choice(4, 2000, p=[0.6, 0.05, 0.05, 0.3])
    u = uniform(codes, rng)
    assert np.abs(np.sort(u) - (np.arange(2000) + 0.5) / 2000).max() < 0.03
    assert all(u[codes == a].max() <= u[codes == a + 1].min() for a in range(3))


# ---- the whole -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def grouped(tmp_path_factory):
    """A mixed table with its groups, everything written."""
    folder = tmp_path_factory.mktemp("groups")
    frame, labels = mixed()
    frame.to_csv(folder / "table.csv", index=False)
    found = cluster(read(folder / "table.csv"))
    found.write(folder / "out")
    return folder, found, labels


def test_groups_of_words_and_missing_cells(grouped):
    _folder, found, labels = grouped
    assert found.k == 3
    assert same_partition(found.labels.astype(int), labels) > 0.95
    sizes = [group["rows"] for group in found.numbers["groups"]]
    assert sizes == sorted(sizes, reverse=True)
    assert set(found.numbers["left_out"]) == {"id"}
    assert [one["method"] for one in found.numbers["methods"]["tried"]] == [
        *("KMeans", "GaussianMixture", "AgglomerativeClustering", "KMedoids")
    ]
    assert found.numbers["rules"]["right"] > 0.9
    assert {one["column"] for group in found.numbers["groups"] for one in group["differences"]} <= {"age", "city", "income"}


def test_rows_with_their_group(grouped):
    """groups.csv is the table with one more column; a model that is loaded puts the same rows into the same groups."""
    folder, found, _labels = grouped
    with (
        (folder / "table.csv").open(encoding="utf-8") as source,
        (folder / "out" / "groups.csv").open(encoding="utf-8") as written,
    ):
        before, after = list(csv.reader(source)), list(csv.reader(written))
    assert after[0] == [*before[0], "group"]
    assert [row[-1] for row in after[1:]] == found.labels.tolist()
    assert [row[0] for row in after] == [row[0] for row in before]
    model = aprendiz.load(folder / "out" / "model.apz")
    assert model.predict(folder / "table.csv").tolist() == found.labels.tolist()


def test_the_page_in_both_languages(grouped, tmp_path):
    folder, found, _labels = grouped
    english = (folder / "out" / "report.html").read_text(encoding="utf-8")
    assert "The table holds 3 groups." in english
    with language("es"):
        spanish = found.write(tmp_path / "es").read_text(encoding="utf-8")
    assert "La tabla contiene 3 grupos." in spanish
    assert "<script" not in english + spanish
    numbers = [json.loads((place / "results.json").read_text(encoding="utf-8")) for place in (folder / "out", tmp_path / "es")]
    assert numbers[0] == numbers[1]
    for key in ("criteria", "rows", "map", "silhouettes"):
        assert f'id="{key}-title"' in english


def test_differences_by_hand():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 10, np.nan, 12], "w": pd.Categorical(list("aababb"))})
    one, two = differences(frame, Columns.of(frame), np.array([0, 0, 0, 1, 1, 1]), 1)
    spread = np.std([1, 2, 3, 10, 12])
    assert (one["column"], one["group"], one["others"], one["size"]) == ("x", 11.0, 2.0, pytest.approx(9 / spread))
    assert (two["column"], two["level"]) == ("w", "b")
    assert (two["group"], two["others"], two["size"]) == pytest.approx((2 / 3, 1 / 3, 2 / 3))


# ---- one cloud, few rows, a number that was asked for ----------------------------------------------------------------------


def table_of(frame, folder):
    frame.to_csv(folder / "table.csv", index=False)
    return read(folder / "table.csv")


def test_one_cloud(tmp_path):
    """The page says so; neither groups nor a model are written. Cut by request, it says that too."""
    table = table_of(pd.DataFrame(next(iter(clouds(0))), columns=list("abcd")), tmp_path)
    found = cluster(table)
    page = found.write(tmp_path / "out")
    assert (found.k, found.labels, found.model()) == (1, None, None)
    assert "No groups were found" in page.read_text(encoding="utf-8")
    assert {file.name for file in page.parent.iterdir()} == {"report.html", "results.json"}
    cut = cluster(table, k=2, methods="KMeans")
    assert cut.k == 2
    assert "one cloud" in str(cut)


def test_one_column(tmp_path):
    rng = np.random.default_rng(0)
    table = table_of(pd.DataFrame({"x": np.r_[rng.normal(0, 1, 60), rng.normal(9, 1, 40)]}), tmp_path)
    found = cluster(table, methods="KMeans")
    assert (found.k, [group["rows"] for group in found.numbers["groups"]]) == (2, [60, 40])
    assert found.write(tmp_path / "out").is_file()


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame({"x": [1.5, 2.5, 4.0]}), "3 rows: too few"),
        (pd.DataFrame({"x": [1] * 30, "y": ["a"] * 30}), "No column is left"),
    ],
    ids=["three", "constant"],
)
def test_tables_without_an_answer(frame, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        cluster(table_of(frame, tmp_path))


def test_infinite_cells(tmp_path):
    pd.DataFrame({"x": [1.5, 2.5, np.inf] * 20}).to_parquet(tmp_path / "table.parquet")
    with pytest.raises(ValueError, match="infinity in row 3"):
        cluster(read(tmp_path / "table.parquet"))


def test_refusals(tmp_path):
    table = table_of(mixed(rows=30)[0], tmp_path)
    with pytest.raises(ValueError, match="no column 'nothing'"):
        cluster(table, leave_out=["nothing"])
    with pytest.raises(ValueError, match="no method 'DBSCAN'"):
        cluster(table, methods="DBSCAN")
    with pytest.raises(ValueError, match="31 groups cannot be made of 30"):
        cluster(table, k=31)


def test_stopped(grouped, tmp_path, monkeypatch):
    """Ctrl-C while the second method is fitted: the groups of the first are reported."""
    tried = []

    def fit(method, *given):
        from aprendiz.lab.clustering.methods import fit_method

        tried.append(method)
        if len(tried) == 2:
            raise KeyboardInterrupt
        return fit_method(method, *given)

    folder, _found, _labels = grouped
    monkeypatch.setitem(cluster.__globals__, "fit_method", fit)
    found = cluster(read(folder / "table.csv"), leave_out=["noise"])
    assert (found.k, found.numbers["stopped"], found.numbers["best"]) == (3, "interrupted", "KMeans")
    assert found.numbers["criteria"] is None
    assert "Stopped before the end" in found.write(tmp_path / "out").read_text(encoding="utf-8")

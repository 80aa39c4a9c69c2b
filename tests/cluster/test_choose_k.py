"""choose_k: each criterion by its definition, from fits with seeds of their own."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

import aprendiz
from aprendiz import ChoiceOfClusters, KMeans, MiniBatchKMeans, choose_k
from aprendiz.cluster.choose_k import below_chord, smallest_within, without_clusters

X = make_blobs(120, centers=3, random_state=3)[0]
NOTHING = np.random.default_rng(0).uniform(size=(150, 2))  # no clusters


@pytest.fixture(scope="module")
def choice():
    """Three blobs, and one to six clusters."""
    return choose_k(X, range(1, 7), criterion="gap", n_references=8, random_state=0)


class Rows:
    """A clusterer that only knows its own rows, without random_state: halves, thirds, … of the first column."""

    def __init__(self, n_clusters=2):
        self.n_clusters = n_clusters

    def get_params(self, deep=True):
        return {"n_clusters": self.n_clusters}

    def set_params(self, n_clusters):
        self.n_clusters = n_clusters
        return self

    def fit(self, X):
        self.labels_ = np.argsort(np.argsort(X[:, 0], kind="stable")) * self.n_clusters // len(X)
        return self


# ---- each criterion ----------------------------------------------------------------------------------------------------


def test_cost_and_silhouette(choice):
    """J is the inertia of k-means over n, the silhouette is scikit-learn's; k = 1 has none."""
    for k, J, s in zip(choice.ks, choice.cost, choice.silhouette, strict=True):
        model = KMeans(int(k), n_init=10, random_state=1).fit(X)
        if k <= 3:  # where the best partition is plain
            assert pytest.approx(model.inertia_ / len(X), rel=1e-9) == J
            if k > 1:
                assert s == pytest.approx(silhouette_score(X, model.labels_))
    assert np.isnan(choice.silhouette[0])
    assert (np.diff(choice.cost) < 0).all()


def test_three_clouds(choice):
    """On three separate clouds the silhouette and the gap choose 3."""
    assert choice.chosen["silhouette"] == choice.chosen["gap"] == choice.best_k == 3
    assert "bic" not in choice.chosen


def test_no_clusters():
    """Only the gap can answer 1."""
    choice = choose_k(NOTHING, range(1, 6), criterion="gap", random_state=0)
    assert choice.best_k == 1
    assert choice.chosen["silhouette"] > 1


def test_gap_by_definition():
    """Gap and s of (4) from the logarithms of the costs of each reference."""
    ks, references = [1, 2, 3], 4
    found = choose_k(X, ks, criterion="gap", n_references=references, model=Rows(), random_state=7)
    logs = []
    for b in range(references):
        table = without_clusters(X, 7, b)
        labels = [Rows(k).fit(table).labels_ for k in ks]
        logs.append([np.log(aprendiz.within_cluster_risk(table, one) / len(table)) for one in labels])
    own = [np.log(aprendiz.within_cluster_risk(X, Rows(k).fit(X).labels_) / len(X)) for k in ks]
    np.testing.assert_allclose(found.gap, np.mean(logs, axis=0) - own, rtol=1e-10)
    np.testing.assert_allclose(found.gap_error, np.std(logs, axis=0) * np.sqrt(1 + 1 / references), rtol=1e-10)


def test_references():
    """References fill the box of the principal axes: no further, and nearly so far."""
    table = X @ np.array([[1.0, 0.5], [0.0, 2.0]])
    drawn = np.concatenate([without_clusters(table, 0, b) for b in range(20)])
    axes = np.linalg.svd(table - table.mean(axis=0), full_matrices=False)[2]
    ours, theirs = ((rows - table.mean(axis=0)) @ axes.T for rows in (table, drawn))
    assert (theirs.min(axis=0) >= ours.min(axis=0) - 1e-9).all()
    assert (theirs.max(axis=0) <= ours.max(axis=0) + 1e-9).all()
    np.testing.assert_allclose(np.ptp(theirs, axis=0), np.ptp(ours, axis=0), rtol=0.02)


@pytest.mark.parametrize(
    ("gap", "error", "k"),
    [
        ([0.1, 0.5, 0.6, 0.65], [0.0, 0.0, 0.2, 0.0], 2),  # 0.5 ≥ 0.6 − 0.2
        ([0.1, 0.5, 0.4, 0.9], [0.0] * 4, 2),  # 0.5 ≥ 0.4
        ([0.5, 0.4, 0.3, 0.2], [0.0] * 4, 1),
        ([0.1, 0.2, 0.3, 0.4], [0.01] * 4, None),
    ],
)
def test_choice_by_gap(gap, error, k):
    """The smallest k whose gap is not below the next by more than its error; none where it always is."""
    assert smallest_within(np.arange(1, 5), np.array(gap), np.array(error)) == k


def test_elbow_by_hand():
    """J = 2⁹, 2³, 2, 1 for k = 1, 2, 3, 4: scaled (0, 1), (1/3, 1/3), (2/3, 1/9), (1, 0), depths 1/3 and 2/9 over √2."""
    depth = below_chord(np.arange(1, 5), np.array([512.0, 8.0, 2.0, 1.0]))
    np.testing.assert_allclose(depth, np.array([0, 1 / 3, 2 / 9, 0]) / np.sqrt(2), atol=1e-15)


def test_elbow_is_at_the_number_of_clouds():
    """Clouds far apart: the elbow is at their number, and where every row is a centre it is not disturbed."""
    for clouds in (3, 5, 7):
        centers = 10.0 * np.array([[j % 3, j // 3] for j in range(clouds)])
        Y = np.concatenate([c + np.random.default_rng(clouds).normal(size=(20, 2)) for c in centers])
        assert choose_k(Y, range(1, 11), criterion="elbow", random_state=0).best_k == clouds
    assert choose_k([[0.0], [0.1], [5.0], [5.1]], range(1, 5), criterion="elbow", random_state=0).best_k in (2, None)


def test_no_elbow():
    """A cost that halves each time, a flat one and a single k have no elbow."""
    known = {name: np.full(3, np.nan) for name in ("silhouette", "gap", "gap_error", "bic")}
    words = {"criterion": "elbow", "model": "KMeans", "rows": 9, "silhouette_rows": 9}
    for J in ([4.0, 2.0, 1.0], [1.0, 1.0, 1.0]):
        ks = np.arange(1, 4)
        choice = ChoiceOfClusters(ks=ks, cost=np.array(J), elbow=below_chord(ks, np.array(J)), **known, **words)
        assert choice.best_k is None
        assert str(choice).endswith("chosen k: elbow none")
    assert choose_k(X, [3], criterion="elbow", random_state=0).best_k is None


def test_bic():
    """A mixture has scikit-learn's BIC, and the smallest is chosen; also by `n_components`."""
    choice = choose_k(X, range(1, 5), criterion="bic", model=GaussianMixture(), random_state=0)
    assert choice.best_k == 3
    assert choice.bic[2] == pytest.approx(GaussianMixture(3, random_state=0).fit(X).bic(X), rel=1e-6)
    assert choice.model == "GaussianMixture"


# ---- models and tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [None, MiniBatchKMeans(), AgglomerativeClustering(), aprendiz.KMedoids()], ids=str)
def test_models(model):
    """Any clusterer with n_clusters, with labels or predictions; none is fitted by the call."""
    choice = choose_k(X, range(2, 5), model=model, random_state=0)
    assert choice.best_k == 3
    assert not hasattr(model, "labels_")
    assert choice.model == ("KMeans" if model is None else type(model).__name__)


def test_distances():
    """Of given distances J is the mean distance to the medoids; the silhouette is that of the rows."""
    D = cdist(X, X)
    choice = choose_k(D, [2, 3, 4], model=aprendiz.KMedoids(metric="precomputed"))
    rows = choose_k(X, [2, 3, 4], model=aprendiz.KMedoids())
    assert choice.best_k == 3
    np.testing.assert_allclose(choice.silhouette, rows.silhouette, rtol=1e-9)
    labels = aprendiz.KMedoids(3).fit(X).labels_
    assert choice.cost[1] == pytest.approx(aprendiz.within_cluster_risk(X, labels, "k-medoids") / len(X))
    with pytest.raises(ValueError, match="gap needs a dense table"):
        choose_k(D, [2, 3], criterion="gap", model=aprendiz.KMedoids(metric="precomputed"))


def test_sampled_silhouette(choice):
    """The silhouette of few rows is near that of all, and the record says how many they are."""
    some = choose_k(X, [3], sample_size=60, random_state=0)
    assert (some.rows, some.silhouette_rows) == (120, 60)
    assert some.silhouette[0] == pytest.approx(choice.silhouette[2], abs=0.05)
    assert "silhouettes of 60 of 120 rows" in str(some)
    assert "silhouettes of" not in str(choice)


def test_files_and_sparse(tmp_path):
    """Rows of a file, and a sparse table, give what the same rows give in memory."""
    np.savetxt(tmp_path / "t.csv", X, delimiter=",", header="a,b", comments="", fmt="%.17g")
    memory = choose_k(X, [2, 3], random_state=0)
    for table in (aprendiz.rows(tmp_path / "t.csv"), sparse.csr_array(X)):
        other = choose_k(table, [2, 3], random_state=0)
        np.testing.assert_allclose(other.cost, memory.cost, rtol=1e-10)
        np.testing.assert_allclose(other.silhouette, memory.silhouette, rtol=1e-10)


def test_seeds():
    """The same seed gives the same numbers, whichever other k are tried; the model's own seed counts too."""
    alone = choose_k(NOTHING, [5], model=KMeans(init="random", n_init=1), random_state=3)
    among = choose_k(NOTHING, [2, 5, 7], model=KMeans(init="random", n_init=1), random_state=3)
    own = choose_k(NOTHING, [5], model=KMeans(init="random", n_init=1, random_state=3))
    assert alone.cost[0] == among.cost[1] == own.cost[0]


def test_default_ks():
    """1 to 10, or one less than there are rows; in order, each once."""
    assert choose_k(X, random_state=0).ks.tolist() == list(range(1, 11))
    assert choose_k(X[:5], random_state=0).ks.tolist() == [1, 2, 3, 4]
    assert choose_k(X, (4, 2, 2), random_state=0).ks.tolist() == [2, 4]


def test_text(choice):
    """A line for each k, a star at each choice."""
    lines = str(choice).splitlines()
    assert lines[0].split() == ["k", "cost", "silhouette", "elbow", "gap"]
    assert len(lines) == 8
    assert lines[3].count("*") == 3
    assert lines[-1] == f"chosen k: silhouette 3, elbow {choice.chosen['elbow']}, gap 3"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ks": []}, "ks is empty"),
        ({"ks": [0]}, "ks must be"),
        ({"ks": [2.5]}, "ks must be"),
        ({"ks": [2, 500]}, "ks holds 500, but X has 120 rows"),
        ({"criterion": "eye"}, "criterion must be"),
        ({"criterion": "bic"}, "bic' needs a mixture, but KMeans has no likelihood"),
        ({"model": aprendiz.StandardScaler()}, "n_clusters or n_components"),
        ({"model": "KMeans"}, "n_clusters or n_components"),
        ({"n_references": 0}, "n_references"),
        ({"sample_size": 0}, "sample_size"),
    ],
)
def test_refusals(arguments, message):
    """What cannot be asked is named."""
    with pytest.raises(ValueError, match=message):
        choose_k(X, **arguments)

"""Models on disk: values come back bit by bit, a file is whole or not there, and what cannot be stored is named."""

import errno
import hashlib
import math
import os
import resource
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from laws.subjects import LEARNERS, every, fitted, table
from scipy import sparse
from sklearn import dummy, ensemble, feature_selection, linear_model, model_selection, pipeline
from sklearn import preprocessing as prep
from sklearn.feature_extraction import text
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import Bunch

import aprendiz
from aprendiz import KMeans, LogisticRegression, StandardScaler
from aprendiz.persistence import ModelFileError, load, save
from aprendiz.persistence.decoding import READERS
from aprendiz.persistence.storable import BUILT, NAMED, OURS, RECORDS, SCIKIT_LEARN

from .model_files import NOTHING, changed, described, members, packed, returned, same

RNG = np.random.default_rng(5)
X = RNG.normal(size=(48, 4)) + np.array([0, 1, 2, -3])
CLASSES = np.array(["ash", "birch", "cedar"])[np.arange(48) % 3]
NUMBERS = X @ [1.0, -2.0, 0.5, 0.0] + RNG.normal(size=48)
FRAME = pd.DataFrame({"age": X[:, 0], "tree": CLASSES, "size": X[:, 2], "leaf": np.where(np.arange(48) % 2, "flat", "round")})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.apz"


# ---- values ----------------------------------------------------------------------------------------------------------


def carried(value, path):
    """A value after a trip to disk, as a parameter of a learner."""
    return returned(KMeans(init=value), path).init


def boxed(items):
    """An array of objects, whatever they are."""
    array = np.empty(len(items), object)
    for i, item in enumerate(items):
        array[i] = item
    return array


DTYPES = st.one_of(
    *(arrays_of.boolean_dtypes(), arrays_of.integer_dtypes(), arrays_of.unsigned_integer_dtypes()),
    *(arrays_of.floating_dtypes(), arrays_of.complex_number_dtypes(), arrays_of.datetime64_dtypes()),
    *(arrays_of.timedelta64_dtypes(), arrays_of.unicode_string_dtypes(min_len=1), arrays_of.byte_string_dtypes(min_len=1)),
)
ARRAYS = DTYPES.flatmap(lambda dtype: arrays_of.arrays(dtype, arrays_of.array_shapes(min_dims=0, min_side=0, max_side=3)))
HASHABLE = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.binary(max_size=9)),
    st.text(st.characters(codec=None, exclude_categories=()), max_size=9),  # lone surrogates too
)
PLAIN = st.one_of(HASHABLE, st.floats(), DTYPES, ARRAYS, ARRAYS.map(np.transpose), DTYPES.flatmap(arrays_of.from_dtype))
NESTED = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(HASHABLE, inner, max_size=4),
        st.builds(slice, inner, inner, inner),
        st.lists(inner, max_size=4).map(boxed),
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(NESTED)
def test_values_come_back(path, value):
    """Whatever is nested in whatever: the same types, order and bits."""
    loaded = carried(value, path)
    assert same(value, loaded)


SPECIAL = {
    "large integers": [2**53, 2**53 + 1, -(2**64), 10**5000],
    "floats": [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308, 0.1],
    "surrogates": ["\ud83d\ude00", "😀", "\udfff", "\x00", "'\"\\"],  # two halves are not the whole
    "truth": [True, 1, 1.0, np.True_, np.int64(1), np.float32(1)],
    "sets": [{1, "a", (2, None)}, frozenset({"x", "y"}), set()],
    "scalars": [np.float16(0.1), np.str_("é"), np.bytes_(b"a"), np.datetime64("2024-02-29", "D"), np.timedelta64(3, "25s")],
    "byte order": [np.arange(3, dtype=">f8"), np.array(["ä"], dtype=">U2"), np.longdouble(1) / 3],
    "layouts": [np.zeros((2, 3), order="F"), np.zeros((0, 3)), np.array(5.0), np.arange(9).reshape(3, 3)[::2]],
    "objects": np.array([["a", None], [2.5, np.arange(2)]], object),
    "object columns": np.asfortranarray(np.array([["a", None], [2.5, 3]], object)),
    "masked": np.ma.array([1.5, 2.5], mask=[False, True]),
    "masked objects": np.ma.array(np.array(["a", None], object), mask=[True, False], fill_value="?"),
    "sparse": [
        kind([[0.0, 1.5], [2.5, 0.0]]) for kind in (sparse.csr_matrix, sparse.csr_array, sparse.csc_array, sparse.csc_matrix)
    ],
    "coordinates": [kind([[0, 1], [2, 0]]) for kind in (sparse.coo_matrix, sparse.coo_array)],
    "types": [np.float64, int, np.dtype("f4"), np.dtype(object), np.number],
    "functions": [np.log1p, feature_selection.chi2, sklearn.metrics.f1_score],
    "bunch": Bunch(a=1, items=2),
    "generators": [
        np.random.Generator(kind(7)) for kind in (np.random.PCG64, np.random.Philox, np.random.SFC64, np.random.MT19937)
    ],
    "old generator": np.random.RandomState(3),
}


@pytest.mark.parametrize("value", SPECIAL.values(), ids=SPECIAL.keys())
def test_special_values(value, path):
    assert same(value, carried(value, path))


def test_generators_go_on(path):
    """The next numbers are those that would have come, the second of a pair of normals included."""
    old, new = np.random.RandomState(0), np.random.default_rng(0)
    old.normal()
    new.integers(9, dtype=np.uint32)
    loaded_old, loaded_new = carried([old, new], path)
    assert np.array_equal(old.normal(size=5), loaded_old.normal(size=5))
    assert np.array_equal(new.integers(2**32, size=5, dtype=np.uint32), loaded_new.integers(2**32, size=5, dtype=np.uint32))


def test_memory_maps_become_arrays(path, tmp_path):
    mapped = np.memmap(tmp_path / "map", float, "w+", shape=(3,))
    mapped[:] = 7
    loaded = carried(mapped, path)
    assert type(loaded) is np.ndarray
    assert loaded.tolist() == [7, 7, 7]


def test_shared_stays_shared(path):
    """What two attributes hold is stored once and is again one object; what is only equal stays two."""
    shared, scaler = np.arange(1000.0), StandardScaler()
    model = KMeans(init=[shared, shared, shared.copy()], tol=scaler, n_init=(scaler, [scaler]))
    loaded = returned(model, path)
    assert loaded.init[0] is loaded.init[1]
    assert loaded.init[0] is not loaded.init[2]
    assert loaded.tol is loaded.n_init[0] is loaded.n_init[1][0]
    assert 16_000 < path.stat().st_size < 24_000
    voting = returned(ensemble.VotingClassifier([("a", linear_model.LogisticRegression())]).fit(X, CLASSES), path)
    assert voting.estimators_[0] is voting.named_estimators_["a"]


def test_much_sharing_is_no_burden(path):
    """Twenty levels of pairs of the same thing are twenty nodes."""
    value = [1.5]
    for _ in range(20):
        value = [value, value]
    loaded = carried(value, path)
    for _ in range(20):
        assert loaded[0] is loaded[1]
        loaded = loaded[0]
    assert loaded == [1.5]


# ---- what cannot be stored -------------------------------------------------------------------------------------------


def own_function(x):
    return x


class OwnScaler(StandardScaler):
    """A class of the user's."""


def contains_itself():
    items = [1]
    items.append({"again": items})
    return StandardScaler(copy=items)


def deep():
    value = []
    for _ in range(101):
        value = [value]
    return StandardScaler(copy=value)


def much():
    value = [1.5]
    for _ in range(40):
        value = [value, value]
    return KMeans(init=value)


def hiding():
    model = StandardScaler()
    model.transform = 1
    return model


REFUSED = {
    r"Pipeline\.steps\[1\]\['clf'\]\.func: a function \(.*\.own_function\) cannot be stored; take it out": lambda: (
        pipeline.Pipeline([("scale", StandardScaler()), ("clf", prep.FunctionTransformer(own_function))])
    ),
    r"StandardScaler\.copy\['a'\]\[2\]: an object of class DataFrame \(of pandas.*keep its values": lambda: StandardScaler(
        copy={"a": [1, 2, pd.DataFrame()]}
    ),
    r"GridSearchCV\.estimator: an object of class OwnScaler .* cannot be stored": lambda: model_selection.GridSearchCV(
        OwnScaler(), {}
    ),
    r"BaggingClassifier\.estimator: an object of class DecisionTreeClassifier .*use a learner of aprendiz": lambda: (
        ensemble.BaggingClassifier(DecisionTreeClassifier())
    ),
    r"StandardScaler\.copy\[1\]\['again'\]: this object contains itself": contains_itself,
    r"values nested deeper than 100": deep,
    r"The model cannot be stored: .* nested too deeply or too often": much,
    r"StandardScaler\.transform hides what the class has": hiding,
    r"StandardScaler\.copy: an array of \[\('a', 'O'\)\] cannot": lambda: StandardScaler(copy=np.zeros(2, [("a", object)])),
    r"StandardScaler\.copy: an object of class recarray": lambda: StandardScaler(copy=np.zeros(2).view(np.recarray)),
    r"StandardScaler\.copy: the class Path \(of pathlib\)": lambda: StandardScaler(copy=Path),
    r"StandardScaler\.copy: an object of class dia_array .*csr": lambda: StandardScaler(copy=sparse.eye_array(2)),
    r'CountVectorizer: only a vectorizer with input="content"': lambda: text.CountVectorizer(input="filename"),
    r"KMeans: cluster_centers_ and n_features_in_ do not go together": lambda: wrong_centres(),
}


def wrong_centres():
    model = KMeans(2, n_init=1, random_state=0).fit(X)
    model.cluster_centers_ = model.cluster_centers_[:, :2]
    return model


@pytest.mark.parametrize(("message", "make"), REFUSED.items())
def test_refused_with_its_path(message, make, path):
    """The culprit is named as the user would reach it, and nothing is written."""
    with pytest.raises(TypeError, match=message):
        save(make(), path)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("thing", [{"a": StandardScaler()}, StandardScaler, 3, None])
def test_only_models(thing, path):
    with pytest.raises(TypeError, match="save stores a model, got"):
        save(thing, path)


def test_very_many_python_values_are_refused(path, monkeypatch):
    """More text than a reader accepts is refused when it is saved."""
    monkeypatch.setattr("aprendiz.persistence.files.LARGEST_TEXT", 10_000)
    with pytest.raises(TypeError, match="keep them in NumPy arrays"):
        save(KMeans(init=[0.5] * 3000), path)
    assert not path.exists()


def test_callbacks_and_requests_are_left_out(path):
    """Both belong to fits: the model is stored without them, and says so."""

    class Watcher:
        def setup(self, estimator, context): ...
        def on_fit_task_begin(self, estimator, context, **told): ...
        def on_fit_task_end(self, estimator, context, **told): ...
        def teardown(self, estimator, context): ...

    model = StandardScaler().set_callbacks(Watcher()).fit(X)
    with pytest.warns(UserWarning, match=r"StandardScaler: callbacks are not stored; set them again"):
        save(model, path)
    assert same(load(path), StandardScaler().fit(X))
    with sklearn.config_context(enable_metadata_routing=True):
        model = StandardScaler().set_fit_request(sample_weight=True).fit(X)
    with pytest.warns(UserWarning, match="metadata requests are not stored"):
        save(model, path)


def test_output_as_frames_is_kept(path):
    loaded = returned(StandardScaler().set_output(transform="pandas").fit(FRAME[["age", "size"]]), path)
    assert list(loaded.transform(FRAME[["age", "size"]]).columns) == ["age", "size"]


# ---- check rows ------------------------------------------------------------------------------------------------------


def test_other_answers_are_noticed(path):
    """A model that does not say what it said is refused, unless it is not asked."""
    save(KMeans(2, n_init=1, random_state=0).fit(X), path)
    changed(path, lambda content: content["check"]["outputs"].update(predict=content["check"]["outputs"]["transform"]))
    with pytest.raises(ModelFileError, match=r"model\.apz: KMeans\.predict gives other outputs .* check=False"):
        load(path)
    assert load(path, check=False).n_clusters == 2


@pytest.mark.parametrize("share", [1e-12, 1e-6])
def test_answers_agree_to_rounding(share, path):
    """Coefficients that differ by rounding give the same answers, others do not."""
    model = aprendiz.LinearRegression().fit(X, NUMBERS)
    save(model, path)
    predict = described(path)["check"]["outputs"]["predict"][0]
    before, number = members(path), described(path)["nodes"][predict]["number"]
    crc = described(path)["crc32"][number]
    model.coef_ *= 1 + share
    model.intercept_ *= 1 + share
    save(model, path)
    packed(path, {**members(path), f"arrays/{number}.npy": before[f"arrays/{number}.npy"]})
    changed(path, lambda content: content["crc32"].__setitem__(number, crc))
    if share < 1e-9:
        load(path)
    else:
        with pytest.raises(ModelFileError, match="gives other outputs for the check rows"):
            load(path)


@every(LEARNERS)
def test_check_rows_are_made_up(cls, path):
    """No row of the training data is among them; codes, of which there are few, may meet by chance."""
    data = table(cls)
    save(fitted(cls, data), path)
    content = described(path)
    if "rows" not in content["check"]:
        pytest.skip(f"{cls.__name__} has no say on new rows")
    node = content["nodes"][content["check"]["rows"][0]]
    with zipfile.ZipFile(path) as archive, archive.open(f"arrays/{node['number']}.npy") as member:
        rows = np.load(member)
    assert rows.shape[1] == data.X.shape[1]
    if not cls().__sklearn_tags__().input_tags.categorical:
        assert not any((row == data.X).all(axis=1).any() for row in rows)


def test_drawn_answers_are_not_compared(path):
    """A model that draws its answers cannot repeat them; the others of its outputs are checked."""
    loaded = returned(dummy.DummyClassifier(strategy="uniform").fit(X, CLASSES), path)
    assert loaded.n_classes_ == 3
    assert "predict" not in described(path)["check"]["outputs"]


def test_models_without_check_rows(path):
    """Where no rows are found that a model accepts, the file says so and loads in silence."""
    broken = StandardScaler().fit(X)
    del broken.mean_
    of_dates = prep.LabelEncoder().fit(np.array(["2024-02-29", "2025-03-01"], "M8[D]"))
    for model in (broken, of_dates):
        loaded = returned(model, path)
        assert described(path)["check"] == NOTHING
        assert same(model, loaded)


# ---- files -----------------------------------------------------------------------------------------------------------


def test_same_bytes(path):
    """The same model gives the same file, in every process: sets have no order of their own."""
    model = "KMeans(init={'ash', 'birch', 'cedar', 1, None})"
    code = f"from aprendiz import KMeans\nfrom aprendiz.persistence import save\nsave({model}, {str(path)!r})"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": "1"}, check=True, timeout=60)
    there = path.read_bytes()
    save(KMeans(init={"ash", "birch", "cedar", 1, None}), path)
    assert path.read_bytes() == there


def test_members_are_what_they_say(path, tmp_path):
    """Any program reads the parts: NumPy the arrays, and sha256sum the digest."""
    save(KMeans(2, n_init=1, random_state=0).fit(X), path)
    content = described(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        for node in content["nodes"]:
            if node["kind"] == "array":
                with archive.open(f"arrays/{node['number']}.npy") as member:
                    array = np.load(member, allow_pickle=False)
                assert array.dtype.str == node["dtype"]
                assert list(array.shape) == node["shape"]
        digest, name = archive.read("model.sha256").decode().split()
        assert hashlib.sha256(archive.read(name)).hexdigest() == digest


def test_replaces_the_old_file(path):
    save(StandardScaler(copy="old"), path)
    save(StandardScaler(copy="new"), str(path))
    assert load(str(path)).copy == "new"
    assert list(path.parent.iterdir()) == [path]


def test_rights_of_the_file(path):
    """A new file gets the rights of any new file; one that is replaced keeps its own."""
    before = os.umask(0o027)
    try:
        save(StandardScaler(), path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o600)
        save(StandardScaler(), path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_links_are_followed(path, tmp_path):
    """The link stays a link, and what it means is replaced, or made."""
    link = tmp_path / "latest.apz"
    link.symlink_to(path)
    for copy in ("first", "second"):
        save(StandardScaler(copy=copy), link)
        assert link.is_symlink()
        assert load(path).copy == load(link).copy == copy


def test_places_where_nothing_can_be_saved(tmp_path):
    with pytest.raises(IsADirectoryError, match="this is a folder"):
        save(StandardScaler(), tmp_path)
    with pytest.raises(FileNotFoundError, match="The folder does not exist; create it first"):
        save(StandardScaler(), tmp_path / "none" / "model.apz")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="pipe is not a regular file"):
        save(StandardScaler(), tmp_path / "pipe")
    assert [entry.name for entry in tmp_path.iterdir()] == ["pipe"]


def test_long_and_strange_names(tmp_path):
    for name in ("é" * 120, "a b'\"\n.apz", ".hidden", "no suffix"):
        save(StandardScaler(), tmp_path / name)
        load(tmp_path / name)


def test_full_disk(path):
    """The error of the system comes through with the name of the file; the old one stays, nothing else is left."""
    save(StandardScaler(copy="old"), path)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**16, limits[1]))
    try:
        with pytest.raises(OSError, match=r"model\.apz") as refusal:
            save(StandardScaler(copy=np.zeros(10**6)), path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert refusal.value.errno == errno.EFBIG
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("moment", ["fsync", "replace"])
@pytest.mark.parametrize(
    "event", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")], ids=["Ctrl-C", "full"]
)
def test_interrupted_at_any_step(moment, event, path, monkeypatch):
    """Before the rename there is the old file and no trace of the new one."""
    save(StandardScaler(copy="old"), path)

    def fail(*_):
        raise event

    monkeypatch.setattr(os, moment, fail)
    with pytest.raises(type(event)):
        save(StandardScaler(copy="new"), path)
    monkeypatch.undo()
    assert load(path).copy == "old"
    assert list(path.parent.iterdir()) == [path]


KILLS = """
import os, random, signal, sys, time
import numpy as np
from aprendiz import KMeans
from aprendiz.persistence import load, save

path, random = sys.argv[1], random.Random(0)
models = [KMeans(init=np.full(200_000, float(which)), tol=which) for which in (0, 1)]
save(models[0], path)
start = time.perf_counter()
for _ in range(6):
    save(models[1], path)
pace = (time.perf_counter() - start) / 6
seen, parts = set(), 0
for number in range(300):  # thirty times at least, and until both models and a part were found
    if number >= 30 and seen == {0, 1} and parts:
        break
    child = os.fork()
    if child == 0:
        for turn in range(1000):
            save(models[(turn + number) % 2], path)
        os._exit(1)
    time.sleep(pace * random.uniform(0.2, 3.2 + number / 10))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    found = load(path)
    assert (found.init == found.tol).all()
    seen.add(found.tol)
    parts = sum(name.endswith(".part") for name in os.listdir(os.path.dirname(path)))
assert seen == {0, 1}, seen
print(parts)
"""


def test_killed_at_any_moment(path):
    """Thirty times a process that saves two models in turn is killed: the file is always one of them, whole."""
    done = subprocess.run([sys.executable, "-c", KILLS, str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0, "no process was killed while it wrote"


# ---- versions --------------------------------------------------------------------------------------------------------


def test_other_version_of_scikit_learn(path, monkeypatch):
    """Parts of another minor version of scikit-learn are loaded with a warning, ours and other patches in silence."""
    model = pipeline.make_pipeline(StandardScaler(), LogisticRegression()).fit(X, CLASSES)
    save(model, path)
    changed(path, lambda content: content.update({"scikit-learn": "1.7.2"}))
    with pytest.warns(UserWarning, match=r"holds parts of scikit-learn 1\.7\.2; this is .* Install that version, or fit"):
        load(path)
    changed(path, lambda content: content.update({"scikit-learn": sklearn.__version__ + ".post1"}))
    load(path)
    save(LogisticRegression().fit(X, CLASSES), path)
    changed(path, lambda content: content.update({"scikit-learn": "1.7.2"}))
    load(path)


def test_parameters_and_fields_added_later(path):
    """A file that does not know them yet gets their defaults."""
    save(aprendiz.PCA(2).fit(X), path)

    def forget(content):
        for node in content["nodes"]:
            if node.get("name") == "aprendiz.PCA":
                del node["parameters"]["whiten"]
            if node.get("name") == "Moments":
                del node["fields"]["rows"]

    changed(path, forget)
    loaded = load(path)
    assert loaded.whiten is False
    assert loaded.sums_.rows == 0


# ---- older files -----------------------------------------------------------------------------------------------------

FROZEN = Path(__file__).parent / "frozen"
ROWS = np.arange(40.0).reshape(10, 4) % 7


def frozen_models():
    """What the frozen files hold. Each was written once, by save(model, FROZEN / name), under aprendiz 0.1.0."""
    classes = np.array(["ash", "birch"])[np.arange(10) // 3 % 2]
    return {
        "format1_pipeline.apz": pipeline.make_pipeline(StandardScaler(), LogisticRegression()).fit(ROWS, classes),
        "format1_kmeans.apz": KMeans(2, init=ROWS[[0, 5]], n_init=1).fit(ROWS),
    }


def test_frozen_pipeline():
    """Files of format 1 load for ever. The probabilities are those that the model gave when it was written."""
    model = load(FROZEN / "format1_pipeline.apz")
    assert model.predict(ROWS).tolist() == ["ash", "ash", "ash", "birch", "ash", "birch", "ash", "ash", "ash", "ash"]
    birch = [0.317603801300953, 0.1604590683774227, 0.34301743794026834]
    np.testing.assert_allclose(model.predict_proba(ROWS[:3])[:, 1], birch, rtol=1e-12)


def test_frozen_clusters():
    """The centres are the means of rows 3 and 5, and of the others."""
    model = load(FROZEN / "format1_kmeans.apz")
    assert model.predict(ROWS).tolist() == [0, 0, 0, 1, 0, 1, 0, 0, 0, 0]
    np.testing.assert_array_equal(model.cluster_centers_, [[1.875, 2.875, 3.875, 3.125], [5.5, 3, 0.5, 1.5]])
    np.testing.assert_allclose(model.transform(ROWS[:1]), [[3.25, np.sqrt(5.5**2 + 2**2 + 1.5**2 + 1.5**2)]], rtol=1e-14)


def test_the_page_names_everything():
    """docs/model-format.md knows every kind of node, and every name that a file may hold."""
    page = (Path(__file__).parents[2] / "docs" / "model-format.md").read_text()
    names = {name for table in (RECORDS, OURS, SCIKIT_LEARN, NAMED) for module in table.values() for name in module}
    assert [name for name in (*READERS, *names, *SCIKIT_LEARN, *NAMED, *BUILT) if f"`{name}`" not in page] == []

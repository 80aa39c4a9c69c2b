"""Lazy tables of contents: importing costs nothing, and every name is where it is said to be."""

import importlib
import subprocess
import sys
from importlib import import_module

import pytest

import aprendiz
from aprendiz.core.lazy import contents


def output(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_import_is_light():
    """`import aprendiz` loads none of the libraries it stands on."""
    heavy = "{'numpy', 'scipy', 'sklearn', 'numba', 'pandas', 'polars', 'pyarrow', 'rich', 'joblib', 'narwhals', 'matplotlib'}"
    assert output(f"import sys, aprendiz; print(*sorted({heavy} & set(sys.modules)))") == []


def test_listing_is_light():
    """Neither does looking at what there is."""
    assert output(
        "import sys, aprendiz; dir(aprendiz), aprendiz.__all__, dir(aprendiz.cluster); print('numpy' in sys.modules)"
    ) == ["False"]


def test_learner_loads_no_neighbours():
    """A learner loads its own file and the core: no other family, and no optional library that scikit-learn does not load."""
    code = "import sys, sklearn.base, sklearn.callback; before = set(sys.modules); "
    code += "from aprendiz import StandardScaler; StandardScaler().fit([[1.0], [2.0]]); new = set(sys.modules) - before; "
    code += "print(*[m for m in ('aprendiz.cluster.k_means', 'aprendiz.linear.logistic_regression', 'pandas', 'polars', "
    code += "'pyarrow', 'rich', 'matplotlib', 'dask') if m in new])"
    assert output(code) == []


def test_every_name_is_there():
    """Every public name can be imported flat, is listed, and, unless it is a constant, says what it is for."""
    for name in aprendiz.__all__:
        value = getattr(aprendiz, name)
        assert name in dir(aprendiz)
        if not name.isupper():
            assert value.__doc__, name
            assert value.__name__ == name


@pytest.mark.parametrize("topic", [topic.__name__ for topic in aprendiz.TOPICS])
def test_topics(topic):
    """The names of a topic are the same objects, from the topic and flat."""
    module = importlib.import_module(topic)
    assert module.__all__
    for name in module.__all__:
        assert getattr(module, name) is getattr(aprendiz, name)
        assert name in dir(module)


def test_star_import():
    """`from aprendiz import *` gives every public name and nothing else."""
    found = {}
    exec("from aprendiz import *", found)
    assert set(found) - {"__builtins__"} == set(aprendiz.__all__)


def test_unknown_names():
    """A name that is not there is an AttributeError with the name."""
    with pytest.raises(AttributeError, match="Kmeans"):
        _ = aprendiz.Kmeans
    with pytest.raises(AttributeError, match="Kmeans"):
        _ = aprendiz.cluster.Kmeans
    with pytest.raises(ImportError, match="Kmeans"):
        exec("from aprendiz import Kmeans")


def test_modules_of_a_topic():
    """The files of a topic are reached as attributes too."""
    assert aprendiz.cluster.k_means.KMeans is aprendiz.KMeans


def test_functions_are_not_hidden_by_their_files():
    """A public function that has the name of its file is the function, whoever imported the file before."""
    file = import_module("aprendiz.cluster.choose_k")
    assert aprendiz.cluster.choose_k is file.choose_k is aprendiz.choose_k


def test_broken_imports_are_not_hidden(tmp_path, monkeypatch):
    """A file that cannot be imported says why; it is not reported as a name that does not exist."""
    package = tmp_path / "halfway"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken.py").write_text("import surely_not_installed")
    monkeypatch.syspath_prepend(tmp_path)
    import_module("halfway")
    names, load, listed = contents("halfway", broken=["Thing"])
    assert names == listed() == ["Thing"]
    for name in ("Thing", "broken"):
        with pytest.raises(ModuleNotFoundError, match="surely_not_installed"):
            load(name)
    with pytest.raises(AttributeError, match="'halfway' has no attribute 'other'"):
        load("other")


def test_all_learners():
    """The list of learners holds every class of the topics, once, by its name."""
    learners = aprendiz.all_learners()
    names = [name for name, _ in learners]
    assert names == sorted(set(names))
    assert {"KMeans", "LinearRegression", "LogisticRegression", "PCA", "StandardScaler"} <= set(names)
    assert all(cls.__name__ == name for name, cls in learners)


def test_topics_and_names_of_other_families(monkeypatch):
    """A module without names is listed, but is no public name; a name that stands elsewhere is loaded from there."""
    monkeypatch.setitem(sys.modules, "somewhere", type(sys)("somewhere"))
    names, load, listed = contents("somewhere", {"aprendiz.linear": ["stoller_erm"]}, inside=[], rows=["Rows"])
    assert names == ["Rows", "stoller_erm"]
    assert listed() == ["Rows", "inside", "stoller_erm"]
    assert load("stoller_erm") is aprendiz.linear.stoller_erm

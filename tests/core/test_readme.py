"""The page about the core: its table lists the files there are, and its two learners are learners."""

import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

import aprendiz

CORE = Path(aprendiz.__file__).parent / "core"
PAGE = (CORE / "README.md").read_text(encoding="utf-8")
X = np.random.default_rng(0).normal(size=(400, 3)) * [1.0, 2.0, 5.0] + 7.0


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """The two examples, each in a file of its own."""
    folder = tmp_path_factory.mktemp("readme")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for number, source in enumerate(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)):
            (folder / f"example_of_the_core_{number}.py").write_text(source, encoding="utf-8")
        yield [import_module(f"example_of_the_core_{number}") for number in range(2)]


def test_table_of_files():
    """Every file of the core once, and no other."""
    lines = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    listed = [name for line in lines for name in re.findall(r"`([^`]+)`", line)]
    there = {file.relative_to(CORE).as_posix() for file in CORE.rglob("*.py") if file.name != "__init__.py"}
    assert len(listed) == len(set(listed))
    assert set(listed) == there


def test_files_are_short():
    """A file of the core holds one idea, and can be read in one go."""
    for file in CORE.rglob("*.py"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 400, file.name


def test_names_exist():
    """Files that the page refers to are there."""
    root = CORE.parents[2]
    for name in re.findall(r"`(tests/[^`]+\.py)`", PAGE):
        assert (root / name).exists(), name


def test_one_pass(examples, tmp_path):
    """Parts give what the whole gives, and a file the bits of the array."""
    centre = examples[0].Centre
    whole = centre().fit(X)
    np.testing.assert_allclose(whole.transform(X), X - X.mean(axis=0), atol=1e-13)
    np.testing.assert_allclose(centre().partial_fit(X[:123]).partial_fit(X[123:]).mean_, whole.mean_, rtol=1e-14)
    pq.write_table(pa.table({f"x{j}": X[:, j] for j in range(3)}), tmp_path / "t.parquet")
    assert np.array_equal(centre().fit(aprendiz.rows(tmp_path / "t.parquet")).mean_, whole.mean_)


def test_iterative(examples):
    """It finds the minimum, and weights count rows."""
    median = examples[1].GeometricMedian
    weight = np.arange(len(X)) % 3
    model = median().fit(X, sample_weight=weight)

    def mean_distance(c):
        return np.average(np.linalg.norm(X - c, axis=1), weights=weight)

    best = minimize(mean_distance, X.mean(axis=0), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    np.testing.assert_allclose(model.point_, best.x, atol=1e-5)
    np.testing.assert_allclose(model.transform(X), X - model.point_, atol=1e-13)
    np.testing.assert_allclose(median().fit(np.repeat(X, weight, axis=0)).point_, model.point_, atol=1e-6)


def test_states(examples, tmp_path):
    """States can be looked at; a fit that is out of time goes on from its checkpoint, to the same bits."""
    median = examples[1].GeometricMedian
    costs = [state.objective for state in median().steps(X)][1:]
    assert np.all(np.diff(costs) <= 1e-14 * costs[0])
    whole = median().fit(X)
    with aprendiz.training(budget=0, checkpoint=tmp_path), pytest.warns(ConvergenceWarning, match="time budget"):
        assert median().fit(X).n_iter_ == 0
    with aprendiz.training(checkpoint=tmp_path):
        assert np.array_equal(median().fit(X).point_, whole.point_)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # tiny tables whose median is a row take long
def test_drop_in(examples):
    """Both pass the checks of scikit-learn."""
    for learner in (examples[0].Centre(), examples[1].GeometricMedian(tol=1e-11)):
        check_estimator(learner)

"""The page for those who come after: its learner is a learner in every respect."""

import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.utils.estimator_checks import check_estimator

import aprendiz

PAGE = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def scaler(tmp_path_factory):
    """The class of the page, in a file of its own."""
    (source,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    folder = tmp_path_factory.mktemp("contributing")
    (folder / "mean_size_scaler.py").write_text(source, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield import_module("mean_size_scaler").MeanSizeScaler


def test_it_is_short():
    """The class and its record, without the imports."""
    (source,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len([line for line in source[source.index("class ") :].splitlines() if line.strip()]) <= 40


def test_it_passes_the_checks_of_scikit_learn(scaler):
    check_estimator(scaler())


def test_sums_add_and_files_are_read(scaler, tmp_path):
    """Parts give what the whole gives, a file has the bits of the array, weights count rows, and the certificate speaks."""
    X, weight = np.random.default_rng(0).normal(size=(500, 3)), np.arange(500) % 3 + 1.0
    whole = scaler().fit(X)
    parts = scaler().partial_fit(X[:123]).partial_fit(X[123:])
    np.testing.assert_allclose(parts.scale_, whole.scale_, rtol=1e-14)
    np.testing.assert_allclose(whole.transform(X), X / np.abs(X).mean(axis=0), rtol=1e-14)
    pq.write_table(pa.table({f"x{j}": X[:, j] for j in range(3)}), tmp_path / "t.parquet")
    assert np.array_equal(scaler().fit(aprendiz.rows(tmp_path / "t.parquet")).scale_, whole.scale_)
    weighted = scaler().fit(X, sample_weight=weight)
    np.testing.assert_allclose(weighted.scale_, scaler().fit(np.repeat(X, weight.astype(int), axis=0)).scale_, rtol=1e-14)
    assert whole.certificate_.holds
    assert not scaler().fit(X * [1.0, 0.0, 1.0]).certificate_.holds


def test_parameters_are_checked(scaler):
    with pytest.raises(ValueError, match="smallest"):
        scaler(smallest=-1.0).fit([[1.0], [2.0]])


def test_links_lead_somewhere():
    for link in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (Path(__file__).parents[1] / link).exists(), link

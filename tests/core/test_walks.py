"""From class to kernel: a reader meets at most seven files of a family between `fit` and the innermost kernel.

What a fit of an ordinary table runs is counted, the core and what stands around it left out: they are read once, for all
learners.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import aprendiz
from aprendiz import GaussianMixture, KMeans, Lasso, LogisticRegression

ROOT = Path(aprendiz.__file__).parent
X = np.random.default_rng(0).normal(size=(300, 5))
X[:150] += 2
Y = X[:, 0] + np.random.default_rng(1).normal(size=300)


def files_of(model, target=None):
    """The files outside the core, and what stands around it, whose code a fit runs, in this thread."""
    model.fit(X, target)  # what is loaded at the first fit is loaded now
    seen = set()

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(str(ROOT)):
            seen.add(Path(frame.f_code.co_filename).relative_to(ROOT).as_posix())

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        model.fit(X, target)
    finally:
        sys.setprofile(before)
    return {file for file in seen if not file.startswith(("core/", "summaries/", "compilation/"))}


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "1")


@pytest.mark.parametrize(
    ("model", "target"),
    [(KMeans(3, random_state=0), None), (LogisticRegression(), Y > 1), (Lasso(0.1), Y)],
    ids=lambda value: type(value).__name__,
)
def test_at_most_seven_files(model, target):
    found = files_of(model, target)
    assert 2 <= len(found) <= 7, sorted(found)


def test_a_mixture_is_its_own_files_and_k_means():
    """The usual start of a mixture is a learner of its own, with its own walk."""
    found = files_of(GaussianMixture(2, random_state=0)) - files_of(KMeans(3, random_state=0))
    assert 2 <= len(found) <= 6, sorted(found)

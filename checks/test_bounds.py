"""No kernel reads or writes beside its arrays, on tables of odd sizes, with every public learner.

Kernels run as plain Python here, where NumPy checks every index as Numba would: small tables take less time than compilation.
"""

import os
import subprocess
import sys

import pytest

PATIENCE = 900  # seconds: many times what a process takes on a machine of its own

BOUNDS = """
import os, warnings
from inspect import signature
import numpy as np
from aprendiz import all_learners
warnings.simplefilter("ignore")  # tiny tables may not converge
rng = np.random.default_rng(0)
def group(cls):
    return "linear" if cls.__module__.split(".")[1] == "linear" else "others"
chosen = [(name, cls) for name, cls in all_learners() if group(cls) == os.environ["GROUP"]]
def made(cls, n):
    few = {"n_clusters": min(n, 3), "n_estimators": 3, "random_state": 0, "nu": 0.1}
    single = n <= 2 or {"components", "density", "compute_inverse_components"} & {*signature(cls).parameters}
    few |= {"n_components": 1} if single else {}
    few |= {"n_neighbors": 4} if {"n_components", "n_neighbors"} <= {*signature(cls).parameters} else {}
    few |= {"perplexity": n / 3, "max_iter": 250, "init": "random"} if "perplexity" in signature(cls).parameters else {}
    few |= {"alpha": 1.0, "percentile": 100} if "score_func" in signature(cls).parameters else {}  # of noise, columns too
    few |= {"mode": "k_best", "param": 1} if {"mode", "param"} <= {*signature(cls).parameters} else {}
    return cls(**{name: value for name, value in few.items() if name in signature(cls).parameters})
def chose_none(cls, error):
    # the tables are noise, of which a selector may choose no column
    return cls.__module__.split(".")[1] == "selection" and str(error).startswith("No column is chosen")
for n, d in ((1, 1), (2, 1), (7, 3), (17, 5), (5, 9)):
    for kind in (np.float64, np.float32) if n < 9 else (np.float64,):  # short floats: the sizes that take no time
        measured, w = rng.normal(size=(n, d)).astype(kind), rng.integers(0, 3, n) + 1.0
        for name, cls in chosen:
            X = np.abs(np.round(measured)) if cls().__sklearn_tags__().input_tags.positive_only else measured
            targets = {"none": [None], "numbers": [w, np.c_[w, w]], "classes": [np.arange(n) % 2, np.arange(n) % 3]}[cls.target]
            if cls.target == "numbers" and not cls().__sklearn_tags__().target_tags.multi_output:
                targets = targets[:1]
            for y in targets:
                if cls.target == "classes" and len(np.unique(y)) < 2:
                    continue
                classifier = cls().__sklearn_tags__().classifier_tags  # None of a transformer that reads classes
                if classifier and not classifier.multi_class and len(np.unique(y)) > 2:
                    continue
                for weight in (None, w) if "sample_weight" in signature(cls.fit).parameters else (None,):
                    model = made(cls, n)
                    few = n <= 2 and "n_neighbors" in model.get_params()  # fewer rows than neighbours
                    try:
                        model.fit(X, y, **({} if weight is None else {"sample_weight": weight}))
                    except ValueError as error:
                        alone = name == "LinearDiscriminantAnalysis" and n <= 2  # a row of each class says nothing of Σ
                        alone |= name == "MixtureModel" and n <= d  # nor do fewer rows than columns
                        alone |= chose_none(cls, error)
                        assert n == 1 or alone or few or (n < 10 and "cv" in model.get_params()), name  # too few for some
                        continue
                    for method in ("score_samples",) if name == "KNNDensity" else ("predict", "transform", "kneighbors"):
                        if not few:
                            getattr(model, method, abs)(X)
                folds = name == "CART" or "cv" in signature(cls).parameters or cls.__module__.split(".")[1] == "selection"
                if "missing" in cls.allows and (n >= 10 or not folds):  # which need more rows
                    holed = np.where(rng.random(X.shape) < 0.3, np.nan, X).astype(kind)
                    holed[0, 0] = X[0, 0]  # or there may be nothing to learn
                    try:
                        made(cls, n).fit(holed, y)
                    except ValueError as error:
                        assert chose_none(cls, error), name
print(len(chosen), "learners within bounds")
"""


@pytest.mark.parametrize("group", ["linear", "others"])
def test_kernels_stay_within_their_arrays(group):
    """An index beside an array would be an IndexError."""
    settings = {**os.environ, "GROUP": group, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", BOUNDS], env=settings, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    count, *said = done.stdout.split()
    assert said == ["learners", "within", "bounds"]
    assert int(count) > 0

"""A newcomer's first fit compiles little: a limit for each of the everyday learners.

What is limited is the number of typed statements (of Numba's intermediate language) in all kernels that a first fit on iris
compiles. It is the same on a busy and on a quiet machine, and the wait is proportional to it: typing and lowering cost about
1 ms each for a statement. Seconds themselves are printed by `python -m benchmarks cold`.

The learners fit in one process, one after the other, with an empty cache: a kernel counts for the first learner that needs it.
A limit is about a quarter above what was counted. Who crosses one looks for arrays in expressions, arrays that are assigned to
slices (2 s for the error messages alone), literal arguments (a kernel is compiled for each value), arguments of several kinds
(read-only and not), and for parts of a kernel that most fits do not need: those belong behind `if part is not None`.
"""

import json
import os
import subprocess
import sys

import pytest

PATIENCE = 900  # seconds: many times what the process takes on a machine of its own

LIMITS = {  # learner: statements; in the order in which they fit
    "StandardScaler": 0,
    "LinearRegression": 0,
    "Ridge": 0,
    "Lasso": 1550,
    "LogisticRegression": 0,
    "GaussianNB": 425,
    "LinearDiscriminantAnalysis": 170,
    "PCA": 0,
    "KNeighborsClassifier": 1175,
    "KMeans": 2800,
    "GaussianMixture": 185,
    "DecisionTreeClassifier": 5400,
    "DecisionTreeRegressor": 3495,
    "RandomForestClassifier": 1645,
    "AdaBoostClassifier": 3260,
}

COUNTING = """
import json, sys, warnings
from numba.core import event

class Statements(event.Listener):
    '''Kernels that were compiled, and the statements in them.'''
    kernels = statements = 0

    def on_start(self, event):
        pass

    def on_end(self, event):
        made = event.data["dispatcher"].overloads.get(tuple(event.data["args"]))
        if made is not None:  # else it could not be compiled, and Numba tries another way
            self.kernels += 1
            self.statements += sum(len(block.body) for block in made.type_annotation.blocks.values())

seen = Statements()
event.register("numba:compile", seen)
"""

FITS = """
from sklearn.datasets import load_iris
import aprendiz

warnings.simplefilter("ignore")
X, y = load_iris(return_X_y=True)
found = {}
for name in json.loads(sys.argv[1]):
    seen.kernels = seen.statements = 0
    cls = getattr(aprendiz, name)
    model = cls().fit(X[:, 1:], X[:, 0]) if cls.target == "numbers" else cls().fit(X, y)
    (model.predict if hasattr(model, "predict") else model.transform)(X[:, -model.n_features_in_ :])
    found[name] = seen.kernels, seen.statements
print(json.dumps(found))
"""

KERNELS = """
import numpy as np
from aprendiz.compilation.compiled import compiled

@compiled
def short(x):
    return x + 1.0

@compiled
def long(x):
    y = x * x + 1.0
    for i in range(3):
        y += x / (y + i)
    return short(y)

found = {}
for kernel in (short, long, long):
    seen.kernels = seen.statements = 0
    kernel(1.0)
    found[f"{kernel.__name__} {len(found)}"] = seen.kernels, seen.statements
print(json.dumps(found))
"""


def counted(code, cache, *arguments):
    """Kernels and statements by name, in a process with a cache of its own."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", COUNTING + code, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return {name: tuple(numbers) for name, numbers in json.loads(done.stdout).items()}


def crossed(found, limits):
    """Learners above their limit, with what was counted."""
    return {name: statements for name, (_kernels, statements) in found.items() if statements > limits[name]}


@pytest.fixture(scope="module")
def everyday(tmp_path_factory):
    return counted(FITS, tmp_path_factory.mktemp("cache"), json.dumps(list(LIMITS)))


def test_everyday_learners_compile_little(everyday):
    """No everyday learner compiles more than its limit for a first fit and a first answer."""
    assert crossed(everyday, LIMITS) == {}


def test_limits_are_close(everyday):
    """A limit far above what is counted guards nothing: lower it when a learner has become cheaper."""
    loose = {name: everyday[name][1] for name, limit in LIMITS.items() if limit > 1.6 * everyday[name][1] + 100}
    assert loose == {}


def test_statements_are_counted(tmp_path):
    """The count sees what it should: more for a longer kernel, nothing for one that is compiled already."""
    (one, small), (two, large), again = counted(KERNELS, tmp_path).values()
    assert (one, two, again) == (1, 1, (0, 0))  # `short` takes the same number of the same kind in `long`
    assert 0 < small < large
    assert crossed({"a": (1, 5), "b": (2, 7)}, {"a": 5, "b": 6}) == {"b": 7}

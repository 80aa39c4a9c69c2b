"""What the tests share: features of the kind that a learner takes, and the acceptance tables.

The tables stand in `shared/acceptance`, in the folder that holds the repository.
"""

import gc
import json
import os
import re
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two processes share the cores; laws of threads ask for more themselves

import numpy as np
import pytest
from hypothesis import settings

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "acceptance"
GROWING = ("test_reports.py", "test_report.py", "test_experiment.py", "test_tree_examples.py")
TREES = re.compile("Tree|Forest|Boost|Bagging|Switching|C45|CART|ID3|importance|bagging|forest|out_of_bag")
LONGEST = (  # a long test that begins last leaves the other cores idle
    *("test_files.py", "test_compiled.py", "test_naughty_strings.py", "test_displays.py"),
)

# An example may take any time: a busy machine, or the first call of a kernel, says nothing about what is tested.
settings.register_profile("aprendiz", deadline=None)
settings.load_profile("aprendiz")


def pytest_configure(config):
    """The processes that run tests tell the one that counts them five times of each: that it begins, is ready, has run, has
    cleaned up, and ends. Of a test that passes, once is enough."""
    process = config.pluginmanager.getplugin("workerinteractor")
    if process is None:
        return
    send = process.sendevent

    def tell(name, **more):
        report = more.get("data", {})
        passing = name == "testreport" and report["when"] != "call" and report["outcome"] == "passed"
        if not passing and name not in ("logstart", "logfinish"):
            send(name, **more)

    process.sendevent = tell


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Tens of thousands of tests are made, and all stay: to look for garbage among them took a quarter of the time. Later on
    they are not looked at either."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_unconfigure():
    """At the end everything may go, or libraries in C++ say that it was left behind."""
    gc.unfreeze()


def grows_trees(item):
    """Does a test grow trees, by its name?"""
    return item.path.parent.name in ("tree", "ensemble") or item.path.name in GROWING or bool(TREES.search(item.name))


def pytest_collection_modifyitems(items):
    """Two processes have one half of the tests each, in this order; who has done its own takes the last of the other's. All
    trees are in the first half: what the many variants of their kernel have in common is then compiled once. The files with
    the longest of the other tests lead the second."""
    trees, others = ([item for item in items if grows_trees(item) == grown] for grown in (True, False))
    long = sorted((item for item in others if item.path.name in LONGEST), key=lambda item: LONGEST.index(item.path.name))
    short = [item for item in others if item.path.name not in LONGEST]
    rest = max(0, len(items) // 2 - len(trees))
    items[:] = [*trees, *short[:rest], *long, *short[rest:]]


@pytest.fixture(scope="session")
def suited():
    """Measurements as a learner takes them: as they are, or rounded to 0, 1, 2, … where its tags ask for nothing below 0."""

    def of(cls, X):
        return np.abs(np.round(X)) if cls().__sklearn_tags__().input_tags.positive_only else X

    return of


@pytest.fixture(scope="session")
def acceptance():
    """The folder of the acceptance tables; tests that need it are skipped where it is not."""
    if not FOLDER.is_dir():
        pytest.skip("the acceptance tables are not beside the repository")
    return FOLDER


@pytest.fixture(scope="session")
def expected(acceptance):
    """The expected values of a check of answers.json, by its id."""
    answers = {answer["id"]: answer for answer in json.loads((acceptance / "answers.json").read_text())}
    return lambda name: answers[name]["expected"]

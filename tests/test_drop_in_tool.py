"""The rules of `make drop-in`: which of scikit-learn's tests count, and what becomes of each. The run is not in this suite."""

import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[1] / "tools"


@pytest.fixture(scope="module")
def rules():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TOOLS)
        import drop_in_rules

        yield drop_in_rules
    sys.modules.pop("drop_in_rules", None)


MODULE = """
from sklearn.linear_model._ridge import Ridge, _solve_cholesky
from sklearn.utils._testing import assert_allclose

EVERY = [Ridge, Lasso]

@pytest.mark.parametrize("Any", EVERY)
def test_by_list(Any):
    Any()

class Toy:
    def fit(self, X):
        self._seen = X

def helper():
    return _solve_cholesky

def test_by_helper():
    assert helper()

def test_attribute():
    assert Ridge().fit(X, y)._label_binarizer

def test_by_name(monkeypatch):
    monkeypatch.setattr(Ridge, "_fit", None)

def test_public():
    toy = Toy().fit(X)
    assert_allclose(toy._seen, Ridge().fit(X, y).coef_)
"""


def test_private_names_are_found(rules):
    """Through functions of the module too; not public classes from private files, tools of the tests and their toy classes."""
    module = rules.Module(MODULE)
    assert module.looks_inside("test_by_helper") == "sklearn.linear_model._ridge._solve_cholesky"
    assert module.looks_inside("test_attribute") == "._label_binarizer"
    assert module.looks_inside("test_by_name") == "._fit"
    assert module.looks_inside("test_public") == ""


def test_names_are_found(rules):
    """A test concerns a class that it names, or that a list, a fixture or a function of its module names."""
    module = rules.Module(MODULE)
    assert [module.mentions(name, {"Ridge"}) for name in ("test_public", "test_by_list", "test_by_helper")] == [
        True,
        True,
        False,
    ]


def test_verdicts(rules):
    """One line for each case of `judge`."""
    pair = {"expected": "n_clusters", "said": "clusters"}
    rule = rules.Rule("a.py::test_x[*", "random draw", "the centres of seed 0")
    for expected, outcome, plain, private, classes, words, test in [
        (("passed", ""), "passed", "passed", "", ["KMeans"], [], "a.py::test"),
        (("failed", "failed"), "failed", "passed", "", ["KMeans"], [], "a.py::test"),
        (("failed", "failed"), "failed", "passed", "", ["KMeans"], [pair], "a.py::test"),
        (("failed", "skipped"), "skipped", "passed", "", ["KMeans"], [], "a.py::test"),
        (("failed", "failed"), "failed", "passed", "", [], [], "a.py::test"),
        (("failed", "not collected"), "not collected", None, "", [], [], "a.py"),
        (("no matter", ""), "passed", "passed", "", [], [], "a.py::test"),
        (("no matter", "failed with scikit-learn"), "failed", "failed", "", ["KMeans"], [], "a.py::test"),
        (("no matter", "skipped with scikit-learn"), "skipped", "skipped", "", ["KMeans"], [], "a.py::test"),
        (("left out", "private"), "passed", "passed", "._fit", ["KMeans"], [], "a.py::test"),
        (("left out", "words"), "passed", "passed", "", ["KMeans"], [pair], "a.py::test"),
        (("left out", "random draw"), "passed", "passed", "", ["KMeans"], [], "a.py::test_x[1-[2]]"),
        (("passed", ""), "passed", "passed", "", ["KMeans"], [], "b.py::test_x[1]"),
    ]:
        record = rules.Record(test, outcome, classes=classes, words=words)
        assert rules.judge(record, plain, private, [rule]) == rules.Verdict(*expected), (expected, outcome, plain)


def test_the_table_counts(rules):
    judged = {name: rules.Verdict(kind, reason) for name, kind, reason in [
        ("a", "passed", ""), ("b", "passed", ""), ("c", "passed", ""), ("d", "failed", "failed"), ("e", "left out", "words"),
    ]}  # fmt: skip
    last = rules.table(judged, {"x": ["a", "b", "d"], "y": ["c", "e"]}, "module").splitlines()[-1]
    assert [cell.strip() for cell in last.split("|")[1:-1]] == ["all", "3", "1", "75.0 %", "", "1", "", ""]


def test_listed_rules_are_in_order(rules):
    """Each has a reason and a sentence; a difference stands in `differences` of the class, where users read it."""
    assert rules.listed(TOOLS / "drop_in_rules.toml")
    with pytest.raises(rules.BadRuleError, match=r"KMeans\.colour"):
        rules.Rule("a.py::*", "difference", "the colour", ("KMeans.colour",)).check()
    with pytest.raises(rules.BadRuleError, match="reason"):
        rules.Rule("a.py::*", "too hard", "it fails").check()

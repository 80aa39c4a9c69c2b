"""A plugin of pytest that puts our classes in the place of scikit-learn's, inside scikit-learn's own test modules.

tools/drop_in.py starts it. Three things happen:

1. Names. A public name of scikit-learn that we have too (`sklearn.tree.DecisionTreeClassifier`) is rebound in its module.
   A test module that imports the same object from a private file is given ours as well. The code of scikit-learn has been
   imported before, so that it goes on with its own classes: only the tests see ours.
2. Words. `pytest.raises`, `pytest.warns`, and `raises` of the common checks look at the class of an error or warning. Where the
   words differ, the pair is noted and the test goes on.
3. Records. Each test leaves a line of JSON: outcome, message, seconds, classes of ours that it made or was given, words that
   differ. A test that takes more processor time than allowed fails.

Settings are environment variables: DROP_IN_RECORDS (the file of records), DROP_IN_SECONDS (limit for a test), DROP_IN_ONLY (a
file with the tests to run, one in a line), DROP_IN_PLAIN=1 (nothing is rebound: the baseline).
"""

from __future__ import annotations

import builtins
import functools
import importlib
import inspect
import json
import os
import re
import signal
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sklearn
from drop_in_rules import Module

import aprendiz

# Modules whose names mean the same here. In others (metrics, model_selection, calibration) a few of our names are those of
# scikit-learn and are other things: `LeaveOneOut`, `learning_curve`, `PrecisionRecallDisplay`, `CalibrationDisplay`.
MODULES = (
    "cluster", "decomposition", "discriminant_analysis", "ensemble", "feature_selection", "impute", "linear_model", "manifold",
    "mixture", "multiclass", "naive_bayes", "neighbors", "neural_network", "preprocessing", "random_projection", "svm", "tree",
)  # fmt: skip
SINGLE_NAMES = {  # of such a module, or of one without `__all__`, the names that do mean the same
    "CalibratedClassifierCV": "calibration",
    "KernelRidge": "kernel_ridge",
    "Nystroem": "kernel_approximation",
    "RBFSampler": "kernel_approximation",
}
ALL = ("all_estimators", "_tested_estimators")  # functions that give all classes of scikit-learn
PLAIN = os.environ.get("DROP_IN_PLAIN") == "1"
SECONDS = int(os.environ.get("DROP_IN_SECONDS", "60"))

touched: set[str] = set()
words: list[dict[str, str]] = []


# ---- names -------------------------------------------------------------------------------------------------------------


def shared_names() -> dict[str, str]:
    """The public names of scikit-learn that are ours too, and their modules."""
    names = {name: f"sklearn.{module}" for name, module in SINGLE_NAMES.items()}
    for module in MODULES:
        for name in importlib.import_module(f"sklearn.{module}").__all__:
            if name in aprendiz.__all__ and callable(getattr(aprendiz, name)):
                names[name] = f"sklearn.{module}"
    return names


def rebind() -> dict[int, tuple[Any, Any]]:
    """Rebind the shared names, and tell what took the place of what."""
    for name in sklearn.__all__:
        if not hasattr(sklearn, name) or isinstance(getattr(sklearn, name), types.ModuleType):
            importlib.import_module(f"sklearn.{name}")
    for name in ("experimental.enable_iterative_imputer", "experimental.enable_halving_search_cv", "utils.estimator_checks"):
        importlib.import_module(f"sklearn.{name}")
    places = {}
    for name, module_name in shared_names().items():
        module, ours = importlib.import_module(module_name), getattr(aprendiz, name)
        theirs = getattr(module, name)
        ours = noticed_class(name, ours) if isinstance(ours, type) else noticed_function(name, ours)
        places[id(theirs)] = (theirs, ours)
        setattr(module, name, ours)
    generator: Any = importlib.import_module("sklearn.utils._test_common.instance_generator")
    every = generator.all_estimators
    generator.all_estimators = with_ours(every, places)
    places[id(every)] = (every, generator.all_estimators)
    for table in (generator.INIT_PARAMS, generator.PER_ESTIMATOR_CHECK_PARAMS, generator.PER_ESTIMATOR_XFAIL_CHECKS):
        table.update({ours: table[theirs] for theirs, ours in places.values() if isinstance(ours, type) and theirs in table})
    return places


def with_ours(all_estimators: Callable[..., Any], places: dict[int, tuple[Any, Any]]) -> Callable[..., Any]:
    """`all_estimators` with ours in the place of theirs."""

    @functools.wraps(all_estimators)
    def estimators(*values: Any, **named: Any) -> list[tuple[str, type]]:
        found = all_estimators(*values, **named)
        return list(dict.fromkeys((name, places.get(id(one), (one, one))[1]) for name, one in found))

    return estimators


def noticed_class(name: str, ours: type) -> type:
    """The class itself; a test that makes an instance is known to touch it. What our own code makes does not count."""
    made: Any = ours.__new__

    def make(cls: type, *values: Any, **named: Any) -> Any:
        if not sys._getframe(1).f_globals.get("__name__", "").startswith(("aprendiz", __name__)):
            touched.add(name)
        return object.__new__(cls) if made is object.__new__ else made(cls, *values, **named)

    make.__signature__ = inspect.signature(ours.__init__)  # type: ignore[attr-defined,misc]  # what a class says of itself
    ours.__new__ = staticmethod(make)  # type: ignore[assignment,method-assign]
    return ours


def noticed_function(name: str, ours: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(ours)
    def call(*values: Any, **named: Any) -> Any:
        touched.add(name)
        return ours(*values, **named)

    return call


class Rebound(types.ModuleType):
    """A module of scikit-learn with some of its names rebound, as one test module imports it."""

    def __init__(self, module: types.ModuleType, names: dict[str, Any]):
        self.__dict__.update(_module=module, **names)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_module"], name)


def importer(places: dict[int, tuple[Any, Any]]) -> Callable[..., Any]:
    """`__import__` that hands ours to test modules, also where they take a class from a private file."""
    real = builtins.__import__

    def importing(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        module = real(name, globals, locals, fromlist, level)
        if not fromlist or ".tests." not in ((globals or {}).get("__name__") or ""):
            return module
        found = {one: getattr(module, one, None) for one in fromlist}
        swapped = {one: places[id(what)][1] for one, what in found.items() if id(what) in places}
        return Rebound(module, swapped) if swapped else module

    return importing


# ---- words -------------------------------------------------------------------------------------------------------------


class Loose:
    """`pytest.raises` or `pytest.warns` that notes words which differ, instead of failing."""

    def __init__(self, inner: Any, expected: Any, match: str | re.Pattern[str], of_warnings: bool):
        self.inner, self.expected, self.match, self.of_warnings = inner, expected, match, of_warnings

    def __enter__(self) -> Any:
        self.caught = self.inner.__enter__()
        return self.caught

    def __exit__(self, kind: Any, error: Any, trace: Any) -> Any:
        done = self.inner.__exit__(kind, error, trace)
        if self.of_warnings and kind is None:
            said = [str(one.message) for one in self.caught if issubclass(one.category, self.expected)]
        elif not self.of_warnings and error is not None and done:
            said = [str(error)]
        else:
            return done
        if not any(re.search(self.match, one) for one in said):
            pattern = self.match if isinstance(self.match, str) else self.match.pattern
            words.append({"expected": pattern[:300], "said": " | ".join(said)[:300]})
        return done


def loose(strict: Callable[..., Any], of_warnings: bool) -> Callable[..., Any]:
    def check(expected: Any = Warning, *values: Any, match: Any = None, **named: Any) -> Any:
        if values or match is None or (expected is Warning and not of_warnings):
            return strict(expected, *values, **({"match": match} if match is not None else {}), **named)
        pattern = "|".join(match) if isinstance(match, list | tuple) else match
        return Loose(strict(expected, **named), expected, pattern, of_warnings)

    return check


# ---- records -----------------------------------------------------------------------------------------------------------


def ours_in(value: Any, depth: int = 0) -> set[str]:
    """Our classes among the parameters of a test."""
    kind = value if isinstance(value, type) else type(value)
    if kind.__module__.startswith("aprendiz"):
        return {kind.__name__}
    inner: list[Any] = []
    if isinstance(value, list | tuple | set | frozenset):
        inner = list(value)
    elif isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, functools.partial):
        inner = [*value.args, *value.keywords.values()]
    elif hasattr(value, "get_params") and not isinstance(value, type):
        inner = list(vars(value).values())
    return set().union(*(ours_in(one, depth + 1) for one in inner[:50])) if depth < 3 else set()


def too_long(*_: Any) -> None:
    pytest.fail(f"took longer than the limit of {SECONDS} s")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    touched.clear()
    words.clear()
    signal.signal(signal.SIGPROF, too_long)
    signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # processor time; a test that sleeps is ended by the other
    signal.alarm(5 * SECONDS)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Iterator[None]:
    report: Any = yield
    parameters = list(item.callspec.params.values()) if hasattr(item, "callspec") else []
    report.touched = sorted(touched | (set() if PLAIN else ours_in(parameters)))
    report.words = list(words)
    return report


def pytest_runtest_logreport(report: Any) -> None:
    if report.when != "call" and report.outcome == "passed":
        return
    outcome = report.outcome
    if hasattr(report, "wasxfail"):
        outcome = "xfailed" if outcome == "skipped" else "xpassed"
    message, where = "", ""
    if report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        message = crash.message if crash is not None else str(report.longrepr)[-2000:]
        where = places_of(report.longrepr)
    elif report.skipped:
        message = str(report.longrepr)[-300:]
    note(report.nodeid, outcome, message, report.duration, report.touched, report.words, where)


def places_of(failure: Any) -> str:
    """The line of the test that failed, and the line that raised."""
    entries = getattr(getattr(failure, "reprtraceback", None), "reprentries", [])
    lines = [entry.reprfileloc for entry in entries if getattr(entry, "reprfileloc", None)]
    return " … ".join(dict.fromkeys(f"{Path(one.path).name}:{one.lineno}" for one in lines[:1] + lines[-1:]))


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        note(report.nodeid, "not collected", str(report.longrepr)[-3000:], 0.0, [], [])


def note(
    test: str, outcome: str, message: str, seconds: float, classes: list[str], said: list[dict[str, str]], where: str = ""
) -> None:
    record = {"test": test, "outcome": outcome, "message": message[:3000], "where": where, "seconds": round(seconds, 2)}
    with Path(os.environ["DROP_IN_RECORDS"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps({**record, "classes": classes, "words": said}, ensure_ascii=False) + "\n")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Only the tests asked for, or those that mention a class of ours. Of the checks of every estimator, only those of ours."""
    only = os.environ.get("DROP_IN_ONLY")
    wanted = set(Path(only).read_text(encoding="utf-8").splitlines()) if only else None

    names = {*shared_names(), *ALL}
    modules = {path: Module(path.read_text(encoding="utf-8")) for path in {item.path for item in items}}

    def concerns(item: Any) -> bool:
        if wanted is not None:
            return item.nodeid in wanted
        if not modules[item.path].mentions(item.originalname, names):
            return False
        common = item.nodeid.startswith("tests/test_common.py") and hasattr(item, "callspec") and not PLAIN
        return not common or bool(ours_in(list(item.callspec.params.values())))

    dropped = [item for item in items if not concerns(item)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if concerns(item)]


if "DROP_IN_RECORDS" in os.environ and not PLAIN:
    builtins.__import__ = importer(rebind())
    checks = importlib.import_module("sklearn.utils.estimator_checks")
    checks.raises = loose(checks.raises, False)  # type: ignore[attr-defined]
    pytest.raises = loose(pytest.raises, False)
    pytest.warns = loose(pytest.warns, True)

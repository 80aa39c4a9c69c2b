"""Which of scikit-learn's tests count for a drop-in, and what became of each: the rules of tools/drop_in.py.

A test counts if it touches a class of ours and passes with scikit-learn's own. It is left out, whatever its outcome, if
- it looks at what is private (found here, in its source: `looks_inside`), or
- a rule of drop_in_rules.toml names it, with its reason.
It is also left out if it passes but for the words of an error or warning (the plugin compares these apart). A test that fails
for another reason too has failed.
"""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import aprendiz

REASONS = ("private", "words", "random draw", "difference")
# Private names that tests use for their data, their choice of cases and the numbers they expect, not to look inside a class.
TOOLS = {"_sparse_random_matrix", "TREE_LEAF", "TREE_UNDEFINED", "SPARSE_SPLITTERS", "kernel_norm"}
PROTOCOLS = {"_repr_html_", "_repr_mimebundle_"}  # names of IPython, public in spite of their form


class BadRuleError(Exception):
    """A rule that cannot be right."""


@dataclass(frozen=True)
class Record:
    """What one test did with our classes."""

    test: str
    outcome: str
    message: str = ""
    where: str = ""
    seconds: float = 0.0
    classes: list[str] = field(default_factory=list)
    words: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Verdict:
    """`passed`, `failed`, `left out` (with the reason), or `no matter` (the test says nothing about us)."""

    kind: str
    reason: str = ""


@dataclass(frozen=True)
class Rule:
    """Tests that are left out: a pattern in which * stands for anything, one of the reasons, and a sentence."""

    tests: str
    reason: str
    why: str
    of: tuple[str, ...] = ()

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(".*".join(map(re.escape, self.tests.split("*"))), re.DOTALL)

    def names(self, test: str) -> bool:
        return self.pattern.fullmatch(test) is not None

    def check(self) -> None:
        """A difference must stand in `differences` of the class, where users find it."""
        if self.reason not in REASONS or not self.why:
            raise BadRuleError(f"{self.tests}: the reason must be one of {', '.join(REASONS)}, with a sentence")
        if (self.reason == "difference") != bool(self.of):
            raise BadRuleError(f"{self.tests}: `of` names the parameters and attributes of a difference, and nothing else")
        for one in self.of:
            name, _, what = one.partition(".")
            if what not in getattr(getattr(aprendiz, name, None), "differences", {}):
                raise BadRuleError(f"{self.tests}: {one} does not stand in {name}.differences")


def listed(path: Path) -> list[Rule]:
    """The rules of a file, checked."""
    rules = [Rule(**{**one, "of": tuple(one.get("of", ()))}) for one in tomllib.loads(path.read_text()).get("rule", [])]
    for rule in rules:
        rule.check()
    return rules


def judge(record: Record, plain: str | None, private: str, rules: Iterable[Rule]) -> Verdict:
    """What a test says about us.

    `plain` is its outcome with scikit-learn's own classes (None if there is no test of that name), `private` what it sees of
    the inside ("" if nothing). A test that is skipped with our classes, and only with ours, has failed.
    """
    broken = record.outcome in ("failed", "not collected")
    if plain not in ("passed", None) or not (record.classes or broken):
        return Verdict("no matter", "" if plain in ("passed", None) else f"{plain} with scikit-learn")
    if plain is None and not broken and record.outcome != "passed":
        return Verdict("no matter", record.outcome)
    if private:
        return Verdict("left out", "private")
    for rule in rules:
        if rule.names(record.test):
            return Verdict("left out", rule.reason)
    if record.outcome == "passed":
        return Verdict("left out", "words") if record.words else Verdict("passed")
    return Verdict("failed", record.outcome)


# ---- what a test sees --------------------------------------------------------------------------------------------------


class Module:
    """A test module of scikit-learn, read to find which tests look at what is private."""

    def __init__(self, source: str):
        tree = ast.parse(source)
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        self.functions = {node.name: node for node in functions}
        self.private_names = dict(private_imports(tree))
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self.definitions: dict[str, list[ast.AST]] = defaultdict(list)
        for function in functions:
            self.definitions[function.name].append(function)
        for one in classes:
            self.definitions[one.name].append(one)
        for statement in tree.body:
            for inner in ast.walk(statement) if not isinstance(statement, ast.FunctionDef | ast.ClassDef) else ():
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    self.definitions[inner.id].append(statement)
        self.own = {name for node in classes for name in attributes_defined(node)}  # by toy estimators of the tests

    def looks_inside(self, test: str) -> str:
        """The private name that a test uses itself or through functions of its module, or ""."""
        waiting, seen = [test], set()
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.functions:
                continue
            seen.add(name)
            for node in ast.walk(self.functions[name]):
                if found := self.private_in(node):
                    return found
                if isinstance(node, ast.Name):
                    waiting.append(node.id)
                elif isinstance(node, ast.arg):  # fixtures
                    waiting.append(node.arg)
        return ""

    def mentions(self, test: str, names: Collection[str]) -> bool:
        """Whether a test uses one of the names, itself or through what its module defines."""
        waiting, seen = [test], set()
        while waiting:
            name = waiting.pop()
            if name in names:
                return True
            if name in seen:
                continue
            seen.add(name)
            for node in (inner for one in self.definitions.get(name, ()) for inner in ast.walk(one)):
                waiting += [found for found in (getattr(node, key, None) for key in ("id", "attr", "arg")) if found]
                if isinstance(node, ast.alias):
                    waiting.append(node.name)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):  # fixtures by name
                    waiting.append(node.value)
        return False

    def private_in(self, node: ast.AST) -> str:
        if isinstance(node, ast.Name) and node.id in self.private_names:
            return f"{self.private_names[node.id]}.{node.id}"
        if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in self.own:
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            return "" if owner in ("self", "cls") else f".{node.attr}"
        if isinstance(node, ast.Call) and called(node) in ("hasattr", "getattr", "setattr", "patch", "delattr"):
            for one in node.args[:2]:
                if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value not in self.own:
                    parts = one.value.split(".")
                    if any(map(is_private, parts)):
                        return f".{one.value}"
        return ""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_" and name not in PROTOCOLS


def called(node: ast.Call) -> str:
    """The last part of the name of the function that is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def attributes_defined(node: ast.ClassDef) -> Iterable[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef):
            yield inner.name
        elif isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
            yield inner.attr


def private_imports(tree: ast.AST) -> Iterable[tuple[str, str]]:
    """Names that a test module takes from private files of scikit-learn, unless the public module above has them too.
    What stands in `sklearn.utils`, `sklearn.datasets` and folders of tests are tools of the tests, and so are TOOLS."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("sklearn."):
            continue
        parts = str(node.module).split(".")
        if parts[1] in ("utils", "datasets", "_config", "_min_dependencies") or "tests" in parts:
            continue
        depth = next((i for i, part in enumerate(parts) if part.startswith("_")), len(parts))
        public = ".".join(parts[:depth])
        for one in node.names:
            if (depth < len(parts) or is_private(one.name)) and one.name not in public_names(public) | TOOLS:
                yield one.asname or one.name, str(node.module)


@cache
def public_names(module: str) -> frozenset[str]:
    return frozenset(getattr(importlib.import_module(module), "__all__", ()))


# ---- the table ---------------------------------------------------------------------------------------------------------


def table(judged: Mapping[str, Verdict], groups: Mapping[str, Iterable[str]], title: str) -> str:
    """Counts for each group of tests, and their sum (a test that stands in several groups is counted once there)."""
    lines = [
        f"| {title} | passed | failed | share | left out: {' | '.join(REASONS)} |",
        "|---|--:|--:|--:|" + "--:|" * len(REASONS),
    ]
    for name, tests in [*sorted(groups.items()), ("all", judged)]:
        verdicts = [judged[test] for test in tests]
        kinds = Counter(one.kind for one in verdicts)
        reasons = Counter(one.reason for one in verdicts if one.kind == "left out")
        if kinds["passed"] + kinds["failed"] + kinds["left out"]:
            cells: list[Any] = [name, kinds["passed"], kinds["failed"], share(kinds), *(reasons[one] or "" for one in REASONS)]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def share(kinds: Mapping[str, int]) -> str:
    """The percentage of the tests that count."""
    counting = kinds["passed"] + kinds["failed"]
    return f"{100 * kinds['passed'] / counting:.1f} %" if counting else ""

"""A tree as one SQL expression: CASE within CASE, in the words of the standard.

    CASE WHEN "petal width" <= 0.8E0 THEN 'setosa' ELSE … END

The branch of missing cells is the ELSE of its split, so NULL and levels that were never seen go there. With surrogates the
number of the branch is found first, as the first of several that is not NULL. Thresholds are written as approximate numbers
(0.8E0), which compare as the tree does with columns of type DOUBLE PRECISION.
"""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from aprendiz.tree.reading.as_json import plain_word
from aprendiz.tree.reading.as_python import node_entry, refuse_several_targets
from aprendiz.tree.reading.labelled_tree import Labelled

DEEPEST = 300  # splits, of which databases nest at least as many

Test = float | dict[Any, int]


def to_sql(labelled: Labelled) -> str:
    """The prediction of the tree as an expression of its columns: `SELECT <expression> FROM rows`."""
    refuse_several_targets(labelled, "SQL")
    tree = labelled.tree
    if tree.max_depth > DEEPEST:
        raise ValueError(f"The tree has depth {tree.max_depth}, and a CASE nests at most {DEEPEST}: prune it first.")
    parting = ~tree.is_leaf & (tree.missing_branch == -1)
    if parting.any():
        raise ValueError(
            f"Node {int(np.argmax(parting))} parts rows with missing cells among its branches, which one CASE cannot do: "
            "use to_python, or fit with another treatment of missing cells."
        )
    return expression(labelled, 0, "")


def expression(labelled: Labelled, node: int, indent: str) -> str:
    """The expression of a subtree: a prediction, or a CASE with a line for each branch."""
    if labelled.tree.is_leaf[node]:
        return literal(plain_word("an answer", labelled.answers[node]))
    column, test, children, missing, surrogates = node_entry(labelled, node)
    subject, tests = "CASE", [when for when in tests_of(labelled, column, test, 0) if when[1] != missing]
    if surrogates:
        numbers = [branch_number(labelled, *question) for question in ((column, test, 0), *surrogates)]
        subject = f"CASE COALESCE({', '.join(numbers)}, {missing})"
        tests = [(str(branch), branch) for branch in range(len(children)) if branch != missing]
    deeper = f"{indent}    "
    below = [expression(labelled, child, deeper) for child in children]
    if not tests:
        return below[missing]
    branches = [f"{indent}  WHEN {condition} THEN {below[branch]}" for condition, branch in tests]
    return "\n".join([subject, *branches, f"{indent}  ELSE {below[missing]}", f"{indent}END"])


def tests_of(labelled: Labelled, column: int, test: Test, first: int) -> list[tuple[str, int]]:
    """A condition for each branch of known cells."""
    name = identifier(labelled.names[column])
    if not isinstance(test, dict):
        return [(f"{name} <= {literal(float(test))}", first), (f"{name} > {literal(float(test))}", 1 - first)]
    found = list[tuple[str, int]]()
    for branch in sorted(set(test.values())):
        levels = ", ".join(literal(level) for level, its in test.items() if its == branch)
        found.append((f"{name} IN ({levels})", branch))
    return found


def branch_number(labelled: Labelled, column: int, test: Test, first: int) -> str:
    """The number of the branch, NULL where the cell does not tell."""
    tests = tests_of(labelled, column, test, first)
    return f"CASE {' '.join(f'WHEN {condition} THEN {branch}' for condition, branch in tests)} END" if tests else "NULL"


def identifier(name: Any) -> str:
    """A column name between double quotes."""
    return '"' + str(name).replace('"', '""') + '"'


def literal(value: Any) -> str:
    """A word, a truth value or a number as SQL writes it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float):
        if isnan(value):
            return "NULL"
        return repr(value) if "e" in repr(value) else f"{value!r}E0"
    return repr(value)

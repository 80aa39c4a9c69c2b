"""What a user gives to be compared: evaluations, learners with a table, arrays of scores of folds, or counts. No guessing:
all entries are of one kind, and the kind and the test go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from aprendiz import evaluation
from aprendiz.evaluation import Evaluation, Holdout, KFolds, Repeated
from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.significance.tests_of_pairs import COUNT_TESTS, FOLD_TESTS, PAIR_TESTS, VARIANTS

Kind = Literal["evaluations", "learners", "scores", "counts"]


def kind_of(results: Any, X: Any, test: str | None) -> Kind:
    """What the entries are; a word about the one that does not fit."""
    if not isinstance(results, Mapping):
        raise TypeError(f"results is a {type(results).__name__}: give a mapping of names, such as {{'a': …, 'b': …}}.")
    if test is not None and test not in PAIR_TESTS:
        raise ValueError(
            f"test = {test!r}: choose one of {', '.join(PAIR_TESTS)}; for several tables, use compare_over_tables."
        )
    if not results or (len(results) < 2 and test is not None):
        only = f"There is only {next(iter(results))!r}" if results else "There is no learner"
        raise ValueError(f"{only}: a comparison needs at least two.")
    kinds = {name: kind_of_entry(name, entry, test) for name, entry in results.items()}
    first, kind = next(iter(kinds.items()))
    for name, other in kinds.items():
        if other != kind:
            raise TypeError(f"{first!r} is given by its {kind}, {name!r} by its {other}: give all in one way.")
    if kind == "learners" and X is None:
        raise TypeError("Learners are compared on a table: give X and y.")
    if kind != "learners" and X is not None:
        raise TypeError("X and y are for learners, which are then evaluated: leave them out with results.")
    if kind == "scores" and test is not None and test not in FOLD_TESTS:
        raise TypeError(f"test={test!r} is not a test of folds: give Evaluations, or choose one of {', '.join(FOLD_TESTS)}.")
    return kind


def refuse_unused(kind: Kind, test: str | None, metric: str | None, pooled: bool, **given: Any) -> None:
    """An argument that would change nothing is a mistake of the one who gives it."""
    used = {"learners": ("protocol", "groups"), "evaluations": (), "scores": ("n_test", "n_train"), "counts": ("n_test",)}[kind]
    for name, value in given.items():
        if value is not None and name not in used:
            raise TypeError(f"{name} says nothing about {kind}: leave it out.")
    if pooled and test != "z":
        raise TypeError(f"pooled is for test='z', and test is {test!r}: leave it out.")
    own = "error" if test == "z" else "accuracy"
    if test in COUNT_TESTS and metric not in (None, own):
        raise TypeError(f"test={test!r} counts rows, and its measure is the {own}: leave metric={metric!r} out.")


def kind_of_entry(name: str, entry: Any, test: str | None) -> Kind:
    if isinstance(entry, Evaluation):
        return "evaluations"
    if hasattr(entry, "fit"):
        return "learners"
    if test in COUNT_TESTS:
        return "counts"
    values = np.asarray(entry)
    if values.ndim not in (1, 2) or values.dtype.kind not in "iuf":
        raise TypeError(
            f"{name!r} is a {type(entry).__name__}: give an Evaluation, a learner, or an array with a score for each fold."
        )
    return "scores"


def evaluated(
    learners: Mapping[str, Any], X: Any, y: Any, test: str | None, metric: str | None, protocol: Protocol | None, groups: Any
) -> dict[str, Evaluation]:
    """All learners on the same splits: those of the protocol, or those that the test is made for."""
    if protocol is None:
        usual: dict[str, Protocol] = {
            "5x2cv_t": Repeated(2, 5),
            "5x2cv_f": Repeated(2, 5),
            **dict.fromkeys(VARIANTS, Holdout()),
        }
        protocol = usual.get(test or "", KFolds(10))
    how: dict[str, Any] = {"protocol": protocol, "metrics": metric, "groups": groups}
    return {name: evaluation.evaluate(learner, X, y, **how) for name, learner in learners.items()}

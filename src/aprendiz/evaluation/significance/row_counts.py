"""Counts of rows for the tests of proportions: as given, or from evaluations.

Z         the errors of each learner, and the rows it was judged on
McNemar   the rows that only one of two learners gets right, and all rows
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.evaluation import Evaluation
from aprendiz.evaluation.significance.finding import Assumption


def refuse_numbers(evaluations: Mapping[str, Evaluation], test: str) -> None:
    for name, one in evaluations.items():
        if one.task != "classification":
            raise ValueError(f"{name!r} predicts numbers: test={test!r} counts errors of classes. Use corrected_t.")


def refuse_repeated_rows(evaluations: Mapping[str, Evaluation], test: str) -> None:
    """A row that was tested several times is one row, not several."""
    for name, one in evaluations.items():
        tested = np.concatenate([fold.test for fold in one.folds])
        if len(np.unique(tested)) < len(tested):
            raise ValueError(
                f"{name!r} was tested on some rows several times, which test={test!r} would take for more rows: evaluate with "
                "Holdout or KFolds, or use corrected_t."
            )


def whole(name: str, what: str, value: Any, least: int = 0) -> int:
    """A count of rows."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{what} of {name!r} = {value!r} must be a whole number of at least {least}.")
    return int(value)


# ---- errors ------------------------------------------------------------------------------------------------------------


def given_errors(counts: Mapping[str, Any]) -> list[tuple[int, int]]:
    """(errors, rows) of each learner."""
    found = []
    for name, pair in counts.items():
        if np.ndim(pair) != 1 or len(pair) != 2:
            raise TypeError(f"{name!r} = {pair!r}: test='z' takes (errors, rows) of each learner, such as (30, 100).")
        errors, rows = whole(name, "errors", pair[0]), whole(name, "rows", pair[1], 1)
        if errors > rows:
            raise ValueError(f"{name!r} has {errors} errors in {rows} rows: give (errors, rows).")
        found.append((errors, rows))
    return found


def counted_errors(evaluations: Mapping[str, Evaluation]) -> list[tuple[int, int]]:
    """The same of evaluations, over all rows they tested."""
    return [(int(np.sum(one.pooled.truth != one.pooled.prediction)), len(one.pooled.truth)) for one in evaluations.values()]


def judged_on_same_rows(a: Evaluation, b: Evaluation) -> bool:
    """Do two evaluations have rows in common? Rows of one target, tested in both."""
    if len(a.y) != len(b.y) or not np.array_equal(a.y, b.y):
        return False
    mine, theirs = (np.concatenate([fold.test for fold in one.folds]) for one in (a, b))
    return bool(np.intersect1d(mine, theirs).size)


# ---- disagreements -----------------------------------------------------------------------------------------------------


def given_disagreements(counts: Mapping[str, Any], n_rows: Any) -> tuple[int, int, int | None]:
    """The rows that only the first, and only the second, gets right, and all rows if they are given."""
    if len(counts) != 2:
        raise ValueError(f"McNemar's test takes the counts of two learners, not of {len(counts)}.")
    b, c = (whole(name, "rows that only it gets right", value) for name, value in counts.items())
    if n_rows is None:
        return b, c, None
    n = whole("n_test", "rows", n_rows, 1)
    if b + c > n:
        raise ValueError(f"The learners disagree on {b + c} rows, but n_test is {n}: give the number of all tested rows.")
    return b, c, n


def counted_disagreements(a: Evaluation, b: Evaluation, names: tuple[str, str]) -> tuple[int, int, int]:
    """The same of two evaluations of the same rows."""
    if [fold.number for fold in a.folds] != [fold.number for fold in b.folds]:
        raise ValueError(f"{names[0]!r} and {names[1]!r} have done different folds: finish both evaluations.")
    mine, theirs = (one.pooled.truth == one.pooled.prediction for one in (a, b))
    return int(np.sum(mine & ~theirs)), int(np.sum(~mine & theirs)), len(mine)


def model_checks(a: Evaluation) -> tuple[Assumption, ...]:
    """One model of each learner, and each row tested once."""
    tested = np.concatenate([fold.test for fold in a.folds])
    return (
        Assumption("one_model_each", len(a.folds) > 1, {"folds": len(a.folds)}),
        Assumption("rows_once", len(np.unique(tested)) < len(tested)),
    )

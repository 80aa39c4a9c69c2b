"""A table of scores as Weka's experimenter prints it: v where a learner is better than the first, * where it is worse.

In each table, the scores of the folds are compared with those of the control by the corrected t-test (resampled_t.py),
two-sided. Below stands how often each learner was better, not told apart, and worse: (v/ /*).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from aprendiz.evaluation.significance.fold_scores import FoldScores
from aprendiz.evaluation.significance.resampled_t import corrected_t_test, spread
from aprendiz.evaluation.words.tables import align, measure


def weka_table(folds: Mapping[str, FoldScores], names: Sequence[str], control: str, level: float, more_is_better: bool) -> str:
    """The lines of the table, the control first."""
    if not folds:
        raise ValueError("The comparison holds no scores of folds: give Evaluations or arrays of folds for each table.")
    if control not in names:
        raise ValueError(f"control = {control!r} is not among the learners: choose one of {', '.join(map(repr, names))}.")
    order = [control, *(name for name in names if name != control)]
    marks = {table: marks_of(one, order, level, more_is_better) for table, one in folds.items()}
    rows = [["", *(f"{name}  " for name in order)]]
    for table, one in folds.items():
        cells = [
            f"{measure(one.scores[i].mean())} ({spread(one.scores[i]):.2g})" for i in (one.names.index(name) for name in order)
        ]
        rows.append(
            [f"{table} ({one.scores.shape[1]})".strip(), *(f"{c} {m}" for c, m in zip(cells, marks[table], strict=True))]
        )
    rows.append(["(v/ /*)", "  ", *(counts([marks[table][j] for table in folds]) for j in range(1, len(order)))])
    return align(rows)


def marks_of(folds: FoldScores, order: Sequence[str], level: float, more_is_better: bool) -> list[str]:
    """v, * or nothing for each learner."""
    if np.isnan(folds.ratio):
        raise ValueError("The corrected t-test needs to know how many rows teach and test in a fold: give n_train and n_test.")
    base, marks = folds.scores[folds.names.index(order[0])], [" "]
    for name in order[1:]:
        difference = folds.scores[folds.names.index(name)] - base
        shown = corrected_t_test(difference, folds.ratio) < level
        marks.append(("v" if (difference.mean() > 0) == more_is_better else "*") if shown else " ")
    return marks


def counts(marks: Sequence[str]) -> str:
    return f"({marks.count('v')}/{marks.count(' ')}/{marks.count('*')})  "

"""Scores of a table in which some columns are numbers and others words.

A score is taken of each column as far as it makes sense there:

    score                 classes: numbers      classes: words          numbers as target: numbers   words
    anova                 F of the classes      χ² of the counts        F of the regression          F of the levels
    kruskal               H of the classes      χ² of the counts        —                            H of the levels
    correlation           |r|, two classes      |r|, two levels         |r|                          |r|, two levels
    chi2                  χ² of the totals      χ² of the counts        —                            —
    mutual_info           I                     I                       I                            I
    information_gain …    I of the bins         I of the counts         —                            —

"—" is refused with the column and the remedy. Where several statistics meet, they are compared by their p-values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.selection.information.column_codes import ColumnCodes, usual_bins, whole_table
from aprendiz.selection.information.count_information import chi_square_p, permutation_p
from aprendiz.selection.information.estimates import Method, of_adaptive_bins, of_counts, of_neighbors, target_codes
from aprendiz.selection.information.table_of_columns import columns_of
from aprendiz.selection.scores.class_ranks import kruskal_wallis
from aprendiz.selection.scores.level_tables import Missing, OfCounts, score_levels
from aprendiz.selection.scores.scored import Scored
from aprendiz.selection.scores.statistics_of_rows import (
    anova,
    chi_squared_of_counts,
    regression,
    shared_variance,
    size_of_correlation,
)

Task = Literal["classification", "regression"]
LEVELS = ("information_gain", "gain_ratio", "symmetric_uncertainty")  # scores of counts alone
OF_NUMBERS: dict[tuple[str, str], tuple[str, Callable[[Rows], Scored]]] = {
    ("anova", "classification"): ("F", anova),
    ("anova", "regression"): ("F of regression", regression),
    ("kruskal", "classification"): ("H", kruskal_wallis),
    ("chi2", "classification"): ("χ² of totals", chi_squared_of_counts),
    ("correlation", "classification"): ("|r|", size_of_correlation),
    ("correlation", "regression"): ("|r|", size_of_correlation),
    ("squared_correlation", "classification"): ("r²", shared_variance),
    ("squared_correlation", "regression"): ("r²", shared_variance),
}


def score_table(rows: Rows, score: str, task: Task, missing: Missing) -> tuple[Scored, list[str]]:
    """The score of every column, and the statistic that it is."""
    table = rows.X if in_memory(rows) else None
    if score in LEVELS:
        return of_bins(rows, score, missing)
    if not isinstance(table, Mixed):
        name, statistic = of_numbers(score, task, rows.names)
        return statistic(rows), [name] * rows.columns
    assert in_memory(rows)
    parts: list[tuple[tuple[int, ...], Scored, str]] = []
    if table.columns.numeric:
        name, statistic = of_numbers(score, task, [table.columns.names[j] for j in table.columns.numeric])
        parts.append((table.columns.numeric, statistic(rows.like(X=table.numbers, names=None)), name))
    for place, j in enumerate(table.columns.coded):
        column = table.columns.columns[j]
        found, name = of_words(rows, np.asarray(table.codes[:, place]), column.name, len(column.levels), score, task, missing)
        parts.append(((j,), found, name))
    return together(parts, rows.columns)


def of_numbers(score: str, task: Task, names: Any) -> tuple[str, Callable[[Rows], Scored]]:
    """The statistic of columns of numbers."""
    if (score, task) not in OF_NUMBERS:
        column = "" if names is None else f", as in column {names[0]!r}"
        raise ValueError(
            f"score={score!r} compares classes, but the target is a quantity and so are the cells{column}: "
            "choose 'correlation', 'anova' (of the regression) or 'mutual_info'."
        )
    return OF_NUMBERS[score, task]


def of_words(
    rows: ArrayRows, codes: Array, name: Any, levels: int, score: str, task: Task, missing: Missing
) -> tuple[Scored, str]:
    """The statistic of one column of words."""
    y = np.asarray(rows.y)
    if score in ("correlation", "squared_correlation"):
        if levels > 2:
            raise ValueError(
                f"Column {name!r} has {levels} levels, which have no order that a correlation could speak of: leave it out, or "
                "choose score='anova' or 'mutual_info'."
            )
        cells = np.where(codes < 0, np.nan, codes.astype(np.float64))[:, None]
        which, statistic = OF_NUMBERS[score, task]
        return statistic(rows.like(X=cells, names=None)), which
    if task == "classification":
        assert rows.labels is not None
        return score_levels(codes[None], y, rows.weight, len(rows.labels), "chi2", missing), "χ²"
    if score not in ("anova", "kruskal"):
        raise ValueError(f"score={score!r} compares classes, but the target is a quantity: choose 'anova' or 'mutual_info'.")
    known = np.flatnonzero(codes >= 0)
    cells = np.ascontiguousarray(y.reshape(len(y), 1)[known], dtype=np.float64)
    if not len(known):
        return Scored(*(np.full(1, np.nan) for _ in range(3))), "F of levels" if score == "anova" else "H of levels"
    part = ArrayRows(cells, codes[known].astype(np.int64), None if rows.weight is None else rows.weight[known])
    part.labels = np.arange(levels)
    return (anova(part), "F of levels") if score == "anova" else (kruskal_wallis(part), "H of levels")


def of_bins(rows: Rows, score: str, missing: Missing) -> tuple[Scored, list[str]]:
    """Scores of counts: words are counted as they are, measured columns in bins where the classes differ. Those bins were
    chosen with the target, so their p-values would promise too much: there are none."""
    assert rows.labels is not None
    kinds: dict[str, OfCounts] = {"information_gain": "mutual_info"}
    columns, table = ColumnCodes.of(rows, "mdl", None), whole_table(rows)[0]
    y = np.asarray(rows.y if in_memory(rows) else rows.each(lambda block: block.y)).astype(np.int64)
    weight = rows.weight if in_memory(rows) else rows.each(lambda block: block.weights)
    kind: OfCounts = kinds.get(score, score)  # type: ignore[arg-type]
    found = score_levels(columns.codes, y, weight, len(rows.labels), kind, missing)
    words = np.zeros(rows.columns, bool)
    if isinstance(table, Mixed):
        words[list(table.columns.coded)] = True
    assert found.pvalues is not None
    return found._replace(pvalues=np.where(words, found.pvalues, np.nan)), [score] * rows.columns


def mutual_information_of(rows: Rows, method: Method, n_neighbors: int, permutations: int, seed: int) -> Scored:
    """Mutual information in nats by one of its estimates, and its p-value, where there is one."""
    table = columns_of(rows, "auto")
    target, p = table.y, None
    if method == "neighbors":
        estimate = of_neighbors(table, n_neighbors, seed)
    else:
        n_bins = usual_bins(len(target))
        target = target_codes(target, n_bins) if table.labels is None else target
        if method == "adaptive":
            estimate = of_adaptive_bins(table)
        else:
            codes, estimate = of_counts(table, "quantile", n_bins)
            p = None if permutations else chi_square_p(codes, target)
    value = estimate(target)
    if permutations:
        p = permutation_p(estimate, target, value, permutations, seed)
    return Scored(np.maximum(value, 0.0), p)


def together(parts: list[tuple[tuple[int, ...], Scored, str]], columns: int) -> tuple[Scored, list[str]]:
    """Scores of some columns each, as one for all."""
    scores, p, rounding = (np.full(columns, np.nan) for _ in range(3))
    names = [""] * columns
    for places, found, name in parts:
        at = list(places)
        scores[at] = found.scores
        p[at] = np.nan if found.pvalues is None else found.pvalues
        rounding[at] = 0.0 if found.rounding is None else found.rounding
        for j in at:
            names[j] = name
    return Scored(scores, p, rounding), names

"""The columns that were chosen inside the folds of a run, and in how many of them each was."""

from __future__ import annotations

from typing import Any

from aprendiz.evaluation.folds.chosen_columns import chosen_columns
from aprendiz.lab.outcome import Outcome

LISTED = 200  # columns


def selection_of(outcome: Outcome) -> dict[str, Any] | None:
    """What was chosen by the best method that looks at the columns; None if nothing was to be chosen."""
    choice, results = outcome.experiment.selection, outcome.results
    found = results.evaluations[results.best_learner]
    if choice is None or all(fold.columns is None for fold in found.folds):
        return None
    counts, folds = found.selected, len(found.folds)
    final = chosen_columns(outcome.learner) if results.best == results.best_learner else None
    return {
        "name": choice.name,
        "parameters": choice.selector.get_params(deep=False),
        "grid": dict(choice.grid),
        "reason": choice.reason,
        "method": results.best_learner,
        "folds": folds,
        "kept": [len(fold.columns or ()) for fold in found.folds],
        "different": len(counts),
        "always": sum(times == folds for times in counts.values()),
        "columns": [{"column": name, "folds": times} for name, times in list(counts.items())[:LISTED]],
        "final": None if final is None else len(final),
    }

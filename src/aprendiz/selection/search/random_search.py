"""What random searches share: the best set so far, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array
from aprendiz.locale import _
from aprendiz.selection.search.sequential import proof
from aprendiz.selection.search.wrapper import JudgedRows, Wrapper

EQUAL = 1e-12  # a difference of scores that means nothing


@dataclass(frozen=True)
class RandomState(State):
    """The seed that was drawn at the start; the best set so far, its score, in how many states none was better, and the best
    score of each state."""

    seed: int
    best: Array
    best_score: float
    quiet: int
    history: Array


class RandomSearch(Wrapper):
    """A search that draws sets. Its objective is the best score so far."""

    exceptions = {**Wrapper.exceptions, "column order": "sets are drawn by the places of the columns"}
    max_features: int | None
    max_iter: int
    n_iter_no_change: Any
    random_state: Any

    def remedy(self) -> str:
        return _("Raise max_iter.")

    def largest(self, rows: JudgedRows) -> int:
        """The most columns that a set may have."""
        usual = max(1, (rows.count or 0) // 2)
        return min(rows.columns, usual if self.max_features is None else self.max_features)

    def of_best(self, state: RandomState, rows: JudgedRows) -> dict[str, Any]:
        """Attributes that follow from the best set."""
        fitted = rows.folds.refitted(state.best)
        return {
            "support_": np.array(state.best),
            "n_features_": int(state.best.sum()),
            "score_": state.best_score,
            "fold_scores_": fitted,
            "history_": state.history,
            "n_iter_": state.iteration,
            "certificate_": proof(state.best_score, fitted, 0, state.iteration),
        }


def is_better(score: float, chosen: Array, best_score: float, best: Array) -> bool:
    """A larger score, or an equal one of fewer columns."""
    if not np.isfinite(best_score):
        return bool(score > best_score)
    equal = EQUAL * max(1.0, abs(best_score))
    return bool(score > best_score + equal or (score >= best_score - equal and chosen.sum() < best.sum()))


def drawn_set(random: np.random.Generator, columns: int, size: int) -> Array:
    """So many columns, drawn without replacement."""
    found = np.zeros(columns, dtype=bool)
    found[random.choice(columns, size, replace=False)] = True
    return found


def mean_scores(rows: JudgedRows) -> Callable[[Array], float]:
    """The mean score of a set, −∞ where it is NaN; a set is judged once."""

    def score(chosen: Array) -> float:
        found = float(rows.folds.quick_scores(chosen, rows.labels, rows.y, rows.weight).mean())
        return -np.inf if np.isnan(found) else found

    return score

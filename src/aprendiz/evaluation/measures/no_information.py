"""What each measure is where predictions say nothing of the truth: its value over all pairs of a true value and a prediction.

With p_k and q_k the shares of class k among the true and the predicted ones, and f the predictions of numbers,

    accuracy   Σ_k p_k q_k                                                                                    (1)
    table      its rows and columns are independent: n·p_k·q_l                                                (2)
    MSE        var y + var f + (ȳ − f̄)²                                                                       (3)
    MAE        1/n² Σ_ij |y_i − f_j|, from the sorted values: |y − f| is the length of what lies between      (4)

A score of classes ranks nothing, so the area under its curve is ½. Cost: a sort for (4), else O(n).
Reference: Efron & Tibshirani, JASA 92, 1997, section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation import Outcomes
from aprendiz.evaluation.intervals.row_intervals import outcomes
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.evaluation.measures.ratio import ratio
from aprendiz.evaluation.measures.row_measures import costs
from aprendiz.evaluation.measures.table_measures import balanced_accuracy, macro_f1, matthews

# ---- classes -----------------------------------------------------------------------------------------------------------


def chance_table(answers: Answers) -> Array:
    """(2)."""
    table = answers.table.table
    return np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()


def chance_accuracy(answers: Answers) -> float:
    """(1)."""
    table = chance_table(answers)
    return float(np.trace(table) / table.sum())


def of_chance_table(measure: Callable[[Outcomes], Array]) -> Callable[[Answers], float]:
    return lambda answers: float(measure(outcomes(chance_table(answers))))


def chance_surprise(answers: Answers) -> float:
    """Σ_k p_k · mean of −log of the probability of k."""
    assert answers.probability is not None
    surprise = -np.log(np.maximum(answers.probability, np.finfo(float).eps)).mean(axis=0)
    return float(answers.of_truth.mean(axis=0) @ surprise)


def chance_brier(answers: Answers) -> float:
    """Mean of Σ_c P_c² − 2 P_k + 1 over all pairs, halved for two classes."""
    assert answers.probability is not None
    assert answers.classes is not None
    squares = float((answers.probability**2).sum(axis=1).mean())
    total = squares - 2.0 * float(answers.of_truth.mean(axis=0) @ answers.probability.mean(axis=0)) + 1.0
    return total / 2 if len(answers.classes) == 2 else total


def chance_costs(answers: Answers) -> float:
    """Σ_k p_k · mean of what the decisions cost if k is true; of a rejected row, what rejecting costs."""
    assert answers.classes is not None
    every = [costs(replace(answers, truth=np.full(len(answers.truth), label))).mean() for label in answers.classes]
    return float(answers.of_truth.mean(axis=0) @ every)


# ---- numbers -----------------------------------------------------------------------------------------------------------


def chance_squares(answers: Answers) -> float:
    """(3)."""
    y, f = answers.truth, answers.prediction
    return float(y.var() + f.var() + (y.mean() - f.mean()) ** 2)


def chance_nmse(answers: Answers) -> float:
    return float(ratio(chance_squares(answers), answers.truth.var()))


def chance_sizes(answers: Answers) -> float:
    """(4): a step between neighbours among all values counts for every pair with one on each side."""
    y, f = np.sort(answers.truth), np.sort(answers.prediction)
    places = np.sort(np.concatenate([y, f]))
    truths, guesses = (np.searchsorted(values, places[:-1], side="right") / len(values) for values in (y, f))
    return float(np.diff(places) @ (truths * (1.0 - guesses) + guesses * (1.0 - truths)))


NO_INFORMATION: dict[str, Callable[[Answers], float]] = {
    "accuracy": chance_accuracy,
    "balanced_accuracy": of_chance_table(balanced_accuracy),
    "f1": of_chance_table(macro_f1),
    "matthews": of_chance_table(matthews),
    "auc": lambda answers: 0.5,
    "log_loss": chance_surprise,
    "brier": chance_brier,
    "mean_cost": chance_costs,
    "r2": lambda answers: 1.0 - chance_nmse(answers),
    "mse": chance_squares,
    "rmse": lambda answers: float(np.sqrt(chance_squares(answers))),
    "mae": chance_sizes,
    "nmse": chance_nmse,
}

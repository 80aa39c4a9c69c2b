"""Operating point: a threshold on a score, and the errors that it makes.

The rule is everywhere the same: predict the positive class when score ≥ threshold. With π the share of positive rows,

    expected cost of a row = π·cost_fn·FNR + (1 − π)·cost_fp·FPR                                                   (1)

which with both costs 1 is the probability of an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aprendiz.evaluation.words.tables import percent


@dataclass(frozen=True)
class OperatingPoint:
    """A threshold and its rates; `str` says it in a sentence.

    Attributes
    ----------
    threshold : float
        Predict the positive class when score ≥ threshold; inf: never, −inf: always.
    fpr, tnr : float
        Of the negative rows, the share predicted positive, and its complement.
    fnr, tpr : float
        Of the positive rows, the share predicted negative, and its complement.
    prior : float
        π of (1): of the data, or as given.
    cost_fp, cost_fn : float
        Cost of a false positive and of a false negative; 1 unless given.
    positive : label
        The positive class.
    rule : str
        How the threshold was chosen.
    """

    threshold: float
    fpr: float
    fnr: float
    tpr: float
    tnr: float
    prior: float
    cost_fp: float
    cost_fn: float
    positive: Any
    rule: str

    @property
    def expected_cost(self) -> float:
        """(1)."""
        return self.prior * self.cost_fn * self.fnr + (1.0 - self.prior) * self.cost_fp * self.fpr

    def __str__(self) -> str:
        when = {float("inf"): "never", float("-inf"): "always"}.get(self.threshold, f"when score ≥ {self.threshold:.6g}")
        cost = "error" if self.cost_fp == self.cost_fn == 1 else "expected cost"
        return (
            f"Predict {self.positive!r} {when}: {percent(self.fpr)} false positives, {percent(self.fnr)} false negatives, "
            f"{cost} {self.expected_cost:.3g} ({self.rule})."
        )

"""The bootstrap: a learner of rows drawn with replacement is tested on the rows that were not drawn.

With f_b the model of replicate b, L the loss and C_i the replicates that row i is not in, the leave-one-out bootstrap error is

    Err₁ = 1/n Σ_i 1/|C_i| Σ_{b ∈ C_i} L(y_i, f_b(x_i))                                                       (1)

A replicate has only 0.632·n different rows, so (1) is the error of a learner with fewer rows, too large. The training error err
of a fit to all rows is too small. Between them stand

    .632     0.368·err + 0.632·Err₁                                                                           (2)
    .632+    (1 − w)·err + w·min(Err₁, γ),     w = 0.632/(1 − 0.368·R),     R = (min(Err₁, γ) − err)/(γ − err)   (3)

γ is the error where predictions say nothing of the truth: the mean of L over all pairs of a true value and a prediction, and R
the part of the way from err to γ that (1) has gone, 0 where it has gone none. A learner that knows its rows by heart (err = 0,
Err₁ = γ) has R = 1, and (3) is then (1), while (2) believes the training rows.

Measures of which more is better take the same formulas. Measures that are no means over rows (F, the area under a curve, R²)
are measured in each replicate, and (1) averages what each row adds to them (metrics.py). The interval: intervals/replicates.py.

Cost: as many fits as replicates, and one to all rows. A learner of one pass is fitted from weighted sums.
References: Efron, JASA 78, 1983; Efron & Tibshirani, "Improvements on cross-validation: the .632+ bootstrap method", JASA 92,
1997.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.evaluation.folds.bootstrap_draws import bootstrap_counts
from aprendiz.evaluation.folds.splits import Split
from aprendiz.locale import _

Estimate = Literal["loo", ".632", ".632+"]


@dataclass(frozen=True)
class Bootstrap:
    """Each replicate draws as many rows as there are, with replacement, and tests those it left out.

    Classes are drawn from one by one; groups are drawn whole.

    Parameters
    ----------
    replicates : int, default=200
        At least 2. A replicate that leaves out no row, which only very small tables have, is not used.
    estimate : "loo", ".632" or ".632+", default=".632+"
        (1), (2) or (3).
    seed : int, default=0
    """

    replicates: int = 200
    estimate: Estimate = ".632+"
    seed: int = 0

    def __post_init__(self) -> None:
        if not (isinstance(self.replicates, (int, np.integer)) and self.replicates >= 2):
            raise ParameterError(f"replicates of Bootstrap must be a whole number of at least 2, got {self.replicates!r}.")
        if self.estimate not in get_args(Estimate):
            raise ParameterError(f"estimate of Bootstrap must be 'loo', '.632' or '.632+', got {self.estimate!r}.")

    def counts(self, y: Array, groups: Array | None, by_class: bool) -> Array:
        """How often each row is in each replicate that leaves out some row."""
        counts = bootstrap_counts(self.replicates, y, groups, by_class, self.seed)
        useful = counts[(counts == 0).any(axis=1)]
        if len(useful) < 2:
            raise ValueError(
                _("Of {replicates} replicates only {found} leave out a row: there are too few rows for a bootstrap.").format(
                    replicates=self.replicates, found=len(useful)
                )
            )
        return useful

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        numbers = np.arange(len(y))
        for count in self.counts(y, groups, by_class):
            yield np.repeat(numbers, count), numbers[count == 0]

    def __str__(self) -> str:
        return _("bootstrap with {replicates} replicates, {estimate}").format(
            replicates=self.replicates, estimate=_("error of the rows left out") if self.estimate == "loo" else self.estimate
        )

"""The mean of a score over folds, and its interval.

Folds share training rows, so their scores are not independent and s²/k is too small a variance for their mean m. With Nadeau
and Bengio's correction the interval is

    m ± t_{k−1} · s·√(1/k + n_test/n_train)                                                                   (1)

The correction supposes that n_test/(n_test + n_train) of the variance of a fold is common to all folds. Stable learners have
less in common, and the interval is wider than it need be; learners that a table may mislead as a whole have more.
docs/methods/how_sure_are_we.md counts both.

Reference: Nadeau & Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import t

from aprendiz.core.rows import Array

if TYPE_CHECKING:
    from aprendiz.evaluation import Fold


def from_folds(values: Array, folds: Sequence[Fold], level: float = 0.95) -> tuple[float, float, float]:
    """(1): the mean over the folds and its interval. A fold without a value (an AUC of one class) is left out."""
    known = values[~np.isnan(values)]
    if not len(known):
        return float("nan"), float("nan"), float("nan")
    mean = float(known.mean())
    if len(known) < 2:
        return mean, float("nan"), float("nan")
    test = np.mean([len(fold.test) for fold in folds])
    train = np.mean([fold.trained_on for fold in folds])
    spread = float(known.std(ddof=1) * np.sqrt(1 / len(known) + test / train))
    half = float(t.ppf(0.5 + level / 2, len(known) - 1)) * spread
    return mean, mean - half, mean + half

"""A score from bootstrap replicates, and its interval.

L_ib is what row i adds to the measure in replicate b that left it out: its loss, or for measures that are no means over rows
the measure of the replicate and the row's pull on it (metrics.py). With C_i the replicates without row i, E_i the mean of L_ib
over them and Err₁ the mean of E_i, the three estimates are those of evaluation/bootstrap.py.

The standard error is that of the delta method after the bootstrap: how would Err₁ change if row i weighed a little more? It
counts for more itself, and it is drawn more often. What the second does, the replicates tell, in which it was drawn more or
less often. With N_ib how often row i is in replicate b,

    D_i = (E_i − Err₁)/n + M_i,     M_i = (1 − 1/n)⁻ⁿ · 1/B Σ_b (N_ib − N̄_i)·q_b                              (1)
    q_b = 1/n Σ_{j: b ∈ C_j} (L_jb − E_j)                                                                     (2)
    error² = Σ_i D_i² − n·(1 − 1/n)¹⁻²ⁿ·s²_q/B,     at least Σ_i ((E_i − Err₁)/n)²                             (3)

since with F the weights of the rows, dE[g(N)]/dF_i = n·E[g(N)·(N_i − 1)]. What is subtracted in (3) is what chance adds to ΣM²
in B replicates. For .632 and .632+ with weight w of Err₁, which is taken as known, and l_i what row i adds to the training
error err, D_i is (1 − w)·(l_i − err)/n + w·D_i. The interval is the estimate ± z·error.

Where groups were drawn, a group takes the place of a row in the sums over i. The interval says how the estimate varies with the
table; that it may lie to one side of the truth is not in it.

(1) is derived from these derivatives. With L_jb itself in (2) the same derivative reads, over all possible samples,

    D_i = (2 + 1/(n − 1))·(E_i − Err₁)/n + (1 − 1/n)⁻ⁿ·Cov(N_i, q)                                            (4)

which a few replicates tell far less exactly, since q then carries the whole of the loss. How often the interval holds the true
score: docs/methods/how_sure_are_we.md.

References: Efron & Tibshirani, JASA 92, 1997, section 5, for the delta method after the bootstrap (its formula was not at hand
to be compared with (4)); Wager, Hastie & Efron, JMLR 15, 2014, for what chance adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from aprendiz.core.rows import Array
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.evaluation.measures.no_information import NO_INFORMATION

if TYPE_CHECKING:
    from aprendiz.evaluation import Evaluation, Metric

SHARE = 0.632  # 1 − 1/e


def from_replicates(found: Evaluation, metric: Metric, values: Array, level: float) -> tuple[float, float, float]:
    """The estimate that was asked for, and its interval; NaN for a measure that no replicate has."""
    resampling = found.resampling
    assert resampling is not None
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return float("nan"), float("nan"), float("nan")
    numbers = [found.folds[place].number for place in known]
    adds = np.full((len(known), len(found.y)), np.nan)
    for place, one in zip(range(len(known)), known, strict=True):
        adds[place, found.folds[one].test] = what_rows_add(metric, found.by_fold[one])
    owner = np.arange(len(found.y)) if resampling.groups is None else np.unique(resampling.groups, return_inverse=True)[1]
    value, own, moved, noise = leave_one_out(adds, resampling.counts[numbers], owner)
    share = 1.0
    if resampling.estimate != "loo":
        seen = found.answers(resampling.apparent)
        apparent, of_rows = metric.of(seen), what_rows_add(metric, seen)
        nothing, sign = NO_INFORMATION[metric.name](seen), -1.0 if metric.more_is_better else 1.0
        value, share = combine(resampling.estimate, sign * apparent, sign * value, sign * nothing)
        value *= sign
        own = (1.0 - share) * np.bincount(owner, of_rows - apparent) / len(of_rows) + share * own
    square = ((own + share * moved) ** 2).sum() - share**2 * noise
    half = float(ndtri(0.5 + level / 2) * np.sqrt(max(square, (own**2).sum())))
    return value, value - half, value + half


def what_rows_add(metric: Metric, answers: Answers) -> Array:
    """L of the rows: numbers around the measure, which is their mean."""
    pull = metric.pull(answers)
    return metric.of(answers) + (pull - pull.mean())


def leave_one_out(adds: Array, counts: Array, owner: Array) -> tuple[float, Array, Array, float]:
    """Err₁, both parts of (1) for each row or group, and what (3) subtracts. `adds` is NaN where a row is in the replicate."""
    out = ~np.isnan(adds)
    times = out.sum(axis=0)
    tested = times > 0
    n, units = int(tested.sum()), int(owner.max()) + 1
    means = np.where(out, adds, 0.0).sum(axis=0) / np.maximum(times, 1)
    value = float(means[tested].mean())
    own = np.bincount(owner, np.where(tested, means - value, 0.0)) / n
    q = np.where(out, adds - means, 0.0).sum(axis=1) / n
    drawn = counts[:, np.unique(owner, return_index=True)[1]].astype(np.float64)  # of a row of each group
    inverse = (1.0 - 1.0 / units) ** -units
    moved = inverse * (q @ (drawn - drawn.mean(axis=0))) / len(q)
    noise = units * (1.0 - 1.0 / units) * inverse**2 * float(q.var()) / len(q)
    return value, own, moved, noise


def combine(estimate: str, apparent: float, value: float, nothing: float) -> tuple[float, float]:
    """(2) or (3) of evaluation/bootstrap.py, of errors, and the weight w of Err₁."""
    if estimate == ".632":
        return (1.0 - SHARE) * apparent + SHARE * value, SHARE
    value = min(value, nothing)
    way = (value - apparent) / (nothing - apparent) if value > apparent else 0.0
    share = SHARE / (1.0 - (1.0 - SHARE) * way)
    return (1.0 - share) * apparent + share * value, share

"""A race: a method that cannot win any more is spared its remaining folds.

With j of K folds done, d the mean and s the standard deviation of the j differences between the leader and a method, the mean
over all K folds has the other sign only if the remaining folds differ by enough from those that are done. If folds are
exchangeable and their differences normal,

    P(the method is ahead after K folds | j folds)  =  T_{j−1}( −(d/s)·√(K·j/(K − j)) )                       (1)

with T the distribution function of Student's t. A method is stopped where (1) is below CHANCE, divided by the number of its
rivals and of looks (Bonferroni), so that the method which would have been best is stopped in at most CHANCE of all runs.

The s of a few folds may be small by chance, 0 even. Of classes, a share of m test rows that differs by d cannot vary by less
than √(d/m) from fold to fold, for at least that many rows are judged differently.

It is about the winner of this cross-validation. Whether the difference is significant is another question (compare).

References: Maron & Moore, "The racing algorithm", Artificial Intelligence Review 11, 1997; Birattari et al., "A racing
algorithm for configuring metaheuristics", GECCO 2002.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from aprendiz.core.rows import Array
from aprendiz.evaluation.words.measures import measure_in_words, score_in_words
from aprendiz.locale import _, format_whole

CHANCE = 0.01
FIRST_LOOK = 3  # folds
WORTH = 5.0  # seconds that a method would still take, from which it is worth stopping


@dataclass(frozen=True)
class Loser:
    """A method that was stopped: after how many folds, who led, by how much, and the chance (1) of overtaking."""

    method: str
    folds: int
    leader: str
    difference: float
    chance: float

    def in_words(self, measure: str, folds: int) -> str:
        """For reports and screens."""
        return _(
            "{method} was stopped after {done} of {folds} folds: it was {difference} behind {leader} in {measure}."
        ).format(
            method=self.method,
            done=format_whole(self.folds),
            folds=format_whole(folds),
            difference=score_in_words(self.difference, measure),
            leader=self.leader,
            measure=measure_in_words(measure),
        )


def losers(scores: Mapping[str, Array], folds: int, *, more_is_better: bool, test_rows: float | None = None) -> list[Loser]:
    """Who cannot win, given the scores of the same folds, of `folds` in all; `test_rows` of a fold for shares of rows."""
    names = list(scores)
    table = np.array([scores[name] for name in names]) * (1.0 if more_is_better else -1.0)
    done = table.shape[1] if len(names) else 0
    if len(names) < 2 or not FIRST_LOOK <= done < folds or np.isnan(table).any():
        return []
    mean = table.mean(axis=1)
    first = int(mean.argmax())
    allowed = CHANCE / ((len(names) - 1) * (folds - FIRST_LOOK))
    found = []
    for place, name in enumerate(names):
        chance = chance_to_overtake(table[first] - table[place], folds, test_rows)
        if place != first and chance < allowed:
            found.append(Loser(name, done, names[first], float(mean[first] - mean[place]), chance))
    return found


def chance_to_overtake(differences: Array, folds: int, test_rows: float | None = None) -> float:
    """(1), of differences that are positive where the leader is ahead."""
    done, d = len(differences), float(differences.mean())
    s = float(differences.std(ddof=1))
    if test_rows is not None:
        s = max(s, np.sqrt(max(d, 0.0) / test_rows))
    if d <= 0.0:
        return 1.0
    return float(stdtr(done - 1, -(d / s) * np.sqrt(folds * done / (folds - done)))) if s > 0 else 0.0

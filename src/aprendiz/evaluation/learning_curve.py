"""Learning curve: how the score of a learner grows with the number of rows it is given.

Each split of a protocol is kept; of its training rows a random part is used, and the learner is judged on all test rows of
the split and on the part itself. A curve on unseen rows that still rises says that more rows would help; a wide gap
between the two that the learner is too flexible for these rows; two low curves that meet, that it is too simple.

The parts of a split are nested: the training rows are put in one random order, and a part is its beginning. For classes
row i of the n_k of class k has the place

    i / n_k,     i = 0, 1, …, n_k − 1, in random order within the class                                           (1)

so that every beginning has all classes, none of them with more than one row above its share.

Cost: as many fits as splits times shares.
Reference: Perlich, Provost & Simonoff, "Tree induction vs. logistic regression: a learning-curve analysis", JMLR 4, 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import Evaluation, KFolds, Score
from aprendiz.evaluation.folds.both_sides import Trial
from aprendiz.evaluation.folds.splits import Protocol, Split
from aprendiz.evaluation.words.curves import curve_columns, curve_table
from aprendiz.evaluation.words.tables import amount, frame

SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)


def learning_curve(
    learner: Any,
    X: Any,
    y: Any,
    *,
    shares: Sequence[float] = SHARES,
    protocol: Protocol | None = None,
    metric: str | None = None,
    groups: Any = None,
    seed: int = 0,
) -> LearningCurve:
    """Scores of a learner fitted to growing parts of the training rows.

    Parameters
    ----------
    learner : classifier or regressor
        With all of its preprocessing inside (a pipeline). It is cloned, never changed.
    X, y : the table and its target
    shares : sequence of float, default=(0.1, 0.2, 0.4, 0.7, 1.0)
        Parts of the training rows of each split. A part has at least a row of each class, or two rows for numbers.
    protocol : Holdout, KFolds, Repeated or LeaveOneOut, default=KFolds(10)
        With all training rows (share 1) the scores are those of `evaluate`.
    metric : str, optional
        See `aprendiz.evaluation.METRICS`; by default accuracy, or R² for numbers.
    groups : array, optional
        Rows of one group are never on both sides of a split.
    seed : int, default=0
        Which rows are in the parts.

    Examples
    --------
    >>> curve = learning_curve(GaussianNB(), X, y, shares=(0.1, 0.5, 1.0))  # doctest: +SKIP
    >>> curve.plot()  # doctest: +SKIP
    """
    trial = Trial.of(learner, X, y, groups, protocol or KFolds(10), metric)
    labels = trial.y if trial.classes is not None else None
    parts = nested_parts(trial.splits(), labels, in_order(shares), seed)
    points = [trial.judge(learner, of_share) for of_share in parts]
    return LearningCurve(
        metric=trial.metric,
        rows=np.array([np.mean([len(part) for part, _ in of_share]) for of_share in parts]),
        unseen=tuple(unseen.score() for unseen, _ in points),
        seen=tuple(seen for _, seen in points),
        evaluations=tuple(unseen for unseen, _ in points),
    )


def in_order(shares: Sequence[float]) -> list[float]:
    """Distinct shares, rising."""
    for share in shares:
        if not 0 < share <= 1:
            raise ValueError(f"shares holds {share!r}: give parts of the training rows, above 0 and at most 1.")
    if not len(shares):
        raise ValueError("shares is empty: give at least one part of the training rows, such as 1.0.")
    return sorted(set(shares))


# ---- parts of the training rows ----------------------------------------------------------------------------------------


def nested_parts(splits: Sequence[Split], y: Array | None, shares: Sequence[float], seed: int) -> list[list[Split]]:
    """For each share, the splits with that part of their training rows, in the order in which the protocol gave them."""
    orders = [random_order(train, None if y is None else y[train], seed, number) for number, (train, _) in enumerate(splits)]
    least = [2 if y is None else len(np.unique(y[train])) for train, _ in splits]
    return [
        [
            (train[np.sort(order[: max(round(share * len(train)), few)])], test)
            for (train, test), order, few in zip(splits, orders, least, strict=True)
        ]
        for share in shares
    ]


def random_order(train: Array, labels: Array | None, seed: int, split: int) -> Array:
    """Places of the training rows in random order; of classes, in the order (1)."""
    order = np.argsort(uniforms(seed, split, train))
    if labels is None:
        return order
    codes, counts = np.unique(labels[order], return_inverse=True, return_counts=True)[1:]
    together = np.argsort(codes, kind="stable")
    number = np.empty(len(order), dtype=np.int64)  # of a row within its class
    number[together] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    return order[np.argsort(number / counts[codes], kind="stable")]


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve(ShortRepr):
    """Scores against the number of training rows.

    Attributes
    ----------
    metric : str
        The measure.
    rows : ndarray of shape (n_shares,)
        Training rows of a split, in the mean over the splits; rising.
    unseen : tuple of Score
        On the test rows, with the intervals of `evaluate`.
    seen : tuple of Score
        On the training rows; from the lowest to the highest of the splits.
    evaluations : tuple of Evaluation
        The predictions for the test rows, for each number of training rows.
    """

    metric: str
    rows: Array
    unseen: tuple[Score, ...]
    seen: tuple[Score, ...]
    evaluations: tuple[Evaluation, ...]

    def frame(self) -> Any:
        """A pandas frame: a row for each number of training rows."""
        return frame({"rows": self.rows, **curve_columns(self.unseen, self.seen)})

    def __str__(self) -> str:
        table = curve_table("training rows", [amount(count) for count in self.rows], self.unseen, self.seen)
        return f"{self.evaluations[0].protocol}\n{table}"

    def plot(self, ax: Any = None) -> Picture:
        """The curve as a picture, a `LearningCurveDisplay`. Needs matplotlib."""
        return display("LearningCurveDisplay")(self).plot(ax)

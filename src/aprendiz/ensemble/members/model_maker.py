"""Members of any kind: copies of a base learner, each fitted to rows, columns and random numbers of its own.

A row that is three times in a bag is a row of weight 3 where the base learner takes weights, else it is given three times; a
row that is not in the bag is not given at all. So a bag may lack a class: the predictions of a member are put in the places
of its classes among all classes, and a member that saw a single class and refused it always predicts that one.

Metadata that a member asks for is handed on: in a fit, of the rows of its bag; in a prediction, as it is, with the whole table.

Random numbers: every parameter `random_state` of the base learner, and of the learners inside it, is a function of the seed
and of the number of the member.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn import config_context, get_config
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from aprendiz.core.cells import Column
from aprendiz.core.columns import Mixed
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import hashes
from aprendiz.core.routing import NO_METADATA, of_some_rows, routes_metadata
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.ensemble.forest.forest import Forest, empty_forest
from aprendiz.ensemble.members.bags import GROWTH, stream
from aprendiz.ensemble.members.ensemble_data import NO_ROWS, Member
from aprendiz.tree.pruning.prunable_tree import table_given
from aprendiz.tree.shared.decision_tree import gather

Metadata = Mapping[str, Any]  # metadata of the rows


@dataclass(frozen=True, eq=False)
class Model:
    """A member that is a learner.

    Attributes
    ----------
    learner : fitted learner
    columns : ndarray of column numbers, optional
        Those it was fitted to; None for all.
    labels : ndarray of shape (classes,), optional
        All classes, of which it may know some; None for numbers.
    hard : bool
        Whether it predicts with a class where it could give probabilities.
    """

    learner: Any
    columns: Array | None
    labels: Array | None
    hard: bool = False

    def answers(self, rows: Rows, metadata: Metadata = NO_METADATA) -> Array:
        """Probabilities of all classes, a 1 for the class it predicts, or numbers: a row for each row."""
        return self.each(rows, self.predict_table, metadata)

    def logarithms(self, rows: Rows, metadata: Metadata = NO_METADATA) -> Array:
        """The logarithms of its probabilities of all classes."""

        labels = self.labels
        assert labels is not None

        def of_table(table: Any, metadata: Metadata) -> Array:
            logs = np.full((table.shape[0], len(labels)), -np.inf)
            logs[:, np.searchsorted(labels, self.learner.classes_)] = self.learner.predict_log_proba(table, **metadata)
            return logs

        return self.each(rows, of_table, metadata)

    def decisions(self, rows: Rows, metadata: Metadata = NO_METADATA) -> Array:
        """Its decision function."""

        def of_table(table: Any, metadata: Metadata) -> Array:
            return np.asarray(self.learner.decision_function(table, **metadata), np.float64)

        return self.each(rows, of_table, metadata)

    def each(self, rows: Rows, say: Callable[[Any, Metadata], Array], metadata: Metadata) -> Array:
        """What it says of all rows: block by block, or at once where there is metadata of them."""
        if metadata and not isinstance(self.learner, DummyClassifier):  # in the place of a learner that refused one class
            return say(self.own_columns((rows if in_memory(rows) else gather(rows)).X), metadata)
        return rows.each(lambda block: say(self.own_columns(block.X), NO_METADATA))

    def own_columns(self, X: Any) -> Any:
        """What it sees of some rows."""
        return part(table_given(ArrayRows(X)) if isinstance(X, Mixed) else X, None, self.columns)

    def predict_table(self, table: Any, metadata: Metadata = NO_METADATA) -> Array:
        """Its predictions for some rows of its own columns."""
        if self.labels is None:
            return np.asarray(self.learner.predict(table, **metadata), np.float64).reshape(table.shape[0], -1)
        answers = np.zeros((table.shape[0], len(self.labels)))
        if hasattr(self.learner, "predict_proba") and not self.hard:
            answers[:, np.searchsorted(self.labels, self.learner.classes_)] = self.learner.predict_proba(table, **metadata)
        else:
            answers[np.arange(len(answers)), np.searchsorted(self.labels, self.learner.predict(table, **metadata))] = 1.0
        return answers


@dataclass(frozen=True, eq=False)
class ModelMaker:
    """What all members of an ensemble share.

    Attributes
    ----------
    base : learner
        Not fitted; members are copies of it.
    table : ndarray, sparse matrix or data frame
    y : ndarray of shape (n,) or (n, outputs)
        Numbers of classes, or numbers.
    labels : ndarray of shape (classes,), optional
    hard : bool
        As in `Model`.
    takes : bool
        Whether members are given weights, rather than rows as often as they count.
    metadata : mapping
        Metadata of the rows, which members ask for.
    config : mapping
        scikit-learn's configuration where the fit was called: members may be fitted in other threads, which know none.
    """

    base: Any
    table: Any
    y: Array
    labels: Array | None
    hard: bool = False
    takes: bool = True
    metadata: Metadata = field(default_factory=dict)
    config: Metadata = field(default_factory=get_config)
    largest_bin: int = 0

    @classmethod
    def of(cls, base: Any, rows: ArrayRows, *, hard: bool = False, required: bool = False) -> ModelMaker:
        """Members fitted to some rows. `required`: weights cannot be told by repeated rows."""
        assert rows.y is not None
        if required:
            refuse_without_weights(base)
        y = rows.y[:, 0] if rows.y.ndim == 2 and rows.y.shape[1] == 1 else rows.y
        table = table_given(rows)
        if isinstance(rows.X, Mixed) and isinstance(base, Learner):
            table = with_all_levels(table, rows.X)
        table = table if rows.form is None else rows.form(table)
        return cls(base, table, y, rows.labels, hard, takes_weights(base, required))

    @property
    def bare(self) -> Forest:
        """A forest without trees: there will be none."""
        classes = 0 if self.labels is None else len(self.labels)
        return empty_forest(self.table.shape[1], classes, 1 if self.y.ndim == 1 else self.y.shape[1], False)

    def with_labels(self, y: Array) -> ModelMaker:
        """The same with other classes."""
        return replace(self, y=y)

    def member(self, weight: Array, seed: int, number: int, columns: Array | None = None, asked: Array | None = None) -> Member:
        """Member `number`: fitted to the rows with weight and to some of the columns, and its predictions for the rows that are
        asked about."""
        with config_context(**self.config):
            learner = self.fit_model(weight, seed_copy(self.base, seed, number), columns)
        model = Model(learner, columns, self.labels, self.hard)
        asked = NO_ROWS if asked is None else asked
        said = model.predict_table(part(self.table, asked, columns)) if len(asked) else np.zeros((0, self.bare.value.shape[1]))
        return Member(None, model, self.importance(model), np.nan, 0.0, asked, said)

    def fit_model(self, weight: Array, learner: Any, columns: Array | None) -> Any:
        """The learner fitted to the rows as often as their weights say."""
        there, weights = bag(weight, self.takes)
        metadata = of_some_rows(self.metadata, there, len(weight))
        X, y = part(self.table, there, columns), self.y if there is None else self.y[there]
        y = y if self.labels is None else self.labels[y]
        try:
            learner.fit(X, y, **metadata, **({} if weights is None else {"sample_weight": weights}))
        except ValueError:
            if self.labels is None or (y != y[0]).any():
                raise
            return DummyClassifier(strategy="most_frequent").fit(X, y)
        return learner  # whatever `fit` returned

    def importance(self, model: Model) -> Array:
        """The part of each column as the member tells it; NaN where it tells nothing."""
        own, columns = getattr(model.learner, "feature_importances_", None), self.table.shape[1]
        if own is None:
            return np.full(columns, np.nan)
        seen = np.arange(columns) if model.columns is None else model.columns
        return np.bincount(seen, own, columns) if len(own) == len(seen) else np.full(columns, np.nan)


def bag(weight: Array, takes: bool) -> tuple[Array | None, Array | None]:
    """The rows that are given (None: all of them, once) and their weights (None: all 1)."""
    if takes:
        there, weights = np.flatnonzero(weight), weight[weight > 0]
        return (None if len(there) == len(weight) else there), (None if (weights == 1).all() else weights)
    times = weight.astype(np.int64)
    assert (times == weight).all()
    return (None if (times == 1).all() else np.repeat(np.arange(len(times)), times)), None


def with_all_levels(frame: Any, mixed: Mixed) -> Any:
    """A frame whose columns of words know all their levels: a bag may lack some of them."""
    words = [column for column in mixed.columns if column.kind in ("binary", "categorical")]
    return frame.assign(**{column.name: frame[column.name].astype(level_type(column)) for column in words})


def level_type(column: Column) -> Any:
    from pandas import CategoricalDtype

    return CategoricalDtype(list(column.levels))


def part(table: Any, rows: Array | None, columns: Array | None) -> Any:
    """Some rows and columns of a table (None: all)."""
    if hasattr(table, "iloc"):
        return table.iloc[slice(None) if rows is None else rows, slice(None) if columns is None else columns]
    table = table if rows is None else table[rows]
    return table if columns is None else table[:, columns]


def seed_copy(base: Any, seed: int, number: int) -> Any:
    """A copy of the base learner with the random numbers of a member."""
    learner = clone(base)
    names = [name for name in sorted(learner.get_params()) if name == "random_state" or name.endswith("__random_state")]
    numbers = hashes(seed, stream(number, GROWTH), np.arange(len(names))) >> np.uint64(33)
    return learner.set_params(**dict(zip(names, numbers.tolist(), strict=True)))


def takes_weights(base: Any, required: bool) -> bool:
    """Are members given weights? Where metadata is routed, if they ask for them or cannot do without."""
    if required or not routes_metadata():
        return bool(has_fit_parameter(base, "sample_weight"))
    return bool(get_routing_for_object(base).consumes("fit", ("sample_weight",)))


def refuse_without_weights(base: Any) -> None:
    """A base learner that would not know what its rows weigh."""
    if not has_fit_parameter(base, "sample_weight"):
        raise ParameterError(
            f"{type(base).__name__} does not support sample_weight. Choose a base "
            "learner that takes weights, such as a decision tree, or leave the weights out."
        )

"""SHAP values: what each column adds to each prediction of a tree, a forest or boosted trees.

    f(x) = base + Σ_j φ_j(x)                                                                                  (1)

    φ_j(x) = Σ_(S without j) |S|! (d − |S| − 1)! / d! · [v(S ∪ j) − v(S)]          v(S): the prediction if S is known  (2)

These are the Shapley values of the game v: the only numbers that add up to the prediction, treat columns alike that do alike,
give nothing to a column that the model does not look at, and are the sums of those of the trees. What "known" means is a
choice:

    no background     at a split on an unknown column a row takes all branches, in proportion to the weight of the fit there
    background Z      unknown columns have the cells of a row of Z; v is the mean over the rows of Z

The first averages over the rows of the fit, as far as the trees have divided them. The second asks what the model says of rows
that are put together from two, whether or not there are such rows. Where columns do not go together, both say much the same.
(2) has 2^d terms; the files of tree/contributions find the same numbers by passing each tree once (path_dependent.py), or once
for each row of the background (interventional.py).

Interactions divide φ_j further: Φ_jk is what j and k add together beyond what each adds alone, half of it for either, and
Σ_k Φ_jk = φ_j.

Cost: O(nodes · depth) a row and tree; with a background of m rows, m times the nodes that both rows reach; interactions
O(nodes · depth²).
References: Lundberg & Lee, "A unified approach to interpreting model predictions", NeurIPS 2017; Lundberg et al., "From local
explanations to global understanding with explainable AI for trees", Nature Machine Intelligence 2, 2020; Janzing, Minorics &
Blöbaum, "Feature relevance quantification in explainable AI: a causal problem", AISTATS 2020.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.frames import as_floats, is_missing
from aprendiz.core.html import Html, ShownAsHtml, sentence, table, title
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array, Rows
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.dependence.columns import TableColumns
from aprendiz.evaluation.words.tables import align, frame
from aprendiz.locale import _, format_whole, number
from aprendiz.tree.contributions.additive_trees import Meaning, SumOfTrees, column_names
from aprendiz.tree.contributions.attribution import attribute, refuse_undecided
from aprendiz.tree.contributions.row_contributions import (
    RowContributions,
    footnote,
    levels_of,
    outcome_in_words,
    output_of,
)

ROUNDING = 1e-9  # of the largest prediction


def shap_values(model: Any, X: Any, background: Any = None, *, interactions: bool = False) -> ShapValues:
    """What each column adds to each prediction of a sum of trees.

    Parameters
    ----------
    model : fitted tree, forest, bagging of trees or boosted trees of this library
        Or a pipeline that ends with one: the columns are then those that come out of the steps before.
    X : table
    background : table, optional
        Rows that unknown columns take their cells from, a hundred or so of the training rows; by default the trees themselves
        say what is usual.
    interactions : bool, default=False
        Whether to divide the values further, among pairs of columns (without a background).

    Returns
    -------
    ShapValues

    Examples
    --------
    A tree of two columns, by hand: v(∅) = 3, v(a) = 4, v(b) = 4, v(a, b) = 8 for the row (1, 1), so that each column adds
    (1 + 4)/2 = 2.5.

    >>> from aprendiz import DecisionTreeRegressor
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> tree = DecisionTreeRegressor().fit(X, [4.0, 0.0, 0.0, 8.0])
    >>> found = shap_values(tree, X)
    >>> found.values.tolist()[3], float(found.base), bool(found.certificate.holds)
    ([2.5, 2.5], 3.0, True)
    """
    check_is_fitted(model)
    learner, X, background = last_step(model, X, background)
    if not isinstance(learner, SumOfTrees):
        raise TypeError(
            f"{type(learner).__name__} is no sum of trees: give a tree, a forest or boosted trees of this library; for other "
            "models there are permutation_importance and partial_dependence."
        )
    sum_of_trees = learner.additive_trees()
    rows, others = learner.new_rows(X), None
    if background is not None:
        if interactions:
            raise ValueError("interactions=True is for values without a background: leave one of the two out.")
        others = learner.new_rows(background)
        refuse_undecided(sum_of_trees, {"X": rows, "background": others}, column_names(learner))
    found = attribute(sum_of_trees, rows, others, interactions=interactions)
    response = np.asarray(learner.additive_response(X), dtype=np.float64).reshape(len(found.values), -1)
    single = sum_of_trees.outputs == 1
    return ShapValues(
        values=found.values[..., 0] if single else found.values,
        base=float(found.base[0]) if single else found.base,
        response=response[:, 0] if single else response,
        interactions=found.pairs if found.pairs is None or not single else found.pairs[..., 0],
        names=column_names(learner),
        meaning=sum_of_trees.meaning,
        labels=sum_of_trees.labels,
        levels=levels_of(learner),
        table=X,
        certificate=adds_up(found.base + found.values.sum(axis=1), response),
    )


def last_step(model: Any, X: Any, background: Any) -> tuple[Any, Any, Any]:
    """The learner at the end of a pipeline, and the tables as it sees them."""
    if not isinstance(model, Pipeline):
        return model, X, background
    before = model[:-1]
    return model[-1], before.transform(X), None if background is None else before.transform(background)


def adds_up(total: Array, response: Array) -> Certificate:
    """That (1) holds for every row, up to rounding."""
    gap, size = float(np.abs(total - response).max(initial=0.0)), float(np.abs(response).max(initial=0.0))
    claim = "the base value and the values of the columns add up to the prediction of every row"
    return Certificate(claim, gap <= ROUNDING * max(size, 1e-300), {"gap": gap, "largest": size})


@dataclass(frozen=True, eq=False, repr=False)
class ShapValues(ShortRepr, ShownAsHtml):
    """What each column adds to each prediction.

    Attributes
    ----------
    values : ndarray of shape (rows, columns), or (rows, columns, outputs)
        φ of (1). Forests of classes have an output for each, regressors one for each of several targets.
    base : float, or ndarray of shape (outputs,)
        The prediction where nothing is known of a row.
    response : ndarray of shape (rows,) or (rows, outputs)
        The predictions that the values add up to, with the base.
    interactions : ndarray of shape (rows, columns, columns), or (rows, columns, columns, outputs), or None
    names : tuple
        Of the columns.
    meaning : {"probability", "votes", "number", "score"}
        What the outputs are.
    labels : tuple
        The class of each output, or the number of the target; empty for one number.
    levels : tuple of tuple
        The levels of each column; () for numbers.
    table : table
        The rows, as the learner saw them.
    certificate : Certificate
        That (1) holds.
    """

    values: Array
    base: Any
    response: Array
    interactions: Array | None
    names: tuple[Any, ...]
    meaning: Meaning
    labels: tuple[Any, ...]
    levels: tuple[tuple[Any, ...], ...]
    table: Any
    certificate: Certificate

    def output(self, target: Any = None) -> int:
        """The number of an output; by default the only one, or the second of two classes."""
        if target is not None:
            return output_of(self.labels, target)
        if len(self.labels) > 2 or (self.meaning == "number" and len(self.labels)):
            known = ", ".join(map(repr, self.labels))
            raise ValueError(f"The model has {len(self.labels)} outputs: choose one by target, one of {known}.")
        return max(len(self.labels) - 1, 0)

    def of_output(self, target: Any = None) -> Array:
        """The values of one output, of shape (rows, columns)."""
        output = self.output(target)
        return self.values[..., output] if self.values.ndim == 3 else self.values

    @property
    def importance(self) -> Array:
        """The mean size of the values of each column, summed over the outputs; of two classes, of one."""
        size = np.abs(self.values).mean(axis=0)
        if size.ndim == 1:
            return size
        return size[:, -1] if len(self.labels) == 2 and self.meaning != "number" else size.sum(axis=1)

    @property
    def ranking(self) -> Array:
        """The columns from the most important one on."""
        return np.argsort(-self.importance, kind="stable")

    def explain(self, row: int) -> RowContributions:
        """The values of one row, with its cells, in words and as a picture."""
        count = len(self.values)
        if not -count <= row < count:
            raise IndexError(f"There is no row {row}: there are {count}, counted from 0.")
        columns, row = self.columns(), int(row) % count
        cells = tuple(columns.values(j)[row] for j in range(len(self.names)))
        values, base, response = self.values[row].reshape(len(cells), -1), np.ravel(self.base), np.ravel(self.response[row])
        return RowContributions(self.names, cells, self.levels, values, base, response, self.meaning, self.labels)

    def frame(self, target: Any = None) -> Any:
        """A pandas frame of the values of one output, a row for each row."""
        values = self.of_output(target)
        return frame({name: values[:, j] for j, name in enumerate(self.names)})

    def column_values(self, j: int) -> Array:
        """The cells of a column as numbers, levels by their place; NaN where they are missing or not known to the model."""
        column = self.columns().values(j)
        if not self.levels[j]:
            return column.astype(np.float64) if isinstance(column, np.ndarray) else as_floats(column)
        place = {level: number for number, level in enumerate(self.levels[j])}
        listed = column.tolist() if isinstance(column, np.ndarray) else column.to_list()
        return np.array([np.nan if is_missing(cell) else place.get(cell, np.nan) for cell in listed])

    def columns(self) -> TableColumns:
        """The cells, column by column."""
        if isinstance(self.table, Rows):
            raise TypeError("The cells of rows in files were not kept: give shap_values a table to explain or draw them.")
        return TableColumns(self.table)

    # ---- in words --------------------------------------------------------------------------------------------------------

    def cells(self) -> list[tuple[str, str]]:
        """The rows of a table for reading."""
        size = self.importance
        return [(str(self.names[j]), number(size[j], 3)) for j in self.ranking]

    @property
    def sentence(self) -> str:
        """What the table holds."""
        words = _("How much each column changes the prediction, on average over {rows} rows, one way or the other.")
        return words.format(rows=format_whole(len(self.values)))

    def html_parts(self) -> Iterator[Html]:
        """The columns from the most important one on, for notebooks."""
        yield title(_("SHAP values"), self.outcome() if len(self.labels) <= 2 else "")
        yield sentence(self.sentence)
        yield table([_("column"), _("mean size")], self.cells(), numbers=(1,))
        yield sentence(footnote())

    def outcome(self, target: Any = None) -> str:
        """What the values add up to, in words."""
        return outcome_in_words(self.meaning, self.labels, self.output(target))

    def __str__(self) -> str:
        return "\n".join([self.sentence, align([(_("column"), _("mean size")), *self.cells()])])

    # ---- pictures --------------------------------------------------------------------------------------------------------

    def plot(self, ax: Any = None, *, target: Any = None, most: int = 15) -> Picture:
        """A point for each row and column, a `ShapSummaryDisplay`; `target` is the class, or the number of the target.
        Needs matplotlib."""
        return display("ShapSummaryDisplay")(self, target=target).plot(ax, most=most)

    def plot_importance(self, ax: Any = None, *, most: int = 20) -> Picture:
        """The mean sizes as bars, an `ImportanceDisplay`. Needs matplotlib."""
        return display("ImportanceDisplay").from_shap_values(self, most=most, ax=ax)

    def plot_dependence(self, column: Any, ax: Any = None, *, colour: Any = None, target: Any = None) -> Picture:
        """The values of a column against its cells, a `ShapDependenceDisplay`; `colour` is a column that colours the points.
        Needs matplotlib."""
        return display("ShapDependenceDisplay")(self, column, colour=colour, target=target).plot(ax)

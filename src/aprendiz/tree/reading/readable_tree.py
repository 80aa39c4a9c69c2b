"""A tree that can be read: rules, text, drawings, explanations, worked nodes and exports, each in a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.one_row import cells_of_row
from aprendiz.core.pictures import Picture, display
from aprendiz.tree.reading import as_json, as_python, as_sql, dot, drawing, explanation, text
from aprendiz.tree.reading.rules import Rules, rules
from aprendiz.tree.shared.decision_tree import DecisionTree

if TYPE_CHECKING:
    from aprendiz.tree.reading.worked_node import WorkedNode


class ReadableTree(DecisionTree):
    """A tree with words."""

    def rules(self, *, simplify: bool = True) -> Rules:
        """One rule for each leaf: IF conditions THEN prediction, with coverage, confidence and costs."""
        check_is_fitted(self)
        return rules(self.label_tree(), simplify=simplify)

    def to_text(self, *, max_depth: int | None = None, decimals: int | None = None) -> str:
        """The tree as indented text."""
        check_is_fitted(self)
        return text.to_text(self.label_tree(), max_depth=max_depth, decimals=decimals)

    def to_dot(self) -> str:
        """The tree in Graphviz's DOT language."""
        check_is_fitted(self)
        return dot.to_dot(self.label_tree())

    def to_json(self, *, indent: int | None = None) -> str:
        """The tree as JSON; `aprendiz.tree.reading.as_json.from_json` reads it."""
        check_is_fitted(self)
        return as_json.to_json(self.label_tree(), indent=indent)

    def to_python(self) -> str:
        """The tree as a Python function `predict(row)` that needs nothing else."""
        check_is_fitted(self)
        return as_python.to_python(self.label_tree())

    def to_sql(self) -> str:
        """The tree as an SQL expression."""
        check_is_fitted(self)
        return as_sql.to_sql(self.label_tree())

    def explain(self, row: Any, *, pruning: bool = False) -> explanation.Explanation:
        """The decision path of one row, in words.

        Parameters
        ----------
        row : dict of column to cell, sequence of cells, row of a data frame, or table with one row
        pruning : bool
            Whether to show R(t), R(T_t) and g(t) of each node on the path.
        """
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        cells = cells_of_row(row, None if names is None else list(names))
        return explanation.explain(self.label_tree(), cells, pruning=pruning)

    def worked(
        self,
        node: int = 0,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        thresholds: Literal["all", "boundary"] = "all",
    ) -> WorkedNode:
        """Every candidate split of a node, with counts, impurities, decrease and gain ratio: a table to print.

        Parameters
        ----------
        node : int
        X, y, sample_weight
            Rows to use instead of the training rows, which the tree keeps if the table is small.
        thresholds : {"all", "boundary"}
            All cuts between values, or only those between values of different classes.
        """
        from aprendiz.tree.reading.worked_node import worked_node

        check_is_fitted(self)
        return worked_node(self, node, X, y, sample_weight, thresholds)

    def plot(self, ax: Any = None, *, max_depth: int | None = None) -> Picture:
        """The tree as a picture, a `TreeDisplay`, down to some depth. Needs matplotlib."""
        return display("TreeDisplay").from_estimator(self, max_depth=max_depth, ax=ax)

    def _html_repr(self) -> str:
        """What scikit-learn shows of a learner in a notebook, and the fitted tree."""
        diagram: str = BaseEstimator._html_repr(self)
        return diagram + drawing.drawing(self) if hasattr(self, "tree_") else diagram

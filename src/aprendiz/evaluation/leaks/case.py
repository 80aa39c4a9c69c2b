"""What the leak meter looks at: a learner that was judged, its table and its splits, and a way to judge once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline

from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array
from aprendiz.evaluation import Evaluation, Leak
from aprendiz.evaluation.folds.splits import Split
from aprendiz.evaluation.leaks.table_columns import TableColumn, columns_of


@dataclass(frozen=True, eq=False)
class Case:
    """A learner that was judged, with the grid that it was tuned by; `again` evaluates by the same protocol."""

    learner: Any
    X: Any
    y: Array
    groups: Array | None
    splits: Sequence[Split]
    grid: Mapping[str, Sequence[Any]] | None
    found: Evaluation
    again: Callable[..., Evaluation]

    @cached_property
    def columns(self) -> list[TableColumn]:
        return columns_of(self.X)

    @property
    def metric(self) -> str:
        return self.found.metrics[0]

    def leak(self, code: str, what: str, remedy: str, **changed: Any) -> Leak:
        """A leak and its effect: the score as it was, and that with a learner, a table or groups without the leak."""
        honest = float("nan")
        if changed:
            with suppress(ValueError, TypeError):  # such folds, or such a table, cannot be had: the effect is not known
                honest = self.judge(**changed).score(self.metric).value
        return Leak(code, what, remedy, self.metric, self.found.score(self.metric).value, honest)

    def judge(self, learner: Any = None, X: Any = None, groups: Any = None) -> Evaluation:
        """Once more, with another learner, another table or other groups. The grid goes with the last step of a pipeline that
        was put around the learner."""
        grid = self.grid
        if grid and isinstance(learner, Pipeline) and not isinstance(self.learner, Pipeline):
            grid = {f"{learner.steps[-1][0]}__{name}": values for name, values in grid.items()}
        table, apart = self.X if X is None else X, self.groups if groups is None else groups
        return self.again(self.learner if learner is None else learner, table, groups=apart, grid=grid)

    def behind(self, *steps: Any) -> Any:
        """The learner behind steps that are fitted inside the folds."""
        return make_pipeline(*steps, clone(self.learner))

    @property
    def numbers_only(self) -> bool:
        return bool(self.columns) and all(column.kind == "number" for column in self.columns)


def with_column(X: Any, place: int, values: Array) -> Any:
    """The table with other cells in a column."""
    if (frame := as_frame(X)) is not None:
        name = frame.columns[place]
        series = type(frame[name]).from_numpy(name, values, backend=frame.implementation)
        return frame.with_columns(series).to_native()
    changed = X.toarray() if sparse.issparse(X) else np.array(X)
    changed[:, place] = values
    return changed


def with_mixed_column(X: Any, place: int, order: Array) -> Any:
    """The table with the cells of a column in another order."""
    if (frame := as_frame(X)) is not None:
        name = frame.columns[place]
        return frame.with_columns(frame[name][order.tolist()].alias(name)).to_native()
    changed = np.array(X)
    changed[:, place] = changed[order, place]
    return changed

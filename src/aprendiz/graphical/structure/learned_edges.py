"""What learners of structure share: columns of codes or words, whose names are the nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from aprendiz.core.columns import Columns
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError
from aprendiz.summaries.codes import categorical_schema


class LearnedEdges(Learner):
    """A learner whose columns hold categories and whose answer is edges between them."""

    allows: ClassVar[frozenset[str]] = frozenset({"missing", "categories"})
    exceptions: ClassVar[Mapping[str, str]] = {
        "shift": "codes are names, not measurements",
        "scaling": "codes are names, not measurements",
        "check_sample_weight_equivalence_on_dense_data": "fractions are no categories: refused, not cut",
    }

    def schema(self, X: Any) -> Columns:
        """Every column is categorical, whole numbers too."""
        return categorical_schema(X)

    @property
    def nodes_(self) -> tuple[Any, ...]:
        """The names of the columns; their numbers, where they have none."""
        check_is_fitted(self)
        if (names := getattr(self, "feature_names_in_", None)) is not None:
            return tuple(names)
        schema = getattr(self, "columns_", None)
        return tuple(range(self.n_features_in_)) if schema is None else schema.names

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        tags.input_tags.string = True
        return tags


def place_of(root: Any, names: Sequence[Any] | None, columns: int, learner: Any) -> int:
    """The number of the column that is the root."""
    known = list(range(columns)) if names is None else list(names)
    if root not in known:
        shown = ", ".join(map(repr, known[:20]))
        raise ParameterError(f"root of {type(learner).__name__} is {root!r}, which is no column; the columns are {shown}.")
    return known.index(root)

"""What learners of structure share: columns of codes or words, whose names are the nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import ParameterError
from aprendiz.summaries.coded_columns import CODES_ARE_NAMES, CodedColumns


class LearnedEdges(CodedColumns):
    """A learner whose columns hold categories and whose answer is edges between them."""

    exceptions: ClassVar[Mapping[str, str]] = CODES_ARE_NAMES

    @property
    def nodes_(self) -> tuple[Any, ...]:
        """The names of the columns; their numbers, where they have none."""
        check_is_fitted(self)
        if (names := getattr(self, "feature_names_in_", None)) is not None:
            return tuple(names)
        schema = getattr(self, "columns_", None)
        return tuple(range(self.n_features_in_)) if schema is None else schema.names


def place_of(root: Any, names: Sequence[Any] | None, columns: int, learner: Any) -> int:
    """The number of the column that is the root."""
    known = list(range(columns)) if names is None else list(names)
    if root not in known:
        shown = ", ".join(map(repr, known[:20]))
        raise ParameterError(f"root of {type(learner).__name__} is {root!r}, which is no column; the columns are {shown}.")
    return known.index(root)

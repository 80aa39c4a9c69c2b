"""Fits that fail: a learner that cannot be fitted to some set of columns, or judged there, does not end a search.

The score of the fold is NaN, and so is that of the set, as in scikit-learn (`error_score=nan` of `cross_val_score`); NaN is
worse than any number. What failed is counted, and said once, at the end. A search that finds no set that can be judged stops,
with the first of the errors as its cause. Interrupts, and a lack of memory, are no faults of a set of columns: they go on.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from sklearn.exceptions import FitFailedWarning

from aprendiz.core.rows import Array
from aprendiz.locale import _

NAMED = 8  # columns


@dataclass(frozen=True)
class FailedFit:
    """The fold, the numbers of the columns, and what was raised there."""

    fold: int
    columns: Array
    cause: str
    error: Exception | None = None

    @classmethod
    def of(cls, fold: int, columns: Array, error: Exception) -> FailedFit:
        """With the first line of the error."""
        said = str(error).strip().splitlines()
        return cls(fold, columns, ": ".join([type(error).__name__, *said[:1]]), error)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.fold, self.columns, self.cause)  # between processes an error may get lost

    @property
    def words(self) -> dict[str, Any]:
        """For messages."""
        more = ", …]" if len(self.columns) > NAMED else "]"
        named = "[" + ", ".join(str(column) for column in self.columns[:NAMED]) + more
        return {"fold": self.fold, "size": len(self.columns), "columns": named, "cause": self.cause}


@dataclass
class FailedFits:
    """How many fits there were, how many of them failed, and the first of these."""

    fits: int = 0
    failed: int = 0
    first: FailedFit | None = None

    def count(self, fits: int, failed: Sequence[FailedFit]) -> None:
        """Some more of them."""
        self.fits, self.failed = self.fits + fits, self.failed + len(failed)
        if self.first is None and failed:
            self.first = failed[0]

    def warn(self, learner: Any, stacklevel: int) -> None:
        """Say it once; what was counted is forgotten, and the error, which holds on to the data."""
        if self.first is not None:
            said = _(
                "{learner} failed in {failed} of {fits} fits to inner folds: a set of columns with such a fit is worse than "
                "any other. The first was in fold {fold}, a set of size {size}, columns {columns}: {cause}"
            )
            told = {"learner": type(learner).__name__, "failed": self.failed, "fits": self.fits, **self.first.words}
            self.fits, self.failed, self.first = 0, 0, None
            warnings.warn(said.format(**told), FitFailedWarning, stacklevel=stacklevel + 1)

    def stop(self, learner: Any) -> NoReturn:
        """Stop a search in which no set can be judged."""
        if self.first is None:
            raise ValueError(
                "The score is NaN for every set of columns: a fold may be too small for the measure (R² needs two test rows). "
                "Give fewer folds, or another scoring."
            )
        raise ValueError(
            f"The search cannot go on, since no set of columns that it tries can be judged: {type(learner).__name__} failed in "
            f"{self.failed} of {self.fits} fits to inner folds. "
            "The first was in fold {fold}, a set of size {size}, columns {columns}: {cause}".format(**self.first.words)
        ) from self.first.error

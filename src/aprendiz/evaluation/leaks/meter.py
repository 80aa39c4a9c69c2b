"""The leak meter: everything that may have told a learner of its test rows is looked for, and its effect is measured."""

from __future__ import annotations

from aprendiz.evaluation import Leak
from aprendiz.evaluation.leaks.case import Case
from aprendiz.evaluation.leaks.learner_memory import fitted_before, keeps_rows, sees_test_rows
from aprendiz.evaluation.leaks.prepared_columns import (
    encoded_columns,
    imputed_columns,
    projected_columns,
    scaled_columns,
    target_columns,
)
from aprendiz.evaluation.leaks.rows_on_both_sides import equal_rows, split_groups

IN_ROWS = (equal_rows, split_groups)
IN_COLUMNS = (target_columns, scaled_columns, imputed_columns, projected_columns, encoded_columns)
IN_THE_LEARNER = (fitted_before, keeps_rows, sees_test_rows)


def find_leaks(case: Case) -> tuple[Leak, ...]:
    """All leaks that were found."""
    return tuple(leak for search in (*IN_ROWS, *IN_COLUMNS, *IN_THE_LEARNER) for leak in search(case))

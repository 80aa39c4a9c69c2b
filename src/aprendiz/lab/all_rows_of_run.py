"""The best method of a run on a sample, fitted to all rows of the file if it can be (large_tables/streamed_fit.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.lab.experiment import Experiment
from aprendiz.lab.large_tables.spooled_rows import NotStreamedError, SpooledTarget
from aprendiz.lab.large_tables.streamed_fit import StreamedFit, fit_to_all_rows
from aprendiz.locale import _


def fit_of_file(experiment: Experiment, pipeline: Any) -> StreamedFit | str:
    """The fit to all rows, or why there is none. Classes that the sample does not hold are left out: they were not judged."""
    question, table = experiment.question, experiment.table
    labels = np.unique(experiment.y) if question.task == "classification" else None
    target = SpooledTarget(question.target, labels)
    try:
        return fit_to_all_rows(pipeline, table, question.columns(table), target, experiment.X)
    except NotStreamedError as error:
        return str(error)
    except (ValueError, ArithmeticError, np.linalg.LinAlgError, OSError) as error:
        return _("the fit failed ({error})").format(error=str(error).splitlines()[0] if str(error) else type(error).__name__)

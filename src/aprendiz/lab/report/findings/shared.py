"""What several findings say: the method they are about, and names."""

from __future__ import annotations

import shlex
from typing import Any

from aprendiz.evaluation.comparison import Standing
from aprendiz.lab.outcome import Outcome


def standing(outcome: Outcome) -> Standing:
    """The method that was judged in another way too."""
    return next(one for one in outcome.results.standings if one.name == outcome.results.best_learner)


def numeric_columns(outcome: Outcome) -> list[str]:
    """The features that are quantities."""
    columns = outcome.results.question.columns(outcome.experiment.table)
    return [column.name for column in columns if column.kind == "numeric"]


def quoted(name: str) -> str:
    """A column as an argument on the command line."""
    return shlex.quote(name)


def list_names(names: list[Any]) -> str:
    """Some names, the first few of many."""
    shown = ", ".join(repr(str(name)) for name in names[:5])
    return f"{shown}, …" if len(names) > 5 else shown

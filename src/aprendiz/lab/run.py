"""`aprendiz run` in Python: from a file to compared methods, a model and a report, in one call.

    found = aprendiz.lab.run("patients.csv", target="outcome")
    found.leaderboard                     a frame, the best method first
    found.model.predict("new.csv")        the best method, fitted to all rows
    found.report("patients-report")       the folder that the command writes

    read ──▶ Table ──ask──▶ Question ──experiment_of──▶ Experiment ──steps──▶ folds ──conclude──▶ Outcome ──report──▶ folder

Each step can be called by itself. Ctrl-C, or the budget, ends the folds, and what is finished is compared.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from aprendiz.core.html import Html, ShownAsHtml
from aprendiz.evaluation.measures.answers import Task
from aprendiz.evaluation.words.tables import frame
from aprendiz.lab.column_choice import chosen_selection
from aprendiz.lab.experiment import Experiment, Results, Step
from aprendiz.lab.methods import chosen_methods
from aprendiz.lab.model import TableModel
from aprendiz.lab.outcome import Outcome, conclude
from aprendiz.lab.question import Question, ask
from aprendiz.lab.reading import Table, read
from aprendiz.lab.sources.places import Paths
from aprendiz.lab.time_limit import TimeLimit


def run(
    table: Paths | Table,
    *,
    target: str | None = None,
    metric: str | None = None,
    groups: str | Literal[False] | None = None,
    leave_out: Sequence[str] = (),
    keep: Sequence[str] = (),
    methods: str | Sequence[str] | None = None,
    select: str | None = None,
    task: Task | None = None,
    folds: int | None = None,
    seed: int = 0,
    budget: float | None = None,
    racing: bool = True,
    bias_variance: bool = False,
    on_step: Callable[[Step], None] = lambda step: None,
    **reading: Any,
) -> Run:
    """Compare methods on a table, as `aprendiz run` does.

    Parameters
    ----------
    table : path of a file or several, as in `read`, or Table
    target, metric, task, folds, seed : what is asked; proposed where it is not given
    groups : str, False or None
        The column whose groups are never split; by default one that clearly groups the rows, False for none.
    leave_out, keep : lists of names
        Columns not to use; columns to use although they would be set aside.
    methods : str or list of str, optional
        Names, separated by commas if it is one text, or "all"; a shortlist by default.
    select : str, optional
        Selection of columns inside the folds: "auto" (the default), "none", or its name.
    budget : float, optional
        Time limit in seconds of everything: folds, the last fit, the report. What there was no time for is named.
    racing : bool, default=True
        Whether methods that cannot win any more are spared folds that would take long; which ones is told.
    bias_variance : bool, default=False
        Whether the error of the best method is split into bias and variance.
    on_step : callable, optional
        Called after each fold of each method.
    **reading
        How the file is written, as in `read`.

    Returns
    -------
    Run

    Examples
    --------
    >>> found = run("patients.csv", target="outcome", folds=5)  # doctest: +SKIP
    >>> found.leaderboard  # doctest: +SKIP
    """
    limit = TimeLimit(budget)
    opened = opened_table(table, reading, {"seed": seed, "groups": groups or None})
    question = ask(
        opened, target=target, metric=metric, groups=groups, folds=folds, leave_out=leave_out, keep=keep, task=task, seed=seed
    )
    experiment = experiment_of(opened, question, methods=methods, select=select, limit=limit, racing=racing)
    for step in experiment.steps():
        on_step(step)
    return Run(conclude(experiment, parts=bias_variance))


def opened_table(table: Any, reading: dict[str, Any], sampling: dict[str, Any]) -> Table:
    """The table of a path, or the one that was read already; `sampling` says how rows are chosen if it is large."""
    if isinstance(table, Table):
        if reading:
            raise TypeError(f"The table is read already: give {', '.join(reading)} to read.")
        return table
    if not isinstance(table, (str, os.PathLike, list, tuple)):
        raise TypeError(
            f"table is a {type(table).__name__}: give the path of a file, or what read returns. A data frame is written by "
            'its to_csv("table.csv", index=False).'
        )
    return read(table, **sampling, **reading)


def experiment_of(
    table: Table,
    question: Question,
    *,
    methods: str | Sequence[str] | None = None,
    select: str | None = None,
    limit: TimeLimit | None = None,
    racing: bool = True,
) -> Experiment:
    """The experiment of a question: methods and selection by name."""
    names = methods if methods is None or isinstance(methods, str) else ",".join(methods)
    chosen = chosen_methods(question.task, names, text=question.has_text(table))
    experiment = Experiment(table, question, chosen, racing=racing)
    experiment.limit = limit or experiment.limit
    fewest = min(len(train) for train, _test in experiment.splits)
    experiment.selection = chosen_selection(select, question.task, len(question.features), fewest)
    return experiment


@dataclass(frozen=True, eq=False, repr=False)
class Run(ShownAsHtml):
    """What a run has found; in a notebook it shows itself.

    Attributes
    ----------
    outcome : Outcome
        Everything, as the report has it.
    """

    outcome: Outcome

    @property
    def table(self) -> Table:
        return self.outcome.experiment.table

    @property
    def question(self) -> Question:
        """What was asked, with the reasons."""
        return self.results.question

    @property
    def results(self) -> Results:
        """The evaluation of each method, and their comparison."""
        return self.outcome.results

    @property
    def best(self) -> str:
        """The name of the best method."""
        return self.results.best

    @cached_property
    def model(self) -> TableModel:
        """The best method, fitted to all rows: it predicts the rows of files and data frames, and can be saved."""
        return self.outcome.model()

    @property
    def findings(self) -> tuple[Any, ...]:
        """What should be known, in the current language: sentences with why and what to do."""
        from aprendiz.lab.report.findings import findings_of

        return tuple(findings_of(self.outcome))

    @property
    def leaderboard(self) -> Any:
        """A pandas frame: a row for each method, the best first, with its score and interval, the difference from the best, and
        whether it is not significantly worse."""
        standings = self.results.standings
        columns = {
            self.question.metric: [one.score.value for one in standings],
            "low": [one.score.low for one in standings],
            "high": [one.score.high for one in standings],
            "difference": [one.difference for one in standings],
            "p": [one.p_value for one in standings],
            "tied": [one.tied for one in standings],
        }
        return frame({name: np.array(values) for name, values in columns.items()}, [one.name for one in standings], "method")

    def report(self, folder: str | os.PathLike[str]) -> Path:
        """Write the folder that `aprendiz run` writes (page, numbers, code, model), which must be new or empty; the page."""
        from aprendiz.lab.pages.folder import REPORT
        from aprendiz.lab.report.folder import begin, write_outcome

        begin(Path(folder), resume=False)
        write_outcome(self.outcome, folder)
        return Path(folder) / REPORT

    def html_parts(self) -> Iterable[Html]:
        """The comparison and the findings, for notebooks."""
        return self.outcome.html_parts()

    def __repr__(self) -> str:
        return f"Run({self.table.name!r}, target {self.question.target!r}, best {self.best}: {self.results.standings[0].score})"

    def __str__(self) -> str:
        return "\n".join([str(self.results.comparison), *(f"• {one.sentence}" for one in self.findings)])

"""`aprendiz show` and `aprendiz methods`: what a model is, and what can be compared."""

from __future__ import annotations

import shutil

import click

from aprendiz.cli.predicting import load_model
from aprendiz.cli.words import input_errors, printable
from aprendiz.evaluation.measures.answers import Task
from aprendiz.lab.explaining.explanation import explain_method
from aprendiz.lab.methods import BASELINE, SHORTLIST, learners
from aprendiz.locale import _


def show(model: str) -> int:
    """Show what a model predicts, from which columns, and how well."""
    with input_errors():
        click.echo(printable(load_model(model).describe()))
    return 0


def methods(method: str | None = None) -> int:
    """The methods of both tasks, with a line about each; or one method: its idea, its parameters, its page."""
    if method is not None:
        with input_errors():
            lines = list(explain_method(method).lines(min(100, shutil.get_terminal_size().columns - 1)))
        click.echo(printable("\n".join(lines)))
        return 0
    tasks: tuple[Task, ...] = ("classification", "regression")
    width = max(len(name) for task in tasks for name in learners(task))
    for task in tasks:
        click.echo(click.style(_(task), bold=True))
        for name, cls in learners(task).items():
            first = "•" if name in SHORTLIST[task] or name == BASELINE[task] else " "
            click.echo(f"  {first} {name:<{width}} {summary(cls)}")
    click.echo(_("• compared by default; --methods all compares every method of a task, --methods A,B a selection."))
    return 0


def summary(cls: type) -> str:
    """What a learner is: the first line of what it says of itself, without its merits."""
    if cls.__name__ in BASELINE.values():
        return _("the baseline: always predicts the most frequent class, or the mean, and ignores the columns")
    return _((cls.__doc__ or "").strip().splitlines()[0].partition(" (")[0].rstrip("."))

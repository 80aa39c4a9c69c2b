"""`aprendiz run`: read, ask, compare, report.

    table ──read──▶ Table ──ask──▶ Question ──Experiment──▶ folds ──conclude──▶ Outcome ──write_outcome──▶ folder

Whatever is wrong with the input is refused before the folder is made. Ctrl-C ends the folds: what is finished is reported.
Pressed again it leaves at once; the finished folds stay in the folder, and `--resume` goes on with them.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from aprendiz.cli.board import Board
from aprendiz.cli.dialect_options import dialect_options
from aprendiz.cli.exit_codes import FAILED, INTERRUPTED
from aprendiz.cli.reading_progress import read_with_progress
from aprendiz.cli.tables import STREAM, Tables, copied_to, files_of, kept, name_of
from aprendiz.cli.words import InputError, as_options, input_errors, printable, say
from aprendiz.datasets.catalogue import load
from aprendiz.evaluation.measures.answers import Task
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.lab.card import shorten, size_in_words
from aprendiz.lab.experiment import Experiment
from aprendiz.lab.notes import mixed_notes, sample_notes, spoiled_notes
from aprendiz.lab.outcome import conclude
from aprendiz.lab.pages.folder import REPORT, folder_name, free_folder, last_folder
from aprendiz.lab.question import ask
from aprendiz.lab.report.folder import MODEL, begin, write_outcome
from aprendiz.lab.run import experiment_of
from aprendiz.lab.store import FOLDS, FoldStore, earlier_sample
from aprendiz.lab.targets.costs import costs_in_words, read_costs
from aprendiz.lab.time_limit import TimeLimit
from aprendiz.locale import _, format_whole

EMBEDDED = "breast_cancer"
SHOWN = 8  # columns that are listed on the screen


def run(
    tables: Tables,
    *,
    target: str | None,
    metric: str | None,
    groups: str | None,
    no_groups: bool,
    time: str | None,
    leave_out: tuple[str, ...],
    keep: tuple[str, ...],
    methods: str | None,
    select: str | None,
    folds: int | None,
    task: Task | None,
    seed: int | None,
    budget: float | None,
    out: str | None,
    resume: bool,
    no_racing: bool,
    bias_variance: bool,
    costs: str | None,
    reject: float | None,
    transform_target: str | None,
    whole: Path | None = None,
    **written: Any,
) -> int:
    """Compare methods on a table and write the report; the exit code. `whole`: the folder of the runs for several targets."""
    console, limit = Screen(markup=False, highlight=False, emoji=False), TimeLimit(budget)
    with input_errors(), TemporaryDirectory(prefix="aprendiz-") as spare:
        if groups is not None and no_groups:
            raise InputError(_("--groups and --no-groups contradict each other: give one of them."))
        home = folder_of_run(tables, out, resume)
        earlier = earlier_sample(home) if resume else {}
        options = earlier | dialect_options(written) | {"seed": seed or 0, "groups": groups}
        found = read_with_progress(files_of(tables, Path(spare)) if tables else write_included_table(Path(spare)), **options)
        asked: dict[str, Any] = {"target": target, "metric": metric, "folds": folds, "task": task, "seed": seed or 0}
        asked |= {"time": time}
        asked |= {"costs": None if costs is None else read_costs(costs), "reject": reject, "transform": transform_target}
        question = ask(found, groups=False if no_groups else groups, leave_out=leave_out, keep=keep, **asked)
        experiment = experiment_of(found, question, methods=methods, select=select, limit=limit, racing=not no_racing)
        begin(home, resume=resume)
        experiment.table = kept(found, tables, home) if tables else copied_to(found, home / f"{EMBEDDED}.csv")
        experiment.store = FoldStore(home / FOLDS, experiment.key())
        experiment.store.start(resume=resume)
    again = command_to_resume(whole or home, experiment.table.path)
    introduce(console, experiment)
    try:
        numbers = compare(console, experiment, home, bias_variance)
    except KeyboardInterrupt:
        words = _("Stopped. Finished folds are kept in {folder}: continue with {command}")
        return say(words.format(folder=home, command=again), INTERRUPTED)
    except NothingFinishedError as error:
        return say(str(error), INTERRUPTED if experiment.stopped == "interrupted" else FAILED)
    tell(console, numbers, home)
    if experiment.stopped is not None:
        console.print(Text.assemble((_("continue"), "bold"), f"  {again}"), soft_wrap=True)
    return 0


def command_to_resume(home: Path, path: str) -> str:
    """The command that takes up a run that was stopped: as it was given, with the folder of the run, and the path of the
    copy of a table that came through standard input."""
    ctx = click.get_current_context(silent=True)
    given = [argument for argument in (ctx.find_root().obj if ctx else ["run"]) if argument != "--resume"]
    given = [path if argument == STREAM else argument for argument in given]
    folder = [] if any(argument.partition("=")[0] == "--out" for argument in given) else ["--out", str(home)]
    return shlex.join(["aprendiz", *given, *folder, "--resume"])


class Screen(Console):
    """A console whose reader may go away (`| head`): the run goes on without it."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class NothingFinishedError(Exception):
    """No method has finished a fold."""


def compare(console: Console, experiment: Experiment, home: Path, bias_variance: bool) -> dict[str, Any]:
    """Do the folds, then everything that follows from them; the numbers of the report."""
    with Board(console, experiment) as board:
        try:
            for step in experiment.steps():
                board.step(step)
        except KeyboardInterrupt:  # between two folds
            experiment.stopped = "interrupted"
        if experiment.stopped == "interrupted":
            console.print(Text(_("Stopped: the report will show what is finished. Press Ctrl-C again to quit at once.")))
        try:
            outcome = conclude(experiment, parts=bias_variance, on_stage=board.stage)
        except ValueError as error:
            if any(experiment.found.values()):
                raise
            raise NothingFinishedError(str(error)) from error
        board.settle(outcome.results)
        numbers = write_outcome(outcome, home, on_stage=board.stage)
    console.print(board.table())
    return numbers


# ---- what the options say --------------------------------------------------------------------------------------------------


def folder_of_run(tables: Tables, out: str | None, resume: bool) -> Path:
    """Where the report goes: the folder asked for, or one named after the table."""
    if out is not None:
        return Path(out)
    name = folder_name(name_of(tables) if tables else EMBEDDED, "report")
    if not resume:
        return free_folder(name)
    last = last_folder(name)
    if last is None:
        raise InputError(
            _("There is no run to resume: folder {folder} does not exist. Name the folder with --out.").format(folder=name)
        )
    return last


def write_included_table(folder: Path) -> Path:
    """The included table, as a CSV file."""
    path = folder / f"{EMBEDDED}.csv"
    load(EMBEDDED).frame.to_csv(path, index=False)
    return path


# ---- what is said ----------------------------------------------------------------------------------------------------------


def introduce(console: Console, experiment: Experiment) -> None:
    """The table and the question, with the reasons."""
    table, question = experiment.table, experiment.question
    reasons = dict(question.reasons)
    lines = [
        (_("table"), size_in_words(table), _("{columns} used").format(columns=format_whole(len(question.features)))),
        (_("target"), question.target, reasons.get("target", _("as requested"))),
        (_("task"), _(question.task), reasons["task"]),
        (_("measure"), measure_in_words(question.metric), reasons["metric"]),
        (_("protocol"), str(question.protocol), reasons["protocol"]),
    ]
    if experiment.selection is not None:
        lines.append((_("selection"), experiment.selection.name, experiment.selection.reason))
    if "transform" in reasons:
        words = {"log": _("logarithm"), "boxcox": _("power (Box–Cox)"), None: _("none")}
        lines.append((_("transformation"), words[question.transform], reasons["transform"]))
    if question.decision is not None:
        lines.append((_("decisions"), _("of least expected cost"), costs_in_words(question.decision)))
    if question.groups is not None:
        lines.append((_("groups"), question.groups, reasons.get("groups", _("as requested"))))
    width = max(len(name) for name, _value, _reason in lines)
    for name, value, reason in lines:
        console.print(
            Text.assemble((f"{name:<{width}}  ", "dim"), printable(value)[:60], (f"  ({reason})", "dim")), soft_wrap=True
        )
    for line in remarks(experiment):
        console.print(Text(printable(line), style="dim"), soft_wrap=True)
    for line in doubts(experiment):
        console.print(Text(printable(line), style="yellow"), soft_wrap=True)
    console.print()


def doubts(experiment: Experiment) -> Iterator[str]:
    """Columns that may leak the target, and groups that are split."""
    question = experiment.question
    for name, reason in question.leaks:
        if name in question.set_aside:
            yield _("column {name} is set aside, because it may leak the target: {reason} (use it with --keep)").format(
                name=repr(name), reason=reason
            )
        else:
            yield _("column {name} may leak the target: {reason}").format(name=repr(name), reason=reason)
    if question.subjects is not None and question.groups is None and question.subjects.clear:
        yield _("rows with the same {name} may belong together: use --groups to keep them on one side").format(
            name=repr(question.subjects.name)
        )


def remarks(experiment: Experiment) -> Iterator[str]:
    """Columns that are not used, and what is odd in the file."""
    aside = experiment.question.set_aside
    left = [(name, reason) for name, reason in experiment.question.left_out if name not in aside]
    if left:
        some = ", ".join(f"{shorten(name, 30)} ({reason})" for name, reason in left[:SHOWN])
        yield _("not used: {columns}").format(columns=f"{some}, …" if len(left) > SHOWN else some)
    yield from sample_notes(experiment.table.sample)
    yield from mixed_notes(experiment.table.dialect, experiment.table.mixed)
    yield from map(as_options, spoiled_notes(experiment.table.spoiled))


def tell(console: Console, numbers: Mapping[str, Any], home: Path) -> None:
    """The findings in a line each, and where everything is."""
    console.print()
    for finding in numbers["findings"]:
        style = "yellow" if finding["weight"] == "warning" else ""
        console.print(Text(printable(f"• {finding['sentence']}"), style=style), soft_wrap=True)
    console.print(Text.assemble((_("report"), "bold"), f"  {home / REPORT}"), soft_wrap=True)
    command = f"aprendiz predict {shlex.quote(str(home / MODEL))} new.csv -o predictions.csv"
    console.print(Text.assemble((_("predict"), "bold"), f"  {command}"), soft_wrap=True)

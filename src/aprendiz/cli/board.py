"""The leaderboard while an experiment runs: scores so far, best first, and how far it is.

On a terminal it is drawn in place, several times a second. Elsewhere (a file, a pipe) there is a line for each finished fold.
While methods are compiled, which happens once on a machine, the last line says so; elsewhere a line of its own does, once.
What is drawn is made when a fold ends, from that fold alone: drawing never looks at the rows.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any, Self

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from aprendiz.cli.compiling import compilations
from aprendiz.cli.words import printable
from aprendiz.evaluation.evaluation import Score
from aprendiz.evaluation.intervals.fold_interval import from_folds
from aprendiz.evaluation.metrics import METRICS
from aprendiz.evaluation.words.measures import measure_in_words, score_in_words
from aprendiz.lab.experiment import Experiment, Results, Step
from aprendiz.locale import _, format_fixed, format_whole, number


class Board:
    """Scores of the methods so far, on the screen."""

    def __init__(self, console: Console, experiment: Experiment):
        self.console, self.experiment = console, experiment
        self.metric = METRICS[experiment.question.metric]
        self.scores: dict[str, Score] = {}
        self.values: dict[str, dict[int, float]] = {}
        self.seconds: dict[str, float] = {}
        self.done: dict[str, int] = {}
        self.stage_words = ""
        self.start = time.monotonic()
        self.live: Live | None = None
        self.compiling, self.told = False, False
        self.compiling_words = _("Preparing the methods for this machine (only the first time)")  # other threads speak English
        self.left = ExitStack()

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self.live = Live(get_renderable=self.picture, console=self.console, refresh_per_second=5, transient=True)
            self.live.start()
            self.left.callback(self.live.stop)
        self.left.enter_context(compilations(self.compile))
        return self

    def __exit__(self, *_error: Any) -> None:
        self.left.close()

    # ---- what is new ---------------------------------------------------------------------------------------------------

    def step(self, step: Step) -> None:
        """A fold is done, or a method has failed."""
        self.compiling = False
        if step.error is not None:
            self.scores.pop(step.method, None)
            words = _("{method} was excluded: {reason}").format(method=step.method, reason=step.error)
            self.console.print(Text(printable(words)), soft_wrap=True)
            return
        alone = self.experiment.evaluation(step.method, {step.fold})
        values = self.values.setdefault(step.method, {})
        values[step.fold] = float(alone.values(self.metric)[0])
        folds = [self.experiment.found[step.method][number] for number in values]
        score = Score(self.metric.name, *from_folds(np.array(list(values.values())), folds), np.empty(0))
        self.seconds = {**self.seconds, step.method: self.seconds.get(step.method, 0.0) + alone.seconds}
        self.done = {**self.done, step.method: len(values)}
        self.scores = {**self.scores, step.method: score}
        if self.live is None and self.fold_is_done(step.fold):
            self.console.print(Text(self.line(step.fold)), soft_wrap=True)

    def settle(self, results: Results) -> None:
        """The comparison is over: what is shown are its scores, and those of methods that were stopped."""
        stopped = {one.method: self.experiment.evaluation(one.method) for one in results.raced}
        self.done = dict.fromkeys(results.evaluations, results.done) | {name: len(one.folds) for name, one in stopped.items()}
        self.seconds = {name: found.seconds for name, found in {**results.evaluations, **stopped}.items()}
        self.scores = {standing.name: standing.score for standing in results.standings}
        self.scores |= {name: found.score(self.metric.name) for name, found in stopped.items()}

    def stage(self, words: str) -> None:
        """What is done after the folds."""
        self.compiling = False
        self.stage_words = words
        if self.live is None:
            self.console.print(Text(f"{words} …"))

    def compile(self) -> None:
        """A kernel begins to be compiled, in any thread: that is shown until the next step."""
        self.compiling = True
        if self.live is None and not self.told:
            self.told = True
            self.console.print(Text(f"{self.compiling_words} …"))

    def fold_is_done(self, number: int) -> bool:
        """Have all methods done a fold?"""
        return all(number in self.experiment.found.get(name, {}) for name in self.experiment.running)

    def line(self, fold: int) -> str:
        """A fold in one line."""
        scores = "  ".join(f"{name} {number(score.value)}" for name, score in self.ranking())
        return _("fold {fold} of {folds}: {scores}").format(fold=fold + 1, folds=len(self.experiment.splits), scores=scores)

    # ---- what is shown -------------------------------------------------------------------------------------------------

    def ranking(self) -> list[tuple[str, Score]]:
        """Methods and their scores, the best one first; those without a score last."""
        sign = -1.0 if self.metric.more_is_better else 1.0
        worst = float("inf")
        return sorted(self.scores.items(), key=lambda one: sign * one[1].value if one[1].value == one[1].value else worst)

    def picture(self) -> Group:
        """The leaderboard and a line about what is going on."""
        return Group(self.table(), Text(self.footer(), style="dim"))

    def table(self) -> Table:
        """The leaderboard."""
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        table.add_column(_("method"), no_wrap=True)
        for name in (measure_in_words(self.metric.name), _("95 % interval"), _("folds"), _("time")):
            table.add_column(name, justify="right", no_wrap=True)
        for place, (name, score) in enumerate(self.ranking()):
            table.add_row(
                Text(name),
                score_in_words(score.value, score.name),
                f"{score_in_words(score.low, score.name)} – {score_in_words(score.high, score.name)}"
                if score.low == score.low
                else "–",
                f"{self.done[name]}/{len(self.experiment.splits)}",
                f"{format_fixed(self.seconds[name], 1)} s",
                style="bold" if place == 0 else "",
            )
        return table

    def footer(self) -> str:
        """How far it is, how long it has taken, and how to stop."""
        spent = format_whole(round(time.monotonic() - self.start))
        if self.compiling:
            return f"{self.compiling_words} … · {spent} s"
        if self.stage_words:
            return f"{self.stage_words} … · {spent} s"
        methods = self.experiment.running
        done = sum(len(self.experiment.found.get(name, {})) for name in methods)
        return _("{done} of {all} folds · {seconds} s · Ctrl-C stops and writes the report").format(
            done=done, all=len(methods) * len(self.experiment.splits), seconds=spent
        )

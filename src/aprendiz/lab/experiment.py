"""An experiment: several methods on the same folds, the baseline first, everything that learns inside the folds.

The folds are done in turn, each by all methods, so that a comparison is fair from the first fold on, and a run that is
stopped has compared all methods on the folds that are done. A finished fold is kept (store.py); `resume` takes it from there.

    experiment = Experiment(table, ask(table))
    for step in experiment.steps(): …            # progress: which method, which fold
    results = experiment.results()                # evaluations, standings, the chosen model
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone

import aprendiz
from aprendiz.core.blas import single_blas
from aprendiz.core.columns import Columns
from aprendiz.core.html import Html, ShownAsHtml
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import METRICS, ExpandingWindows, KFolds
from aprendiz.evaluation.compare import compare
from aprendiz.evaluation.comparison import Comparison, Standing
from aprendiz.evaluation.evaluation import Evaluation, Fold
from aprendiz.evaluation.folds.fold_run import run
from aprendiz.evaluation.folds.shared_steps import SharedSteps
from aprendiz.evaluation.tuned import Tuned
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.lab.column_choice import ColumnChoice
from aprendiz.lab.methods import BASELINE, Method, chosen_methods
from aprendiz.lab.outcome_in_notebook import results_parts
from aprendiz.lab.preparation import prepared
from aprendiz.lab.question import Question
from aprendiz.lab.race import FIRST_LOOK, WORTH, Loser, losers
from aprendiz.lab.reading import Table
from aprendiz.lab.store import FoldStore
from aprendiz.lab.targets.power import PowerOfTarget
from aprendiz.lab.time_limit import TimeLimit
from aprendiz.locale import _

REPORT_SECONDS = 3.0  # set aside for figures and page


@dataclass(frozen=True)
class Step:
    """A fold that was done, or failed: by which method, which one, and whether it was there from an earlier run."""

    method: str
    fold: int
    again: bool
    error: str | None = None


@dataclass(frozen=True, repr=False)
class Results(ShortRepr, ShownAsHtml):
    """What an experiment found."""

    question: Question
    evaluations: dict[str, Evaluation]
    comparison: Comparison  # each method against the best
    failures: dict[str, str]  # methods that could not be fitted, and why
    unfinished: tuple[str, ...]  # methods that have done fewer folds than the others, and are not compared
    raced: tuple[Loser, ...]  # methods that were stopped, because they could not win any more (race.py)
    folds: int  # of the protocol
    done: int  # folds that all methods have finished: the scores are of these
    seconds: float
    stopped: str | None  # "budget" or "interrupted", if not all folds were done

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The methods from best to worst."""
        return self.comparison.standings

    @property
    def best(self) -> str:
        return self.standings[0].name

    def html_parts(self) -> Iterable[Html]:
        """The methods from best to worst, for notebooks."""
        return results_parts(self)

    @property
    def best_learner(self) -> str:
        """The best method that looks at the columns; the baseline if there is no other."""
        return next((one.name for one in self.standings if one.name != BASELINE[self.question.task]), self.best)


@dataclass(repr=False)
class Experiment(ShortRepr):
    """Methods, folds, and what is done already.

    Parameters
    ----------
    table, question : what was read and what is asked
    methods : list of Method, optional
        The shortlist of the task by default.
    budget : float, optional
        Time limit in seconds, from now on, of the folds and all that follows (time_limit.py). The baseline does its folds.
    store : FoldStore, optional
        Where finished folds are kept.
    inner : int, default=3
        Folds of the tuning inside each fold.
    racing : bool, default=True
        Whether methods that cannot win are spared folds that would take long (race.py). The baseline does all of its folds.
    selection : ColumnChoice, optional
        How columns are chosen, in every method but the baseline (column_choice.py).
    """

    table: Table
    question: Question
    methods: Sequence[Method] | None = None
    budget: float | None = None
    store: FoldStore | None = None
    inner: int = 3
    selection: ColumnChoice | None = None
    racing: bool = True
    found: dict[str, dict[int, Fold]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    raced: dict[str, Loser] = field(default_factory=dict)
    stopped: str | None = None
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.limit = TimeLimit(self.budget)
        self.methods = list(self.methods or chosen_methods(self.question.task, text=self.question.has_text(self.table)))
        self.X, self.y, self.groups = self.question.data(self.table)
        by_class = self.question.task == "classification"
        if by_class and len(np.unique(self.y)) > 2:
            self.methods = [method.of_many_classes() for method in self.methods]
        if not by_class:
            transform = self.question.transform
            target = self.y if transform is None else PowerOfTarget(transform).fit_transform(self.y)
            self.methods = [method.of_target(target) for method in self.methods]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a class with fewer rows than folds is a finding
            self.splits = list(self.question.protocol.splits(self.y, self.groups, by_class))
        fewest = min(len(train) for train, _test in self.splits)
        self.methods = [method.of_rows(fewest) for method in self.methods]
        if self.question.transform is not None:
            self.methods = [method.of_transformed(self.question.transform) for method in self.methods]
        if self.question.decision is not None:
            self.methods = [method.with_probabilities() for method in self.methods]

    @property
    def inner_folds(self) -> int | ExpandingWindows:
        """The folds of tuning: in the order of time, where that matters."""
        return self.inner if self.question.time is None else ExpandingWindows(self.inner)

    @cached_property
    def columns(self) -> Columns:
        """What each column of the features holds."""
        return self.question.columns(self.table)

    def learner(self, method: Method) -> Any:
        """A method with its preparation, and its tuning if there is something to tune."""
        chosen = None if self.selection is None else self.selection.selector
        whole = prepared(clone(method.learner), self.X, columns=self.columns, selection=chosen)
        grid = self.grid(method)
        if not grid:
            return whole
        return Tuned(whole, grid, folds=self.inner_folds, metric=self.question.inner_metric, halving=method.halving)

    def grid(self, method: Method) -> dict[str, Sequence[Any]]:
        """What is tuned of a method and of the selection of its columns."""
        if self.selection is None or method.baseline:
            return dict(method.grid)
        return {**method.grid, **{f"selection__{name}": values for name, values in self.selection.grid.items()}}

    def steps(self) -> Iterator[Step]:
        """Do the folds, one after the other; stop when the time is spent."""
        assert self.methods is not None
        start = time.monotonic()
        try:
            yield from self.earlier_steps()
            for number, (train, test) in enumerate(self.splits):
                shared = SharedSteps()
                self.race(number)
                for method in self.methods:
                    if method.name not in self.running or number in self.found.get(method.name, {}):
                        continue
                    step = self.do(method, number, train, test, shared)
                    if step is None:
                        self.stopped = "budget"
                        return
                    yield step
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        finally:
            self.seconds += time.monotonic() - start

    @property
    def reserve(self) -> float:
        """Seconds that are set aside for what follows the folds: a fit to all rows, at worst of the slowest method, and the
        report."""
        times = [fold.fit_seconds + fold.predict_seconds for folds in self.found.values() for fold in folds.values()]
        return self.limit.reserve(REPORT_SECONDS + max(times, default=0.0))

    @property
    def running(self) -> list[str]:
        """The methods that have neither failed nor lost the race."""
        names = [method.name for method in self.methods or ()]
        return [name for name in names if name not in self.failures and name not in self.raced]

    def race(self, done: int) -> None:
        """Stop methods that cannot win any more, knowing the first folds, if their other folds would take long. So a run that
        is resumed stops them where it stopped them before."""
        if not self.racing or not isinstance(self.question.protocol, KFolds):
            return
        first, left = set(range(done)), len(self.splits) - done
        names = [name for name in self.running if first <= self.found.get(name, {}).keys() and not self.method(name).baseline]
        if done < FIRST_LOOK or not any(left * self.evaluation(name, first).seconds / done >= WORTH for name in names):
            return
        metric = METRICS[self.question.metric]
        known = {name: self.evaluation(name, first) for name in names}
        rows = min(len(test) for _train, test in self.splits) if self.question.task == "classification" else None
        scores = {name: found.values(metric) for name, found in known.items()}
        for loser in losers(scores, len(self.splits), more_is_better=metric.more_is_better, test_rows=rows):
            if left * known[loser.method].seconds / done >= WORTH:
                self.raced[loser.method] = loser

    def earlier_steps(self) -> Iterator[Step]:
        """What an earlier run has done, before anything new: a run that is stopped again forgets nothing."""
        assert self.methods is not None
        for number in range(len(self.splits) if self.store is not None else 0):
            for method in self.methods:
                fold = None if self.store is None else self.store.load(method.name, number)
                if fold is not None and number not in self.found.setdefault(method.name, {}):
                    self.found[method.name][number] = fold
                    yield Step(method.name, number, True)

    def do(self, method: Method, number: int, train: Any, test: Any, shared: SharedSteps) -> Step | None:
        """One fold of one method; None if there is no time for it. A method that cannot be fitted is set aside with its reason,
        the others go on."""
        limit, keep = TimeLimit() if method.baseline else self.limit, self.reserve
        if limit.left <= keep:
            return None
        try:
            with limit.cut(keep) as part, single_blas():  # once for the hundreds of small fits of a tuned method
                fold = run(number, self.learner(method), self.X, self.y, train, test, groups=self.groups, shared=shared)
        except (ValueError, TypeError, ArithmeticError, np.linalg.LinAlgError) as error:
            self.failures[method.name] = str(error).splitlines()[0] if str(error) else type(error).__name__
            self.found.pop(method.name, None)
            return Step(method.name, number, False, self.failures[method.name])
        if part.cut:
            return None
        if self.question.decision is not None:
            fold = self.question.decision.of_fold(fold)
        self.found.setdefault(method.name, {})[number] = fold
        if self.store is not None:
            self.store.save(method.name, fold)
        return Step(method.name, number, False)

    # ---- what is known -------------------------------------------------------------------------------------------------

    def evaluation(self, name: str, only: Set[int] | None = None) -> Evaluation:
        """What is known of a method so far, or from some of its folds."""
        numbers = sorted(self.found[name] if only is None else self.found[name].keys() & only)
        folds = tuple(self.found[name][number] for number in numbers)
        classes = np.unique(self.y) if self.question.task == "classification" else None
        rule = None if self.question.decision is None else self.question.decision.rule
        metrics = self.question.metrics()
        return Evaluation(self.question.task, str(self.question.protocol), metrics, folds, self.y, classes, rule=rule)

    def results(self) -> Results:
        """The comparison, over folds that all compared methods have done: none is judged by easier folds than another. A method
        that is more than a fold behind the others is left for the next time."""
        assert self.methods is not None
        counts = {m.name: len(self.found.get(m.name, {})) for m in self.methods if m.name not in self.raced}
        names = [name for name, count in counts.items() if count >= max(1, max(counts.values()) - 1)]
        if not names:
            raise ValueError("; ".join(f"{name}: {why}" for name, why in self.failures.items()) or _("No fold was finished."))
        done = set.intersection(*(set(self.found[name]) for name in names))
        evaluations = {name: self.evaluation(name, done) for name in names}
        if all(np.isnan(found.score(self.question.metric).value) for found in evaluations.values()):
            raise ValueError(
                _("No method has a value of {measure} in any fold: choose another measure.").format(
                    measure=measure_in_words(self.question.metric)
                )
            )
        return Results(
            self.question,
            evaluations,
            compare(evaluations, metric=self.question.metric),
            dict(self.failures),
            tuple(name for name in counts if name not in names and name not in self.failures),
            tuple(self.raced.values()),
            len(self.splits),
            len(done),
            self.seconds,
            self.stopped,
        )

    def method(self, name: str) -> Method:
        """A method by its name."""
        assert self.methods is not None
        return next(method for method in self.methods if method.name == name)

    def final(self, name: str) -> Any:
        """A method fitted to all rows, tuned on them."""
        learner = self.learner(self.method(name))
        return learner.fit(self.X, self.y, self.groups) if isinstance(learner, Tuned) else learner.fit(self.X, self.y)

    def key(self) -> dict[str, Any]:
        """What decides the folds: the file and how it is read, the question, the version. A method's folds are its own."""
        question, sample = self.question, self.table.sample
        return {
            "version": aprendiz.__version__,
            "file": self.table.fingerprint,
            "dialect": asdict(self.table.dialect),
            "target": question.target,
            "task": question.task,
            "metric": question.metric,
            "protocol": repr(question.protocol),
            "features": list(question.features),
            "groups": question.groups,
            **({} if sample is None else {"sample": [sample.most, sample.seed, sample.groups]}),
            **({} if question.time is None else {"time": question.time}),
            "inner": self.inner,
            "selection": None if self.selection is None else repr(self.selection.selector),
            **({} if question.decision is None else {"costs": repr(question.decision)}),
            **({} if question.transform is None else {"transform": question.transform}),
        }

"""Runs that are finished, set side by side: by their folds on one table, by ranks over several.

    one table, the same splits     the folds are paired: each method against the best, or all pairs by a given test
    one table, other splits        scores and intervals; a test would need the same rows in the same folds
    several tables                 the methods that all runs share, by their scores on each table (compare_over_tables)

A method with the same scores in several runs of a table is listed once. The baseline, which would make any methods differ, is
not ranked over several tables, unless there is only one other method.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.core.html import Html, ShownAsHtml, opening, sentences, title
from aprendiz.core.html import table as table_of
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.compare import compare
from aprendiz.evaluation.compare_over_tables import compare_over_tables
from aprendiz.evaluation.comparison import Comparison
from aprendiz.evaluation.evaluation import Score
from aprendiz.evaluation.metrics import METRICS
from aprendiz.evaluation.significance.tests_of_pairs import FOLD_TESTS
from aprendiz.evaluation.significance.tests_of_tables import OMNIBUS, PAIRS
from aprendiz.evaluation.words.boxes import cells_of_score, comparison_parts
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.lab.finished_run import FinishedRun, read_run
from aprendiz.lab.methods import BASELINE
from aprendiz.locale import _, format_whole


@dataclass(frozen=True, eq=False, repr=False)
class RunComparison(ShortRepr, ShownAsHtml):
    """What runs say of their methods together.

    Attributes
    ----------
    metric : str
    found : Comparison or None
        The test; None where the folds cannot be paired.
    scores : mapping of tables to mappings of methods to Score
        The best method first where there is one table.
    notes : tuple of str
        What was left out, and why there is no test, in sentences.
    """

    metric: str
    found: Comparison | None
    scores: dict[str, dict[str, Score]]
    notes: tuple[str, ...]

    def html_parts(self) -> Iterator[Html]:
        """The comparison and the scores on each table, for notebooks."""
        yield from comparison_parts(self.found) if self.found is not None else [title(_("Comparison of runs"))]
        yield sentences(self.notes, "faint")
        head = [_("method"), measure_in_words(self.metric), _("95 % interval")]
        for name, scores in self.scores.items():
            rows = [(method, *cells_of_score(score)[1:]) for method, score in scores.items()]
            yield opening(_("Scores on {table}").format(table=name), table_of(head, rows, numbers=(1, 2)))


def compare_runs(
    paths: Sequence[Any], *, test: str | None = None, metric: str | None = None, level: float = 0.05
) -> RunComparison:
    """Compare the methods of finished runs.

    Parameters
    ----------
    paths : folders of runs, or their results.json
    test : str, optional
        On one table corrected_t, paired_t, 5x2cv_t, 5x2cv_f, wilcoxon, sign or bayesian_t, of all pairs; by default each method
        is compared with the best by corrected_t. Over several tables see `compare_over_tables`; by default iman_davenport, and
        wilcoxon for two methods.
    metric : str, optional
        By default that of the runs.
    level : float, default=0.05
    """
    runs = named_apart([read_run(path) for path in paths], paths)
    metric = common_metric(runs, metric)
    tables: dict[tuple[str, str], list[FinishedRun]] = {}
    for run in runs:
        tables.setdefault(run.asked, []).append(run)
    if len(tables) > 1:
        return over_tables(list(tables.values()), test, metric, level)
    return on_one_table(runs, test, metric, level)


def named_apart(runs: list[FinishedRun], paths: Sequence[Any]) -> list[FinishedRun]:
    """Runs by their folders, or by the whole paths where folders have one name."""
    names = [run.name for run in runs]
    if len(set(names)) == len(names):
        return runs
    return [replace(run, name=str(path)) for run, path in zip(runs, paths, strict=True)]


def common_metric(runs: Sequence[FinishedRun], metric: str | None) -> str:
    """The measure: the given one, or that of all runs; every run must have it."""
    first = runs[0]
    for run in runs:
        if run.task != first.task:
            words = _("{a} is a run of {task} and {b} of {other}: their scores cannot be compared.")
            mine, other = (_(task) for task in (first.task, run.task))
            raise ValueError(words.format(a=first.name, task=mine, b=run.name, other=other))
        if metric is None and run.metric != first.metric:
            words = _("{a} was judged by {metric} and {b} by {other}: say which measure decides, as in --metric {metric}.")
            raise ValueError(words.format(a=first.name, metric=first.metric, b=run.name, other=run.metric))
        known = [name for name in next(iter(run.scores.values())) if name in METRICS]
        if (metric or run.metric) not in known:
            words = _("{run} has no measure {metric}; choose one of {known}.")
            raise ValueError(words.format(run=run.name, metric=repr(metric or run.metric), known=", ".join(known)))
    return metric or first.metric


def refuse_other_tests(test: str | None, known: Sequence[str], metric: str, words: str) -> None:
    """A test that is not made for these runs, or needs to know which differences matter."""
    if test is not None and test not in known:
        raise ValueError(words.format(test=repr(test), known=", ".join(known)))
    if test is not None and test.startswith("bayesian") and not np.isfinite(METRICS[metric].range).all():
        words = _("{test} needs a difference that is too small to matter, which {measure} does not have: choose another test.")
        raise ValueError(words.format(test=test, measure=measure_in_words(metric)))


# ---- one table -----------------------------------------------------------------------------------------------------------


def on_one_table(runs: Sequence[FinishedRun], test: str | None, metric: str, level: float) -> RunComparison:
    """Methods of all runs side by side."""
    refuse_other_tests(
        test, tuple(FOLD_TESTS), metric, _("{test} is not a test of the folds of a table: choose one of {known}.")
    )
    scores, notes = side_by_side(runs, metric)
    if len(scores) < 2:
        raise ValueError(
            _("There is only {method} to compare: give another run, or a run of several methods.").format(
                method=next(iter(scores))
            )
        )
    table = runs[0].table
    reason = why_not_paired(runs)
    if reason is None:
        numbers = shared_folds(runs)
        values = {name: score.folds[places_of(run, numbers)] for name, (run, score) in scores.items()}
        kept = ~np.isnan(np.array(list(values.values()))).any(axis=0)
        if not kept.all():
            notes.append(
                _("Folds without a score of some method were left out: {count}.").format(count=format_whole(sum(~kept)))
            )
        if kept.sum() >= 2:
            values = {name: one[kept] for name, one in values.items()}
            sizes = [one[places_of(runs[0], numbers)][kept] for one in (runs[0].n_test, runs[0].n_train)]
            found = paired(values, test, metric, level, *sizes)
            found = replace(found, folds={table: found.folds[""]})
            return RunComparison(metric, found, {table: {one.name: one.score for one in found.standings}}, tuple(notes))
        reason = _("The runs have fewer than two folds in common that have scores, so differences cannot be tested.")
    if test is not None:
        raise ValueError(reason)
    sign = -1.0 if METRICS[metric].more_is_better else 1.0
    order = sorted(scores, key=lambda name: (np.isnan(scores[name][1].value), sign * scores[name][1].value))
    return RunComparison(metric, None, {table: {name: scores[name][1] for name in order}}, (*notes, reason))


def side_by_side(runs: Sequence[FinishedRun], metric: str) -> tuple[dict[str, tuple[FinishedRun, Score]], list[str]]:
    """Each method with its run and score; with the name of the run where several have it. Equal scores are listed once."""
    holders: dict[str, list[FinishedRun]] = {}
    for run in runs:
        for method in run.scores:
            known = holders.setdefault(method, [])
            if not any(same_scores(run, other, method, metric) for other in known):
                known.append(run)
    scores = {
        method if len(known) == 1 else f"{method} ({run.name})": (run, run.scores[method][metric])
        for method, known in holders.items()
        for run in known
    }
    once = [method for method, known in holders.items() if len(known) < sum(method in run.scores for run in runs)]
    notes = [_("With the same scores in several runs, and listed once: {methods}.").format(methods=", ".join(once))]
    return scores, notes if once else []


def same_scores(run: FinishedRun, other: FinishedRun, method: str, metric: str) -> bool:
    """Has a method the same scores in the same folds of two runs?"""
    if run.splits != other.splits or not np.array_equal(run.done, other.done):
        return False
    return bool(np.array_equal(run.scores[method][metric].folds, other.scores[method][metric].folds, equal_nan=True))


def why_not_paired(runs: Sequence[FinishedRun]) -> str | None:
    """Why folds cannot be paired; None where they can."""
    other = next((run for run in runs if run.splits != runs[0].splits), None)
    if other is not None:
        words = _(
            "{a} and {b} did not test the same rows in the same folds, so differences cannot be tested: look at the intervals, "
            "or run with the same --folds and --seed."
        )
        return words.format(a=runs[0].name, b=other.name)
    if len(shared_folds(runs)) < 2:
        words = _("{a} has a single split, and one score of each method cannot be tested: run with --folds, or see its report.")
        return words.format(a=runs[0].name)
    return None


def shared_folds(runs: Sequence[FinishedRun]) -> Array:
    """The numbers of the folds that all runs have done."""
    return np.array(sorted(set.intersection(*(set(run.done.tolist()) for run in runs))), dtype=np.int64)


def places_of(run: FinishedRun, numbers: Array) -> Array:
    """Where the scores of some folds stand in a run."""
    return np.flatnonzero(np.isin(run.done, numbers))


def paired(
    values: Mapping[str, Array], test: str | None, metric: str, level: float, n_test: Array, n_train: Array
) -> Comparison:
    """The folds decide: all pairs by a test, or each method against the best."""
    more = METRICS[metric].more_is_better
    order = sorted(values, key=lambda name: values[name].mean(), reverse=more)
    if all(np.array_equal(values[name], values[order[0]]) for name in order):
        words = _("{methods} have the same {measure} in every fold: there is no difference to test.")
        raise ValueError(words.format(methods=", ".join(order), measure=measure_in_words(metric)))
    how: dict[str, Any] = {"metric": metric, "level": level, "n_test": n_test, "n_train": n_train}
    arrays = {name: values[name] for name in order}
    return compare(arrays, test=test or "corrected_t", control=order[0] if test is None else None, **how)


# ---- several tables --------------------------------------------------------------------------------------------------------


def over_tables(tables: Sequence[Sequence[FinishedRun]], test: str | None, metric: str, level: float) -> RunComparison:
    """The methods that all tables share, by their scores on each."""
    refuse_other_tests(test, (*OMNIBUS, *PAIRS), metric, _("{test} is not a test of several tables: choose one of {known}."))
    merged = dict(zip(names_of_tables(tables), map(one_run_of, tables), strict=True))
    names, notes = shared_methods(list(merged.values()))
    if len(names) == 2 and test in OMNIBUS:
        words = _("{test} is for three methods or more, and the runs share two: use --test wilcoxon.")
        raise ValueError(words.format(test=test))
    scores: dict[str, dict[str, Any]] = {}
    sizes: dict[str, Any] = {"n_test": {}, "n_train": {}}
    for table, run in merged.items():
        values = np.array([run.scores[name][metric].folds for name in names])
        kept = ~np.isnan(values).any(axis=0)
        if not kept.any():
            words = _("{run} has no fold in which all shared methods have a value of {measure}: choose another measure.")
            raise ValueError(words.format(run=run.name, measure=measure_in_words(metric)))
        scores[table] = dict(zip(names, values[:, kept], strict=True))
        sizes["n_test"][table], sizes["n_train"][table] = run.n_test[kept], run.n_train[kept]
    if all(np.ptp([of.mean() for of in one.values()]) == 0 for one in scores.values()):
        raise ValueError(_("All methods have the same score on every table: there is no difference to test."))
    found = compare_over_tables(
        scores, test=test or ("wilcoxon" if len(names) == 2 else "iman_davenport"), metric=metric, level=level, **sizes
    )
    shown = {table: {name: run.scores[name][metric] for name in names} for table, run in merged.items()}
    return RunComparison(metric, found, shown, notes)


def names_of_tables(tables: Sequence[Sequence[FinishedRun]]) -> list[str]:
    """Tables by the names of their files; by run and file where several have one name."""
    names = [runs[0].table for runs in tables]
    return [f"{runs[0].name}: {name}" if names.count(name) > 1 else name for runs, name in zip(tables, names, strict=True)]


def one_run_of(runs: Sequence[FinishedRun]) -> FinishedRun:
    """The runs of one table as one: with the methods of all, on the same splits."""
    first, *others = runs
    for run in others:
        twice = [method for method in run.scores if method in first.scores and method not in BASELINE.values()]
        if twice or run.splits != first.splits or not np.array_equal(run.done, first.done):
            words = _("{a} and {b} are runs of the same table, {table}: beside other tables, give one of them.")
            raise ValueError(words.format(a=first.name, b=run.name, table=run.table))
        first = replace(first, scores={**first.scores, **run.scores})
    return first


def shared_methods(runs: Sequence[FinishedRun]) -> tuple[list[str], tuple[str, ...]]:
    """The methods that all runs have, without the baseline if there are others, and what was left out."""
    shared = [method for method in runs[0].scores if all(method in run.scores for run in runs)]
    plain = [method for method in shared if method in BASELINE.values()]
    others = [method for method in shared if method not in plain]
    names = others if len(others) > 1 else shared
    if len(names) < 2:
        lists = "; ".join(f"{run.name}: {', '.join(run.scores)}" for run in runs)
        raise ValueError(
            _("The runs share fewer than two methods, so there is nothing to compare ({lists}).").format(lists=lists)
        )
    left = [method for method in dict.fromkeys(m for run in runs for m in run.scores) if method not in shared]
    notes = [_("Not ranked, because some runs lack them: {methods}.").format(methods=", ".join(left))] if left else []
    if plain and names is others:
        notes.append(_("The baseline is not ranked: it would make any methods differ."))
    return names, tuple(notes)

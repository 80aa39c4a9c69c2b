"""The best method but the baseline, judged in another way: what groups that are split, or suspected columns, do to its score.

    apart      rows of one group may be on both sides, and the column of the groups is used
    together   rows of one group are on one side
    with them  the columns that were set aside are used
    blocks     rows at near places are on one side (near_places.py)

Each is an experiment of its own with one method, on the same number of folds where the groups allow it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from aprendiz.evaluation.evaluation import Score
from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.k_folds import KFolds
from aprendiz.lab.experiment import Experiment, Results
from aprendiz.lab.near_places import near_places
from aprendiz.lab.question import Question, group_labels
from aprendiz.locale import _

LONGEST = 20.0  # seconds that another judgement is expected to take, at most

Way = Literal["apart", "together", "with them", "blocks"]


@dataclass(frozen=True)
class Alternative:
    """Another way, and the score of the best method by it; None if it was not measured."""

    way: Way
    score: Score | None


def alternatives(experiment: Experiment, results: Results, on_stage: Callable[[str], None]) -> tuple[Alternative, ...]:
    """The other ways that the question has, each with its score unless the run was stopped or it would take too long."""
    name = results.best_learner
    wait = experiment.stopped is not None or results.evaluations[name].seconds > LONGEST
    ways = list(other_questions(experiment))
    if ways and not wait:
        on_stage(_("the score by another way"))
    return tuple(Alternative(way, None if wait else score(experiment, question, name)) for way, question in ways)


def other_questions(experiment: Experiment) -> Iterator[tuple[Way, Question]]:
    """What else could have been asked."""
    question, names = experiment.question, list(experiment.table.columns.names)
    subjects = question.subjects
    if subjects is not None and question.groups is not None:
        yield "apart", replace(question, groups=None, features=in_order(names, (*question.features, subjects.name)))
    elif subjects is not None:
        features = tuple(name for name in question.features if name != subjects.name)
        if features:
            yield "together", replace(question, groups=subjects.name, features=features, protocol=protocol(experiment))
    if question.groups is None and question.time is None:
        near = near_places(experiment.X, question.columns(experiment.table), experiment.y)
        if near is not None:
            yield "blocks", replace(question, groups=near.name)
    if question.set_aside:
        yield "with them", replace(question, features=in_order(names, (*question.features, *question.set_aside)))


def in_order(names: list[str], wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Columns that a method can use, in the order of the table."""
    return tuple(name for name in names if name in wanted)


def protocol(experiment: Experiment) -> Protocol:
    """The protocol with no more folds than there are groups."""
    question, subjects = experiment.question, experiment.question.subjects
    assert subjects is not None
    if not isinstance(question.protocol, KFolds):
        return question.protocol
    groups = len(np.unique(group_labels(experiment.table.frame[subjects.name])))
    return replace(question.protocol, k=min(question.protocol.k, groups))


def score(experiment: Experiment, question: Question, name: str) -> Score | None:
    """The score of a method on another question; None if it cannot be fitted there, or the user has had enough."""
    try:
        other = Experiment(
            experiment.table, question, [experiment.method(name)], inner=experiment.inner, selection=experiment.selection
        )
    except ValueError:  # no such folds
        return None
    other.limit = experiment.limit
    for _step in other.steps():
        pass
    if other.stopped or name not in other.found:
        return None
    return other.evaluation(name).score(question.metric)

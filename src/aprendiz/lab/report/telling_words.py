"""Which words of the columns of text matter: the largest coefficients of the model that is handed over, by column and word.

Linear models have a coefficient for each term; naive Bayes of words has the logarithm of its share in each class, from which
that of the other classes, on average, is taken. Terms are weighed alike (TF-IDF), so their coefficients can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.lab.methods import BASELINE
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.locale import _
from aprendiz.plots.models.coefficients import names_of

MOST = 5  # words of a class that are named
MOST_CLASSES = 4


def about_the_words(outcome: Outcome) -> Iterator[Finding]:
    """A sentence with the words that speak most for each class, or for large values."""
    baseline = BASELINE[outcome.results.question.task]
    if any(one.name == baseline and one.tied for one in outcome.results.standings):
        return  # words of a model that is not known to be worth anything
    told = words_of(outcome)
    if not told:
        return
    parts = [f"{towards}: {', '.join(one['term'] for one in terms)}" for towards, terms in list(told.items())[:MOST_CLASSES]]
    yield Finding(
        "telling_words",
        "note",
        _("Words that matter most to {method}: {words}.").format(method=outcome.results.best, words="; ".join(parts)),
        _("They have the largest coefficients among the words of the columns of text."),
        _("See whether they say what the target means, or where the rows come from."),
    )


def text_of(outcome: Outcome) -> tuple[list[str], list[str]]:
    """The columns of text, and the terms of them that the learner sees."""
    question = outcome.results.question
    text = [column.name for column in question.columns(outcome.experiment.table) if column.kind == "text"]
    names = names_of(outcome.opened_pipeline) if text else None
    seen = [] if names is None else list(names)
    return text, [str(one) for one in seen if any(begins(one, name) for name in text)]


def words_of(outcome: Outcome) -> dict[str, list[dict[str, Any]]]:
    """For each class (or the target), the terms with the largest positive coefficients, and for a single row of coefficients
    those with the largest negative ones, too."""
    question, model = outcome.results.question, outcome.fitted
    text = [column.name for column in question.columns(outcome.experiment.table) if column.kind == "text"]
    table = coefficients_of(model) if text else None
    names = list(names_of(outcome.pipeline) or []) if table is not None else []
    if table is None or table.shape[1] != len(names):
        return {}
    pairs = {j: (name, str(one)[len(str(name)) + 2 :]) for j, one in enumerate(names) for name in text if begins(one, name)}
    if not pairs:
        return {}
    return {label: listed(values, pairs) for label, values in rows_of(model, table, question.target)}


def begins(term: Any, name: Any) -> bool:
    return str(term).startswith(f"{name}: ")


def coefficients_of(model: Any) -> Array | None:
    """A row of coefficients for each class, one of two, or one for a number; None if the model has none."""
    if hasattr(model, "coef_"):
        return np.atleast_2d(np.asarray(model.coef_))
    if not hasattr(model, "feature_log_prob_"):
        return None
    shares = np.asarray(model.feature_log_prob_)
    others = (shares.sum(axis=0) - shares) / max(1, len(shares) - 1)
    return shares - others


def rows_of(model: Any, table: Array, target: str) -> Iterator[tuple[str, Array]]:
    """Each row with what it leads to."""
    if len(table) > 1:
        yield from ((str(label), values) for label, values in zip(model.classes_, table, strict=True))
    elif hasattr(model, "classes_") and len(model.classes_) == 2:
        yield str(model.classes_[0]), -table[0]
        yield str(model.classes_[1]), table[0]
    else:
        yield _("more {target}").format(target=target), table[0]
        yield _("less {target}").format(target=target), -table[0]


def listed(values: Array, pairs: dict[int, tuple[Any, str]]) -> list[dict[str, Any]]:
    """The terms with the largest values."""
    places = np.array(list(pairs))
    largest = places[np.argsort(-values[places], kind="stable")[:MOST]]
    return [{"column": pairs[j][0], "term": pairs[j][1], "value": float(values[j])} for j in largest.tolist() if values[j] > 0]

"""What theory says of a classifier: the error that was observed, and every bound that applies, beside each other.

Two kinds of rows say two kinds of things, and are never mixed:

    held-out rows     the model was chosen without them: intervals of its error (Wilson, Clopper–Pearson, Hoeffding, empirical
                      Bernstein), for whatever model                                                            (1)
    training rows     they chose the model: their error is too small, and what can be said holds for all rules of its class at
                      once, by their number or their VC dimension (`bounds.vc_dimension`)                         (2)

An interval or bound says nothing new where it reaches 1, or the error of always answering the most frequent class. Most of (2)
does, unless there are thousands of rows: theory then explains why more rows help, and held-out rows tell the error.

Each line holds with probability 1 − δ by itself, for independent rows of one distribution; the smallest of several does not.
The formulas and their references are in `bounds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import ParameterError, refuse_count
from aprendiz.core.pictures import Picture, display
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import bounds
from aprendiz.evaluation.bounds.classes.model_class import class_of
from aprendiz.evaluation.bounds.classes.reasons import reason_in_words
from aprendiz.evaluation.bounds.inputs.numbers import check_number
from aprendiz.evaluation.folds.predictions import task_of
from aprendiz.evaluation.inputs.labels_and_numbers import class_labels, same_kind, same_rows
from aprendiz.evaluation.words.bounds import bound_in_words, verdict_in_words
from aprendiz.evaluation.words.tables import align
from aprendiz.linear.diagnostics.deviation_bounds import check_delta
from aprendiz.locale import _, format_fixed, format_whole, number

Which = Literal["held-out", "training"]
INTERVALS = ("wilson", "clopper_pearson", "hoeffding", "empirical_bernstein")


@dataclass(frozen=True)
class Bound:
    """What a theorem says of the error: from `low` to `high`, not beyond 0; above 1 it says nothing."""

    name: str
    low: float
    high: float

    def verdict(self, baseline: float) -> str:
        """ "vacuous" from 1 on, "baseline" where the most frequent class errs no more, else ""."""
        return "vacuous" if self.high >= 1 else "baseline" if self.high >= baseline else ""


@dataclass(frozen=True, repr=False)
class Observed(ShortRepr):
    """The errors on some rows, and what follows from them.

    Attributes
    ----------
    which : {"held-out", "training"}
    n, errors : int
        Rows, and how many of them the model gets wrong.
    baseline : float
        The error of the most frequent class of these rows.
    bounds : tuple of Bound
    dimension : int or None
        The VC dimension of the class of the model, for training rows.
    reason : str
        Why there is no bound over the class of the model, as a key of bounds/classes/reasons.py.
    excess : float or None
        For a rule of least training error of which a theorem is known (`bounds.stoller_erm`, `bounds.hyperplane_erm`): by how
        much its error exceeds that of the best rule of the class.
    """

    which: str
    n: int
    errors: int
    baseline: float
    bounds: tuple[Bound, ...]
    dimension: int | None = None
    reason: str = ""
    excess: float | None = None

    @property
    def error(self) -> float:
        """The share of errors."""
        return self.errors / self.n


@dataclass(frozen=True, repr=False)
class Theory(ShortRepr):
    """What theory says of a classifier.

    Attributes
    ----------
    model : str
        Its name.
    delta : float
        δ of each bound by itself.
    held_out, training : Observed or None
        What each kind of rows says.
    """

    model: str
    delta: float
    held_out: Observed | None
    training: Observed | None

    @property
    def observed(self) -> tuple[Observed, ...]:
        """The kinds of rows that there are."""
        return tuple(one for one in (self.held_out, self.training) if one is not None)

    @property
    def vacuous(self) -> dict[str, str]:
        """The bounds that say nothing new, and why: "vacuous" or "baseline"."""
        found = {bound.name: bound.verdict(one.baseline) for one in self.observed for bound in one.bounds}
        return {name: verdict for name, verdict in found.items() if verdict}

    def plot(self, ax: Any = None) -> Picture:
        """The observed errors with all intervals and bounds as a picture: a `TheoryDisplay`. Needs matplotlib."""
        return display("TheoryDisplay")(self).plot(ax)

    def __str__(self) -> str:
        words = _("{model}; each line holds with probability {level} by itself")
        lines = [words.format(model=self.model, level=number(1.0 - self.delta))]
        for one in self.observed:
            lines += ["", *section(one, self.model)]
        return "\n".join(lines)


def section(one: Observed, model: str) -> list[str]:
    """What some rows say, in lines."""
    if one.which == "held-out":
        head = _("{n} held-out rows, not used in the fit; errors: {errors}, {error}; the most frequent class errs {least}")
    else:
        head = _("{n} training rows, used in the fit; errors: {errors}, {error}; the most frequent class errs {least}")
    lines = [
        head.format(
            n=format_whole(one.n),
            errors=format_whole(one.errors),
            error=format_fixed(one.error, 4),
            least=format_fixed(one.baseline, 4),
        )
    ]
    if one.dimension is not None:
        lines.append(_("bounds for all rules of its class at once, VC dimension {h}").format(h=format_whole(one.dimension)))
    if one.bounds:
        rows = [["", _("from"), _("to")]]
        rows += [[bound_in_words(b.name), format_fixed(b.low, 4), format_fixed(b.high, 4)] for b in one.bounds]
        head_line, *table = align(rows).split("\n")
        lines.append(head_line)
        said = [verdict_in_words(b.verdict(one.baseline)) or remark(b.name) for b in one.bounds]
        lines += [f"{line}  {words}".rstrip() for line, words in zip(table, said, strict=True)]
    if one.reason:
        lines.append(reason_in_words(one.reason, model))
    if one.excess is not None:
        words = _("its error exceeds that of the best rule of its class by at most {eps} (rule of least training error)")
        lines.append(words.format(eps=format_fixed(one.excess, 4)))
    return lines


def remark(name: str) -> str:
    """What is less than a guarantee."""
    return _("nearly: not guaranteed") if name == "wilson" else ""


def theory(
    model: Any,
    X: Any,
    y: Any,
    *,
    rows: Which = "held-out",
    training: tuple[Any, Any] | None = None,
    delta: float = 0.05,
    dimension: int | None = None,
    size: int | None = None,
) -> Theory:
    """The observed error of a fitted classifier with every interval and bound that applies.

    Parameters
    ----------
    model : fitted classifier
    X, y : rows that had no part in the fit, or in any choice of it
    rows : {"held-out", "training"}, default="held-out"
        What X and y are. It cannot be found out from them: say "training" if they are the rows of the fit.
    training : pair (X, y), optional
        The rows of the fit, for the bounds over the class of the model beside the intervals of held-out rows.
    delta : float, default=0.05
        δ: the probability that a line does not hold.
    dimension : int, optional
        The VC dimension of the class of the model, if you know it and the library does not, or a smaller one.
    size : int, optional
        The number of rules that there were to choose from, if they were finitely many and fixed before the rows were seen.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from aprendiz import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GaussianNB().fit(X[::2], y[::2])
    >>> print(theory(model, X[1::2], y[1::2], training=(X[::2], y[::2])))
    GaussianNB; each line holds with probability 0.95 by itself
    <BLANKLINE>
    284 held-out rows, not used in the fit; errors: 20, 0.0704; the most frequent class errs 0.3873
                           from      to
    Wilson               0.0460  0.1063  nearly: not guaranteed
    Clopper–Pearson      0.0435  0.1067
    Hoeffding            0.0000  0.1510
    empirical Bernstein  0.0000  0.1477
    <BLANKLINE>
    285 training rows, used in the fit; errors: 12, 0.0421; the most frequent class errs 0.3579
    bounds for all rules of its class at once, VC dimension 61
                           from      to
    Vapnik–Chervonenkis  0.0000  2.3848  vacuous: it reaches 1
    """
    if task_of(model) != "classification":
        raise TypeError(f"{type(model).__name__} predicts numbers: these bounds are for the errors of classifiers.")
    if rows not in ("held-out", "training"):
        raise ParameterError(f"rows must be 'held-out' or 'training', got {rows!r}.")
    if rows == "training" and training is not None:
        raise ValueError("rows='training' says that X and y are the training rows: leave out training.")
    check_number("delta", delta)
    check_delta(delta)
    held_out = None
    if rows == "training":
        training = (X, y)
    else:
        held_out = on_held_out(model, X, y, delta)
    learned = None if training is None else on_training(model, *training, delta, dimension, size)
    return Theory(type(model).__name__, float(delta), held_out, learned)


def on_held_out(model: Any, X: Any, y: Any, delta: float) -> Observed:
    """(1)."""
    n, errors, baseline = counted(model, X, y)
    found = tuple(Bound(name, *getattr(bounds, name)(n, errors=errors, delta=delta)) for name in INTERVALS)
    return Observed("held-out", n, errors, baseline, found)


def on_training(model: Any, X: Any, y: Any, delta: float, dimension: int | None, size: int | None) -> Observed:
    """(2)."""
    n, errors, baseline = counted(model, X, y)
    found, reason = [], ""
    if size is not None:
        found += uniform(n, errors, "finite_class", delta, size=size)
    if dimension is None:
        rules = class_of(model)
        reason, share = rules.reason if size is None else "", rules.share
        dimension = bounds.vc_dimension(model) if not rules.reason else None
    else:
        refuse_count("dimension", dimension)
        share = 1.0
    if dimension:
        found += uniform(n, errors, "vc_bound", delta * share, dimension=dimension)
    return Observed("training", n, errors, baseline, tuple(found), dimension, reason, excess_of(model, n, delta))


def excess_of(model: Any, n: int, delta: float) -> float | None:
    """By how much a rule of least training error exceeds the best one, where the theorem says less than 1."""
    eps, name = np.inf, type(model).__name__
    if name == "StollerCut":
        eps = bounds.stoller_erm(n, delta=delta, columns=model.n_features_in_)
    elif name == "ERMHyperplane" and model.tried_ == model.candidates_:  # the theorem is about all of them
        eps = bounds.hyperplane_erm(n, d=model.n_features_in_, delta=delta)
    return float(eps) if eps < 1 else None


def uniform(n: int, errors: int, name: str, delta: float, **given: int) -> list[Bound]:
    """The bound of the difference of training error and error, and without errors the bound of consistent rules."""
    bound = getattr(bounds, name)
    eps = bound(n, delta=delta, **given)
    found = [Bound(name, max(0.0, errors / n - eps), errors / n + eps)]
    if errors == 0:
        found.append(Bound(f"{name}, consistent", 0.0, bound(n, delta=delta, consistent=True, **given)))
    return found


def counted(model: Any, X: Any, y: Any) -> tuple[int, int, float]:
    """Rows, errors, and the error of the most frequent class."""
    truth, prediction = class_labels("y", y), np.asarray(model.predict(X))
    same_rows("y", truth, "X", prediction)
    same_kind("y", truth, "the prediction", prediction)
    n = len(truth)
    frequent = int(np.unique(truth, return_counts=True)[1].max())
    return n, int(np.count_nonzero(prediction != truth)), 1.0 - frequent / n

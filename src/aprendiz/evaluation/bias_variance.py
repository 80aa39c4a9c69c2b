"""Bias and variance: why a learner errs, found from the models of many training samples.

    error = noise + bias² + variance                                                                          (1)

Noise is what no model can know. Bias is how far the models are from the truth in the mean: averaging many would not help.
Variance is how far each is from their mean: averaging would. How they are defined for squared error and for 0–1 loss, and why
they add up to the error on every run: measures/decompositions.py.

Samples are bootstrap replicates of a table, where each model is judged by the rows that its replicate left out (or all by rows
set apart), or fresh tables from a function of the user. Bootstrap replicates have 0.632·n different rows, so the parts are
those of a learner with fewer rows than the table has.

A row has a single true value in a table: noise and bias² cannot be told apart, and stand together as bias², unless one of these
is given:

    truth    a function of X: the mean of y, or the probabilities of the classes. The error is then the mean over the true
             values that a row could have, and the noise of numbers the mean square of y − truth(X)
    noise    the variance σ² of the numbers; or "neighbours", which estimates it from each row and the row nearest to it,

                 σ² ≈ 1/2n Σ_i (y_i − y_{nearest to i})²                                                      (2)

             too large where the truth changes much between neighbours. It is taken from bias², which may fall below 0

Cost: as many fits as replicates; a learner of one pass is fitted from weighted sums (summaries/replicates.py).
References: see measures/decompositions.py; (2): Devroye, Györfi, Lugosi & Walk, "A nearest neighbor estimate of the residual
variance", Electronic Journal of Statistics 12, 2018.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import Holdout
from aprendiz.evaluation.folds.predictions import target_and_groups, task_of
from aprendiz.evaluation.folds.replicate_models import Draw, Samples, from_draws, from_table
from aprendiz.evaluation.folds.replicate_sums import ReplicateSums
from aprendiz.evaluation.folds.splits import refuse_single_rows
from aprendiz.evaluation.measures.answers import Task
from aprendiz.evaluation.measures.decompositions import Domingos, Parts, domingos, kohavi_wolpert, spreads, squared_parts, votes
from aprendiz.evaluation.words.tables import align, frame, measure
from aprendiz.locale import _

Loss = Literal["squared", "zero_one"]
NOT_SEPARATED = "noise is part of bias²"


def bias_variance(
    learner: Any,
    X: Any = None,
    y: Any = None,
    *,
    loss: Loss | None = None,
    replicates: int = 200,
    draw: Draw | None = None,
    rows: int = 100,
    test: float | None = None,
    truth: Callable[[Any], Any] | None = None,
    noise: float | Literal["neighbours"] | None = None,
    groups: Any = None,
    seed: int = 0,
) -> BiasVariance:
    """Noise, bias and variance of a learner.

    Parameters
    ----------
    learner : classifier or regressor
        With all of its preprocessing inside (a pipeline). It is cloned for each sample, never changed.
    X, y : a table and its target, of which bootstrap replicates are drawn; or `draw`
    loss : "squared" or "zero_one", optional
        By default squared error for numbers, 0–1 loss for classes.
    replicates : int, default=200
        Samples; at least 2.
    draw : function of n and a seed, instead of X and y
        Returns n fresh rows, X and y, which depend on the seed alone.
    rows : int, default=100
        Rows of each sample of `draw`.
    test : float, optional
        Of a table, the share of the rows to be set apart for all models; by default, each is judged by the rows that its
        replicate left out. Of `draw`, how many rows, 1000 by default.
    truth : function of X, optional
        The mean of y, or the probabilities of the classes in their order.
    noise : float or "neighbours", optional
        Of numbers, σ² or how to estimate it: (2).
    groups : array, optional
        Rows of one group are drawn together.
    seed : int, default=0

    Examples
    --------
    >>> found = bias_variance(DecisionTreeRegressor(), X, y)  # doctest: +SKIP
    >>> print(found)  # doctest: +SKIP
    >>> found.plot()  # doctest: +SKIP
    """
    task = task_of(learner)
    refuse_bad_arguments(task, loss, replicates, noise)
    if (draw is None) == (X is None or y is None):
        raise ValueError(_("Give a table X with its target y, or draw, a function that makes such tables: one of both."))
    if draw is not None:
        count = 1000 if test is None else test
        samples = from_draws(learner, draw, task, replicates, whole("rows", rows), whole("test", count), seed)
    else:
        held_out = held_out_rows(y, task, test, groups)
        samples = from_table(learner, X, y, task, replicates, held_out, groups, seed)
    small_fits = samples.how == ReplicateSums.how  # holding BLAS anew for each would cost more than the fit
    with single_blas() if small_fits else nullcontext():
        if task == "regression":
            return of_numbers(samples, replicates, truth, noise)
        return of_classes(samples, replicates, truth)


def refuse_bad_arguments(task: Task, loss: Any, replicates: Any, noise: Any) -> None:
    if not (isinstance(replicates, (int, np.integer)) and replicates >= 2):
        raise ValueError(f"replicates = {replicates!r} must be a whole number of at least 2: one model does not vary.")
    if loss is not None and loss not in get_args(Loss):
        raise ValueError(f"loss = {loss!r} is not known: give 'squared' for numbers or 'zero_one' for classes.")
    fitting = "squared" if task == "regression" else "zero_one"
    if loss is not None and loss != fitting:
        raise ValueError(f"loss = {loss!r} is not a loss for {task}: leave it out, or give {fitting!r}.")
    if noise is not None and task == "classification":
        raise ValueError("noise is a variance of numbers: for classes give truth, a function with their probabilities.")
    if noise is not None and noise != "neighbours" and not (isinstance(noise, Real) and 0 <= float(noise) < np.inf):
        raise ValueError(f"noise = {noise!r} must be a variance, a number of at least 0, or 'neighbours'.")


def whole(name: str, value: Any) -> int:
    if not (isinstance(value, (int, np.integer)) and value >= 2):
        raise ValueError(f"{name} = {value!r} must be a whole number of rows, at least 2, where rows are drawn.")
    return int(value)


def held_out_rows(y: Any, task: Task, test: float | None, groups: Any) -> Array | None:
    """The rows that are set apart, if a share is given."""
    target, together = target_and_groups(task, y, groups)
    if task == "classification":
        refuse_single_rows(target)
    return None if test is None else next(Holdout(test).splits(target, together, task == "classification"))[1]


# ---- the two losses ----------------------------------------------------------------------------------------------------


def of_numbers(samples: Samples, replicates: int, truth: Any, noise: Any) -> BiasVariance:
    """Squared error."""
    label = samples.y
    mean = label if truth is None else np.asarray(truth(samples.X), dtype=np.float64)
    if mean.shape != label.shape:
        raise ValueError(f"truth(X) has the shape {mean.shape}: give the mean of y for each of {len(label)} rows.")
    known = NOT_SEPARATED if truth is None and noise is None else "estimated noise" if noise == "neighbours" else "known noise"
    if noise == "neighbours":
        sigma = noise_of_neighbours(samples.X, label)
    elif noise is None:
        sigma = 0.0 if truth is None else float(((label - mean) ** 2).mean())
    else:
        sigma = float(noise)
    found = spreads(samples, mean, label)
    spoken = found.times > 0
    parts = squared_parts(found, mean, sigma, inside=truth is None)
    return summary("squared", replicates, samples, parts, spoken, float(found.around_label[spoken].mean()), known)


def noise_of_neighbours(X: Any, y: Array) -> float:
    """(2), by Euclidean distance."""
    from aprendiz.neighbors import NearestNeighbors

    nearest = NearestNeighbors(n_neighbors=1).fit(X).kneighbors(return_distance=False)[:, 0]
    return float(((y - y[nearest]) ** 2).mean() / 2.0)


def of_classes(samples: Samples, replicates: int, truth: Any) -> BiasVariance:
    """0–1 loss."""
    predicted, counts = votes(samples, len(samples.y))
    classes = np.array(sorted(samples.labels | set(predicted.tolist())))
    q = np.zeros((len(counts), len(classes)))
    q[:, np.searchsorted(classes, predicted)] = counts
    times = q.sum(axis=1)
    spoken = times > 0
    q /= np.maximum(times, 1.0)[:, None]
    right = samples.y[:, None] == classes
    p = right.astype(np.float64) if truth is None else np.asarray(truth(samples.X), dtype=np.float64)
    if p.shape != q.shape or not np.allclose(p.sum(axis=1), 1.0) or (p < 0).any():
        raise ValueError(
            f"truth(X) must give probabilities of {len(classes)} classes for each of {len(q)} rows, which sum to 1: "
            f"it has the shape {p.shape}."
        )
    observed = float(1.0 - q[spoken][right[spoken]].mean())
    known = NOT_SEPARATED if truth is None else "known noise"
    parts, by_votes = kohavi_wolpert(p, q, classes), domingos(p[spoken], q[spoken])
    return summary("zero_one", replicates, samples, parts, spoken, observed, known, by_votes)


def summary(
    loss: Loss,
    replicates: int,
    samples: Samples,
    parts: Parts,
    spoken: Array,
    observed: float,
    noise_is: str,
    by_votes: Domingos | None = None,
) -> BiasVariance:
    """Means over the rows that some model was asked about."""
    if not spoken.any():
        raise ValueError(_("No replicate left out a row: give more rows, more replicates, or a share of rows to set apart."))
    rows = Parts(*(getattr(parts, name)[spoken] for name in Parts.__dataclass_fields__))
    return BiasVariance(
        loss=loss,
        replicates=replicates,
        total=float(rows.total.mean()),
        noise=float(rows.noise.mean()),
        bias=float(rows.bias.mean()),
        variance=float(rows.variance.mean()),
        observed=observed,
        noise_is=noise_is,
        rows=rows,
        domingos=by_votes,
        how=samples.how,
        warnings=samples.heard,
        numbers=np.flatnonzero(spoken),
    )


# ---- the record --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class BiasVariance(ShortRepr):
    """The parts of the error of a learner: total = noise + bias + variance.

    Attributes
    ----------
    loss : "squared" or "zero_one"
    replicates : int
        Training samples.
    total, noise, bias, variance : float
        Means over the rows; `bias` is bias². For 0–1 loss, those of Kohavi and Wolpert.
    observed : float
        The mean loss of the models on the true values of the rows. It is the total, unless `truth` was given: then the total is
        the mean over the true values that the rows could have.
    noise_is : str
        Whether the noise is known, estimated, or part of bias².
    rows : Parts
        The same row by row, and the main prediction of each: the mean, or the class with most votes.
    domingos : Domingos or None
        For 0–1 loss, main prediction, bias and net variance of Domingos.
    how : str
        Whether the learner was fitted to each sample, or from weighted sums.
    warnings : Counter
        The warnings of the fits, and how often each was given.
    numbers : ndarray
        The rows that were judged: all but those that are in every replicate.
    """

    loss: Loss
    replicates: int
    total: float
    noise: float
    bias: float
    variance: float
    observed: float
    noise_is: str
    rows: Parts
    domingos: Domingos | None
    how: str
    warnings: Counter[str]
    numbers: Array

    def standard_error(self, part: str) -> float:
        """Of "total", "bias" or "variance": how much its mean would vary with other test rows."""
        values = getattr(self.rows, part)
        return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")

    def frame(self) -> Any:
        """A pandas frame: a row for each row that was judged."""
        return frame({name: getattr(self.rows, name) for name in Parts.__dataclass_fields__}, self.numbers.tolist(), "row")

    def __str__(self) -> str:
        words = {"noise": "noise", "bias": "bias²", "variance": "variance", "total": "total"}
        table = [["part", "mean", "standard error"]]
        for name, word in words.items():
            error = self.standard_error(name)
            table.append([word, measure(getattr(self, name)), "–" if name == "noise" else measure(error)])
        kind = "squared error" if self.loss == "squared" else "0–1 loss"
        lines = [f"{kind}; {self.replicates} samples, {len(self.numbers)} rows; {self.noise_is}; {self.how}", align(table)]
        if self.domingos is not None:
            found = self.domingos
            lines.append(
                f"Domingos: bias {measure(found.bias)} + net variance {measure(found.net_variance)} "
                f"({measure(found.unbiased_variance)} − {measure(found.biased_variance)}) "
                f"+ noise {measure(found.noise_effect)} = {measure(found.total)}"
            )
        return "\n".join(lines)

    def plot(self, ax: Any = None) -> Picture:
        """The parts as a picture, a `BiasVarianceDisplay`. Needs matplotlib."""
        return display("BiasVarianceDisplay")(self).plot(ax)

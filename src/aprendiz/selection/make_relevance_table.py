"""Tables of which it is known what each column is to the target.

    score = Σ ±x_j over the relevant columns + 2 Σ sign(u)·sign(v) over the pairs + noise                     (1)
    y     = score, or the class of equal parts of the scores in order

Redundant columns are, in turn, a relevant one with some noise of its own, a combination of two with some noise, and a relevant
one in another unit: which of the latter two is called redundant is an accident. The columns u and v of a pair say
nothing alone, and both are relevant. All others are noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from aprendiz.core.parameters import Count, ParameterError, Whole, fits
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr

BLUR = 0.5  # standard deviation of the noise of a redundant column, relative to the column
WEIGHT_OF_PAIR = 2.0


def make_relevance_table(
    n_samples: int = 200,
    *,
    n_relevant: int = 4,
    n_redundant: int = 4,
    n_pairs: int = 1,
    n_irrelevant: int = 20,
    task: Literal["classification", "regression"] = "classification",
    n_classes: int = 2,
    noise: float = 0.5,
    shuffle: bool = True,
    random_state: Any = None,
) -> RelevanceTable:
    """Make a table whose relevant, redundant and irrelevant columns are known.

    Parameters
    ----------
    n_samples : int, default=200
    n_relevant : int, default=4
        Columns that the target depends on, each by itself.
    n_redundant : int, default=4
        Columns made of these: copies with noise, combinations of two with noise, copies in another unit, in turn.
    n_pairs : int, default=1
        Pairs of columns that the target depends on by an exclusive or.
    n_irrelevant : int, default=20
    task : {"classification", "regression"}, default="classification"
    n_classes : int, default=2
    noise : float, default=0.5
        Standard deviation of what no column knows.
    shuffle : bool, default=True
        Whether the columns are in random order.
    random_state : int, RandomState or None

    Returns
    -------
    RelevanceTable

    Examples
    --------
    >>> table = make_relevance_table(100, n_relevant=2, n_redundant=1, n_pairs=0, n_irrelevant=1, shuffle=False, random_state=0)
    >>> table.kinds.tolist(), table.made_of[2]
    (['relevant', 'relevant', 'redundant', 'irrelevant'], (0,))
    """
    counts = {"n_relevant": n_relevant, "n_redundant": n_redundant, "n_pairs": n_pairs, "n_irrelevant": n_irrelevant}
    for name, value in counts.items():
        if not fits(value, Whole):
            raise ParameterError(f"{name} must be a whole number of at least 0, got {value!r}.")
    for name, value, least in (("n_samples", n_samples, 2), ("n_classes", n_classes, 2)):
        if not (fits(value, Count) and value >= least):
            raise ParameterError(f"{name} must be a whole number of at least {least}, got {value!r}.")
    if task not in ("classification", "regression"):
        raise ParameterError(f"task must be 'classification' or 'regression', got {task!r}.")
    if not (isinstance(noise, (int, float)) and 0 <= noise < np.inf):
        raise ParameterError(f"noise must be a number of at least 0, got {noise!r}.")
    if n_redundant and not n_relevant:
        raise ParameterError("Redundant columns are made of relevant ones: give n_relevant of at least 1, or n_redundant=0.")
    if not sum(counts.values()):
        raise ParameterError("A table needs at least one column: give n_relevant, n_pairs or n_irrelevant.")
    if task == "classification" and n_classes > n_samples:
        raise ParameterError(f"n_classes={n_classes} is more than n_samples={n_samples}: give more rows.")
    random = check_random_state(random_state)
    relevant = random.standard_normal((n_samples, n_relevant))
    pairs = random.standard_normal((n_samples, 2 * n_pairs))
    weights = np.where(np.arange(n_relevant) % 2 == 0, 1.0, -1.0)
    score = relevant @ weights + noise * random.standard_normal(n_samples)
    score += WEIGHT_OF_PAIR * (np.sign(pairs[:, ::2]) * np.sign(pairs[:, 1::2])).sum(axis=1)
    redundant, made_of = redundant_columns(relevant, weights, n_redundant, random)
    others = random.standard_normal((n_samples, n_irrelevant))
    y = score if task == "regression" else np.argsort(np.argsort(score, kind="stable")) * n_classes // n_samples
    kinds = ["relevant"] * n_relevant + ["redundant"] * n_redundant + ["relevant"] * 2 * n_pairs + ["irrelevant"] * n_irrelevant
    X = np.column_stack([relevant, redundant, pairs, others])
    order = random.permutation(X.shape[1]) if shuffle else np.arange(X.shape[1])
    place = np.argsort(order)
    first = n_relevant + n_redundant
    sources = [()] * n_relevant + made_of + [()] * (2 * n_pairs + n_irrelevant)
    return RelevanceTable(
        X=X[:, order],
        y=y,
        kinds=np.array(kinds, dtype="<U10")[order],
        pairs=tuple((int(place[first + 2 * k]), int(place[first + 2 * k + 1])) for k in range(n_pairs)),
        made_of=tuple(tuple(int(place[k]) for k in sources[j]) for j in order),
    )


def redundant_columns(relevant: Array, weights: Array, count: int, random: Any) -> tuple[Array, list[tuple[int, ...]]]:
    """Columns made of relevant ones, and of which."""
    n, d = relevant.shape
    found, made_of = np.empty((n, count)), list[tuple[int, ...]]()
    for place in range(count):
        a, b = place % max(d, 1), (place + 1) % max(d, 1)
        if place % 3 == 2:
            found[:, place] = 10.0 - 3.0 * relevant[:, a]
        elif place % 3 == 1 and d > 1:
            both = 3.0 * weights[a] * relevant[:, a] - weights[b] * relevant[:, b]
            found[:, place] = both + 2.0 * BLUR * random.standard_normal(n)
        else:
            found[:, place] = relevant[:, a] + BLUR * random.standard_normal(n)
        made_of.append((a, b) if place % 3 == 1 and d > 1 else (a,))
    return found, made_of


@dataclass(frozen=True, eq=False, repr=False)
class RelevanceTable(ShortRepr):
    """A table whose truth is known.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
    kinds : ndarray of str, shape (n_features,)
        "relevant", "redundant" or "irrelevant".
    pairs : tuple of (a, b)
        Columns whose exclusive or the target depends on.
    made_of : tuple of tuples
        Of each redundant column, the columns that it is made of; nothing for others.
    """

    X: Array
    y: Array
    kinds: Array
    pairs: tuple[tuple[int, int], ...]
    made_of: tuple[tuple[int, ...], ...]

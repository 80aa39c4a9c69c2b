"""A finite space of hypotheses: which of some distributions do the examples come from?

    P(D | h) = Π_i p(x_i | h),     p(x | h) = 1/|h| inside a set h, 0 outside                                 (1)
    P(h | D) = P(D | h)·π_h / P(D),     P(D) = Σ_h P(D | h)·π_h                                               (2)
    p(x | D) = Σ_h p(x | h)·P(h | D)                                                                          (3)

(1) prefers small sets that hold all the examples, the more the more examples there are: the size principle. Maximum
likelihood takes the h with the largest P(D | h), MAP that with the largest P(h | D), and the predictive distribution (3) takes
none but averages over all. P(D), the evidence, is the likelihood of the space as a whole: over all D of a size it sums to one,
so a space that allows many D gives little to each. Everything is a sum of logarithms.

Cost: O(n·H) for n examples and H hypotheses; the predictive O(N·H) for N things in the universe.
Reference: Tenenbaum, A Bayesian Framework for Concept Learning, PhD thesis, MIT 1999.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from copy import copy
from typing import Any, Self

import numpy as np

from aprendiz.bayes.rule.finite_hypotheses import log_prior, log_sum
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain


class HypothesisSpace:
    """Hypotheses about where examples come from, with a prior.

    Parameters
    ----------
    hypotheses : mapping of name to set, or of name to mapping of thing to probability
        A set stands for the uniform distribution on it; the probabilities of a mapping sum to one.
    prior : mapping of name to weight, or array-like of shape (n_hypotheses,), optional
        Divided by its sum; by default all hypotheses are equally probable.
    universe : iterable, optional
        All things that may be seen, in the order in which they are shown; by default those of the hypotheses, sorted if they
        can be.

    Attributes
    ----------
    names, universe : tuple
    log_prior : ndarray of shape (n_hypotheses,)
        log π_h.
    log_table : ndarray of shape (n_hypotheses, n_things)
        log p(x | h).

    Examples
    --------
    >>> space = HypothesisSpace({"powers of two": {2, 4, 8, 16, 32, 64}, "even": set(range(2, 101, 2))})
    >>> space.map([16, 8, 2, 64])
    'powers of two'
    >>> round(space.posterior([16])["even"], 4)
    0.1071
    """

    def __init__(self, hypotheses: Mapping[Any, Any], prior: Any = None, *, universe: Iterable[Any] | None = None) -> None:
        if not hypotheses:
            raise ValueError("There are no hypotheses: give at least one set or table of probabilities.")
        self.names = tuple(hypotheses)
        tables = {name: shares(name, hypothesis) for name, hypothesis in hypotheses.items()}
        self.universe = universe_of(hypotheses, universe)
        self.place = {thing: number for number, thing in enumerate(self.universe)}
        self.log_table = np.full((len(tables), len(self.universe)), -np.inf)
        for row, (name, table) in zip(self.log_table, tables.items(), strict=True):
            row[[self.index_of(thing, f"Hypothesis {name!r} holds") for thing in table]] = list(table.values())
        self.log_prior = log_prior(self.order(prior), log=False)

    def order(self, prior: Any) -> Any:
        """Weights in the order of the hypotheses."""
        if prior is None:
            return np.ones(len(self.names))
        if isinstance(prior, Mapping):
            if strange := set(prior) ^ set(self.names):
                name = next(name for name in (*self.names, *prior) if name in strange)
                what = "no weight" if name in self.names else "a weight, but is no hypothesis"
                raise ValueError(f"{name!r} has {what} in the prior: give one weight for each hypothesis.")
            prior = [prior[name] for name in self.names]
        if np.shape(prior) != (len(self.names),):
            raise ValueError(
                f"prior has shape {np.shape(prior)}, there are {len(self.names)} hypotheses: give one weight for each."
            )
        return prior

    def index_of(self, thing: Any, where: str) -> int:
        """The number of a thing in the universe."""
        if thing not in self.place:
            raise ValueError(f"{where} {plain(thing)!r}, which is not in the universe: add it there, or leave it out here.")
        return self.place[thing]

    # ---- before the examples -----------------------------------------------------------------------------------------

    @property
    def prior(self) -> dict[Any, float]:
        """π_h."""
        return self.by_name(np.exp(self.log_prior))

    def by_name(self, values: Array) -> dict[Any, float]:
        return dict(zip(self.names, values.tolist(), strict=True))

    # ---- after them --------------------------------------------------------------------------------------------------

    def log_likelihoods(self, data: Iterable[Any]) -> Array:
        """log P(D | h) of (1), in the order of the names."""
        return np.asarray(self.columns_of(data).sum(axis=1))

    def columns_of(self, data: Iterable[Any]) -> Array:
        """log p(x_i | h), hypotheses × examples."""
        seen = [self.index_of(thing, f"Example {number} is") for number, thing in enumerate(data)]
        return self.log_table[:, seen]

    def likelihood(self, data: Iterable[Any]) -> dict[Any, float]:
        """P(D | h) of (1)."""
        return self.by_name(np.exp(self.log_likelihoods(data)))

    def log_posteriors(self, data: Iterable[Any]) -> Array:
        """log P(h | D) of (2), in the order of the names."""
        columns = self.columns_of(data)
        refuse_impossible(self.log_prior, columns)
        joint = self.log_prior + columns.sum(axis=1)
        return np.asarray(joint - log_sum(joint))

    def posterior(self, data: Iterable[Any]) -> dict[Any, float]:
        """P(h | D) of (2)."""
        return self.by_name(np.exp(self.log_posteriors(data)))

    def log_evidence(self, data: Iterable[Any]) -> float:
        """log P(D) of (2)."""
        return float(log_sum(self.log_prior + self.log_likelihoods(data))[0])

    def evidence(self, data: Iterable[Any]) -> float:
        """P(D) of (2)."""
        return float(np.exp(self.log_evidence(data)))

    def predictive(self, data: Iterable[Any] = ()) -> dict[Any, float]:
        """p(x | D) of (3) for each x of the universe; without examples, what the prior expects."""
        mixed = np.exp(self.log_posteriors(data)) @ np.exp(self.log_table)
        return dict(zip(self.universe, mixed.tolist(), strict=True))

    def ml(self, data: Iterable[Any]) -> Any:
        """The name of the hypothesis of maximum likelihood, whatever its prior; the first of those that are equal."""
        columns = self.columns_of(data)
        refuse_impossible(np.zeros(len(self)), columns)
        return self.names[int(np.argmax(columns.sum(axis=1)))]

    def map(self, data: Iterable[Any]) -> Any:
        """The name of the most probable hypothesis after the examples; the first of those that are equal."""
        return self.names[int(np.argmax(self.log_posteriors(data)))]

    def observe(self, data: Iterable[Any]) -> Self:
        """The same space with the posterior as its prior: more examples can follow."""
        after = copy(self)
        after.log_prior = self.log_posteriors(data)
        return after

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<HypothesisSpace: {len(self)} hypotheses about {len(self.universe)} things>"


def refuse_impossible(start: Array, columns: Array) -> None:
    """Examples that no hypothesis allows together."""
    possible = (np.logical_and.accumulate(np.isfinite(columns), axis=1) & np.isfinite(start)[:, None]).any(axis=0)
    if not possible.all():
        raise ValueError(
            f"No hypothesis with a prior above 0 allows the examples up to number {int(np.argmin(possible))} together: "
            "add one that does, or leave out an example that is wrong."
        )


def shares(name: Any, hypothesis: Any) -> dict[Any, float]:
    """log p(x | h) of the things that a hypothesis allows."""
    if not isinstance(hypothesis, (Mapping, Set)):
        kind = type(hypothesis).__name__
        raise TypeError(f"Hypothesis {name!r} is a {kind}: give a set of things, or a mapping of things to probabilities.")
    if not hypothesis:
        raise ValueError(f"Hypothesis {name!r} is empty: leave it out, nothing can come from it.")
    if isinstance(hypothesis, Set):
        return dict.fromkeys(map(plain, hypothesis), -float(np.log(len(hypothesis))))
    table = {plain(thing): float(share) for thing, share in hypothesis.items()}
    for thing, share in table.items():
        if not 0 <= share <= 1:
            raise ValueError(f"Hypothesis {name!r} gives {thing!r} the probability {share:g}: give a number from 0 to 1.")
    if abs((total := sum(table.values())) - 1.0) > 1e-9:
        raise ValueError(f"The probabilities of hypothesis {name!r} sum to {total:.6g}: make them sum to 1.")
    return {thing: float(np.log(share)) for thing, share in table.items() if share > 0}


def universe_of(hypotheses: Mapping[Any, Iterable[Any]], universe: Iterable[Any] | None) -> tuple[Any, ...]:
    """All things once, in their order if they have one."""
    if universe is not None:
        return tuple(dict.fromkeys(map(plain, universe)))
    things = dict.fromkeys(thing for hypothesis in hypotheses.values() for thing in map(plain, hypothesis))
    try:
        return tuple(sorted(things))
    except TypeError:
        return tuple(things)

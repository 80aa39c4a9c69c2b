"""A state of the fit of an ensemble: its first members, and the out-of-bag sums so far."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import State
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.forest.forest import ARRAYS, Forest, GrowingArray, GrowingForest
from aprendiz.ensemble.members.ensemble_data import EnsembleData, Member
from aprendiz.ensemble.members.several_targets import same_labels
from aprendiz.ensemble.out_of_bag.out_of_bag import OutOfBag


@dataclass(frozen=True)
class EnsembleState(State):
    """The ensemble of the first iteration + 1 members: the seed, and the rows of the largest bin (0 where every value was a
    candidate threshold); the arrays of its forest, or its other members; the part of each column in each tree; the part of the
    weight of its rows that a tree does not account for; and the out-of-bag sums and errors (empty where nobody asked for
    them)."""

    seed: int
    largest_bin: int
    start: Array
    nodes: Array
    level_start: Array
    level_branch: Array
    impurity: Array
    value: Array
    leaf_rows: Array
    leaf_weight: Array
    importance: Array
    lost: Array
    oob_total: Array
    oob_votes: Array
    oob_errors: Array
    models: tuple[Any, ...] = ()

    def forest(self, classes: int) -> Forest:
        """The trees."""
        return Forest(**{name: getattr(self, name) for name in ARRAYS}, classes=classes)


class MembersSoFar:
    """The members so far, as a state holds them."""

    def __init__(self, since: Any, data: EnsembleData, members: int):
        bare = data.maker.bare
        self.growing = GrowingForest(bare if since is None else since.forest(bare.classes), members)
        self.models: tuple[Any, ...] = () if since is None else tuple(since.models)
        columns = data.rows.columns
        self.importance = GrowingArray(np.zeros((0, columns)) if since is None else since.importance, members)
        self.lost = GrowingArray(np.zeros(0) if since is None else since.lost, members)
        self.errors = GrowingArray(np.zeros(0) if since is None else since.oob_errors, members)

    def add(self, member: Member) -> None:
        if member.forest is None:
            self.models = (*self.models, member.model)
        else:
            self.growing.add(member.forest)
        self.importance.add(member.importance[None])
        self.lost.add(np.array([member.lost]))

    @property
    def arrays(self) -> dict[str, Any]:
        known = {"importance": self.importance.view, "lost": self.lost.view, "oob_errors": self.errors.view}
        return {**self.growing.forest.arrays, **known, "models": self.models}


def sums_of(tally: OutOfBag | None) -> dict[str, Array]:
    """The out-of-bag sums as a state holds them: they will not change."""
    if tally is None:
        return {"oob_total": np.zeros((0, 0)), "oob_votes": np.zeros(0, np.int32)}
    return {"oob_total": tally.total.copy(), "oob_votes": tally.votes.copy()}


def state_before(model: Any, rows: Rows) -> Any:
    """The state of the fit before, to which `warm_start` adds members."""
    since = model.__dict__.get("_state")
    if not model.warm_start or since is None:
        return None
    before = since.iteration + 1
    if model.n_estimators < before:
        raise ParameterError(
            f"n_estimators={model.n_estimators} must be larger or equal to the {before} members of the fit before when "
            "warm_start=True: raise it, or set warm_start=False."
        )
    columns, labels = model.n_features_in_, getattr(model, "classes_", None)
    if rows.columns != columns or (labels is not None and not same_labels(labels, rows)):
        shown = [one.tolist()[:20] for one in (labels if isinstance(labels, list) else [labels]) if one is not None]
        raise ParameterError(
            f"warm_start=True adds members to those of the fit before, which had {columns} columns"
            f"{' and the classes ' + ', '.join(map(str, shown)) if shown else ''}: give such rows, or set it to False."
        )
    if model.n_estimators == before:
        warnings.warn("Warm-start fitting without increasing n_estimators does not fit new trees.", stacklevel=5)
    return since


def leaves_certificate(state: Any) -> Certificate:
    """That the weights of the leaves of every tree sum to that of its bag, up to 10⁻⁹ of it, before they are kept in single
    precision, 6·10⁻⁸ of each. Nothing is claimed about errors on other rows: see the out-of-bag estimates. Where the search is
    binned, thresholds inside a bin, of which the largest holds `largest_bin` rows, were candidates in small nodes only."""
    lost = float(state.lost.max())
    search = "binned" if state.largest_bin else "exact"
    known: dict[str, Any] = {"objective": state.objective, "members": state.iteration + 1, "lost": lost, "search": search}
    if state.largest_bin:
        known["largest_bin"] = state.largest_bin
    return Certificate("the leaves of every tree hold all rows of its bag", lost <= 1e-9, known)

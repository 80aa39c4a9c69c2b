"""A state of the fit of an ensemble: its first members, and the out-of-bag sums so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array
from aprendiz.ensemble.forest.forest import ARRAYS, Forest, GrowingArray, GrowingForest
from aprendiz.ensemble.members.ensemble_data import EnsembleData, Member
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

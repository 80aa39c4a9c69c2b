"""Bagging: each member learns from a bag of rows (and columns) of its own, and their mean prediction varies less than one of
them.

    bootstrap     rows drawn with replacement, as many as there are: bagging
    pasting       different rows, fewer than there are
    columns       max_features of them, the same in all nodes of a tree: random subspaces; with rows, random patches

Averaging helps where the base learner is unstable, that is, where other rows make another model: a full tree gains much, k
nearest neighbours hardly anything. `sample_weight` decides how probable it is to be drawn, and is not passed on to the members;
other metadata is, where scikit-learn's routing is enabled and they ask for it.

Rows that a member has not seen judge it (out_of_bag.py), with bootstrap or wherever a bag does not take all rows.

References: Breiman, "Bagging predictors", Machine Learning 24, 1996; "Pasting small votes for classification in large databases
and on-line", Machine Learning 36, 1999; Ho, "The random subspace method for constructing decision forests", IEEE PAMI 20, 1998.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.columns import Mixed
from aprendiz.core.parameters import ParameterError
from aprendiz.core.routing import NO_METADATA, of_some_rows, refuse_unrouted
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.ensemble.forest.tree_maker import TreeMaker
from aprendiz.ensemble.members.any_members import AnyMembers
from aprendiz.ensemble.members.bags import Bags, bag_size, refuse_bag, some_columns, uneven
from aprendiz.ensemble.members.ensemble_data import CountingRows, EnsembleData, Member
from aprendiz.ensemble.members.model_maker import ModelMaker


class Bagging(AnyMembers):
    """The base of bagging."""

    max_samples: Any
    max_features: Any
    bootstrap: bool
    bootstrap_features: bool
    frames = 4
    metadata: Mapping[str, Any] = NO_METADATA  # of the fit under way

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **params: Any) -> Self:
        """Fit to X and y, with optional sample weights; `params`, metadata of the rows, go to the members that ask for them."""
        self.metadata = self.route("fit", params)
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self.metadata

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        """Training data as checked rows."""
        rows = super().open(X, y, sample_weight, reset=reset)
        wanted_columns(self.max_features, rows.columns)
        if sample_weight is not None and not self.bootstrap:
            warnings.warn(
                f"When fitting {type(self).__name__} with sample_weight it is recommended to use bootstrap=True, got False: "
                "a row that is in a bag counts once, whatever its weight.",
                stacklevel=5,
            )
        return rows

    def prepared_data(self, rows: Rows, seed: int) -> EnsembleData:
        given = self.rows_for_members(rows)
        some = CountingRows.of(given)
        y, weight = some.y, some.weight
        size = bag_size(self.max_samples, weight, len(y))
        refuse_bag(size, self.bootstrap, weight, len(y))
        self.refuse_nobody_out(size, len(y))
        bags = Bags(seed, len(y), size, self.bootstrap, uneven(weight), some.of_given, given.count or len(y))
        return EnsembleData(seed, some.table, y, weight, self.costs_of_base(given), self.maker, bags, some.there)

    def refuse_nobody_out(self, size: int, count: int) -> None:
        """Out-of-bag predictions where every bag holds every row."""
        if (self.oob_score or self.patience) and not self.bootstrap and size >= count:
            what = "patience looks at the out-of-bag error, and " if self.patience else ""
            raise ParameterError(
                f"Out of bag estimation only available if bootstrap=True: {what}every bag holds all rows; "
                "give bootstrap=True, or a smaller max_samples."
            )

    def member(self, number: int, data: EnsembleData) -> Member:
        assert data.bags is not None
        counts = data.bags.counts(number)
        asked = np.flatnonzero(counts == 0).astype(np.int32) if self.oob_score or self.patience else None
        words = in_memory(data.rows) and isinstance(data.rows.X, Mixed)
        columns = self.drawn_columns(data.seed, number, data.rows.columns, words)
        return data.maker.member(counts, data.seed, number, columns, asked)

    def drawn_columns(self, seed: int, number: int, columns: int, words: bool) -> Array | None:
        """The columns of a member; None for all. In a table with words, whose columns have names, none comes twice."""
        drawn = some_columns(seed, number, columns, wanted_columns(self.max_features, columns), self.bootstrap_features)
        return np.unique(drawn) if words and drawn is not None else drawn

    def maker(self, data: EnsembleData, required: bool = False) -> TreeMaker | ModelMaker:
        maker = super().maker(data, required)
        if not self.metadata or isinstance(maker, TreeMaker):
            return maker
        assert data.bags is not None
        return replace(maker, metadata=of_some_rows(self.metadata, data.bags.there, data.bags.given))

    # ---- metadata ------------------------------------------------------------------------------------------------------

    def route(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """What members are told of the rows when a method of the ensemble is called."""
        refuse_unrouted(self, method, params)
        return process_routing(self, method, **params).estimator[self.asked()[method]] if params else NO_METADATA

    def asked(self) -> dict[str, str]:
        """The method of the members that each method of the ensemble calls."""
        says, logs = (
            name if self.voting == "soft" and hasattr(self.base(), name) else "predict"
            for name in ("predict_proba", "predict_log_proba")
        )
        logs = says if logs == "predict" else logs
        ours = {"predict": says, "predict_proba": says, "predict_log_proba": logs}
        return {"fit": "fit", "decision_function": "decision_function", **ours}

    def get_metadata_routing(self) -> MetadataRouter:
        """What is routed to the members: all but the weights of a fit, by which bags are drawn."""
        mapping = MethodMapping()
        for caller, callee in self.asked().items():
            mapping.add(caller=caller, callee=callee)
        return MetadataRouter(owner=self).add(estimator=self.base(), method_mapping=mapping)

    def predict(self, X: Any, **params: Any) -> Array:
        """The prediction of the ensemble for each row: a class, or the mean of the members' predictions. `params`, metadata of
        the rows, go to the members that ask for them."""
        return self.decide(self.sums(X, self.route("predict", params)), float(len(self)))

    # ---- what is known of the members ----------------------------------------------------------------------------------

    def columns_of(self, number: int) -> Array | None:
        assert self.bags_ is not None
        return self.drawn_columns(self.bags_.seed, number, self.n_features_in_, getattr(self, "columns_", None) is not None)

    @property
    def estimators_features_(self) -> list[Array]:
        """The columns that each member sees."""
        check_is_fitted(self)
        drawn = [self.columns_of(number) for number in range(len(self))]
        return [np.arange(self.n_features_in_) if columns is None else columns for columns in drawn]


def wanted_columns(max_features: Any, columns: int) -> int:
    """How many columns a member sees."""
    wanted = int(max_features) if isinstance(max_features, Integral) else max(1, int(max_features * columns))
    if wanted > columns:
        raise ParameterError(f"max_features must be <= n_features: {wanted} columns are asked for, and there are {columns}.")
    return wanted

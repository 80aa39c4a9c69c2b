"""Ensembles: many members, one vote, and the estimate of its error for nothing."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    random_forest_classifier=["RandomForestClassifier"],
    random_forest_regressor=["RandomForestRegressor"],
    extra_trees_classifier=["ExtraTreesClassifier"],
    extra_trees_regressor=["ExtraTreesRegressor"],
)

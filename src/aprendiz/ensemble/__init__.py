"""Ensembles: many members, one vote, and an out-of-bag estimate of its error."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    ada_boost_classifier=["AdaBoostClassifier"],
    ada_boost_regressor=["AdaBoostRegressor"],
    bagging_classifier=["BaggingClassifier"],
    bagging_regressor=["BaggingRegressor"],
    class_switching_classifier=["ClassSwitchingClassifier"],
    switching_errors=["switching_errors", "SwitchingErrors"],
    random_forest_classifier=["RandomForestClassifier"],
    random_forest_regressor=["RandomForestRegressor"],
    extra_trees_classifier=["ExtraTreesClassifier"],
    extra_trees_regressor=["ExtraTreesRegressor"],
    hist_gradient_boosting_classifier=["HistGradientBoostingClassifier"],
    hist_gradient_boosting_regressor=["HistGradientBoostingRegressor"],
    majority_error=["majority_error"],
    out_of_bag_importances=["OutOfBagImportances"],
    tree_correlation=["tree_correlation", "TreeCorrelation"],
    ensemble_curve=["ensemble_curve", "EnsembleCurve"],
)

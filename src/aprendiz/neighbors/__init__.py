"""Nearest neighbours: search, classification, regression, density."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    kd_tree=["KDTree"],
    ball_tree=["BallTree"],
    nearest_neighbors=["NearestNeighbors"],
    k_neighbors_classifier=["KNeighborsClassifier"],
    k_neighbors_regressor=["KNeighborsRegressor"],
    radius_neighbors_classifier=["RadiusNeighborsClassifier"],
    radius_neighbors_regressor=["RadiusNeighborsRegressor"],
    knn_density=["KNNDensity"],
    choose_n_neighbors=["choose_n_neighbors", "ChoiceOfK"],
)

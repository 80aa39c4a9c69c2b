"""Conformal prediction: intervals and sets of classes that contain the truth as often as they say, around any learner."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    conformal_regressor=["ConformalRegressor"],
    conformal_classifier=["ConformalClassifier"],
)

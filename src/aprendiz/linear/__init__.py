"""Linear models."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    least_squares=["LinearRegression"],
    ridge=["Ridge"],
    ridge_cv=["RidgeCV"],
    logistic=["LogisticRegression"],
)

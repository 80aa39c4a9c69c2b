"""Linear models."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    least_squares=["LinearRegression"],
    ridge=["Ridge"],
    ridge_cv=["RidgeCV"],
    elastic_net=["ElasticNet"],
    lasso=["Lasso"],
    lasso_cv=["LassoCV", "ElasticNetCV"],
    paths=["enet_path", "lasso_path"],
    logistic=["LogisticRegression"],
    perceptron=["Perceptron"],
    delta_rule=["DeltaRule"],
    descent=["descend"],
    sgd=["SGDClassifier", "SGDRegressor"],
    basis_expansion=["BasisExpansion"],
    curve_fit=["CurveFit"],
)

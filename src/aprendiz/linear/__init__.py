"""Linear models."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    least_squares=["LinearRegression"],
    row_influence=["influence"],
    ridge=["Ridge"],
    ridge_cv=["RidgeCV"],
    elastic_net=["ElasticNet"],
    lasso=["Lasso"],
    budgets=["budget_path"],
    lasso_cv=["LassoCV", "ElasticNetCV"],
    paths=["enet_path", "lasso_path"],
    logistic=["LogisticRegression"],
    logistic_cv=["LogisticRegressionCV"],
    perceptron=["Perceptron"],
    delta_rule=["DeltaRule"],
    descent=["descend"],
    sgd=["SGDClassifier", "SGDRegressor"],
    basis_expansion=["BasisExpansion"],
    curve_fit=["CurveFit"],
    least_squares_classifier=["LeastSquaresClassifier"],
    linear_machine=["LinearMachine"],
    linear_discriminant=["LinearDiscriminant", "plane_criteria"],
    one_vs_rest=["OneVsRestClassifier"],
    one_vs_one=["OneVsOneClassifier"],
    stoller_cut=["StollerCut"],
    fisher_discriminant=["FisherDiscriminant"],
    erm_hyperplane=["ERMHyperplane"],
)

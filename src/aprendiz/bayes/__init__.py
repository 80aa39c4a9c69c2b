"""Decision theory, estimation and the classifiers that follow from Bayes' rule."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    rule=["posterior"],
    joint_table=["JointTable"],
    hypothesis_space=["HypothesisSpace"],
    gaussian_naive_bayes=["GaussianNB"],
    categorical_naive_bayes=["CategoricalNB"],
    bernoulli_naive_bayes=["BernoulliNB"],
    multinomial_naive_bayes=["MultinomialNB"],
    complement_naive_bayes=["ComplementNB"],
    mixed_naive_bayes=["NaiveBayes"],
    decision_rule=["DecisionRule"],
    decision_classifier=["BayesDecisionClassifier"],
    optimal_error=["bayes_error"],
    neighbour_error=["knn_error", "neighbour_bounds", "bayes_bounds"],
    rule_errors=["rule_error"],
    quadratic_discriminant=["QuadraticDiscriminantAnalysis"],
    diagonal_discriminant=["DiagonalDiscriminantAnalysis"],
    nearest_mean=["NearestMean"],
    linear_discriminant_analysis=["LinearDiscriminantAnalysis"],
    regularized_discriminant=["RegularizedDiscriminantAnalysis"],
    nearest_centroid=["NearestCentroid"],
    nearest_shrunken_centroids=["NearestShrunkenCentroids"],
)

"""Decision theory, estimation and the classifiers that follow from Bayes' rule."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    posterior=["posterior"],
    joint_table=["JointTable"],
    hypothesis_space=["HypothesisSpace"],
    gaussian_nb=["GaussianNB"],
    categorical_nb=["CategoricalNB"],
    bernoulli_nb=["BernoulliNB"],
    multinomial_nb=["MultinomialNB"],
    complement_nb=["ComplementNB"],
    naive_bayes=["NaiveBayes"],
    decision_rule=["DecisionRule"],
    bayes_decision_classifier=["BayesDecisionClassifier"],
    calibrated_classifier_cv=["CalibratedClassifierCV"],
    bayes_error=["bayes_error"],
    knn_error=["knn_error", "neighbour_bounds", "bayes_bounds"],
    rule_error=["rule_error"],
    quadratic_discriminant_analysis=["QuadraticDiscriminantAnalysis"],
    diagonal_discriminant_analysis=["DiagonalDiscriminantAnalysis"],
    nearest_mean=["NearestMean"],
    linear_discriminant_analysis=["LinearDiscriminantAnalysis"],
    regularized_discriminant_analysis=["RegularizedDiscriminantAnalysis"],
    nearest_centroid=["NearestCentroid"],
    nearest_shrunken_centroids=["NearestShrunkenCentroids"],
)

"""Decision theory, estimation and the classifiers that follow from Bayes' rule."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    gaussian_naive_bayes=["GaussianNB"],
    categorical_naive_bayes=["CategoricalNB"],
)

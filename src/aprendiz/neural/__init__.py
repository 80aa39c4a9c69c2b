"""Neural networks, from the derivative of a graph up."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    autoencoder=["Autoencoder"],
    gradcheck=["GradientCheck", "gradcheck"],
    graph=["Graph"],
    mlp_classifier=["MLPClassifier"],
    mlp_regressor=["MLPRegressor"],
    monomial_network=["monomial_network"],
    polynomial_network=["polynomial_network"],
    ridge_network=["ridge_network"],
    step_approximation=["step_approximation"],
    trigonometric_network=["trigonometric_network"],
)

"""How many numbers of a model were fitted, as the criteria count them; likelihoods/ says how."""

from __future__ import annotations

from typing import Any

from aprendiz.evaluation.criteria.likelihoods.fitted import parameters_of


def n_parameters(model: Any, X: Any = None, *, priors: bool = True) -> float:
    """How many numbers were fitted.

    Parameters
    ----------
    model : fitted model or distribution
    X : the rows of the fit, for penalised regressions
        Their number is that of the effective degrees of freedom, which need not be whole.
    priors : bool, default=True
        Whether the likelihood p(x, y) is meant, and the K − 1 priors of a generative classifier count if they were estimated,
        and σ² of the nearest mean. Without them the number is the one of the discriminant functions.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aprendiz import LinearDiscriminantAnalysis
    >>> model = LinearDiscriminantAnalysis().fit(*load_iris(return_X_y=True))
    >>> n_parameters(model), n_parameters(model, priors=False)
    (24, 22)
    """
    return parameters_of(model, X, priors=priors)

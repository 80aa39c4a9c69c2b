"""Criteria that weigh likelihood against parameters: log-likelihood, number of parameters, AIC, AICc, BIC, evidence.

    criteria.aic(model, X, y)                   of a fitted model and the rows of its fit
    criteria.table({"a": …, "b": …}, X, y)      several models, with differences and weights

Likelihoods of different things are not compared: p(y | x) of a regression or a classifier, p(x, y) of a generative classifier,
p(x) of a mixture.
"""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    log_likelihood=["log_likelihood"],
    n_parameters=["n_parameters"],
    aic=["aic"],
    aicc=["aicc"],
    bic=["bic"],
    evidence=["evidence"],
    table=["table", "CriteriaTable"],
)

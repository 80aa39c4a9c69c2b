"""Distributions: families with their estimates, conjugate priors of their parameters, and what follows from both.

families      Gaussian, MultivariateGaussian, Bernoulli, Categorical, Poisson, FiniteUniform
priors        NormalMean, InverseGamma, NormalInverseGamma, NormalInverseWishart, Beta, Dirichlet, Gamma
predictives   StudentT, MultivariateT, NegativeBinomial

Gaussian.fit(x)                       maximum likelihood (ML)
Gaussian.fit(x, prior=prior)          the largest posterior density (MAP)
prior.posterior(x)                    a prior of the same kind
prior.posterior(x).predictive()       the distribution of the next value
prior.log_evidence(x)                 ln p(x), the parameters integrated out
"""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    gaussian=["Gaussian"],
    multivariate_gaussian=["MultivariateGaussian"],
    bernoulli=["Bernoulli"],
    categorical=["Categorical"],
    poisson=["Poisson"],
    finite_uniform=["FiniteUniform"],
    normal_mean=["NormalMean"],
    inverse_gamma=["InverseGamma"],
    normal_inverse_gamma=["NormalInverseGamma"],
    normal_inverse_wishart=["NormalInverseWishart"],
    beta=["Beta"],
    dirichlet=["Dirichlet"],
    gamma=["Gamma"],
    student_t=["StudentT"],
    multivariate_t=["MultivariateT"],
    negative_binomial=["NegativeBinomial"],
)

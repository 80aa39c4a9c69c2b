"""Kernels as objects: K(x, z) = φ(x)ᵀφ(z) for some map φ, which need not be known.

    k = 2 * RBF(gamma=0.5) + Linear()       sums, products and positive multiples of kernels are kernels
    k(X)                                    the Gram matrix of the rows of X; k(X, Z) between two tables
    k.diagonal(X)                           its diagonal alone
    center(K), normalize(K)                 Gram matrices of centred rows, and of rows of length 1
    alignment(K, L), check_psd(K)           how alike two Gram matrices are; whether one is positive semi-definite

Every learner of the family takes such an object as `kernel`, beside scikit-learn's names ("rbf", "poly", …).
"""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    additive_chi_squared=["AdditiveChiSquared"],
    alignment=["alignment"],
    center=["center"],
    check_psd=["PSDCheck", "check_psd"],
    chi_squared=["ChiSquared"],
    constant=["Constant"],
    cosine=["Cosine"],
    diffusion=["Diffusion"],
    exponential=["Exponential"],
    function=["Function"],
    gamma_exponential=["GammaExponential"],
    laplacian=["Laplacian"],
    linear=["Linear"],
    mahalanobis=["Mahalanobis"],
    matern=["Matern"],
    normalize=["normalize"],
    periodic=["Periodic"],
    polynomial=["Polynomial"],
    precomputed=["Precomputed"],
    product=["Product"],
    rbf=["RBF"],
    sigmoid=["Sigmoid"],
    spectrum=["Spectrum"],
    sum=["Sum"],
)

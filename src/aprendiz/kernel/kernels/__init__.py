"""Kernels as objects: K(x, z) = φ(x)ᵀφ(z) for some map φ, which need not be known.

    k = 2 * RBF(gamma=0.5) + Linear()       sums, products and positive multiples of kernels are kernels
    k(X)                                    the Gram matrix of the rows of X; k(X, Z) between two tables
    k.diagonal(X)                           its diagonal alone

Every learner of the family takes such an object as `kernel`, beside scikit-learn's names ("rbf", "poly", …).
"""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    constant=["Constant"],
    cosine=["Cosine"],
    function=["Function"],
    laplacian=["Laplacian"],
    linear=["Linear"],
    polynomial=["Polynomial"],
    precomputed=["Precomputed"],
    product=["Product"],
    rbf=["RBF"],
    sigmoid=["Sigmoid"],
    sum=["Sum"],
)

"""Dimensionality reduction: projections of the columns."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    classical_mds=["ClassicalMDS"],
    gaussian_random_projection=["GaussianRandomProjection"],
    incremental_pca=["IncrementalPCA"],
    isomap=["Isomap"],
    johnson_lindenstrauss_dim=["johnson_lindenstrauss_dim"],
    johnson_lindenstrauss_failure=["johnson_lindenstrauss_failure"],
    johnson_lindenstrauss_min_dim=["johnson_lindenstrauss_min_dim"],
    locally_linear_embedding=["LocallyLinearEmbedding", "locally_linear_embedding"],
    low_rank=["LowRank", "low_rank"],
    mds=["MDS"],
    mini_batch_nmf=["MiniBatchNMF"],
    nmf=["NMF"],
    non_negative_factorization=["non_negative_factorization"],
    pca=["PCA"],
    smacof=["smacof"],
    soft_impute=["SoftImpute"],
    soft_impute_cv=["SoftImputeCV"],
    soft_impute_path=["soft_impute_path"],
    sparse_random_projection=["SparseRandomProjection"],
    spectral_embedding=["SpectralEmbedding", "spectral_embedding"],
    stress=["stress"],
    truncated_svd=["TruncatedSVD"],
    trustworthiness=["trustworthiness"],
    tsne=["TSNE"],
)

"""Dimensionality reduction: projections of the columns."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    classical_mds=["ClassicalMDS"],
    incremental_pca=["IncrementalPCA"],
    isomap=["Isomap"],
    mds=["MDS"],
    nmf=["NMF"],
    pca=["PCA"],
    smacof=["smacof"],
    soft_impute=["SoftImpute"],
    stress=["stress"],
    truncated_svd=["TruncatedSVD"],
    trustworthiness=["trustworthiness"],
    tsne=["TSNE"],
)

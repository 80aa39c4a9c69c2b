"""Clustering: groups of similar rows."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    agglomerative_clustering=["AgglomerativeClustering"],
    em=["EMResult", "em"],
    fuzzy_c_means=["FuzzyCMeans"],
    gaussian_mixture=["GaussianMixture"],
    mixture_model=["MixtureModel"],
    farthest_first_hierarchy=["FarthestFirstHierarchy"],
    k_centers=["KCenters"],
    k_medoids=["KMedoids"],
    k_means=["KMeans"],
    mini_batch_k_means=["MiniBatchKMeans"],
    sampled_k_medoids=["SampledKMedoids"],
    within_cluster_risk=["within_cluster_risk"],
    cluster_stability=["cluster_stability", "ClusterStability"],
    choose_k=["choose_k", "ChoiceOfClusters"],
    spectral_clustering=["SpectralClustering"],
)

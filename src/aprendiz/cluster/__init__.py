"""Groups of rows."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    agglomerative_clustering=["AgglomerativeClustering"],
    expectation_maximisation=["EMResult", "em"],
    fuzzy_c_means=["FuzzyCMeans"],
    gaussian_mixture=["GaussianMixture"],
    mixture_model=["MixtureModel"],
    farthest_first_hierarchy=["FarthestFirstHierarchy"],
    k_centers=["KCenters"],
    k_medoids=["KMedoids"],
    kmeans=["KMeans"],
    mini_batch_kmeans=["MiniBatchKMeans"],
    sampled_k_medoids=["SampledKMedoids"],
    risks=["within_cluster_risk"],
    stability=["cluster_stability", "ClusterStability"],
    choice_of_clusters=["choose_k", "ChoiceOfClusters"],
    spectral_clustering=["SpectralClustering"],
)

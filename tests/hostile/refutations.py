"""Attempts to refute certificates: hostile tables, and what is claimed checked in rational or 60-digit arithmetic.

A refutation fits a learner to the table of a seed and returns whether its certificate holds. It raises `RefutedError` where the
certificate claims what is not so. `python -m hostile.refutations 100`, in `tests`, tries a hundred seeds of each (names may
follow), and prints how many certificates held.
"""

import sys
import warnings
from collections import Counter

import numpy as np

from . import (
    refute_boosting,
    refute_calibration,
    refute_clusters,
    refute_columns,
    refute_completion,
    refute_components,
    refute_conformal,
    refute_curves,
    refute_cuts,
    refute_dependence,
    refute_embedded,
    refute_embeddings,
    refute_ensembles,
    refute_features,
    refute_filters,
    refute_gram,
    refute_kernel_machines,
    refute_layers,
    refute_linear,
    refute_networks,
    refute_nmf,
    refute_paths,
    refute_planes,
    refute_queries,
    refute_rankings,
    refute_statistics,
    refute_structures,
    refute_svd,
    refute_tsne,
    refute_wrappers,
)
from .checks import RefutedError

REFUTATIONS = {
    refutation.__name__: refutation
    for refutation in (
        *(refute_linear.least_squares, refute_linear.near_duplicates, refute_linear.many_rows, refute_linear.ridge_cv),
        *(refute_linear.rounding_adds_up, refute_linear.lasso, refute_linear.stochastic, refute_linear.delta_rule),
        *(refute_linear.perceptron, refute_linear.stochastic_classes, refute_linear.logistic),
        *(refute_curves.curve_fit, refute_curves.linear_discriminant, refute_paths.sparse_cv, refute_paths.logistic_cv),
        *(refute_statistics.standard_scaler, refute_statistics.gaussian_nb),
        *(refute_statistics.nearest_centroid, refute_statistics.min_max, refute_statistics.robust_scaler),
        *(refute_statistics.basis_expansion, refute_statistics.pca, refute_statistics.discriminants),
        *(refute_statistics.linear_machine, refute_statistics.fisher, refute_statistics.counts, refute_statistics.stoller),
        *(refute_statistics.hyperplane, refute_columns.naive_bayes, refute_columns.imputer, refute_columns.outliers),
        *(refute_embedded.importances, refute_embedded.stable_columns, refute_embedded.copies_that_win),
        *(refute_ensembles.trees, refute_ensembles.forests, refute_ensembles.ada_boost, refute_ensembles.ada_boost_regressor),
        refute_boosting.boosted_trees,
        *(refute_clusters.neighbours, refute_clusters.linkage, refute_clusters.k_medoids, refute_clusters.k_centers),
        *(refute_clusters.k_means, refute_clusters.fuzzy_c_means, refute_clusters.gaussian_mixture, refute_clusters.spectral),
        *(refute_clusters.mini_batch, refute_clusters.sampled_medoids, refute_clusters.farthest_first),
        refute_clusters.mixture_model,
        *(refute_features.kernel_k_means, refute_features.nystroem, refute_features.rbf_sampler),
        *(refute_gram.kernel_ridge, refute_gram.kernel_pca, refute_gram.no_diagonal),
        *(refute_kernel_machines.support_vector_classifier, refute_kernel_machines.support_vector_regressor),
        *(refute_kernel_machines.shares, refute_layers.layers),
        *(refute_components.principal_routes, refute_components.few_components, refute_components.likelihood_of_known_cells),
        *(refute_embeddings.classical_scaling, refute_embeddings.smacof, refute_embeddings.isomap),
        *(refute_embeddings.spectral_embedding, refute_embeddings.locally_linear),
        *(refute_planes.linear_classes, refute_planes.linear_numbers),
        *(refute_nmf.non_negative_factors, refute_nmf.batches_of_rows, refute_nmf.divergences),
        *(refute_svd.truncated_svd, refute_svd.random_projection),
        *(refute_networks.network_tables, refute_networks.network_ascent, refute_queries.queries),
        refute_completion.soft_impute,
        *(refute_cuts.description_length, refute_cuts.tables_of_classes),
        refute_structures.local_maximum,
        refute_tsne.map_at_rest,
        *(refute_filters.greedy, refute_filters.near_rows, refute_rankings.columns_in_order),
        *(refute_rankings.few_false_findings, refute_rankings.varying_columns),
        *(refute_dependence.chow_liu, refute_dependence.tree_augmented, refute_dependence.pc_stable),
        *(refute_wrappers.searches, refute_wrappers.eliminations),
        *(refute_calibration.platt_sigmoid, refute_calibration.isotonic, refute_calibration.temperature),
        refute_conformal.intervals,
    )
}
SAME_SEARCH = "neighbours", "the rows are kept and searched as those of NearestNeighbors, and the same lines certify it"
SAME_SCORES = "columns_in_order", "the same lines score the columns and certify the choice, or those of SelectFdr"
OF_MEMBERS = "it has no claim but that of the learner inside, or that all of them hold"
COVERED = {  # learners that no refutation names, by the one that covers them, and why
    "KNeighborsClassifier": SAME_SEARCH,
    "KNeighborsRegressor": SAME_SEARCH,
    "KNNDensity": SAME_SEARCH,
    "RadiusNeighborsClassifier": SAME_SEARCH,
    "RadiusNeighborsRegressor": SAME_SEARCH,
    "KernelRidgeCV": ("kernel_ridge", "the same lines solve its system and certify it"),
    "Lasso": ("lasso", "it is ElasticNet with l1_ratio=1, which half of the seeds have"),
    "NearestShrunkenCentroids": ("nearest_centroid", "`digits_kept` certifies the same sums for both"),
    "BayesDecisionClassifier": ("gaussian_nb", OF_MEMBERS),
    "SoftImputeCV": ("soft_impute", "the same lines fit all known cells and certify it"),
    "SelectKBest": SAME_SCORES,
    "SelectPercentile": SAME_SCORES,
    "GenericUnivariateSelect": SAME_SCORES,
    "OneVsRestClassifier": ("least_squares", OF_MEMBERS),
    "OneVsOneClassifier": ("least_squares", OF_MEMBERS),
    "ConformalClassifier": ("intervals", "the same lines divide the rows and certify it"),
    "TwoStageSelection": ("importances", OF_MEMBERS),
}
SLOW = {"many_rows", "logistic", "logistic_cv"}  # a tenth of the seeds


def attempt(name, seed):
    """Whether the certificate holds; None if the table was refused."""
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        try:
            return REFUTATIONS[name](seed)
        except (ValueError, TypeError):
            return None


def main(number, names):
    """Try them, and say what happened."""
    broken = 0
    for name in names or REFUTATIONS:
        count, failed = Counter(), []
        for seed in range(number // 10 if name in SLOW else number):
            try:
                count[attempt(name, seed)] += 1
            except RefutedError as error:
                failed.append(f"    seed {seed}: {error}")
        broken += len(failed)
        print(f"{name}: {count[True]} hold, {count[False]} do not, {count[None]} refused, {len(failed)} refuted")
        print("\n".join(failed[:5]), end="\n" if failed else "", flush=True)
    return broken


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), sys.argv[2:])))

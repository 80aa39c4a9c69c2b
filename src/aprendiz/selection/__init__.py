"""Selection of columns: scores of single columns, information, wrappers, embedded methods, and the trust in a choice."""

from aprendiz.core.lazy import contents

__all__, __getattr__, __dir__ = contents(
    __name__,
    f_classif=["f_classif"],
    f_regression=["f_regression"],
    r_regression=["r_regression"],
    chi2=["chi2"],
    kruskal=["kruskal"],
    select_k_best=["SelectKBest"],
    select_percentile=["SelectPercentile"],
    select_fdr=["SelectFdr"],
    select_fpr=["SelectFpr"],
    select_fwe=["SelectFwe"],
    generic_univariate_select=["GenericUnivariateSelect"],
    variance_threshold=["VarianceThreshold"],
    cmim=["CMIM"],
    disr=["DISR"],
    jmi=["JMI"],
    mrmr=["MRMR"],
    mutual_info_classif=["mutual_info_classif"],
    mutual_info_regression=["mutual_info_regression"],
    mutual_information=["MutualInformation", "mutual_information"],
    relief_f=["ReliefF"],
    sequential_feature_selector=["SequentialFeatureSelector"],
    sequential_selection=["SequentialSelection"],
    rfe=["RFE"],
    rfecv=["RFECV"],
    recursive_elimination=["RecursiveElimination"],
    genetic_selection=["GeneticSelection"],
    annealing_selection=["AnnealingSelection"],
)

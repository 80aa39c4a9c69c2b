"""Faults that are known and wait to be mended, by reason, case and learners. One that no longer happens makes its test fail.

KNOWN[learner, case] → reason      the case is run, and must still fail
NOT_RUN[case] → reason             the case is run for no learner: it would end the process, or not end, or fail by chance
"""

EVERY_CASE = {
    "NumPy's message about lists of unequal length": {
        ("y: lists of unequal length",): (
            "AdaBoostClassifier AdaBoostRegressor BaggingClassifier BaggingRegressor BernoulliNB C45 CART "
            "CategoricalNB ClassSwitchingClassifier ComplementNB CurveFit DecisionTreeClassifier DecisionTreeRegressor "
            "DeltaRule DiagonalDiscriminantAnalysis ERMHyperplane ElasticNet ElasticNetCV ExtraTreesClassifier "
            "ExtraTreesRegressor FisherDiscriminant GaussianNB ID3 KNeighborsClassifier KNeighborsRegressor Lasso "
            "LassoCV LeastSquaresClassifier LinearDiscriminant LinearDiscriminantAnalysis LinearMachine "
            "LinearRegression LogisticRegression LogisticRegressionCV MultinomialNB NaiveBayes NearestCentroid "
            "NearestMean NearestShrunkenCentroids Perceptron QuadraticDiscriminantAnalysis RadiusNeighborsClassifier "
            "RadiusNeighborsRegressor RandomForestClassifier RandomForestRegressor RegularizedDiscriminantAnalysis "
            "Ridge RidgeCV SGDClassifier SGDRegressor StollerCut"
        ),
    },
    "the mask is ignored where data come in": {
        ("y: masked",): (
            "AdaBoostClassifier AdaBoostRegressor BaggingClassifier BaggingRegressor BernoulliNB C45 CART "
            "CategoricalNB ClassSwitchingClassifier ComplementNB CurveFit DecisionTreeClassifier DecisionTreeRegressor "
            "DeltaRule DiagonalDiscriminantAnalysis ERMHyperplane ElasticNet ElasticNetCV ExtraTreesClassifier "
            "ExtraTreesRegressor FisherDiscriminant GaussianNB ID3 KNeighborsClassifier KNeighborsRegressor Lasso "
            "LassoCV LeastSquaresClassifier LinearDiscriminant LinearDiscriminantAnalysis LinearMachine "
            "LinearRegression LogisticRegression LogisticRegressionCV MultinomialNB NaiveBayes NearestCentroid "
            "NearestMean NearestShrunkenCentroids Perceptron QuadraticDiscriminantAnalysis RadiusNeighborsClassifier "
            "RadiusNeighborsRegressor RandomForestClassifier RandomForestRegressor RegularizedDiscriminantAnalysis "
            "Ridge RidgeCV SGDClassifier SGDRegressor StollerCut"
        ),
        ("w: masked",): (
            "AdaBoostClassifier AdaBoostRegressor BaggingClassifier BaggingRegressor BasisExpansion BernoulliNB C45 "
            "CART CategoricalNB ClassSwitchingClassifier ComplementNB CurveFit DecisionTreeClassifier "
            "DecisionTreeRegressor DeltaRule DiagonalDiscriminantAnalysis ERMHyperplane ElasticNet ElasticNetCV "
            "ExtraTreesClassifier ExtraTreesRegressor FisherDiscriminant FuzzyCMeans GaussianMixture GaussianNB ID3 "
            "KCenters KMeans KMedoids Lasso LassoCV LeastSquaresClassifier LinearDiscriminant "
            "LinearDiscriminantAnalysis LinearMachine LinearRegression LogisticRegression LogisticRegressionCV "
            "MinMaxScaler MiniBatchKMeans MixtureModel MultinomialNB NaiveBayes NearestCentroid NearestMean "
            "NearestShrunkenCentroids PCA Perceptron QuadraticDiscriminantAnalysis RandomForestClassifier "
            "RandomForestRegressor RegularizedDiscriminantAnalysis Ridge RidgeCV RobustScaler SGDClassifier "
            "SGDRegressor SampledKMedoids SimpleImputer StandardScaler StollerCut"
        ),
        ("masked",): (
            "AgglomerativeClustering BasisExpansion BernoulliNB ComplementNB CurveFit DeltaRule "
            "DiagonalDiscriminantAnalysis ERMHyperplane ElasticNet ElasticNetCV FarthestFirstHierarchy "
            "FisherDiscriminant FuzzyCMeans KCenters KMeans KMedoids KNNDensity KNeighborsClassifier "
            "KNeighborsRegressor Lasso LassoCV LeastSquaresClassifier LinearDiscriminant LinearDiscriminantAnalysis "
            "LinearMachine LinearRegression LogisticRegression LogisticRegressionCV MiniBatchKMeans MultinomialNB "
            "NearestCentroid NearestMean NearestNeighbors NearestShrunkenCentroids PCA Perceptron "
            "QuadraticDiscriminantAnalysis RadiusNeighborsClassifier RadiusNeighborsRegressor "
            "RegularizedDiscriminantAnalysis Ridge RidgeCV SGDClassifier SGDRegressor SampledKMedoids "
            "SpectralClustering StollerCut"
        ),
        ("nothing masked",): ("LogisticRegressionCV"),
        ("new masked",): (
            "BasisExpansion BernoulliNB ComplementNB CurveFit DeltaRule DiagonalDiscriminantAnalysis ERMHyperplane "
            "ElasticNet ElasticNetCV FisherDiscriminant FuzzyCMeans KCenters KMeans KMedoids KNNDensity "
            "KNeighborsClassifier KNeighborsRegressor Lasso LassoCV LeastSquaresClassifier LinearDiscriminant "
            "LinearDiscriminantAnalysis LinearMachine LinearRegression LogisticRegression LogisticRegressionCV "
            "MiniBatchKMeans MixtureModel MultinomialNB NearestCentroid NearestMean NearestNeighbors "
            "NearestShrunkenCentroids PCA Perceptron QuadraticDiscriminantAnalysis RadiusNeighborsRegressor "
            "RegularizedDiscriminantAnalysis Ridge RidgeCV SGDClassifier SGDRegressor SampledKMedoids StollerCut"
        ),
    },
    "OverflowError where data come in": {
        ("y: too large a whole number",): (
            "AdaBoostRegressor BaggingRegressor CurveFit DecisionTreeRegressor ElasticNet ElasticNetCV "
            "ExtraTreesRegressor KNeighborsRegressor Lasso LassoCV LinearRegression RadiusNeighborsRegressor "
            "RandomForestRegressor Ridge RidgeCV SGDRegressor"
        ),
    },
    "sums or squares of targets leave the range of numbers": {
        ("y × 1.7e+308",): (
            "AdaBoostRegressor BaggingRegressor DecisionTreeRegressor ExtraTreesRegressor KNeighborsRegressor "
            "RadiusNeighborsRegressor RandomForestRegressor SGDRegressor"
        ),
        (
            "y × 1e+155",
            "y × 1e+300",
            "y with 1e300",
        ): ("CurveFit LinearRegression SGDRegressor"),
    },
    "sums or squares of weights leave the range of numbers": {
        ("w × 5e+307",): (
            "AdaBoostClassifier AdaBoostRegressor BaggingClassifier BaggingRegressor C45 CART CategoricalNB "
            "ClassSwitchingClassifier CurveFit DecisionTreeClassifier DecisionTreeRegressor DeltaRule ERMHyperplane "
            "ExtraTreesClassifier ExtraTreesRegressor ID3 KCenters LeastSquaresClassifier LinearDiscriminant "
            "LinearRegression Perceptron RandomForestClassifier RandomForestRegressor RobustScaler SGDRegressor "
            "SimpleImputer StollerCut"
        ),
        (
            "w × 1e+155",
            "w × 1e+300",
            "w far apart",
        ): (
            "CART ClassSwitchingClassifier DiagonalDiscriminantAnalysis ExtraTreesClassifier ExtraTreesRegressor "
            "FisherDiscriminant FuzzyCMeans GaussianMixture GaussianNB KMeans MiniBatchKMeans MixtureModel NaiveBayes "
            "NearestCentroid NearestMean NearestShrunkenCentroids SGDClassifier SGDRegressor StandardScaler"
        ),
        ("w × 1e-310",): ("ElasticNetCV FisherDiscriminant LassoCV"),
        ("w × 1e-165",): ("FisherDiscriminant"),
    },
    "SciPy orders and adds the user's own entries": {
        ("sparse with entries twice",): ("Perceptron SGDClassifier SGDRegressor SpectralClustering"),
        ("sparse in disorder",): ("Perceptron SGDClassifier SGDRegressor"),
    },
    "a parameter at the end of the numbers is taken, and the arithmetic leaves their range": {
        ("alpha: 1e308",): ("BernoulliNB CategoricalNB ComplementNB MultinomialNB SGDClassifier"),
        ("rate: inf",): ("DeltaRule"),
        (
            "eps: 1e308",
            "eps: inf",
        ): ("ElasticNetCV LassoCV"),
        (
            "variance: 5e-324",
            "reg_covar: inf",
            "variance: inf",
        ): ("GaussianMixture"),
        ("var_smoothing: 1e308",): ("GaussianNB NaiveBayes"),
        ("slope: 1e308",): ("LinearDiscriminant"),
        ("tol: 1e308",): ("LinearDiscriminantAnalysis"),
        ("C: 5e-324",): ("LogisticRegression"),
        ("reassignment_ratio: 1e308",): ("MiniBatchKMeans"),
        ("offset: inf",): ("NearestShrunkenCentroids"),
        (
            "eta0: 1e308",
            "eta0: inf",
        ): ("Perceptron"),
        ("tol: inf",): ("Perceptron SGDClassifier SGDRegressor"),
        ("alpha: 5e-324",): ("SGDClassifier SGDRegressor"),
        ("alpha: inf",): ("SGDClassifier"),
    },
    "score_samples inverts a covariance that has no inverse": {
        (
            "one row",
            "two rows",
            "rows all equal",
            "more columns than rows",
            "all × 2^-530",
            "all × 2^-1060",
            "a column × 2^-530",
            "a column × 2^-1060",
            "a cell of 1e+16",
            "a constant column",
            "a constant column far away",
            "a column that hardly differs",
            "a column that hardly differs far away",
            "a column of denormals",
            "w of two rows",
        ): ("PCA"),
    },
    "differences, quotients or squares of cells leave the range of numbers": {
        ("a cell of 1.7e+308",): ("ComplementNB"),
        ("all × 2^-1060",): (
            "CurveFit ERMHyperplane FisherDiscriminant LeastSquaresClassifier LinearDiscriminant LinearRegression MinMaxScaler"
        ),
        (
            "a column × 2^-1060",
            "a column of denormals",
        ): ("CurveFit ERMHyperplane LeastSquaresClassifier LinearDiscriminant LinearRegression MinMaxScaler"),
        ("all × 2^-530",): ("DiagonalDiscriminantAnalysis GaussianNB LassoCV NearestMean SGDRegressor"),
        ("a column × 2^-530",): ("DiagonalDiscriminantAnalysis"),
        ("a column of two numbers far apart",): ("ERMHyperplane MinMaxScaler RobustScaler"),
    },
    "folds whose rows have no weight": {
        ("w of two rows",): ("ElasticNetCV LassoCV"),
    },
}
KNOWN: dict[tuple[str, str], str] = {
    (learner, case): reason
    for reason, groups in EVERY_CASE.items()
    for cases, learners in groups.items()
    for case in cases
    for learner in learners.split()
}

NOT_RUN: dict[str, str] = {
    "p: 1e308": "the largest sum within a radius is looked for step by step (neighbors/search/metrics.py)",
    **dict.fromkeys(
        ("Ctrl-C", "Ctrl-C, file", "no memory"),
        "fitted attributes are set one after the other, and an exception may come between",
    ),
    **dict.fromkeys(
        ("a whole number beyond 64 bits", "a whole number beyond 64 bits, below 0", "a whole number beyond doubles"),
        "taken for a count, and counted to: core/parameters.py must refuse it",
    ),
    **dict.fromkeys(
        (
            *("sparse index too large", "sparse index below 0", "sparse pointers too large", "sparse pointers below 0"),
            "new sparse index too large",
        ),
        "kernels follow the indices out of their arrays: the door must look at them",
    ),
}

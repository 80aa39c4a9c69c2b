"""What the tests of pictures share: one drawing of each kind, and a look at its words and its frame."""

from dataclasses import replace
from functools import cached_property

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.text import Text
from random_trees import SCHEMA, from_scikit_learn, random_labelled
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from aprendiz import (
    NMF,
    PCA,
    AgglomerativeClustering,
    ClassicalMDS,
    FarthestFirstHierarchy,
    GaussianMixture,
    GaussianRandomProjection,
    KMeans,
    LassoCV,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    LinearMachine,
    LinearRegression,
    MLPClassifier,
    NearestMean,
    NearestShrunkenCentroids,
    OneVsOneClassifier,
    OneVsRestClassifier,
    Perceptron,
    QuadraticDiscriminantAnalysis,
    RandomForestClassifier,
    SoftImputeCV,
    SpectralClustering,
    choose_k,
    choose_n_neighbors,
    ensemble_curve,
    influence,
)
from aprendiz.bayes import HypothesisSpace
from aprendiz.bayes.decision.risk_coverage import RiskCoverage
from aprendiz.bayes.distributions import Beta, Categorical, MultivariateGaussian
from aprendiz.core.columns import Columns
from aprendiz.evaluation import (
    KFolds,
    bias_variance,
    calibration,
    compare,
    compare_over_tables,
    confusion,
    cost_curve,
    criteria,
    describe,
    det_curve,
    learning_curve,
    lift,
    normality,
    permutation_importance,
    precision_recall,
    roc,
    selection_bias,
    shap_values,
    theory,
    validation_curve,
)
from aprendiz.graphical import BayesianNetwork, cpdag
from aprendiz.kernel import SVC, SVR, OneClassSVM
from aprendiz.kernel.kernels import RBF, Linear
from aprendiz.linear import descend
from aprendiz.neural import Graph
from aprendiz.plots import (
    ActivationsDisplay,
    AmbiguousRegionsDisplay,
    BiasVarianceDisplay,
    BiplotDisplay,
    CalibrationDisplay,
    ChosenColumnsDisplay,
    CoefficientPathDisplay,
    CoefficientsDisplay,
    CompletionErrorDisplay,
    ConfusionDisplay,
    CostCurveDisplay,
    DecisionAreasDisplay,
    DendrogramDisplay,
    DescentPathDisplay,
    DetCurveDisplay,
    DistortionDisplay,
    DistributionDisplay,
    EllipseDisplay,
    EmbeddingDisplay,
    EnsembleCurveDisplay,
    EpochsDisplay,
    ErrorCurveDisplay,
    EvidenceDisplay,
    ExplainedVarianceDisplay,
    FarthestFirstDisplay,
    GramDisplay,
    GraphCutDisplay,
    HypothesesDisplay,
    ImportanceDisplay,
    ImpurityDisplay,
    InfluenceDisplay,
    IntervalsDisplay,
    KernelSurfacesDisplay,
    KMeansStepsDisplay,
    LayersDisplay,
    LearningCurveDisplay,
    LiftDisplay,
    LiftedCircleDisplay,
    MarginDisplay,
    MixtureDisplay,
    NetworkDisplay,
    NeuronsDisplay,
    OneClassDisplay,
    PartialDependenceDisplay,
    PartitionDisplay,
    PartsDisplay,
    PenaltyDisplay,
    PosteriorDisplay,
    PrecisionRecallDisplay,
    PruningDisplay,
    QuantileDisplay,
    RankingDisplay,
    RegionsDisplay,
    RelevanceDisplay,
    ResidualsDisplay,
    RiskCoverageDisplay,
    RocDisplay,
    RowsDisplay,
    ScoreDistributionDisplay,
    ScoreGridDisplay,
    SelectionBiasDisplay,
    ShepardDisplay,
    ShrunkenCentroidsDisplay,
    SilhouetteDisplay,
    SplitsDisplay,
    StabilityPathsDisplay,
    SubsetSizeDisplay,
    ThresholdCurveDisplay,
    TrainingCurveDisplay,
    TreeDisplay,
    TubeDisplay,
    ValidationCurveDisplay,
    VoronoiDisplay,
)
from aprendiz.selection import RFECV, VariableRanking, relevance
from aprendiz.tree.pruning.cross_validated import PruningErrors

DEGREES = np.arange(1.0, 11.0)
U_SHAPE = 0.2 + (DEGREES[:, None] - 4) ** 2 / 60 + np.array([0.0, 0.05, -0.02])
RING = np.array(
    [[0, 5, 4, 1, 0, 0], [5, 0, 3, 0, 0, 0], [4, 3, 0, 0, 0, 1], [1, 0, 0, 0, 5, 4], [0, 0, 0, 5, 0, 3], [0, 0, 1, 4, 3, 0]]
)
RNG = np.random.default_rng(2)
Y = RNG.integers(0, 2, size=200)
SCORE = Y + RNG.normal(size=200)
CURVE = roc(Y, SCORE)
TABLE = confusion(Y, SCORE >= 0.5)
POINTS = [CURVE.for_fpr(0.05), CURVE.for_fnr(0.05), CURVE.equal_error(), CURVE.cheapest(cost_fp=1, cost_fn=5)]
TARGET, GUESS = RNG.normal(size=40), RNG.normal(size=40)
PROBABILITY = 1 / (1 + np.exp(-SCORE))
X = RNG.normal(size=(60, 5)) + np.arange(60)[:, None] % 3
CLASSES = np.array(["one", "two", "three"])[np.arange(60) % 3]
SLOPES = RNG.normal(size=40)
HEAVY = X.sum(axis=1) + RNG.standard_t(2, size=60)
BENDS = [np.array([1.0, 6.0, 2.0])[:d] for d in (1, 2, 3)]
SETS = {"one": set(range(1, 41)), "two": {2, 4, 8, 16, 32}, "three": {3, 6, 9}}
SPACE = HypothesisSpace(SETS)
DOUBT = RiskCoverage.of(np.abs(SCORE) / 9, (np.abs(SCORE) > 1.0).astype(float), np.ones(200))
LINES = [MultivariateGaussian([0.0], [[1.0]]), MultivariateGaussian([3.0], [[2.0]])]
PRICES = np.array([0.0, 0.01, 0.02, 0.05, 0.2])
BY_PRICE = (PRICES, np.append(np.sqrt(PRICES[:-1] * PRICES[1:]), np.inf), np.array([40, 12, 5, 2, 1]))
PRUNED = PruningErrors(*BY_PRICE, np.array([0.3, 0.2, 0.21, 0.3, 0.6]), np.full(5, 0.02), best=1, chosen=2, rule="1se")
SHORT_NAMES = Columns(tuple(replace(c, name=f"x{j}", levels=tuple(range(len(c.levels)))) for j, c in enumerate(SCHEMA)))
MANY_WAYS = random_labelled(3, depth=2, missing="own", classes=("one", "two", "three"), schema=SHORT_NAMES)


OVER_TABLES = np.random.default_rng(5).normal([0.8, 0.82, 0.7], 0.02, (12, 3))
RANKED = compare_over_tables(OVER_TABLES, names=["one", "two", "three"], metric="accuracy")
BY_FOLD = dict(zip(["one", "two", "three"], OVER_TABLES.T, strict=True))
TWO = CLASSES != "three"
WIDE = np.column_stack([X, np.random.default_rng(3).normal(size=(60, 30))])
STRENGTHS = np.geomspace(1.0, 0.01, 20)
RISING = 1.0 / (1.0 + (STRENGTHS * np.array([2.0, 5.0, 20.0, 80.0, 100.0])[:, None]) ** 2)

ARROWS = {"one": [], "two": ["one"], "three": ["one", "two"], "x1": ["three"], "x2": [], "x3": ["x1", "one"]}
KNOWN = BayesianNetwork.from_tables(
    {"one": [0.25, 0.75], "two": [[0.5, 0.5], [1.0, 0.0]], "three": np.full((2, 2, 14), 1 / 14)},
    parents={name: ARROWS[name] for name in ("one", "two", "three")},
    levels={"one": ["x1", "x2"], "two": ["x1", "x2"], "three": [f"x{k}" for k in range(14)]},
)


class Fitted:
    """What some pictures show of a fitted model, each made when a test first asks for it."""

    @cached_property
    def growth(self):
        return learning_curve(GaussianNB(), X, CLASSES, protocol=KFolds(3), shares=(0.2, 1.0))

    @cached_property
    def completion(self):
        return SoftImputeCV(biases="columns", random_state=0).fit(X)

    @cached_property
    def bounded_completion(self):
        return SoftImputeCV(max_ranks=[1, 2, 4], random_state=0).fit(X)

    @cached_property
    def depths(self):
        return validation_curve(
            DecisionTreeClassifier(random_state=0), X, CLASSES, protocol=KFolds(3), parameter="max_depth", values=(1, 2, 4)
        )

    @cached_property
    def parts_of_errors(self):
        return {
            name: bias_variance(DecisionTreeRegressor(max_depth=depth, random_state=0), X, HEAVY, replicates=10)
            for name, depth in (("one", 1), ("two", 5))
        }

    @cached_property
    def chosen(self):
        return LassoCV(alphas=20, cv=3).fit(X, X[:, 0] + SCORE[:60])

    @cached_property
    def steps(self):
        return [Perceptron(tol=None, eta0=rate).fit(X, X[:, 0] > 0) for rate in (1.0, 2.0)]

    @cached_property
    def machine(self):
        return LinearMachine().fit(X, CLASSES)

    @cached_property
    def normal(self):
        return GaussianNB().fit(X, CLASSES)

    @cached_property
    def reductions(self):
        return [kind(LeastSquaresClassifier()).fit(X, CLASSES) for kind in (OneVsRestClassifier, OneVsOneClassifier)]

    @cached_property
    def pull(self):
        return influence(LinearRegression().fit(X, HEAVY), X, HEAVY)

    @cached_property
    def ways(self):
        return [
            descend(lambda w, b=b: w @ (b * w) / 2, lambda w, b=b: b * w, [5.0, 2.0, 1.0][: len(b)], rate=0.25) for b in BENDS
        ]

    @cached_property
    def joint(self):
        return DecisionAreasDisplay([norm(0, 1), norm(2, 1)], names=["one", "two"])

    @cached_property
    def shrunken(self):
        return NearestShrunkenCentroids("cv", n_thresholds=12, cv=4).fit(X, CLASSES)

    @cached_property
    def layers(self):
        return MLPClassifier((4, 3), solver="lbfgs", tol=0.1, random_state=0).fit(X[TWO][:, :2], CLASSES[TWO])

    @cached_property
    def plane(self):
        return from_scikit_learn(DecisionTreeClassifier(max_leaf_nodes=5, random_state=0).fit(X[:, :2], CLASSES))

    @cached_property
    def steps_down(self):
        return from_scikit_learn(DecisionTreeRegressor(max_leaf_nodes=5, random_state=0).fit(X[:, :2], HEAVY))

    @cached_property
    def forest(self):
        return RandomForestClassifier(40, random_state=0).fit(X, CLASSES)

    @cached_property
    def added(self):
        table = pd.DataFrame({"x0": X[:, 0], "x1": np.where(X[:, 1] > 0, "three", "two"), "x2": X[:, 2], "x3": X[:, 3]})
        table.loc[::9, "x0"] = np.nan
        return shap_values(RandomForestClassifier(10, random_state=0).fit(table, CLASSES), table)

    @cached_property
    def grown(self):
        return ensemble_curve(self.forest, X_test=X[::2], y_test=CLASSES[::2])

    @cached_property
    def cut(self):
        return SpectralClustering(4, gamma=0.2, random_state=0).fit(X)

    @cached_property
    def scaled(self):
        return ClassicalMDS().fit(X)

    @cached_property
    def joined(self):
        return AgglomerativeClustering(3).fit(X)

    @cached_property
    def centres(self):
        return KMeans(5, random_state=0).fit(X[:, :2])

    @cached_property
    def said(self):
        model = LeastSquaresClassifier().fit(X, CLASSES)
        return theory(model, X[:50], CLASSES[:50], training=(X, CLASSES))

    @cached_property
    def criteria(self):
        kinds = {"one": QuadraticDiscriminantAnalysis(), "two": LinearDiscriminantAnalysis(), "three": NearestMean()}
        return criteria.table({name: model.fit(X, CLASSES) for name, model in kinds.items()}, X, CLASSES)

    @cached_property
    def between_two(self):
        return SVC(kernel="linear").fit(X[TWO][:, :2], CLASSES[TWO])

    @cached_property
    def tube(self):
        return SVR(C=10.0, epsilon=0.5).fit(X[:, :1], X[:, 1])

    @cached_property
    def region(self):
        return OneClassSVM(nu=0.2, gamma=0.5).fit(X[:, :2])

    @cached_property
    def clusters(self):
        return choose_k(X[:, :2], range(1, 7), n_references=3, random_state=0)

    @cached_property
    def ranked(self):
        return VariableRanking(keep=("fdr", 0.05)).fit(WIDE, CLASSES)

    @cached_property
    def fewer(self):
        return RFECV(LinearDiscriminantAnalysis(), cv=3).fit(X, CLASSES)

    @cached_property
    def known(self):
        return relevance(WIDE, CLASSES)

    @cached_property
    def trap(self):
        learner = make_pipeline(VariableRanking(keep=5), NearestMean())
        return selection_bias(
            learner, np.random.default_rng(4).normal(size=(40, 300)), np.arange(40) % 2, protocol=KFolds(4), permutations=5
        )


FITTED = Fitted()

drawings = {
    "confusion": lambda ax=None: ConfusionDisplay(TABLE).plot(ax),
    "roc": lambda ax=None: RocDisplay(CURVE).plot(ax, points=POINTS),
    "scores": lambda ax=None: ScoreDistributionDisplay(CURVE).plot(ax, point=POINTS[0]),
    "residuals": lambda ax=None: ResidualsDisplay(TARGET, GUESS).plot(ax),
    "residuals against a column": lambda ax=None: ResidualsDisplay(TARGET, GUESS, against=TARGET**2).plot(ax),
    "intervals": lambda ax=None: IntervalsDisplay(TARGET, GUESS, np.c_[GUESS - 1, GUESS + 1]).plot(ax),
    "infinite intervals": lambda ax=None: IntervalsDisplay(TARGET, GUESS, np.tile([-np.inf, np.inf], (40, 1))).plot(ax),
    "quantiles": lambda ax=None: QuantileDisplay(FITTED.pull.standardised).plot(ax),
    "influence": lambda ax=None: InfluenceDisplay(FITTED.pull).plot(ax),
    "precision": lambda ax=None: PrecisionRecallDisplay(precision_recall(Y, SCORE)).plot(ax),
    "calibration": lambda ax=None: CalibrationDisplay(calibration(Y, PROBABILITY)).plot(ax),
    "lift": lambda ax=None: LiftDisplay(lift(Y, SCORE)).plot(ax),
    "costs": lambda ax=None: CostCurveDisplay(cost_curve(Y, SCORE)).plot(ax),
    "det": lambda ax=None: DetCurveDisplay(det_curve(Y, SCORE)).plot(ax),
    "growth": lambda ax=None: LearningCurveDisplay(FITTED.growth).plot(ax),
    "depths": lambda ax=None: ValidationCurveDisplay(FITTED.depths).plot(ax),
    "parts of errors": lambda ax=None: BiasVarianceDisplay(FITTED.parts_of_errors).plot(ax),
    "ranking": lambda ax=None: RankingDisplay.from_estimator(FITTED.ranked, most=8, ax=ax),
    "number of columns": lambda ax=None: SubsetSizeDisplay.from_estimator(FITTED.fewer, ax=ax),
    "stability paths": lambda ax=None: StabilityPathsDisplay(STRENGTHS, RISING, threshold=0.6).plot(ax),
    "chosen columns": lambda ax=None: ChosenColumnsDisplay({"x0": 4, "x1": 3, "x7": 1}, 4).plot(ax),
    "selection bias": lambda ax=None: SelectionBiasDisplay(FITTED.trap).plot(ax),
    "relevance": lambda ax=None: RelevanceDisplay(FITTED.known).plot(ax),
    "errors": lambda ax=None: ErrorCurveDisplay(DEGREES, {"one": 1 / DEGREES, "two": U_SHAPE}).plot(ax),
    "folds": lambda ax=None: SplitsDisplay.from_protocol(KFolds(4), CLASSES, ax=ax),
    "bags": lambda ax=None: SplitsDisplay.bootstrap(40, 6, random_state=0, ax=ax),
    "rows": lambda ax=None: RowsDisplay(X, CLASSES).plot(ax),
    "rows by number": lambda ax=None: RowsDisplay(X, X[:, 0]).plot(ax, name="height"),
    "coefficients": lambda ax=None: CoefficientsDisplay(SLOPES).plot(ax),
    "several": lambda ax=None: CoefficientsDisplay(SLOPES.reshape(4, 10), towards=["a", "b", "c", "d"]).plot(ax),
    "path": lambda ax=None: CoefficientPathDisplay([2.0, 1.0], np.outer(SLOPES[:12], [0.0, 1.0])).plot(ax, against="budget"),
    "path and errors": lambda ax=None: CoefficientPathDisplay.from_estimator(FITTED.chosen, X, X[:, 0] + SCORE[:60], ax=ax),
    "penalty": lambda ax=None: PenaltyDisplay().plot(ax),
    "training": lambda ax=None: TrainingCurveDisplay.from_estimators(*FITTED.steps, names=["one", "two"], ax=ax),
    "training by updates": lambda ax=None: TrainingCurveDisplay.from_estimators(FITTED.steps[0], against="updates", ax=ax),
    "descent along a curve": lambda ax=None: DescentPathDisplay(FITTED.ways[0]).plot(ax),
    "descents on a plane": lambda ax=None: DescentPathDisplay({"one": FITTED.ways[1], "two": FITTED.ways[1]}).plot(ax),
    "descents of many": lambda ax=None: DescentPathDisplay({"one": FITTED.ways[2], "two": FITTED.ways[2]}).plot(ax),
    "regions": lambda ax=None: RegionsDisplay(FITTED.machine, X, CLASSES).plot(ax),
    "posterior": lambda ax=None: PosteriorDisplay(FITTED.normal, X, CLASSES, reject_below=0.7).plot(ax, name="one"),
    "posterior of a class": lambda ax=None: PosteriorDisplay(FITTED.normal, X, CLASSES, label="two").plot(ax),
    "densities": lambda ax=None: DistributionDisplay({"one": Beta(2, 2), "two": Beta(5, 3)}).plot(ax),
    "probabilities": lambda ax=None: DistributionDisplay(Categorical([0.2, 0.5, 0.3], ["one", "two", "three"])).plot(ax),
    "mixture": lambda ax=None: GaussianMixture(2, random_state=0).fit(X).plot(X, ax=ax),
    "mixture of one column": lambda ax=None: MixtureDisplay([0.4, 0.6], LINES, X[:, :1], columns=["one"]).plot(ax),
    "ellipses": lambda ax=None: EllipseDisplay.from_table(X, CLASSES, ax=ax),
    "risk and coverage": lambda ax=None: RiskCoverageDisplay(DOUBT).plot(ax, reject_cost=0.1, name="one"),
    "decision areas": lambda ax=None: FITTED.joint.plot(ax, cuts=1.5, reject_below=0.8),
    "decision areas of the best rule": lambda ax=None: DecisionAreasDisplay([norm(0, 1), norm(2, 1)]).plot(ax),
    "ambiguous": lambda ax=None: AmbiguousRegionsDisplay(*FITTED.reductions, FITTED.machine, X, CLASSES).plot(ax),
    "hypotheses": lambda ax=None: HypothesesDisplay(SPACE, [2, 8, 4]).plot(ax),
    "evidence": lambda ax=None: EvidenceDisplay({"one": SPACE, "two": SPACE.observe([2, 4])}, observed=8).plot(ax),
    "choice of k": lambda ax=None: choose_n_neighbors(X, CLASSES, range(1, 31)).plot(ax),
    "steps of k-means": lambda ax=None: KMeansStepsDisplay(X, KMeans(4, random_state=0, tol=0).steps(X)).plot(ax),
    "cells": lambda ax=None: VoronoiDisplay(FITTED.centres.cluster_centers_, X[:, :2]).plot(ax),
    "silhouettes": lambda ax=None: SilhouetteDisplay(X[:, :2], FITTED.centres.labels_).plot(ax),
    "choice of clusters": lambda ax=None: FITTED.clusters.plot(ax),
    "dendrogram": lambda ax=None: FITTED.joined.plot_dendrogram(ax=ax),
    "dendrogram of few rows": lambda ax=None: DendrogramDisplay(AgglomerativeClustering().fit(X[:9]).linkage_).plot(ax),
    "spectral clustering": lambda ax=None: FITTED.cut.plot(ax=ax),
    "distances kept": lambda ax=None: FITTED.scaled.plot(ax),
    "order kept": lambda ax=None: ShepardDisplay(FITTED.scaled.dissimilarity_matrix_, X[:, :2], metric=False).plot(ax),
    "graph": lambda ax=None: GraphCutDisplay(RING, [0, 0, 0, 1, 1, 1]).plot(ax),
    "graph of rows": lambda ax=None: GraphCutDisplay.from_estimator(FITTED.cut, X, ax=ax),
    "farthest first": lambda ax=None: FarthestFirstDisplay(FarthestFirstHierarchy(first=0).fit(X), X).plot(ax),
    "thresholds": lambda ax=None: ThresholdCurveDisplay.from_estimator(FITTED.shrunken, ax=ax),
    "shrunken centroids": lambda ax=None: ShrunkenCentroidsDisplay.from_estimator(FITTED.shrunken, most=3, ax=ax),
    "tree": lambda ax=None: TreeDisplay(FITTED.plane).plot(ax),
    "tree of many branches": lambda ax=None: TreeDisplay(MANY_WAYS).plot(ax),
    "tree of numbers, cut": lambda ax=None: TreeDisplay(FITTED.steps_down).plot(ax, max_depth=2),
    "partition": lambda ax=None: PartitionDisplay(FITTED.plane, X[:, :2], CLASSES).plot(ax, name="one"),
    "partition of numbers": lambda ax=None: PartitionDisplay(FITTED.steps_down, X[:, :2]).plot(ax),
    "impurity": lambda ax=None: ImpurityDisplay().plot(ax),
    "half the entropy": lambda ax=None: ImpurityDisplay(scaled=True).plot(ax),
    "pruning by leaves": lambda ax=None: PruningDisplay(PRUNED).plot(ax),
    "pruning by price": lambda ax=None: PruningDisplay(PRUNED).plot(ax, against="alpha"),
    "ensemble": lambda ax=None: EnsembleCurveDisplay(FITTED.grown).plot(ax),
    "two ensembles": lambda ax=None: EnsembleCurveDisplay.from_curves({"one": FITTED.grown, "two": FITTED.grown}, ax=ax),
    "importance": lambda ax=None: FITTED.forest.oob_permutation_importance(random_state=0).plot(ax),
    "losses of shuffled columns": lambda ax=None: permutation_importance(FITTED.forest, X, CLASSES, n_repeats=2).plot(ax),
    "dependence": lambda ax=None: PartialDependenceDisplay.from_estimator(
        FITTED.forest, X, [0], kind="both", target=FITTED.forest.classes_[0], grid_resolution=6, ax=ax
    ),
    "dependence on two": lambda ax=None: PartialDependenceDisplay.from_estimator(
        FITTED.forest, X, [(0, 1)], target=FITTED.forest.classes_[0], grid_resolution=4, ax=ax
    ),
    "what columns add": lambda ax=None: FITTED.added.plot(ax, target="one", most=3),
    "sizes of what columns add": lambda ax=None: FITTED.added.plot_importance(ax),
    "what a word adds": lambda ax=None: FITTED.added.plot_dependence("x1", ax, colour="x0", target="one"),
    "coloured by a word": lambda ax=None: FITTED.added.plot_dependence("x0", ax, colour="x1", target="one"),
    "one prediction": lambda ax=None: FITTED.added.explain(3).plot(ax, most=2),
    "theory": lambda ax=None: FITTED.said.plot(ax),
    "criteria": lambda ax=None: FITTED.criteria.plot(ax),
    "part in the impurity": lambda ax=None: ImportanceDisplay.from_estimator(FITTED.forest, most=3, ax=ax),
    "associations": lambda ax=None: describe(X, CLASSES).plot(ax),
    "normality": lambda ax=None: normality(X).plot(ax=ax),
    "bent residuals": lambda ax=None: ResidualsDisplay(TARGET, GUESS, against=TARGET**2, curve=True).plot(ax),
    "critical difference": lambda ax=None: RANKED.plot(ax),
    "differences": lambda ax=None: compare(
        BY_FOLD, test="bayesian_t", rope=0.01, control="one", metric="accuracy", n_test=20, n_train=180
    ).plot(ax),
    "matrix of differences": lambda ax=None: compare(BY_FOLD, test="paired_t", metric="accuracy").plot(ax),
    "triangle": lambda ax=None: compare_over_tables(
        OVER_TABLES[:, :2], names=["one", "two"], test="bayesian_signed_rank", metric="accuracy"
    ).plot(ax),
    "margin": lambda ax=None: MarginDisplay(FITTED.between_two, X[TWO][:, :2], CLASSES[TWO]).plot(ax),
    "margins of three classes": lambda ax=None: MarginDisplay(SVC().fit(X, CLASSES), X, CLASSES).plot(ax),
    "surfaces of kernels": lambda ax=None: KernelSurfacesDisplay.from_kernels(
        {"one": Linear(), "two": RBF(gamma=1.0)}, X[TWO][:, :2], CLASSES[TWO], ax=ax
    ),
    "grid of scores": lambda ax=None: ScoreGridDisplay(
        [[0.5, 0.7, 0.9], [0.6, np.nan, 0.8]], ("x1", [0.1, 1, 10]), ("x2", [1, 1000]), metric="accuracy"
    ).plot(ax),
    "distortion": lambda ax=None: DistortionDisplay.from_estimator(
        GaussianRandomProjection(4, eps=0.5, random_state=0).fit(X), X, ax=ax
    ),
    "Gram matrix": lambda ax=None: GramDisplay.from_kernel(RBF(sigma=1.0), X, CLASSES, ax=ax),
    "Gram matrix of products": lambda ax=None: GramDisplay.from_kernel(Linear(), X, ax=ax),
    "one class": lambda ax=None: OneClassDisplay(FITTED.region, X[:, :2]).plot(ax),
    "parts": lambda ax=None: NMF(3, random_state=0, tol=1e-2).fit(np.abs(X)).plot(ax),
    "parts that are pictures": lambda ax=None: PartsDisplay(np.abs(X[:7, :4]), (2, 2)).plot(ax),
    "map": lambda ax=None: EmbeddingDisplay(X[:, :2], CLASSES, note="x1").plot(ax),
    "map of numbers": lambda ax=None: EmbeddingDisplay(X[:, :2], X[:, 1], axes=("x1", "x2")).plot(ax, name="x3"),
    "map of many classes": lambda ax=None: EmbeddingDisplay(X[:, :2], np.arange(60) % 20, as_numbers=False).plot(ax),
    "tube": lambda ax=None: TubeDisplay(FITTED.tube, X[:, :1], X[:, 1]).plot(ax),
    "explained variance": lambda ax=None: PCA(0.8).fit(X).plot(ax),
    "explained variance that is not enough": lambda ax=None: ExplainedVarianceDisplay(PCA(2).fit(X), share=0.95).plot(ax),
    "biplot": lambda ax=None: BiplotDisplay(PCA(3, scale=True).fit(X), X, CLASSES).plot(ax),
    "biplot of other components": lambda ax=None: BiplotDisplay(PCA().fit(X), X, components=(3, 1), most=2).plot(ax),
    "errors of completions": lambda ax=None: CompletionErrorDisplay(FITTED.completion).plot(ax),
    "errors of completions of some ranks": lambda ax=None: CompletionErrorDisplay(FITTED.bounded_completion).plot(ax),
    "network": lambda ax=None: NetworkDisplay(ARROWS, evidence={"one": "x2"}).plot(ax),
    "network with tables": lambda ax=None: KNOWN.plot(ax, tables=True, evidence={"two": "x1"}),
    "network with posteriors": lambda ax=None: NetworkDisplay(
        KNOWN, posteriors={"one": {"x1": 0.125, "x2": 0.875}}, evidence={"two": {"x1": 0.5, "x2": 0.1}}
    ).plot(ax, tables=["one"]),
    "network with shares": lambda ax=None: NetworkDisplay(ARROWS, confidence={("one", "two"): 0.567}).plot(ax),
    "equivalence class": lambda ax=None: cpdag(ARROWS).plot(ax),
    "layers": lambda ax=None: FITTED.layers.plot(ax),
    "wide layers": lambda ax=None: LayersDisplay([X.T, X, np.ones((5, 15)) - np.eye(5, 15)], range(5), range(15)).plot(ax),
    "neurons": lambda ax=None: NeuronsDisplay(FITTED.layers, X[TWO][:, :2], CLASSES[TWO], most=2).plot(ax),
    "epochs": lambda ax=None: EpochsDisplay.from_training(
        MLPClassifier((3,), max_iter=5, random_state=0), X[TWO][:, :2], CLASSES[TWO], epochs=[0, 1, 5], ax=ax
    ),
    "activations": lambda ax=None: ActivationsDisplay(["logistic", "cos"], temperature=0.5).plot(ax),
    "computation graph": lambda ax=None: Graph({"x2": "x1**2", "x3": "x1 - x2", "one": "x2 / x3"}).plot({"x1": 3.0}, ax),
    "lifted circle": lambda ax=None: LiftedCircleDisplay(X[TWO][:, :2], CLASSES[TWO], radius=1.5).plot(ax),
}


def texts(display):
    """All words of a picture that are not empty."""
    return [text for text in display.figure_.findobj(Text) if text.get_text() and text.get_visible()]


def legend_of(ax):
    """The entries of a legend, each in one line."""
    return [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]


def assert_inside(display):
    """Everything that is drawn lies within the figure, up to a pixel. It is laid out; pixels would tell no more."""
    display.figure_.draw_without_rendering()
    assert_within_the_frame(display)


def assert_within_the_frame(display):
    """The same of a figure that is laid out already."""
    drawn, (width, height) = display.figure_.get_tightbbox(), display.figure_.get_size_inches()
    assert -0.01 <= drawn.x0 <= drawn.x1 <= width + 0.01
    assert -0.01 <= drawn.y0 <= drawn.y1 <= height + 0.01


def phone(count, height):
    """A figure of 3.2 inches, and its axes one under another."""
    figure = plt.figure(figsize=(3.2, height), layout="constrained")
    return figure, figure.subplots(count, 1)


def on_a_phone(draw, count, height):
    """A drawing on such a figure."""
    _figure, axes = phone(count, height)
    return draw(axes)

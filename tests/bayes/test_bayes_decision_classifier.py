"""BayesDecisionClassifier: decisions over any classifier with probabilities, thresholds and curves that choose them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse
from sklearn import discriminant_analysis, linear_model, naive_bayes, neighbors, svm, tree
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import aprendiz
from aprendiz import (
    BayesDecisionClassifier,
    CalibratedClassifierCV,
    DecisionRule,
    ERMHyperplane,
    FisherDiscriminant,
    GaussianNB,
    LeastSquaresClassifier,
    LinearDiscriminant,
    LogisticRegression,
    Perceptron,
    SGDClassifier,
    StandardScaler,
    StollerCut,
)

RNG = np.random.default_rng(6)
GROUP = RNG.choice(3, size=300, p=[0.5, 0.3, 0.2])
X = np.array([[0.0, 0.0], [1.5, 0.5], [0.5, 1.5]])[GROUP] + RNG.normal(size=(300, 2))
NAMES = np.array(["ash", "birch", "cedar"])
Y = NAMES[GROUP]
TWO = GROUP < 2
X2, Y2 = X[TWO], GROUP[TWO]
LOSS = np.array([[0.0, 1.0, 2.0], [5.0, 0.0, 1.0], [10.0, 3.0, 0.0]])
SKEWED = [[0, 1], [10, 0]]
WEIGHT = RNG.integers(0, 3, size=300).astype(float)
BASES = [
    LogisticRegression(),
    GaussianNB(),
    linear_model.LogisticRegression(),
    naive_bayes.GaussianNB(),
    discriminant_analysis.LinearDiscriminantAnalysis(),
    tree.DecisionTreeClassifier(max_depth=3, random_state=0),
    neighbors.KNeighborsClassifier(7),
    make_pipeline(StandardScaler(), LogisticRegression()),
    CalibratedClassifierCV(linear_model.RidgeClassifier(), cv=3),
]
bases = pytest.mark.parametrize("base", BASES, ids=lambda base: f"{type(base).__module__.split('.')[0]} {type(base).__name__}")


@parametrize_with_checks(
    [
        BayesDecisionClassifier(LogisticRegression()),
        BayesDecisionClassifier(naive_bayes.GaussianNB(), reject_below=0.3, reject_label=-9),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# ---- decisions -------------------------------------------------------------------------------------------------------------


@bases
def test_without_anything_it_is_the_base(base):
    """No loss, no rejection, no priors: predictions, probabilities and score of the base."""
    model, alone = BayesDecisionClassifier(base).fit(X, Y), clone(base).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), alone.predict(X))
    assert model.score(X, Y) == pytest.approx(alone.score(X, Y))
    assert np.array_equal(model.classes_, NAMES)
    assert model.n_features_in_ == 2


@bases
def test_the_decision_of_least_risk(base):
    """Each row gets the class whose expected loss is least, counted here class by class."""
    model = BayesDecisionClassifier(base, loss=LOSS).fit(X, Y)
    P = clone(base).fit(X, Y).predict_proba(X)
    for row, decided in zip(P, model.predict(X), strict=True):
        risks = {NAMES[j]: sum(row[k] * LOSS[k, j] for k in range(3)) for j in range(3)}
        assert risks[decided] == pytest.approx(min(risks.values()), abs=1e-12)


def test_rejected_rows_have_their_label():
    """Words get "reject", numbers −1, or what was asked for; the other rows are what they were."""
    sure = LogisticRegression().fit(X, Y).predict_proba(X).max(axis=1) >= 0.7
    assert 0 < sure.sum() < 300
    plain = BayesDecisionClassifier(LogisticRegression()).fit(X, Y).predict(X)
    for label, shown in ((None, "reject"), ("?", "?"), (0, 0)):
        found = BayesDecisionClassifier(LogisticRegression(), reject_below=0.7, reject_label=label).fit(X, Y).predict(X)
        assert np.array_equal(found[sure], plain[sure])
        assert set(found[~sure]) == {shown}
    numbers = BayesDecisionClassifier(LogisticRegression(), reject_below=0.7).fit(X, GROUP).predict(X)
    assert numbers.dtype.kind == "i"
    assert np.array_equal(numbers == -1, ~sure)
    truth = BayesDecisionClassifier(LogisticRegression(), reject_below=0.9).fit(X2, Y2 == 1).predict(X2)
    assert set(truth) == {-1, 0, 1}


def test_both_forms_of_rejection():
    """With the loss 1 for every error, rejecting below θ and at the cost 1 − θ are one rule (¾ has no rounding)."""
    one = BayesDecisionClassifier(GaussianNB(), reject_below=0.75).fit(X, Y)
    other = BayesDecisionClassifier(GaussianNB(), reject_cost=0.25).fit(X, Y)
    assert np.array_equal(one.predict(X), other.predict(X))
    assert (one.predict(X) == "reject").any()


def test_score_counts_rejected_rows_as_missed():
    """Accuracy over all rows, whatever the type of the label."""
    for label in (None, 7):
        model = BayesDecisionClassifier(GaussianNB(), reject_below=0.8, reject_label=label).fit(X, Y)
        hits = model.predict(X) == Y
        assert model.score(X, Y) == pytest.approx(hits.mean())
        assert model.score(X, Y, WEIGHT) == pytest.approx(hits @ WEIGHT / WEIGHT.sum())
    assert BayesDecisionClassifier(GaussianNB()).fit(X, Y).score(X, Y) == accuracy_score(Y, GaussianNB().fit(X, Y).predict(X))


def test_parameters_need_no_new_fit():
    """Loss, rejection and priors are read when a decision is made."""
    model = BayesDecisionClassifier(GaussianNB()).fit(X, Y)
    model.set_params(loss=LOSS, reject_cost=0.8, priors=[0.2, 0.3, 0.5])
    again = BayesDecisionClassifier(GaussianNB(), loss=LOSS, reject_cost=0.8, priors=[0.2, 0.3, 0.5]).fit(X, Y)
    assert np.array_equal(model.predict(X), again.predict(X))


# ---- priors ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ours", [True, False], ids=["aprendiz", "scikit-learn"])
def test_shifted_priors_of_a_generative_model(ours):
    """A Gaussian naive Bayes with other priors is the same model shifted: densities do not depend on priors."""
    kind, new = GaussianNB if ours else naive_bayes.GaussianNB, [0.1, 0.2, 0.7]
    shifted = BayesDecisionClassifier(kind(), priors=new).fit(X, Y)
    direct = kind(priors=new).fit(X, Y)
    np.testing.assert_allclose(shifted.predict_proba(X), direct.predict_proba(X), rtol=1e-10, atol=1e-300)
    np.testing.assert_allclose(shifted.predict_log_proba(X), direct.predict_log_proba(X), rtol=1e-9)
    back = BayesDecisionClassifier(kind(priors=new), priors=np.bincount(GROUP) / 300).fit(X, Y)
    np.testing.assert_allclose(back.predict_proba(X), kind().fit(X, Y).predict_proba(X), rtol=1e-10, atol=1e-300)


def test_what_the_base_has_learned():
    """Its own priors, else the shares of the rows: by their weights, and by weights of classes; of opened rows, too."""
    shares = np.bincount(GROUP) / 300
    weighted = np.bincount(GROUP, WEIGHT) / WEIGHT.sum()
    np.testing.assert_allclose(BayesDecisionClassifier(LogisticRegression()).fit(X, Y).prior_, shares)
    np.testing.assert_allclose(BayesDecisionClassifier(LogisticRegression()).fit(X, Y, sample_weight=WEIGHT).prior_, weighted)
    np.testing.assert_allclose(BayesDecisionClassifier(GaussianNB()).fit(X, Y, sample_weight=WEIGHT).prior_, weighted)
    balanced = BayesDecisionClassifier(linear_model.LogisticRegression(class_weight="balanced")).fit(X, Y)
    np.testing.assert_allclose(balanced.prior_, [1 / 3] * 3)
    fixed = make_pipeline(StandardScaler(), naive_bayes.GaussianNB(priors=[0.2, 0.2, 0.6]))
    np.testing.assert_allclose(BayesDecisionClassifier(fixed).fit(X, Y).prior_, [0.2, 0.2, 0.6])
    multinomial = BayesDecisionClassifier(naive_bayes.MultinomialNB()).fit(np.abs(X), Y)
    np.testing.assert_allclose(multinomial.prior_, shares)


def test_shift_where_probabilities_underflow():
    """10 000 columns: probabilities are 0 and 1 in doubles, their logarithms still know what new priors change."""
    wide = np.vstack([np.zeros((3, 10_000)), np.full((3, 10_000), 0.5)]) + RNG.normal(size=(6, 10_000))
    model = BayesDecisionClassifier(GaussianNB(), priors=[0.0, 1.0]).fit(wide, [0, 0, 0, 1, 1, 1])
    np.testing.assert_array_equal(model.predict_proba(wide), [[0.0, 1.0]] * 6)
    assert np.array_equal(model.predict(wide), [1] * 6)


# ---- curves and thresholds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", [None, LOSS], ids=["errors", "loss"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_risk_coverage_is_what_rejection_does(loss, weight):
    """Every point of the curve: deciding with its reject_cost decides that share of the rows at that mean loss."""
    model = BayesDecisionClassifier(GaussianNB(), loss=loss).fit(X, Y)
    curve = model.risk_coverage(X, Y, weight)
    table, w = 1 - np.eye(3) if loss is None else loss, np.ones(300) if weight is None else weight
    for number in range(0, len(curve.risk), 17):
        codes = model.set_params(reject_cost=curve.reject_cost[number]).decide(X)
        kept = codes >= 0
        assert curve.coverage[number] == pytest.approx(w[kept].sum() / w.sum())
        assert curve.risk[number] == pytest.approx(table[GROUP, codes][kept] @ w[kept] / w[kept].sum())
    assert curve.coverage[-1] == pytest.approx(1.0)
    assert (np.diff(curve.coverage) > 0).all() or weight is not None


def test_risk_coverage_choices():
    """The cost for a wanted risk decides as many rows as any cost that keeps it; the area of a constant risk is that risk."""
    model = BayesDecisionClassifier(LogisticRegression()).fit(X, Y)
    curve = model.risk_coverage(X, Y)
    cost = curve.for_risk(0.1)
    coverage, risk = curve.at(cost)
    assert risk <= 0.1
    assert coverage == max(c for c, r in zip(curve.coverage, curve.risk, strict=True) if r <= 0.1)
    assert curve.at(curve.reject_cost[0] - 1e-9)[0] == 0
    assert curve.area < curve.risk[-1] == pytest.approx(1 - model.score(X, Y))
    assert curve.frame().shape == (len(curve.risk), 3)
    guess = BayesDecisionClassifier(aprendiz.bayes.GaussianNB()).fit(X, Y).risk_coverage(X, Y)
    assert "surest 80 %" in str(guess)
    with pytest.raises(ValueError, match="No rejection brings the risk to -1"):
        curve.for_risk(-1)


@pytest.mark.parametrize(
    "base", [GaussianNB(), tree.DecisionTreeClassifier(max_depth=3, random_state=0)], ids=["smooth", "steps"]
)
@pytest.mark.parametrize(
    "wanted", [{"fpr": 0.05}, {"fnr": 0.1}, {"cost": SKEWED}, {"fpr": 0.0}, {"fnr": 0.0}, {"fpr": 1.0}], ids=str
)
def test_chosen_threshold_keeps_its_word(base, wanted):
    """A model with the loss of the threshold has its rates on the rows, and no other threshold is better."""
    model = BayesDecisionClassifier(base).fit(X2, Y2)
    found = model.choose_threshold(X2, Y2, **wanted)
    (tn, fp), (fn, tp) = confusion_matrix(Y2, model.set_params(loss=found.loss).predict(X2))
    assert (found.fpr, found.fnr) == pytest.approx((fp / (fp + tn), fn / (fn + tp)))
    p = model.predict_proba(X2)[:, 1]
    every = [(np.mean(p[Y2 == 0] > t), np.mean(p[Y2 == 1] <= t)) for t in [-1.0, *p]]
    share = Y2.mean()
    if "cost" in wanted:
        assert found.cost == pytest.approx(min((1 - share) * a + 10 * share * b for a, b in every))
    elif "fpr" in wanted:
        assert found.fpr <= wanted["fpr"]
        assert found.fnr == pytest.approx(min(b for a, b in every if a <= wanted["fpr"]))
    else:
        assert found.fnr <= wanted["fnr"]
        assert found.fpr == pytest.approx(min(a for a, b in every if b <= wanted["fnr"]))
    assert str(found).startswith("1 ")


def test_thresholds_where_probabilities_are_certain_to_rounding():
    """40 columns that repeat one: many probabilities are 0 or 1 to rounding, yet every point is what its loss decides."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, size=300)
    rows = (rng.normal(size=300) + y)[:, None] + 0.01 * rng.normal(size=(300, 40))
    model = BayesDecisionClassifier(GaussianNB()).fit(rows, y)
    P = model.predict_proba(rows)
    assert (P[:, 1] > 1 - 1e-15).sum() > 20
    curve = model.cost_curve(rows, y)
    for number in range(len(curve.cost)):
        point = curve.point(number)
        second = DecisionRule(point.loss).decide(P) == 1
        assert (point.fpr, point.fnr) == pytest.approx((second[y == 0].mean(), 1 - second[y == 1].mean()))


def test_cost_curve():
    """From never to always; the cost weighs the classes by `priors` where they are given."""
    model = BayesDecisionClassifier(GaussianNB(), loss=SKEWED).fit(X2, Y2)
    curve = model.cost_curve(X2, Y2)
    share = Y2.mean()
    assert (curve.threshold[0], curve.fpr[0], curve.fnr[0]) == (np.inf, 0, 1)
    assert (curve.threshold[-1], curve.fpr[-1], curve.fnr[-1]) == (-np.inf, 1, 0)
    assert (curve.cost[0], curve.cost[-1]) == pytest.approx((10 * share, 1 - share))
    other = model.set_params(priors=[0.9, 0.1]).cost_curve(X2, Y2)
    assert (other.cost[0], other.cost[-1]) == pytest.approx((1.0, 0.9))
    assert curve.frame().shape == (len(curve.cost), 4)


def test_the_cheapest_threshold_is_that_of_the_loss_where_probabilities_are_right():
    """Many rows of a known model: the cheapest threshold comes near 1/11, that of the loss [[0, 1], [10, 0]]."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, size=40_000)
    rows = (rng.normal(size=40_000) + 1.5 * y)[:, None]
    model = BayesDecisionClassifier(GaussianNB()).fit(rows, y)
    assert model.choose_threshold(rows, y, cost=SKEWED).threshold == pytest.approx(DecisionRule(SKEWED).threshold, abs=0.03)


# ---- scikit-learn --------------------------------------------------------------------------------------------------------


def test_clone_pipeline_and_search():
    """Parameters of the base are reached through it, and it stands in pipelines and searches."""
    model = BayesDecisionClassifier(LogisticRegression(C=3.0), loss=LOSS, reject_cost=0.5)
    assert clone(model).get_params()["estimator__C"] == 3.0
    pipeline = make_pipeline(StandardScaler(), model)
    assert set(pipeline.fit(X, Y).predict(X)) <= {*NAMES, "reject"}
    search = GridSearchCV(
        BayesDecisionClassifier(LogisticRegression()), {"estimator__C": [0.1, 1.0], "reject_below": [None, 0.9]}, cv=3
    )
    assert search.fit(X, Y).best_params_["reject_below"] is None  # a rejected row is a missed one
    assert cross_val_predict(model, X, Y, cv=3).shape == (300,)


def test_frozen_and_calibrated_bases():
    """A fitted base is kept as it is; a discriminant becomes welcome by calibration."""
    fitted = LogisticRegression().fit(X, Y)
    model = BayesDecisionClassifier(FrozenEstimator(fitted), loss=LOSS).fit(X[:9], Y[:9])
    np.testing.assert_array_equal(model.predict_proba(X), fitted.predict_proba(X))
    calibrated = CalibratedClassifierCV(LeastSquaresClassifier(), cv=3)
    sure = BayesDecisionClassifier(calibrated, reject_below=0.6).fit(X, Y).risk_coverage(X, Y).at(0.4)
    assert 0.3 < sure[0] < 1
    assert sure[1] < 0.4


def test_routing():
    """Weights reach the base by routing, too."""
    direct = BayesDecisionClassifier(LogisticRegression()).fit(X, Y, sample_weight=WEIGHT)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = LogisticRegression().set_fit_request(sample_weight=True)
        routed = BayesDecisionClassifier(asking).fit(X, Y, sample_weight=WEIGHT)
    np.testing.assert_array_equal(routed.predict_proba(X), direct.predict_proba(X))


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_frames(library):
    """Frames go to the base as they are; their names are kept. Missing cells and sparse tables are the base's business."""
    frame = library.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    y = library.Series(Y.tolist())
    model = BayesDecisionClassifier(LogisticRegression(), loss=LOSS).fit(frame, y)
    assert list(model.feature_names_in_) == ["a", "b"]
    assert np.array_equal(model.predict(frame), BayesDecisionClassifier(LogisticRegression(), loss=LOSS).fit(X, Y).predict(X))
    assert model.risk_coverage(frame, y).coverage[-1] == 1
    holes = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
    assert BayesDecisionClassifier(GaussianNB()).fit(holes, Y).score(holes, Y) > 0.5
    thin = sparse.csr_array(np.where(RNG.random(X.shape) < 0.5, X, 0.0))
    assert BayesDecisionClassifier(LogisticRegression()).fit(thin, Y).score(thin, Y) > 0.4


def test_files_and_dask(tmp_path):
    """Opened rows bring their classes and weights; Dask collections work over a base of this library."""
    import dask.array as da

    expected = BayesDecisionClassifier(LogisticRegression(), loss=LOSS, priors=[0.2, 0.3, 0.5]).fit(X, Y, sample_weight=WEIGHT)
    pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": Y, "w": WEIGHT}).to_parquet(tmp_path / "t.parquet")
    opened = aprendiz.rows(tmp_path / "t.parquet", target="y", weight="w")
    model = clone(expected).fit(opened)
    np.testing.assert_allclose(model.prior_, expected.prior_)
    assert np.array_equal(model.predict(opened), expected.predict(X))
    assert model.score(opened) == pytest.approx(expected.score(X, Y, WEIGHT))
    assert model.risk_coverage(opened).area == pytest.approx(expected.risk_coverage(X, Y, WEIGHT).area)
    cut = clone(expected).fit(da.from_array(X, chunks=(100, -1)), Y, sample_weight=da.from_array(WEIGHT, chunks=100))
    assert np.array_equal(cut.predict(X), expected.predict(X))


# ---- bad input -------------------------------------------------------------------------------------------------------------

DISCRIMINANTS = [
    *(ERMHyperplane(), FisherDiscriminant(), LeastSquaresClassifier(), LinearDiscriminant(), Perceptron(), StollerCut()),
    *(SGDClassifier(), svm.LinearSVC(), linear_model.RidgeClassifier(), linear_model.LinearRegression()),
]


@pytest.mark.parametrize("base", DISCRIMINANTS, ids=lambda base: type(base).__name__)
def test_a_discriminant_is_refused(base):
    """It has no posteriors to weigh; the message names calibration."""
    with pytest.raises(ValueError, match=rf"{type(base).__name__} is a discriminant.*aprendiz.CalibratedClassifierCV"):
        BayesDecisionClassifier(base).fit(X2, Y2)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"loss": SKEWED}, "loss has 2 entries, there are 3 classes: give one for each of 'ash', 'birch', 'cedar'"),
        ({"loss": [[0, 1, 2]] * 2}, "loss must be a square table"),
        ({"priors": [0.5, 0.5]}, "priors has 2 entries, there are 3 classes"),
        ({"reject_below": 1.5}, "reject_below must be a number between 0 and 1, got 1.5"),
        ({"reject_below": 0.5, "reject_cost": 0.5}, "give one of them"),
        ({"reject_below": 0.5, "reject_label": "birch"}, "reject_label = 'birch' is one of the classes"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_refused_parameters(parameters, message):
    """Named with the remedy, and a fit before stays."""
    model = BayesDecisionClassifier(GaussianNB()).fit(X, Y)
    before = model.predict(X)
    with pytest.raises(ValueError, match=message):
        model.set_params(**parameters).fit(X, Y)
    model.set_params(**dict.fromkeys(parameters))
    assert np.array_equal(model.predict(X), before)


def test_refused_rows():
    """One class of the two, a label that was never seen, three classes for a threshold, and more than one wish."""
    model, many = BayesDecisionClassifier(GaussianNB()).fit(X2, Y2), BayesDecisionClassifier(GaussianNB()).fit(X, Y)
    with pytest.raises(ValueError, match="No row is of the class 1"):
        model.choose_threshold(X2[Y2 == 0], Y2[Y2 == 0], fpr=0.1)
    with pytest.raises(ValueError, match="'yew' in row 1, which is none of the classes"):
        many.risk_coverage(X[:2], ["ash", "yew"])
    with pytest.raises(ValueError, match="two classes, there are 3"):
        many.choose_threshold(X, Y, fpr=0.1)
    for wishes in ({}, {"fpr": 0.1, "fnr": 0.1}):
        with pytest.raises(ValueError, match="Give one of fpr, fnr and cost"):
            model.choose_threshold(X2, Y2, **wishes)
    with pytest.raises(ValueError, match=r"fpr = 5 must lie between 0 and 1"):
        model.choose_threshold(X2, Y2, fpr=5)
    with pytest.raises(ValueError, match=r"cost has shape \(3, 3\)"):
        model.choose_threshold(X2, Y2, cost=LOSS)
    with pytest.raises(ValueError, match="class 'cedar' have the weight 0 in sample_weight: leave"):
        many.fit(X, Y, sample_weight=(GROUP != 2).astype(float))
    with pytest.raises(ValueError, match=r"shape \(300, 2\).*MultiOutputClassifier"):
        BayesDecisionClassifier(neighbors.KNeighborsClassifier()).fit(X, np.column_stack([GROUP, GROUP]))
    for estimator in (None, 3, GaussianNB):
        with pytest.raises(ValueError, match="estimator must be a classifier"):
            BayesDecisionClassifier(estimator).fit(X, Y)

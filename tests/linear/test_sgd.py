"""Stochastic gradient descent: near the minimum of its objective, with a bound on the distance; dense, sparse, in pieces."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import linear_model
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.preprocessing import scale

import aprendiz
from aprendiz import LogisticRegression, Ridge, SGDClassifier, SGDRegressor
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.linear.penalties.duality_gap import objective_and_gap
from aprendiz.linear.solvers.stochastic_epoch import LOSSES, StepRule

RNG = np.random.default_rng(1)
N, D = 600, 6
X = scale(RNG.normal(size=(N, D)) @ (np.eye(D) + 0.3 * RNG.normal(size=(D, D))))
SCORE = X @ np.array([2.0, -1.0, 0.5, 0.0, 0.0, 1.0]) + 0.7
NUMBERS = SCORE + RNG.normal(size=N)
TWO = np.where(NUMBERS > 0, "yes", "no")
THREE = np.array(["low", "mid", "high"])[np.digitize(NUMBERS, [-1.0, 2.0])]
WEIGHT = RNG.integers(0, 4, N) / 2.0
CLASSIFYING, REGRESSING = ("hinge", "squared_hinge", "perceptron", "log_loss", "modified_huber"), tuple(LOSSES)[5:]


def objective(model, weight=None):
    """F of a fitted model, by the kernels that test_stochastic_epoch.py compares with the definition; and the gap."""
    classes = hasattr(model, "classes_")
    planes = np.column_stack([model.intercept_, np.atleast_2d(model.coef_)])
    share = {None: 0.0, "l2": 0.0, "l1": 1.0, "elasticnet": model.l1_ratio}[model.penalty]
    alpha = 0.0 if model.penalty is None else model.alpha
    rule = StepRule(
        LOSSES[model.loss], model.epsilon, 0, 0.5, model.alpha, alpha * share, alpha * (1 - share), model.fit_intercept
    )
    rows = ArrayRows(X, (TWO == "yes").astype(int) if classes else NUMBERS, weight)
    F, gap, _ = objective_and_gap(planes, rule, (SGDClassifier if classes else SGDRegressor).targets, rows)
    return float(F[0]), float(gap[0])


def long(cls, loss, **settings):
    """Settings with which both libraries come close to the minimum."""
    return cls(loss=loss, **{"alpha": 0.01, "max_iter": 100, "tol": None, "random_state": 0, **settings})


# ---- how near --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", [loss for loss in CLASSIFYING if loss != "squared_hinge"])
@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet"])
def test_classifier_objective_is_that_of_scikit_learn(loss, penalty):
    """After as many epochs, both have come to the same objective."""
    ours = long(SGDClassifier, loss, penalty=penalty).fit(X, TWO)
    theirs = long(linear_model.SGDClassifier, loss, penalty=penalty).fit(X, TWO)
    assert objective(ours)[0] == pytest.approx(objective(theirs)[0], rel=0.005, abs=1e-3)
    assert loss == "perceptron" or np.mean(ours.predict(X) == theirs.predict(X)) > 0.98  # its minimum is w = 0


def test_squared_hinge():
    """scikit-learn's first steps, of length 10 at slopes of any size, run away; ours stop at the minimum of each row."""
    ours = long(SGDClassifier, "squared_hinge").fit(X, TWO)
    best = long(linear_model.SGDClassifier, "squared_hinge", learning_rate="invscaling", max_iter=500).fit(X, TWO)
    assert objective(ours)[0] == pytest.approx(objective(best)[0], rel=0.005)


@pytest.mark.parametrize("loss", REGRESSING)
@pytest.mark.parametrize("penalty", ["l2", "l1", None])
def test_regressor_objective_is_that_of_scikit_learn(loss, penalty):
    ours = long(SGDRegressor, loss, penalty=penalty).fit(X, NUMBERS)
    theirs = long(linear_model.SGDRegressor, loss, penalty=penalty).fit(X, NUMBERS)
    assert objective(ours)[0] == pytest.approx(objective(theirs)[0], rel=0.001)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=0.15)


def test_averages():
    """The mean of the planes is closer to the minimum than the last of them, with an absolute penalty too."""
    for penalty in ("l2", "l1"):
        settings = {"penalty": penalty, "learning_rate": "constant", "eta0": 0.05, "max_iter": 20}
        last, mean = (long(SGDRegressor, "squared_error", average=a, **settings).fit(X, NUMBERS) for a in (False, 3000))
        best = objective(long(SGDRegressor, "squared_error", penalty=penalty, max_iter=400).fit(X, NUMBERS))[0]
        assert 0 < objective(mean)[0] - best < 0.1 * (objective(last)[0] - best)
        assert np.array_equal(mean.last_planes_[0, 1:], last.coef_)


def test_logistic_regression_is_the_limit():
    """With the logarithmic loss, the objective is within 0.1 % of the minimum that Newton's method finds."""
    model = long(SGDClassifier, "log_loss", max_iter=300).fit(X, TWO)
    best = LogisticRegression(C=1 / (0.01 * N)).fit(X, TWO)
    best.loss, best.penalty, best.alpha, best.epsilon = "log_loss", "l2", 0.01, 0.0
    F, gap = objective(best)
    assert objective(model)[0] == pytest.approx(F, rel=1e-3)
    assert gap < 1e-8  # at the minimum itself the bound is sharp
    np.testing.assert_allclose(model.coef_, best.coef_, atol=0.02)


def test_ridge_regression_is_the_limit():
    """With the squared loss, the coefficients of ridge regression with penalty αn."""
    model = long(SGDRegressor, "squared_error", max_iter=300).fit(X, NUMBERS)
    best = Ridge(0.01 * N).fit(X, NUMBERS)
    np.testing.assert_allclose(model.coef_, best.coef_, atol=0.01)
    assert model.intercept_[0] == pytest.approx(best.intercept_, abs=0.01)


@pytest.mark.parametrize("loss", [*CLASSIFYING, *REGRESSING])
@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_gap_is_a_bound(loss, penalty, fit_intercept):
    """After a rough fit, the best objective of longer fits is within the gap, and the gap is no larger than F itself."""
    cls, y = (SGDClassifier, TWO) if loss in CLASSIFYING else (SGDRegressor, NUMBERS)
    settings = {"penalty": penalty, "fit_intercept": fit_intercept}
    rough = long(cls, loss, max_iter=2, average=False, **settings).fit(X, y)
    F, gap = objective(rough)
    best = min(objective(long(cls, loss, max_iter=m, **settings).fit(X, y))[0] for m in (20, 60))
    assert F - best <= gap + 1e-12
    assert 0 <= gap <= F
    assert rough.certificate_.objective == pytest.approx(F, rel=1e-12)
    assert rough.certificate_.gap == pytest.approx(gap, rel=1e-9)


def test_the_gap_closes():
    """Longer fits are closer, and know it."""
    gaps = [long(SGDClassifier, "log_loss", alpha=0.1, max_iter=m).fit(X, TWO).certificate_.gap for m in (2, 20, 200)]
    assert gaps[0] > 10 * gaps[1] > 100 * gaps[2]
    assert gaps[2] < 1e-4


def test_no_penalty_no_bound():
    """Without a penalty the gap is infinite, and the certificate says that there is no bound."""
    certificate = SGDRegressor(penalty=None, random_state=0).fit(X, NUMBERS).certificate_
    assert certificate.gap == np.inf
    assert "there is no other bound" in certificate.claim


def test_absolute_penalty_makes_zeros():
    """Where the absolute penalty is strong the coefficients of the columns that do not matter are exactly zero."""
    model = SGDRegressor(penalty="l1", alpha=0.2, random_state=0).fit(X, NUMBERS)
    lasso = linear_model.Lasso(0.2).fit(X, NUMBERS)
    assert np.array_equal(model.coef_ == 0, lasso.coef_ == 0)
    assert not (SGDRegressor(alpha=0.2, random_state=0).fit(X, NUMBERS).coef_ == 0).any()


def test_columns_that_are_not_scaled():
    """Large columns do not make the squared loss run away, as they do where steps may overshoot."""
    large = X * [1, 10, 100, 1000, 1, 1] + 50
    model = SGDRegressor(random_state=0, max_iter=50, tol=None).fit(large, NUMBERS)
    assert np.isfinite(model.coef_).all()
    assert np.mean((model.predict(large) - NUMBERS) ** 2) < 10 * NUMBERS.var()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = linear_model.SGDRegressor(random_state=0, max_iter=50, tol=None).fit(large, NUMBERS)
    assert np.mean((theirs.predict(large) - NUMBERS) ** 2) > 1e6 * NUMBERS.var()


# ---- the same in other ways --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("penalty", ["l2", "l1", None])
@pytest.mark.parametrize("average", [False, True])
def test_sparse_is_dense(penalty, average):
    """Without an intercept, a sparse table gives what the same numbers in an array give, with averages and penalties too."""
    thin = np.where(RNG.random(X.shape) < 0.5, X, 0.0)
    settings = {"penalty": penalty, "average": average and penalty != "l1", "random_state": 0, "max_iter": 5, "tol": None}
    settings["fit_intercept"] = False
    for cls, y in ((SGDClassifier, THREE), (SGDRegressor, NUMBERS)):
        a, b = (cls(**settings).fit(form, y, sample_weight=WEIGHT) for form in (thin, sparse.csr_matrix(thin)))
        np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(a.history_, b.history_, rtol=1e-8)
        assert a.certificate_.gap == pytest.approx(b.certificate_.gap, rel=1e-6)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_same_path_as_scikit_learn(average, form):
    """Rows in their order: the planes of scikit-learn, of sparse rows too, on which the intercept makes smaller steps."""
    settings = {"shuffle": False, "max_iter": 3, "tol": None, "average": average, "alpha": 0.01}
    for ours, theirs, y in (
        (SGDClassifier, linear_model.SGDClassifier, THREE),
        (SGDRegressor, linear_model.SGDRegressor, NUMBERS),
    ):
        a, b = (cls(**settings).fit(form(X), y) for cls in (ours, theirs))
        np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(a.intercept_, b.intercept_, rtol=1e-9, atol=1e-12)


def test_parameters_of_scikit_learn():
    """No l1_ratio where none is used, negative powers with a warning, and what losses there are."""
    for cls, y in ((SGDClassifier, TWO), (SGDRegressor, NUMBERS)):
        a, b = (cls(penalty="l1", l1_ratio=share, random_state=0).fit(X, y) for share in (None, 0.7))
        assert np.array_equal(a.coef_, b.coef_)
        with pytest.raises(ValueError, match="l1_ratio must be set"):
            cls(penalty="elasticnet", l1_ratio=None).fit(X, y)
        with pytest.warns(FutureWarning, match="power_t=-0.1"):
            cls(power_t=-0.1).fit(X, y)
        theirs = getattr(linear_model, cls.__name__).loss_functions
        assert {loss: rest[1:] for loss, rest in cls.loss_functions.items()} == {
            loss: rest[1:] for loss, rest in theirs.items()
        }


def test_a_column_of_targets():
    """y of shape (n, 1) is a vector, with scikit-learn's warning."""
    with pytest.warns(DataConversionWarning, match="column-vector"):
        model = SGDRegressor(random_state=0).fit(X, NUMBERS[:, None])
    assert np.array_equal(model.coef_, SGDRegressor(random_state=0).fit(X, NUMBERS).coef_)


def test_classes_against_the_rest():
    """With three classes, the plane of each is that of a fit of it against the others."""
    settings = {"loss": "log_loss", "random_state": 3, "max_iter": 4, "tol": None}
    model = SGDClassifier(**settings).fit(X, THREE)
    for k, name in enumerate(model.classes_):
        alone = SGDClassifier(**settings).fit(X, name == THREE)
        assert np.array_equal(model.coef_[k], alone.coef_[0])
        assert model.intercept_[k] == alone.intercept_[0]
        assert np.array_equal(model.history_[:, k], alone.history_[:, 0])


def test_several_targets():
    """Several targets are fitted side by side, each as if it were alone."""
    Y = np.column_stack([NUMBERS, -2 * NUMBERS, X[:, 0]])
    model = SGDRegressor(random_state=0).fit(X, Y)
    assert model.predict(X).shape == Y.shape
    for k in range(3):
        alone = SGDRegressor(random_state=0).fit(X, Y[:, k])
        assert np.array_equal(model.coef_[k], alone.coef_)


@pytest.mark.parametrize("cls", [SGDClassifier, SGDRegressor])
@pytest.mark.parametrize("average", [False, True, 900])
def test_partial_fit_is_one_epoch(cls, average):
    """Called with the same rows again and again it goes the way of a fit, averages included."""
    y = THREE if cls is SGDClassifier else NUMBERS
    settings = {"random_state": 5, "average": average, "alpha": 0.01}
    whole = cls(max_iter=4, tol=None, **settings).fit(X, y)
    model = cls(**settings)
    announced = {"classes": np.unique(y)} if cls is SGDClassifier else {}
    for _ in range(4):
        model.partial_fit(X, y, **announced)
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)
    np.testing.assert_allclose(model.history_, whole.history_, rtol=1e-12)
    assert (model.t_, model.n_iter_) == (whole.t_, whole.n_iter_) == (4 * N + 1, 4)
    assert model.n_averaged_.tolist() == whole.n_averaged_.tolist()
    assert model.n_averaged_[0] == {False: 0, True: 4 * N, 900: 4 * N - 899}[average]


def test_partial_fit_in_pieces():
    """Mini-batches that lack some of the announced classes are learned all the same."""
    order = np.argsort(THREE, kind="stable")
    model = SGDClassifier(random_state=0, loss="log_loss", alpha=0.01)
    for epoch in range(6):
        for at in np.random.default_rng(epoch).permutation(60):
            piece = order[at::60] if epoch else order[10 * at : 10 * at + 10]
            model.partial_fit(X[piece], THREE[piece], classes=["low", "mid", "high"])
    assert model.classes_.tolist() == ["high", "low", "mid"]
    assert model.score(X, THREE) > 0.7


def test_partial_fit_refuses():
    """Classes that were not announced, one class alone, other targets and balanced weights."""
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        SGDClassifier().partial_fit(X, TWO)
    with pytest.raises(ValueError, match="only one class, 'yes'"):
        SGDClassifier().partial_fit(X[TWO == "yes"], TWO[TWO == "yes"], classes=["yes"])
    model = SGDClassifier(random_state=0).partial_fit(X, TWO, classes=["no", "yes"])
    with pytest.raises(ValueError, match="'perhaps' in row 3"):
        model.partial_fit(X[:5], ["yes", "no", "no", "perhaps", "no"])
    with pytest.raises(ValueError, match="not the same as on last call"):
        model.partial_fit(X, TWO, classes=["no", "yes", "perhaps"])
    with pytest.raises(ValueError, match="balanced"):
        SGDClassifier(class_weight="balanced").partial_fit(X, TWO, classes=["no", "yes"])
    with pytest.raises(ValueError, match="2 targets, before it had 1"):
        SGDRegressor().partial_fit(X, NUMBERS).partial_fit(X, np.c_[NUMBERS, NUMBERS])


def test_weights_of_classes():
    """A weight of a class is the weight of its rows; "balanced" gives both the same total."""
    settings = {"random_state": 0, "max_iter": 3, "tol": None}
    by_class = SGDClassifier(class_weight={"yes": 3.0, "no": 0.5}, **settings).fit(X, TWO, sample_weight=WEIGHT)
    by_row = SGDClassifier(**settings).fit(X, TWO, sample_weight=WEIGHT * np.where(TWO == "yes", 3.0, 0.5))
    assert np.array_equal(by_class.coef_, by_row.coef_)
    balanced = SGDClassifier(class_weight="balanced", **settings).fit(X, TWO)
    share = {name: N / (2 * np.sum(name == TWO)) for name in ("no", "yes")}
    assert np.array_equal(balanced.coef_, SGDClassifier(class_weight=share, **settings).fit(X, TWO).coef_)


def test_starts():
    """A fit starts from zero, from given coefficients, or where the last one ended."""
    settings = {"random_state": 0, "max_iter": 1, "tol": None, "learning_rate": "constant"}
    first = SGDRegressor(**settings).fit(X, NUMBERS)
    given = SGDRegressor(**settings).fit(X, NUMBERS, coef_init=first.coef_, intercept_init=first.intercept_)
    warm = SGDRegressor(warm_start=True, **settings).fit(X, NUMBERS).fit(X, NUMBERS)
    assert np.array_equal(given.coef_, warm.coef_)
    assert not np.array_equal(given.coef_, first.coef_)
    assert np.array_equal(SGDRegressor(**settings).fit(X, NUMBERS).fit(X, NUMBERS).coef_, first.coef_)
    for bad in (np.zeros(D + 1), np.full(D, np.nan)):
        with pytest.raises(ValueError, match=r"coef_init must hold 1 × 6 finite numbers"):
            SGDRegressor().fit(X, NUMBERS, coef_init=bad)


@pytest.mark.parametrize("schedule", ["pa1", "pa2"])
@pytest.mark.parametrize("penalty", [None, "l2", "l1"])
def test_passive_aggressive_is_that_of_scikit_learn(schedule, penalty):
    """Rows in the order in which they stand: the same coefficients, dense and sparse."""
    settings = {"learning_rate": schedule, "eta0": 0.05, "penalty": penalty, "alpha": 0.01}
    settings |= {"max_iter": 2, "tol": None, "shuffle": False}
    for table in (X, sparse.csr_matrix(X)):
        for cls, loss, y in ((SGDClassifier, "hinge", THREE), (SGDRegressor, "epsilon_insensitive", NUMBERS)):
            ours, theirs = (one(loss=loss, **settings).fit(table, y) for one in (cls, getattr(linear_model, cls.__name__)))
            np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-12)


def test_passive_aggressive_losses():
    """Only for losses whose slope is one."""
    for cls, loss, y in ((SGDClassifier, "log_loss", TWO), (SGDRegressor, "squared_error", NUMBERS)):
        with pytest.raises(ValueError, match=r"Learning rate 'pa2' only works with loss 'hinge'"):
            cls(loss=loss, learning_rate="pa2").fit(X, y)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_precision(precision):
    """Coefficients and answers have the precision of the table, and are those of the finer fit, rounded."""
    table = X.astype(precision)
    for cls, y in ((SGDClassifier, THREE), (SGDRegressor, NUMBERS.astype(precision))):
        model, fine = (cls(random_state=0, average=True).fit(one, y) for one in (table, table.astype(np.float64)))
        theirs = getattr(linear_model, cls.__name__)(random_state=0).fit(table, y)
        answer = "decision_function" if cls is SGDClassifier else "predict"
        assert theirs.coef_.dtype == precision
        assert model.coef_.dtype == model.intercept_.dtype == getattr(model, answer)(table).dtype == precision
        assert np.array_equal(model.coef_, fine.coef_.astype(precision))
        assert model.partial_fit(table, y).coef_.dtype == precision


def test_rows_of_a_file(tmp_path):
    """A file of one block gives the bits of the table in memory, a longer one is learned block by block."""
    many = np.tile(X, (20, 1))
    frame = pd.DataFrame(many).add_prefix("x").assign(y=np.tile(TWO, 20))
    frame[:N].to_parquet(tmp_path / "short.parquet")
    frame.to_parquet(tmp_path / "long.parquet")
    columns = [f"x{j}" for j in range(D)]
    short = SGDClassifier(random_state=0).fit(aprendiz.rows(tmp_path / "short.parquet", target="y", columns=columns))
    assert np.array_equal(short.coef_, SGDClassifier(random_state=0).fit(X, TWO).coef_)
    rows = aprendiz.rows(tmp_path / "long.parquet", target="y", columns=columns)
    model = SGDClassifier(random_state=0).fit(rows)
    assert model.score(rows) > 0.85
    assert model.t_ == model.n_iter_ * 20 * N + 1


# ---- when it stops -----------------------------------------------------------------------------------------------------


def test_all_epochs():
    """Without a tolerance all epochs are made, and nobody complains; with one, too few epochs are a warning."""
    model = SGDClassifier(max_iter=7, tol=None, random_state=0).fit(X, TWO)
    assert model.n_iter_ == len(model.history_) == 7
    assert model.stopped_ == "converged"
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        SGDClassifier(max_iter=2, random_state=0).fit(X, TWO)


def test_when_a_plane_rests():
    """It rests in the epoch that is the fifth in a row without a fall by tol below the lowest before."""
    history = SGDClassifier(random_state=0, tol=0.01).fit(X, TWO).history_[:, 0]
    lowest = np.minimum.accumulate(history)
    fell = np.r_[True, history[1:] <= lowest[:-1] - 0.01]
    assert not fell[-5:].any()
    runs = "".join("f" if f else "-" for f in fell)
    assert "-----" not in runs[:-1]


def test_adaptive_steps():
    """Steps are divided by five until they are tiny: closer to the minimum than a constant step of the same length."""
    settings = {"loss": "log_loss", "alpha": 0.01, "eta0": 0.5, "random_state": 0}
    adaptive = SGDClassifier(learning_rate="adaptive", **settings).fit(X, TWO)
    constant = SGDClassifier(learning_rate="constant", max_iter=adaptive.n_iter_, tol=None, **settings).fit(X, TWO)
    assert adaptive.certificate_.objective < constant.certificate_.objective
    best = LogisticRegression(C=1 / (0.01 * N)).fit(X, TWO).certificate_.objective / N
    assert adaptive.certificate_.objective == pytest.approx(best, rel=1e-4)


def test_optimal_steps_need_a_penalty():
    with pytest.raises(ValueError, match=r"alpha=0 leaves learning_rate='optimal'.*raise alpha"):
        SGDClassifier(alpha=0).fit(X, TWO)
    SGDClassifier(alpha=0, learning_rate="decreasing", random_state=0).fit(X, TWO)


# ---- what it says ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["log_loss", "modified_huber"])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_probabilities(loss, y):
    """With the same coefficients, scikit-learn says the same, far away too."""
    ours, theirs = (cls(loss=loss, random_state=0).fit(X, y) for cls in (SGDClassifier, linear_model.SGDClassifier))
    theirs.coef_, theirs.intercept_ = ours.coef_, ours.intercept_
    far = np.vstack([X, 50 * X])
    np.testing.assert_allclose(ours.predict_proba(far), theirs.predict_proba(far), rtol=1e-10, atol=1e-15)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-9, atol=1e-12)
    assert np.array_equal(ours.predict(far), theirs.predict(far))


def test_no_probabilities():
    """Other losses have none, and say what to do."""
    model = SGDClassifier(random_state=0).fit(X, TWO)
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match=r"predict_proba") as error:
        model.predict_proba(X)
    assert "use 'log_loss', or CalibratedClassifierCV" in str(error.value.__cause__)


def test_sparse_coefficients():
    """Kept as a sparse matrix and back, they predict the same, and learning goes on."""
    for cls, y in ((SGDClassifier, TWO), (SGDClassifier, THREE), (SGDRegressor, NUMBERS)):
        model = cls(random_state=0, penalty="l1", alpha=0.05).fit(X, y)
        before, coef = model.predict(X), model.coef_.copy()
        assert sparse.issparse(model.sparsify().coef_)
        assert np.array_equal(model.predict(X), before)
        model.partial_fit(X, y)
        model.coef_ = sparse.csr_matrix(coef)
        assert np.array_equal(model.densify().coef_, coef)

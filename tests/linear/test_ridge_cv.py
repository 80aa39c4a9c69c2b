"""RidgeCV: scores from sums are those of explicit refits, and the penalty chosen is the best of the grid."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import RidgeCV as TheirRidgeCV
from sklearn.metrics import get_scorer, make_scorer, mean_absolute_error
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
)

import aprendiz
from aprendiz import Ridge, RidgeCV
from aprendiz.preprocessing import StandardScaler

RNG = np.random.default_rng(9)
X = RNG.normal(size=(40, 4)) @ RNG.normal(size=(4, 4)) + [3, -1, 0, 10]
Y = X @ [1.0, -2.0, 0.5, 0.0] + 4 + 2 * RNG.normal(size=40)
TARGETS = np.column_stack([Y, X[:, 0] ** 2, RNG.normal(size=40)])
WEIGHT = RNG.uniform(0.2, 3, size=40)
WIDE = RNG.normal(size=(12, 30)) + RNG.normal(size=30)
WIDE_Y = WIDE[:, :3].sum(axis=1) + RNG.normal(size=12)
TABLES = {"tall": (X[:15], Y[:15]), "several targets": (X[:15], TARGETS[:15]), "wide": (WIDE, WIDE_Y), "square": (X[:4], Y[:4])}
ALPHAS = np.array([1e-2, 0.3, 1.0, 20.0])


def refits(table, y, alphas, weight=None, intercept=True):
    """What n fits, each without one row, say of the row left out: (rows, targets, penalties)."""
    said = np.empty((len(table), y.reshape(len(y), -1).shape[1], len(alphas)))
    for row in range(len(table)):
        others = np.arange(len(table)) != row
        for a, alpha in enumerate(alphas):
            model = Ridge(alpha, fit_intercept=intercept).fit(
                table[others], y[others], None if weight is None else weight[others]
            )
            said[row, :, a] = model.predict(table[row : row + 1])
    return said


def fold_scores(splits, table, y, alphas, scorer, weight=None, intercept=True):
    """The mean over the splits of a scorer's judgement of refitted models."""
    scores = []
    for train, test in splits:
        w, v = (None, None) if weight is None else (weight[train], weight[test])
        models = [Ridge(alpha, fit_intercept=intercept).fit(table[train], y[train], w) for alpha in alphas]
        scores.append([scorer(model, table[test], y[test], **({} if v is None else {"sample_weight": v})) for model in models])
    return np.mean(scores, axis=0)


# ---- leave-one-out ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_is_n_refits(name, intercept, weighted):
    """Squared errors, scores, choice and final coefficients are those of n explicit fits, each without one row."""
    table, y = TABLES[name]
    weight = WEIGHT[: len(table)] if weighted else None
    model = RidgeCV(ALPHAS, fit_intercept=intercept, store_cv_results=True).fit(table, y, weight)
    errors = y.reshape(len(y), -1)[:, :, None] - refits(table, y, ALPHAS, weight, intercept)
    squares = (np.ones(len(y)) if weight is None else weight)[:, None, None] * errors**2
    np.testing.assert_allclose(model.cv_results_, squares[:, 0] if y.ndim == 1 else squares, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(model.scores_, -squares.mean(axis=(0, 1)), rtol=1e-8)
    assert model.alpha_ == ALPHAS[model.scores_.argmax()]
    assert model.best_score_ == model.scores_.max()
    final = Ridge(model.alpha_, fit_intercept=intercept).fit(table, y, weight)
    np.testing.assert_allclose(model.coef_, final.coef_, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(model.intercept_, final.intercept_, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("scoring", [None, "r2", "neg_mean_absolute_error"])
def test_leave_one_out_as_in_scikit_learn(name, intercept, weighted, scoring):
    """Choice, score, stored results and coefficients; weights too."""
    table, y = TABLES[name]
    weight = WEIGHT[: len(table)] if weighted else None
    parameters = {"alphas": ALPHAS, "fit_intercept": intercept, "store_cv_results": True, "scoring": scoring}
    ours, theirs = (cls(**parameters).fit(table, y, weight) for cls in (RidgeCV, TheirRidgeCV))
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-8)
    assert ours.cv_results_.shape == theirs.cv_results_.shape
    np.testing.assert_allclose(ours.cv_results_, theirs.cv_results_, rtol=1e-6, atol=1e-10)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("scoring", [None, "neg_mean_squared_error", "r2"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_a_penalty_for_each_target(scoring, weight):
    """Each target gets the penalty that it would get alone."""
    alphas = np.logspace(-3, 3, 7)
    ours, theirs = (
        cls(alphas, alpha_per_target=True, scoring=scoring).fit(X, TARGETS, weight) for cls in (RidgeCV, TheirRidgeCV)
    )
    assert len(set(ours.alpha_)) > 1
    np.testing.assert_array_equal(ours.alpha_, theirs.alpha_)
    np.testing.assert_allclose(ours.best_score_, theirs.best_score_, rtol=1e-9)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-11)
    assert ours.scores_.shape == (3, 7)
    for j in range(3):
        alone = RidgeCV(alphas, scoring=scoring).fit(X, TARGETS[:, j], weight)
        assert ours.alpha_[j] == alone.alpha_
        np.testing.assert_allclose(ours.scores_[j], alone.scores_, rtol=1e-9)
        np.testing.assert_allclose(ours.coef_[j], alone.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("y", [Y, Y[:, None]], ids=["vector", "one column"])
@pytest.mark.parametrize("per_target", [False, True])
def test_shapes_of_a_single_target(y, per_target):
    """One target, as a vector or as a column: the shapes of scikit-learn."""
    ours, theirs = (
        cls(ALPHAS, alpha_per_target=per_target, store_cv_results=True).fit(X, y) for cls in (RidgeCV, TheirRidgeCV)
    )
    for name in ("alpha_", "best_score_", "coef_", "intercept_", "cv_results_"):
        assert np.shape(getattr(ours, name)) == np.shape(getattr(theirs, name)), name
    assert ours.predict(X).shape == theirs.predict(X).shape


def test_degrees_of_freedom():
    """The certificate counts Σ s²/(s² + α), which is the trace of the hat matrix less one, and tells an end of the grid."""
    model = RidgeCV([0.1, 1.0, 10.0, 100.0]).fit(X, Y)
    Z = X - X.mean(axis=0)
    hat = Z @ np.linalg.solve(Z.T @ Z + model.alpha_ * np.eye(4), Z.T)
    assert model.certificate_.degrees == pytest.approx(np.trace(hat), rel=1e-11)
    assert model.certificate_.alpha == model.alpha_
    inner = RidgeCV(model.alpha_ * np.array([0.1, 1.0, 10.0])).fit(X, Y)
    at_end = RidgeCV(model.alpha_ * np.array([1.0, 1e4])).fit(X, Y)
    assert inner.certificate_.holds
    assert not at_end.certificate_.holds


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize("cv", [None, 4])
def test_sparse(form, cv):
    """A sparse table is judged as the dense one."""
    rng = np.random.default_rng(0)
    table = sparse.random(60, 6, density=0.4, random_state=0).toarray()
    y = table.sum(axis=1) + 0.3 * rng.normal(size=60)
    ours, dense = (RidgeCV(ALPHAS, cv=cv).fit(rows, y) for rows in (form(table), table))
    np.testing.assert_allclose(ours.scores_, dense.scores_, rtol=1e-11)
    np.testing.assert_allclose(ours.coef_, dense.coef_, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("offset", [1e6, 1e8])
@pytest.mark.parametrize("cv", [None, 5])
def test_large_offset(offset, cv):
    """Columns of whole numbers far from zero: the same scores as near it, but for the rounding of b = ȳ − x̄ᵀw."""
    table = np.round(4 * X)
    near, far = RidgeCV(ALPHAS, cv=cv).fit(table, Y), RidgeCV(ALPHAS, cv=cv).fit(table + offset, Y)
    np.testing.assert_allclose(far.scores_, near.scores_, rtol=1e-9 + 10 * np.finfo(float).eps * offset)
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-10, atol=1e-12)


def test_whole_weights_do_not_count_rows():
    """A row of weight 2 is left out as a whole; two rows of weight 1 one by one. Weight 0 leaves it out for good."""
    weight = np.where(np.arange(40) < 30, 1.0, 0.0)
    some = RidgeCV(ALPHAS).fit(X, Y, weight)
    less = RidgeCV(ALPHAS).fit(X[:30], Y[:30])
    np.testing.assert_allclose(some.scores_ * 40, less.scores_ * 30, rtol=1e-10)
    assert some.alpha_ == less.alpha_
    np.testing.assert_allclose(some.coef_, less.coef_, rtol=1e-11, atol=1e-13)


# ---- digits of leave-one-out -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [1e-2, 1e-5, 1e-8])
@pytest.mark.parametrize("intercept", [True, False])
def test_small_penalties_on_wide_data(alpha, intercept):
    """Nearly every row is fitted, and 1 − h ≈ α/s² keeps no more than ε·s²/α of its digits; s² is about 50 here."""
    model = RidgeCV([alpha], fit_intercept=intercept, store_cv_results=True).fit(WIDE, WIDE_Y)
    errors = WIDE_Y - refits(WIDE, WIDE_Y, [alpha], intercept=intercept)[:, 0, 0]
    roundings = 400 * np.finfo(float).eps * 50 / alpha  # a few hundred: twelve rows are rotated, then eigenvectors are found
    np.testing.assert_allclose(model.cv_results_[:, 0], errors**2, rtol=1e-11 + roundings)


@pytest.mark.parametrize("gap", [1e-3, 1e-4])
@pytest.mark.parametrize("cv", [None, 5])
def test_columns_that_nearly_coincide(gap, cv):
    """Scores of nearly dependent columns with a small penalty are those of refits, to six digits."""
    near = np.column_stack([X[:, 0], X[:, 0] + gap * X[:, 1], X[:, 2]])
    alphas = gap**2 * np.array([1e-2, 1.0])
    model = RidgeCV(alphas, cv=cv, scoring=None if cv is None else "neg_mean_squared_error").fit(near, Y)
    if cv is None:
        expected = -((Y[:, None] - refits(near, Y, alphas)[:, 0]) ** 2).mean(axis=0)
    else:
        expected = fold_scores(KFold(cv).split(near), near, Y, alphas, get_scorer("neg_mean_squared_error"))
    np.testing.assert_allclose(model.scores_, expected, rtol=1e-6)


# ---- folds -----------------------------------------------------------------------------------------------------------

FROM_SUMS = [None, "r2", "neg_mean_squared_error", "neg_root_mean_squared_error"]
FROM_ROWS = ["neg_mean_absolute_error", "neg_median_absolute_error", "explained_variance"]


@pytest.mark.parametrize("scoring", [*FROM_SUMS, *FROM_ROWS])
@pytest.mark.parametrize("name", ["vector", "several targets"])
@pytest.mark.parametrize("intercept", [True, False])
def test_folds_are_refits(scoring, name, intercept):
    """With cv=5 the scores are the means over five explicit refits, for every score and any number of targets."""
    y = Y if name == "vector" else TARGETS
    model = RidgeCV(ALPHAS, cv=5, scoring=scoring, fit_intercept=intercept).fit(X, y)
    expected = fold_scores(KFold(5).split(X), X, y, ALPHAS, get_scorer(scoring or "r2"), intercept=intercept)
    np.testing.assert_allclose(model.scores_, expected, rtol=1e-9, atol=1e-11)
    theirs = TheirRidgeCV(ALPHAS, cv=5, scoring=scoring, fit_intercept=intercept).fit(X, y)
    assert model.alpha_ == theirs.alpha_
    assert model.best_score_ == pytest.approx(theirs.best_score_, rel=1e-9)
    np.testing.assert_allclose(model.coef_, theirs.coef_, rtol=1e-8, atol=1e-11)


ONE_POSITIVE_TARGET = [
    "neg_max_error",
    "d2_absolute_error_score",
    "neg_mean_absolute_percentage_error",
    "neg_mean_squared_log_error",
    "neg_root_mean_squared_log_error",
    "neg_mean_poisson_deviance",
    "neg_mean_gamma_deviance",
]


@pytest.mark.parametrize("scoring", ONE_POSITIVE_TARGET)
@pytest.mark.parametrize("cv", [None, 5])
def test_scores_of_positive_targets(scoring, cv):
    """Scores that need one target or positive predictions, by leave-one-out and by folds: as in scikit-learn."""
    y = 50 + Y
    ours, theirs = (cls(ALPHAS, cv=cv, scoring=scoring).fit(X, y) for cls in (RidgeCV, TheirRidgeCV))
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-8)


@pytest.mark.parametrize("scoring", [*FROM_SUMS, "neg_mean_absolute_error"])
def test_folds_with_weights(scoring):
    """Weights count in the fits and in the scores of the rows left out."""
    model = RidgeCV(ALPHAS, cv=4, scoring=scoring).fit(X, Y, WEIGHT)
    expected = fold_scores(KFold(4).split(X), X, Y, ALPHAS, get_scorer(scoring or "r2"), WEIGHT)
    np.testing.assert_allclose(model.scores_, expected, rtol=1e-9)


GROUPS = RNG.integers(0, 3, size=40)
PARTITIONS = {
    "shuffled": KFold(4, shuffle=True, random_state=0),
    "predefined": PredefinedSplit(GROUPS),
    "list": [(np.setdiff1d(np.arange(40), part), part) for part in np.array_split(RNG.permutation(40), 3)],
    "groups": list(GroupKFold(3).split(X, Y, GROUPS)),
}
OTHERS = {
    "random": ShuffleSplit(5, test_size=0.3, random_state=0),
    "repeated": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    "later rows": TimeSeriesSplit(4),
    "some rows": PredefinedSplit(np.where(GROUPS == 2, -1, GROUPS)),
    "random parts": ShuffleSplit(5, test_size=0.3, train_size=0.4, random_state=0),
    "one split": [(np.arange(25), np.arange(25, 40))],
    "gaps": [(np.arange(10, 20), np.arange(20, 40)), (np.arange(30, 40), np.arange(20))],
}


@pytest.mark.parametrize("name", [*PARTITIONS, *OTHERS])
@pytest.mark.parametrize("scoring", ["neg_mean_squared_error", "neg_mean_absolute_error"])
def test_any_splitter(name, scoring):
    """Folds or not, overlapping, partial, ordered: each split is scored by its own refit, and the fit is to all rows."""
    cv = {**PARTITIONS, **OTHERS}[name]
    splits = cv if isinstance(cv, list) else list(cv.split(X, Y))
    model = RidgeCV(ALPHAS, cv=cv, scoring=scoring).fit(X, Y)
    np.testing.assert_allclose(model.scores_, fold_scores(splits, X, Y, ALPHAS, get_scorer(scoring)), rtol=1e-9)
    final = Ridge(model.alpha_).fit(X, Y)
    np.testing.assert_allclose(model.coef_, final.coef_, rtol=1e-10, atol=1e-13)


def test_training_rows_that_repeat():
    """Training rows drawn with repetition are as many as all others, yet not all others."""
    rng = np.random.default_rng(0)
    splits = []
    for test in np.array_split(np.arange(40), 4):
        others = np.setdiff1d(np.arange(40), test)
        splits.append((rng.choice(others, size=len(others)), test))
    model = RidgeCV(ALPHAS, cv=splits, scoring="neg_mean_squared_error").fit(X, Y)
    expected = fold_scores(splits, X, Y, ALPHAS, get_scorer("neg_mean_squared_error"))
    np.testing.assert_allclose(model.scores_, expected, rtol=1e-9)


def test_folds_of_one_row():
    """LeaveOneOut as a splitter gives the scores of cv=None."""
    folds = RidgeCV(ALPHAS, cv=LeaveOneOut(), scoring="neg_mean_squared_error").fit(X, Y)
    np.testing.assert_allclose(folds.scores_, RidgeCV(ALPHAS).fit(X, Y).scores_, rtol=1e-10)


@pytest.mark.parametrize("unit", [1.0, 0.1, 1 / 3])
def test_folds_whose_target_is_constant(unit):
    """A fold without any variance of y has R² 0, as in scikit-learn, in any unit of y: rounding is not divided by."""
    y = np.repeat([1.0, 2.0, 4.0, 8.0], 10)
    model = RidgeCV(ALPHAS, cv=4).fit(X, unit * y)
    expected = fold_scores(KFold(4).split(X), X, y, ALPHAS, get_scorer("r2"))
    np.testing.assert_allclose(model.scores_, expected, atol=1e-9)


@pytest.mark.parametrize("scoring", ["neg_mean_squared_error", "r2"])
def test_folds_without_weight(scoring):
    """A fold whose rows all have weight 0 says nothing: it is left out or refused, and never decides."""
    weight = np.where(np.arange(40) < 10, 0.0, 1.0)
    try:
        model = RidgeCV(ALPHAS, cv=4, scoring=scoring).fit(X, Y, weight)
    except ValueError as error:
        assert "weight" in str(error)  # noqa: PT017  a refusal is as good
    else:
        rest = [(train, test) for train, test in KFold(4).split(X) if weight[test].any()]
        expected = fold_scores(rest, X, Y, ALPHAS, get_scorer(scoring), weight)
        np.testing.assert_allclose(model.scores_, expected, rtol=1e-9)


def test_a_function_as_score():
    """A scorer of the user's own, by leave-one-out and by folds."""
    scorer = make_scorer(mean_absolute_error, greater_is_better=False)
    for cv in (None, 5):
        own, named = (RidgeCV(ALPHAS, cv=cv, scoring=scoring).fit(X, Y) for scoring in (scorer, "neg_mean_absolute_error"))
        np.testing.assert_array_equal(own.scores_, named.scores_)


def test_a_fold_with_an_outlier_takes_no_digits():
    """One enormous row: its own fold has an enormous error, the others are scored as if it had never been summed."""
    table, y = X.copy(), Y.copy()
    table[0, 0], y[0] = 1e9, -1e9
    model = RidgeCV([1.0], cv=5, scoring="neg_mean_squared_error").fit(table, y)
    expected = fold_scores(KFold(5).split(table), table, y, [1.0], get_scorer("neg_mean_squared_error"))
    np.testing.assert_allclose(model.scores_, expected, rtol=1e-7)


# ---- parameters ------------------------------------------------------------------------------------------------------


def test_one_penalty():
    """A single penalty, as a number or a list: the fit with it."""
    for alphas in (2.0, [2.0], np.array([2.0])):
        model = RidgeCV(alphas).fit(X, Y)
        assert model.alpha_ == 2.0
        np.testing.assert_allclose(model.coef_, Ridge(2.0).fit(X, Y).coef_, rtol=1e-11, atol=1e-13)


def test_ties_go_to_the_first():
    """Equal scores: the penalty that stands first, as in scikit-learn."""
    alphas = [3.0, 1.0, 1.0, 3.0]
    for cv in (None, 4):
        assert (
            RidgeCV(alphas, cv=cv).fit(X, np.zeros(40)).alpha_ == TheirRidgeCV(alphas, cv=cv).fit(X, np.zeros(40)).alpha_ == 3.0
        )


@pytest.mark.parametrize("alphas", [[0.0, 1.0], [1.0, -1.0], [np.nan], [np.inf]])
def test_penalties_that_are_none(alphas):
    """Leave-one-out needs penalties above 0; the refusal names the place in the list."""
    index = int(np.flatnonzero(~(np.isfinite(alphas) & (np.array(alphas) > 0)))[0])
    with pytest.raises(ValueError, match=rf"alphas\[{index}\]"):
        RidgeCV(alphas).fit(X, Y)


def test_no_penalty_at_all():
    """An empty grid is refused; without leave-one-out α = 0 is allowed and is least squares."""
    with pytest.raises(ValueError, match="empty"):
        RidgeCV([]).fit(X, Y)
    model = RidgeCV([0.0, 1e6], cv=5).fit(X, Y)
    assert model.alpha_ == 0.0
    np.testing.assert_allclose(model.coef_, np.linalg.lstsq(X - X.mean(axis=0), Y - Y.mean())[0], rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("name", ["store_cv_results", "alpha_per_target"])
def test_what_belongs_to_leave_one_out(name):
    """Results of single rows and penalties of single targets exist for leave-one-out only."""
    with pytest.raises(ValueError, match=f"cv!=None and {name}=True"):
        RidgeCV(cv=3, **{name: True}).fit(X, TARGETS)


def test_single_rows_are_refused():
    """One row cannot be left out; nor can there be more folds than rows."""
    with pytest.raises(ValueError, match="two rows"):
        RidgeCV().fit(X[:1], Y[:1])
    with pytest.raises(ValueError, match="two rows"):
        RidgeCV().fit(X[:3], Y[:3], [0.0, 1.0, 0.0])
    with pytest.raises(ValueError, match="5"):
        RidgeCV(cv=5).fit(X[:3], Y[:3])


# ---- files -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def stored(tmp_path):
    """The table in a file, in pieces that are not its folds."""
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=Y, w=WEIGHT)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=7)
    return lambda weight=None: aprendiz.rows(tmp_path / "t.parquet", target="y", weight=weight, columns=list("abcd"))


@pytest.mark.parametrize("cv", [None, 5, KFold(3)], ids=str)
@pytest.mark.parametrize("scoring", [None, "neg_mean_squared_error", "neg_root_mean_squared_error"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_files(cv, scoring, weight, stored):
    """From a Parquet file: scores, choice and coefficients of the same rows in memory."""
    of_file = RidgeCV(ALPHAS, cv=cv, scoring=scoring).fit(stored(weight))
    in_memory = RidgeCV(ALPHAS, cv=cv, scoring=scoring).fit(X, Y, None if weight is None else WEIGHT)
    np.testing.assert_allclose(of_file.scores_, in_memory.scores_, rtol=1e-11)
    assert of_file.alpha_ == in_memory.alpha_
    np.testing.assert_allclose(of_file.coef_, in_memory.coef_, rtol=1e-11, atol=1e-13)


def test_files_after_a_scaler(stored):
    """Rows that an earlier step changes as they are read are cross-validated as the changed table is."""
    scaler = StandardScaler().fit(X)
    of_file = RidgeCV(ALPHAS, cv=5).fit(StandardScaler().fit(stored()).transform(stored()))
    np.testing.assert_allclose(of_file.scores_, RidgeCV(ALPHAS, cv=5).fit(scaler.transform(X), Y).scores_, rtol=1e-10)


def test_what_files_cannot_do(stored):
    """Splitters that need row numbers, and scores that need rows, are refused with what is possible."""
    with pytest.raises(TypeError, match="number of folds only"):
        RidgeCV(cv=KFold(3, shuffle=True)).fit(stored())
    with pytest.raises(TypeError, match="neg_root_mean_squared_error"):
        RidgeCV(cv=3, scoring="neg_mean_absolute_error").fit(stored())
    with pytest.raises(ValueError, match="cv=41"):
        RidgeCV(cv=41).fit(stored())

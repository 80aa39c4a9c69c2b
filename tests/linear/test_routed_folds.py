"""Cross-validated learners and scikit-learn's routing: groups for the splitter, weights for the scorer."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context, linear_model
from sklearn.metrics import get_scorer
from sklearn.model_selection import GroupKFold
from sklearn.utils.metadata_routing import MetadataRouter

from aprendiz import (
    ElasticNet,
    ElasticNetCV,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    RidgeCV,
    SGDRegressor,
    enet_path,
)

RNG = np.random.default_rng(5)
N = 120
X = RNG.normal(size=(N, 3))
NUMBERS = X @ [2.0, -1.0, 0.5] + RNG.normal(size=N)
CLASSES = (NUMBERS > 0).astype(int)
GROUPS = RNG.integers(0, 6, size=N)
WEIGHT = RNG.uniform(0.1, 3.0, size=N)
FOLDS = GroupKFold(3)
LEARNERS = {
    LassoCV: {},
    ElasticNetCV: {},
    RidgeCV: {"alphas": [0.1, 1.0, 10.0]},
    LogisticRegressionCV: {"Cs": 4, "use_legacy_attributes": False, "scoring": "accuracy", "l1_ratios": (0,)},
}
every = pytest.mark.parametrize("cls", LEARNERS, ids=lambda cls: cls.__name__)


def target(cls):
    return CLASSES if cls is LogisticRegressionCV else NUMBERS


@every
def test_groups_go_to_the_splitter(cls):
    """With them, the fit is that of the splits that they give; scikit-learn's chooses the same penalty."""
    y, settings = target(cls), LEARNERS[cls]
    with config_context(enable_metadata_routing=True):
        routed = cls(cv=FOLDS, **settings).fit(X, y, groups=GROUPS)
        theirs = getattr(linear_model, cls.__name__)(cv=FOLDS, **settings).fit(X, y, groups=GROUPS)
        assert isinstance(routed.get_metadata_routing(), MetadataRouter)
    given = cls(cv=list(FOLDS.split(X, y, GROUPS)), **settings).fit(X, y)
    np.testing.assert_array_equal(routed.coef_, given.coef_)
    chosen = "C_" if cls is LogisticRegressionCV else "alpha_"
    np.testing.assert_allclose(getattr(routed, chosen), getattr(theirs, chosen), rtol=1e-6)
    assert "told" not in vars(routed)


@every
def test_nothing_is_routed_unless_asked(cls):
    """Without routing, more than weights is refused in scikit-learn's class of error; with it, what nobody asks for."""
    with pytest.raises(ValueError, match=r"groups passed to .*enable_metadata_routing=True"):
        cls(cv=FOLDS, **LEARNERS[cls]).fit(X, target(cls), groups=GROUPS)
    with config_context(enable_metadata_routing=True), pytest.raises(TypeError, match="groups"):
        cls(cv=3, **LEARNERS[cls]).fit(X, target(cls), groups=GROUPS)


@pytest.mark.parametrize("asks", [True, False])
def test_weights_go_to_the_scorer_that_asks(asks):
    """Scores of folds and of `score` count weights only if the scorer asks for them."""
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer("accuracy").set_score_request(sample_weight=asks)
        settings = {**LEARNERS[LogisticRegressionCV], "scoring": scorer, "tol": 1e-8}
        ours = LogisticRegressionCV(**settings).fit(X, CLASSES, sample_weight=WEIGHT)
        theirs = linear_model.LogisticRegressionCV(**settings).fit(X, CLASSES, sample_weight=WEIGHT)
        np.testing.assert_allclose(ours.scores_, theirs.scores_, rtol=1e-9)
        if asks:
            assert ours.score(X, CLASSES, sample_weight=WEIGHT) == pytest.approx(theirs.score(X, CLASSES, sample_weight=WEIGHT))
        else:
            with pytest.raises(TypeError, match="sample_weight"):
                ours.score(X, CLASSES, sample_weight=WEIGHT)
        for cls in (RidgeCV, linear_model.RidgeCV):
            assert cls(scoring=get_scorer("r2").set_score_request(sample_weight=asks)).fit(X, NUMBERS, WEIGHT).alpha_ in (
                0.1,
                1,
                10,
            )


def test_scores_of_ridge_by_request():
    """The best leave-one-out score is scikit-learn's, whether weights count in it or not."""
    for asks in (True, False):
        with config_context(enable_metadata_routing=True):
            scorer = get_scorer("neg_mean_absolute_error").set_score_request(sample_weight=asks)
            a, b = (cls(scoring=scorer).fit(X, NUMBERS, WEIGHT) for cls in (RidgeCV, linear_model.RidgeCV))
        assert a.best_score_ == pytest.approx(b.best_score_, rel=1e-8)


def test_intercepts_are_numpy_numbers():
    """As in scikit-learn: they have a shape."""
    assert np.ndim(RidgeCV().fit(X, NUMBERS).intercept_) == 0
    assert RidgeCV().fit(X, NUMBERS).intercept_.shape == ()


# ---- other places where scikit-learn meets our linear models ----------------------------------------------------------------


def test_ransac_knows_linear_regression():
    """RANSACRegressor takes as many rows as a line needs, as with scikit-learn's own LinearRegression."""
    y = np.where(np.arange(N) < 8, 100.0, X @ [2.0, -1.0, 0.5])
    ours, theirs = (
        linear_model.RANSACRegressor(base, random_state=0).fit(X, y)
        for base in (LinearRegression(), linear_model.LinearRegression())
    )
    assert np.array_equal(ours.inlier_mask_, theirs.inlier_mask_)
    np.testing.assert_allclose(ours.estimator_.coef_, theirs.estimator_.coef_, rtol=1e-9)


@pytest.mark.parametrize("cls", [LassoCV, RidgeCV], ids=lambda cls: cls.__name__)
def test_words_among_penalties(cls):
    """Text is refused by its place, not read as a number."""
    with pytest.raises(TypeError, match=r"alphas\[2\] must be a number, got '1'"):
        cls(alphas=(1, 1.0, "1")).fit(X, NUMBERS)


def test_given_penalties_of_several_shares():
    """The penalties that were given are those of each share, in one vector; a constant target has scikit-learn's grid."""
    settings = {"l1_ratio": [0.5, 0.7], "alphas": [0.01, 0.1]}
    ours, theirs = (cls(**settings).fit(X, NUMBERS) for cls in (ElasticNetCV, linear_model.ElasticNetCV))
    np.testing.assert_array_equal(ours.alphas_, theirs.alphas_)
    flat = [cls(alphas=3).fit(X, np.full(N, 5.0)).alphas_ for cls in (LassoCV, linear_model.LassoCV)]
    np.testing.assert_array_equal(*flat)


def test_parameters_of_paths():
    """What scikit-learn is about to forget is warned of; what is unknown is a ValueError too."""
    with pytest.warns(FutureWarning, match="n_alphas is deprecated"):
        assert len(enet_path(X, NUMBERS, n_alphas=4)[0]) == 4
    with pytest.warns(FutureWarning, match="alphas=None is deprecated"):
        assert len(enet_path(X, NUMBERS, alphas=None)[0]) == 100
    with pytest.raises(ValueError, match="no parameter 'normalize'"):
        enet_path(X, NUMBERS, normalize=True)


@pytest.mark.parametrize(("interface", "kind"), [("sparray", sparse.csr_array), ("spmatrix", sparse.csr_matrix)])
def test_kind_of_sparse_coefficients(interface, kind):
    """As scikit-learn's setting asks."""
    with config_context(sparse_interface=interface):
        assert isinstance(ElasticNet().fit(X, NUMBERS).sparse_coef_, kind)
        assert isinstance(LogisticRegression().fit(X, CLASSES).sparsify().coef_, kind)
        assert isinstance(SGDRegressor(random_state=0).fit(X, NUMBERS).sparsify().coef_, kind)

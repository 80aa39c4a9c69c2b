"""Likelihoods, parameters and criteria: closed forms, densities of SciPy added up by hand, and what cannot be compared."""

import warnings
from math import lgamma, log, pi

import numpy as np
import pytest
from scipy.linalg import LinAlgWarning
from scipy.special import betaln
from scipy.stats import multinomial, multivariate_normal, norm
from sklearn.linear_model import LinearRegression as FromElsewhere
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from aprendiz import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    DiagonalDiscriminantAnalysis,
    ElasticNet,
    GaussianMixture,
    GaussianNB,
    KMeans,
    Lasso,
    LinearDiscriminantAnalysis,
    LinearRegression,
    LogisticRegression,
    MixtureModel,
    MultinomialNB,
    NaiveBayes,
    NearestMean,
    NearestShrunkenCentroids,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
    Ridge,
    StandardScaler,
)
from aprendiz.bayes import HypothesisSpace
from aprendiz.bayes.distributions import Beta, Gaussian
from aprendiz.evaluation import criteria
from aprendiz.locale import language

RANDOM = np.random.default_rng(8)
X = RANDOM.normal(size=(80, 3))
T = X @ [1.0, -2.0, 0.0] + 0.5 + RANDOM.normal(size=80)
K = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + RANDOM.normal(size=80), [-0.5, 0.7])]
BINARY = (X > 0).astype(float)
COUNTS = RANDOM.poisson(2.0, size=(80, 4)).astype(float)
CODES = np.column_stack([RANDOM.integers(0, 3, 80), RANDOM.integers(0, 2, 80)])
CODES[:3] = [[0, 0], [1, 1], [2, 0]]


def of_classes(density, classes=("a", "b", "c")):
    """Σ ln p of each row under its own class; density(k) gives ln π_k p(x | k) of all rows."""
    return sum(density(k)[label == K].sum() for k, label in enumerate(classes))


# ---- p(y | x) ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [LinearRegression, FromElsewhere])
def test_least_squares(kind):
    """−n/2·(ln 2π + ln RSS/n + 1), k = slopes, intercept and σ; the same densities one by one; R's AIC and BIC follow."""
    model = kind().fit(X, T)
    residuals = T - model.predict(X)
    rss, n = residuals @ residuals, len(T)
    ln = criteria.log_likelihood(model, X, T)
    assert ln == pytest.approx(-n / 2 * (log(2 * pi) + log(rss / n) + 1), rel=1e-12)
    assert ln == pytest.approx(norm.logpdf(residuals, scale=np.sqrt(rss / n)).sum(), rel=1e-12)
    assert criteria.n_parameters(model) == 5
    assert criteria.aic(model, X, T) == pytest.approx(-2 * ln + 10, rel=1e-14)
    assert criteria.bic(model, X, T) == pytest.approx(-2 * ln + 5 * log(80), rel=1e-14)
    assert criteria.aicc(model, X, T) == pytest.approx(-2 * ln + 10 + 2 * 5 * 6 / 74, rel=1e-14)


def test_stopping_distances_as_r_has_them():
    """The table `cars` of R: logLik(lm(dist ~ speed)) −206.5784 with 3 parameters, AIC 419.1569, BIC 424.8929."""
    speeds = [4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 25]
    speed = np.repeat(speeds, [2, 2, 1, 1, 3, 2, 4, 4, 4, 3, 2, 3, 4, 3, 5, 1, 1, 4, 1]).astype(float)
    distance = [2, 10, 4, 22, 16, 10, 18, 26, 34, 17, 28, 14, 20, 24, 28, 26, 34, 34, 46, 26, 36, 60, 80, 20, 26]
    distance += [54, 32, 40, 32, 40, 50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85]
    model = LinearRegression().fit(speed[:, None], distance)
    assert criteria.log_likelihood(model, speed[:, None], distance) == pytest.approx(-206.5784, abs=5e-5)
    assert criteria.n_parameters(model) == 3
    assert criteria.aic(model, speed[:, None], distance) == pytest.approx(419.1569, abs=5e-5)
    assert criteria.bic(model, speed[:, None], distance) == pytest.approx(424.8929, abs=5e-5)


def test_least_squares_agrees_with_its_summary():
    """One number in both places; a column that depends on others counts once, no intercept is not counted."""
    for model, table in (
        (LinearRegression(), X),
        (LinearRegression(fit_intercept=False), X),
        (LinearRegression(), np.column_stack([X[:, 0], 2 * X[:, 0], np.ones(80)])),
    ):
        model.fit(table, T)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LinAlgWarning)
            summary = model.summary()
        assert criteria.log_likelihood(model, table, T) == pytest.approx(summary.log_likelihood, rel=1e-10)
        assert criteria.aic(model, table, T) == pytest.approx(summary.aic, rel=1e-10)
        assert criteria.bic(model, table, T) == pytest.approx(summary.bic, rel=1e-10)


def test_degrees_of_freedom_are_how_much_predictions_follow_the_targets():
    """Σ dŷ_i/dy_i, by moving each target in turn, is what ridge and elastic net count beside σ."""
    for model in (
        Ridge(alpha=7.0),
        Ridge(alpha=7.0, fit_intercept=False),
        ElasticNet(alpha=0.2, tol=1e-12),
        Lasso(alpha=0.2, tol=1e-12),
    ):
        moves = []
        for i in range(len(T)):
            up, down = T.copy(), T.copy()
            up[i], down[i] = T[i] + 1e-3, T[i] - 1e-3
            moves.append((model.fit(X, up).predict(X)[i] - model.fit(X, down).predict(X)[i]) / 2e-3)
        model.fit(X, T)
        assert criteria.n_parameters(model, X) == pytest.approx(sum(moves) + 1, abs=2e-3)


def test_penalties_take_freedom_away():
    """From least squares to a constant."""
    found = [criteria.n_parameters(Ridge(alpha=alpha).fit(X, T), X) for alpha in (1e-9, 1.0, 100.0, 1e12)]
    assert found[0] == pytest.approx(5, abs=1e-6)
    assert (np.diff(found) < 0).all()
    assert found[-1] == pytest.approx(2, abs=1e-6)
    assert criteria.n_parameters(Lasso(alpha=100.0).fit(X, T), X) == 2
    with pytest.raises(ValueError, match="depend on the rows of its fit: give X"):
        criteria.n_parameters(Ridge().fit(X, T))


def test_logistic():
    """Σ ln P(y | x); K − 1 functions of d + 1 numbers."""
    model = LogisticRegression(C=np.inf).fit(X, K)
    p = model.predict_proba(X)
    ln = np.log(p[np.arange(80), np.searchsorted(model.classes_, K)]).sum()
    assert criteria.log_likelihood(model, X, K) == pytest.approx(ln, rel=1e-12)
    assert criteria.n_parameters(model) == 2 * 4
    two = LogisticRegression(C=np.inf).fit(X, T > 0)
    assert criteria.n_parameters(two) == 4
    assert criteria.aic(two, X, T > 0) == pytest.approx(-2 * criteria.log_likelihood(two, X, T > 0) + 8, rel=1e-14)


def test_the_null_model_by_hand():
    """An intercept alone: n·(p ln p + q ln q)."""
    nothing = np.zeros((80, 1))
    model = LogisticRegression(C=np.inf).fit(nothing, T > 0)
    p = (T > 0).mean()
    assert criteria.log_likelihood(model, nothing, T > 0) == pytest.approx(80 * (p * log(p) + (1 - p) * log(1 - p)), rel=1e-8)


# ---- p(x, y) -----------------------------------------------------------------------------------------------------------


def test_discriminants_against_densities():
    """Normal densities of SciPy with the means, covariances and priors of the models."""
    for model in (QuadraticDiscriminantAnalysis(store_covariance=True), LinearDiscriminantAnalysis(store_covariance=True)):
        model.fit(X, K)
        C = model.covariance_ if isinstance(model.covariance_, list) else [model.covariance_] * 3
        ln = of_classes(lambda k, m=model, C=C: log(m.priors_[k]) + multivariate_normal(m.means_[k], C[k]).logpdf(X))
        assert criteria.log_likelihood(model, X, K) == pytest.approx(ln, rel=1e-9)
    model = NearestMean().fit(X, K)
    ln = of_classes(lambda k: log(1 / 3) + norm.logpdf(X, model.means_[k], np.sqrt(model.variance_)).sum(axis=1))
    assert criteria.log_likelihood(model, X, K) == pytest.approx(ln, rel=1e-9)


def test_naive_bayes_against_densities():
    model = GaussianNB().fit(X, K)
    ln = of_classes(lambda k: log(model.class_prior_[k]) + norm.logpdf(X, model.theta_[k], np.sqrt(model.var_[k])).sum(axis=1))
    assert criteria.log_likelihood(model, X, K) == pytest.approx(ln, rel=1e-9)
    words = MultinomialNB().fit(COUNTS, K)
    p = np.exp(words.feature_log_prob_)
    totals = COUNTS.sum(axis=1).astype(int)
    ln = of_classes(lambda k: words.class_log_prior_[k] + multinomial.logpmf(COUNTS, totals, p[k] / p[k].sum()))
    assert criteria.log_likelihood(words, COUNTS, K) == pytest.approx(ln, rel=1e-9)
    yes = BernoulliNB().fit(BINARY, K)
    q = np.exp(yes.feature_log_prob_)
    ln = of_classes(lambda k: yes.class_log_prior_[k] + np.log(np.where(BINARY == 1, q[k], 1 - q[k])).sum(axis=1))
    assert criteria.log_likelihood(yes, BINARY, K) == pytest.approx(ln, rel=1e-9)


def test_parameters_of_generative_classifiers():
    """By hand, K = 3: without priors, and with the two that were estimated."""
    own = {
        QuadraticDiscriminantAnalysis(): 3 * (3 + 6),
        RegularizedDiscriminantAnalysis(): 3 * (3 + 6),
        LinearDiscriminantAnalysis(): 3 * 3 + 6,
        DiagonalDiscriminantAnalysis(): 3 * 3 + 3,
        GaussianNB(): 2 * 3 * 3,
        NaiveBayes(): 2 * 3 * 3,
        NearestMean(priors="shares"): 3 * 3 + 1,
    }
    for model, count in own.items():
        model.fit(X, K)
        assert criteria.n_parameters(model, priors=False) == count, model
        assert criteria.n_parameters(model) == count + 2, model
    assert criteria.n_parameters(NearestMean().fit(X, K), priors=False) == 9
    assert criteria.n_parameters(NearestMean().fit(X, K)) == 10  # σ², no priors
    assert criteria.n_parameters(LinearDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]).fit(X, K)) == 15
    assert criteria.n_parameters(CategoricalNB().fit(CODES, K), priors=False) == 3 * (2 + 1)
    assert criteria.n_parameters(BernoulliNB().fit(BINARY, K), priors=False) == 9
    assert criteria.n_parameters(BernoulliNB(fit_prior=False).fit(BINARY, K)) == 9
    assert criteria.n_parameters(MultinomialNB().fit(COUNTS, K), priors=False) == 9
    model = NearestShrunkenCentroids(shrink_threshold=0.0).fit(X, K)
    assert criteria.n_parameters(model, priors=False) == model.n_parameters_


# ---- p(x) --------------------------------------------------------------------------------------------------------------


def test_mixtures_and_distributions():
    """One place: their own AIC and BIC are these. A mixture of one component is a normal distribution."""
    model = GaussianMixture(2, random_state=0).fit(X)
    assert criteria.aic(model, X) == pytest.approx(model.aic(X), rel=1e-12)
    assert criteria.bic(model, X) == pytest.approx(model.bic(X), rel=1e-12)
    free = MixtureModel(Gaussian, 2, random_state=0).fit(X[:, :1])
    assert criteria.bic(free, X[:, :1]) == pytest.approx(free.bic(X[:, :1]), rel=1e-12)
    one, alone = GaussianMixture(1, reg_covar=0.0).fit(X[:, :1]), Gaussian.fit(X[:, 0])
    assert criteria.log_likelihood(one, X[:, :1]) == pytest.approx(criteria.log_likelihood(alone, X[:, 0]), rel=1e-9)
    assert criteria.n_parameters(one) == criteria.n_parameters(alone) == 2


# ---- evidence ----------------------------------------------------------------------------------------------------------


def test_evidence():
    """∫ θ³(1 − θ) dθ = 1/20; products of Beta and Dirichlet integrals by hand; a sum over hypotheses."""
    assert criteria.evidence(Beta(1, 1), [1, 1, 1, 0], log=False) == pytest.approx(1 / 20, rel=1e-12)
    yes = BernoulliNB(alpha=0.5).fit(BINARY, K)
    ln = 0.0
    for label in yes.classes_:
        rows = BINARY[label == K]
        ones = rows.sum(axis=0)
        ln += (betaln(ones + 0.5, len(rows) - ones + 0.5) - betaln(0.5, 0.5)).sum()
    assert criteria.evidence(yes, BINARY, K) == pytest.approx(ln, rel=1e-12)
    space = HypothesisSpace({"even": {2, 4, 6}, "all": set(range(1, 7))})
    assert criteria.evidence(space, [2], log=False) == pytest.approx((1 / 3 + 1 / 6) / 2, rel=1e-12)


def test_evidence_is_a_product_of_predictions():
    """The chain rule: each row predicted by the posterior of those before, whatever the order."""
    categories = CategoricalNB(alpha=2.0, min_categories=[3, 2]).fit(CODES, K)
    ln = 0.0
    for label in "abc":
        for j, size in enumerate((3, 2)):
            counts = np.full(size, 2.0)
            for code in CODES[label == K, j][::-1]:
                ln += log(counts[code] / counts.sum())
                counts[code] += 1
    assert criteria.evidence(categories, CODES, K) == pytest.approx(ln, rel=1e-12)
    words = MultinomialNB(alpha=1.0).fit(COUNTS, K)
    ln = 0.0
    for label in "abc":
        counts = np.ones(4)
        for row in COUNTS[label == K]:  # Dirichlet-multinomial of the next row
            n, A = row.sum(), counts.sum()
            ln += lgamma(n + 1) + lgamma(A) - lgamma(n + A)
            ln += sum(lgamma(c + x) - lgamma(c) - lgamma(x + 1) for c, x in zip(counts, row, strict=True))
            counts += row
    assert criteria.evidence(words, COUNTS, K) == pytest.approx(ln, rel=1e-11)


def test_bic_is_near_the_evidence():
    """−BIC/2 and ln p(x) differ by a number that does not grow with n."""
    gaps = []
    for n in (200, 20_000):
        x = (np.arange(n) % 3 == 0).astype(float)[:, None]
        y = np.arange(n) % 2
        model = BernoulliNB(alpha=1.0, fit_prior=False).fit(x, y)
        joint = criteria.evidence(model, x, y) + n * log(0.5)
        gaps.append(joint + criteria.bic(model, x, y) / 2)
    assert gaps[0] == pytest.approx(gaps[1], abs=1.0)


# ---- tables ------------------------------------------------------------------------------------------------------------


def test_table():
    """Ordered by the criterion, with differences and weights that sum to 1."""
    models = {"quadratic": QuadraticDiscriminantAnalysis().fit(X, K), "linear": LinearDiscriminantAnalysis().fit(X, K)}
    found = criteria.table(models, X, K, by="bic")
    for j, name in enumerate(found.names):
        assert found.bic[j] == criteria.bic(models[name], X, K)
        assert found.aicc[j] == criteria.aicc(models[name], X, K)
    assert (np.diff(found.bic) >= 0).all()
    assert found.best == found.names[0] == "linear"
    relative = np.exp(-(found.bic - found.bic.min()) / 2)
    assert found.weights == pytest.approx(relative / relative.sum(), rel=1e-12)
    assert found.differences[0] == 0.0
    frame = found.frame()
    assert list(frame.index) == list(found.names)
    assert frame["weight"].sum() == pytest.approx(1.0)


def test_the_price_of_a_useless_column():
    """One that explains nothing, at right angles to all others and to y, costs 2 by AIC and ln n by BIC."""
    known = np.column_stack([np.ones(80), X, T])
    useless = RANDOM.normal(size=80)
    useless -= known @ np.linalg.lstsq(known, useless, rcond=None)[0]
    wide = np.column_stack([X, useless])
    small, large = LinearRegression().fit(X, T), LinearRegression().fit(wide, T)
    assert criteria.aic(large, wide, T) - criteria.aic(small, X, T) == pytest.approx(2.0, abs=1e-9)
    assert criteria.bic(large, wide, T) - criteria.bic(small, X, T) == pytest.approx(log(80), abs=1e-9)


def test_pipelines():
    """A polynomial of a degree is least squares on monomials; the density of changed columns is not that of X."""
    x = X[:, :1]
    curves = {d: make_pipeline(PolynomialFeatures(d, include_bias=False), LinearRegression()).fit(x, T) for d in (1, 2)}
    by_hand = LinearRegression().fit(np.column_stack([x, x**2]), T)
    assert criteria.aic(curves[2], x, T) == pytest.approx(criteria.aic(by_hand, np.column_stack([x, x**2]), T), rel=1e-12)
    assert criteria.n_parameters(curves[2]) == 4
    assert criteria.table(curves, x, T).n_parameters.tolist() in ([3, 4], [4, 3])
    with pytest.raises(TypeError, match="not of X: fit it to X"):
        criteria.aic(make_pipeline(StandardScaler(), GaussianNB()).fit(X, K), X, K)


def test_aicc_of_few_rows():
    """n ≤ k + 1: infinite, and without weight unless all are."""
    few = LinearRegression().fit(X[:6], T[:6])
    assert criteria.aicc(few, X[:6], T[:6]) == np.inf
    found = criteria.table({"few": few}, X[:6], T[:6], by="aicc")
    assert found.weights.tolist() == [1.0]


def test_different_things_are_not_compared():
    """p(y | x) against p(x, y); densities against probabilities; classes against numbers."""
    logistic, normal = LogisticRegression(C=np.inf).fit(X, K), LinearDiscriminantAnalysis().fit(X, K)
    with pytest.raises(ValueError, match=r"'a' gives p\(y \| x\) of a class, 'b' gives p\(x, y\), densities"):
        criteria.table({"a": logistic, "b": normal}, X, K)
    bernoulli, gaussian = BernoulliNB().fit(BINARY, K), GaussianNB().fit(BINARY, K)
    with pytest.raises(ValueError, match="cannot be compared"):
        criteria.table({"a": bernoulli, "b": gaussian}, BINARY, K)
    codes = BINARY.astype(int)
    same = criteria.table({"a": bernoulli, "b": CategoricalNB().fit(codes, K)}, codes, K)
    assert same.log_likelihood[0] == pytest.approx(same.log_likelihood[1], rel=1e-12)
    with pytest.raises(ValueError, match="columns above a threshold"):
        criteria.table({"a": BernoulliNB().fit(X, K), "b": GaussianNB().fit(X, K)}, X, K)
    with language("es"), pytest.raises(ValueError, match="no se pueden comparar"):
        criteria.table({"a": logistic, "b": normal}, X, K)


def test_words_of_a_table():
    models = {"free": LogisticRegression(C=np.inf).fit(X, K), "held": LogisticRegression(C=0.1).fit(X, K)}
    text = str(criteria.table(models, X, K))
    assert "held¹" in text
    assert "free¹" not in text
    assert "80 rows, p(y | x) of a class" in text
    assert "not at its maximum" in text
    with language("es"):
        assert "80 filas" in str(criteria.table(models, X, K))


# ---- refusals ----------------------------------------------------------------------------------------------------------


def test_refusals():
    for model in (KMeans(2, random_state=0).fit(X), ComplementNB().fit(COUNTS, K)):
        with pytest.raises(TypeError, match="has no likelihood that is known here"):
            criteria.aic(model, X)
    with pytest.raises(ValueError, match="criteria need the rows of the fit"):
        criteria.aic(LinearRegression().fit(X, T), X[:40], T[:40])
    with pytest.raises(ValueError, match="criteria need the rows of the fit"):
        criteria.bic(GaussianNB().fit(X, K), X[:40], K[:40])
    with pytest.raises(ValueError, match="'z' in row 0, a class that the model was not fitted with"):
        criteria.log_likelihood(GaussianNB().fit(X, K), X[:1], ["z"])
    with pytest.raises(ValueError, match="give y"):
        criteria.aic(GaussianNB().fit(X, K), X)
    with pytest.raises(ValueError, match="y has 79 rows, X has 80"):
        criteria.aic(GaussianNB().fit(X, K), X, K[1:])
    with pytest.raises(ValueError, match="several targets"):
        criteria.aic(LinearRegression().fit(X, np.c_[T, T]), X, np.c_[T, T])
    with pytest.raises(ValueError, match="by must be"):
        criteria.table({"a": GaussianNB().fit(X, K)}, X, K, by="dic")
    with pytest.raises(TypeError, match="models must be a mapping"):
        criteria.table([GaussianNB().fit(X, K)], X, K)
    with pytest.raises(TypeError, match="no evidence in closed form"):
        criteria.evidence(LinearRegression().fit(X, T), X, T)
    with pytest.raises(ValueError, match="Give alpha > 0"):
        criteria.evidence(BernoulliNB(alpha=0.0).fit(BINARY, K), BINARY, K)


def test_likelihoods_add_over_rows():
    """Of a generative classifier on any rows; held-out ones too."""
    model = GaussianNB().fit(X, K)
    parts = criteria.log_likelihood(model, X[:30], K[:30]) + criteria.log_likelihood(model, X[30:], K[30:])
    assert criteria.log_likelihood(model, X, K) == pytest.approx(parts, rel=1e-12)

"""The worked examples of the course that need a linear model; numbers as the course prints them."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, log_loss, mean_absolute_error, mean_squared_error

from aprendiz import LinearRegression, LogisticRegression, Ridge
from aprendiz.datasets import load

DENSITY, SPEED = load("traffic").columns.values()
FIVE_X, FIVE_Y = load("five_points", return_X_y=True)


def line(b, *w):
    """A linear function with given coefficients."""
    model = LinearRegression()
    model.coef_, model.intercept_, model.n_features_in_ = np.array(w, float), float(b), len(w)
    return model


def sigmoid(b, *w):
    """A logistic model of the classes 0 and 1 with given coefficients."""
    model = LogisticRegression()
    model.coef_, model.intercept_, model.n_features_in_ = np.array([w], float), np.array([float(b)]), len(w)
    model.classes_ = np.array([0, 1])
    return model


def printed(value, digits):
    """Equal to a number printed with so many decimals: half a unit of the last one."""
    return pytest.approx(value, abs=0.5000001 * 10.0**-digits, rel=0)


def residual_sd(model, X, y):
    return np.sqrt(np.sum((y - model.predict(X)) ** 2) / (len(y) - X.shape[1] - 1))


# ---- linear functions ------------------------------------------------------------------------------------------------


def test_a_13_outputs_and_errors_of_a_line():
    """b = 1, w = 2: outputs 5 and −1; on the targets 4 and 1, MAE 1.5 and MSE 2.5."""
    outputs = line(1, 2).predict([[2.0], [-1.0]])
    assert outputs.tolist() == [5.0, -1.0]
    assert mean_absolute_error([4, 1], outputs) == 1.5
    assert mean_squared_error([4, 1], outputs) == 2.5


def test_a_14_least_squares_line_of_five_points():
    """w = 0.8, b = 4, MSE = 0.96."""
    model = LinearRegression().fit(FIVE_X, FIVE_Y)
    assert model.coef_[0] == pytest.approx(0.8, rel=1e-14)
    assert model.intercept_ == pytest.approx(4.0, rel=1e-14)
    assert mean_squared_error(FIVE_Y, model.predict(FIVE_X)) == pytest.approx(0.96, rel=1e-14)
    assert model.summary().residual_sum / 5 == pytest.approx(0.96, rel=1e-13)


def test_a_21_the_sums_formula_and_the_quality_of_the_fit():
    """w = S_xy/S_xx = 0.8, b = 4; R² = 4/7, NMSE = 3/7, residual sd 1.264911, standard error of w 0.4."""
    model = LinearRegression().fit(FIVE_X, FIVE_Y)
    x, n = FIVE_X[:, 0], len(FIVE_Y)
    w = (n * (x @ FIVE_Y) - x.sum() * FIVE_Y.sum()) / (n * (x @ x) - x.sum() ** 2)
    assert model.coef_[0] == pytest.approx(w, rel=1e-14)
    assert model.intercept_ == pytest.approx((FIVE_Y.sum() - w * x.sum()) / n, rel=1e-14)
    assert model.score(FIVE_X, FIVE_Y) == pytest.approx(4 / 7, rel=1e-14)
    assert mean_squared_error(FIVE_Y, model.predict(FIVE_X)) / FIVE_Y.var() == pytest.approx(3 / 7, rel=1e-14)
    sd = residual_sd(model, FIVE_X, FIVE_Y)
    assert sd == printed(1.264911, 6)
    assert sd / model.singular_[0] == pytest.approx(0.4, rel=1e-14)  # σ̂/√S_xx, and √S_xx is the singular value
    summary = model.summary()
    assert summary.r2 == pytest.approx(4 / 7, rel=1e-13)
    assert summary.residual_sd == pytest.approx(sd, rel=1e-13)
    assert summary.standard_error[1] == pytest.approx(0.4, rel=1e-13)
    assert (summary.t[1], summary.f) == (pytest.approx(2, rel=1e-13), pytest.approx(4, rel=1e-13))  # 0.8/0.4, and its square


def test_a_17_a_line_in_a_space_of_features():
    """φ(x) = (x, x², √x), w = (1, 1, 2): 4 at x = 1, 24 at x = 4."""
    x = np.array([1.0, 4.0])
    assert line(0, 1, 1, 2).predict(np.column_stack([x, x**2, np.sqrt(x)])).tolist() == [4.0, 24.0]


def test_a_19_outputs_and_errors_in_two_dimensions():
    """b = 1, w = (1, 2): outputs 4 and 0; on the targets 4 and 2, MAE 1 and MSE 2."""
    outputs = line(1, 1, 2).predict([[1.0, 1.0], [-1.0, 0.0]])
    assert outputs.tolist() == [4.0, 0.0]
    assert mean_absolute_error([4, 2], outputs) == 1.0
    assert mean_squared_error([4, 2], outputs) == 2.0


def test_a_20_fewer_rows_than_columns():
    """Of the many perfect fits: the text's, the least norm of (b, w), and the least norm of w with b free."""
    X, y = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0]]), np.array([2.0, 3.0])
    assert line(0, 1, 1, 1).predict(X).tolist() == [2.0, 3.0]
    ones = np.column_stack([np.ones(2), X])
    both = LinearRegression(fit_intercept=False).fit(ones, y)
    np.testing.assert_allclose(both.coef_, [2 / 3, 2 / 3, 1, 2 / 3], rtol=1e-14)
    free = LinearRegression().fit(X, y)
    np.testing.assert_allclose([free.intercept_, *free.coef_], [2, 0, 1, 0], atol=1e-15)


def test_e_02_traffic():
    """√speed on density: 6.3797 − 0.0278·x, R² .9687; with density²: 7.0026 − 0.0507·x + 0.000149·x², R² .9931."""
    X, y = DENSITY[:, None], np.sqrt(SPEED)
    straight = LinearRegression().fit(X, y)
    assert straight.intercept_ == printed(6.3797, 4)
    assert straight.coef_[0] == printed(-0.0278, 4)
    assert straight.score(X, y) == printed(0.9687, 4)
    X = np.column_stack([DENSITY, DENSITY**2])
    curved = LinearRegression().fit(X, y)
    assert curved.intercept_ == printed(7.0026, 4)
    assert curved.coef_[0] == printed(-0.0507, 4)
    assert curved.coef_[1] == printed(0.000149, 6)
    assert curved.score(X, y) == printed(0.9931, 4)
    assert (straight.summary().r2, curved.summary().r2) == (printed(0.9687, 4), printed(0.9931, 4))


def test_e_05_traffic_with_more_digits():
    """Raw speed: 38.1295 − 0.242465·density, R² .943815; residual sd of the fits of E-02, and the curvature."""
    X = DENSITY[:, None]
    raw = LinearRegression().fit(X, SPEED)
    assert raw.intercept_ == printed(38.1295, 4)
    assert raw.coef_[0] == printed(-0.242465, 6)
    assert raw.score(X, SPEED) == printed(0.943815, 6)
    y, squares = np.sqrt(SPEED), np.column_stack([DENSITY, DENSITY**2])
    assert residual_sd(LinearRegression().fit(X, y), X, y) == printed(0.211508, 6)
    curved = LinearRegression().fit(squares, y)
    assert residual_sd(curved, squares, y) == printed(0.102006, 6)
    assert curved.coef_[1] == printed(1.48606e-4, 9)
    assert raw.summary().r2 == printed(0.943815, 6)
    assert LinearRegression().fit(X, y).summary().residual_sd == printed(0.211508, 6)
    assert curved.summary().residual_sd == printed(0.102006, 6)


def test_e_least_squares_is_maximum_likelihood_under_gaussian_noise():
    """The log-likelihood at the fit is −n/2·ln(2πσ̂²) − n/2, and lower at any other coefficients."""
    X, y = DENSITY[:, None], np.sqrt(SPEED)
    model, n = LinearRegression().fit(X, y), len(y)

    def log_likelihood(b, w, variance):
        return -0.5 * n * np.log(2 * np.pi * variance) - 0.5 * np.sum((y - b - w * DENSITY) ** 2) / variance

    b, w = model.intercept_, model.coef_[0]
    variance = mean_squared_error(y, model.predict(X))
    best = log_likelihood(b, w, variance)
    assert best == pytest.approx(-0.5 * n * np.log(2 * np.pi * variance) - 0.5 * n, rel=1e-14)
    assert model.summary().log_likelihood == pytest.approx(best, rel=1e-12)
    for db, dw, factor in itertools.product([-1e-3, 0, 1e-3], [-1e-5, 0, 1e-5], [0.99, 1, 1.01]):
        assert log_likelihood(b + db, w + dw, factor * variance) <= best


def test_d_09_least_squares_on_three_atoms():
    """θ = 100, ε = .01: slope·θ, b/ε; error .995 with threshold 0 and .005, the best there is, with ½."""
    theta, eps = 100.0, 0.01
    X, y, p = np.array([[-theta], [1.0], [0.0]]), np.array([1, 1, 0]), np.array([eps / 2, eps / 2, 1 - eps])
    model = LinearRegression().fit(X, y, p)
    assert model.coef_[0] * theta == printed(-0.984828, 6)
    assert model.intercept_ / eps == printed(0.512510, 6)
    for threshold, error in [(0.0, 0.995), (0.5, 0.005)]:
        assert p @ ((model.predict(X) > threshold) != y) == pytest.approx(error, rel=1e-14)


def test_d_10_the_distribution_that_breaks_least_squares():
    """ε = .1, θ = 10: slope −0.004587, error 0.9 with threshold ½, while the best cut errs on 0.1."""
    theta, eps = 10.0, 0.1
    X, y = np.array([[1.0], [-1.0], [theta], [-theta]]), np.array([1, 0, 0, 1])
    p = np.array([(1 - eps) / 2, (1 - eps) / 2, eps / 2, eps / 2])
    model = LinearRegression().fit(X, y, p)
    assert model.coef_[0] == printed(-0.004587, 6)
    assert p @ ((model.predict(X) > 0.5) != y) == pytest.approx(0.9, rel=1e-14)
    assert p @ ((X[:, 0] > 0) != y) == pytest.approx(0.1, rel=1e-14)


# ---- penalties -------------------------------------------------------------------------------------------------------


def test_a_16_what_the_penalty_prefers():
    """‖w‖₂² = 3, 9, 8 and ‖w‖₁ = 3, 3, 4; of the w that fit w₁ + w₂ + w₃ = 3, the ridge takes the one of least ‖w‖₂²."""
    w = np.array([[1.0, 1.0, 1.0], [3.0, 0.0, 0.0], [2.0, 2.0, 0.0]])
    assert (w**2).sum(axis=1).tolist() == [3, 9, 8]
    assert np.abs(w).sum(axis=1).tolist() == [3, 3, 4]
    X, y = np.ones((1, 3)), np.array([3.0])
    assert (X @ w[:2].T == 3).all()
    np.testing.assert_allclose(Ridge(1e-12, fit_intercept=False).fit(X, y).coef_, w[0], rtol=1e-11)

    def cost(w, alpha):
        return np.sum((y - X @ w) ** 2) + alpha * w @ w

    for alpha in (0.1, 1.0, 10.0):
        found = Ridge(alpha, fit_intercept=False).fit(X, y).coef_
        assert all(cost(found, alpha) < cost(one, alpha) for one in w)
        np.testing.assert_allclose(found, 3 / (3 + alpha), rtol=1e-13)  # (XᵀX + αI)w = Xᵀy with X = (1, 1, 1)


def test_a_33_ridge_primal_and_dual():
    """φ of A-17 at x = 1, 4, targets 4, 24, γ = 1: w = (0.980769, 1.134615, 0.955128) both ways, α = (0.929487, 0.012821)."""
    x, y = np.array([1.0, 4.0]), np.array([4.0, 24.0])
    phi = np.column_stack([x, x**2, np.sqrt(x)])
    w = [printed(0.980769, 6), printed(1.134615, 6), printed(0.955128, 6)]
    model = Ridge(1.0, fit_intercept=False).fit(phi, y)
    assert model.solver_ == "dual"
    assert model.coef_.tolist() == w
    padded = np.vstack([phi, np.zeros((2, 3))])  # rows of zeros change nothing, but now there are more rows than columns
    primal = Ridge(1.0, fit_intercept=False).fit(padded, [*y, 0.0, 0.0])
    assert primal.solver_ != "dual"
    assert primal.coef_.tolist() == w
    alpha = y - model.predict(phi)  # (K + γI)α = y, so γα is what the fit leaves
    assert alpha.tolist() == [printed(0.929487, 6), printed(0.012821, 6)]
    np.testing.assert_allclose(phi.T @ alpha, model.coef_, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.solve(phi @ phi.T + np.eye(2), y), alpha, rtol=1e-12)


# ---- the sigmoid -----------------------------------------------------------------------------------------------------


def test_a_05_confidence_of_ninety_percent():
    """p(C₁|x) = σ(wx) passes .9 at wx = ln 9 = 2.197225, and p(C₀|x) at −ln 9."""
    assert np.log(9) == printed(2.197225, 6)
    P = sigmoid(0, 1).predict_proba([[np.log(9)], [-np.log(9)]])
    np.testing.assert_allclose(P, [[0.1, 0.9], [0.9, 0.1]], rtol=1e-14)


A_15 = np.array([[1.0, 1.0], [1.0, -2.0], [0.0, 0.0]])


def test_a_15_probabilities_accuracy_and_likelihood():
    """b = 1, w = (1, 2): σ = .982014, .119203; P(C₀|0) = .268941; on labels 1, 0, 0 accuracy 2/3, likelihood .232622."""
    model, labels = sigmoid(1, 1, 2), np.array([1, 0, 0])
    P = model.predict_proba(A_15)
    assert P[0, 1] == printed(0.982014, 6)
    assert P[1, 1] == printed(0.119203, 6)
    assert P[2, 0] == printed(0.268941, 6)
    assert model.score(A_15, labels) == accuracy_score(labels, model.predict(A_15)) == pytest.approx(2 / 3)
    assert np.prod(P[np.arange(3), labels]) == printed(0.232622, 6)


def test_a_22_cross_entropy_and_classes():
    """Cross entropy 1.458340 on the rows of A-15; outputs 4, −2, 1, thus the classes 1, 0, 1."""
    model = sigmoid(1, 1, 2)
    assert model.decision_function(A_15).tolist() == [4.0, -2.0, 1.0]
    assert model.predict(A_15).tolist() == [1, 0, 1]
    assert -model.predict_log_proba(A_15)[np.arange(3), [1, 0, 0]].sum() == printed(1.458340, 6)
    assert log_loss([1, 0, 0], model.predict_proba(A_15), normalize=False) == printed(1.458340, 6)


def test_a_32_the_frontier_of_a_sigmoid():
    """σ(wx) is ½ at x = 0 for any w, and there the frontier is."""
    for w in (0.1, 1.0, 7.0):
        model = sigmoid(0, w)
        assert model.predict_proba([[0.0]]).tolist() == [[0.5, 0.5]]
        assert model.predict([[-1e-9], [1e-9]]).tolist() == [0, 1]


def test_l_02_slope_of_the_sigmoid():
    """σ' = σ(1 − σ)."""
    z, h = np.linspace(-5, 5, 41), 1e-5
    model = sigmoid(0, 1)
    up, at, down = (model.predict_proba((z + t)[:, None])[:, 1] for t in (h, 0.0, -h))
    np.testing.assert_allclose((up - down) / (2 * h), at * (1 - at), atol=1e-10)  # central difference: h² and ε/h


def test_penalties_of_the_log_likelihood():
    """L 501: LL − λΣw² is C = 1/(2λ), LL − λΣ|w| is C = 1/λ: no step along the maximised function goes up from the fit."""
    rng = np.random.default_rng(0)
    X, lam = rng.normal(size=(60, 3)), 0.7
    y = (X @ [1.0, -2.0, 0.0] + rng.normal(size=60) > 0).astype(int)

    def likelihood(w, b):
        t = X @ w + b
        return float((y * t - np.logaddexp(0, t)).sum())

    for model, size in [
        (LogisticRegression(C=1 / (2 * lam), tol=1e-10), lambda w: (w**2).sum()),
        (LogisticRegression(C=1 / lam, l1_ratio=1, tol=1e-10), lambda w: np.abs(w).sum()),
    ]:
        model.fit(X, y)
        w, b = model.coef_[0], model.intercept_[0]
        best = likelihood(w, b) - lam * size(w)
        for step in 1e-3 * rng.normal(size=(200, 4)):
            assert likelihood(w + step[1:], b + step[0]) - lam * size(w + step[1:]) <= best + 1e-9


def test_l_02_softmax_of_two_is_the_sigmoid():
    """softmax(z, 0) = (σ(z), 1 − σ(z)): a third class that cannot win changes nothing."""
    z = np.linspace(-30, 30, 61)[:, None]
    three = LogisticRegression()
    three.coef_, three.intercept_ = np.array([[1.0], [0.0], [0.0]]), np.array([0.0, 0.0, -1e4])
    three.classes_, three.n_features_in_ = np.array(["a", "b", "c"]), 1
    two = sigmoid(0, 1).predict_proba(z)
    np.testing.assert_allclose(three.predict_proba(z), np.column_stack([two[:, ::-1], np.zeros(61)]), rtol=1e-14)


def test_l_02_gradient_of_the_log_likelihood():
    """∂/∂w of Σ ln p(y|x) is Σ (y − σ) x, and it vanishes at the fit without a penalty."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = (X @ [1.0, -0.5] + rng.logistic(size=60) > 0.3).astype(int)

    def log_likelihood(b, *w):
        return sigmoid(b, *w).predict_log_proba(X)[np.arange(60), y].sum()

    def gradient(model):
        return np.column_stack([np.ones(60), X]).T @ (y - model.predict_proba(X)[:, 1])

    at, h = np.array([0.2, 0.4, -0.7]), 1e-5
    slopes = [(log_likelihood(*(at + h * e)) - log_likelihood(*(at - h * e))) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(gradient(sigmoid(*at)), slopes, atol=1e-7)  # central difference: h² and ε·F/h
    np.testing.assert_allclose(gradient(LogisticRegression(C=np.inf).fit(X, y)), 0, atol=1e-8)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # what is separated has no finite answer
@pytest.mark.parametrize(
    ("points", "separable"),
    [
        ([[0, 0], [1, 0], [0, 1]], 8),
        ([[0, 0], [1, 1], [2, 2]], 6),
        ([[0, 0], [1, 0], [0, 1], [1, 1]], 14),
    ],
)
def test_m_02_labellings_that_a_line_separates(points, separable):
    """3 points in general position: 8 of 8; on a line: 6 of 8; 4 corners: 14 of 16 (the other two are XOR)."""
    X, found = np.array(points, float), 2  # all rows of one class: any line beside them
    for labels in itertools.product([0, 1], repeat=len(points)):
        if len(set(labels)) == 1:
            continue
        model = LogisticRegression(C=np.inf)
        model.fit(X, labels)
        if model.certificate_.separated:
            found += 1
            assert model.score(X, labels) == 1
        else:
            assert model.score(X, labels) < 1
    assert found == separable

"""Multilayer perceptrons: the steps of scikit-learn from equal weights, gradients by complex steps, and what is ours alone."""

import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, sparse, special
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier as TheirClassifier
from sklearn.neural_network import MLPRegressor as TheirRegressor

import aprendiz
from aprendiz import LogisticRegression, MLPClassifier, MLPRegressor, Ridge
from aprendiz.core.rows import Block
from aprendiz.evaluation import check_assumptions
from aprendiz.lab.methods import chosen_methods
from aprendiz.lab.preparation import knows_units
from aprendiz.linear.shared.early_stopping import split_rows
from aprendiz.neural.losses.loss import LogisticLoss, NumberLoss, SoftmaxLoss
from aprendiz.neural.network.architecture import Architecture
from aprendiz.neural.network.dropout import dropping
from aprendiz.neural.training.batches import Batch, Gradients
from aprendiz.neural.training.loss_sum import LossSum, gradient_error

RNG = np.random.default_rng(0)
X = RNG.normal(size=(57, 3))
CLASSES = (X[:, 0] * X[:, 1] > 0).astype(int)
KINDS = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + X[:, 1] ** 2, [0, 1])]
NUMBERS = np.sin(X[:, 0]) + X[:, 1] ** 2
COUNTS = np.random.default_rng(1).poisson(np.exp(0.3 * X[:, 0]))
LABELS = np.c_[CLASSES, X[:, 2] > 0].astype(int)


def quietly(model, *data):
    """A fit whose warning of few epochs is expected."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*data)


# ---- beside scikit-learn ---------------------------------------------------------------------------------------------

STEPS = {
    "adam": {"solver": "adam", "activation": "relu"},
    "adam, tanh, two layers": {"solver": "adam", "activation": "tanh", "hidden_layer_sizes": (5, 4), "beta_1": 0.8},
    "sgd with Nesterov's momentum": {"solver": "sgd", "activation": "logistic", "learning_rate_init": 0.05},
    "sgd with momentum": {"solver": "sgd", "activation": "tanh", "nesterovs_momentum": False, "momentum": 0.7},
    "sgd, adaptive": {"solver": "sgd", "learning_rate": "adaptive", "learning_rate_init": 0.2, "n_iter_no_change": 1},
    "sgd, invscaling": {"solver": "sgd", "learning_rate": "invscaling", "power_t": 0.2, "momentum": 0.0},
    "no hidden layer": {"solver": "adam", "activation": "identity", "hidden_layer_sizes": ()},
}
TARGETS = {
    "two classes": (CLASSES, {}),
    "three classes": (KINDS, {}),
    "labels": (LABELS, {}),
    "numbers": (NUMBERS, {}),
    "counts": (COUNTS, {"loss": "poisson"}),
    "several numbers": (np.c_[NUMBERS, X[:, 2]], {}),
}


def both(y, extra, weighted=False, **given):
    """Our fit and scikit-learn's, from the same weights, over the same batches in the same order."""
    ours, theirs = (MLPRegressor, TheirRegressor) if y.dtype == float or extra else (MLPClassifier, TheirClassifier)
    params = {
        "hidden_layer_sizes": (6,),
        "alpha": 0.01,
        "batch_size": 16,
        "shuffle": False,
        "warm_start": True,
        **extra,
        **given,
    }
    first = quietly(theirs(**params, max_iter=1, random_state=0), X, y)
    mine = quietly(ours(**params, max_iter=1, random_state=0), X, y)
    mine.coefs_, mine.intercepts_ = [W.copy() for W in first.coefs_], [b.copy() for b in first.intercepts_]
    first.loss_curve_, first.t_ = [], 0
    weights = (np.random.default_rng(2).uniform(0.5, 2, len(X)),) if weighted else ()
    return [quietly(model.set_params(max_iter=12), X, y, *weights) for model in (mine, first)]


def agree(mine, theirs, tolerance):
    for W, V in zip([*mine.coefs_, *mine.intercepts_], [*theirs.coefs_, *theirs.intercepts_], strict=True):
        assert W.shape == V.shape
        assert np.abs(W - V).max() <= tolerance


@pytest.mark.parametrize("steps", STEPS)
def test_the_same_steps(steps):
    """From equal weights and batches, every step is that of scikit-learn, to the rounding of twelve epochs."""
    mine, theirs = both(NUMBERS, {}, **STEPS[steps])
    agree(mine, theirs, 1e-12)
    assert mine.loss_curve_ == pytest.approx(theirs.loss_curve_, rel=1e-12)
    assert mine.t_ == theirs.t_


@pytest.mark.parametrize("steps", [*STEPS][:6])
@pytest.mark.parametrize("target", ["three classes", "labels", "numbers"])
def test_the_same_end(steps, target):
    """Training stops after the same epoch, with the same weights."""
    y, extra = TARGETS[target]
    stop = {"tol": 1e-2, "n_iter_no_change": 2}
    mine, theirs = both(y, extra, **{**STEPS[steps], **stop})
    for one in (mine, theirs):
        one.coefs_, one.intercepts_ = [W.copy() for W in mine.coefs_], [b.copy() for b in mine.intercepts_]
    del theirs._optimizer
    theirs.loss_curve_, theirs.t_, theirs._no_improvement_count, theirs.best_loss_ = [], 0, 0, np.inf
    for one in (mine, theirs):
        quietly(one.set_params(max_iter=80), X, y)
    assert mine.n_iter_ == theirs.n_iter_
    agree(mine, theirs, 1e-11)


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_losses(target):
    """Of every target, with weights where scikit-learn has them."""
    y, extra = TARGETS[target]
    mine, theirs = both(y, extra, weighted=True)
    agree(mine, theirs, 1e-12)
    assert mine.out_activation_ == theirs.out_activation_
    assert np.array_equal(mine.predict(X), theirs.predict(X)) or np.allclose(mine.predict(X), theirs.predict(X), rtol=1e-10)
    if hasattr(mine, "predict_proba"):
        assert np.allclose(mine.predict_proba(X), theirs.predict_proba(X), rtol=1e-9, atol=1e-14)


def test_steps_that_decrease():
    """Step t has the rate η₀·1000/(1000 + t), the first η₀, also where a training goes on."""
    y = NUMBERS[:, None]
    model = MLPRegressor(
        hidden_layer_sizes=(), solver="sgd", learning_rate="decreasing", learning_rate_init=0.3, alpha=0.0, momentum=0.0,
        batch_size=len(X), shuffle=False, random_state=0, max_iter=300, tol=0.0, n_iter_no_change=np.inf,
    )  # fmt: skip
    states = list(model.steps(X, NUMBERS))
    theta = states[0].theta.copy()
    W, b = theta[:3].reshape(3, 1), theta[3:]
    for t in range(300):
        r = X @ W + b - y
        rate = 0.3 * 1000 / (1000 + t)
        W, b = W - rate * X.T @ r / len(X), b - rate * r.mean(axis=0)
    assert states[-1].theta == pytest.approx(np.r_[W.ravel(), b], rel=1e-12)
    assert np.array_equal(list(model.steps(X, NUMBERS, since=states[150]))[-1].theta, states[-1].theta)


@pytest.mark.parametrize("target", [NUMBERS, np.c_[NUMBERS, X[:, 2]]])
@pytest.mark.parametrize("weights", [None, np.arange(1.0, 58.0)])
def test_scaled_targets(target, weights):
    """A fit is that to targets in their units, in which the predictions come back; in whichever units they were given."""
    mean = np.average(target, axis=0, weights=weights)
    spread = np.sqrt(np.average((target - mean) ** 2, axis=0, weights=weights))
    params = {"hidden_layer_sizes": (5,), "max_iter": 40, "random_state": 0}
    plain = quietly(MLPRegressor(**params), X, (target - mean) / spread, weights)
    for unit, offset in ((1.0, 0.0), (1e6, 3e7)):
        model = quietly(MLPRegressor(**params, scale_target=True), X, target * unit + offset, weights)
        assert model.predict(X) == pytest.approx((plain.predict(X) * spread + mean) * unit + offset, rel=1e-7, abs=1e-7 * unit)
        assert model.score(X, target * unit + offset) == pytest.approx(plain.score(X, (target - mean) / spread), rel=1e-6)
    assert quietly(MLPRegressor(**params), X, target).target_units_ is None


def test_scaled_targets_of_a_fit_that_goes_on(tmp_path):
    """partial_fit and warm starts keep the units of the first rows; a file has those of all its rows."""
    y = 1000 * NUMBERS + 500
    model = MLPRegressor(hidden_layer_sizes=(3,), scale_target=True, random_state=0).partial_fit(X[:30], y[:30])
    units = model.target_units_.copy()
    assert units[:, 0] == pytest.approx([y[:30].mean(), y[:30].std()])
    assert np.array_equal(model.partial_fit(X[30:], y[30:]).target_units_, units)
    quietly(model.set_params(warm_start=True, max_iter=2), X, y)
    assert np.array_equal(model.target_units_, units)
    with pytest.raises(ValueError, match="scale_target was another one in the first fit"):
        model.set_params(scale_target=False).partial_fit(X, y)
    quietly(model.set_params(warm_start=False), X, y)
    assert model.target_units_ is None
    with pytest.raises(ValueError, match="loss='poisson' takes counts as they are"):
        MLPRegressor("poisson", scale_target=True).fit(X, COUNTS)
    pq.write_table(pa.table({f"x{j}": X[:, j] for j in range(3)} | {"y": y}), tmp_path / "t.parquet")
    params = {"hidden_layer_sizes": (4,), "solver": "lbfgs", "max_iter": 4, "random_state": 0, "scale_target": True}
    table = quietly(MLPRegressor(**params), X, y)
    file = quietly(MLPRegressor(**params), aprendiz.rows(tmp_path / "t.parquet", target="y"))
    assert file.target_units_ == pytest.approx(table.target_units_, rel=1e-13)
    assert all(pytest.approx(V, rel=1e-9) == W for W, V in zip(file.coefs_, table.coefs_, strict=True))
    aprendiz.save(table, tmp_path / "m.apz")
    assert np.array_equal(aprendiz.load(tmp_path / "m.apz").predict(X), table.predict(X))


def test_overflows_of_all_rows_are_not_printed():
    """L-BFGS on numbers whose squares overflow ends with the certificate that does not hold, and no other warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        model = quietly(MLPRegressor(hidden_layer_sizes=(3,), solver="lbfgs", random_state=0), X * 1e100, NUMBERS)
    assert not model.certificate_.holds


def test_partial_fit_is_an_epoch():
    """Calls of partial_fit are epochs of a fit without shuffling, with the memory of the optimizer between them."""
    params = {"hidden_layer_sizes": (4,), "batch_size": 10, "shuffle": False, "random_state": 0, "tol": 0.0}
    whole = quietly(MLPClassifier(**params, max_iter=5), X, CLASSES)
    parts = MLPClassifier(**params)
    for _ in range(5):
        parts.partial_fit(X, CLASSES, classes=[0, 1])
    for W, V in zip(whole.coefs_, parts.coefs_, strict=True):
        assert np.array_equal(W, V)
    assert parts.t_ == whole.t_ == 5 * len(X)
    assert parts.loss_curve_ == whole.loss_curve_


# ---- gradients -------------------------------------------------------------------------------------------------------

SIGMAS = ("identity", "logistic", "tanh", "relu", "softplus", "cos")


@st.composite
def networks(draw):
    """An architecture, a loss with targets, weights of the rows, and θ."""
    hidden = tuple(draw(st.lists(st.integers(1, 5), max_size=3)))
    sigmas = tuple(draw(st.sampled_from(SIGMAS)) for _ in hidden)
    temperatures = tuple(draw(st.sampled_from([1.0, 0.5, 3.0])) for _ in hidden)
    kind = draw(st.sampled_from(["softmax", "logistic", "squared_error", "poisson", "huber", "absolute_error"]))
    outputs = draw(st.integers(2 if kind == "softmax" else 1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = 9
    if kind == "softmax":
        y, loss = rng.integers(0, outputs, n), SoftmaxLoss()
    elif kind == "logistic":
        y, loss = rng.integers(0, 2, (n, outputs)).astype(float), LogisticLoss()
    else:
        y, loss = rng.integers(0, 4, (n, outputs)).astype(float) + 0.25 * (kind != "poisson"), NumberLoss(kind, 0.7)
    network = Architecture((3, *hidden, outputs), sigmas, temperatures)
    theta = rng.normal(size=network.n_parameters)
    return network, loss, theta, Block(rng.normal(size=(n, 3)), y, rng.uniform(0, 2, n), 0)


@given(networks())
@settings(max_examples=60)
def test_gradients_are_complex_steps(case):
    """Along a random direction, of every activation, temperature and loss."""
    network, loss, theta, block = case
    assert gradient_error(network, loss, theta, 1, block) <= 1e-11


@given(networks(), st.sampled_from([1, 2, 4]))
@settings(max_examples=30)
def test_pieces_of_a_batch_add_up(case, pieces):
    """A batch in pieces has the gradient of the sum over all rows; with weights, the loss too."""
    network, loss, theta, block = case
    gradients = Gradients(network, loss, len(block), theta.dtype)
    gradients.__dict__["pieces"] = pieces
    lost, g = gradients.of(theta, Batch(block.X, loss.targets(block.y), block.weights, block.numbers))
    sums = LossSum.of(network, loss, theta, block)
    assert lost == pytest.approx(sums.loss, rel=1e-12)
    assert np.allclose(g, sums.gradient / sums.weight, rtol=1e-11, atol=1e-12)


def test_dropped_neurons():
    """The gradient with dropout is that of the network whose silent neurons are gone and whose others speak up by 1/(1 − p)."""
    p, network = 0.4, Architecture((3, 6, 1), ("tanh",), (1.0,))
    theta, loss = np.random.default_rng(3).normal(size=network.n_parameters), NumberLoss("squared_error")
    one = Batch(X[:1], NUMBERS[:1, None], np.ones(1), np.array([7]))
    gradients = Gradients(network, loss, 1, theta.dtype, p)
    lost, g = gradients.of(theta, one, dropping(p, 5, 2))
    louder = np.ones((1, 6))
    dropping(p, 5, 2)(louder, one.numbers, 0)
    assert set(np.unique(louder)) == {0.0, 1 / (1 - p)}
    thinned = theta.copy()
    network.weights(thinned)[1][:] *= louder.T
    expected = Gradients(network, loss, 1, theta.dtype)
    own, plain = expected.of(thinned, one)
    assert lost == pytest.approx(own, rel=1e-14)
    assert np.allclose(network.weights(g)[0], network.weights(plain)[0], rtol=1e-12)
    assert np.allclose(network.weights(g)[1], network.weights(plain)[1] * louder.T, rtol=1e-12)


def test_as_many_neurons_are_silent_as_asked():
    """Each with probability p, drawn anew for each epoch and layer; on average the sums stay what they were."""
    H = np.ones((400, 50))
    dropping(0.3, 1, 0)(H, np.arange(400), 0)
    assert np.mean(H == 0) == pytest.approx(0.3, abs=4 * np.sqrt(0.21 / H.size))
    assert H.mean() == pytest.approx(1.0, abs=0.02)
    other = np.ones((400, 50))
    dropping(0.3, 1, 1)(other, np.arange(400), 0)
    assert np.mean((H == 0) == (other == 0)) == pytest.approx(0.58, abs=0.02)


@pytest.mark.parametrize("extra", [{"dropout": 0.3}, {"early_stopping": True}, {"max_nonzero": 9}, {"solver": "lbfgs"}])
def test_resumed_with_the_same_bits(extra):
    """The states after a stored one are those of a training without a break."""
    model = MLPClassifier((5,), random_state=0, max_iter=8, batch_size=13, **extra)
    states = list(model.steps(X, KINDS))
    later = list(model.steps(X, KINDS, since=states[3]))
    assert len(later) == len(states) - 4
    assert np.array_equal(later[-1].theta, states[-1].theta)


# ---- what is ours ----------------------------------------------------------------------------------------------------


def test_masks():
    """Masked weights are zero all the way, also those that a start or a penalty would move."""
    masks = [np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]), np.ones((4, 1))]
    for solver in ("adam", "sgd", "lbfgs"):
        model = quietly(MLPClassifier((4,), masks=masks, solver=solver, max_iter=5, random_state=0), X, CLASSES)
        assert np.array_equal(model.coefs_[0] != 0, masks[0] == 1)
    with pytest.raises(ValueError, match="shapes of the weights, 3 × 4, 4 × 1"):
        MLPClassifier((4,), masks=masks[:1]).fit(X, CLASSES)


def test_max_nonzero():
    """So many weights are left, the largest of the epoch; biases do not count."""
    model = quietly(MLPClassifier((5,), max_nonzero=7, max_iter=30, random_state=0), X, CLASSES)
    assert sum(np.count_nonzero(W) for W in model.coefs_) == 7
    assert model.n_parameters_ == 3 * 5 + 5 * 1 + 5 + 1
    overflow = {"solver": "sgd", "activation": "identity", "learning_rate_init": 1e50, "random_state": 0}
    first = quietly(MLPRegressor(hidden_layer_sizes=(5,), max_nonzero=7, **overflow), X, NUMBERS)
    assert "overflowed" in first.stopped_
    assert sum(np.count_nonzero(W) for W in first.coefs_) == 7


@pytest.mark.parametrize("solver", ["adam", "lbfgs"])
def test_sparse_and_dense(solver):
    """A sparse table stays one, with the same answer to rounding."""
    table = np.where(np.abs(X) > 0.7, X, 0.0)
    kwargs = {"hidden_layer_sizes": (4,), "solver": solver, "max_iter": 6, "random_state": 0}
    dense, thin = (quietly(MLPRegressor(**kwargs), one, NUMBERS) for one in (table, sparse.csr_array(table)))
    for W, V in zip(dense.coefs_, thin.coefs_, strict=True):
        assert np.allclose(W, V, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("solver", ["adam", "lbfgs"])
def test_a_file_is_the_table(tmp_path, solver):
    """Rows of a file that is one block are visited in the same order as a table; in L-BFGS, which sums, any file is."""
    pq.write_table(pa.table({f"x{j}": X[:, j] for j in range(3)} | {"y": CLASSES}), tmp_path / "t.parquet")
    params = {"hidden_layer_sizes": (4,), "solver": solver, "max_iter": 4, "random_state": 0}
    table = quietly(MLPClassifier(**params), X, CLASSES)
    file = quietly(MLPClassifier(**params), aprendiz.rows(tmp_path / "t.parquet", target="y"))
    for W, V in zip(table.coefs_, file.coefs_, strict=True):
        assert np.allclose(W, V, rtol=1e-12)


def test_class_weights_are_weights_of_rows():
    heavy = {0: 1.0, 1: 3.0}
    params = {"hidden_layer_sizes": (4,), "max_iter": 5, "random_state": 0}
    by_class = quietly(MLPClassifier(**params, class_weight=heavy), X, CLASSES)
    by_row = quietly(MLPClassifier(**params), X, CLASSES, np.where(CLASSES == 1, 3.0, 1.0))
    assert all(np.array_equal(W, V) for W, V in zip(by_class.coefs_, by_row.coefs_, strict=True))


def test_without_hidden_layers_it_is_a_linear_model():
    """L-BFGS finds the minimum of a convex problem: that of logistic regression, of ridge regression, and of Poisson's."""
    given = {"solver": "lbfgs", "tol": 1e-9, "max_iter": 500, "random_state": 0}
    network = MLPClassifier((), alpha=1.0, **given).fit(X, CLASSES)
    line = LogisticRegression(C=1.0, tol=1e-12).fit(X, CLASSES)
    assert network.coefs_[0].ravel() == pytest.approx(line.coef_.ravel(), abs=1e-3)
    assert network.certificate_.holds
    numbers = MLPRegressor(hidden_layer_sizes=(), alpha=2.0, **given).fit(X, NUMBERS)
    assert numbers.coefs_[0].ravel() == pytest.approx(Ridge(2.0).fit(X, NUMBERS).coef_, abs=1e-3)
    counts = MLPRegressor("poisson", (), alpha=0.0, **given).fit(X, COUNTS)
    Z = np.c_[X, np.ones(len(X))]
    own = special.xlogy(COUNTS, COUNTS) - COUNTS  # what does not depend on the coefficients
    least = optimize.minimize(lambda b: np.mean(np.exp(Z @ b) - COUNTS * (Z @ b) + own), np.zeros(4), tol=1e-10)
    assert counts.loss_ == pytest.approx(least.fun, rel=1e-7)
    assert np.r_[counts.coefs_[0].ravel(), counts.intercepts_[0]] == pytest.approx(least.x, abs=1e-3)


def test_early_stopping_keeps_the_best_epoch():
    """Scores are those of the rows set aside, and the weights are those of the epoch with the highest."""
    model = MLPClassifier((30,), early_stopping=True, learning_rate_init=0.05, n_iter_no_change=4, random_state=0).fit(X, KINDS)
    scores = model.validation_scores_
    assert model.best_validation_score_ == max(scores)
    assert len(scores) == model.n_iter_ < 200
    assert max(scores[:-5]) > max(scores[-5:]) - model.tol
    states = list(model.steps(X, KINDS))
    best = int(np.argmax(scores))
    assert np.array_equal(states[best + 1].theta, states[-1].best_theta)


def test_early_stopping_with_several_labels():
    """A row counts as right where all its labels are."""
    model = MLPClassifier((9,), early_stopping=True, validation_fraction=0.4, max_iter=20, random_state=0)
    quietly(model, X, LABELS)
    seed = next(model.steps(X, LABELS)).seed
    held = split_rows(model.open(X, LABELS), seed, 0.4).held
    assert 0 < model.best_validation_score_ == max(model.validation_scores_)
    assert model.best_validation_score_ == np.mean((model.predict(held.X) == held.y).all(axis=1))


def test_a_score_that_is_no_number():
    """An epoch whose outputs overflow on the rows set aside is worse than any other, and the best one stays."""
    model = MLPRegressor(hidden_layer_sizes=(3,), early_stopping=True, random_state=0, max_iter=6, n_iter_no_change=2)
    scores = iter([0.5, *[np.nan] * 5])
    model.score_of = lambda V, rows: next(scores)
    states = list(model.steps(X, NUMBERS))
    assert states[-1].scores.tolist() == [0.5, *[-np.inf] * 3]
    assert states[-1].settled
    assert np.array_equal(states[-1].best_theta, states[1].theta)


def test_a_warm_start_has_the_same_classes():
    model = quietly(MLPClassifier((3,), warm_start=True, max_iter=1), X, KINDS)
    with pytest.raises(
        ValueError, match=r"same classes as in the previous call to fit.*\['a' 'b' 'c'\], `y` has \['a' 'b' 'd'\]"
    ):
        model.fit(X, np.where(KINDS == "c", "d", KINDS))


@pytest.mark.parametrize("cls", [MLPClassifier, MLPRegressor])
def test_all_rows_at_once_have_no_partial_fit(cls):
    assert hasattr(cls(), "partial_fit")
    assert not hasattr(cls(solver="lbfgs"), "partial_fit")


def test_a_loss_that_runs_away():
    """The warning names the learning rate; what is left is the last state that had a loss."""
    model = MLPRegressor(hidden_layer_sizes=(4,), solver="sgd", learning_rate_init=50.0, random_state=0, max_iter=50)
    with pytest.warns(ConvergenceWarning, match="overflowed with learning_rate_init=50"):
        model.fit(100 * X, NUMBERS)
    assert all(np.isfinite(W).all() for W in model.coefs_)
    assert not model.certificate_.holds


@pytest.mark.parametrize("rate", [0.3, 1.0, 50.0])
@pytest.mark.parametrize("extra", [{}, {"early_stopping": True}])
def test_the_last_good_weights_are_kept(rate, extra):
    """Not those of the epochs before the overflow, whose losses were numbers of a hundred digits; the loss of each stays in
    the curve. A training that goes on from any state ends with the same bits."""
    table, y = np.r_[X, X, X, X, X], np.r_[NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS]
    model = MLPRegressor(hidden_layer_sizes=(20,), activation="identity", solver="sgd", random_state=0, **extra)
    model.set_params(learning_rate_init=rate)
    with pytest.warns(ConvergenceWarning, match="overflowed with learning_rate_init"):
        model.fit(table, y)
    assert max(model.loss_curve_) > 1e30
    begun = MLPRegressor(hidden_layer_sizes=(20,), activation="identity", solver="sgd", random_state=0, max_iter=1, **extra)
    start = quietly(begun.set_params(learning_rate_init=1e-9), table, y).certificate_.objective
    assert model.certificate_.objective <= start * (1 + 1e-6)
    states = list(model.steps(table, y))
    for state in states[: len(states) - 1]:
        assert np.array_equal([*model.steps(table, y, since=state)][-1].theta, states[-1].theta)


@pytest.mark.parametrize("solver", ["sgd", "adam"])
def test_a_loss_that_runs_away_as_a_number(solver):
    """Without any overflow: the fit goes back, and says so, whether it came to rest or not; resumed, it ends the same."""
    model = MLPClassifier((20,), solver=solver, learning_rate_init=1e3, random_state=0, max_iter=30)
    with pytest.warns(ConvergenceWarning, match=r"ran away to .* with learning_rate_init=1000"):
        model.fit(X, CLASSES)
    assert model.loss_ > 100 > 2 > model.certificate_.objective
    states = list(model.steps(X, CLASSES))
    assert np.array_equal([*model.steps(X, CLASSES, since=states[3])][-1].theta, states[-1].theta)


@pytest.mark.parametrize("solver", ["adam", "lbfgs"])
def test_a_loss_that_never_came_down(solver):
    with pytest.warns(ConvergenceWarning, match=r"the loss came to rest at .*, above the"):
        MLPRegressor(hidden_layer_sizes=(5,), solver=solver, random_state=0).fit(X * 1e150, X[:, 0])


def test_steps_are_for_reading():
    """A network that was fitted with a smooth activation predicts with steps."""
    model = MLPClassifier((2,), activation="logistic", solver="lbfgs", random_state=0, max_iter=1)
    model = quietly(model, [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    model.coefs_ = [np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([[1.0], [-1.0]])]
    model.intercepts_ = [np.array([-0.5, -1.5]), np.array([-0.5])]
    assert model.set_params(activation="step").predict([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist() == [0, 1, 1, 0]
    with pytest.raises(ValueError, match="'step' has no slope"):
        model.fit([[0, 0], [1, 1]], [0, 1])


def test_an_epoch_that_runs_away():
    """`partial_fit` says so, and leaves the learner as it was."""
    model = MLPRegressor(hidden_layer_sizes=(4,), solver="sgd", batch_size=10, random_state=0).partial_fit(X, NUMBERS)
    kept = model.coefs_[0].copy()
    with pytest.raises(ValueError, match=r"overflowed with learning_rate_init=0\.001.*as it was before"):
        model.partial_fit(1e100 * X, NUMBERS)
    assert np.array_equal(model.coefs_[0], kept)


def test_a_layer_that_is_silent():
    """Where no neuron answers to any row, the layer and the remedy are named."""
    y = X[:, 0] + 1
    model = MLPRegressor(hidden_layer_sizes=(3,), solver="sgd", random_state=0, warm_start=True, max_iter=1)
    quietly(model, X, y)
    model.intercepts_[0][:] = -100.0
    with pytest.warns(ConvergenceWarning) as said:
        model.fit(X, y)
    assert any("no neuron of hidden layer 1 passes anything on" in str(one.message) for one in said)
    assert model.certificate_.silent_layers == (1,)


def test_evaluations_are_counted():
    with pytest.warns(ConvergenceWarning, match=r"max_fun reached.*max_fun \(it is 7\)"):
        model = MLPClassifier((3,), solver="lbfgs", max_fun=7, random_state=0).fit(X, KINDS)
    assert 7 <= model.updates_ <= 7 + 30


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"solver": "sgd"}, {"solver": "adam"}),
        ({"solver": "lbfgs"}, {"solver": "sgd"}),
        ({"early_stopping": True}, {"early_stopping": False}),
    ],
)
def test_partial_fit_goes_on_from_any_fit(before, after):
    """From its weights, with a new memory where the solver is another one."""
    model = quietly(MLPClassifier((3,), max_iter=3, random_state=0, **before), X, KINDS)
    start = [W.copy() for W in model.coefs_]
    model.set_params(**after).partial_fit(X, KINDS)
    for W, V in zip(start, model.coefs_, strict=True):
        assert 0 < np.abs(W - V).max() < 0.1
    assert np.isfinite(model.partial_fit(X, KINDS).loss_)


REFUSED = {
    r"must be > 0, got \[\(4,\)\]": lambda: MLPClassifier(((4,),)).fit(X, CLASSES),
    r"must be > 0, got \[nan\]": lambda: MLPClassifier([np.nan]).fit(X, CLASSES),
    "got 0.5": lambda: MLPClassifier((1,), masks=[np.full((3, 1), 0.5), [[1]]]).fit(X, CLASSES),
    "got nan": lambda: MLPClassifier((1,), masks=[np.full((3, 1), np.nan), [[1]]]).fit(X, CLASSES),
    "solver='lbfgs' needs dropout=0": lambda: MLPClassifier(solver="lbfgs", dropout=0.5).fit(X, CLASSES),
    "class_weight is for one target": lambda: MLPClassifier(class_weight="balanced").fit(X, LABELS),
    "must be > 0": lambda: MLPClassifier((3, 0)).fit(X, CLASSES),
    "'step' has no slope": lambda: MLPClassifier(activation=["step"]).fit(X, CLASSES),
    "fit with 'logistic', then predict": lambda: MLPClassifier(activation="step").fit(X, CLASSES),
    "between 1e-06 and 1e.06, got 'cold'": lambda: MLPClassifier((3,), temperature=["cold"]).fit(X, CLASSES),
    "no activation 'gelu'": lambda: MLPClassifier(activation=["gelu"]).fit(X, CLASSES),
    "2 values for 1 hidden layers": lambda: MLPClassifier((3,), activation=["tanh", "relu"]).fit(X, CLASSES),
    "A temperature must lie": lambda: MLPClassifier((3,), temperature=[1e-9]).fit(X, CLASSES),
    "max_nonzero keeps the largest weights": lambda: MLPClassifier(max_nonzero=3, solver="lbfgs").fit(X, CLASSES),
    "y holds -1, which is negative": lambda: MLPRegressor("poisson").fit(X, -np.ones(len(X))),
    "several targets must be zeros and ones": lambda: MLPClassifier().fit(X, LABELS + 1),
    "classes must be passed on the first call": lambda: MLPClassifier().partial_fit(X, CLASSES),
    "the last fit has layers of the shapes": lambda: (
        quietly(MLPClassifier((3,), warm_start=True, max_iter=1), X, CLASSES)
        .set_params(hidden_layer_sizes=(4,))
        .fit(X, CLASSES)
    ),
}


@pytest.mark.parametrize("said", REFUSED)
def test_refused(said):
    with pytest.raises(ValueError, match=said):
        REFUSED[said]()


def test_a_batch_larger_than_the_table():
    with pytest.warns(UserWarning, match="batch_size=500 is more than the 57 rows") as said:
        quietly(MLPClassifier((3,), batch_size=500, max_iter=1), X, CLASSES)
    assert said[0].filename == __file__


# ---- in a comparison -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        (X * [100, 1, 1], {0}),
        (X * [0.01, 1, 1], {0}),
        (X * [1e3, 1e-2, 1], {0, 1}),
        (X + np.array([0, 100, 0]), {1}),
        (np.where(X > 2, np.nan, X) * [1, 1, 100], {2}),
    ],
)
def test_columns_that_are_not_standardised_are_a_finding(table, columns):
    """Large ones, ones that hardly vary, and ones far from zero."""
    (found,) = check_assumptions(MLPClassifier(), table, CLASSES)
    assert found.code == "not_standardised"
    assert columns <= set(map(int, found.columns))
    assert "StandardScaler" in str(found)
    (extreme,) = check_assumptions(MLPClassifier(), X * [1e7, 1e-7, 1], CLASSES)
    assert extreme.code == "uneven_scales"
    assert check_assumptions(MLPRegressor(), X * [3, 1, 0.5] + [0, 2, 0], NUMBERS) == ()
    assert check_assumptions(MLPRegressor(), np.c_[X, np.full(len(X), 1e9)], NUMBERS) == ()


@pytest.mark.parametrize(("task", "name"), [("classification", "MLPClassifier"), ("regression", "MLPRegressor")])
def test_in_the_laboratory(task, name):
    """Columns are standardised inside the folds, layers and penalty are tuned, and fits to enough rows stop early."""
    method = chosen_methods(task, name)[1]
    assert {*method.grid} == {"hidden_layer_sizes", "alpha"}
    for rows, patience in [(1_000, 100), (3_000, 34), (10_000, 10), (10**6, 10)]:  # 500 steps, ten epochs at least
        learner = method.of_rows(rows).learner
        assert (learner.early_stopping, learner.n_iter_no_change) == (True, patience)
    few = method.of_rows(999)
    assert (few.learner.early_stopping, few.learner.max_iter) == (False, 1_000)
    assert few.grid == method.grid
    if task == "regression":
        assert method.of_target(1e5 * NUMBERS).of_rows(100).learner.scale_target
    assert knows_units(method.learner)


def test_what_a_batch_takes_does_not_grow_with_the_table(monkeypatch):
    """Numbers and weights of all rows are made once for an epoch, not for each batch."""
    asked = []
    whole = Block.numbers.fget
    monkeypatch.setattr(Block, "numbers", property(lambda block: asked.append(len(block)) or whole(block)))
    quietly(MLPClassifier((2,), batch_size=5, max_iter=1, random_state=0), X, CLASSES)
    assert len(asked) <= 4

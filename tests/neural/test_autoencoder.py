"""Autoencoders: principal components where nothing bends, codes there and back, what is refused."""

import numpy as np
import pytest

from aprendiz import PCA, Autoencoder, MLPRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2)) @ RNG.normal(size=(2, 4)) + 0.1 * RNG.normal(size=(80, 4))
FLAT = {"activation": "identity", "solver": "lbfgs", "alpha": 0.0, "tol": 1e-8, "max_iter": 2000, "random_state": 0}


@pytest.mark.parametrize("hidden", [(2,), (3, 2, 3)])
def test_without_bends_it_is_as_good_as_principal_components(hidden):
    model, plane = Autoencoder(hidden, **FLAT).fit(X), PCA(2).fit(X)
    lost = 0.5 * ((plane.inverse_transform(plane.transform(X)) - X) ** 2).sum(axis=1).mean()
    assert model.certificate_.holds
    assert model.certificate_.objective == pytest.approx(lost, rel=1e-3)
    assert model.code_layer_ == 1 + hidden.index(2)


def test_it_is_a_regression_on_itself():
    """The same first weights, batches and steps as those of a network for numbers; there and back is its prediction."""
    settings = {"hidden_layer_sizes": (5, 2, 5), "activation": ("tanh", "cos", "sigmoid"), "random_state": 0, "tol": 0.05}
    model = Autoencoder(**settings, temperature=(1, 2, 1)).fit(X)
    network = MLPRegressor(**settings, temperature=(1, 2, 1)).fit(X, X)
    assert all(np.array_equal(V, W) for V, W in zip(model.coefs_, network.coefs_, strict=True))
    Z = model.transform(X)
    assert Z.shape == (80, 2)
    assert list(model.get_feature_names_out()) == ["autoencoder0", "autoencoder1"]
    assert model.inverse_transform(Z) == pytest.approx(network.predict(X), abs=1e-12)


def test_what_is_refused():
    with pytest.raises(ValueError, match="the code is a hidden layer"):
        Autoencoder(()).fit(X)
    with pytest.raises(ValueError, match="codes have 2: give what transform gives"):
        Autoencoder((2,), **FLAT).fit(X).inverse_transform(X)

"""Pictures of networks show what the networks compute."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

from aprendiz import MLPClassifier, MLPRegressor, StandardScaler
from aprendiz.neural import Graph
from aprendiz.plots import ActivationsDisplay, EpochsDisplay, LayersDisplay, NeuronsDisplay

X = np.random.default_rng(0).normal(size=(60, 2))
CLASSES = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
KINDS = np.digitize(X[:, 0], [-0.5, 0.5])
SMALL = {"hidden_layer_sizes": (4, 3), "activation": ("tanh", "relu"), "solver": "lbfgs", "tol": 0.05, "random_state": 0}
TWO = MLPClassifier(**SMALL).fit(X, CLASSES)
THREE = MLPClassifier(**SMALL).fit(X, KINDS)
NUMBERS = MLPRegressor(**SMALL).fit(X, X[:, 0] ** 2)
COUNTS = MLPRegressor("poisson", **SMALL).fit(X, KINDS)


def words(display):
    return [text.get_text() for text in display.ax_.texts]


def test_layers():
    """A line for each weight that is not nearly zero, wide where it is large, with the colour of its sign."""
    display = LayersDisplay.from_estimator(TWO)
    (first, second, last) = display.ax_.collections
    for lines, W in zip((first, second, last), TWO.coefs_, strict=True):
        size = np.abs(W).ravel() / np.abs(W).max()
        assert len(lines.get_segments()) == np.sum(size >= 0.02)
        assert sorted(lines.get_linewidths()) == pytest.approx(sorted(3.2 * size[size >= 0.02]))
        blue = [tuple(colour[:3]) for colour in lines.get_colors()]
        assert len(set(blue)) == 1 + (0 < np.mean(W[np.abs(W) >= 0.02 * np.abs(W).max()] > 0) < 1)
    assert words(display) == ["x0", "x1", "tanh", "relu", "same"]
    assert words(LayersDisplay.from_estimator(THREE))[-3:] == ["0", "1", "2"]
    assert "2 of 4" in words(LayersDisplay.from_estimator(TWO, most=2))[2]
    with pytest.raises(ValueError, match="most must be at least 1"):
        LayersDisplay.from_estimator(TWO, most=0)
    with pytest.raises(ValueError, match="Layer 0 has 2 neurons, there are 3 names"):
        LayersDisplay(TWO.coefs_, "abc", ["y"])


@pytest.mark.parametrize(
    ("model", "predicted"),
    [
        (TWO, lambda rows: TWO.predict_proba(rows)[:, 1:]),
        (THREE, THREE.predict_proba),
        (NUMBERS, lambda rows: NUMBERS.predict(rows)[:, None]),
        (COUNTS, lambda rows: COUNTS.predict(rows)[:, None]),
    ],
)
def test_neurons(model, predicted):
    """The first layer is σ(xW + b), the last what is predicted."""
    display = NeuronsDisplay(model, X)
    rows = display.grid.rows
    first = np.tanh(rows @ model.coefs_[0] + model.intercepts_[0])
    assert display.values[0] == pytest.approx(display.grid.on_grid(first))
    assert display.values[-1] == pytest.approx(display.grid.on_grid(predicted(rows)))


def test_neurons_of_a_pipeline():
    """The plane is that of the table, the network sees it scaled."""
    wide = X * [1, 1000]
    model = make_pipeline(StandardScaler(), MLPClassifier(**SMALL)).fit(wide, CLASSES)
    display = NeuronsDisplay.from_estimator(model, wide, CLASSES)
    assert display.values[-1][..., 0] == pytest.approx(display.grid.on_grid(model.predict_proba(display.grid.rows))[..., 1])
    assert len(display.ax_) == 12


def test_epochs():
    """The last surface is that of a fit; an epoch that was not reached is refused."""
    model = MLPClassifier((3,), max_iter=4, n_iter_no_change=9, random_state=0)
    display = EpochsDisplay.from_training(model, X, CLASSES, epochs=[4, 0])
    assert display.epochs == [0, 4]
    with pytest.warns(ConvergenceWarning, match="max_iter reached"):
        model.fit(X, CLASSES)
    assert display.surfaces[4][1] == pytest.approx(display.grid.on_grid(model.predict_proba(display.grid.rows)))
    assert display.surfaces[4][0] == model.loss_curve_[-1]
    assert display.ax_[0].get_title(loc="left") == "before training"
    with pytest.raises(ValueError, match="Epoch 5 is not there: training took 4 epochs"):
        EpochsDisplay.from_training(model, X, CLASSES, epochs=[5])


def test_activations():
    """Slopes are those of the curves."""
    display = ActivationsDisplay(["logistic", "tanh", "softplus", "cos", "identity", "step"], temperature=0.5)
    for name, value in display.values.items():
        if name != "step":
            assert np.gradient(value, display.z)[1:-1] == pytest.approx(display.slopes[name][1:-1], abs=2e-3), name
    assert set(display.values["step"]) == {0.0, 1.0}
    assert set(display.slopes["step"]) == {0.0}
    with pytest.raises(ValueError, match="There is no activation 'gelu'"):
        ActivationsDisplay(["gelu"])
    with pytest.raises(ValueError, match="temperature must be above 0"):
        ActivationsDisplay(temperature=0.0)


def test_borders_of_epochs_run_between_the_places_of_the_grid():
    """Of x + y > 0 the border is one straight line, not a stair from place to place."""
    y = np.where(X.sum(axis=1) > 0, "above", "below")
    model = MLPClassifier((2,), activation="identity", solver="lbfgs", random_state=0)
    display = EpochsDisplay.from_training(model, X, y, epochs=[10])
    (border, *_) = [one for one in display.ax_[0].collections if len(one.get_paths())]
    places = border.get_paths()[0].vertices
    slope, height = np.polyfit(*places.T, 1)
    assert np.abs(places @ [-slope, 1.0] - height).max() < 0.02 * np.ptp(display.grid.y)


def test_names_stand_beside_their_neurons_in_a_narrow_picture():
    """Nine points from the middle of a neuron, however close its layers are."""
    figure = plt.figure(figsize=(2.5, 3.0), layout="constrained")
    display = LayersDisplay.from_estimator(TWO, ax=figure.subplots())
    figure.draw_without_rendering()
    for text in display.ax_.texts:
        if text.get_text() in ("x0", "x1", "same"):
            middle = display.ax_.transData.transform(text.xy)[0]
            box = text.get_window_extent()
            assert min(abs(box.x0 - middle), abs(box.x1 - middle)) >= 7.0 * figure.dpi / 72


def test_numbers_of_a_graph_have_the_minus_of_the_axes():
    shown = Graph({"x2": "x1 - 3"}).plot({"x1": 1.0})
    assert "x2 = x1 - 3 = −2" in words(shown)
